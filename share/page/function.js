// One function: what a run spends in it and what a call costs, who calls it and whom it calls, its loops and
// branches, its source.

const graphFunction = row => data.graph.findIndex(g => row.linkage.includes(g.linkage));
const callTable = (title, edges, other) => edges.length === 0 ? null : make("div", {}, make("h2", {}, title), make("table", {},
  make("thead", {}, make("tr", {}, make("th", {}, "calls/run"), make("th", {}, "cost per run, with all it calls"), make("th", { class: "text" }, "function"))),
  make("tbody", {}, ...edges.sort((a, b) => b[3] - a[3]).slice(0, 15).map(e => make("tr", {}, make("td", {}, digits(e[2])), make("td", {}, costText(e[3])), make("td", { class: "text name" }, linkTo(e[other])))))));
const linkTo = which => {
  const g = data.graph[which], row = data.rows.find(r => r.linkage.includes(g.linkage));
  return row ? make("a", { href: "#", onclick: event => { event.preventDefault(); go({ view: "function", f: String(row.number) }); } }, g.name) : g.name;
};
const percentiles = (title, of, note) => {
  return make("div", { class: "card" }, make("div", { class: "name" }, title), ...[["p50", of.p50], ["p90", of.p90], ["p99", of.p99], ["p99.9", of.p999], ["max", of.max], ["mean", of.mean]]
    .filter(([, x]) => x !== undefined && x !== null).map(([name, x]) => make("div", { class: "trust" }, name + "  " + costText(x))), note ? make("div", { class: "trust" }, note) : null);
};
/// How what a run spends in it is distributed, with the runs that cost most marked.
const functionHistogram = row => {
  const factor = after?.set.get(row.column) ?? 1, cost = Array.from(numbers(data.columns[row.column].cost[0]), c => factor * c), unit = unitFor(d3.median(cost) || d3.max(cost) || 1);
  const f = frame(drawingWidth(), 200, "what runs spend in the function"), x = costScale(d3.min(cost), d3.max(cost), [0, f.width]), number = Math.max(8, Math.min(50, Math.ceil(2 * Math.sqrt(cost.length))));
  const slow = new Set(tailRuns()), bins = d3.range(number).map(() => [0, 0]);
  cost.forEach((c, run) => { bins[Math.max(0, Math.min(number - 1, Math.floor(x(c) * number / f.width)))][slow.has(run) ? 1 : 0] += 1 / cost.length; });
  const y = d3.scaleLinear().domain([0, d3.max(bins, b => b[0] + b[1]) || 1]).nice().range([f.height, 0]), step = f.width / number;
  bins.forEach(([usual, tail], i) => [[0, usual, "var(--mark)"], [usual, usual + tail, "var(--bad)"]].forEach(([from, to, colour]) =>
    f.plot.append("rect").attr("x", i * step + 0.5).attr("width", Math.max(0.5, step - 1)).attr("y", y(to)).attr("height", y(from) - y(to)).style("fill", colour)));
  axes(f, costAxis(d3.axisBottom(), x, unit, f.width), d3.axisLeft(y).ticks(4).tickFormat(percentText), [`cost per run, itself (${unit.name || data.unit})`, "share of runs"]);
  return f.svg.node();
};
const places = (title, items, heads, cells) => items.length === 0 ? null : make("div", {}, make("h2", {}, title), make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((h, i) => make("th", { class: i === 0 ? "text" : null }, h)))),
  make("tbody", {}, ...items.map(item => make("tr", {}, ...cells(item).map((c, i) => make("td", { class: i === 0 ? "text" : null }, c)))))));

const drawFunction = main => {
  const row = data.rows[Number(state.f)];
  if (!row)
    return main.append(make("p", {}, "No such function."));
  main.append(make("h2", {}, row.name), make("p", { class: "dim" }, row.full !== row.name ? row.full + "  " : "", row.place ? make("a", { href: "#", onclick: event => { event.preventDefault(); go({ view: "source", file: row.file + ":" + row.line }); } }, row.place) : ""));
  main.append(make("div", { class: "cards" }, percentiles("itself, per run" + (factorOf(row) !== 1 ? ` (x ${digits(factorOf(row))})` : ""), Object.fromEntries(Object.entries(row.self).map(([k, v]) => [k, v === null ? null : factorOf(row) * v]))),
    row.total ? percentiles("with all it calls, per run", row.total, (row.totalExact ? "" : "estimated; ") + percentText(row.totalShare) + " of the mean") : null,
    row.call ? percentiles("one call, with all it calls", row.call, digits(row.calls) + " calls per run") : null));
  if (row.column >= 0 && !data.constantRuns)
    main.append(make("h2", {}, "What runs spend in it" + (row.scales ? "" : ", with what was inlined into it")), functionHistogram(row), make("p", { class: "dim" }, "red: the slowest runs"));
  const at = graphFunction(row);
  if (at >= 0)
    main.append(...[callTable("Called by", data.calls.filter(e => e[1] === at), 0), callTable("Calls", data.calls.filter(e => e[0] === at), 1)].filter(Boolean));
  const own = item => row.linkage.includes(item.function);
  main.append(...[places("Loops", data.loops.filter(own), ["place", "entered/run", "further passes/run", "share of the mean", "of the variance"], l => [l.place, digits(l.entered), digits(l.repeats), percentText(l.mean), percentText(l.variance)]),
    places("Growth of loops", data.growth.flatMap(g => g.loops.filter(own).map(l => ({ ...l, feature: g.feature }))), ["place", "iterations of a run", "predicts larger inputs"], l => [l.place, l.holds ? l.law : "", l.holds ? "within 10 %" : "no"]),
    places("Branches that go along with the cost", data.branches.filter(own), ["place", "evaluated/run", "taken/run", "share of the mean"], b => [b.place, digits(b.evaluated), digits(b.taken), percentText(b.cost)])].filter(Boolean));
  const source = sourceAround(row);
  if (source)
    main.append(make("h2", {}, "Source"), source);
};
