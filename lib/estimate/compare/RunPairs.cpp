// Pairs of runs by what their input is called.
// The idea: people name inputs by labels, and folders of programs and inputs move from build to
// build, so arguments are asked only where labels do not tell inputs apart. The size of the input
// is what a corpus knows of it besides its name: where it differs, the input does.
#include "RunPairs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Provenance.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx {

namespace {

using Words = std::vector<std::string>;

/// The runs of one build, by input.
struct Inputs {
  struct Known {
    std::string label;
    std::vector<size_t> rows; ///< that finished
    std::optional<double> size;
  };
  std::map<Words, Known> all; ///< by key
  std::vector<Words> order;
};

/// What tells one input from another, per finished or stopped run of the matrix.
Result<std::map<std::string, Words>> wordsOf(const RunSource &source) {
  std::map<std::string, Words> words; // by identity
  const Status read = source.forEach(
      [&](const Run &run, double) -> Status {
        Words &own = words[run.identity] = {run.label, run.standardInput};
        own.insert(own.end(), run.arguments.begin(), run.arguments.end());
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  return words;
}

/// Labels that are of several inputs in a build.
void findAmbiguous(const std::map<std::string, Words> &words, std::set<std::string> &ambiguous) {
  std::map<std::string, const Words *> first;
  for (const auto &[identity, own] : words)
    if (own[0].empty() || *first.try_emplace(own[0], &own).first->second != own)
      ambiguous.insert(own[0]);
}

Inputs inputsOf(const CountMatrix &matrix, const std::map<std::string, Words> &words,
                const std::set<std::string> &ambiguous) {
  Inputs out;
  for (size_t d = 0; d < matrix.rows.size(); ++d) {
    const CountMatrix::Row &row = matrix.rows[d];
    const Words key = ambiguous.contains(row.label) ? words.at(row.identity) : Words{row.label};
    const auto [at, isNew] = out.all.try_emplace(key);
    if (isNew)
      out.order.push_back(key);
    at->second.label = row.label;
    if (const auto size = row.features.find("size"); size != row.features.end())
      at->second.size = size->second;
    if (row.outcome == Outcome::finished)
      at->second.rows.push_back(d);
  }
  return out;
}

bool hasOtherSize(const Inputs::Known &a, const Inputs::Known &b) {
  return a.size && b.size && *a.size != *b.size;
}

Error nothingInCommon(const PairedRuns &runs) {
  if (!runs.others.empty())
    return Error{"inputs of one name have other sizes in the two: " + firstFew(runs.others)};
  if (!runs.stopped.empty())
    return Error{"no input has finished runs in both: " + firstFew(runs.stopped)};
  return Error{"no input was run by both: before " + firstFew(runs.onlyBefore) + "; after " +
               firstFew(runs.onlyAfter) + " (quincunx run --label names inputs)"};
}

} // namespace

Result<RunPairs> pairRuns(const RunSource &before, const CountMatrix &countsBefore,
                          const RunSource &after, const CountMatrix &countsAfter) {
  const auto first = wordsOf(before), second = wordsOf(after);
  for (const auto *words : {&first, &second})
    if (!*words)
      return words->error();
  std::set<std::string> ambiguous;
  findAmbiguous(*first, ambiguous);
  findAmbiguous(*second, ambiguous);
  const Inputs was = inputsOf(countsBefore, *first, ambiguous),
               is = inputsOf(countsAfter, *second, ambiguous);
  RunPairs out;
  for (const Words &key : was.order) {
    const Inputs::Known &one = was.all.at(key);
    const auto other = is.all.find(key);
    if (other == is.all.end())
      out.described.onlyBefore.push_back(one.label);
    else if (hasOtherSize(one, other->second))
      out.described.others.push_back(one.label);
    else if (one.rows.empty() || other->second.rows.empty())
      out.described.stopped.push_back(one.label);
    else {
      out.pairs.push_back({one.label, one.rows, other->second.rows});
      out.described.runsBefore += one.rows.size();
      out.described.runsAfter += other->second.rows.size();
    }
  }
  for (const Words &key : is.order)
    if (!was.all.contains(key))
      out.described.onlyAfter.push_back(is.all.at(key).label);
  out.described.inputs = out.pairs.size();
  if (out.pairs.empty())
    return nothingInCommon(out.described);
  return out;
}

} // namespace quincunx
