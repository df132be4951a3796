// See JsonText.h.
#include "quincunx/report/JsonText.h"

namespace quincunx {

std::string jsonText(const nlohmann::ordered_json &j, int indent) {
  return j.dump(indent, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

} // namespace quincunx
