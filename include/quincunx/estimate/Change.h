// One "what if" as a reader writes it: `cost(parse) *= 0.5`, `calls(malloc) := 90`, `mix(size) =
// mix.tsv`. The syntax stands in docs/17-what-if.md. A change is words: whether the names in it
// exist, and what it does to an estimate, is WhatIf's business.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace quincunx {

/// Lines of a source file, or one line with the column where something stands on it.
struct Place {
  std::string file; ///< empty: the change names no place
  uint32_t line = 0, last = 0;
  uint32_t column = 0; ///< 0: any
  uint32_t arm = 0;    ///< of a branch: the line that the arm meant leads to; 0: the true one
};

struct Change {
  enum class Target : uint8_t {
    cost,
    calls,
    total,
    trips,
    probability,
    machine,
    price, ///< of a class of instructions, or of an event
    mix,
    size,
    lock,     ///< had at a place
    work,     ///< of threads that are begun at a place
    schedule, ///< of a loop that a team shares, or is to share
    join,     ///< threads that are begun at a place end with the first of them
    threads   ///< of teams
  };
  Target target = Target::cost;
  bool scales = false; ///< multiplies what was (*=)
  bool adds = false;   ///< is added to a probability (+=, or its negative -=)
  std::string name;    ///< of the function, the callee, the feature or what has a price
  Place place;
  /// The new value or the factor; with variables, k1 times these.
  Cumulants value{1, 0, 0, 0};
  std::string variable, otherVariable; ///< empty: none
  std::string file;                    ///< of the machine or the mix
  bool isApart = false;  ///< a lock has only those waiting who come to that place; else nobody
  bool isSerial = false; ///< a loop that one thread goes through is to be shared by a team
  std::string schedule;  ///< as ScheduleKind has it, without the chunk; "static,chunk" with one
  uint64_t chunk = 0;    ///< 0: what the schedule has without one
  std::string text;      ///< as it was written

  /// It changes all that is done for the calls of a function, under it as well.
  bool isInclusive() const {
    return target == Target::total || (target == Target::calls && scales);
  }
  /// It changes who waits for whom.
  bool isOfThreads() const {
    return target == Target::lock || target == Target::work || target == Target::schedule ||
           target == Target::join || target == Target::threads;
  }
};

/// The change where the variable `name` is `x`.
Change withValue(Change change, const std::string &name, double x);

/// What a change means in a program.
struct AppliedChange {
  std::string change;     ///< as it was written
  std::string effect;     ///< what of the program it means, in words
  std::string assumption; ///< what carries it
};

/// Errors name the column, from 1, and what was expected there.
Result<Change> parseChange(std::string_view text);

} // namespace quincunx
