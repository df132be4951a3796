// The side: what would be if functions cost more or less. Nothing is estimated there: runs are priced again.

const shownFactor = x => "x " + (x >= 0.995 && x < 1.005 ? "1" : x.toFixed(2));
const sliderOf = (column, factor) => {
  const c = data.columns[column], value = make("span", { class: factor === 1 ? "dim" : "after" }, shownFactor(factor));
  const input = make("input", { type: "range", min: 0, max: 2, step: 0.05, value: factor, "aria-label": "cost of " + c.name, "data-column": column,
    onchange: event => { held = null; cancelAnimationFrame(pending); setFactor(column, Number(event.target.value)); },
    oninput: event => { const x = Number(event.target.value); held = input; value.textContent = shownFactor(x); value.className = x === 1 ? "dim" : "after"; later(() => setFactor(column, x)); } });
  return make("div", { class: "slider" }, make("div", { class: "head" }, make("span", { title: c.name }, c.name), value, factor === 1 ? null : make("button", { title: "as it was", onclick: () => setFactor(column, null) }, "×")), input);
};
/// Not for each pixel of a slider that is drawn: the last value of each moment.
let pending = 0;
const later = act => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(act);
};
const effectText = () => {
  const rows = [["p50", 0.5], ["p90", 0.9], ["p99", 0.99]].map(([name, p]) => [name, percentile(before, p), after ? percentile(after, p) : null]);
  rows.push(["mean", before.law.mean, after ? after.law.mean : null]);
  return make("table", { id: "effect" }, make("tbody", {}, ...rows.map(([name, was, is]) => make("tr", {}, make("td", { class: "text dim" }, name), make("td", {}, costText(was, unitFor(was))),
    make("td", { class: "after", id: "effect-" + name }, is === null ? "" : costText(is, unitFor(is))), make("td", { class: "dim" }, is === null || !(was > 0) || !Number.isFinite(is) ? "" : (is >= was ? "+" : "") + (100 * (is / was - 1)).toFixed(1) + " %")))));
};
let moreSliders = false, morePrices = false, held = null; // the slider that is being drawn must stay where it is
const drawWhatif = side => {
  if (held) {
    side.querySelector("#effect").replaceWith(effectText());
    return;
  }
  const set = factors(), focused = document.activeElement?.dataset?.column, numbers = d3.range(data.columns.length);
  const functions = numbers.filter(c => !isPrice(c)), prices = numbers.filter(isPrice);
  const ordered = some => [...some.filter(c => set.has(c)), ...some.filter(c => !set.has(c))];
  const shown = ordered(functions).slice(0, moreSliders ? Infinity : Math.max(8, set.size)), shownPrices = ordered(prices).slice(0, morePrices ? Infinity : 4);
  const chosen = make("input", { type: "search", placeholder: "another function…", list: "columns-list", "aria-label": "add a function",
    onchange: event => { const c = functions.find(k => data.columns[k].name === event.target.value); if (c !== undefined && !set.has(c)) setFactor(c, 1); } });
  const more = (all, isOpen, turn) => make("button", { onclick: () => { turn(); drawWhatif(side); } }, isOpen ? "fewer" : `all ${all.length}`);
  const command = c => `'${isPrice(c) ? "price" : "cost"}(${data.columns[c].name}) *= ${set.get(c)}'`;
  side.replaceChildren(...[make("h2", {}, "What if these cost"), ...(data.columns.length ? [effectText(), ...shown.map(c => sliderOf(c, set.get(c) ?? 1)),
    make("div", { class: "bar" }, chosen, make("datalist", { id: "columns-list" }, ...functions.map(c => make("option", { value: data.columns[c].name }))),
      functions.length > 8 ? more(functions, moreSliders, () => moreSliders = !moreSliders) : null, set.size ? make("button", { onclick: () => go({ set: "" }, true) }, "as it was") : null),
    ...(prices.length ? [make("h2", {}, "or, on another machine, these"), ...shownPrices.map(c => sliderOf(c, set.get(c) ?? 1)), prices.length > 4 ? more(prices, morePrices, () => morePrices = !morePrices) : null] : []),
    set.size ? make("p", { class: "dim" }, "The same by the tool, with intervals: ", make("code", {}, `quincunx whatif ${data.corpus} ` + [...set.keys()].map(command).join(" "))) : null,
    make("p", { class: "dim" }, "Counts of every run stay as recorded; costs of a function itself change, with what was inlined into it and without what it calls. Percentiles are those of all runs priced again.")]
    : [make("p", { class: "dim" }, "No function costs anything by these prices.")])].filter(Boolean));
  if (focused !== undefined)
    side.querySelector(`input[data-column="${focused}"]`)?.focus();
};
