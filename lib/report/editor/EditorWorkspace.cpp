// See EditorWorkspace.h. What clients send is checked field by field.
#include "EditorWorkspace.h"

#include "EditorAnswers.h"
#include "FileUri.h"

#include <algorithm>
#include <set>
#include <utility>

namespace quincunx {

// ---- notifications

Status EditorWorkspace::open(const ordered_json &params) {
  const Result<std::string> uri = textWithin(params, {"textDocument", "uri"}),
                            text = textWithin(params, {"textDocument", "text"});
  if (!uri || !text)
    return uri ? text.error() : uri.error();
  files.erase(*uri);
  compare(files.try_emplace(*uri, *uri, pathOfUri(*uri).value_or(""), *text).first->second);
  return Done{};
}

namespace {

Status applyChange(Document &document, const ordered_json &change) {
  const Result<std::string> text = textWithin(change, {"text"});
  if (!text)
    return text.error();
  if (within(change, {"range"}).is_null()) {
    document.replaceAll(*text);
    return Done{};
  }
  const Result<DocumentPosition> from = positionWithin(change, {"range", "start"}),
                                 to = positionWithin(change, {"range", "end"});
  if (!from || !to)
    return from ? to.error() : from.error();
  document.replace(*from, *to, *text);
  return Done{};
}

} // namespace

Status EditorWorkspace::change(const ordered_json &params) {
  const Result<std::string> uri = textWithin(params, {"textDocument", "uri"});
  if (!uri)
    return uri.error();
  const auto file = files.find(*uri);
  const ordered_json &changes = within(params, {"contentChanges"});
  if (file == files.end() || !changes.is_array())
    return Error{file == files.end() ? "it is not open" : "contentChanges is not a list", *uri};
  file->second.isUnchecked = true;
  for (const ordered_json &one : changes)
    if (const Status s = applyChange(file->second.document, one); !s)
      return s;
  return Done{};
}

Status EditorWorkspace::close(const ordered_json &params) {
  const Result<std::string> uri = textWithin(params, {"textDocument", "uri"});
  if (!uri)
    return uri.error();
  files.erase(*uri);
  return Done{};
}

// ---- requests

EditorWorkspace::Question EditorWorkspace::questionOf(const std::string &method) {
  static const std::map<std::string, Question> all{
      {"textDocument/codeLens", &EditorWorkspace::lenses},
      {"textDocument/inlayHint", &EditorWorkspace::hints},
      {"textDocument/hover", &EditorWorkspace::hover}};
  const auto found = all.find(method);
  return found == all.end() ? nullptr : found->second;
}

EditorWorkspace::Answer EditorWorkspace::answer(Question question,
                                                const ordered_json &params) const {
  const Result<std::string> uri = textWithin(params, {"textDocument", "uri"});
  if (!uri)
    return uri.error();
  const auto file = files.find(*uri);
  if (file == files.end())
    return Result<ordered_json>(Error{"it is not open", *uri});
  if (!corpus && isReading)
    return std::nullopt;
  return (this->*question)(file->second, params);
}

const FileFigures *EditorWorkspace::linesOf(const OpenFile &file) const {
  const auto found = file.compiled() ? lines.find(*file.compiled()) : lines.end();
  return found == lines.end() ? nullptr : &found->second;
}

EditorWorkspace::Answer EditorWorkspace::lenses(const OpenFile &file, const ordered_json &) const {
  return Result<ordered_json>(corpus ? lensesOf(file, *corpus) : ordered_json::array());
}

EditorWorkspace::Answer EditorWorkspace::hints(const OpenFile &file,
                                               const ordered_json &params) const {
  const Result<DocumentPosition> first = positionWithin(params, {"range", "start"}),
                                 last = positionWithin(params, {"range", "end"});
  if (!first || !last)
    return first ? last.error() : first.error();
  if (awaitsLines(file))
    return std::nullopt;
  const FileFigures *figures = linesOf(file);
  return Result<ordered_json>(figures ? hintsOf(file, *figures, first->line, last->line)
                                      : ordered_json::array());
}

EditorWorkspace::Answer EditorWorkspace::hover(const OpenFile &file,
                                               const ordered_json &params) const {
  const Result<DocumentPosition> at = positionWithin(params, {"position"});
  if (!at)
    return at.error();
  ordered_json text =
      corpus ? hoverOf(file, *corpus, linesOf(file), *at, readsMarkdown) : ordered_json();
  if (text.is_null() && awaitsLines(file))
    return std::nullopt;
  return Result<ordered_json>(std::move(text));
}

// ---- what is known

std::map<std::string, ordered_json> EditorWorkspace::diagnostics() const {
  std::map<std::string, ordered_json> all;
  if (corpus)
    all = budgetDiagnosticsOf(*corpus, files, root, disk);
  for (const auto &[uri, file] : files)
    for (ordered_json &d : staleDiagnosticsOf(file))
      all[uri].push_back(std::move(d));
  return all;
}

void EditorWorkspace::take(std::shared_ptr<const EditorCorpus> read,
                           std::map<SourceVersion, FileFigures> figures) {
  corpus = std::move(read);
  lines = std::move(figures);
  isReading = false;
  for (auto &[uri, file] : files)
    compare(file);
}

void EditorWorkspace::take(const SourceVersion &version, FileFigures figures) {
  lines.insert_or_assign(version, std::move(figures));
}

void EditorWorkspace::compare(OpenFile &file) {
  if (corpus)
    file.compare(corpus->sources, root, disk);
  file.isUnchecked = false;
}

bool EditorWorkspace::wantsCheck() const {
  return std::ranges::any_of(files, [](const auto &f) { return f.second.isUnchecked; });
}

bool EditorWorkspace::check() {
  bool isOther = false;
  for (auto &[uri, file] : files)
    if (file.isUnchecked) {
      const OpenFile::Standing was = file.standing();
      if (was != OpenFile::Standing::edited || file.document.mayBeAsNumbered())
        compare(file);
      file.isUnchecked = false;
      isOther |= was != file.standing();
    }
  return isOther;
}

std::vector<SourceVersion> EditorWorkspace::openSources() const {
  std::set<SourceVersion> all;
  for (const auto &[uri, file] : files)
    if (file.compiled())
      all.insert(*file.compiled());
  return {all.begin(), all.end()};
}

} // namespace quincunx
