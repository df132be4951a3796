// Writes expressions as people would.
// The idea: what all terms of a sum share stands in front of it, and fractions have one
// denominator. Reference: docs/12-pamela.md, "Symbolic results".
#include "TreeWriter.h"

#include "Factorization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace quincunx::pamela {

namespace {

class TreeWriter {
public:
  TreeWriter(const Algebra &algebra, const std::set<std::string> &names, Id e)
      : all(algebra), taken(names) {
    std::unordered_set<Id> seen;
    gather(e, seen);
    for (turn = "i"; taken.contains(turn) || depths.contains(turn);)
      turn += "_";
  }
  Tree tree(Id e);

private:
  Tree node(Op op, std::vector<Tree> args, std::string text = {}, double value = 0) {
    return std::make_shared<Node>(Node{op, value, std::move(text), std::move(args), {}, {}});
  }
  Tree number(double x) {
    return std::signbit(x) ? node(Op::negate, {number(-x)}) : node(Op::number, {}, {}, x);
  }
  Tree made(Id e);
  std::vector<Tree> argumentsOf(const Expression &e, size_t first);
  Tree sum(std::vector<Term> terms);
  Tree plainSum(std::vector<Term> terms);
  Tree product(const Algebra::Factors &factors, Coefficient weight, std::vector<Tree> last = {});
  Tree function(const Expression &e);
  Tree repetition(const Expression &e);
  Tree total(const Expression &e);
  Tree element(const Expression &e);
  Tree over(Op op, Id index, Tree body);
  Tree added(std::vector<Tree> parts) {
    Tree t = parts[0];
    for (size_t i = 1; i < parts.size(); ++i)
      t = parts[i]->op == Op::negate ? node(Op::subtract, {t, parts[i]->args[0]})
                                     : node(Op::add, {t, parts[i]});
    return t;
  }
  std::string nameOf(Id index);
  void gather(Id e, std::unordered_set<Id> &seen);

  const Algebra &all;
  const std::set<std::string> &taken;
  std::map<std::string, std::set<int>, std::less<>> depths; ///< of indices of a name
  std::string turn;                                         ///< an index that nothing depends on
  std::unordered_map<Id, Tree> done;
};

void TreeWriter::gather(Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return;
  const Expression &e = all[id];
  if (e.form == Form::index)
    depths[e.text].insert(e.depth);
  for (const Id a : e.args)
    gather(a, seen);
}

/// Indices of one name within each other are told apart.
std::string TreeWriter::nameOf(Id index) {
  const Expression &e = all[index];
  std::string name = e.text;
  const std::set<int> &levels = depths[name];
  if (const auto inner = std::distance(levels.begin(), levels.find(e.depth)); inner > 0)
    name += "_" + std::to_string(inner);
  while (taken.contains(name) || (name != e.text && depths.contains(name)))
    name += "_";
  return name;
}

Tree TreeWriter::over(Op op, Id index, Tree body) {
  return node(op, {tree(all.from(index)), tree(all.to(index)), std::move(body)}, nameOf(index));
}

/// weight * factors * last, with what is divided by behind it.
Tree TreeWriter::product(const Algebra::Factors &factors, Coefficient weight,
                         std::vector<Tree> last) {
  std::vector<Tree> above, below;
  const bool fraction = weight.isFraction();
  const double up = fraction ? static_cast<double>(weight.numerator()) : weight.value();
  if (up != 1 && up != -1)
    above.push_back(number(up));
  for (const auto &[f, k] : factors) {
    Tree t = tree(f);
    if (std::abs(k) != 1)
      t = node(Op::power, {t, number(std::abs(k))});
    (k > 0 ? above : below).push_back(std::move(t));
  }
  above.insert(above.end(), last.begin(), last.end());
  if (fraction && weight.denominator() != 1)
    below.insert(below.begin(), number(static_cast<double>(weight.denominator())));
  if (above.empty())
    above.push_back(number(up == -1 ? -1 : 1));
  else if (up == -1)
    above[0] = node(Op::negate, {above[0]});
  const auto multiplied = [&](const std::vector<Tree> &trees) {
    Tree t = trees[0];
    for (size_t i = 1; i < trees.size(); ++i)
      t = node(Op::multiply, {t, trees[i]});
    return t;
  };
  // Divided once: whole numbers over whole numbers are rounded once, and right.
  return below.empty() ? multiplied(above)
                       : node(Op::divide, {multiplied(above), multiplied(below)});
}

/// Highest degree first, numbers last.
void sortByDegree(std::vector<Term> &terms) {
  const auto rank = [](const Term &t) {
    int degree = 0;
    for (const auto &[factor, k] : t.factors)
      degree += k;
    return std::tuple(t.factors.empty(), -degree, t.factors);
  };
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const Term &a, const Term &b) { return rank(a) < rank(b); });
}

/// What all terms of a sum have in common.
struct Shared {
  std::map<Id, int> factors;    ///< with exponents
  bool fractions = true;        ///< all weights are fractions, not too long ones
  int64_t above = 0, below = 1; ///< of those: greatest divisor of numerators, one denominator
};

Shared sharedBy(const std::vector<Term> &terms) {
  Shared s{{terms[0].factors.begin(), terms[0].factors.end()}};
  for (const Term &t : terms) {
    const std::map<Id, int> mine(t.factors.begin(), t.factors.end());
    for (auto &[factor, k] : s.factors) {
      const auto at = mine.find(factor);
      const int other = at == mine.end() ? 0 : at->second;
      k = k > 0 ? std::clamp(other, 0, k) : std::clamp(other, k, 0);
    }
    s.fractions = s.fractions && t.weight.isFraction() && s.below < (int64_t{1} << 31) &&
                  t.weight.denominator() < (int64_t{1} << 31);
    if (s.fractions)
      s.above = std::gcd(s.above, t.weight.numerator()),
      s.below = std::lcm(s.below, t.weight.denominator());
  }
  std::erase_if(s.factors, [](const auto &f) { return f.second == 0; });
  return s;
}

void divide(std::vector<Term> &terms, const std::map<Id, int> &factors, Coefficient weight) {
  for (Term &t : terms) {
    std::map<Id, int> rest(t.factors.begin(), t.factors.end());
    for (const auto &[f, k] : factors)
      rest[f] -= k;
    std::erase_if(rest, [](const auto &f) { return f.second == 0; });
    t = {{rest.begin(), rest.end()}, t.weight * weight.inverse()};
  }
}

Tree TreeWriter::sum(std::vector<Term> terms) {
  if (terms.size() == 1)
    return product(terms[0].factors, terms[0].weight);
  sortByDegree(terms);
  const Shared shared = sharedBy(terms);
  // Whole terms behind halves and thirds stay by themselves.
  if (shared.fractions && shared.factors.empty() && shared.below > 1 && terms.size() > 2) {
    const auto wholes = std::stable_partition(
        terms.begin(), terms.end(), [](const Term &t) { return t.weight.denominator() > 1; });
    if (wholes != terms.end() && wholes - terms.begin() > 1)
      return added({sum({terms.begin(), wholes}), sum({wholes, terms.end()})});
  }
  const Coefficient front =
      shared.fractions ? Coefficient::ratio(shared.above, shared.below) : Coefficient(1);
  divide(terms, shared.factors, front);
  const Algebra::Factors common(shared.factors.begin(), shared.factors.end());
  if (const auto two = factorize(terms))
    return product(common, front, {sum(two->first), sum(two->second)});
  Tree inner = plainSum(std::move(terms));
  if (common.empty() && front == Coefficient(1))
    return inner;
  return product(common, front, {inner});
}

/// Term by term, a positive one first.
Tree TreeWriter::plainSum(std::vector<Term> terms) {
  const auto first =
      std::find_if(terms.begin(), terms.end(), [](const Term &t) { return t.weight.value() > 0; });
  if (first != terms.end())
    std::rotate(terms.begin(), first, first + 1);
  Tree sum;
  for (const Term &t : terms) {
    const bool isMinus = t.weight.value() < 0;
    Tree part = product(t.factors, isMinus ? -t.weight : t.weight);
    if (sum)
      sum = node(isMinus ? Op::subtract : Op::add, {sum, part});
    else
      sum = isMinus ? node(Op::negate, {part}) : part;
  }
  return sum;
}

Tree TreeWriter::total(const Expression &e) {
  std::vector<Tree> parts;
  if (e.args[0] != Algebra::zero)
    parts.push_back(tree(e.args[0]));
  for (size_t i = 1; i < e.args.size(); i += 2) {
    Tree draw = tree(e.args[i + 1]);
    parts.push_back(
        e.args[i] == Algebra::one ? draw : node(Op::sum, {number(1), tree(e.args[i]), draw}, turn));
  }
  return added(std::move(parts));
}

Tree TreeWriter::element(const Expression &e) {
  Tree t = tree(e.args[0]);
  if (e.args[2] != Algebra::one)
    t = node(Op::divide, {t, tree(e.args[2])});
  Tree unit = node(Op::call, {tree(e.args[1])}, "unitvec");
  t = e.args[0] == Algebra::one && e.args[2] == Algebra::one ? unit : node(Op::multiply, {t, unit});
  for (size_t i = e.args.size(); i-- > 3;)
    t = over(Op::sum, e.args[i], std::move(t));
  return t;
}

Tree TreeWriter::tree(Id e) {
  if (const auto at = done.find(e); at != done.end())
    return at->second;
  Tree t = made(e);
  done.emplace(e, t);
  return t;
}

std::vector<Tree> TreeWriter::argumentsOf(const Expression &e, size_t first) {
  std::vector<Tree> trees;
  for (size_t i = first; i < e.args.size(); ++i)
    trees.push_back(e.args[i] == Algebra::nothing ? nullptr : tree(e.args[i]));
  return trees;
}

Tree TreeWriter::function(const Expression &e) {
  if (e.op == Op::any)
    return node(Op::any, {tree(e.args[0]), node(Op::call, argumentsOf(e, 1), "max")});
  return node(e.op, argumentsOf(e, 0), e.text);
}

/// sum, max and min over an index, and any of such a max: of values of the body, or of draws.
Tree TreeWriter::repetition(const Expression &e) {
  const bool isAny = e.op == Op::any;
  const Op op = isAny ? Op::max : e.op;
  Tree t = e.form == Form::reduce ? over(op, e.args[0], tree(e.args[1]))
                                  : node(op, {number(1), tree(e.args[0]), tree(e.args[1])}, turn);
  return isAny ? node(Op::any, {tree(e.args[2]), t}) : t;
}

Tree TreeWriter::made(Id id) {
  const Expression &e = all[id];
  switch (e.form) {
  case Form::number:
    return product({}, e.value);
  case Form::parameter:
    return node(Op::name, {}, e.text);
  case Form::index:
    return node(Op::name, {}, nameOf(id));
  case Form::sum: {
    std::vector<Term> terms;
    for (size_t i = 0; i < e.args.size(); ++i)
      terms.push_back({all.factorsOf(e.args[i]), e.weights[i]});
    return sum(std::move(terms));
  }
  case Form::product:
    return product(all.factorsOf(id), Coefficient(1));
  case Form::function:
    return function(e);
  case Form::reduce:
  case Form::copies:
    return repetition(e);
  case Form::law:
    return node(Op::law, argumentsOf(e, 0), e.text);
  case Form::scaled:
    return node(Op::multiply, argumentsOf(e, 0));
  case Form::total:
    return total(e);
  case Form::vector:
    if (e.args.empty())
      return node(Op::multiply, {number(0), node(Op::call, {number(0)}, "unitvec")});
    return added(argumentsOf(e, 0));
  case Form::element:
    return element(e);
  }
  return number(0);
}

} // namespace

Tree toTree(const Algebra &all, Id e, const std::set<std::string> &taken) {
  return TreeWriter(all, taken, e).tree(e);
}

} // namespace quincunx::pamela
