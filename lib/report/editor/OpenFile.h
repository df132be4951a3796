// A file that is open in an editor, and what its text has to do with what was compiled.
#pragma once

#include "Document.h"
#include "quincunx/map/Map.h"
#include "quincunx/report/Annotate.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// The text of a file; none where it cannot be read.
using TextReader = std::function<std::optional<std::string>(const std::string &path)>;

/// Which of the sources a path means: itself, or one of which the path below `root` is the end, or
/// that has this very text. A file that only has the name of one is not it. Empty: none.
std::string sourceMeant(const std::string &path, const std::string &root, std::string_view text,
                        const std::vector<SourceFile> &sources);

class OpenFile {
public:
  enum class Standing : uint8_t {
    unknown, ///< no source of the corpus
    current, ///< what was compiled
    edited,  ///< what was compiled, but for lines that have no number
    changed, ///< another text, of which nobody knows which lines are the same
  };

  OpenFile(std::string as, std::string file, std::string_view text)
      : uri(std::move(as)), path(std::move(file)), document(text) {}

  std::string uri, path; ///< as the editor has it; decoded, empty where it is of no file
  Document document;
  bool isUnchecked = false; ///< it was edited since somebody looked whether it is as it was

  /// Compares the text, and that on disk, with what was compiled.
  void compare(const std::vector<SourceFile> &sources, const std::string &root,
               const TextReader &disk);
  void forget(); ///< there is no corpus
  bool isOf(const std::string &ofCorpus) const { return source == ofCorpus; }
  Standing standing() const;
  bool isStale() const { return standing() > Standing::current; }
  /// What was compiled; none where that is not known.
  const std::optional<SourceVersion> &compiled() const { return version; }

private:
  std::string source; ///< empty: none
  std::optional<SourceVersion> version;
};

} // namespace quincunx
