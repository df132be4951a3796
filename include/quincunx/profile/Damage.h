// What is damaged in a corpus. It knows no pages' contents and mends nothing (Corpus::salvage).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace quincunx {

/// A part of a corpus that cannot be read.
struct LostPart {
  std::string kind;     ///< run, map, timed input, timings, facts or calibration
  std::string name;     ///< label of a run or an input, path of a map; empty: not known
  std::string identity; ///< of a run, hash of a map; empty: not known
};

struct Damage {
  std::vector<LostPart> lost;
  size_t runs = 0;             ///< that can be read
  bool areAllKnown = true;     ///< false: more runs, maps or inputs may be lost than `lost` names
  std::set<uint32_t> pages;    ///< that were not as they were written, from 1; those that were met
  bool isIndexDamaged = false; ///< nothing is lost by it, a salvaged copy has a new one
  bool hasChecksums = false;   ///< false: a flipped bit is seen only where nothing can be decoded

  bool any() const { return !lost.empty() || !areAllKnown || !pages.empty() || isIndexDamaged; }
};

} // namespace quincunx
