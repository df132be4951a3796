// What each branch model says of the number T of true outcomes of a branch in one run, beside what
// T was in the runs of a corpus and in those of a second, held-out one. The idea: a model gives the
// cumulant rates of an outcome (Branch.h), the number N of outcomes of a run is what was observed,
// and T = the sum of N outcomes (rule `repeated`), N independent of them; per run N is a constant
// and the runs are mixed. Nothing is fitted to T but by `observed` and `empirical`.
//
//   branch_table [--each] PROFILE.qx [HELD.qx]
//
// Lines: function, file, line, column, what, mean, variance, skewness, kurtosis; "-" and a reason
// where a model refuses. `what`: evaluations, trues (of the profile), held (trues of the other),
// floor (root mean square differences that two samples of that many runs show, drawn from both
// corpora together: of variances, relative, and of the others), or a model. With
// --each: function, file, line, column, label, evaluations, trues of every run. It judges nothing.
// Reference: docs/05-branches.md.
#include "published/Published.h"
#include "quincunx/cost/Branch.h"
#include "quincunx/model/Recorded.h"
#include "quincunx/profile/Corpus.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>

using namespace quincunx;

namespace {

/// One branch over all runs of a corpus.
struct History {
  std::vector<double> n, taken;                  ///< per run that evaluated it, or not (0)
  std::vector<std::optional<Cumulants>> renewal; ///< rate of each run alone
  BranchRecord record;                           ///< of all runs together
  std::string refused;                           ///< why there is no record
};
using Histories = std::map<std::pair<uint32_t, uint32_t>, History>; ///< by function and branch

struct Profile {
  std::vector<Map> maps;
  Histories branches;
  std::vector<std::string> labels;
};

std::vector<uint64_t> dense(const Counts &sparse, uint64_t before, uint64_t size) {
  std::vector<uint64_t> all(size, 0);
  for (size_t i = 0; i < sparse.index.size(); ++i)
    all[sparse.index[i] - before] = sparse.value[i];
  return all;
}

bool isBranch(const Branch &b) { return !b.isSwitch && b.arms[0] != b.arms[1]; }

/// The words of all runs, added up, and what reads them.
class Reader {
public:
  explicit Reader(const Map &m)
      : map(m), counters(m.counterCount), recorders(m.wordCount - m.counterCount) {
    for (const Function &f : map.functions)
      flows.emplace_back(f);
  }
  Status add(const Run &run, Histories &branches) {
    for (const ImageCounts &image : run.images) {
      if (image.map != map.hash)
        return Error{"the corpus has more than one image"};
      const auto own = dense(image.counts, 0, map.counterCount);
      const auto words = dense(image.recorders, map.counterCount, recorders.size());
      for (size_t i = 0; i < own.size(); ++i)
        counters[i] += own[i];
      for (size_t i = 0; i < words.size(); ++i)
        recorders[i] += words[i];
      each(own, words, branches, [](History &h, double n, double taken, const auto &record) {
        h.n.push_back(n);
        h.taken.push_back(taken);
        const Result<Rate> rate = record ? renewalRate(*record) : Result<Rate>(record.error());
        h.renewal.push_back(rate ? std::optional(rate->perExecution) : std::nullopt);
      });
    }
    return Done{};
  }
  void finish(Histories &branches) {
    each(counters, recorders, branches, [](History &h, double n, double taken, const auto &record) {
      if (record)
        h.record = *record;
      else
        h.refused = record.error().text;
      h.record.n = static_cast<uint64_t>(n);
      h.record.taken = static_cast<uint64_t>(taken);
    });
  }

private:
  template <class Visit>
  void each(const std::vector<uint64_t> &own, const std::vector<uint64_t> &words,
            Histories &branches, Visit visit) {
    for (uint32_t f = 0; f < map.functions.size(); ++f) {
      const Function &function = map.functions[f];
      const FunctionCounts counts =
          flows[f].counts(std::span(own).subspan(function.firstCounter, function.counterCount));
      const auto part = std::span(words).subspan(function.firstRecorder - map.counterCount,
                                                 function.recorderWords);
      for (uint32_t b = 0; b < function.branches.size(); ++b) {
        const Branch &branch = function.branches[b];
        if (!isBranch(branch))
          continue;
        const double taken = counts.edges[branch.arms[0]].value,
                     falses = counts.edges[branch.arms[1]].value;
        visit(branches[{f, b}], taken + falses, taken, branchRecord(function, b, part, counts));
      }
    }
  }
  const Map &map;
  std::vector<uint64_t> counters, recorders;
  std::vector<FlowSolver> flows;
};

Result<Profile> read(const std::string &path) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  Profile p{std::move(*maps), {}, {}};
  if (p.maps.size() != 1)
    return Error{path + " does not have exactly one image"};
  Reader reader(p.maps[0]);
  const Status all = corpus->forEachRun(
      [&](Run &&run) -> Status {
        if (run.outcome != Outcome::finished || run.images.empty())
          return Error{"run '" + run.label + "' did not finish with a record"};
        p.labels.push_back(run.label);
        return reader.add(run, p.branches);
      },
      Corpus::ReadMask::recorders);
  if (!all)
    return all.error();
  reader.finish(p.branches);
  return p;
}

/// N outcomes with these rates, N as it was in the runs.
Cumulants together(const History &h, const Cumulants &rate) {
  return repeated(cumulants(momentsOf(h.n)), rate);
}

using Answer = Result<Cumulants>;

Answer bernoulli(const History &h) {
  const Result<Rate> rate = bernoulliRate(h.record);
  return rate ? Answer(together(h, rate->perExecution)) : Answer(rate.error());
}

Answer renewal(const History &h) {
  if (!h.refused.empty())
    return Error{h.refused};
  const Result<Rate> rate = renewalRate(h.record);
  return rate ? Answer(together(h, rate->perExecution)) : Answer(rate.error());
}

/// Mean and variance of run lengths, those that were cut off taken as complete (table 4.3).
Result<published::MeanVariance> lengths(const RunLengths &runs) {
  double n = 0, sum = 0, squares = 0;
  for (const auto *which : {&runs.completed, &runs.cut})
    for (const auto &[length, count] : *which) {
      const auto x = static_cast<double>(length), c = static_cast<double>(count);
      n += c, sum += c * x, squares += c * x * x;
    }
  if (n == 0)
    return Error{"always the same outcome"};
  return published::MeanVariance{sum / n, std::max(0.0, squares / n - sum / n * (sum / n))};
}

/// (4.14), whether or not a law has these moments.
Answer thesis(const History &h) {
  if (!h.refused.empty())
    return Error{h.refused};
  const auto up = lengths(h.record.ofTrue), down = lengths(h.record.ofFalse);
  if (!up || !down)
    return Error{"always the same outcome"};
  const Moments p = published::betaBranch({*up, *down}).p;
  return together(h, p.variance > 0 ? cumulants(p) : Cumulants{p.mean, 0, 0, 0});
}

/// (4.6) with the share of true outcomes of each run (4.4).
Answer empirical(const History &h) {
  Sample shares;
  for (size_t d = 0; d < h.n.size(); ++d)
    if (h.n[d] > 0)
      shares.add(h.taken[d] / h.n[d] * momentsOf(h.n).mean);
  return shares.n() == 0
             ? Answer(Error{"never evaluated"})
             : Answer(together(h, repeated(1 / momentsOf(h.n).mean, cumulants(shares.moments()))));
}

/// Each run by itself, then mixed.
template <class Given> Answer mixed(const History &h, Given given) {
  std::vector<Cumulants> parts;
  for (size_t d = 0; d < h.n.size(); ++d)
    parts.push_back(given(d));
  return mixture(parts);
}
Cumulants binomial(const History &h, size_t d) {
  const double p = h.n[d] > 0 ? h.taken[d] / h.n[d] : 0, pq = p * (1 - p);
  return h.n[d] * Cumulants{p, pq, pq * (1 - 2 * p), pq * (1 - 6 * pq)};
}
Answer bernoulliPerRun(const History &h) {
  return mixed(h, [&](size_t d) { return binomial(h, d); });
}
/// Runs whose own run lengths say nothing have independent outcomes.
Answer renewalPerRun(const History &h) {
  if (!h.refused.empty())
    return Error{h.refused};
  return mixed(
      h, [&](size_t d) { return h.renewal[d] ? repeated(h.n[d], *h.renewal[d]) : binomial(h, d); });
}
Answer observed(const History &h) {
  return mixed(h, [&](size_t d) { return Cumulants{h.taken[d], 0, 0, 0}; });
}

struct Model {
  const char *name;
  Answer (*answer)(const History &);
};
constexpr Model models[] = {{"bernoulli", bernoulli},
                            {"renewal", renewal},
                            {"thesis", thesis},
                            {"empirical", empirical},
                            {"bernoulli-per-run", bernoulliPerRun},
                            {"renewal-per-run", renewalPerRun},
                            {"observed", observed}};

/// See `floor` above.
Moments floorOf(std::vector<double> all, const std::vector<double> &more) {
  const size_t first = all.size(), second = more.size();
  all.insert(all.end(), more.begin(), more.end());
  std::mt19937_64 random(1);
  const auto drawn = [&](size_t count) {
    Sample s;
    for (size_t i = 0; i < count; ++i)
      s.add(all[random() % all.size()]);
    return s.moments();
  };
  constexpr int rounds = 200;
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
  for (int i = 0; i < rounds; ++i) {
    const Moments a = drawn(first), b = drawn(second);
    if (b.variance <= 0)
      continue;
    mean += std::pow(a.mean - b.mean, 2);
    variance += std::pow(a.variance / b.variance - 1, 2);
    skewness += std::pow(a.skewness - b.skewness, 2);
    kurtosis += std::pow(a.kurtosis - b.kurtosis, 2);
  }
  return {std::sqrt(mean / rounds), std::sqrt(variance / rounds), std::sqrt(skewness / rounds),
          std::sqrt(kurtosis / rounds)};
}

void print(const std::string &place, const char *what, const Moments &m) {
  std::printf("%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\n", place.c_str(), what, m.mean, m.variance,
              m.skewness, m.kurtosis);
}

std::string placeOf(const Function &f, const Location &at) {
  const uint32_t file = f.scopes[at.scope].file;
  const std::string path = file == noIndex ? "-" : f.files[file].path;
  return f.name + "\t" + path.substr(path.rfind('/') + 1) + "\t" + std::to_string(at.line) + "\t" +
         std::to_string(at.column);
}

void printBranch(const std::string &place, const History &h, const History *held) {
  print(place, "evaluations", momentsOf(h.n));
  print(place, "trues", momentsOf(h.taken));
  for (const Model &m : models) {
    const Answer k = m.answer(h);
    if (k)
      print(place, m.name, moments(*k));
    else
      std::printf("%s\t%s\t-\t%s\n", place.c_str(), m.name, k.error().text.c_str());
  }
  if (held == nullptr)
    return;
  print(place, "held", momentsOf(held->taken));
  print(place, "floor", floorOf(h.taken, held->taken));
}

void printEach(const std::string &place, const Profile &p, const History &h) {
  for (size_t d = 0; d < h.n.size(); ++d)
    std::printf("%s\t%s\t%.0f\t%.0f\n", place.c_str(), p.labels[d].c_str(), h.n[d] + 0.0,
                h.taken[d] + 0.0);
}

} // namespace

int main(int argc, char **argv) {
  const bool each = argc > 1 && std::strcmp(argv[1], "--each") == 0;
  const std::vector<std::string> paths(argv + 1 + each, argv + argc);
  if (paths.empty() || paths.size() > 2 - size_t{each})
    return std::fprintf(stderr, "usage: branch_table [--each] PROFILE.qx [HELD.qx]\n"), 2;
  std::vector<Profile> profiles;
  for (const std::string &path : paths) {
    Result<Profile> p = read(path);
    if (!p)
      return std::fprintf(stderr, "%s\n", p.error().message().c_str()), 1;
    profiles.push_back(std::move(*p));
  }
  const Profile &profile = profiles.front();
  if (profiles.size() == 2 && profile.maps[0].hash != profiles[1].maps[0].hash)
    return std::fprintf(stderr, "branch_table: error: %s is of another program\n",
                        paths[1].c_str()),
           1;
  for (const auto &[number, h] : profile.branches) {
    const Function &f = profile.maps[0].functions[number.first];
    const std::string place = placeOf(f, f.branches[number.second].at);
    if (each)
      printEach(place, profile, h);
    else
      printBranch(place, h, profiles.size() == 2 ? &profiles[1].branches.at(number) : nullptr);
  }
}
