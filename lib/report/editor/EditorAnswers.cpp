// Puts what is known of functions and lines where they stand in the text that an editor has. What
// no longer stands there is left out, and where the text is another one than was compiled, it is
// said at each figure.
#include "EditorAnswers.h"

#include "EditorText.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cctype>

namespace quincunx {

namespace {

/// Functions on one line (instances of a template) that have a lens, or a part of the hover.
constexpr size_t mostOnLine = 3;

const char *staleMark(const OpenFile &file) { return file.isStale() ? " · stale" : ""; }

ordered_json positionOf(size_t line, size_t character) {
  return {{"line", line}, {"character", character}};
}

ordered_json rangeOf(size_t line, size_t from, size_t to) {
  return {{"start", positionOf(line, from)}, {"end", positionOf(line, to)}};
}

/// Functions by the line of the text that they begin on, the costliest first.
std::map<size_t, std::vector<const FunctionFigures *>> startsOf(const OpenFile &file,
                                                                const EditorCorpus &corpus) {
  std::map<size_t, std::vector<const FunctionFigures *>> out;
  if (!file.compiled())
    return out;
  const std::vector<size_t> lines = file.document.linesByNumber();
  for (const FunctionFigures *f : functionsIn(corpus.observed, *file.compiled()))
    if (f->line > 0 && f->line < lines.size() && lines[f->line] != SIZE_MAX)
      out[lines[f->line]].push_back(f);
  for (auto &[line, functions] : out)
    std::ranges::stable_sort(functions, std::greater(), [](const FunctionFigures *f) {
      return f->total ? f->total->cost.moments.mean : f->cost.moments.mean;
    });
  return out;
}

ordered_json lensOf(size_t line, const std::string &title) {
  return {{"range", rangeOf(line, 0, 0)}, {"command", {{"title", title}, {"command", ""}}}};
}

bool isPartOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}

/// A word of a line, in bytes.
struct Word {
  size_t from = 0, to = 0;
  std::string text;
};

Word wordAt(const Document &document, const DocumentPosition &at) {
  const std::string_view line = document.line(at.line);
  Word word;
  word.from = word.to = document.byteAt(at);
  while (word.from > 0 && isPartOfWord(line[word.from - 1]))
    --word.from;
  while (word.to < line.size() && isPartOfWord(line[word.to]))
    ++word.to;
  word.text = line.substr(word.from, word.to - word.from);
  return word;
}

/// Is it called there, or an argument of a template behind it?
bool isApplied(std::string_view line, const Word &word) {
  const size_t next = line.find_first_not_of(" \t", word.to);
  return next != std::string_view::npos && (line[next] == '(' || line[next] == '<');
}

using Functions = std::vector<const FunctionFigures *>;

/// Those that the word means; on the line of a function that one, whatever the word is.
Functions meantAt(const OpenFile &file, const EditorCorpus &corpus, size_t line, const Word &word) {
  const auto starts = startsOf(file, corpus);
  const auto here = starts.find(line);
  Functions functions = word.text.empty() ? Functions{} : corpus.called(word.text);
  const auto isHere = [&](const FunctionFigures *f) {
    return here != starts.end() && std::ranges::find(here->second, f) != here->second.end();
  };
  if (std::ranges::any_of(functions, isHere))
    std::erase_if(functions, [&](const auto *f) { return !isHere(f); });
  else if (!isApplied(file.document.line(line), word))
    functions.clear();
  if (functions.empty() && here != starts.end())
    functions = here->second;
  const auto isOfFile = [&](const FunctionFigures *f) {
    return file.compiled() && f->file == file.compiled()->path;
  };
  std::ranges::stable_sort(functions, std::greater(), isOfFile);
  return functions;
}

/// In a block that no text can end.
std::string fenced(const std::string &text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos)
    fence += '`';
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

} // namespace

ordered_json lensesOf(const OpenFile &file, const EditorCorpus &corpus) {
  ordered_json lenses = ordered_json::array();
  for (const auto &[line, functions] : startsOf(file, corpus)) {
    for (size_t i = 0; i < std::min(mostOnLine, functions.size()); ++i) {
      const std::string name = functions.size() > 1 ? nameOf(*functions[i], corpus) + ": " : "";
      lenses.push_back(
          lensOf(line, name + lensText(*functions[i], corpus.observed) + staleMark(file)));
    }
    if (functions.size() > mostOnLine)
      lenses.push_back(
          lensOf(line, "and " + std::to_string(functions.size() - mostOnLine) + " more functions"));
  }
  return lenses;
}

ordered_json hintsOf(const OpenFile &file, const FileFigures &figures, size_t first, size_t last) {
  ordered_json hints = ordered_json::array();
  for (size_t line = first; line <= last && line < file.document.size(); ++line) {
    const auto found = figures.find(file.document.numberOf(line));
    if (found == figures.end() || !(found->second.share >= hotShare))
      continue;
    hints.push_back({{"position", positionOf(line, file.document.unitsOf(line))},
                     {"label", hintText(found->second) + staleMark(file)},
                     {"paddingLeft", true},
                     {"tooltip", lineText(found->second)}});
  }
  return hints;
}

ordered_json hoverOf(const OpenFile &file, const EditorCorpus &corpus, const FileFigures *figures,
                     const DocumentPosition &at, bool inMarkdown) {
  if (at.line >= file.document.size())
    return nullptr;
  const Word word = wordAt(file.document, at);
  std::string text;
  const Functions functions = meantAt(file, corpus, at.line, word);
  for (size_t i = 0; i < std::min(mostOnLine, functions.size()); ++i)
    text += (i > 0 ? "\n" : "") + functionText(*functions[i], corpus);
  const uint32_t number = file.document.numberOf(at.line);
  if (figures && figures->contains(number))
    text += (text.empty() ? "line " : "\nline ") + std::to_string(at.line + 1) + " is " +
            lineText(figures->at(number)) + "\n";
  if (text.empty())
    return nullptr;
  if (file.isStale())
    text += "stale: of what was recorded, before this file changed\n";
  return {{"contents",
           {{"kind", inMarkdown ? "markdown" : "plaintext"},
            {"value", inMarkdown ? fenced(text) : text}}}};
}

} // namespace quincunx
