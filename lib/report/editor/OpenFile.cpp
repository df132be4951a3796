// Compares texts with what was compiled, by MD5 as debug information has it. An editor may have had
// changes before it told us of the file: then the text on disk may still be the one that was
// compiled, and the editor's is an edit of it.
#include "OpenFile.h"

#include "quincunx/map/SourceFiles.h"

#include <algorithm>

namespace quincunx {

namespace {

/// Is `end` the last components of `path`, or all of it?
bool endsIn(std::string_view path, std::string_view end) {
  return !end.empty() && path.ends_with(end) &&
         (path.size() == end.size() || end.front() == '/' ||
          path[path.size() - end.size() - 1] == '/');
}

std::string_view below(std::string_view path, std::string_view root) {
  while (root.ends_with('/'))
    root.remove_suffix(1);
  return path.starts_with(root) && path.substr(root.size()).starts_with('/')
             ? path.substr(root.size() + 1)
             : path;
}

} // namespace

std::string sourceMeant(const std::string &path, const std::string &root, std::string_view text,
                        const std::vector<SourceFile> &sources) {
  const Result<std::string> found = matchSource(path, sources);
  if (path.empty() || !found)
    return "";
  std::string_view relative = *found; // as it was compiled, "../src/a.c" or "./a.c"
  while (relative.starts_with("./") || relative.starts_with("../"))
    relative.remove_prefix(relative.find('/') + 1);
  const bool isMeant = endsIn(*found, below(path, root)) ||
                       (!relative.starts_with('/') && endsIn(path, relative)) ||
                       versionOf(text, *found, sources);
  return isMeant ? *found : "";
}

void OpenFile::compare(const std::vector<SourceFile> &sources, const std::string &root,
                       const TextReader &disk) {
  isUnchecked = false;
  const std::string text = document.text();
  source = sourceMeant(path, root, text, sources);
  if (source.empty())
    return forget();
  const std::optional<SourceVersion> now = versionOf(text, source, sources);
  // A compiler that says nothing of texts is believed once: edits make the text another one.
  if (now && (!version || now->md5.front() != Md5{})) {
    version = now;
    return document.number(now->countsComments);
  }
  if (version && std::ranges::any_of(
                     sources, [&](const SourceFile &s) { return version->isOf(s.path, s.md5); }))
    return; // as before: an edit of what was compiled
  version.reset();
  document.forgetNumbers();
  const std::optional<std::string> saved = disk(path);
  if (!saved)
    return;
  version = versionOf(*saved, source, sources);
  if (!version)
    return;
  document = Document(*saved);
  document.number(version->countsComments);
  document.replaceAll(text);
}

void OpenFile::forget() {
  source.clear();
  version.reset();
  document.forgetNumbers();
}

OpenFile::Standing OpenFile::standing() const {
  return source.empty()        ? Standing::unknown
         : !version            ? Standing::changed
         : document.isEdited() ? Standing::edited
                               : Standing::current;
}

} // namespace quincunx
