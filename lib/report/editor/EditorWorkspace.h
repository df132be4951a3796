// The files that are open in an editor, what is known of them, and answers about them.
#pragma once

#include "JsonRpc.h"
#include "OpenFile.h"
#include "quincunx/report/EditorCorpus.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

class EditorWorkspace {
public:
  /// `folder`: the root, of relative paths. `markdown`: hovers may be that.
  EditorWorkspace(std::string folder, bool markdown, TextReader reader)
      : root(std::move(folder)), readsMarkdown(markdown), disk(std::move(reader)) {}

  /// Notifications of the protocol, by their parameters.
  Status open(const ordered_json &params);
  Status change(const ordered_json &params);
  Status close(const ordered_json &params);

  /// The answer to a request, an error, or none: it is not known yet.
  using Answer = std::optional<Result<ordered_json>>;
  using Question = Answer (EditorWorkspace::*)(const OpenFile &, const ordered_json &params) const;
  /// Null: there is no such method.
  static Question questionOf(const std::string &method);
  Answer answer(Question question, const ordered_json &params) const;

  /// By URI; empty lists are left out.
  std::map<std::string, ordered_json> diagnostics() const;

  /// Sets what is known from now on; of lines also by themselves.
  void take(std::shared_ptr<const EditorCorpus> read, std::map<SourceVersion, FileFigures> figures);
  void take(const SourceVersion &version, FileFigures figures);
  /// There will be no corpus for now.
  void takeNone() { isReading = false; }
  /// Looks whether edited texts are what was compiled; true where some are that now, or no longer.
  bool check();
  bool wantsCheck() const;
  std::vector<SourceVersion> openSources() const;
  bool knowsLines(const SourceVersion &version) const { return lines.contains(version); }

private:
  Answer lenses(const OpenFile &file, const ordered_json &params) const;
  Answer hints(const OpenFile &file, const ordered_json &params) const;
  Answer hover(const OpenFile &file, const ordered_json &params) const;
  const FileFigures *linesOf(const OpenFile &file) const;
  /// They are being read.
  bool awaitsLines(const OpenFile &file) const { return file.compiled() && !linesOf(file); }
  void compare(OpenFile &file);

  std::string root;
  bool readsMarkdown, isReading = true; ///< for the first time
  TextReader disk;
  std::map<std::string, OpenFile> files; ///< by URI
  std::shared_ptr<const EditorCorpus> corpus;
  std::map<SourceVersion, FileFigures> lines;
};

} // namespace quincunx
