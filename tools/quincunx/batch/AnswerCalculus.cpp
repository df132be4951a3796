// Answers requests about cumulants alone: compose, mix, branch, convert, renewal, eliminate. The
// rules are lib/cost's; here are only the names of their arguments.
#include "Answer.h"

#include "quincunx/cost/Eliminate.h"
#include "quincunx/cost/Renewal.h"
#include "quincunx/cost/Rules.h"

#include <cmath>
#include <map>

namespace quincunx::tool {

namespace {

bool finite(const Cumulants &k) {
  return std::isfinite(k.k1) && std::isfinite(k.k2) && std::isfinite(k.k3) && std::isfinite(k.k4);
}

Result<Answer> cumulantsOnly(const Cumulants &k) {
  if (!finite(k))
    return Error{"the result is out of the range of a double"};
  return Answer{Json{{"cumulants", list(k)}}, nullptr};
}

} // namespace

Result<Answer> answerCompose(const Json &request) {
  const Result<Cumulants> n = cumulantsIn(request, "n"), x = cumulantsIn(request, "x");
  if (!n || !x)
    return n ? x.error() : n.error();
  return cumulantsOnly(repeated(*n, *x));
}

Result<Answer> answerMix(const Json &request) {
  const Result<std::vector<double>> weights = numbersIn(request, "weights");
  if (!weights)
    return weights.error();
  if (!request.contains("parts") || !request["parts"].is_array())
    return Error{"the request has no list of \"parts\""};
  double sum = 0;
  for (const double w : *weights) {
    if (w < 0)
      return Error{"a weight is negative"};
    sum += w;
  }
  if (weights->size() != request["parts"].size() || !(sum > 0) || !std::isfinite(sum))
    return Error{"there must be as many weights as parts, of positive sum"};
  std::vector<Cumulants> parts;
  for (const Json &part : request["parts"]) {
    const Result<Cumulants> k = cumulantsIn(Json{{"parts", part}}, "parts");
    if (!k)
      return k.error();
    parts.push_back(*k);
  }
  return cumulantsOnly(oneOf(parts, *weights));
}

Result<Answer> answerBranch(const Json &request) {
  const Result<Cumulants> rate = cumulantsIn(request, "rate");
  const Result<Cumulants> onTrue = cumulantsIn(request, "then"),
                          onFalse = cumulantsIn(request, "else");
  for (const Result<Cumulants> *k : {&rate, &onTrue, &onFalse})
    if (!*k)
      return k->error();
  if (rate->k1 < 0 || rate->k1 > 1)
    return Error{"the first of \"rate\" is the share of true outcomes, from 0 to 1"};
  return cumulantsOnly(branched(*rate, *onTrue, *onFalse));
}

Result<Answer> answerRenewal(const Json &request) {
  const Result<Cumulants> up = cumulantsIn(request, "up"), down = cumulantsIn(request, "down");
  if (!up || !down)
    return up ? down.error() : up.error();
  if (up->k1 < 1 || down->k1 < 1)
    return Error{"runs are at least one outcome long, so their means are 1 or more"};
  const Cumulants rates = renewalRates(*up, *down);
  if (!finite(rates))
    return Error{"the result is out of the range of a double"};
  return Answer{Json{{"rates", list(rates)}}, nullptr};
}

Result<Answer> answerConvert(const Json &request) {
  const Result<std::string> from = textIn(request, "from"), to = textIn(request, "to");
  const Result<std::vector<double>> v = numbersIn(request, "values", 4);
  if (!from || !to)
    return from ? to.error() : from.error();
  if (!v)
    return v.error();
  const double a = (*v)[0], b = (*v)[1], c = (*v)[2], d = (*v)[3];
  Cumulants k;
  if (*from == "cumulants")
    k = {a, b, c, d};
  else if (*from == "moments")
    k = cumulants(Moments{a, b, c, d});
  else if (*from == "raw")
    k = cumulants(RawMoments{a, b, c, d});
  else
    return Error{"\"from\" is moments, cumulants or raw"};
  if (!finite(k))
    return Error{"the result is out of the range of a double"};
  if (k.k2 < 0 || !admissible(moments(k)))
    return Error{"no law has these " + *from};
  const std::map<std::string, Json> all{
      {"cumulants", list(k)}, {"moments", list(moments(k))}, {"raw", list(rawMoments(k))}};
  const auto wanted = all.find(*to);
  if (wanted == all.end())
    return Error{"\"to\" is moments, cumulants or raw"};
  Json out{{"cumulants", list(k)}};
  out[*to] = wanted->second;
  return Answer{out, nullptr};
}

namespace {

/// Nodes are named by numbers; eliminate() wants 0 .. n-1.
struct NodeNumbers {
  std::map<double, uint32_t> known;
  std::vector<double> names;
  uint32_t operator()(double name) {
    const auto [at, isNew] = known.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (isNew)
      names.push_back(name);
    return at->second;
  }
};

Result<FlowEdge> edgeIn(const Json &edge, size_t number, NodeNumbers &names) {
  const std::string what = "edge " + std::to_string(number);
  if (!edge.is_array() || edge.size() != 4 || !edge[3].is_array() || edge[3].size() != 4)
    return Error{what + " is not [from, to, probability, [k1, k2, k3, k4]]"};
  const Result<double> from = numberIn(edge[0], "the start of " + what),
                       to = numberIn(edge[1], "the end of " + what),
                       p = numberIn(edge[2], "the probability of " + what);
  for (const Result<double> *x : {&from, &to, &p})
    if (!*x)
      return x->error();
  const Result<Cumulants> k = cumulantsIn(Json{{"edges", edge[3]}}, "edges");
  if (!k)
    return Error{"the cost of " + what + ": " + k.error().text};
  return FlowEdge{names(*from), names(*to), *p, *k};
}

} // namespace

Result<Answer> answerEliminate(const Json &request) {
  if (!request.contains("graph") || !request["graph"].is_object())
    return Error{"the request has no \"graph\" with entry, exits and edges"};
  const Json &g = request["graph"];
  if (!g.contains("entry") || !g.contains("edges") || !g["edges"].is_array())
    return Error{R"(a graph has an "entry" and a list of "edges")"};
  const Result<double> entry = numberIn(g["entry"], "\"entry\"");
  const Result<std::vector<double>> exits = optionalNumbers(g, "exits");
  if (!entry || !exits)
    return entry ? exits.error() : entry.error();
  NodeNumbers names;
  FlowGraph graph;
  graph.entry = names(*entry);
  for (const Json &edge : g["edges"]) {
    const Result<FlowEdge> e = edgeIn(edge, graph.edges.size() + 1, names);
    if (!e)
      return e.error();
    graph.edges.push_back(*e);
  }
  for (const double exit : *exits)
    names(exit);
  graph.nodes = static_cast<uint32_t>(names.names.size());
  for (const FlowEdge &e : graph.edges)
    for (const double exit : *exits)
      if (names.names[e.from] == exit)
        return Error{"an edge leaves an exit"};
  const Result<FlowCost> cost = eliminate(graph);
  if (!cost)
    return cost.error();
  Json out{{"cumulants", list(cost->k)}, {"exits", Json::array()}};
  for (const FlowExit &e : cost->exits)
    out["exits"].push_back({{"exit", number(names.names[e.node])},
                            {"probability", number(e.p)},
                            {"cumulants", list(e.k)}});
  return Answer{out, nullptr};
}

} // namespace quincunx::tool
