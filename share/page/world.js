// Costs of the runs as they were, and with the factors that the reader has set. A run costs what it did, less
// (1 - x^r) times the r-th cumulant of each part that costs x times as much; what the machine adds to whole
// runs is relative to all they cost. It is what `quincunx whatif 'cost(f) *= x'` does.

const expectedOf = (run, set) => {
  const k = runs.expected.map(column => column[run]);
  while (k.length < 4)
    k.push(0);
  for (const [column, x] of set)
    data.columns[column].cost.forEach((text, r) => { k[r] -= (1 - x ** (r + 1)) * numbers(text)[run]; });
  return k;
};
const worldWith = set => {
  const parts = [];
  for (let run = 0; run < runs.number; ++run)
    parts.push({ k: scattered(expectedOf(run, set), data.residual), weight: weightOf(run), open: runs.open.has(run), run });
  return { set, parts, costs: parts.map(p => p.k[0]), law: new Mixture(parts), rough: new Mixture(coarse(parts, 256)), cache: new Map() };
};
/// A percentile, computed once.
const percentile = (world, p) => {
  if (!world.cache.has(p))
    world.cache.set(p, world.law.quantile(p));
  return world.cache.get(p);
};
const before = worldWith(new Map());
/// Costs that are given.
const worldOf = costs => {
  const parts = Array.from(costs, (cost, run) => ({ k: scattered([cost, 0, 0, 0], data.residual), weight: weightOf(run), open: false, run }));
  return { set: new Map(), parts, costs: Array.from(costs), law: new Mixture(parts), rough: new Mixture(parts), cache: new Map() };
};
let after = data.other ? worldOf(numbers(data.other)) : null; // of another build, or none: nothing is set
const updateWorld = () => {
  if (data.other)
    return;
  const set = factors();
  const text = JSON.stringify([...set]);
  if (after && JSON.stringify([...after.set]) === text)
    return;
  after = set.size ? worldWith(set) : null;
};
const now = () => after ?? before;

/// Mean cost of a column in some runs.
const meanOf = (column, some) => {
  const cost = numbers(data.columns[column].cost[0]), factor = after?.set.get(column) ?? 1;
  const weight = d3.sum(some, weightOf);
  return weight > 0 ? factor * d3.sum(some, run => weightOf(run) * cost[run]) / weight : 0;
};
const allRuns = d3.range(runs.number);
/// Runs in the order of what they cost now, those that were stopped last.
const ranked = () => allRuns.slice().sort((a, b) => (runs.open.has(a) - runs.open.has(b)) || (now().costs[a] - now().costs[b]));
/// The dearest of a hundred (five at least), and the fifth around the median.
const tailRuns = () => ranked().slice(-Math.max(Math.min(5, runs.number), Math.round(runs.number / 100)));
const middleRuns = () => {
  const all = ranked();
  return all.slice(Math.floor(0.4 * all.length), Math.max(Math.ceil(0.6 * all.length), 1));
};
