"""The experiments of Gautama's thesis that are no row of its Table 4.4: what its other tables and its text say, beside
what the same programs do here. Used by thesis.py; it takes no part in the error tables."""
import math
import random



def floor(first, second, moments):
    """Root mean square differences of moments between two samples of that many runs: (mean, variance relative, ...)."""
    rng, rounds, sums = random.Random(1), 100, [0.0] * 4
    together = first + second
    for _ in range(rounds):
        a, b = moments(rng.choices(together, k=len(first))), moments(rng.choices(together, k=len(second)))
        if b[1] > 0:
            for i, d in enumerate((a[0] - b[0], a[1] / b[1] - 1, a[2] - b[2], a[3] - b[3])):
                sums[i] += d * d
    return [math.sqrt(s / rounds) for s in sums]


def describe(values):
    n = len(values)
    mean = sum(values) / n
    m2, m3, m4 = (sum((v - mean) ** r for v in values) / n for r in (2, 3, 4))
    return mean, m2, m3 / m2**1.5, m4 / m2**2


def covariance(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / len(x)


def observe(bench, example, arguments, row):
    """Evaluations and trues of a marked branch, by seed, of the profile."""
    path = bench.corpus(example, arguments, range(1, bench.runs + 1))
    return bench.each(path, bench.places(example)[row])


def trues(bench, example, arguments):
    return [t for _, t in observe(bench, example, arguments, "b1").values()]


def chi_square(values, trials):
    """Against the binomial law with their mean, in classes 0 to 16 and above."""
    p, n, left = sum(values) / len(values) / trials, len(values), 1.0
    total, chance = 0.0, (1 - p) ** trials
    for k in range(17):
        expected = n * chance
        total += (values.count(k) - expected) ** 2 / expected
        left -= chance
        chance *= (trials - k) / (k + 1) * p / (1 - p)
    total += (sum(v > 16 for v in values) - n * left) ** 2 / (n * left)
    return total


def vector_scaling(bench):
    values = trues(bench, "vscale", ["10000"])
    p = sum(values) / len(values) / 10000
    pq = p * (1 - p)
    here = f"{p:.4f}, {pq:.4f}, {(1 - 2 * p) / pq**.5:.2f}, {(1 - 3 * pq) / pq:.2f}"
    yield "Table 3.1, P", "0.1, 0.09, 2.7, 8.1", here
    here = "{:.1f}, {:.1f}, {:.2f}, {:.2f}".format(*describe(trues(bench, "vscale", ["1000"])))
    yield "Fig. 3.5, T of n = 1000", "predicted 100, 90, 0, 3", f"measured {here}"


def one_pass(bench):
    values = trues(bench, "ssort", ["1000", "1"])
    yield "Fig. 3.6, E[P] of Max, i = 1000", "6.44e-3", f"{sum(values) / len(values) / 999:.3g}"
    yield ("Table 3.2, chi-square of the binomial law", "31.69 of 5000 runs; limit 28.87",
           f"{chi_square(values, 999):.1f}")
    lengths = (100, 300, 1000)
    harmonic = [[sum(1 / k**r for k in range(2, i + 1)) for r in (1, 2)] for i in lengths]
    exact = "; ".join(f"{h:.2f}, {h - h2:.2f}" for h, h2 in harmonic)
    here = "; ".join("{:.2f}, {:.2f}".format(*describe(trues(bench, "ssort", [str(i), "1"]))) for i in lengths)
    yield "Fig. 3.7, mean and variance of Max, i = 100; 300; 1000", "grow with ln i", f"{here} (exact {exact})"


def whole_sort(bench):
    values = trues(bench, "ssort", ["1000"])
    pairs = 1000 * 999 / 2
    p, variance = sum(values) / len(values) / pairs, describe(values)[1]
    yield "Fig. 3.8, E[P]", "1.1e-2", f"{p:.3g}"
    here = f"{variance:.3g}; {pairs * p * (1 - p):.3g}"
    yield "Fig. 3.8, Var[T] measured; Bernoulli", "2.2e4; 5.4e3 (Table 4.4)", here
    after = {m: observe(bench, "ssort", ["1000", str(m)], "b1") for m in (0, 1, 2, 3, 5, 6, 10, 11)}

    def of(m):  # what pass m found, by run
        return [t - after[m - 1][seed][1] for seed, (_, t) in sorted(after[m].items())]

    here = ", ".join(f"{covariance(of(1), of(1 + lag)):.2f}" for lag in (1, 2, 5, 10))
    yield "Fig. 3.9, covariance of passes 1, 2, 5, 10 apart", "positive, large when close, left out from 10 on", here


def memory(bench):
    runs = observe(bench, "cache", [], "b1").values()
    n, hits = sum(r[0] for r in runs), sum(r[1] for r in runs)
    yield "3.5.3, references", "about 14,000", f"{n / len(runs):.0f}"
    yield "Fig. 3.11, hits", "49 %", f"{100 * hits / n:.1f} %"
    costs = describe([1e-9 * t + 1e-8 * (m - t) for m, t in runs])
    yield "Fig. 3.11, mean and variance measured", "3.09e-5, 6.55e-13", f"{costs[0]:.3g}, {costs[1]:.3g}"
    h, trips = hits / n, describe([float(m) for m, _ in runs])
    each = 1e-9 * h + 1e-8 * (1 - h)
    alone = trips[0] * (9e-9) ** 2 * h * (1 - h) + trips[1] * each**2
    here = f"{alone:.3g} (number of references observed)"
    yield "Fig. 3.11, variance predicted", "1.59e-11 (Quicksort composed)", here


def lines(bench):
    """Rows: where, published, here, D."""
    return [(*row, str(bench.runs)) for part in (vector_scaling, one_pass, whole_sort, memory) for row in part(bench)]
