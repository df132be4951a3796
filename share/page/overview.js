// The first screen: percentiles, the distribution, the slowest inputs, why runs differ.

const card = (name, value, trust, other, id) => make("div", { class: "card" }, make("div", { class: "name" }, name), make("div", { class: "value", id }, value),
  other ? make("div", { class: "after", id: id + "-after" }, "→ " + other) : null, make("div", { class: "trust" }, trust));
const intervalText = (i, unit) => i === null ? "" : `${i[0] === null ? "open" : digits(i[0] / unit.by)} .. ${i[1] === null ? "open" : digits(i[1] / unit.by)}`;

const cards = () => {
  const unit = unitFor(data.program.p50.value ?? data.program.mean);
  const shown = data.constantRuns ? [] : [["p50", 0.5], ["p90", 0.9], ["p99", 0.99], ["p99.9", 0.999]];
  const all = shown.map(([name, p]) => {
    const q = data.program[name];
    return card(name, (q.atLeast ? "≥ " : "") + costText(q.value, unit), intervalText(q.interval, unit), after && costText(percentile(after, p), unit), name);
  });
  const slowest = world => costText(d3.max(world.costs), unit);
  all.push(card("slowest", slowest(before), "", after && slowest(after), "slowest"));
  all.push(card("mean", costText(data.program.mean, unit), intervalText(data.program.meanInterval, unit), after && costText(after.law.mean, unit), "mean"));
  all.push(card("sd", costText(data.program.sd, unit), "", after && costText(Math.sqrt(after.law.variance), unit), "sd"));
  return make("div", { class: "cards" }, ...all);
};
const slowestInputs = () => {
  const unit = unitFor(percentile(before, 0.5)), median = percentile(now(), 0.5);
  const rows = ranked().reverse().slice(0, 10);
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { class: "text" }, "input"), make("th", {}, "cost"), make("th", {}, "of the median"),
    ...Object.keys(data.features).slice(0, 4).map(n => make("th", {}, n)))), make("tbody", {}, ...rows.map(run => make("tr", {}, make("td", { class: "text name", title: data.labels[run] }, data.labels[run]),
    make("td", {}, (runs.open.has(run) ? "≥ " : "") + costText(now().costs[run], unit)), make("td", {}, "x " + digits(now().costs[run] / median, 3)),
    ...Object.values(data.features).slice(0, 4).map(v => make("td", {}, digits(numbers(v)[run])))))));
};
const drawOverview = main => {
  main.append(cards());
  if (after)
    main.append(make("p", { class: "after" }, "→ with the changes at the side; ", make("span", { class: "dim" }, "intervals and the verdict are of what was recorded.")));
  if (data.verdict)
    main.append(make("p", { class: "verdict" }, data.verdict));
  main.append(make("h2", {}, "Distribution of the cost of a run"));
  const bar = make("div", { class: "bar" }, choice("chart", "chart", [["histogram", "histogram"], ["ecdf", "distribution function"], ["quantiles", "quantiles"]]),
    choice("axis", "axis", [["log", "log"], ["linear", "linear"]]));
  if (state.chart === "histogram")
    bar.append(select("groups", "by", waysToGroup()));
  main.append(bar, drawDistribution());
  const shown = state.chart === "histogram" ? legend(runGroups()) : make("p", { class: "dim" }, "Bands: where a percentile of inputs like these lies with 90 %.");
  if (shown)
    main.append(shown);
  main.append(make("h2", {}, after ? "Slowest inputs, with the changes" : "Slowest inputs"), slowestInputs());
  for (const note of data.notes)
    main.append(make("p", { class: "dim" }, "note: " + note));
};
