// What is shown, kept in the address of the page, so that a link shows the same.

const defaults = { view: "overview", chart: "histogram", axis: "log", by: "", f: "", feature: "", flame: "mean", sort: "p99", up: "", find: "", set: "", file: "" };
const state = { ...defaults };
const readState = () => {
  const from = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(defaults))
    state[key] = from.get(key) ?? defaults[key];
};
/// Changes some of it; `redraw` is set by the last file.
let redraw = () => {};
const go = (change, keepsPlace = false) => {
  Object.assign(state, change);
  const to = new URLSearchParams();
  for (const [key, value] of Object.entries(state))
    if (value !== defaults[key])
      to.set(key, value);
  const hash = "#" + to.toString();
  if (keepsPlace)
    history.replaceState(null, "", hash);
  else
    history.pushState(null, "", hash);
  redraw(change);
};

/// Factors of the what-if, by number of the column: "3:0.5,7:2" in the address. Either of functions or of prices: what
/// a function spends on each price is not in the page.
const isPrice = column => !!data.columns[column].isPrice;
const factors = () => new Map(state.set.split(",").filter(Boolean).map(word => word.split(":").map(Number))
  .filter(([column, factor]) => data.columns[column] && factor >= 0));
const setFactor = (column, factor) => {
  const all = factors();
  if (factor === null)
    all.delete(column);
  else {
    for (const other of [...all.keys()])
      if (isPrice(other) !== isPrice(column))
        all.delete(other);
    all.set(column, factor);
  }
  go({ set: [...all].map(pair => pair.join(":")).join(",") }, true);
};
