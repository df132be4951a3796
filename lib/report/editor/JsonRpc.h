// Messages of JSON-RPC 2.0, as the protocol has them. Reference: www.jsonrpc.org/specification.
#pragma once

#include "Document.h"
#include "quincunx/base/Result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace quincunx {

using nlohmann::ordered_json;

/// Of JSON-RPC, and of the protocol.
enum class RpcCode {
  parseError = -32700,
  invalidRequest = -32600,
  methodNotFound = -32601,
  invalidParams = -32602,
  notInitialized = -32002,
  cancelled = -32800
};

ordered_json rpcResult(const ordered_json &id, ordered_json result);
ordered_json rpcError(const ordered_json &id, RpcCode code, const std::string &why);
ordered_json rpcNotification(const char *method, ordered_json params);

/// What `path` leads to, from object to object; null where nothing is there.
const ordered_json &within(const ordered_json &json, const std::vector<const char *> &path);
/// The text there; an error that names the place.
Result<std::string> textWithin(const ordered_json &json, const std::vector<const char *> &path);
Result<DocumentPosition> positionWithin(const ordered_json &json,
                                        const std::vector<const char *> &path);

} // namespace quincunx
