// See JsonText.h.
#include "quincunx/report/JsonText.h"

#include <algorithm>

namespace quincunx {

namespace {

/// The most brackets that are open at once; those in texts are none.
int mostOpen(std::string_view text) {
  int open = 0, most = 0;
  bool isText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\')
      ++i; // what follows is of the text
    else if (c == '"')
      isText = !isText;
    else if (!isText && (c == '[' || c == '{'))
      most = std::max(most, ++open);
    else if (!isText && (c == ']' || c == '}'))
      --open;
  }
  return most;
}

} // namespace

std::string jsonText(const nlohmann::ordered_json &j, int indent) {
  return j.dump(indent, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

std::string schemaOf(const std::string &kind) { return "quincunx/" + kind + "/1"; }

Result<nlohmann::ordered_json> parseJson(std::string_view text, int deepest) {
  if (mostOpen(text) > deepest)
    return Error{"nested too deeply"};
  nlohmann::ordered_json document =
      nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded())
    return Error{"not JSON"};
  return document;
}

} // namespace quincunx
