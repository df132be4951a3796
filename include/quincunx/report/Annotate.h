// Source text with what it cost: beside every line on the terminal, or as comments above functions
// in the file itself. It reads and writes no files, and knows nothing of versions
// (tools/quincunx/verbs/Annotate.cpp).
#pragma once

#include "quincunx/estimate/LineObserver.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// Our comments stand on lines of their own, "/* qx: ... */"; this is the text without them.
std::string withoutComments(std::string_view text);

struct Annotation {
  std::string unit; ///< of costs
  FileFigures lines;
  std::vector<const FunctionFigures *> functions; ///< that start in this file
  /// Line numbers count our comments: the file was compiled with them.
  bool countsComments = false;
  FunctionNames names{};
};

/// The text with a gutter: executions per run (mean and p99) and share of the program's cost. Our
/// comments in the text are left out, and fresh ones stand above functions. A line that was
/// executed more often, or may have been, says ">="; "?" if nothing else is known of it; "~" is the
/// middle of an interval. What these marks mean stands at the end where one is used.
void printAnnotated(std::string_view text, const Annotation &a, const Display &display,
                    std::ostream &out);

/// The text with fresh comments above its functions, in place of those that were there. Applying it
/// twice changes nothing more.
std::string commented(std::string_view text, const Annotation &a);

/// A file and what is known of its lines.
struct AnnotatedFile {
  std::string name;
  Annotation annotation;
};

/// Figures of the lines of files. Reference: docs/03-runs-kept-apart.md.
Status printAnnotatedJson(const std::vector<AnnotatedFile> &files, const Observed &observed,
                          const std::string &corpus, std::ostream &out);

} // namespace quincunx
