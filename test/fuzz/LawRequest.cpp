// Requests to `quincunx law batch`, one line of JSON each. Whatever a line holds, its answer is one
// line of JSON: a reason, or figures that can be. Nothing is null but ends that are open,
// quantiles ascend with their probabilities, a distribution function with its places, and the
// same request has the same answer. Reference: docs/09-percentiles-and-bounds.md.
#include "Target.h"

#include "batch/Answer.h"

#include <cmath>

namespace quincunx::fuzz {

namespace {

using tool::Json;

bool hasNull(const Json &json) {
  if (json.is_null())
    return true;
  if (json.is_structured())
    for (const auto &part : json)
      if (hasNull(part))
        return true;
  return false;
}

/// Figures in `answer[key]` ascend where the numbers that were asked for in `request[key]` do, up
/// to rounding.
void judgeOrder(const Json &request, const Json &answer, const char *key) {
  if (!answer.contains(key))
    return;
  std::vector<std::pair<double, double>> points;
  for (size_t i = 0; i < answer[key].size(); ++i)
    points.emplace_back(*tool::numberIn(request[key][i], key), answer[key][i].get<double>());
  std::sort(points.begin(), points.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  for (size_t i = 1; i < points.size(); ++i) {
    const double a = points[i - 1].second, b = points[i].second;
    if (points[i - 1].first < points[i].first && b < a - 1e-9 * std::max(std::abs(a), std::abs(b)))
      wrong(std::string(key) + " do not ascend", answer.dump());
  }
}

void judgeFigures(const Json &request, Json answer) {
  if (answer.contains("bounds")) {
    for (const Json &range : answer["bounds"])
      if (!range[0].is_null() && !range[1].is_null() &&
          range[0].get<double>() > range[1].get<double>())
        wrong("a lower bound is above its upper one", answer.dump());
    answer.erase("bounds"); // whose ends may be open
  }
  if (hasNull(answer))
    wrong("a figure is not a number", answer.dump());
  judgeOrder(request, answer, "quantiles");
  judgeOrder(request, answer, "cdf");
  if (answer.contains("cdf"))
    for (const Json &p : answer["cdf"])
      if (p.get<double>() < 0 || p.get<double>() > 1)
        wrong("a probability is none", answer.dump());
}

void judge(const std::string &line) {
  const Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (request.is_discarded())
    return;
  const Result<tool::Answer> answer = tool::answer(request);
  judgeError(answer);
  if (!answer)
    return;
  judgeFigures(request, answer->json);
  if (tool::answer(request)->json != answer->json)
    wrong("another answer the second time", answer->json.dump());
}

// ---- changes

/// All values in `json`, itself first.
void collect(Json &json, std::vector<Json *> &out) {
  out.push_back(&json);
  if (json.is_structured())
    for (auto &part : json)
      collect(part, out);
}

Json otherNumber(const Json &old, Random &random) {
  static constexpr double numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       -1,
                                       0.5,
                                       0.999,
                                       1e-9,
                                       1e-300,
                                       5e-324,
                                       10,
                                       100,
                                       1000,
                                       1e6,
                                       1e9,
                                       1e15,
                                       9.007199254740992e15,
                                       1e18,
                                       1e77,
                                       1e154,
                                       1e300,
                                       1.7e308,
                                       -1e300,
                                       0.1,
                                       64};
  const double x = old.is_number() ? old.get<double>() : 1;
  switch (random.below(5)) {
  case 0:
    return -x;
  case 1:
    return std::nextafter(x, random.oneIn(2) ? 1e308 : -1e308);
  case 2:
    return x * static_cast<double>(1 + random.below(20)) / static_cast<double>(1 + random.below(9));
  default:
    return random.pick(numbers);
  }
}

std::string changed(const std::string &line, Random &random) {
  Json request = Json::parse(line, nullptr, false);
  if (request.is_discarded())
    return "";
  for (size_t n = 1 + random.below(3); n > 0; --n) {
    std::vector<Json *> all;
    collect(request, all);
    Json &one = *random.pick(all);
    const Json other = *random.pick(all);
    if (one.is_number() || random.oneIn(20))
      one = otherNumber(one, random);
    else if (one.is_array() && random.oneIn(2))
      one.push_back(one.empty() || random.oneIn(3) ? other : one[random.below(one.size())]);
    else if (one.is_array() && !one.empty())
      one.erase(random.below(one.size()));
    else if (random.oneIn(3))
      one = other;
  }
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

const Target target{judge, changed};

} // namespace quincunx::fuzz
