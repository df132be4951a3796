// Answers about an open file in the terms of the protocol: code lenses, inlay hints, a hover,
// diagnostics.
#pragma once

#include "OpenFile.h"
#include "quincunx/report/EditorCorpus.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace quincunx {

using nlohmann::ordered_json;

/// Above each function of the file whose line is still there.
ordered_json lensesOf(const OpenFile &file, const EditorCorpus &corpus);
/// At the ends of hot lines from line `first` to `last`.
ordered_json hintsOf(const OpenFile &file, const FileFigures &figures, size_t first, size_t last);
/// Of the function that a word means or that begins on the line, and of the line; null: of neither.
/// `figures` may be null. `inMarkdown`: else as plain text.
ordered_json hoverOf(const OpenFile &file, const EditorCorpus &corpus, const FileFigures *figures,
                     const DocumentPosition &at, bool inMarkdown);

/// That the file is another one than was compiled; none where it is not.
ordered_json staleDiagnosticsOf(const OpenFile &file);
/// Diagnostics of budgets by the URI of the file that they are about. `open`: files that an editor
/// has, by URI; what is on disk is read where it is none of them. `root`: relative paths are below
/// it.
std::map<std::string, ordered_json> budgetDiagnosticsOf(const EditorCorpus &corpus,
                                                        const std::map<std::string, OpenFile> &open,
                                                        const std::string &root,
                                                        const TextReader &disk);

} // namespace quincunx
