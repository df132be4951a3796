// What closed forms take for granted, as text.
// The idea: of one parameter only the strongest bound is said; what is taken away stands on the
// right. Reference: docs/12-pamela.md, "Symbolic results".
#include "Assumptions.h"

#include "TreeWriter.h"
#include "quincunx/pamela/Print.h"

#include <algorithm>

namespace quincunx::pamela {

std::vector<std::string> describeAssumptions(const Algebra &known,
                                             const std::set<std::string> &names) {
  Algebra all = known;                  // sides of comparisons are new expressions
  std::map<std::string, double> bounds; ///< of what stands on the left of a number
  std::vector<std::string> order, rest, wholes;
  for (const Assumption &p : known.assumptions()) {
    if (p.whole) {
      wholes.push_back(print(toTree(all, p.e, names)) + " whole");
      continue;
    }
    std::vector<Id> left, right;
    double number = 0;
    for (const auto &[product, weight] : all.termsOf(p.e)) {
      if (product == Algebra::one)
        number = -weight.value();
      else if (weight.value() > 0)
        left.push_back(all.multiply(all.number(weight), product));
      else
        right.push_back(all.multiply(all.number(-weight), product));
    }
    if (left.empty() || !right.empty()) {
      right.push_back(all.number(number));
      rest.push_back(print(toTree(all, all.add(left), names)) +
                     " >= " + print(toTree(all, all.add(right), names)));
      continue;
    }
    Id side = all.add(left);
    const Algebra::Terms t = all.termsOf(side);
    if (t.size() == 1 && t[0].second.value() > 0)
      number /= t[0].second.value(), side = t[0].first;
    const std::string text = print(toTree(all, side, names));
    const auto [at, isNew] = bounds.try_emplace(text, number);
    if (isNew)
      order.push_back(text);
    at->second = std::max(at->second, number);
  }
  std::vector<std::string> out;
  for (const std::string &text : order)
    out.push_back(text + " >= " + print(toTree(all, all.number(bounds[text]), names)));
  for (const std::vector<std::string> *more : {&rest, &wholes})
    for (const std::string &text : *more)
      if (std::find(out.begin(), out.end(), text) == out.end())
        out.push_back(text);
  return out;
}

} // namespace quincunx::pamela
