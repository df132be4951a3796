// See JsonRpc.h. What clients send is looked at field by field: nothing in it is taken for granted.
#include "JsonRpc.h"

#include "quincunx/base/Text.h"

namespace quincunx {

ordered_json rpcResult(const ordered_json &id, ordered_json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

ordered_json rpcError(const ordered_json &id, RpcCode code, const std::string &why) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", static_cast<int>(code)}, {"message", printable(why)}}}};
}

ordered_json rpcNotification(const char *method, ordered_json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

const ordered_json &within(const ordered_json &json, const std::vector<const char *> &path) {
  static const ordered_json none;
  const ordered_json *at = &json;
  for (const char *key : path) {
    if (!at->is_object())
      return none;
    const auto found = at->find(key);
    if (found == at->end())
      return none;
    at = &*found;
  }
  return *at;
}

namespace {

std::string called(const std::vector<const char *> &path) {
  std::string name;
  for (const char *key : path)
    name.append(name.empty() ? "" : ".").append(key);
  return name;
}

} // namespace

Result<std::string> textWithin(const ordered_json &json, const std::vector<const char *> &path) {
  const ordered_json &text = within(json, path);
  if (!text.is_string())
    return Error{called(path) + " is not a text"};
  return text.get<std::string>();
}

Result<DocumentPosition> positionWithin(const ordered_json &json,
                                        const std::vector<const char *> &path) {
  const ordered_json &position = within(json, path);
  const ordered_json &line = within(position, {"line"}),
                     &character = within(position, {"character"});
  if (!line.is_number_unsigned() || !character.is_number_unsigned())
    return Error{called(path) + " is not a position"};
  return DocumentPosition{line.get<size_t>(), character.get<size_t>()};
}

} // namespace quincunx
