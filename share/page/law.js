// Laws of costs, as the tool has them (lib/dist/Mixture.cpp): a part for each run, known by its cumulants
// k1 to k4, and percentiles of their mixture. A part without variance is a step, others are normal or gamma.

const lnGamma = x => { // Lanczos, g = 7
  const c = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  const y = x - 1, t = y + 7.5;
  let sum = c[0];
  for (let i = 1; i < 9; ++i)
    sum += c[i] / (y + i);
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
};

/// P(G <= x) of the gamma law of shape a: by its series, or by its continued fraction beyond the mean.
const gammaCdf = (a, x) => {
  if (x <= 0)
    return 0;
  const logFront = a * Math.log(x) - x - lnGamma(a);
  if (logFront < -45)
    return x < a ? 0 : 1;
  const front = Math.exp(logFront);
  if (x < a + 1) {
    let term = 1 / a, sum = term;
    for (let n = a + 1; term > sum * 1e-16; ++n)
      sum += term *= x / n;
    return sum * front;
  }
  let b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (let i = 1; i < 10000; ++i) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-16)
      break;
  }
  return 1 - front * h;
};

const normalCdf = z => { // by the gamma law of z^2/2
  const half = gammaCdf(0.5, z * z / 2) / 2;
  return z < 0 ? 0.5 - half : 0.5 + half;
};

/// The law of one part; farther than `reach` deviations from its mean there is nothing.
const reach = 40;
const partLaw = k => {
  const [mean, k2, k3] = k, deviation = Math.sqrt(k2);
  const skewness = k3 / (k2 * deviation);
  let shape = Math.abs(skewness) < 0.05 ? 0 : 4 / (skewness * skewness), sign = skewness < 0 ? -1 : 1;
  const cdf = t => {
    const z = (t - mean) / deviation;
    if (z < -reach || z > reach)
      return z < 0 ? 0 : 1;
    if (shape === 0)
      return normalCdf(z);
    const below = gammaCdf(shape, shape + sign * z * Math.sqrt(shape));
    return sign > 0 ? below : 1 - below;
  };
  if (mean > 0 && cdf(0) > 0.1) { // too much of a cost would be below 0
    const other = 2 * deviation / mean;
    shape = 4 / (other * other), sign = 1;
  }
  return cdf;
};

/// X (1 + e) of X with cumulants k, and an independent e of mean 0 with these moments.
const rawOf = ([a, b, c, d]) => [a, b + a * a, c + 3 * b * a + a * a * a,
  d + 4 * c * a + 3 * b * b + 6 * b * a * a + a * a * a * a];
const cumulantsOf = ([a, b, c, d]) => [a, b - a * a, c - 3 * a * b + 2 * a * a * a,
  d - 4 * a * c - 3 * b * b + 12 * a * a * b - 6 * a * a * a * a];
const scattered = (k, residual) => {
  if (!residual || !(residual.variance > 0))
    return k;
  // By central moments: those of a small residual would drown in raw ones.
  const v = residual.variance, s = residual.skewness * v * Math.sqrt(v), q = residual.kurtosis * v * v;
  const [m, m2, m3, m4] = rawOf(k);
  const k2 = k[1] + m2 * v, k3 = k[2] + 3 * v * (m3 - m * m2) + m3 * s;
  const central4 = k[3] + 3 * k[1] * k[1] + 6 * v * (m4 - 2 * m * m3 + m * m * m2) + 4 * s * (m4 - m * m3) + m4 * q;
  return [k[0], k2, k3, central4 - 3 * k2 * k2];
};

/// The mixture of parts {k, weight, open}: `open` ones were stopped and rank above all others.
class Mixture {
  constructor(parts) {
    this.total = d3.sum(parts, p => p.weight);
    const closed = parts.filter(p => !p.open && p.weight > 0);
    this.steps = closed.filter(p => !(p.k[1] > 0)).sort((a, b) => a.k[0] - b.k[0]);
    this.laws = closed.filter(p => p.k[1] > 0).map(p => ({ cdf: partLaw(p.k), weight: p.weight, mean: p.k[0], sd: Math.sqrt(p.k[1]) }));
    this.closed = d3.sum(closed, p => p.weight);
    let sum = 0;
    this.below = this.steps.map(p => sum += p.weight);
    this.low = d3.min(closed, p => p.k[0] - 8 * Math.sqrt(p.k[1]));
    this.high = d3.max(closed, p => p.k[0] + 8 * Math.sqrt(p.k[1]));
    const w = parts.map(p => p.weight / this.total), k = parts.map(p => p.k);
    this.mean = d3.sum(w, (x, i) => x * k[i][0]);
    this.variance = d3.sum(w, (x, i) => x * (k[i][1] + (k[i][0] - this.mean) ** 2));
  }
  cdf(t) {
    const i = d3.bisector(p => p.k[0]).right(this.steps, t);
    let sum = i > 0 ? this.below[i - 1] : 0;
    for (const l of this.laws)
      sum += l.weight * l.cdf(t);
    return sum / this.total;
  }
  /// The smallest t with cdf(t) >= p; infinite among those that were stopped.
  quantile(p) {
    if (p * this.total > this.closed * (1 + 1e-12) || (this.laws.length && p * this.total >= this.closed))
      return Infinity;
    if (!this.laws.length) {
      const i = d3.bisectLeft(this.below, p * this.total * (1 - 1e-14));
      return this.steps[Math.min(i, this.steps.length - 1)].k[0];
    }
    let a = this.low, b = this.high, fa = this.cdf(a) - p, fb = this.cdf(b) - p;
    for (let i = 0; i < 60 && fb < 0; ++i)
      fb = this.cdf(b += b - a) - p;
    for (let i = 0; i < 60 && fa > 0; ++i)
      fa = this.cdf(a -= b - a) - p;
    // Regula falsi, of which every third step halves; steps of a law would hold it up otherwise.
    for (let i = 0, side = 0; i < 200 && b - a > 1e-13 * Math.abs(b); ++i) {
      let t = i % 3 === 2 || fb === fa ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
      if (!(t > a && t < b))
        t = (a + b) / 2;
      const f = this.cdf(t) - p;
      if (f < 0) {
        a = t, fa = f;
        if (side < 0)
          fb /= 2;
        side = -1;
      } else {
        b = t, fb = f;
        if (f === 0)
          break;
        if (side > 0)
          fa /= 2;
        side = 1;
      }
    }
    return b;
  }
}

/// Parts with the weight and the moments of `groups` neighbours: for drawing, where there are very many.
const coarse = (parts, groups) => {
  if (parts.length <= groups)
    return parts;
  const sorted = parts.slice().sort((a, b) => (a.open - b.open) || (a.k[0] - b.k[0]));
  const kept = groups / 2, out = sorted.slice(sorted.length - kept), rest = sorted.length - kept;
  for (let g = 0; g < kept; ++g) {
    const some = sorted.slice(Math.floor(g * rest / kept), Math.floor((g + 1) * rest / kept));
    const weight = d3.sum(some, p => p.weight), mean = d3.sum(some, p => p.weight * p.k[0]) / weight;
    out.push({ k: [mean, d3.sum(some, p => p.weight * (p.k[1] + (p.k[0] - mean) ** 2)) / weight, 0, 0], weight, open: some[0].open });
  }
  return out;
};
