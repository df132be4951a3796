#include "report/layout/AppliedChanges.h"

#include "Sections.h"
#include "quincunx/base/Text.h"

#include <ostream>

namespace quincunx {

void printChanges(const std::vector<AppliedChange> &changes, const Display &display,
                  std::ostream &out) {
  const std::string blank(6, ' ');
  for (const AppliedChange &c : changes) {
    out << "  " << escape(c.change, mostSaid) << "\n" << blank;
    printWrapped(printable(c.effect) + "; " + printable(c.assumption), display, out, blank.size(),
                 blank);
  }
}

ordered_json toJson(const std::vector<AppliedChange> &changes) {
  ordered_json j = ordered_json::array();
  for (const AppliedChange &c : changes)
    j.push_back({{"change", c.change}, {"effect", c.effect}, {"assumption", c.assumption}});
  return j;
}

} // namespace quincunx
