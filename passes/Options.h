// What a build asks of the pass: what to record, and of which functions.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Support/Regex.h"

#include <string>
#include <vector>

namespace quincunx {

/// A line of a source file, whose path ends with these names.
struct SourceLine {
  std::string file;
  unsigned line = 0;
};

/// What to record, from -fplugin-arg-quincunx-ARGUMENT or quincunx<ARGUMENT>.
struct Options {
  bool calls = true;      ///< per function the cost of each call
  bool runs = false;      ///< run lengths of branches and trips of loops
  bool predictor = false; ///< what a simulated predictor and caches miss
  bool strands = false;   ///< where threads wait for each other; needs calls
  bool blocks = false;    ///< for tests: a counter in every block besides
  /// Regular expressions: functions of which one matches the name, as in the object or as in the
  /// source; without any, all functions. And those that are left out of them.
  std::vector<std::string> only, skip;
  std::vector<std::string> use;  ///< summaries to make remarks of (Remarks.h)
  std::vector<SourceLine> loops; ///< whose iterations are recorded, though one thread does them

  /// Reads "record=counts,calls,runs,predictor,strands,blocks" (also with ';'), which then is all
  /// that is recorded, "only=REGEX", "skip=REGEX", "loop=FILE:LINE" or "use=FILE"; gives what is
  /// wrong with it, or nothing.
  std::string set(llvm::StringRef argument);
  /// What is wrong with all that was set together, or nothing.
  std::string conflict() const;
  /// As with profiles, what is used is not recorded again unless that is asked for.
  bool records() const { return use.empty() || chosen; }

private:
  std::string setRecord(llvm::StringRef tiers);
  bool chosen = false; ///< by record=, so defaults do not count
};

/// Which functions a build wants, by name.
class Selection {
public:
  explicit Selection(const Options &o);
  bool wants(const llvm::Function &f) const;

private:
  std::vector<llvm::Regex> only, skip;
};

} // namespace quincunx
