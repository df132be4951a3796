// How far figures can be trusted: what they come from, how well times were told, what has to be said.

const drawTrust = main => {
  const r = data.runs, rows = [["runs", `${r.used} used, ${r.censored} of them stopped; ${r.crashed + r.unrecorded} left out`], ["machine", data.machine], ["unit", data.unit]];
  if (data.inputError > 0)
    rows.push(["error of an input", `${percentText(data.inputError)} in the median, of inputs that a fit had left out`]);
  if (data.residual)
    rows.push(["what the machine adds", `a standard deviation of ${percentText(Math.sqrt(data.residual.variance))} for equal counts`]);
  if (data.startUp > 0)
    rows.push(["start of the process", costText(data.startUp) + " in each run"]);
  for (const b of data.builds)
    rows.push(["build", `${b.id.slice(0, 12)}  ${b.path}  ${b.runs} runs${b.used < b.runs ? `, ${b.used} used` : ""}${b.tags.length ? "  " + b.tags.join(", ") : ""}${b.commits.length ? "  commit " + b.commits.map(c => c.slice(0, 12)).join(", ") : ""}`]);
  main.append(make("h2", {}, "What the figures come from"), make("table", {}, make("tbody", {}, ...rows.map(([name, text]) => make("tr", {}, make("td", { class: "text dim" }, name), make("td", { class: "text", style: "white-space: normal" }, text))))));
  if (data.timed.length)
    drawTimed(main);
  if (data.notes.length)
    main.append(make("h2", {}, "Notes"), ...data.notes.map(n => make("p", {}, n)));
};
/// Predictions beside clocks.
const drawTimed = main => {
  const unit = unitFor(d3.median(data.timed, t => t[1])), f = frame(drawingWidth(), 320, "predicted against measured"), points = data.timed.map(([run, time]) => ({ run, time, predicted: before.costs[run] }));
  const all = points.flatMap(p => [p.time, p.predicted]), x = costScale(d3.min(all), d3.max(all), [0, f.width]), y = costScale(d3.min(all), d3.max(all), [f.height, 0]), [low, high] = x.domain();
  f.plot.append("line").attr("x1", x(low)).attr("y1", y(low)).attr("x2", x(high)).attr("y2", y(high)).style("stroke", "var(--line)");
  f.plot.selectAll("circle").data(points).enter().append("circle").attr("r", 3.2).attr("cx", p => x(p.time)).attr("cy", p => y(p.predicted)).style("fill", "var(--mark)").style("fill-opacity", 0.7)
    .on("mousemove", p => showTip(d3.event, `${data.labels[p.run]}\nmeasured ${costText(p.time, unit)}\npredicted ${costText(p.predicted, unit)} (${percentText(p.predicted / p.time - 1)})`)).on("mouseout", hideTip);
  axes(f, costAxis(d3.axisBottom(), x, unit, f.width), costAxis(d3.axisLeft(), y, unit, f.height, 36), [`measured, least of its repetitions (${unit.name})`, `predicted (${unit.name})`]);
  main.append(make("h2", {}, "Timed inputs"), f.svg.node(), make("p", { class: "dim" }, "These inputs calibrated the prices: in sample. The error above is of inputs that were left out."));
};
