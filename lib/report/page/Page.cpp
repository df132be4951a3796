// A page from its parts. The idea: share/page says how it looks, and all that is known is one JSON
// document in it; what strangers named is data there, and never markup.
#include "quincunx/report/Page.h"

#include "ComparisonPage.h"
#include "PageDocument.h"
#include "PageParts.h"
#include "quincunx/report/JsonText.h"

#include <ostream>

namespace quincunx {

namespace {

/// Nothing in it ends the element of the page that holds it.
std::string embedded(const ordered_json &document) {
  std::string text;
  for (const char c : jsonText(document, -1))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

void print(const ordered_json &document, std::ostream &out) {
  const std::string data = embedded(document);
  std::string_view rest = pageHtml;
  for (;;) {
    const size_t at = rest.find('@'), end = rest.find('@', at + 1);
    out << rest.substr(0, at);
    if (at == rest.npos)
      return;
    const std::string_view part = rest.substr(at + 1, end - at - 1);
    out << (part == "style"     ? pageStyle
            : part == "library" ? pageLibrary
            : part == "script"  ? pageScript
                                : std::string_view(data));
    rest.remove_prefix(end + 1);
  }
}

} // namespace

void printPage(const Page &page, const std::string &version, std::ostream &out) {
  print(pageDocument(page, version), out);
}

void printComparisonPage(const Comparison &comparison, const ComparedNames &names,
                         const Display &display, const std::string &version, std::ostream &out) {
  print(comparisonPageDocument(comparison, names, display, version), out);
}

} // namespace quincunx
