// Flame graph: stacks of functions, as wide as they cost in the mean, or in the slowest runs.

/// The cost of each function in some runs over that in all; 1 where single runs are not known.
const weightsIn = some => {
  const known = data.columns.map((_, c) => { const mean = meanOf(c, allRuns); return mean > 0 ? meanOf(c, some) / mean : 1; });
  return data.graph.map(g => g.column < 0 ? 1 : known[g.column] * (after?.set.get(g.column) ?? 1));
};
const treeOf = weights => {
  const root = { name: "a run", children: new Map(), self: 0, graph: -1 };
  for (const [cost, ...stack] of data.stacks) {
    let at = root;
    for (const g of stack) {
      if (!at.children.has(g))
        at.children.set(g, { name: data.graph[g].name, graph: g, children: new Map(), self: 0 });
      at = at.children.get(g);
    }
    at.self += cost * (stack.length ? weights[stack[stack.length - 1]] : 1);
  }
  return root;
};
/// 1: as much more in the slowest runs as these are slower in all.
const ratioColour = (g, ratios, whole) => {
  if (g < 0)
    return "#c9ced6";
  if (data.graph[g].column < 0)
    return "#d8dbe0";
  const r = Math.log2(Math.max(1e-3, ratios[g]) / whole);
  return r >= 0 ? d3.interpolateRgb("#f3e3b0", "#e0552b")(Math.min(1, r / 3)) : d3.interpolateRgb("#f3e3b0", "#6aa6d8")(Math.min(1, -r / 3));
};
const drawFlame = main => {
  const usual = weightsIn(middleRuns()), slow = weightsIn(tailRuns());
  const weights = state.flame === "p99" ? slow : state.flame === "p50" ? usual : data.graph.map(g => g.column < 0 ? 1 : after?.set.get(g.column) ?? 1);
  const ratios = slow.map((s, i) => usual[i] > 0 ? s / usual[i] : s > 0 ? 1e3 : 1);
  const costs = (arePrices() ? before : now()).costs, whole = d3.mean(tailRuns(), run => costs[run]) / d3.mean(middleRuns(), run => costs[run]);
  const root = d3.hierarchy(treeOf(weights), n => [...n.children.values()]).sum(n => n.self).sort((a, b) => b.value - a.value);
  const width = drawingWidth(), level = 19, unit = unitFor(root.value);
  d3.partition().size([width, (root.height + 1) * level])(root);
  main.append(make("div", { class: "bar" }, choice("cost of", "flame", [["mean", "mean run"], ["p50", "median runs"], ["p99", "slowest runs"]]), make("span", { class: "dim", id: "flame-at" })));
  const svg = d3.create("svg").attr("class", "flame").attr("width", width).attr("height", (root.height + 1) * level).attr("viewBox", `0 0 ${width} ${(root.height + 1) * level}`);
  let [from, to] = [root.x0, root.x1];
  const draw = () => {
    const x = d3.scaleLinear().domain([from, to]).range([0, width]);
    const seen = root.descendants().filter(n => x(n.x1) > 0 && x(n.x0) < width && x(n.x1) - x(n.x0) > 0.4);
    svg.selectAll("*").remove();
    const cell = svg.selectAll("g").data(seen).enter().append("g").attr("tabindex", n => x(n.x1) - x(n.x0) > 12 ? "0" : null)
      .on("click", zoom).on("keydown", n => { if (d3.event.key === "Enter") zoom(n); })
      .on("mousemove", n => showTip(d3.event, `${n.data.name}\n${costText(n.value, unit)}, ${percentText(n.value / root.value)} of ${state.flame === "mean" ? "the mean" : state.flame === "p50" ? "the median runs" : "the slowest runs"}`
        + (n.data.graph >= 0 && data.graph[n.data.graph].column >= 0 ? `\nitself x ${digits(ratios[n.data.graph], 3)} in the slowest runs (a run: x ${digits(whole, 3)})` : ""))).on("mouseout", hideTip);
    cell.append("rect").attr("x", n => Math.max(0, x(n.x0))).attr("y", n => n.depth * level).attr("width", n => Math.min(width, x(n.x1)) - Math.max(0, x(n.x0))).attr("height", level - 1)
      .attr("fill", n => ratioColour(n.data.graph, ratios, whole));
    cell.filter(n => x(n.x1) - x(n.x0) > 34).append("text").attr("x", n => Math.max(0, x(n.x0)) + 4).attr("y", n => n.depth * level + 13)
      .text(n => { const room = (Math.min(width, x(n.x1)) - Math.max(0, x(n.x0)) - 8) / 7; return n.data.name.length > room ? n.data.name.slice(0, Math.max(1, room - 1)) + "…" : n.data.name; });
  };
  const zoom = n => {
    [from, to] = n.x0 === from && n.x1 === to ? [root.x0, root.x1] : [n.x0, n.x1];
    document.getElementById("flame-at").textContent = n === root ? "" : n.ancestors().reverse().slice(1).map(a => a.data.name).join(" > ");
    draw();
  };
  draw();
  if (arePrices())
    main.append(make("p", { class: "after" }, "As recorded: what functions spend on each price is not in this page."));
  main.append(svg.node(), make("p", { class: "dim" }, "Colour: what a function costs itself in the slowest runs over that in median ones; red more than these runs are slower in all, blue less, grey not known run by run. "
    + "Stacks are not recorded: all calls of a function by one caller are taken to cost the same. A click zooms, another one goes back."));
};
