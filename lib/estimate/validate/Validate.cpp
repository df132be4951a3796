// Held-out validation within one corpus.
// The idea: one half of the runs is the profile, the other plays the user's future, and this many
// times over, since one split says mostly where the costliest runs went. Runs are put in an order
// by what they cost and counted before halves are drawn with a fixed seed, so that equal data are
// split alike, whatever their runs are called. All estimators see the same splits; in-sample errors
// stand beside, since for the default estimate they are an identity and for a model they are what
// it assumes wrongly. It compares whole runs only.
#include "quincunx/estimate/Validate.h"

#include "estimate/compose/Laws.h"
#include "quincunx/base/Md5.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>

namespace quincunx {

const std::array<const char *, 5> shownNames{"mean", "sd", "p50", "p90", "p99"};

namespace {

constexpr int bootstraps = 1000;
constexpr size_t splitCount = 20;
constexpr size_t mostModels = 16; ///< that share the runs
constexpr uint64_t seed = 1;
constexpr std::array<double, 3> levels{0.5, 0.9, 0.99};

Shown shown(const Moments &m, const Distribution &law) {
  return {m.mean, m.deviation(), law.quantile(levels[0]), law.quantile(levels[1]),
          law.quantile(levels[2])};
}

/// Of a mixture with one part per run.
Result<Shown> shown(const std::vector<MixtureComponent> &parts) {
  if (const DistributionPtr law = lawOf({}, parts).first)
    return shown(law->moments(), *law);
  return Error{"its runs have no law"};
}

Shown relative(const Shown &is, const Shown &should) {
  Shown error{};
  for (size_t i = 0; i < error.size(); ++i)
    error[i] = should[i] != 0 ? is[i] / should[i] - 1 : (is[i] == 0 ? 0 : HUGE_VAL);
  return error;
}

/// Of a sample whose values are sorted in place.
Shown sampled(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double v : values)
    mean += v / n;
  for (const double v : values)
    squares += (v - mean) * (v - mean) / n;
  const auto at = [&](double p) {
    return values[static_cast<size_t>(std::clamp(std::ceil(p * n - 1e-9), 1.0, n)) - 1];
  };
  return {mean, std::sqrt(squares), at(levels[0]), at(levels[1]), at(levels[2])};
}

/// `all` in an order that does not depend on names.
Shown floorOf(const std::vector<double> &all, size_t profiled, size_t held) {
  std::mt19937_64 random(seed);
  Shown squares{};
  std::vector<double> a(profiled), b(held);
  for (int i = 0; i < bootstraps; ++i) {
    for (std::vector<double> *sample : {&a, &b})
      for (double &x : *sample)
        x = all[random() % all.size()];
    const Shown error = relative(sampled(a), sampled(b));
    for (size_t s = 0; s < squares.size(); ++s)
      squares[s] += std::isfinite(error[s]) ? error[s] * error[s] / bootstraps : 0;
  }
  for (double &s : squares)
    s = std::sqrt(s);
  return squares;
}

OverSplits over(const std::vector<Shown> &errors) {
  OverSplits all;
  const double n = static_cast<double>(errors.size());
  for (const Shown &e : errors)
    for (size_t s = 0; s < e.size(); ++s)
      all.mean[s] += e[s] / n;
  for (const Shown &e : errors)
    for (size_t s = 0; s < e.size(); ++s)
      all.spread[s] += (e[s] - all.mean[s]) * (e[s] - all.mean[s]) / (n - 1);
  for (double &s : all.spread)
    s = std::sqrt(s);
  return all;
}

/// Equal for runs that counted the same.
Md5 digestOf(const Run &run) {
  std::string bytes;
  const auto take = [&](const void *words, size_t size) {
    bytes.append(static_cast<const char *>(words), size);
  };
  for (const ImageCounts &image : run.images) {
    take(image.map.data(), sizeof image.map);
    take(image.counts.index.data(), image.counts.index.size() * sizeof(uint32_t));
    take(image.counts.value.data(), image.counts.value.size() * sizeof(uint64_t));
  }
  return md5(bytes);
}

/// What the models are asked: name, branch model, each run by itself.
struct Statistic {
  const char *name, *branch;
  bool perRun;
};
constexpr Statistic asked[] = {{"bernoulli, runs together", "bernoulli", false},
                               {"bernoulli, per run", "bernoulli", true},
                               {"renewal, runs together", "renewal", false},
                               {"renewal, per run", "renewal", true},
                               {"empirical, runs together", "empirical", false}};

/// Figures that an estimator predicts from the profile of a split.
using Predict = std::function<Result<Shown>(size_t split)>;

class Validator {
public:
  Validator(const RunSource &s, const Machine &k) : source(s), machine(k) {}
  Result<Validation> run();

private:
  template <class Take> Status forEachFinished(Corpus::ReadMask parts, Take take);
  Status keep();
  Status price();
  void draw();
  enum class Which : uint8_t { profile, held, all };
  std::vector<MixtureComponent> take(const std::vector<MixtureComponent> &parts, Which which,
                                     size_t split = 0) const;
  Status takeDefault();
  using Chosen = std::function<bool(size_t number)>;
  Status findShares();
  Result<Modelled> modelled(const Statistic &a, const Chosen &isChosen);
  Result<Shown> together(const Statistic &a, size_t split);
  Result<std::vector<MixtureComponent>> apart(const Statistic &a);
  Prediction model(const Statistic &a);
  Prediction judged(std::string name, const Predict &predict) const;

  const RunSource &source;
  const Machine &machine;
  std::vector<std::pair<Run, double>>
      kept; ///< what models read, with its weight; empty: from the corpus
  std::vector<std::vector<BranchShare>> shares; ///< of what is kept
  std::vector<MixtureComponent> runs;           ///< in the order in which they are read
  std::vector<size_t> order;             ///< of runs, by content: what is summed is rounded alike
  std::vector<std::vector<bool>> splits; ///< per split and run: is it held out?
  std::vector<Shown> before, after;      ///< per split: of its profile, and of the others
  size_t stopped = 0;
  Validation out;
};

/// Those that estimates use: `take(run, weight, number)`, numbers from 0.
template <class Take> Status Validator::forEachFinished(Corpus::ReadMask parts, Take take) {
  size_t number = 0;
  stopped = 0;
  return source.forEach(
      [&](const Run &run, double weight) -> Status {
        stopped += isCensored(run.outcome);
        return run.outcome != Outcome::finished || run.images.empty() ? Done{}
                                                                      : take(run, weight, number++);
      },
      parts);
}

/// Models read the runs again for each split: where their counts take little memory, from there.
Status Validator::keep() {
  constexpr size_t most = size_t{256} << 20, perCount = sizeof(uint32_t) + sizeof(uint64_t);
  size_t bytes = 0;
  const Status read = forEachFinished(
      Corpus::ReadMask::recorders, [&](const Run &run, double weight, size_t) -> Status {
        for (const ImageCounts &image : run.images)
          for (const Counts *counts : {&image.counts, &image.inherited, &image.recorders})
            bytes += perCount * counts->index.size();
        Run counted;
        counted.images = run.images;
        for (ImageCounts &image : counted.images)
          image.path.clear();
        if (bytes <= most)
          kept.emplace_back(std::move(counted), weight);
        return Done{};
      });
  if (bytes > most)
    kept.clear();
  return read;
}

Status Validator::price() {
  const Result<size_t> count = source.count();
  if (!count)
    return count.error();
  CountMatrixBuilder builder(source.maps, *count, mostCounts(source.corpus));
  std::vector<Md5> digests;
  const Status read =
      forEachFinished(Corpus::ReadMask::counts, [&](const Run &run, double weight, size_t) {
        digests.push_back(digestOf(run));
        return builder.add(run, weight);
      });
  if (!read)
    return read;
  if (digests.size() < 4)
    return Error{std::string("validation needs at least four finished ") +
                 (source.requests ? "requests" : "runs") + ", there are " +
                 std::to_string(digests.size())};
  const Result<CountMatrix> matrix = builder.finish();
  if (!matrix)
    return matrix.error();
  const std::vector<Cumulants> costs = BlockCosts(*matrix, source.maps, machine).runs();
  for (size_t d = 0; d < costs.size(); ++d)
    runs.push_back({costs[d], matrix->rows[d].weight});
  order.resize(runs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto content = [&](size_t d) {
    const Cumulants &k = runs[d].k;
    return std::tuple(k.k1, k.k2, k.k3, k.k4, runs[d].weight, digests[d]);
  };
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return content(a) < content(b); });
  draw();
  if (stopped != 0)
    out.notes.push_back({"censored", std::to_string(stopped) + " runs were stopped and are left "
                                                               "out"});
  return Done{};
}

/// The splits, and what no estimator escapes.
void Validator::draw() {
  out.splits = splitCount;
  out.heldOut = order.size() / 2;
  out.profiled = order.size() - out.heldOut;
  std::vector<double> costs;
  for (const size_t d : order)
    costs.push_back(runs[d].k.k1);
  out.floor = floorOf(costs, out.profiled, out.heldOut);
  std::mt19937_64 random(seed);
  for (size_t s = 0; s < splitCount; ++s) {
    std::vector<size_t> drawn = order;
    std::vector<bool> &held = splits.emplace_back(order.size());
    for (size_t i = 0; i < out.heldOut; ++i) { // the first steps of a shuffle
      std::swap(drawn[i], drawn[i + random() % (drawn.size() - i)]);
      held[drawn[i]] = true;
    }
  }
}

std::vector<MixtureComponent> Validator::take(const std::vector<MixtureComponent> &parts,
                                              Which which, size_t split) const {
  std::vector<MixtureComponent> chosen;
  for (const size_t d : order)
    if (which == Which::all || splits[split][d] == (which == Which::held))
      chosen.push_back(parts[d]);
  return chosen;
}

Prediction Validator::judged(std::string name, const Predict &predict) const {
  Prediction p;
  p.estimator = std::move(name);
  std::vector<Shown> inSample, heldOut;
  for (size_t s = 0; s < splits.size(); ++s) {
    const Result<Shown> predicted = predict(s);
    if (!predicted) {
      p.why = predicted.error().text;
      return p;
    }
    inSample.push_back(relative(*predicted, before[s]));
    heldOut.push_back(relative(*predicted, after[s]));
  }
  p.inSample = over(inSample);
  p.heldOut = over(heldOut);
  return p;
}

Status Validator::takeDefault() {
  const Result<Shown> all = shown(take(runs, Which::all));
  if (!all)
    return all.error();
  out.truth = *all;
  for (size_t s = 0; s < splits.size(); ++s) {
    const Result<Shown> past = shown(take(runs, Which::profile, s)),
                        future = shown(take(runs, Which::held, s));
    if (!past || !future)
      return past ? future.error() : past.error();
    before.push_back(*past);
    after.push_back(*future);
  }
  out.predictions.push_back(
      judged("observed counts (default)", [&](size_t s) { return Result<Shown>(before[s]); }));
  out.predictions.push_back(
      judged("its four moments, a fitted law", [&](size_t s) -> Result<Shown> {
        const Moments m = lawOf({}, take(runs, Which::profile, s)).first->moments();
        if (const DistributionPtr law = lawOf(cumulants(m), {}).first)
          return shown(m, *law);
        return Error{"no law has its moments"};
      }));
  return Done{};
}

/// Of all branches in all runs that are kept, which every split takes some of.
Status Validator::findShares() {
  const size_t n = kept.size(), models = std::min(mostModels, n);
  std::vector<Status> found(models, Done{});
  shares.resize(n);
  forEachParallel(models, [&](size_t m) {
    Model model(source.maps, machine, {"empirical", false, false});
    for (size_t d = m; d < n && found[m]; d += models)
      if (Result<std::vector<BranchShare>> own = model.branchShares(kept[d].first))
        shares[d] = std::move(*own);
      else
        found[m] = own.error();
  });
  for (const Status &s : found)
    if (!s)
      return s;
  return Done{};
}

Result<Modelled> Validator::modelled(const Statistic &a, const Chosen &isChosen) {
  Model model(source.maps, machine, {a.branch, a.perRun, false});
  const bool isKnown = !shares.empty() && a.branch == std::string("empirical");
  const auto take = [&](const Run &run, double weight, size_t number) -> Status {
    return isChosen(number) ? model.add(run, weight, isKnown ? &shares[number] : nullptr) : Done{};
  };
  Status read = kept.empty() ? forEachFinished(Corpus::ReadMask::recorders, take) : Status(Done{});
  for (size_t d = 0; d < kept.size() && read; ++d)
    read = take(kept[d].first, kept[d].second, d);
  if (!read)
    return read.error();
  return model.finish();
}

/// By the profile of a split, added up.
Result<Shown> Validator::together(const Statistic &a, size_t split) {
  const Result<Modelled> m = modelled(a, [&](size_t number) { return !splits[split][number]; });
  if (!m)
    return m.error();
  if (!m->programLaw)
    return Error{"no law has the moments it gives"};
  return shown(moments(m->program), *m->programLaw);
}

/// All runs by themselves. They do not know of each other, so that several models share them.
Result<std::vector<MixtureComponent>> Validator::apart(const Statistic &a) {
  const size_t n = order.size(), models = kept.empty() ? 1 : std::min(mostModels, n);
  std::vector<Result<Modelled>> parts(models, Error{});
  forEachParallel(models, [&](size_t m) {
    parts[m] = modelled(a, [&](size_t number) { return number * models / n == m; });
  });
  std::vector<MixtureComponent> all;
  for (const Result<Modelled> &part : parts) {
    if (!part)
      return part.error();
    all.insert(all.end(), part->perRun.begin(), part->perRun.end());
  }
  return all;
}

Prediction Validator::model(const Statistic &a) {
  if (source.requests && a.branch == std::string("renewal"))
    return judged(a.name, [](size_t) -> Result<Shown> {
      return Error{"lengths of runs are known of whole runs, not of requests"};
    });
  if (a.perRun) {
    const Result<std::vector<MixtureComponent>> all = apart(a);
    return judged(a.name, [&](size_t s) -> Result<Shown> {
      return all ? shown(take(*all, Which::profile, s)) : all.error();
    });
  }
  std::vector<Result<Shown>> predicted(splits.size(), Error{});
  const auto predict = [&](size_t s) { predicted[s] = together(a, s); };
  if (!kept.empty())
    forEachParallel(splits.size(), predict);
  for (size_t s = 0; s < splits.size() && kept.empty(); ++s) // a corpus has one reader
    predict(s);
  return judged(a.name, [&](size_t s) { return predicted[s]; });
}

Result<Validation> Validator::run() {
  out.machine = machine.name;
  out.unit = machine.unit;
  out.request = source.requests ? source.requests->name : "";
  if (Status s = price(); !s)
    return s.error();
  if (Status s = takeDefault(); !s)
    return s.error();
  if (Status s = keep(); !s)
    return s.error();
  if (Status s = findShares(); !s)
    return s.error();
  for (const Statistic &a : asked)
    out.predictions.push_back(model(a));
  out.notes.push_back({"in-sample", "in-sample the default estimate is an identity and says "
                                    "nothing of prediction"});
  out.notes.push_back({"inputs", "this is the error of drawing inputs; whether they are as in "
                                 "real use nothing here can tell"});
  return std::move(out);
}

} // namespace

Result<Validation> validate(const RunSource &source, const Machine &machine) {
  return Validator(source, machine).run();
}

} // namespace quincunx
