// Puts the views together; keys: 1 to 6 choose one, / filters, Escape goes back.

const views = data.comparison ? [["overview", "Comparison", drawComparison], ["functions", "Functions and inputs", drawChanges]] : [["overview", "Overview", drawOverview], ["functions", "Functions", drawFunctions], ["flame", "Flame graph", drawFlame], ["inputs", "Inputs", drawInputs], ["source", "Source", drawSource], ["trust", "Trust", drawTrust]];

const drawHead = () => {
  document.title = data.title + " – quincunx";
  document.getElementById("title").textContent = data.title;
  document.getElementById("subtitle").textContent = data.comparison ? `${data.runs.used} inputs, machine ${data.machine}` : `${data.runs.used} ${data.request ? "requests of " + data.request : "runs"}, ${data.corpus}, machine ${data.machine}, ${data.unit === "cost units" || isTime ? "in " + data.unit : data.unit}`;
  document.getElementById("views").replaceChildren(...views.map(([key, name]) => make("button", { role: "tab", "aria-selected": String(key === state.view || (key === "functions" && state.view === "function")), onclick: () => go({ view: key }) }, name)));
  document.getElementById("foot").textContent = `Made by quincunx ${data.tool}. Everything is in this file; it asks no server for anything. Keys: 1 to ${views.length} choose a view, / filters functions, Escape goes back.`;
};
redraw = change => {
  updateWorld();
  drawHead();
  const main = document.getElementById("main"), place = main.querySelector(".virtual")?.scrollTop, draw = state.view === "function" ? drawFunction : (views.find(v => v[0] === state.view) ?? views[0])[2];
  hideTip();
  main.replaceChildren();
  draw(main);
  if (place && "set" in change)
    main.querySelector(".virtual").scrollTop = place;
  if (!data.comparison)
    drawWhatif(document.getElementById("whatif"));
};
addEventListener("popstate", () => { readState(); redraw({}); });
addEventListener("hashchange", () => { readState(); redraw({}); });
addEventListener("keydown", event => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape")
      event.target.blur();
    return;
  }
  const view = views[Number(event.key) - 1];
  if (view)
    go({ view: view[0] });
  else if (event.key === "/") {
    event.preventDefault();
    go({ view: "functions" });
    document.getElementById("find").focus();
  } else if (event.key === "Escape")
    history.back();
});
let resized = 0;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => redraw({}), 150); });
if (data.comparison) {
  document.getElementById("whatif").remove();
  document.getElementById("columns").style.display = "block";
}
readState();
redraw({});
