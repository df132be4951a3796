// Headings, names and notes, as in all reports for people.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace quincunx {

std::string heading(const std::string &text, const Display &display);
/// Words in lines as wide as the reader's, the first one behind `used` columns that stand there,
/// each further one behind `further`; and the end of the line.
void printWrapped(const std::string &text, const Display &display, std::ostream &out,
                  size_t used = 0, const std::string &further = "");
/// A line that begins with a heading, and goes on with `rest`.
void printHeading(const std::string &text, const std::string &rest, const Display &display,
                  std::ostream &out);

/// The name of a function or of a group; functions of one name are told
/// apart by their place, and builds by their map.
class Labels {
public:
  Labels(const std::vector<FunctionFigures> &functions, const std::vector<ImageFigures> &loaded,
         const Display &display, const std::vector<FunctionFigures> &groups = {});
  std::string of(const FunctionFigures &f) const;

private:
  const std::vector<ImageFigures> &images;
  const Display &display;
  std::map<std::string, int> seen;
};

/// What unattributedName, which JSON has, is in tables.
constexpr const char *outsideFunctions = "(outside functions)";
/// What a group is called; of instances of a template, with how many it is of.
std::string groupName(const FunctionFigures &group);
/// The function as it is called, or all that have one row.
std::string rowName(const FunctionFigures &f, const Display &display);
/// That only some of `all` rows were shown; `what` they are, in the plural, and `why` not.
void printRest(size_t shown, size_t all, const char *what, std::ostream &out, const char *why = "");
void printNotes(const std::vector<Note> &notes, std::ostream &out);
/// "300 runs, 2 of them stopped; 1 left out".
std::string runsLine(const Observed &o);

} // namespace quincunx
