// The largest, the smallest and the k-th of numbers.
// The idea: constants are compared; random numbers are joined by laws fitted to their cumulants
// (JoinedLaws), as independent draws or, by `together`, as draws that are large at once.
// Vectors stand for their elements. Reference: docs/12-pamela.md.
#include "JoinedLaws.h"
#include "NumberEvaluator.h"

namespace quincunx::pamela {

Result<Value> NumberEvaluator::extremeOf(const Node &n, const std::vector<Value> &values,
                                         bool isMax) {
  std::vector<Copies> all;
  for (const Value &v : values) {
    if (!v.isVector) {
      all.push_back({v.k, 1});
      continue;
    }
    for (const auto &[at, k] : v.elements)
      all.push_back({k, 1});
  }
  const Result<RandomNumber> k =
      isMax ? largest(std::move(all), joinedPairs) : smallest(std::move(all), joinedPairs);
  if (!k)
    return error(n, k.error().text);
  return Value{*k, false, {}};
}

/// Of numbers that are large at once.
Result<Value> NumberEvaluator::together(const Node &n, const std::vector<Value> &values) {
  std::vector<RandomNumber> all;
  for (const Value &v : values) {
    if (!v.isVector)
      all.push_back(v.k);
    for (const auto &[at, k] : v.elements)
      all.push_back(k);
  }
  const Result<RandomNumber> k = largestOfDependent(std::move(all), joinedPairs);
  if (!k)
    return error(n, k.error().text);
  return Value{*k, false, {}};
}

/// The k-th smallest of the parts of a max.
Result<Value> NumberEvaluator::any(const Node &n, const Scope *scope) {
  const Result<double> k = order(*n.args[0], scope);
  if (!k)
    return k.error();
  const Node &parts = *n.args[1];
  std::vector<Copies> all;
  if (parts.op == Op::call) {
    for (const Tree &a : parts.args) {
      const Result<RandomNumber> x = scalar(*a, scope);
      if (!x)
        return x.error();
      all.push_back({*x, 1});
    }
  } else if (parts.op == Op::max) {
    const Result<std::vector<Copies>> copies = copiesOf(parts, scope);
    if (!copies)
      return copies.error();
    all = *copies;
  } else {
    return error(n, "a process where a number is needed");
  }
  const Result<RandomNumber> x =
      *k == 1 ? smallest(std::move(all), joinedPairs) : kth(*k, std::move(all), joinedPairs);
  if (!x)
    return error(n, x.error().text);
  return Value{*x, false, {}};
}

/// The parts of max and min over an index.
Result<std::vector<Copies>> NumberEvaluator::copiesOf(const Node &n, const Scope *scope) {
  const Result<Bounds> b = bounds(n, scope);
  if (!b)
    return b.error();
  if (b->random)
    return error(n, "the number of parts is random");
  const Node &body = *n.args[2];
  std::vector<Copies> all;
  const bool alike = !b->indexed;
  for (double i = b->from; i <= b->to; ++i) {
    const Scope inner{n.text, i, nullptr, nullptr, scope};
    const Result<RandomNumber> k = scalar(body, alike ? scope : &inner);
    if (!k)
      return k.error();
    all.push_back({*k, alike ? b->count : 1});
    if (alike)
      break;
  }
  return all;
}

Result<Value> NumberEvaluator::extreme(const Node &n, const Scope *scope) {
  Result<std::vector<Copies>> all = copiesOf(n, scope);
  if (!all)
    return all.error();
  const Result<RandomNumber> k = n.op == Op::max ? largest(std::move(*all), joinedPairs)
                                                 : smallest(std::move(*all), joinedPairs);
  if (!k)
    return error(n, k.error().text);
  return Value{*k, false, {}};
}

} // namespace quincunx::pamela
