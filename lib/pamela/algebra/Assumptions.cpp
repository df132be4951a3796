// Describes the assumptions of closed forms.
// The idea: of one parameter only the strongest bound is said; what is taken away stands on the
// right. Reference: docs/12-pamela.md, "Symbolic results".
#include "Assumptions.h"

#include "TreeWriter.h"
#include "quincunx/pamela/Print.h"

#include <algorithm>
#include <utility>

namespace quincunx::pamela {

namespace {

/// Collects assumptions as text, in the order in which they are printed.
class Describer {
public:
  Describer(Algebra known, const std::set<std::string> &taken)
      : all(std::move(known)), names(taken) {}

  void add(const Assumption &a);
  std::vector<std::string> texts();

private:
  void addNonnegative(Id e);
  void addBound(Id side, double least);
  std::string text(Id e) { return print(toTree(all, e, names)); }

  Algebra all; ///< its own, as sides of comparisons are new expressions
  const std::set<std::string> &names;
  std::map<std::string, double> bounds; ///< of what stands on the left of a number
  std::vector<std::string> order, rest, wholes;
};

void Describer::add(const Assumption &a) {
  if (a.whole)
    wholes.push_back(text(a.e) + " whole");
  else
    addNonnegative(a.e);
}

void Describer::addNonnegative(Id e) {
  std::vector<Id> left, right;
  double number = 0;
  for (const auto &[product, weight] : all.termsOf(e)) {
    if (product == Algebra::one)
      number = -weight.value();
    else if (weight.value() > 0)
      left.push_back(all.multiply(all.number(weight), product));
    else
      right.push_back(all.multiply(all.number(-weight), product));
  }
  if (!left.empty() && right.empty())
    return addBound(all.add(left), number);
  right.push_back(all.number(number));
  rest.push_back(text(all.add(left)) + " >= " + text(all.add(right)));
}

void Describer::addBound(Id side, double least) {
  const Algebra::Terms t = all.termsOf(side);
  if (t.size() == 1 && t[0].second.value() > 0)
    least /= t[0].second.value(), side = t[0].first;
  const std::string bounded = text(side);
  const auto [at, isNew] = bounds.try_emplace(bounded, least);
  if (isNew)
    order.push_back(bounded);
  at->second = std::max(at->second, least);
}

std::vector<std::string> Describer::texts() {
  std::vector<std::string> out;
  for (const std::string &bounded : order)
    out.push_back(bounded + " >= " + text(all.number(bounds[bounded])));
  for (const std::vector<std::string> *more : {&rest, &wholes})
    for (const std::string &each : *more)
      if (std::find(out.begin(), out.end(), each) == out.end())
        out.push_back(each);
  return out;
}

} // namespace

std::vector<std::string> describeAssumptions(const Algebra &known,
                                             const std::set<std::string> &names) {
  Describer describer(known, names);
  for (const Assumption &a : known.assumptions())
    if (!a.isStated)
      describer.add(a);
  return describer.texts();
}

} // namespace quincunx::pamela
