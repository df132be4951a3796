// The distribution of what runs cost: histogram, distribution function, quantiles.

/// What is drawn: a law to ask for percentiles (rough where there are very many runs), and its costs.
const drawable = world => ({ law: world.rough, costs: world.costs, at: p => world.rough.quantile(p) });

const histogram = (unit, worlds) => {
  const f = frame(drawingWidth(), 300, "histogram of the cost of a run");
  const closed = allRuns.filter(run => !runs.open.has(run));
  const everything = worlds.flatMap(w => closed.map(run => w.costs[run]));
  const x = costScale(d3.min(everything), d3.max(everything), [0, f.width]);
  const number = Math.max(8, Math.min(60, Math.ceil(2 * Math.sqrt(closed.length))));
  const edge = i => x.invert(f.width * i / number);
  const binOf = cost => Math.max(0, Math.min(number - 1, Math.floor(x(cost) * number / f.width)));
  const groups = runGroups(), total = d3.sum(allRuns, weightOf);
  const fill = w => {
    const bins = d3.range(number).map(i => ({ from: edge(i), to: edge(i + 1), share: groups.map(() => 0), some: [] }));
    for (const run of closed) {
      const bin = bins[binOf(w.costs[run])], g = groups.findIndex(group => group.has(run));
      bin.share[g < 0 ? 0 : g] += weightOf(run) / total;
      if (bin.some.length < 5)
        bin.some.push(data.labels[run]);
    }
    return bins;
  };
  const filled = worlds.map(fill);
  const y = d3.scaleLinear().domain([0, d3.max(filled.flat(), b => d3.sum(b.share)) || 1]).nice().range([f.height, 0]);
  const step = f.width / number;
  filled[0].forEach((bin, i) => {
    let sum = 0;
    bin.share.forEach((share, g) => {
      f.plot.append("rect").attr("x", i * step + 0.5).attr("width", Math.max(step - 1, 0.5)).attr("y", y(sum + share)).attr("height", y(sum) - y(sum + share))
        .style("fill", colourOf(g)).style("opacity", worlds.length > 1 ? 0.45 : 0.85);
      sum += share;
    });
    f.plot.append("rect").attr("x", i * step).attr("width", step).attr("height", f.height).style("fill", "transparent")
      .on("mousemove", () => showTip(d3.event, `${costText(bin.from, unit)} to ${costText(bin.to, unit)}: ${percentText(sum)} of the runs`
        + (bin.some.length ? "\n" + bin.some.join("\n") : ""))).on("mouseout", hideTip);
  });
  if (filled[1])
    f.plot.append("path").attr("d", d3.line().curve(d3.curveStepAfter)([...filled[1].map((bin, i) => [i * step, y(d3.sum(bin.share))]), [f.width, f.height]]))
      .style("fill", "none").style("stroke", "var(--after)").style("stroke-width", 2).style("pointer-events", "none");
  axes(f, costAxis(d3.axisBottom(), x, unit, f.width), d3.axisLeft(y).ticks(5).tickFormat(percentText), [`cost of a run (${unit.name || data.unit})`, "share of runs"]);
  marks(f, worlds, x);
  return f.svg.node();
};
/// Where percentiles are.
const marks = (f, worlds, x) => worlds.forEach((w, which) => [0.5, 0.9, 0.99].forEach(p => {
  const at = x(w.at(p)), colour = which ? "var(--after)" : "var(--dim)";
  if (!(at >= 0 && at <= f.width))
    return;
  f.plot.append("line").attr("x1", at).attr("x2", at).attr("y2", f.height).style("stroke", colour).style("stroke-dasharray", "3 3").style("pointer-events", "none");
  f.plot.append("text").attr("x", at + 3).attr("y", 9 + 12 * which).style("fill", colour).text("p" + 100 * p);
}));

/// Percentiles of the law with where they lie with 90 %, on the grid of the document.
const banded = w => data.ranks.map(([p, low, high]) => ({ p, value: w.at(p), low: low > 0 ? w.at(low) : null, high: high > 0 ? w.at(high) : null }))
  .filter(q => Number.isFinite(q.value));
const bandOf = quantiles => quantiles.filter(q => q.low !== null && q.high !== null && Number.isFinite(q.high));
const extent = all => [d3.min(all.flat(), q => q.low ?? q.value), d3.max(all.flat(), q => Number.isFinite(q.high ?? NaN) ? q.high : q.value)];

const curves = (unit, worlds, name, place) => {
  const f = frame(drawingWidth(), 300, name), all = worlds.map(banded), [low, high] = extent(all);
  const { x, y, draw } = place(f, low, high);
  all.forEach((quantiles, which) => {
    const colour = which ? "var(--after)" : "var(--mark)";
    f.plot.append("path").attr("d", draw.band(bandOf(quantiles))).style("fill", which ? "var(--after-soft)" : "var(--mark-soft)");
    f.plot.append("path").attr("d", draw.line(quantiles)).style("fill", "none").style("stroke", colour).style("stroke-width", 2);
    f.plot.selectAll(null).data(quantiles).enter().append("circle").attr("r", 6).style("fill", "transparent").attr("cx", q => draw.at(q)[0]).attr("cy", q => draw.at(q)[1])
      .on("mousemove", q => showTip(d3.event, `p${digits(100 * q.p)}: ${costText(q.value, unit)}\n90 %: ${q.low === null ? "open" : costText(q.low, unit)} to ${q.high === null ? "open" : costText(q.high, unit)}`))
      .on("mouseout", hideTip);
  });
  axes(f, x, y, draw.names);
  return f.svg.node();
};
const distributionFunction = (unit, worlds) => curves(unit, worlds, "distribution function of the cost of a run", (f, low, high) => {
  const x = costScale(low, high, [0, f.width]), y = d3.scaleLinear().domain([0, 1]).range([f.height, 0]);
  return { x: costAxis(d3.axisBottom(), x, unit, f.width), y: d3.axisLeft(y).ticks(5).tickFormat(p => 100 * p + " %"), draw: {
    band: d3.area().y(q => y(q.p)).x0(q => x(q.low)).x1(q => x(q.high)), line: d3.line().x(q => x(q.value)).y(q => y(q.p)),
    at: q => [x(q.value), y(q.p)], names: [`cost of a run (${unit.name || data.unit})`, "share of runs that cost no more"] } };
});
/// The tail has room: each nine takes as much as the one before.
const quantilePlot = (unit, worlds) => curves(unit, worlds, "quantiles of the cost of a run", (f, low, high) => {
  const most = d3.max(data.ranks, r => r[0]), nines = p => -Math.log10(1 - p);
  const x = d3.scaleLinear().domain([0, nines(most)]).range([0, f.width]), y = costScale(low, high, [f.height, 0]);
  const ticks = [0, 0.5, 0.9, 0.99, 0.999].filter(p => p <= most);
  return { x: d3.axisBottom(x).tickValues(ticks.map(nines)).tickFormat((_, i) => "p" + 100 * ticks[i]), y: costAxis(d3.axisLeft(), y, unit, f.height, 36), draw: {
    band: d3.area().x(q => x(nines(q.p))).y0(q => y(q.low)).y1(q => y(q.high)), line: d3.line().x(q => x(nines(q.p))).y(q => y(q.value)),
    at: q => [x(nines(q.p)), y(q.value)], names: ["percentile", `cost of a run (${unit.name || data.unit})`] } };
});
const drawDistribution = () => {
  const worlds = [before, after].filter(Boolean).map(drawable), unit = unitFor(percentile(before, 0.5));
  const how = { histogram, ecdf: distributionFunction, quantiles: quantilePlot }[state.chart] ?? histogram;
  return how(unit, worlds);
};
