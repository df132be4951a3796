// See WatchedCorpus.h. Nothing is opened: a reader that stays would keep a writer from putting its
// log away.
#include "WatchedCorpus.h"

#include "arguments/BudgetQuestion.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> corporaIn(const std::string &folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".qx" && at->is_regular_file(error))
      found.push_back(at->path().string());
  std::ranges::sort(found);
  return found;
}

} // namespace

Result<std::string> corpusOf(const std::string &named, const LanguageServer::Workspace &workspace) {
  if (!named.empty())
    return named;
  if (!workspace.corpus.empty())
    return (fs::path(workspace.root) / workspace.corpus).string();
  const std::vector<std::string> all = corporaIn(workspace.root);
  if (all.size() == 1)
    return all.front();
  std::string several;
  for (size_t i = 0; i < std::min<size_t>(all.size(), 3); ++i)
    several += (i == 0 ? "" : ", ") + escape(fileName(all[i]));
  return Error{(all.empty() ? "no corpus (*.qx) in "
                            : std::to_string(all.size()) + " corpora (" + several +
                                  (all.size() > 3 ? ", ..." : "") + ") in ") +
               escape(workspace.root) +
               ": name one, as `quincunx lsp prog.qx` or in initializationOptions, "
               "{\"corpus\": \"prog.qx\"}"};
}

FileState stateOf(const std::string &corpus, const std::string &root) {
  FileState state;
  for (const std::string &path :
       {corpus, corpus + "-wal", (fs::path(root) / usualBudgets).string()}) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || info.st_size == 0)
      state.insert(state.end(), 4, 0); // an empty log is that of a reader
    else
      state.insert(state.end(), {info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size,
                                 static_cast<int64_t>(info.st_ino)});
  }
  return state;
}

} // namespace quincunx::tool
