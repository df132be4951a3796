// Groups of runs, by what is known of their inputs or by costs, and a colour for each.

/// Four equally large groups of the values, or as many as there are different ones.
const quartiles = (name, values) => {
  const distinct = [...new Set(values)].sort(d3.ascending);
  if (distinct.length <= 8)
    return distinct.map(x => ({ name: `${name} = ${digits(x, 6)}`, has: run => values[run] === x }));
  const sorted = Array.from(values).sort(d3.ascending), cuts = [0.25, 0.5, 0.75].map(p => d3.quantile(sorted, p));
  const of = x => d3.bisectRight(cuts, x);
  return [0, 1, 2, 3].map(i => ({ name: `${name} ${i === 0 ? "below " + digits(cuts[0]) : i === 3 ? "from " + digits(cuts[2]) : digits(cuts[i - 1]) + " to " + digits(cuts[i])}`,
    has: run => of(values[run]) === i }));
};
const categories = (name, texts) => {
  const number = d3.nest().key(t => t ?? "").rollup(v => v.length).entries(texts).sort((a, b) => b.value - a.value);
  const named = number.slice(0, 7).map(e => e.key);
  const groups = named.map(t => ({ name: `${name} = ${t}`, has: run => (texts[run] ?? "") === t }));
  if (number.length > 7)
    groups.push({ name: "others", has: run => !named.includes(texts[run] ?? "") });
  return groups;
};
const waysToGroup = () => [["", "all together"], ...(data.groups.length ? [["(cost)", "groups of costs"]] : []),
  ...Object.keys(data.features).map(n => [n, "by " + n]), ...Object.keys(data.texts).map(n => [n, "by " + n])];
const runGroups = () => {
  const way = state.by;
  if (way === "(cost)")
    return data.groups.map(g => { const some = new Set(g.runs); return { name: g.name, has: run => some.has(run) }; });
  if (data.features[way])
    return quartiles(way, numbers(data.features[way]));
  if (data.texts[way])
    return categories(way, data.texts[way]);
  return [{ name: "", has: () => true }];
};
const colourOf = i => i === 0 ? "var(--mark)" : d3.schemeTableau10[i % 10];
const legend = groups => groups.length < 2 ? null : make("div", { class: "legend" },
  ...groups.map((g, i) => { const mark = make("i"); mark.style.background = colourOf(i); return make("span", {}, mark, g.name); }));
