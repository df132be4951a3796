// Demands on resources that are numbered by expressions.
// The idea: an element of a vector stands for one place, or with indices for a family of places.
// Families that take each place once have the largest of their values; where places go round
// (i mod M) or in blocks (i div B) it is known how many fall on the same one. Families are told
// apart by where their places begin and end. Source: van Gemund (2003), sections 3.5 and 3.6.
#include "Contention.h"

#include <algorithm>
#include <optional>

namespace quincunx::pamela {

namespace {

/// Indices of families have these and more; loops hardly ever do.
constexpr int ownDepths = 32;

struct Family {
  Id value = 0; ///< per server, at one visit
  Id place = 0;
  std::vector<Id> over; ///< outermost first
};

struct Ends {
  Id low, high;
};

class Places {
public:
  explicit Places(Algebra &algebra) : all(algebra) {}

  Family family(Id element);
  /// Values of which the largest is that of the family; none when that is not known.
  std::vector<Id> largest(const Family &f);
  bool apart(const Family &a, const Family &b);
  bool onceEach(const Family &f);

private:
  std::optional<Ends> ends(Id place, const std::vector<Id> &over);
  std::vector<Id> hits(Id place, Id index, bool random);
  Id slope(Id e, Id index) {
    return all.subtract(all.substitute(e, index, all.add(index, Algebra::one)), e);
  }
  Id turns(Id index) { return all.add(all.subtract(all.to(index), all.from(index)), Algebra::one); }
  /// The only factor of that operation with the index, if the rest of the place has none.
  Id roundedPart(Id place, Id index, Op op);

  Algebra &all;
};

/// Indices are counted from 0 and called alike, so that families that mean the same look the same.
Family Places::family(Id element) {
  const Expression &e = all[element];
  Family f{all.divide(e.args[0], e.args[2]), e.args[1], {e.args.begin() + 3, e.args.end()}};
  for (size_t i = 0; i < f.over.size(); ++i) {
    const Id v = f.over[i], a = all.from(v);
    // The first depth of our own that nothing in it has.
    const uint64_t used = all.depthsIn(f.value) | all.depthsIn(f.place) | all.depthsIn(v);
    int depth = ownDepths;
    while (depth < Algebra::deepest && (used >> depth & 1) != 0)
      ++depth;
    const Id shifted = all.index("i", depth, Algebra::zero, all.subtract(all.to(v), a));
    const Id by = all.add(shifted, a);
    f.value = all.substitute(f.value, v, by);
    f.place = all.substitute(f.place, v, by);
    f.over[i] = shifted;
    for (size_t k = i + 1; k < f.over.size(); ++k) {
      const Id inner = f.over[k], moved = all.substitute(inner, v, by);
      f.value = all.substitute(f.value, inner, moved);
      f.place = all.substitute(f.place, inner, moved);
      f.over[k] = moved;
    }
  }
  return f;
}

std::optional<Ends> Places::ends(Id place, const std::vector<Id> &over) {
  if (all[place].random)
    return std::nullopt;
  Ends e{place, place};
  for (size_t i = over.size(); i-- > 0;) {
    const Id v = over[i];
    for (const Op op : {Op::mod, Op::div})
      if (const Id part = roundedPart(place, v, op); part != Algebra::nothing && over.size() == 1) {
        const Expression &p = all[part];
        const Id rest = all.subtract(place, part), divisor = p.args[1];
        if (op == Op::mod)
          return Ends{rest, all.add(rest, all.subtract(divisor, Algebra::one))};
        const std::optional<Ends> inner = ends(p.args[0], over);
        if (!inner || !all.positive(divisor))
          return std::nullopt;
        return Ends{all.add(rest, all.apply(Op::div, {inner->low, divisor})),
                    all.add(rest, all.apply(Op::div, {inner->high, divisor}))};
      }
    if (!all.dependsOn(e.low, v) && !all.dependsOn(e.high, v))
      continue;
    for (const bool isLow : {true, false}) {
      Id &end = isLow ? e.low : e.high;
      const Id d = slope(end, v);
      if (all.dependsOn(d, v))
        return std::nullopt;
      const bool grows = all.nonnegative(d);
      if (!grows && !all.nonnegative(all.multiply(Algebra::minusOne, d)))
        return std::nullopt;
      end = all.substitute(end, v, grows == isLow ? all.from(v) : all.to(v));
    }
  }
  return e;
}

bool Places::apart(const Family &a, const Family &b) {
  if (all.isNumber(a.place) && all.isNumber(b.place))
    return a.place != b.place;
  const std::optional<Ends> x = ends(a.place, a.over), y = ends(b.place, b.over);
  return x && y &&
         (all.positive(all.subtract(x->low, y->high)) ||
          all.positive(all.subtract(y->low, x->high)));
}

Id Places::roundedPart(Id place, Id index, Op op) {
  Id found = Algebra::nothing;
  for (const auto &[product, weight] : all.termsOf(place)) {
    if (!all.dependsOn(product, index))
      continue;
    const Expression &e = all[product];
    const bool fits = e.form == Form::function && e.op == op && weight == Coefficient(1) &&
                      !all.dependsOn(e.args[1], index);
    if (!fits || found != Algebra::nothing)
      return Algebra::nothing;
    found = product;
  }
  return found;
}

/// How many indices fall on the place that most do; of random values, where more does not mean
/// larger, all numbers there are.
std::vector<Id> Places::hits(Id place, Id index, bool random) {
  const Id n = turns(index);
  if (const Id part = roundedPart(place, index, Op::mod); part != Algebra::nothing) {
    // (c i + d) mod M: every M / gcd(c, M)-th has the same remainder.
    const Id x = all[part].args[0], M = all[part].args[1], c = slope(x, index);
    if (all.dependsOn(c, index) || !all.assumeWhole(c) || !all.assumeWhole(M) ||
        !all.assumeNonnegative(all.subtract(M, Algebra::one)))
      return {};
    const Id each = all.divide(all.multiply(n, all.call("gcd", {c, M})), M);
    std::vector<Id> counts{all.call("ceil", {each})};
    if (random)
      counts.push_back(all.call("floor", {each}));
    return counts;
  }
  if (const Id part = roundedPart(place, index, Op::div); part != Algebra::nothing) {
    // i div B from 0 on: blocks of ceil(B), if there is a whole one.
    const Id x = all[part].args[0], B = all[part].args[1];
    if (x != index || all.from(index) != Algebra::zero)
      return {};
    const Id blocks = all.divide(n, B);
    if (!all.assumeNonnegative(all.subtract(blocks, Algebra::one)) ||
        (random && (!all.assumeWhole(blocks) || !all.assumeWhole(B))))
      return {};
    return {all.call("ceil", {B})};
  }
  return {};
}

/// Does no place come twice? With two indices: is a step of the outer one longer than all of the
/// inner ones?
bool Places::onceEach(const Family &f) {
  Id reach = Algebra::zero; ///< of the inner indices together
  for (size_t i = f.over.size(); i-- > 0;) {
    const Id v = f.over[i];
    Id step = slope(f.place, v);
    for (const Id w : f.over)
      if (all.dependsOn(step, w) || (w != v && all.dependsOn(w, v)))
        return false;
    if (!all.nonnegative(step))
      step = all.multiply(Algebra::minusOne, step);
    if (!all.positive(all.subtract(step, reach)))
      return false;
    reach = all.add(reach, all.multiply(step, all.subtract(all.to(v), all.from(v))));
  }
  return true;
}

std::vector<Id> Places::largest(const Family &f) {
  if (f.over.empty())
    return {f.value};
  if (onceEach(f)) {
    Id value = f.value;
    for (size_t i = f.over.size(); i-- > 0;) {
      const Id v = f.over[i];
      if ((all.dependsOn(value, v) && all[value].random) || !all.assumeRange(v, true))
        return {};
      if (all.dependsOn(value, v))
        value = all.extreme(Op::max, v, value);
    }
    return {value};
  }
  if (f.over.size() != 1 || all.dependsOn(f.value, f.over[0]) || !all.assumeRange(f.over[0], true))
    return {};
  std::vector<Id> values = hits(f.place, f.over[0], all[f.value].random);
  for (Id &x : values)
    x = all.repeated(x, f.value);
  return values;
}

/// The families of the elements; values at the same places are added up.
std::vector<Family> familiesOf(Algebra &all, Places &places, const std::vector<Id> &elements) {
  std::vector<Family> families;
  for (const Id e : elements) {
    Family f = places.family(e);
    const auto same = std::find_if(families.begin(), families.end(), [&](const Family &o) {
      return o.place == f.place && o.over == f.over;
    });
    if (same != families.end())
      same->value = all.add(same->value, f.value);
    else
      families.push_back(std::move(f));
  }
  return families;
}

/// For each family the number of one in its group: families that may meet, one after the other, are
/// in one group.
std::vector<size_t> groupsOf(Places &places, const std::vector<Family> &families) {
  std::vector<size_t> group(families.size());
  for (size_t i = 0; i < group.size(); ++i)
    group[i] = i;
  const auto root = [&](size_t i) {
    while (group[i] != i)
      i = group[i];
    return i;
  };
  for (size_t i = 0; i < families.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (root(i) != root(k) && !places.apart(families[i], families[k]))
        group[root(i)] = root(k);
  for (size_t i = 0; i < group.size(); ++i)
    group[i] = root(i);
  return group;
}

} // namespace

bool neverMeet(Algebra &all, Id a, Id b) {
  Places places(all);
  return places.apart(places.family(a), places.family(b));
}

bool onceEach(Algebra &all, Id element) {
  Places places(all);
  return places.onceEach(places.family(element));
}

std::vector<Id> largestElements(Algebra &all, Id vector) {
  Places places(all);
  const std::vector<Family> families = familiesOf(all, places, all[vector].args);
  const std::vector<size_t> group = groupsOf(places, families);
  std::vector<Id> out;
  for (size_t i = 0; i < families.size(); ++i) {
    if (group[i] != i)
      continue;
    std::vector<Id> members;
    for (size_t k = 0; k < families.size(); ++k)
      if (group[k] == i)
        members.push_back(
            all.element(families[k].value, families[k].place, Algebra::one, families[k].over));
    std::vector<Id> closed;
    if (members.size() == 1)
      closed = places.largest(families[i]);
    if (closed.empty())
      closed = {all.vector(std::move(members))};
    out.insert(out.end(), closed.begin(), closed.end());
  }
  return out;
}

} // namespace quincunx::pamela
