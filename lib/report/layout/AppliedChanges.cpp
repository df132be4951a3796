#include "report/layout/AppliedChanges.h"

#include "quincunx/base/Text.h"

#include <ostream>

namespace quincunx {

void printChanges(const std::vector<AppliedChange> &changes, std::ostream &out) {
  for (const AppliedChange &c : changes)
    out << "  " << escape(c.change, mostSaid) << "\n      " << printable(c.effect) << "; "
        << printable(c.assumption) << "\n";
}

ordered_json toJson(const std::vector<AppliedChange> &changes) {
  ordered_json j = ordered_json::array();
  for (const AppliedChange &c : changes)
    j.push_back({{"change", c.change}, {"effect", c.effect}, {"assumption", c.assumption}});
  return j;
}

} // namespace quincunx
