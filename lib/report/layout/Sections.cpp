// Prints headings, names and notes of the reports for people. Every name is escaped, since a corpus
// may come from a stranger. It prints no figures.
#include "Sections.h"

#include "quincunx/base/Text.h"

#include <ostream>

namespace quincunx {

std::string heading(const std::string &text, const Display &display) {
  return display.colour ? "\033[1m" + text + "\033[0m" : text;
}

void printWrapped(const std::string &text, const Display &display, std::ostream &out, size_t used,
                  const std::string &further) {
  bool isFirst = true;
  for (const std::string_view word : fields(text, ' ')) {
    const size_t wide = columns(word);
    if (!isFirst && display.width != 0 && used + 1 + wide > display.width) {
      out << "\n" << further;
      used = columns(further);
    } else if (!isFirst) {
      out << ' ';
      ++used;
    }
    out << word;
    used += wide;
    isFirst = false;
  }
  out << "\n";
}

void printHeading(const std::string &text, const std::string &rest, const Display &display,
                  std::ostream &out) {
  out << heading(text, display);
  printWrapped(rest, display, out, columns(text));
}

Labels::Labels(const std::vector<FunctionFigures> &functions,
               const std::vector<ImageFigures> &loaded, const Display &on,
               const std::vector<FunctionFigures> &groups)
    : images(loaded), display(on) {
  for (const auto *list : {&functions, &groups})
    for (const FunctionFigures &f : *list)
      ++seen[f.name];
}

std::string groupName(const FunctionFigures &group) {
  if (group.isForeign)
    return "(" + escape(group.name) + ")";
  return escape(group.name) + " (" + std::to_string(group.members.size()) + " instances)";
}

std::string rowName(const FunctionFigures &f, const Display &display) {
  return f.members.empty() ? display.function(f.name) : groupName(f);
}

std::string Labels::of(const FunctionFigures &f) const {
  if (f.name == unattributedName)
    return outsideFunctions;
  std::string s = rowName(f, display);
  if (seen.at(f.name) < 2)
    return s;
  if (!f.file.empty() && f.members.empty())
    s += " (" + escape(fileName(f.file)) + ":" + std::to_string(f.line) + ")";
  if (f.image >= images.size())
    return s;
  const ImageFigures &image = images[f.image];
  s += " [" + escape(fileName(image.path));
  if (image.oneOfMany)
    s += " " + hex(image.map).substr(0, 8) + ", " + std::to_string(image.runs) + " runs";
  return s + "]";
}

void printRest(size_t shown, size_t all, const char *what, std::ostream &out, const char *why) {
  if (shown < all)
    out << "(" << all - shown << " more of " << all << " " << what << why
        << ": --top 0 shows all)\n";
}

void printNotes(const std::vector<Note> &notes, std::ostream &out) {
  for (const Note &n : notes)
    out << "note: " << printable(n.text) << "\n";
}

std::string runsLine(const Observed &o) {
  if (!o.request.empty())
    return std::to_string(o.used()) + " of " + std::to_string(o.ended) +
           (o.ended == 1 ? " request" : " requests");
  std::string s = std::to_string(o.used()) + (o.used() == 1 ? " run" : " runs");
  if (o.censored != 0)
    s += ", " + std::to_string(o.censored) + " of them stopped";
  if (o.crashed + o.unrecorded != 0)
    s += "; " + std::to_string(o.crashed + o.unrecorded) + " left out";
  return s;
}

} // namespace quincunx
