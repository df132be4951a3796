// Reads fields of a request and checks them. The idea: a reason is one line that names the field,
// so that a program that sends many requests can be mended from the answers alone.
#include "JsonRequest.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace quincunx::tool {

namespace {

Result<const Json *> field(const Json &request, const char *key) {
  if (!request.is_object())
    return Error{"a request is a JSON object"};
  const auto at = request.find(key);
  if (at == request.end() || at->is_null())
    return Error{std::string("the request has no \"") + key + "\""};
  return &*at;
}

std::string quoted(const char *key) { return std::string("\"") + key + "\""; }

} // namespace

Result<Json> parseRequest(const std::string &line) {
  constexpr int deepest = 16;
  return parseJson(line, deepest);
}

Result<double> numberIn(const Json &value, const std::string &what) {
  double x = 0;
  if (value.is_number())
    x = value.get<double>();
  else if (!value.is_string() || !parseNumber(value.get<std::string>(), x))
    return Error{what + " is not a number"};
  if (!std::isfinite(x))
    return Error{what + " is not finite"};
  return x;
}

Result<std::vector<double>> numbersIn(const Json &request, const char *key, size_t count) {
  const Result<const Json *> value = field(request, key);
  if (!value)
    return value.error();
  if (!(*value)->is_array())
    return Error{quoted(key) + " is not a list of numbers"};
  std::vector<double> out;
  for (const Json &one : **value) {
    const Result<double> x =
        numberIn(one, "number " + std::to_string(out.size() + 1) + " of " + quoted(key));
    if (!x)
      return x.error();
    out.push_back(*x);
  }
  if (count != 0 && out.size() != count)
    return Error{quoted(key) + " has " + std::to_string(out.size()) + " numbers, not " +
                 std::to_string(count)};
  return out;
}

Result<std::vector<double>> optionalNumbers(const Json &request, const char *key) {
  return field(request, key) ? numbersIn(request, key) : std::vector<double>{};
}

Result<uint64_t> countIn(const Json &request, const char *key, uint64_t low) {
  const Result<const Json *> value = field(request, key);
  if (!value)
    return value.error();
  const Result<double> x = numberIn(**value, quoted(key));
  if (!x)
    return x.error();
  if (*x != std::floor(*x) || *x < static_cast<double>(low) || *x > 9007199254740992.0)
    return Error{quoted(key) + " is not a whole number from " + std::to_string(low) + " on"};
  return static_cast<uint64_t>(*x);
}

Result<std::string> textIn(const Json &request, const char *key, const char *otherwise) {
  const Result<const Json *> value = field(request, key);
  if (!value && otherwise != nullptr)
    return std::string(otherwise);
  if (!value)
    return value.error();
  if (!(*value)->is_string())
    return Error{quoted(key) + " is not text"};
  return (*value)->get<std::string>();
}

Result<Cumulants> cumulantsIn(const Json &request, const char *key) {
  const Result<std::vector<double>> k = numbersIn(request, key, 4);
  if (!k)
    return k.error();
  if ((*k)[1] < 0)
    return Error{quoted(key) + " has a negative variance"};
  return Cumulants{(*k)[0], (*k)[1], (*k)[2], (*k)[3]};
}

Result<Moments> momentsIn(const Json &request) {
  const Result<std::vector<double>> v = numbersIn(request, "moments", 4);
  if (!v)
    return v.error();
  const Moments m{(*v)[0], (*v)[1], (*v)[2], (*v)[3]};
  if (m.variance < 0)
    return Error{"the variance is negative"};
  const std::optional<Moments> possible = admissibleAsPrinted(m);
  if (!possible)
    return Error{"no law has these moments: kurtosis is at least 1 + skewness^2, and a variance of "
                 "0 goes with a skewness of 0"};
  return *possible;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json list(const Cumulants &k) { return {number(k.k1), number(k.k2), number(k.k3), number(k.k4)}; }
Json list(const Moments &m) {
  return {number(m.mean), number(m.variance), number(m.skewness), number(m.kurtosis)};
}
Json list(const RawMoments &m) { return {number(m.m1), number(m.m2), number(m.m3), number(m.m4)}; }

} // namespace quincunx::tool
