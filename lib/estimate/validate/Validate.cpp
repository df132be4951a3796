// Held-out validation within one corpus.
// The idea: runs with even numbers are the profile, those with odd ones play the user's future. All
// estimators see the same profile and are judged by the same future; in-sample errors stand beside,
// since for the default estimate they are an identity and for a model they are what it assumes
// wrongly. Seeded. It compares whole runs only.
#include "quincunx/estimate/Validate.h"

#include "quincunx/dist/Fit.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Model.h"
#include "quincunx/estimate/SummaryStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace quincunx {

const std::array<const char *, 5> shownNames{"mean", "sd", "p50", "p90", "p99"};

namespace {

constexpr int bootstraps = 1000;
constexpr std::array<double, 3> levels{0.5, 0.9, 0.99};

Shown shown(const Moments &m, const Distribution &law) {
  return {m.mean, m.deviation(), law.quantile(levels[0]), law.quantile(levels[1]),
          law.quantile(levels[2])};
}

Result<Shown> shown(std::span<const MixtureComponent> runs) {
  const Result<SummarizedLaw> f = summarizeRuns(runs);
  if (!f)
    return f.error();
  return shown(f->statistics.moments, *f->law);
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

Shown floorOf(const std::vector<double> &all, size_t profiled, size_t held) {
  std::mt19937_64 random(1);
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

class Validator {
public:
  Validator(const RunSource &s, const Machine &k) : source(s), machine(k) {}
  Result<Validation> run();

private:
  template <class Take> Status forEachFinished(Corpus::ReadMask parts, Take take);
  Status price();
  Status takeDefault();
  Prediction model(const Statistic &a);
  Prediction judged(std::string name, const Result<Shown> &predicted) const;

  const RunSource &source;
  const Machine &machine;
  std::vector<MixtureComponent> profile, held;
  size_t stopped = 0;
  Shown before{}; ///< of the profile
  Validation out;
};

/// Those that estimates use: `take(run, weight, number)`, numbers from 0; the odd ones are held
/// out.
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

Status Validator::price() {
  CountMatrixBuilder builder(source.maps, source.count());
  size_t finished = 0;
  const Status read =
      forEachFinished(Corpus::ReadMask::counts, [&](const Run &run, double weight, size_t) {
        ++finished;
        return builder.add(run, weight);
      });
  if (!read)
    return read;
  if (finished < 4)
    return Error{std::string("validation needs at least four finished ") +
                 (source.requests ? "requests" : "runs") + ", there are " +
                 std::to_string(finished)};
  const Result<CountMatrix> matrix = builder.finish();
  if (!matrix)
    return matrix.error();
  const std::vector<Cumulants> costs = BlockCosts(*matrix, source.maps, machine).runs();
  std::vector<double> all;
  for (size_t d = 0; d < costs.size(); ++d) {
    (d % 2 == 1 ? held : profile).push_back({costs[d], matrix->rows[d].weight});
    all.push_back(costs[d].k1);
  }
  out.profiled = profile.size();
  out.heldOut = held.size();
  out.floor = floorOf(all, profile.size(), held.size());
  if (stopped != 0)
    out.notes.push_back({"censored", std::to_string(stopped) + " runs were stopped and are left "
                                                               "out"});
  return Done{};
}

Prediction Validator::judged(std::string name, const Result<Shown> &predicted) const {
  Prediction p;
  p.estimator = std::move(name);
  if (!predicted) {
    p.why = predicted.error().text;
    return p;
  }
  p.inSample = relative(*predicted, before);
  p.heldOut = relative(*predicted, out.truth);
  return p;
}

Status Validator::takeDefault() {
  const Result<Shown> past = shown(profile), future = shown(held);
  if (!past || !future)
    return past ? future.error() : past.error();
  before = *past;
  out.truth = *future;
  out.predictions.push_back(judged("observed counts (default)", past));
  const Result<SummarizedLaw> f = summarizeRuns(profile);
  const Result<Fit> fit =
      fitLaw(f->statistics.moments, {0, std::numeric_limits<double>::infinity()});
  out.predictions.push_back(
      judged("its four moments, a fitted law",
             fit ? Result<Shown>(shown(f->statistics.moments, *fit->law)) : fit.error()));
  return Done{};
}

Prediction Validator::model(const Statistic &a) {
  if (source.requests && a.branch == std::string("renewal"))
    return judged(a.name, Error{"lengths of runs are known of whole runs, not of requests"});
  Model model(source.maps, machine, {a.branch, a.perRun, false});
  const Status read = forEachFinished(Corpus::ReadMask::recorders,
                                      [&](const Run &run, double weight, size_t number) -> Status {
                                        return number % 2 == 1 ? Done{} : model.add(run, weight);
                                      });
  if (!read)
    return judged(a.name, read.error());
  const Result<Modelled> m = model.finish();
  if (!m)
    return judged(a.name, m.error());
  if (!m->programLaw)
    return judged(a.name, Error{"no law has the moments it gives"});
  return judged(a.name, shown(moments(m->program), *m->programLaw));
}

Result<Validation> Validator::run() {
  out.machine = machine.name;
  out.unit = machine.unit;
  out.request = source.requests ? source.requests->name : "";
  if (Status s = price(); !s)
    return s.error();
  if (Status s = takeDefault(); !s)
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
