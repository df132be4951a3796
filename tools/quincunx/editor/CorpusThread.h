// Reads a corpus for an editor in a thread of its own, so that what was read before is there to be
// asked meanwhile.
#pragma once

#include "arguments/PricedCorpus.h"

#include "quincunx/report/LanguageServer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quincunx::tool {

class CorpusThread {
public:
  /// `options`: of the figures; the path in it does not matter. The thread ends with the process.
  explicit CorpusThread(CorpusOptions options);

  /// Reads a corpus, asks budgets below `root`, and figures the lines of sources.
  void read(const std::string &path, const std::string &root, std::vector<SourceVersion> sources);
  /// Figures the lines of a source of the corpus that was read last.
  void readLines(const SourceVersion &source);

  struct Reading {
    std::string path;
    std::shared_ptr<const EditorCorpus> corpus; ///< null: `error`, or lines alone
    std::optional<Error> error;
    std::map<SourceVersion, FileFigures> lines;
  };
  /// Readable for poll(2) while there is something to take.
  int descriptor() const;
  std::vector<Reading> take();

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
};

} // namespace quincunx::tool
