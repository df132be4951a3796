// Runs the instructions of a tape, one loop each.
// The idea: the loops are compiled twice, for any x86-64 and for AVX2, without contraction, so that
// both give the same digits. Reference: docs/12-pamela.md, "Symbolic results".
#include "Tape.h"
#include "pamela/evaluate/Arithmetic.h"
#include "pamela/evaluate/LawArithmetic.h"
#include "pamela/evaluate/LawCumulants.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

constexpr size_t B = Tape::block;

std::vector<double> meansOf(std::span<const Cumulants> x) {
  std::vector<double> out;
  for (const Cumulants &k : x)
    out.push_back(k.k1);
  return out;
}

std::vector<Copies> oneEach(std::span<const Cumulants> x) {
  std::vector<Copies> out;
  for (const Cumulants &k : x)
    out.push_back({k, 1});
  return out;
}

} // namespace

/// `wide`: with registers of four doubles; otherwise of two.
template <bool wide> struct TapeLoops {
  /// The sums of as many points as fit the registers stay in them.
  template <bool counted, bool scaled>
  [[gnu::always_inline]] static inline void addLaws(const Tape &t, const Tape::Instruction &i,
                                                    double *m) {
    constexpr size_t width = wide ? 2 : 1;
    const Tape::Term *const first = t.terms.data() + i.a, *const last = t.terms.data() + i.b;
    for (size_t k = 0; k < B; k += width * laneCount) {
      double *const out = m + i.out + k;
      Lanes sums[4][width];
      for (size_t r = 0; r < 4; ++r)
        for (size_t v = 0; v < width; ++v)
          sums[r][v] = load(out + r * B + v * laneCount);
      for (const Tape::Term *term = first; term != last; ++term)
        for (size_t v = 0; v < width; ++v) {
          const size_t at = k + v * laneCount;
          Lanes x[4] = {lanes(term->law.k1), lanes(term->law.k2), lanes(term->law.k3),
                        lanes(term->law.k4)};
          if (scaled) {
            const Lanes s = load(m + term->scale + at), s2 = s * s;
            x[0] = s * x[0], x[1] = s2 * x[1], x[2] = s2 * s * x[2], x[3] = s2 * s2 * x[3];
          }
          if (counted) {
            const Lanes c = term->weight * load(m + term->count + at);
            for (Lanes &y : x)
              y = c * y;
          }
          for (size_t r = 0; r < 4; ++r)
            sums[r][v] += x[r];
        }
      for (size_t r = 0; r < 4; ++r)
        for (size_t v = 0; v < width; ++v)
          store(sums[r][v], out + r * B + v * laneCount);
    }
  }

  // One block of doubles.
  [[gnu::always_inline]] static inline void fill(double *__restrict out, double w) {
    for (size_t k = 0; k < B; ++k)
      out[k] = w;
  }
  [[gnu::always_inline]] static inline void copy(double *__restrict out, const double *a) {
    for (size_t k = 0; k < B; ++k)
      out[k] = a[k];
  }
  [[gnu::always_inline]] static inline void addScaled(double *__restrict out, double w,
                                                      const double *b) {
    for (size_t k = 0; k < B; ++k)
      out[k] += w * b[k];
  }
  [[gnu::always_inline]] static inline void multiply(double *__restrict out, const double *b) {
    for (size_t k = 0; k < B; ++k)
      out[k] *= b[k];
  }
  [[gnu::always_inline]] static inline void scale(double *__restrict out, double w,
                                                  const double *a) {
    for (size_t k = 0; k < B; ++k)
      out[k] = w * a[k];
  }
  [[gnu::always_inline]] static inline void divide(double *__restrict out, const double *b) {
    for (size_t k = 0; k < B; ++k)
      out[k] /= b[k];
  }

  // Four blocks, of cumulants.
  [[gnu::always_inline]] static inline void setLaw(double *__restrict out, const Cumulants &law) {
    for (size_t k = 0; k < B; ++k)
      out[k] = law.k1, out[B + k] = law.k2, out[2 * B + k] = law.k3, out[3 * B + k] = law.k4;
  }
  [[gnu::always_inline]] static inline void lift(double *__restrict out, const double *a) {
    for (size_t k = 0; k < B; ++k)
      out[k] = a[k], out[B + k] = out[2 * B + k] = out[3 * B + k] = 0;
  }
  [[gnu::always_inline]] static inline void add(double *__restrict out, const double *b) {
    for (size_t k = 0; k < 4 * B; ++k)
      out[k] += b[k];
  }
  [[gnu::always_inline]] static inline void addTimes(double *__restrict out, const double *b,
                                                     const double *c) {
    for (size_t r = 0; r < 4; ++r)
      for (size_t k = 0; k < B; ++k)
        out[r * B + k] += c[k] * b[r * B + k];
  }
  [[gnu::always_inline]] static inline void repeat(double *__restrict out, const double *b,
                                                   const double *c) {
    for (size_t r = 0; r < 4; ++r)
      for (size_t k = 0; k < B; ++k)
        out[r * B + k] = c[k] * b[r * B + k];
  }
  [[gnu::always_inline]] static inline void stretch(double *__restrict out, const double *b,
                                                    const double *c) {
    for (size_t k = 0; k < B; ++k) {
      const double s = c[k], s2 = s * s;
      out[k] = s * b[k], out[B + k] = s2 * b[B + k];
      out[2 * B + k] = s2 * s * b[2 * B + k], out[3 * B + k] = s2 * s2 * b[3 * B + k];
    }
  }

  [[gnu::always_inline]] static inline void execute(Tape &t, const Tape::Instruction &i,
                                                    double *m) {
    using Code = Tape::Code;
    double *const out = m + i.out;
    const double *const a = m + i.a, *const b = m + i.b, *const c = m + i.c;
    switch (i.code) {
    case Code::set:
      return fill(out, i.w);
    case Code::copy:
      return copy(out, t.current[i.a]);
    case Code::axpy:
      return addScaled(out, i.w, b);
    case Code::times:
      return multiply(out, b);
    case Code::scale:
      return scale(out, i.w, a);
    case Code::divide:
      return divide(out, b);
    case Code::setLaw:
      return setLaw(out, t.laws[i.a]);
    case Code::lift:
      return lift(out, a);
    case Code::add:
      return add(out, b);
    case Code::addTimes:
      return addTimes(out, b, c);
    case Code::repeat:
      return repeat(out, b, c);
    case Code::stretch:
      return stretch(out, b, c);
    case Code::addDraws:
      return addLaws<true, false>(t, i, m);
    case Code::addScaled:
      return addLaws<false, true>(t, i, m);
    case Code::addScaledDraws:
      return addLaws<true, true>(t, i, m);
    case Code::each:
      return t.each(t.calls[i.a], i.out, i.b != 0);
    }
  }

  [[gnu::always_inline]] static inline void run(Tape &t) {
    double *const m = t.memory.data();
    for (const Tape::Instruction &i : t.instructions)
      execute(t, i, m);
  }
};

namespace {

#if defined(__x86_64__)
[[gnu::target("avx2")]] void runWide(Tape &t) { TapeLoops<true>::run(t); }
#endif
void runPlain(Tape &t) { TapeLoops<false>::run(t); }

} // namespace

void Tape::run(std::span<const double *const> values, size_t n) {
  current = values, points = n;
  failed.fill(false);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return runWide(*this);
#endif
  runPlain(*this);
}

Cumulants Tape::at(const Operand &o, size_t point) const {
  const double *const x = memory.data() + o.at + point;
  if (!o.random)
    return {x[0], 0, 0, 0};
  return {x[0], x[B], x[2 * B], x[3 * B]};
}

Cumulants Tape::result(size_t i, size_t point) const { return at(results[i], point); }

void Tape::each(const Call &call, uint32_t out, bool random) {
  std::vector<Cumulants> x(call.args.size());
  for (size_t p = 0; p < points; ++p) {
    Result<Cumulants> k = Cumulants{};
    if (call.tree) {
      for (size_t i = 0; i < inputs.size(); ++i)
        numbersOptions.parameters[inputs[i]] = current[i][p];
      numbers.restart();
      k = withoutLaw(numbers.scalar(*call.tree, nullptr));
    } else {
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = call.args[i].at == UINT32_MAX ? Cumulants{} : at(call.args[i], p);
      k = value(all[call.e], x);
    }
    // What is computed of it (the largest, a comparison) could have a value again.
    failed[p] = failed[p] || !k || !std::isfinite(k->k1) ||
                std::any_of(x.begin(), x.end(), [](const Cumulants &a) { return !isFinite(a); });
    const Cumulants y = k ? *k : Cumulants{};
    double *const to = memory.data() + out + p;
    to[0] = y.k1;
    if (random)
      to[B] = y.k2, to[2 * B] = y.k3, to[3 * B] = y.k4;
  }
}

Result<Cumulants> Tape::drawn(const Expression &e, std::span<const Cumulants> x) {
  // Chances with what they give, the last one the rest.
  std::vector<Cumulants> parts;
  std::vector<double> weights;
  double rest = 1;
  for (size_t i = 1; i + 1 < x.size(); i += 2) {
    if (!(x[i].k1 >= 0) || x[i].k1 > rest + 1e-9)
      return Error{"probabilities are below 0, or more than 1 together"};
    rest -= x[i].k1;
    weights.push_back(x[i].k1), parts.push_back(x[i + 1]);
  }
  if (rest > 1e-9)
    weights.push_back(rest), parts.push_back(x.back());
  return e.args.empty() ? Cumulants{} : oneOf(parts, weights);
}

Result<Cumulants> Tape::lawOf(const Expression &e, std::span<const Cumulants> x) {
  const Result<Cumulants> k = cumulantsOf(e.text, meansOf(x));
  if (!k || k->k2 == 0 || e.op == Op::branch || admissible(moments(*k)))
    return k; // rates need not be those of a law
  return numbers.admitted(*k);
}

Result<Cumulants> Tape::copiesOf(const Expression &e, std::span<const Cumulants> x) {
  if (e.op == Op::sum)
    return repeated(x[0], x[1]);
  if (!(x[0].k1 > 0))
    return Cumulants{};
  std::vector<Copies> c{{x[1], x[0].k1}};
  return withoutLaw(e.op == Op::max   ? largest(std::move(c), numbers.joinedPairs)
                    : e.op == Op::min ? smallest(std::move(c), numbers.joinedPairs)
                                      : kth(x[2].k1, std::move(c), numbers.joinedPairs));
}

Result<Cumulants> Tape::branchOf(const Expression &e, std::span<const Cumulants> x) {
  Cumulants rate = x[0];
  if (!(rate.k1 >= 0 && rate.k1 <= 1))
    return Error{"a condition is 0, 1 or a probability"};
  if (isConstant(rate) && (rate.k1 == 0 || rate.k1 == 1))
    return rate.k1 == 1 ? x[1] : x[2];
  if (isConstant(rate) && !all[e.args[0]].random)
    rate = *cumulantsOf("bernoulli", std::span(&rate.k1, 1));
  return branched(rate, x[1], x[2]);
}

Result<Cumulants> Tape::selectOf(const Expression &e, std::span<const Cumulants> x) {
  if (e.args[0] == Algebra::nothing)
    return drawn(e, x);
  for (size_t i = 1; i + 1 < x.size(); i += 2)
    if (x[i].k1 == x[0].k1)
      return x[i + 1];
  return x.back();
}

Result<Cumulants> Tape::callOf(const Expression &e, std::span<const Cumulants> x) {
  if (e.text == "max")
    return withoutLaw(largest(oneEach(x), numbers.joinedPairs));
  if (e.text == "min")
    return withoutLaw(smallest(oneEach(x), numbers.joinedPairs));
  if (e.text == "together")
    return withoutLaw(largestOfDependent({x.begin(), x.end()}, numbers.joinedPairs));
  return Cumulants{computed(*functionNamed(e.text), meansOf(x)), 0, 0, 0};
}

Result<Cumulants> Tape::operatorOf(const Expression &e, std::span<const Cumulants> x) {
  switch (e.op) {
  case Op::call:
    return callOf(e, x);
  case Op::multiply: {
    const RawMoments a = rawMoments(x[0]), b = rawMoments(x[1]);
    return cumulants(RawMoments{a.m1 * b.m1, a.m2 * b.m2, a.m3 * b.m3, a.m4 * b.m4});
  }
  case Op::branch:
    return branchOf(e, x);
  case Op::select:
    return selectOf(e, x);
  case Op::any:
    return withoutLaw(x[0].k1 == 1 ? smallest(oneEach(x.subspan(1)), numbers.joinedPairs)
                                   : kth(x[0].k1, oneEach(x.subspan(1)), numbers.joinedPairs));
  case Op::logicalNot:
    return Cumulants{computed(e.op, x[0].k1), 0, 0, 0};
  default:
    return Cumulants{computed(e.op, x[0].k1, x[1].k1), 0, 0, 0};
  }
}

Result<Cumulants> Tape::value(const Expression &e, std::span<const Cumulants> x) {
  switch (e.form) {
  case Form::law:
    return lawOf(e, x);
  case Form::copies:
    return copiesOf(e, x);
  case Form::function:
    return operatorOf(e, x);
  default:
    return Error{"no value"};
  }
}

} // namespace quincunx::pamela
