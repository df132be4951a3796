// Evaluates processes whose parts run at once: ||, par and any.
// The idea: from below, parts end with the last and not before the resource that is used most; from
// above, each part takes no longer than its path and what servers do while it runs (Graham, Bounds
// on Multiprocessing Timing Anomalies, 1969). Reference: docs/12-pamela.md, "What it costs".
#include "LawCumulants.h"
#include "ProcessEvaluator.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

Result<Times> ProcessEvaluator::parallel(const Node &n,
                                         const std::vector<std::pair<Times, double>> &all) {
  std::vector<Copies> T, phi;
  Times out;
  for (const auto &[t, count] : all) {
    T.push_back({t.T, count});
    phi.push_back({t.phi, count});
    if (Status s = add(n, t.demands, count, out.demands); !s)
      return s.error();
  }
  const Result<RandomNumber> path = largest(std::move(phi), numbers.joinedPairs),
                             parts = largest(std::move(T), numbers.joinedPairs);
  if (!path || !parts)
    return numbers.error(n, (!path ? path : parts).error().text);
  const Result<RandomNumber> both = bound(numbers.kept(*parts), out.demands);
  if (!both)
    return numbers.error(n, both.error().text);
  out.phi = *path;
  out.T = *both;
  if (const Status s = boundAbove(all, std::nullopt, out); !s)
    return numbers.error(n, s.error().text);
  return out;
}

/// Parts that share no resource do not wait for each other. Of others, each takes no longer than
/// its path and what servers do while it runs: where it waits, all servers of a resource work,
/// where it is served, one does, which `sharedPath` has less. So does the k-th to end take no
/// longer than the k-th shortest path and the longest wait.
Status ProcessEvaluator::boundAbove(const Parts &parts, std::optional<double> k, Times &out) {
  std::map<double, double> users;
  for (const auto &[t, count] : parts)
    for (const auto &[index, d] : t.demands)
      if (std::isfinite(d.multiplicity))
        users[index] += std::max(1.0, count);
  std::vector<Copies> alone, among, waits;
  RandomNumber sharedWork;
  for (const auto &[t, count] : parts) {
    const bool shares = std::any_of(t.demands.begin(), t.demands.end(), [&](const auto &d) {
      const auto at = users.find(d.first);
      return at != users.end() && at->second > 1;
    });
    alone.push_back({shares ? t.sharedPath : t.path, count});
    among.push_back({t.sharedPath, count});
    if (shares)
      sharedWork = numbers.laws.sum(sharedWork, numbers.laws.times(count, t.work));
    else
      waits.push_back({t.wait, count});
    out.work = numbers.laws.sum(out.work, numbers.laws.times(count, t.work));
  }
  waits.push_back({sharedWork, 1});
  const auto join = [&](std::vector<Copies> c) {
    return !k        ? largest(std::move(c), numbers.joinedPairs)
           : *k == 1 ? smallest(std::move(c), numbers.joinedPairs)
                     : kth(*k, std::move(c), numbers.joinedPairs);
  };
  const Result<RandomNumber> path = join(std::move(alone)), shared = join(std::move(among)),
                             wait = largest(std::move(waits), numbers.joinedPairs);
  for (const Result<RandomNumber> *each : {&path, &shared, &wait})
    if (!*each)
      return each->error();
  out.path = *path, out.sharedPath = *shared, out.wait = *wait;
  return Done{};
}

/// Of random demands that is k times the smallest at least, and no less than the k-th.
Result<RandomNumber> ProcessEvaluator::fewest(double k, std::vector<Copies> demands) {
  k = std::floor(k);
  double count = 0;
  bool random = false;
  RandomNumber all;
  for (const Copies &c : demands) {
    count += c.count, random = random || !isConstant(c.k);
    all = numbers.laws.sum(all, numbers.laws.times(c.count, c.k));
  }
  if (!(k >= 1))
    return RandomNumber();
  if (k >= count)
    return all;
  if (random) {
    const Result<RandomNumber> least = smallest(demands, numbers.joinedPairs);
    const Result<RandomNumber> last = kth(k, demands, numbers.joinedPairs);
    if (!least || !last)
      return !least ? least : last;
    return k * least->k1 > last->k1 ? numbers.laws.scaled(k, *least) : *last;
  }
  std::sort(demands.begin(), demands.end(),
            [](const Copies &a, const Copies &b) { return a.k.k1 < b.k.k1; });
  Cumulants sum;
  for (const Copies &c : demands) {
    const double taken = std::min(k, c.count);
    sum += taken * c.k, k -= taken;
  }
  return RandomNumber(sum);
}

/// `bounds`: of par, null of `||`.
Result<ProcessEvaluator::Parts> ProcessEvaluator::parts(const Node &n, const Scope *scope,
                                                        const Bounds *bounds) {
  Parts all;
  const auto take = [&](const Node &part, const Scope *inner, double count) -> Status {
    Result<Times> t = of(part, inner);
    if (!t)
      return t.error();
    all.emplace_back(std::move(*t), count);
    return Done{};
  };
  if (bounds == nullptr) {
    for (const Tree &part : n.args)
      if (Status s = take(*part, scope, 1); !s)
        return s.error();
    return all;
  }
  const Node &body = *n.args[2];
  if (!bounds->indexed) {
    if (bounds->count > 0)
      if (Status s = take(body, scope, bounds->count); !s)
        return s.error();
    return all;
  }
  for (double i = bounds->from; i <= bounds->to; ++i) {
    const Scope inner{n.text, i, nullptr, nullptr, scope};
    if (Status s = take(body, &inner, 1); !s)
      return s.error();
  }
  return all;
}

Result<Times> ProcessEvaluator::joined(const Node &n, const Node &parallel, const Scope *scope,
                                       const std::function<Result<Times>(const Parts &)> &join) {
  const auto of = [&](const Bounds *bounds) -> Result<Times> {
    const Result<Parts> all = parts(parallel, scope, bounds);
    return all ? join(*all) : all.error();
  };
  if (parallel.op == Op::parallel)
    return of(nullptr);
  const Result<Bounds> b = numbers.bounds(parallel, scope);
  if (!b)
    return b.error();
  if (b->random)
    return numbers.error(parallel, "the number of parallel parts is random");
  if (b->part == 0)
    return of(&*b);
  Bounds few = *b, more = *b;
  few.count -= b->part, more.count += 1 - b->part, more.to += 1;
  const Result<Times> least = of(&few), most = of(&more);
  return branched(n, *numberOf("bernoulli", std::span(&b->part, 1)), most, least);
}

/// Parts that are cancelled have used nobody knows how much: of each resource the k smallest
/// demands are certain, the upper bound has all.
Result<Times> ProcessEvaluator::any(const Node &n, const Scope *scope) {
  const Result<double> k = numbers.order(*n.args[0], scope);
  if (!k)
    return k.error();
  return joined(n, *n.args[1], scope, [&](const Parts &all) { return kthOf(n, *k, all); });
}

Result<Times> ProcessEvaluator::kthOf(const Node &n, double k, const Parts &all) {
  std::vector<Copies> T, phi;
  for (const auto &[t, count] : all) {
    T.push_back({t.T, count});
    phi.push_back({t.phi, count});
  }
  const auto join = [&](std::vector<Copies> c) {
    return k == 1 ? smallest(std::move(c), numbers.joinedPairs)
                  : kth(k, std::move(c), numbers.joinedPairs);
  };
  const Result<RandomNumber> time = join(std::move(T)), path = join(std::move(phi));
  if (!time || !path)
    return numbers.error(n, (!time ? time : path).error().text);
  Times out{*time, *path, {}, {}, {}, {}, {}};
  double count = 0;
  std::map<double, std::vector<Copies>> demands;
  for (const auto &[t, copies] : all) {
    if (const Status s = add(n, t.demands, 0, out.demands); !s)
      return s.error();
    for (const auto &[index, d] : t.demands)
      demands[index].push_back({d.k, copies});
    count += copies;
  }
  for (auto &[index, d] : out.demands) {
    std::vector<Copies> &each = demands[index];
    double idle = count;
    for (const Copies &c : each)
      idle -= c.count;
    const Result<RandomNumber> least = fewest(k - idle, std::move(each));
    if (!least)
      return numbers.error(n, least.error().text);
    d.k = *least;
  }
  if (const Status s = boundAbove(all, k, out); !s)
    return numbers.error(n, s.error().text);
  return out;
}

} // namespace quincunx::pamela
