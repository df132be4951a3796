// The table of functions: sorted, filtered, and only as many rows in the page as are seen.

/// What a function costs itself, with the factor that is set for it: scaled as a whole.
const factorOf = row => row.scales ? after?.set.get(row.column) ?? 1 : 1;
/// Prices changed, and what functions spend on each is not known here.
const arePrices = () => !!after && [...after.set.keys()].some(isPrice);
const selfShare = row => factorOf(row) * row.self.mean / (arePrices() ? before : now()).law.mean;
const figures = {
  p99: row => row.total?.p99 ?? row.self.p99, total50: row => row.total?.p50, totalShare: row => row.totalShare, self50: row => factorOf(row) * row.self.p50,
  self99: row => factorOf(row) * row.self.p99, share: selfShare, calls: row => row.calls, call50: row => row.call?.p50, call99: row => row.call?.p99, name: row => row.name,
};
const heads = [["function", "name"], ["total p50", "total50"], ["p99", "p99"], ["share", "totalShare"], ["self p50", "self50"], ["p99", "self99"], ["share", "share"], ["", null], ["calls/run", "calls"],
  ["a call p50", "call50"], ["p99", "call99"]];

const shownRows = () => {
  const find = state.find.toLowerCase(), key = figures[state.sort] ?? figures.p99;
  const some = data.rows.filter(row => !find || row.name.toLowerCase().includes(find) || row.place.toLowerCase().includes(find));
  const ascending = (state.sort === "name") !== (state.up === "1");
  const rank = row => { const x = key(row); return x === undefined || x === null ? (ascending ? Infinity : -Infinity) : typeof x === "number" && !Number.isFinite(x) ? 1e300 : x; };
  return some.sort((a, b) => ascending ? d3.ascending(rank(a), rank(b)) : d3.descending(rank(a), rank(b)));
};

/// The distribution of what a function costs itself in a run: where runs are known, how many cost how much,
/// else from the least over the percentiles to the most.
const sparkline = row => {
  const width = 56, height = 16, svg = d3.create("svg").attr("width", width).attr("height", height).attr("aria-hidden", "true");
  if (row.column >= 0) {
    const cost = numbers(data.columns[row.column].cost[0]), [low, high] = d3.extent(cost);
    const x = low > 0 && high > 4 * low ? d3.scaleLog().domain([low, high]) : d3.scaleLinear().domain([low, high || 1]);
    const bins = new Array(28).fill(0);
    for (const c of cost)
      ++bins[high > low ? Math.min(27, Math.floor(28 * x(c))) : 14];
    const most = d3.max(bins);
    svg.selectAll("rect").data(bins).enter().append("rect").attr("x", (_, i) => 2 * i).attr("width", 1.6).attr("y", b => height - height * b / most).attr("height", b => height * b / most)
      .style("fill", "var(--mark)");
  } else if (row.self.max > 0) {
    const x = d3.scaleLinear().domain([row.self.min, row.self.max || 1]).range([0, width]);
    svg.append("rect").attr("x", x(row.self.min)).attr("width", Math.max(1, x(row.self.p50) - x(row.self.min))).attr("y", 5).attr("height", 6).style("fill", "var(--mark)");
    svg.append("rect").attr("x", x(row.self.p50)).attr("width", Math.max(1, (Number.isFinite(row.self.p99 ?? NaN) ? x(row.self.p99) : width) - x(row.self.p50))).attr("y", 5).attr("height", 6).style("fill", "var(--mark-soft)");
  }
  return svg.node();
};

const cellsOf = (row, unit) => {
  // In a unit of time as the tool's tables have it; counts have four digits.
  const inUnit = x => x === null || x === undefined ? "" : !unit.name ? digits(x) : x > 0 && x < 0.005 * unit.by ? "<0.01" : (x / unit.by).toFixed(2);
  const asWas = after && (arePrices() || !row.scales) ? "dim" : null; // something may have been inlined into what changes
  const self = key => make("td", { class: asWas }, !row.priced ? "" : row.self[key] === null ? "open" : inUnit(factorOf(row) * row.self[key]));
  const total = text => make("td", { class: after ? "dim" : null }, row.total ? text() : "");
  const mark = row.totalExact ? "" : "~";
  return [make("td", { class: "text name", title: row.full }, row.name, row.kind ? make("span", { class: "dim" }, ` (${row.kind})`) : null), total(() => mark + inUnit(row.total.p50)),
    total(() => row.total.p99 === null ? "open" : mark + inUnit(row.total.p99)), total(() => percentText(row.totalShare)), self("p50"), self("p99"), make("td", { class: asWas }, row.priced ? percentText(selfShare(row)) : ""), make("td", {}, sparkline(row)),
    make("td", {}, row.calls === null ? "" : digits(row.calls)), make("td", {}, row.call ? costText(row.call.p50) : ""), make("td", {}, row.call ? costText(row.call.p99) : "")];
};

const virtualTable = (head, rows, rowOf) => {
  const body = make("tbody"), box = make("div", { class: "virtual", tabindex: "0" }, make("table", {}, make("thead", {}, head), body));
  const spacer = h => make("tr", { "aria-hidden": "true" }, make("td", { style: `height:${h}px;padding:0;border:0`, colspan: 99 }));
  return rowsInSight(box, body, rows, 27, rowOf, spacer);
};

const drawFunctions = main => {
  const rows = shownRows(), unit = unitFor(d3.max(data.rows, r => r.self.mean) || 1);
  const find = make("input", { type: "search", placeholder: "filter functions ( / )", "aria-label": "filter functions", id: "find", value: state.find,
    oninput: event => { state.find = event.target.value; const place = event.target.selectionStart; go({ find: event.target.value }, true); const box = document.getElementById("find"); box.focus(); box.setSelectionRange(place, place); } });
  main.append(make("div", { class: "bar" }, find, make("span", { class: "dim" }, `${rows.length} of ${data.rows.length} functions`),
    make("span", { class: "dim" }, `per run in ${unit.name || data.unit}` + (after ? "; self with the changes at the side, what is grey as recorded" : ""))));
  const head = make("tr", {}, ...heads.map(([text, key]) => make("th", { class: key === "name" ? "text" : null, "aria-sort": key === state.sort ? (state.up ? "ascending" : "descending") : null },
    key ? make("button", { onclick: () => go(state.sort === key ? { up: state.up ? "" : "1" } : { sort: key, up: "" }, true) }, text + (key === state.sort ? (state.up ? " ▲" : " ▼") : "")) : text)));
  main.append(virtualTable(head, rows, row => make("tr", { tabindex: "0", onclick: () => go({ view: "function", f: String(row.number) }),
    onkeydown: event => { if (event.key === "Enter") go({ view: "function", f: String(row.number) }); } }, ...cellsOf(row, unit))));
  if (data.rows.some(r => r.total && !r.totalExact))
    main.append(make("p", { class: "dim" }, "~ estimated: some calls of it were not recorded by themselves"));
};
