// Diagnostics: budgets that are broken, at their function where it still stands in the text, and
// files that are not what was compiled.
#include "EditorAnswers.h"

#include "FileUri.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Budgets.h"

#include <filesystem>

namespace quincunx {

namespace {

/// Of the protocol.
enum class Severity { error = 1, warning = 2, information = 3, hint = 4 };

ordered_json lineRange(size_t line, size_t units) {
  return {{"start", {{"line", line}, {"character", 0}}},
          {"end", {{"line", line}, {"character", units}}}};
}

ordered_json diagnostic(ordered_json range, Severity severity, const char *code,
                        const std::string &message) {
  return {{"range", std::move(range)},
          {"severity", static_cast<int>(severity)},
          {"code", code},
          {"source", "quincunx"},
          {"message", message}};
}

std::string absolute(const std::string &path, const std::string &root) {
  return (std::filesystem::path(root) / path).lexically_normal().string();
}

/// Finds the places of diagnostics in texts.
class Places {
public:
  Places(const EditorCorpus &of, const std::map<std::string, OpenFile> &files,
         const std::string &folder, const TextReader &reader)
      : corpus(of), open(files), root(folder), disk(reader) {}

  struct Place {
    std::string uri; ///< empty: there is no such file
    ordered_json range;
  };
  /// A line of a source as it was compiled; the first one where it is gone, or the text another.
  Place inSource(const std::string &source, unsigned line) {
    for (const auto &[uri, file] : open)
      if (file.standing() != OpenFile::Standing::unknown && file.isOf(source))
        return {uri, rangeIn(file, line)};
    const auto [at, isNew] = read.try_emplace(source, "", "", "");
    if (isNew) {
      at->second = onDisk(source);
      at->second.compare(corpus.sources, root, disk);
    }
    return {at->second.uri, rangeIn(at->second, line)};
  }
  /// A line of a file that nobody compiled.
  Place inFile(const std::string &path, unsigned line) const {
    for (const auto &[uri, file] : open)
      if (file.path == absolute(path, root))
        return {uri, rangeOfLine(file.document, line)};
    const OpenFile file = onDisk(path);
    return {file.uri, rangeOfLine(file.document, line)};
  }

private:
  static ordered_json rangeOfLine(const Document &document, size_t line) {
    const size_t at = line > 0 && line <= document.size() ? line - 1 : 0;
    return lineRange(at, document.unitsOf(at));
  }
  static ordered_json rangeIn(const OpenFile &file, unsigned line) {
    const std::vector<size_t> lines = file.document.linesByNumber();
    const bool isThere = line > 0 && line < lines.size() && lines[line] != SIZE_MAX;
    return rangeOfLine(file.document, isThere ? lines[line] + 1 : 1);
  }
  OpenFile onDisk(const std::string &path) const {
    const std::string whole = absolute(path, root);
    const std::optional<std::string> text = disk(whole);
    return OpenFile(text ? uriOfPath(whole) : "", whole, text.value_or(""));
  }

  const EditorCorpus &corpus;
  const std::map<std::string, OpenFile> &open;
  const std::string &root;
  const TextReader &disk;
  std::map<std::string, OpenFile> read; ///< sources that are not open, by their path in the corpus
};

} // namespace

ordered_json staleDiagnosticsOf(const OpenFile &file) {
  ordered_json all = ordered_json::array();
  if (!file.isStale())
    return all;
  const bool isEdited = file.standing() == OpenFile::Standing::edited;
  all.push_back(diagnostic(
      lineRange(0, file.document.unitsOf(0)), Severity::hint, "stale",
      isEdited ? "changed since it was compiled: figures are of what was recorded, and stand at "
                 "lines that did not change; build and run again"
               : "changed since it was compiled, so that its lines are not those of the corpus; "
                 "build and run again"));
  return all;
}

std::map<std::string, ordered_json> budgetDiagnosticsOf(const EditorCorpus &corpus,
                                                        const std::map<std::string, OpenFile> &open,
                                                        const std::string &root,
                                                        const TextReader &disk) {
  Places places(corpus, open, root, disk);
  std::map<std::string, ordered_json> out;
  const auto add = [&](const Places::Place &place, Severity severity, const std::string &message,
                       const Places::Place &written) {
    if (place.uri.empty())
      return;
    ordered_json d = diagnostic(place.range, severity, "budget", message);
    if (!written.uri.empty()) {
      ordered_json related{{"location", {{"uri", written.uri}, {"range", written.range}}},
                           {"message", "the budget"}};
      d["relatedInformation"] = ordered_json::array({std::move(related)});
    }
    out[place.uri].push_back(std::move(d));
  };
  for (const CheckedBudget &b : corpus.budgets) {
    const Places::Place written = b.budget.file.empty() ? Places::Place{}
                                  : b.budget.isOfSource
                                      ? places.inSource(b.budget.file, b.budget.line)
                                      : places.inFile(b.budget.file, b.budget.line);
    Places::Place at;
    if (!b.budget.isOfSource && !b.functionFile.empty())
      at = places.inSource(b.functionFile, b.functionLine);
    const bool isAtFunction = !at.uri.empty();
    add(isAtFunction ? at : written, Severity::warning, sentenceOf(b),
        isAtFunction ? written : Places::Place{});
  }
  if (const auto &e = corpus.unasked; e && !e->file.empty())
    add(places.inFile(e->file, e->line), Severity::error,
        "budgets are not asked: " + printable(e->text), {});
  return out;
}

} // namespace quincunx
