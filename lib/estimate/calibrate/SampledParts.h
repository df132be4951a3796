// Parts of a program that samples tell apart: bodies of functions, and lines that call code which
// was not counted. How often each of them was met, input by input; no times.
#pragma once

#include "SourceBodies.h"
#include "quincunx/estimate/TimedRuns.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

class SampledParts {
public:
  /// `maps` must outlive it.
  SampledParts(const std::vector<Map> &maps, std::span<const SampledRun> runs);

  /// Numbers of parts; bodies come first.
  size_t size() const { return bodies.size() + callLines.size(); }
  bool isBody(size_t part) const { return part < bodies.size(); }
  size_t bodyOf(size_t map, size_t function, uint32_t scope) const {
    return bodies.of(map, function, scope);
  }
  /// Where a body begins: the name of its file, and the line.
  const std::pair<std::string, uint32_t> &beginOf(size_t body) const { return bodies.begin(body); }
  /// "main.c:12": where a body begins, or the line of calls.
  std::string nameOf(size_t part) const;
  /// Of a call of a function that was not counted.
  size_t partOf(const Function &caller, const Call &call) const;

  /// An input that was sampled.
  struct OfRun {
    size_t row = 0;                   ///< of the count matrix
    double executions = 0;            ///< that were sampled
    double cpu = 0, user = 0;         ///< seconds, of all of them
    double total = 0;                 ///< samples, also of no part
    std::map<size_t, double> samples; ///< by part
  };
  const std::vector<OfRun> &runs() const { return heard; }

private:
  using Line = std::pair<std::string, uint32_t>; ///< file name and line
  static Line lineOf(const Function &caller, const Call &call);

  SourceBodies bodies;
  std::map<Line, size_t> callLines;
  std::vector<OfRun> heard;
};

} // namespace quincunx
