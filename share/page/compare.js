// Two builds over the same inputs: what the comparison found, and each input before and after.

const changeText = x => x === null || !Number.isFinite(x) ? "open" : Math.abs(x) < 5e-5 ? "0.00 %" : (x >= 0 ? "+" : "") + (100 * x).toFixed(Math.abs(x) < 0.1 ? 2 : 1) + " %";
const changeInterval = i => `${i[0] === null ? "open" : changeText(i[0])} .. ${i[1] === null ? "open" : changeText(i[1])}`;
const changeCards = () => {
  const program = data.comparison.program, unit = unitFor(program.p50?.before ?? program.mean.before);
  return make("div", { class: "cards" }, ...Object.entries(program).map(([name, c]) => make("div", { class: "card" }, make("div", { class: "name" }, name), make("div", { class: "value" }, changeText(c.change)),
    make("div", { class: "trust" }, changeInterval(c.interval)), make("div", { class: "trust" }, (c.atLeast ? "≥ " : "") + costText(c.before, unit) + " → " + costText(c.after, unit)))));
};
/// Each input, before and after: on the line nothing changed.
const drawPairs = main => {
  const f = frame(drawingWidth(), 380, "cost of each input before and after"), unit = unitFor(d3.median(before.costs)), all = before.costs.concat(after.costs);
  const x = costScale(d3.min(all), d3.max(all), [0, f.width]), y = costScale(d3.min(all), d3.max(all), [f.height, 0]), [low, high] = x.domain();
  f.plot.append("line").attr("x1", x(low)).attr("y1", y(low)).attr("x2", x(high)).attr("y2", y(high)).style("stroke", "var(--line)");
  f.plot.selectAll("circle").data(allRuns).enter().append("circle").attr("r", allRuns.length > 2000 ? 2 : 3.2).attr("cx", run => x(before.costs[run])).attr("cy", run => y(after.costs[run]))
    .style("fill", run => after.costs[run] > before.costs[run] * 1.001 ? "var(--bad)" : after.costs[run] < before.costs[run] * 0.999 ? "var(--good)" : "var(--dim)").style("fill-opacity", 0.7)
    .on("mousemove", run => showTip(d3.event, `${data.labels[run]}\n${costText(before.costs[run], unit)} → ${costText(after.costs[run], unit)} (${changeText(after.costs[run] / before.costs[run] - 1)})`)).on("mouseout", hideTip);
  axes(f, costAxis(d3.axisBottom(), x, unit, f.width), costAxis(d3.axisLeft(), y, unit, f.height, 36), [`before (${unit.name || data.unit})`, `after (${unit.name || data.unit})`]);
  main.append(make("h2", {}, "Inputs before and after"), f.svg.node());
};
const drawComparison = main => {
  main.append(changeCards(), make("p", { class: "verdict" }, data.verdict), make("p", { class: "dim" }, `before: ${data.comparison.before}`, make("br"), `after: ${data.comparison.after}`));
  main.append(make("h2", {}, "Distribution of the cost of an input, before and after"), make("div", { class: "bar" },
    choice("chart", "chart", [["histogram", "histogram"], ["ecdf", "distribution function"], ["quantiles", "quantiles"]]), choice("axis", "axis", [["log", "log"], ["linear", "linear"]])), drawDistribution(),
    make("div", { class: "legend" }, ...[["var(--mark)", "before"], ["var(--after)", "after"]].map(([colour, text]) => { const mark = make("i"); mark.style.background = colour; return make("span", {}, mark, text); })));
  drawPairs(main);
  for (const note of data.notes)
    main.append(make("p", { class: "dim" }, "note: " + note));
};
const drawChanges = main => {
  const c = data.comparison, unit = unitFor(d3.max(c.functions, f => Math.max(f.cost.before ?? 0, f.cost.after ?? 0)) || 1);
  main.append(make("p", {}, `${c.functions.length} of ${c.functionsCompared} functions changed; costs of a function itself, per input.`));
  const cells = f => [make("span", { title: f.name }, f.shown), f.state + (f.codeChanged ? ", other code" : ""), costText(f.cost.before, unit), costText(f.cost.after, unit), changeText(f.share), changeInterval(f.shareInterval),
    f.calls.before || f.calls.after ? `${digits(f.calls.before)} → ${digits(f.calls.after)}` : ""];
  const table = places("Functions", c.functions, ["function", "state", "before", "after", "of the program's mean", "90 %", "calls"], cells);
  if (table)
    main.append(table);
  const order = allRuns.slice().sort((a, b) => Math.abs(after.costs[b] / before.costs[b] - 1) - Math.abs(after.costs[a] / before.costs[a] - 1)).slice(0, 20);
  main.append(places("Inputs that changed most", order, ["input", "before", "after", "change"], run => [data.labels[run], costText(before.costs[run]), costText(after.costs[run]), changeText(after.costs[run] / before.costs[run] - 1)]));
};
