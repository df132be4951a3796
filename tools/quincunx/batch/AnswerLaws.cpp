// Answers requests about laws: fit, join, skeleton. What is fitted, joined and bounded is
// lib/dist's and lib/cost's; here are the names of their arguments, and what every answer about a
// law says of it.
#include "Answer.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Join.h"
#include "quincunx/cost/Skeleton.h"
#include "quincunx/dist/Bounds.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Fit.h"
#include "quincunx/dist/Mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::tool {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

Result<std::vector<double>> probabilitiesIn(const Json &request, const char *key) {
  Result<std::vector<double>> p = optionalNumbers(request, key);
  if (p)
    for (const double one : *p)
      if (!(one > 0 && one < 1))
        return Error{std::string("a probability in \"") + key + "\" is not between 0 and 1"};
  return p;
}

/// [low, high]; null is an open end.
Result<Range> supportIn(const Json &request) {
  Range range{-inf, inf};
  if (!request.contains("support") || request["support"].is_null())
    return range;
  const Json &s = request["support"];
  if (!s.is_array() || s.size() != 2)
    return Error{"\"support\" is not [low, high]"};
  double *const ends[] = {&range.low, &range.high};
  for (size_t i = 0; i < 2; ++i) {
    if (s[i].is_null())
      continue;
    const Result<double> end = numberIn(s[i], "an end of \"support\"");
    if (!end)
      return end.error();
    *ends[i] = *end;
  }
  if (!(range.low < range.high))
    return Error{"\"support\" is empty"};
  return range;
}

/// False where the request does not have it.
Result<bool> flagIn(const Json &request, const char *key) {
  if (!request.contains(key))
    return false;
  if (!request[key].is_boolean())
    return Error{std::string("\"") + key + "\" is not true or false"};
  return request[key].get<bool>();
}

/// Sharp where one end of the support is open; where both are finite, what holds for each alone. An
/// end that is a million deviations from the mean says nothing that rounding would leave.
/// `bounds` is quantileBounds or unimodalQuantileBounds.
Result<Range> boundsOn(const Moments &m, double p, const Range &support,
                       decltype(&quantileBounds) bounds) {
  const double far = 1e6 * m.deviation();
  const bool hasLow = m.mean - support.low <= far, hasHigh = support.high - m.mean <= far;
  Range out = support;
  const auto narrow = [&out](double low, double high) {
    out = {std::max(out.low, low), std::min(out.high, high)};
  };
  if (!hasLow && !hasHigh) {
    const Result<Range> b = bounds(m, p, Where::line);
    if (!b)
      return b.error();
    narrow(b->low, b->high);
  }
  if (hasLow) { // T - low >= 0
    const Moments shifted{m.mean - support.low, m.variance, m.skewness, m.kurtosis};
    const Result<Range> b = bounds(shifted, p, Where::notNegative);
    if (!b)
      return b.error();
    narrow(support.low + b->low, support.low + b->high);
  }
  if (hasHigh) { // high - T >= 0
    const Moments mirrored{support.high - m.mean, m.variance, -m.skewness, m.kurtosis};
    const Result<Range> b = bounds(mirrored, 1 - p, Where::notNegative);
    if (!b)
      return b.error();
    narrow(support.high - b->high, support.high - b->low);
  }
  return out;
}

/// Quantiles and cdf of a law, where the request asks for them.
Status describe(const Json &request, const Distribution &law, Json &out) {
  const Result<std::vector<double>> quantiles = probabilitiesIn(request, "quantiles");
  const Result<std::vector<double>> places = optionalNumbers(request, "cdf");
  if (!quantiles || !places)
    return quantiles ? places.error() : quantiles.error();
  if (request.contains("quantiles"))
    out["quantiles"] = Json::array();
  for (const double p : *quantiles)
    out["quantiles"].push_back(number(law.quantile(p)));
  if (request.contains("cdf"))
    out["cdf"] = Json::array();
  for (const double t : *places)
    out["cdf"].push_back(number(law.cdf(t)));
  return Done{};
}

Result<Answer> joinAnswer(const Json &request, const Cumulants &k, const RawMoments &raw,
                          const DistributionPtr &law) {
  Json out{{"cumulants", list(k)}, {"moments", list(moments(k))}, {"raw", list(raw)}};
  if (const Status s = describe(request, *law, out); !s)
    return s.error();
  return Answer{out, law};
}

/// The law of a task: fitted, or a mixture of fitted ones.
Result<DistributionPtr> taskLaw(const Json &task) {
  const Result<std::string> family = textIn(task, "family", "auto");
  if (!family)
    return family.error();
  if (!task.contains("mixture")) {
    const Result<Moments> m = momentsIn(task);
    if (!m)
      return m.error();
    const Result<Fit> law = fitLaw(*m, {-inf, inf}, *family);
    return law ? Result<DistributionPtr>(law->law) : law.error();
  }
  if (!task["mixture"].is_array() || task["mixture"].empty())
    return Error{R"("mixture" is not a list of {"weight", "moments"})"};
  std::vector<DistributionPtr> laws;
  std::vector<double> weights;
  for (Json part : task["mixture"]) {
    if (!part.is_object() || !part.contains("weight") || part.contains("mixture"))
      return Error{R"("mixture" is not a list of {"weight", "moments"})"};
    const Result<double> weight = numberIn(part["weight"], "a weight");
    if (!weight)
      return weight.error();
    if (!part.contains("family"))
      part["family"] = *family;
    const Result<DistributionPtr> law = taskLaw(part);
    if (!law)
      return law.error();
    laws.push_back(*law);
    weights.push_back(*weight);
  }
  return makeWeighted(laws, weights);
}

Result<std::vector<Task>> tasksIn(const Json &request) {
  if (!request.contains("tasks") || !request["tasks"].is_array() || request["tasks"].empty())
    return Error{"the request has no list of \"tasks\""};
  std::vector<Task> tasks;
  for (const Json &t : request["tasks"]) {
    if (!t.is_object())
      return Error{"a task is not a JSON object"};
    const Result<DistributionPtr> law = taskLaw(t);
    if (!law)
      return law.error();
    double count = 1;
    if (t.contains("count")) {
      const Result<double> n = numberIn(t["count"], "\"count\"");
      if (!n)
        return n.error();
      count = *n;
    }
    tasks.push_back({*law, count});
  }
  return tasks;
}

/// Moments of one part of a recursion; none means that it takes no time.
Result<Cumulants> partIn(const Json &request, const char *key) {
  if (!request.contains(key))
    return Cumulants{};
  const Result<Moments> m = momentsIn(Json{{"moments", request[key]}});
  if (!m)
    return Error{std::string("\"") + key + "\": " + m.error().text};
  return cumulants(*m);
}

Result<Makespan> parallelMap(const Json &request, const Cumulants &task) {
  const Result<uint64_t> tasks = countIn(request, "tasks", 1);
  if (!tasks)
    return tasks.error();
  if (request.contains("placement") && request["placement"].is_array()) {
    const Result<std::vector<double>> weights = numbersIn(request, "placement");
    return weights ? randomPlacement(task, *tasks, *weights) : weights.error();
  }
  const Result<std::string> placement = textIn(request, "placement", "random");
  const Result<uint64_t> processors = countIn(request, "processors", 1);
  if (!placement || !processors)
    return placement ? processors.error() : placement.error();
  if (*placement == "fixed")
    return evenPlacement(task, *tasks, *processors);
  if (*placement != "random")
    return Error{"\"placement\" is random, fixed or a list of probabilities"};
  return randomPlacement(task, *tasks, *processors);
}

Result<Makespan> recursion(const Json &request, const Cumulants &leaf) {
  Recursion r;
  r.leaf = leaf;
  const Result<uint64_t> depth = countIn(request, "depth", 1);
  const Result<uint64_t> arity =
      request.contains("arity") ? countIn(request, "arity", 2) : Result<uint64_t>(uint64_t{2});
  const Result<Cumulants> split = partIn(request, "split"), combine = partIn(request, "combine");
  if (!depth || !arity)
    return depth ? arity.error() : depth.error();
  if (!split || !combine)
    return split ? combine.error() : split.error();
  r.depth = *depth;
  r.arity = *arity;
  r.split = *split;
  r.combine = *combine;
  if (!request.contains("processors") || request["processors"].is_null())
    return divideAndConquer(r);
  const Result<uint64_t> processors = countIn(request, "processors", 1);
  return processors ? divideAndConquer(r, *processors) : processors.error();
}

/// The law for these moments that lies in the support, but for what is nothing (a normal law's far
/// tail): of families to choose from one that has ends where they are asked for.
Result<Fit> fitInside(const Moments &m, const Range &support, const std::string &family) {
  constexpr double nothing = 1e-6;
  const auto outside = [&](const Fit &fit) {
    const double below = std::nextafter(support.low, -inf);
    return (std::isfinite(support.low) ? fit.law->cdf(below) : 0) +
           (std::isfinite(support.high) ? fit.law->survival(support.high) : 0);
  };
  Result<Fit> fit = fitLaw(m, support, family);
  if (!fit || outside(*fit) <= nothing)
    return fit;
  if (family == "auto")
    if (Result<Fit> cut = fitLaw(m, support, "maxent"); cut && outside(*cut) <= nothing) {
      cut->why = "the " + fit->family + " law would go beyond the support";
      return cut;
    }
  return Error{"the " + fit->family + " law with these moments has " + exact(outside(*fit)) +
               " of its mass outside of the support; ask for --bounds, which keep to it"};
}

} // namespace

Result<Answer> answerFit(const Json &request) {
  const Result<Moments> m = momentsIn(request);
  const Result<std::string> family = textIn(request, "family", "auto");
  const Result<Range> support = supportIn(request);
  const Result<std::vector<double>> bounds = probabilitiesIn(request, "bounds");
  if (!m || !family)
    return m ? family.error() : m.error();
  if (!support || !bounds)
    return support ? bounds.error() : support.error();
  const Result<bool> unimodal = flagIn(request, "unimodal");
  if (!unimodal)
    return unimodal.error();
  const Result<Fit> law = fitInside(*m, *support, *family);
  if (!law)
    return law.error();
  Json out{{"family", law->family}, {"why", law->why}, {"moments", list(law->law->moments())}};
  if (const Status s = describe(request, *law->law, out); !s)
    return s.error();
  if (request.contains("bounds"))
    out["bounds"] = Json::array();
  if (*unimodal)
    out["unimodal"] = true; // an assumption, so the answer says it
  for (const double p : *bounds) {
    const Result<Range> b =
        boundsOn(*m, p, *support, *unimodal ? unimodalQuantileBounds : quantileBounds);
    if (!b)
      return b.error();
    out["bounds"].push_back({number(b->low), number(b->high)});
  }
  return Answer{out, law->law};
}

Result<Answer> answerJoin(const Json &request) {
  const Result<std::string> kind = textIn(request, "kind");
  const Result<std::vector<Task>> tasks = tasksIn(request);
  if (!kind || !tasks)
    return kind ? tasks.error() : kind.error();
  Result<Join> join = Error{"\"kind\" is max, min or kth"};
  if (*kind == "max") {
    join = joinLast(0, *tasks);
  } else if (*kind == "min") {
    join = joinFirst(0, *tasks);
  } else if (*kind == "kth") {
    const Result<double> k =
        request.contains("k") ? numberIn(request["k"], "\"k\"") : Error{"the request has no \"k\""};
    join = k ? joinKth(*k, *tasks) : k.error();
  }
  return join ? joinAnswer(request, join->k, join->raw, join->law) : join.error();
}

Result<Answer> answerSkeleton(const Json &request) {
  const Result<Moments> m = momentsIn(request);
  const Result<std::string> kind = textIn(request, "kind");
  if (!m || !kind)
    return m ? kind.error() : m.error();
  Result<Makespan> done = Error{"\"kind\" is parmap or dc"};
  if (*kind == "parmap")
    done = parallelMap(request, cumulants(*m));
  else if (*kind == "dc")
    done = recursion(request, cumulants(*m));
  return done ? joinAnswer(request, done->k, rawMoments(done->k), done->law) : done.error();
}

} // namespace quincunx::tool
