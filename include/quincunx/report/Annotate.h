// Source text with what it cost: beside every line on the terminal, or as comments above functions
// in the file itself. A text stands for the versions of a file that were compiled from it. It reads
// and writes no files.
#pragma once

#include "quincunx/base/Md5.h"
#include "quincunx/estimate/LineObserver.h"
#include "quincunx/report/Display.h"

#include <compare>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// Our comments stand on lines of their own, "/* qx: ... */"; this is the text without them.
std::string withoutComments(std::string_view text);
/// Is a line one of them?
bool isComment(std::string_view line);

/// A file as it was compiled: its path in the maps, and which of its versions.
struct SourceVersion {
  std::string path;
  std::vector<Md5> md5;        ///< empty: any
  bool countsComments = false; ///< it was compiled with our comments, which its lines count
  bool isOf(const std::string &file, const Md5 &digest) const;
  auto operator<=>(const SourceVersion &) const = default;
};
/// The version of `path`, which is in `sources`, that a text stands for: our own comments do not
/// make it another one. None: it changed since it was compiled.
std::optional<SourceVersion> versionOf(std::string_view text, const std::string &path,
                                       const std::vector<SourceFile> &sources);
/// Functions that start in it, and groups in place of their functions.
std::vector<const FunctionFigures *> functionsIn(const Observed &observed,
                                                 const SourceVersion &version);

struct Annotation {
  const Observed &observed; ///< with totals, or without
  FileFigures lines;
  std::vector<const FunctionFigures *> functions; ///< that start in this file
  /// Line numbers count our comments: the file was compiled with them.
  bool countsComments = false;
  FunctionNames names{};
};

/// The text with a gutter: executions per run (mean), what they cost (p50 and p99) and their share
/// of the program's mean cost. Our comments in the text are left out, and fresh ones stand above
/// functions. A line that was executed more often, or may have been, says ">="; "?" if nothing else
/// is known of it; "~" is the middle of an interval. What these marks mean stands at the end where
/// one is used.
void printAnnotated(std::string_view text, const Annotation &a, const Display &display,
                    std::ostream &out);

/// The text with fresh comments above its functions, in place of those that were there. Applying it
/// twice changes nothing more.
std::string commented(std::string_view text, const Annotation &a);

/// A file as it stands, and what is known of its lines.
struct AnnotatedFile {
  std::string name, text;
  Annotation annotation;
};

/// Figures of the lines of files, without their texts. Reference: docs/03-runs-kept-apart.md.
Status printAnnotatedJson(const std::vector<AnnotatedFile> &files, const Observed &observed,
                          const std::string &corpus, std::ostream &out);
/// The same listing as a document for browsers, lines in colours by their share.
void printAnnotatedHtml(const std::vector<AnnotatedFile> &files, const Observed &observed,
                        const std::string &corpus, std::ostream &out);

} // namespace quincunx
