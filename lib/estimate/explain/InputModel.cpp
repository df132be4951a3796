// A regression of ln T on terms of features, chosen one after the other.
// The idea: the term with the largest gain is taken while a gain as large is had in less than one
// of twenty shuffles of the residuals by any term (Freedman and Lane, J. Business Econ. Statist. 1,
// 1983; the largest over all terms accounts for their number). Of terms that tell about as much the
// simplest is taken. Terms are kept orthogonal to what was taken before, so that a gain is one
// product. It knows nothing of functions.
#include "InputModel.h"

#include "InputTerms.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace quincunx {

namespace {

using Vector = std::vector<double>;

constexpr size_t leastRuns = 20, mostEffects = 8, shuffles = 99, mostBetter = 4;
constexpr double leastExplained = 0.01; ///< of Var[ln T]
constexpr double aboutAsMuch = 0.01;    ///< of Var[ln T], and not above
constexpr double ofTheBest = 0.1;       ///< of the largest gain
constexpr double leftOver = 1e-8;       ///< of the square of a column, left beside others

double dot(const Vector &a, const Vector &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
void subtract(Vector &a, double times, const Vector &b) {
  for (size_t d = 0; d < a.size(); ++d)
    a[d] -= times * b[d];
}
void centre(Vector &a) {
  const double mean = std::accumulate(a.begin(), a.end(), 0.0) / static_cast<double>(a.size());
  for (double &x : a)
    x -= mean;
}

class Selection {
public:
  Selection(const std::vector<InputTerm> &all, Vector y) : terms(all), residual(std::move(y)) {
    centre(residual);
    cost = residual;
    total = dot(residual, residual);
    for (const InputTerm &term : terms) {
      open.push_back(term.columns);
      for (Vector &column : open.back())
        centre(column);
      makeOrthonormal(open.back());
    }
  }

  /// Indices of terms, as they were taken.
  std::vector<size_t> run() {
    std::vector<size_t> taken;
    while (taken.size() < mostEffects && basis.size() + 3 < residual.size()) {
      const size_t next = best();
      if (next == SIZE_MAX || gainOf(open[next], residual) < leastExplained * total ||
          isChance(adjusted(open[next], residual)))
        break;
      take(next);
      closeLike(terms[next].effect);
      taken.push_back(next);
    }
    prune(taken);
    return taken;
  }

  /// Of Var[ln T], each run expected from the others.
  double explained() const {
    const auto n = static_cast<double>(residual.size());
    double left = 0;
    for (size_t d = 0; d < residual.size(); ++d) {
      double leverage = 1 / n;
      for (const Vector &q : basis)
        leverage += q[d] * q[d];
      left += std::pow(residual[d] / std::max(1 - leverage, 1e-9), 2);
    }
    return std::max(0.0, 1 - left / (total * std::pow(n / (n - 1), 2)));
  }

private:
  /// Columns that depend on others are left out.
  static void makeOrthonormal(std::vector<Vector> &columns) {
    std::vector<Vector> out;
    for (Vector &c : columns) {
      const double was = dot(c, c);
      for (const Vector &q : out)
        subtract(c, dot(c, q), q);
      const double square = dot(c, c);
      if (square <= leftOver * was || square == 0)
        continue;
      for (double &x : c)
        x /= std::sqrt(square);
      out.push_back(std::move(c));
    }
    columns = std::move(out);
  }

  static double gainOf(const std::vector<Vector> &columns, const Vector &of) {
    double gain = 0;
    for (const Vector &q : columns)
      gain += std::pow(dot(q, of), 2);
    return gain;
  }
  /// The share of the square that is explained, adjusted to the number of columns.
  double adjusted(const std::vector<Vector> &columns, const Vector &of) const {
    if (columns.empty())
      return 0;
    const auto free = static_cast<double>(of.size() - 1 - basis.size()),
               used = static_cast<double>(columns.size());
    const double square = dot(of, of);
    return square > 0 ? 1 - (1 - gainOf(columns, of) / square) * free / (free - used) : 0;
  }

  /// The best term; of pairs one that tells more than the two do by themselves.
  size_t best() const {
    const size_t t = best(false);
    return t == SIZE_MAX || terms[t].apart.empty() ||
                   gainOf(open[t], residual) >= gainApart(terms[t])
               ? t
               : best(true);
  }
  size_t best(bool isSingle) const {
    Vector score(open.size());
    forEachParallel(open.size(), [&](size_t t) {
      score[t] = isSingle && !terms[t].apart.empty() ? 0 : adjusted(open[t], residual);
    });
    const auto most = std::max_element(score.begin(), score.end());
    if (most == score.end() || *most <= 0)
      return SIZE_MAX;
    const double left = dot(residual, residual);
    const double enough = *most - std::min(aboutAsMuch * total / left, ofTheBest * *most);
    return static_cast<size_t>(
        std::find_if(score.begin(), score.end(), [&](double s) { return s >= enough; }) -
        score.begin());
  }
  double gainApart(const InputTerm &pair) const {
    std::vector<Vector> columns = pair.apart;
    for (Vector &column : columns) {
      centre(column);
      for (const Vector &q : basis)
        subtract(column, dot(column, q), q);
    }
    makeOrthonormal(columns);
    return gainOf(columns, residual);
  }

  /// Would any term tell as much of shuffled residuals, more often than once in twenty?
  bool isChance(double told) {
    std::vector<Vector> shuffled;
    for (size_t i = 0; i < shuffles; ++i) {
      Vector e = residual;
      for (size_t d = e.size(); d > 1; --d)
        std::swap(e[d - 1], e[random() % d]);
      centre(e);
      for (const Vector &q : basis)
        subtract(e, dot(e, q), q);
      shuffled.push_back(std::move(e));
    }
    std::vector<char> better(shuffles, 0);
    forEachParallel(shuffles, [&](size_t i) {
      better[i] = std::any_of(open.begin(), open.end(), [&](const std::vector<Vector> &columns) {
        return adjusted(columns, shuffled[i]) >= told;
      });
    });
    return std::count(better.begin(), better.end(), 1) > static_cast<std::ptrdiff_t>(mostBetter);
  }

  void take(size_t t) {
    const std::vector<Vector> added = open[t];
    for (const Vector &q : added) {
      subtract(residual, dot(residual, q), q);
      basis.push_back(q);
    }
    forEachParallel(open.size(), [&](size_t i) {
      for (Vector &c : open[i])
        for (const Vector &q : added)
          subtract(c, dot(c, q), q);
      std::erase_if(open[i], [](const Vector &c) { return dot(c, c) <= leftOver; });
      makeOrthonormal(open[i]);
    });
  }

  /// A feature grows one way: of two the parts would cancel.
  void closeLike(const InputEffect &taken) {
    for (size_t t = 0; t < terms.size() && !taken.feature.empty(); ++t)
      if (terms[t].effect.feature == taken.feature && terms[t].effect.where.empty())
        open[t].clear();
  }

  std::vector<Vector> basisOf(const std::vector<size_t> &some) const {
    std::vector<Vector> columns;
    for (const size_t t : some)
      columns.insert(columns.end(), terms[t].columns.begin(), terms[t].columns.end());
    for (Vector &column : columns)
      centre(column);
    makeOrthonormal(columns);
    return columns;
  }

  /// Leaves out what later terms say as well.
  void prune(std::vector<size_t> &taken) {
    for (size_t i = 0; i < taken.size() && taken.size() > 1;) {
      std::vector<size_t> others = taken;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const std::vector<Vector> without = basisOf(others);
      if (gainOf(basis, cost) - gainOf(without, cost) >= leastExplained * total) {
        ++i;
        continue;
      }
      taken = std::move(others);
      basis = without;
      i = 0;
    }
    residual = cost;
    for (const Vector &q : basis)
      subtract(residual, dot(residual, q), q);
  }

  const std::vector<InputTerm> &terms;
  Vector residual, cost; ///< centred
  double total = 0;
  std::vector<std::vector<Vector>> open; ///< per term, orthonormal and orthogonal to `basis`
  std::vector<Vector> basis;
  std::mt19937_64 random{1};
};

/// Least squares of `y`, which is centred; one coefficient per column.
Result<Vector> coefficients(std::vector<Vector> columns, const Vector &y) {
  Vector a, b, scale;
  for (Vector &c : columns) {
    centre(c);
    scale.push_back(std::sqrt(dot(c, c)));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t j = 0; j < columns.size(); ++j)
      a.push_back(dot(columns[i], columns[j]) / (scale[i] * scale[j]));
    b.push_back(dot(columns[i], y) / scale[i]);
  }
  Result<Vector> x = solveLinear(a, b);
  for (size_t i = 0; x && i < columns.size(); ++i)
    (*x)[i] /= scale[i];
  return x;
}

/// What the coefficients say, and the part of each run.
Vector interpret(const InputTerm &term, std::span<const double> c, InputEffect &effect) {
  effect = term.effect;
  Vector part(term.columns.front().size());
  for (size_t i = 0; i < c.size(); ++i)
    subtract(part, -c[i], term.columns[i]);
  if (effect.kind == InputEffect::Kind::power) {
    const Vector &x = effect.where.empty() ? term.columns[0] : term.columns[1];
    Vector sorted = x;
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted[sorted.size() / 10], high = sorted[sorted.size() * 9 / 10];
    const double slope = effect.where.empty() ? c[0] : c[1];
    const double bend = effect.where.empty() && c.size() > 1 ? 2 * c[1] : 0;
    effect.power = slope;
    effect.powerLow = slope + bend * low;
    effect.powerHigh = slope + bend * high;
    effect.factor = effect.where.empty() ? 1 : std::exp(c[0]);
  } else {
    effect.factor = std::exp(c[0]);
  }
  if (effect.where.empty())
    centre(part);
  return part;
}

void sortEffects(InputModel &model) {
  std::vector<size_t> order(model.parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const double x = model.found.effects[a].share, y = model.found.effects[b].share;
    return x != y ? x > y : a < b;
  });
  std::vector<InputEffect> effects;
  std::vector<Vector> parts;
  for (const size_t e : order) {
    effects.push_back(std::move(model.found.effects[e]));
    parts.push_back(std::move(model.parts[e]));
  }
  model.found.effects = std::move(effects);
  model.parts = std::move(parts);
}

} // namespace

InputModel fitInputs(const CountMatrix &matrix, std::span<const double> costs) {
  InputModel model;
  Vector y;
  for (size_t d = 0; d < costs.size(); ++d)
    if (matrix.rows[d].outcome == Outcome::finished && costs[d] > 0) {
      model.rows.push_back(d);
      y.push_back(std::log(costs[d]));
    }
  model.found.runs = model.rows.size();
  const std::vector<InputFeature> features = featuresOf(matrix, model.rows);
  for (const InputFeature &f : features)
    model.found.features.push_back(f.name);
  model.fitted = y;
  Vector centred = y;
  centre(centred);
  const double total = dot(centred, centred);
  if (y.size() < leastRuns || features.empty() || total <= 1e-18 * static_cast<double>(y.size()))
    return model;
  const std::vector<InputTerm> terms = termsOf(features);
  Selection selection(terms, y);
  const std::vector<size_t> taken = selection.run();
  std::vector<Vector> columns;
  for (const size_t t : taken)
    columns.insert(columns.end(), terms[t].columns.begin(), terms[t].columns.end());
  const Result<Vector> c = coefficients(columns, centred);
  if (taken.empty() || !c)
    return model;
  model.found.explained = selection.explained();
  model.fitted.assign(y.size(), std::accumulate(y.begin(), y.end(), 0.0) / double(y.size()));
  size_t at = 0;
  for (const size_t t : taken) {
    const std::span<const double> own(c->data() + at, terms[t].columns.size());
    at += own.size();
    model.parts.push_back(interpret(terms[t], own, model.found.effects.emplace_back()));
    Vector part = model.parts.back();
    centre(part);
    model.found.effects.back().share = dot(part, centred) / total;
    subtract(model.fitted, -1, part);
  }
  sortEffects(model);
  return model;
}

bool holds(const CountMatrix::Row &run, const InputEffect &effect) {
  return std::all_of(effect.where.begin(), effect.where.end(), [&](const InputCondition &c) {
    const auto number = run.features.find(c.feature);
    const auto text = run.texts.find(c.feature);
    if (!c.text.empty())
      return text != run.texts.end()
                 ? text->second == c.text
                 : number != run.features.end() && exact(number->second) == c.text;
    return number != run.features.end() &&
           (c.kind == InputCondition::Kind::equals ? number->second == c.value
                                                   : number->second >= c.value);
  });
}

} // namespace quincunx
