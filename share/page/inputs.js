// Cost against what is known of inputs: one feature, with a law of growth where one holds.

const lawAt = (law, n) => law.power !== null && law.power !== undefined ? law.b * n ** law.power
  : law.of[0] + law.of[1] * n + law.of[2] * n * Math.log2(n) + law.of[3] * n * n + law.of[4] * n * n * n;
/// Does its law predict the larger half of the sizes from the smaller one?
const holds = growth => growth.law && growth.law.error <= 0.1;
const drawInputs = main => {
  const names = Object.keys(data.features);
  if (names.length === 0)
    return main.append(make("p", {}, "Nothing is known of the inputs but their costs. ", make("code", {}, "quincunx run --feature 'n=…'"), " says what they are like."));
  const lawful = data.growth.filter(holds).sort((a, b) => a.law.error - b.law.error)[0]; // what tells most about the cost
  const name = names.includes(state.feature) ? state.feature : lawful?.feature ?? names[0], values = numbers(data.features[name]);
  const bar = make("div", { class: "bar" }, make("label", {}, "feature "), select("feature", "feature", names.map(n => [n, n])), choice("axis", "axis", [["log", "log"], ["linear", "linear"]]), select("groups", "by", waysToGroup()));
  bar.querySelector("select").value = name;
  main.append(bar);
  const f = frame(drawingWidth(), 380, `cost of a run against ${name}`), costs = now().costs, unit = unitFor(percentile(before, 0.5)), known = allRuns.filter(run => Number.isFinite(values[run]));
  const [low, high] = d3.extent(known, run => values[run]);
  const x = state.axis === "log" && low > 0 ? d3.scaleLog().domain([low / 1.05, high * 1.05]).range([0, f.width]) : d3.scaleLinear().domain(low === high ? [low - 1, high + 1] : [low, high]).nice().range([0, f.width]);
  const y = costScale(d3.min(known, run => costs[run]), d3.max(known, run => costs[run]), [f.height, 0]);
  const growth = data.growth.find(g => g.feature === name);
  if (growth && holds(growth) && !after)
    drawLaw(f, x, y, growth.law, known, values, costs);
  const groups = runGroups();
  f.plot.selectAll("circle").data(known).enter().append("circle").attr("cx", run => x(values[run])).attr("cy", run => y(costs[run])).attr("r", known.length > 2000 ? 2 : 3.2)
    .style("fill", run => colourOf(Math.max(0, groups.findIndex(g => g.has(run))))).style("fill-opacity", 0.65)
    .on("mousemove", run => showTip(d3.event, `${data.labels[run]}\n${name} = ${digits(values[run], 6)}\n${costText(costs[run], unit)}`)).on("mouseout", hideTip);
  axes(f, (x.base ? costAxis(d3.axisBottom(), x, { by: 1 }, f.width) : d3.axisBottom(x).ticks(8)), costAxis(d3.axisLeft(), y, unit, f.height, 36), [name, `cost of a run (${unit.name || data.unit})`]);
  main.append(f.svg.node(), ...[legend(groups)].filter(Boolean));
  if (growth && holds(growth))
    main.append(make("p", {}, `mean cost = ${growth.law.text} `, make("span", { class: "dim" }, `(${data.unit}); fitted to the smaller half of the sizes it is off by ${percentText(growth.law.error)} in the larger half. The band holds 90 % of the runs.`
      + (after ? " With changes at the side it is not drawn." : ""))));
  else if (growth)
    main.append(make("p", { class: "dim" }, "No law of growth holds: " + (growth.why || `the best, fitted to the smaller half of the sizes, is off by ${percentText(growth.law.error)} in the larger half`) + "."));
  if (growth?.loops.length)
    main.append(places("How its loops grow", growth.loops, ["place", "iterations of a run", "predicts larger inputs", "share of the mean"], l => [l.place, l.holds ? l.law : "", l.holds ? "within 10 %" : "no", percentText(l.share)]));
};
const drawLaw = (f, x, y, law, known, values, costs) => {
  const ratios = known.map(run => costs[run] / lawAt(law, values[run])).filter(r => r > 0 && Number.isFinite(r)).sort(d3.ascending);
  const [least, most] = [d3.quantile(ratios, 0.05), d3.quantile(ratios, 0.95)], [low, high] = x.domain();
  const at = d3.range(101).map(i => x.invert(f.width * i / 100)).filter(n => n >= low && n <= high && n > 0 && lawAt(law, n) > 0);
  const inside = v => Math.max(-5, Math.min(f.height + 5, y(v)));
  f.plot.append("path").attr("d", d3.area().x(n => x(n)).y0(n => inside(least * lawAt(law, n))).y1(n => inside(most * lawAt(law, n)))(at)).style("fill", "var(--mark-soft)");
  f.plot.append("path").attr("d", d3.line().x(n => x(n)).y(n => inside(lawAt(law, n)))(at)).style("fill", "none").style("stroke", "var(--mark)").style("stroke-width", 1.5);
};
