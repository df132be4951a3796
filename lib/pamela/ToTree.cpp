// Expressions as people would write them.
// The idea: what all terms of a sum share stands in front of it, and fractions have one
// denominator. Reference: docs/12-pamela.md, "Symbolic results".
#include "ToTree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace quincunx::pamela {

namespace {

class Writer {
public:
  Writer(const Algebra &algebra, const std::set<std::string> &names, Id e)
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
  Tree sum(const Algebra::Terms &terms);
  Tree product(const Algebra::Factors &factors, Exact weight, Tree last);
  Tree total(const Entry &e);
  Tree element(const Entry &e);
  Tree over(Op op, Id index, Tree body);
  Tree added(std::vector<Tree> parts) {
    Tree t = parts[0];
    for (size_t i = 1; i < parts.size(); ++i)
      t = node(Op::add, {t, parts[i]});
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

void Writer::gather(Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return;
  const Entry &e = all[id];
  if (e.form == Form::index)
    depths[e.text].insert(e.depth);
  for (const Id a : e.args)
    gather(a, seen);
}

/// Indices of one name within each other are told apart by their depth.
std::string Writer::nameOf(Id index) {
  const Entry &e = all[index];
  std::string name = e.text;
  if (depths[name].size() > 1)
    name += "_" + std::to_string(e.depth);
  while (taken.contains(name) || (name != e.text && depths.contains(name)))
    name += "_";
  return name;
}

Tree Writer::over(Op op, Id index, Tree body) {
  return node(op, {tree(all.from(index)), tree(all.to(index)), std::move(body)}, nameOf(index));
}

/// weight * factors * last, with what is divided by behind it.
Tree Writer::product(const Algebra::Factors &factors, Exact weight, Tree last) {
  std::vector<Tree> above, below;
  const bool fraction = weight.isFraction();
  const double up = fraction ? static_cast<double>(weight.numerator()) : weight.value();
  if (up != 1)
    above.push_back(number(up));
  for (const auto &[f, k] : factors) {
    Tree t = tree(f);
    if (std::abs(k) != 1)
      t = node(Op::power, {t, number(std::abs(k))});
    (k > 0 ? above : below).push_back(std::move(t));
  }
  if (last)
    above.push_back(std::move(last));
  if (fraction && weight.denominator() != 1)
    below.insert(below.begin(), number(static_cast<double>(weight.denominator())));
  if (above.empty())
    above.push_back(number(1));
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

Tree Writer::sum(const Algebra::Terms &terms) {
  if (terms.size() == 1)
    return product(all.factorsOf(terms[0].first), terms[0].second, nullptr);
  // What all share, and one denominator.
  std::map<Id, int> shared;
  bool fractions = true;
  int64_t above = 0, below = 1;
  for (size_t i = 0; i < terms.size(); ++i) {
    const Algebra::Factors f = all.factorsOf(terms[i].first);
    const std::map<Id, int> mine(f.begin(), f.end());
    if (i == 0)
      shared = mine;
    for (auto &[factor, k] : shared) {
      const auto at = mine.find(factor);
      const int other = at == mine.end() ? 0 : at->second;
      k = k > 0 ? std::clamp(other, 0, k) : std::clamp(other, k, 0);
    }
    const Exact &w = terms[i].second;
    fractions = fractions && w.isFraction() && below < (int64_t{1} << 31) &&
                w.denominator() < (int64_t{1} << 31);
    if (fractions)
      above = std::gcd(above, w.numerator()), below = std::lcm(below, w.denominator());
  }
  std::erase_if(shared, [](const auto &f) { return f.second == 0; });
  const Exact front = fractions ? Exact::ratio(above, below) : Exact(1);
  std::vector<std::pair<Tree, bool>> parts; ///< and whether it is taken away
  for (const auto &[id, w] : terms) {
    std::map<Id, int> rest;
    for (const auto &[f, k] : all.factorsOf(id))
      rest[f] = k - (shared.contains(f) ? shared[f] : 0);
    std::erase_if(rest, [](const auto &f) { return f.second == 0; });
    const Exact weight = w * front.inverse();
    const bool isMinus = weight.value() < 0;
    parts.emplace_back(product({rest.begin(), rest.end()}, isMinus ? -weight : weight, nullptr),
                       isMinus);
  }
  const auto first = std::find_if(parts.begin(), parts.end(), [](auto &p) { return !p.second; });
  if (first != parts.end())
    std::rotate(parts.begin(), first, first + 1);
  Tree inner = parts[0].second ? node(Op::negate, {parts[0].first}) : parts[0].first;
  for (size_t i = 1; i < parts.size(); ++i)
    inner = node(parts[i].second ? Op::subtract : Op::add, {inner, parts[i].first});
  if (shared.empty() && front == Exact(1))
    return inner;
  return product({shared.begin(), shared.end()}, front, inner);
}

Tree Writer::total(const Entry &e) {
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

Tree Writer::element(const Entry &e) {
  Tree t = tree(e.args[0]);
  if (e.args[2] != Algebra::one)
    t = node(Op::divide, {t, tree(e.args[2])});
  Tree unit = node(Op::call, {tree(e.args[1])}, "unitvec");
  t = e.args[0] == Algebra::one && e.args[2] == Algebra::one ? unit : node(Op::multiply, {t, unit});
  for (size_t i = e.args.size(); i-- > 3;)
    t = over(Op::sum, e.args[i], std::move(t));
  return t;
}

Tree Writer::tree(Id e) {
  if (const auto at = done.find(e); at != done.end())
    return at->second;
  Tree t = made(e);
  done.emplace(e, t);
  return t;
}

Tree Writer::made(Id id) {
  const Entry &e = all[id];
  const auto args = [&](size_t first) {
    std::vector<Tree> trees;
    for (size_t i = first; i < e.args.size(); ++i)
      trees.push_back(e.args[i] == Algebra::nothing ? nullptr : tree(e.args[i]));
    return trees;
  };
  switch (e.form) {
  case Form::number:
    return product({}, e.value, nullptr);
  case Form::parameter:
    return node(Op::name, {}, e.text);
  case Form::index:
    return node(Op::name, {}, nameOf(id));
  case Form::sum: {
    Algebra::Terms terms;
    for (size_t i = 0; i < e.args.size(); ++i)
      terms.emplace_back(e.args[i], e.weights[i]);
    // Highest degree first, numbers last.
    const auto rank = [&](Id product) {
      const Algebra::Factors f = all.factorsOf(product);
      int degree = 0;
      for (const auto &[factor, k] : f)
        degree += k;
      return std::tuple(product == Algebra::one, -degree, f);
    };
    std::stable_sort(terms.begin(), terms.end(),
                     [&](const auto &a, const auto &b) { return rank(a.first) < rank(b.first); });
    // A whole number behind halves and thirds stays by itself.
    const bool parted = terms.size() > 2 && terms.back().first == Algebra::one &&
                        terms.back().second.isWhole() &&
                        std::any_of(terms.begin(), terms.end(), [](const auto &t) {
                          return t.second.isFraction() && t.second.denominator() > 1;
                        });
    if (!parted)
      return sum(terms);
    const double number = terms.back().second.value();
    terms.pop_back();
    return node(number < 0 ? Op::subtract : Op::add, {sum(terms), this->number(std::fabs(number))});
  }
  case Form::product:
    return product(all.factorsOf(id), Exact(1), nullptr);
  case Form::function:
    if (e.op == Op::any)
      return node(Op::any, {tree(e.args[0]), node(Op::call, args(1), "max")});
    return node(e.op, args(0), e.text);
  case Form::reduce: {
    const bool isAny = e.op == Op::any;
    Tree t = over(isAny ? Op::max : e.op, e.args[0], tree(e.args[1]));
    return isAny ? node(Op::any, {tree(e.args[2]), t}) : t;
  }
  case Form::copies: {
    const bool isAny = e.op == Op::any;
    Tree t = node(isAny ? Op::max : e.op, {number(1), tree(e.args[0]), tree(e.args[1])}, turn);
    return isAny ? node(Op::any, {tree(e.args[2]), t}) : t;
  }
  case Form::law:
    return node(Op::law, args(0), e.text);
  case Form::scaled:
    return node(Op::multiply, args(0));
  case Form::total:
    return total(e);
  case Form::vector:
    if (e.args.empty())
      return node(Op::multiply, {number(0), node(Op::call, {number(0)}, "unitvec")});
    return added(args(0));
  case Form::element:
    return element(e);
  }
  return number(0);
}

} // namespace

Tree toTree(const Algebra &all, Id e, const std::set<std::string> &taken) {
  return Writer(all, taken, e).tree(e);
}

} // namespace quincunx::pamela
