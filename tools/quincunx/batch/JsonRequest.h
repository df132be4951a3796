// Reading a JSON request field by field: each function gives the value or a reason that names the
// field. It knows no operations.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace quincunx::tool {

using Json = nlohmann::ordered_json;

/// The request that a line is; none is nested deeper than they are, as each level takes memory.
Result<Json> parseRequest(const std::string &line);
/// A finite number; `what` names it in the reason. Text that is a number will do.
Result<double> numberIn(const Json &value, const std::string &what);
/// A list of finite numbers; exactly `count` of them unless it is 0.
Result<std::vector<double>> numbersIn(const Json &request, const char *key, size_t count = 0);
/// Reads such a list too; an empty one where the request has no such field.
Result<std::vector<double>> optionalNumbers(const Json &request, const char *key);
/// A whole number from `low` to 2^53.
Result<uint64_t> countIn(const Json &request, const char *key, uint64_t low);
Result<std::string> textIn(const Json &request, const char *key, const char *otherwise = nullptr);

/// [k1, k2, k3, k4] of some law, as far as the first two can tell: k2 >= 0.
Result<Cumulants> cumulantsIn(const Json &request, const char *key);
/// [mean, variance, skewness, kurtosis] that some law has.
Result<Moments> momentsIn(const Json &request);

Json list(const Cumulants &k);
Json list(const Moments &m);
Json list(const RawMoments &m);
/// null where a number is not finite, as JSON has no infinities.
Json number(double x);

} // namespace quincunx::tool
