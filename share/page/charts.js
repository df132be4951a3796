// Frames and axes of all charts.

const margin = { top: 20, right: 16, bottom: 34, left: 56 };

/// An SVG of that size in user units, which shrinks with the page, and the place to draw in.
const frame = (width, height, name) => {
  const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("role", "img").attr("aria-label", name);
  return { svg, width: width - margin.left - margin.right, height: height - margin.top - margin.bottom,
    plot: svg.append("g").attr("transform", `translate(${margin.left},${margin.top})`) };
};
const drawingWidth = () => Math.max(420, Math.min(1100, document.getElementById("main").clientWidth - 40));

/// A scale for costs: logarithmic where that is asked for and all are above 0.
const costScale = (low, high, range) => {
  const logarithmic = state.axis === "log" && low > 0;
  if (logarithmic) {
    const room = Math.max((high / low) ** 0.03, 1.01);
    return d3.scaleLog().domain([low / room, high * room]).range(range);
  }
  const room = (high - low) * 0.03 || Math.abs(high) * 0.05 || 1;
  return d3.scaleLinear().domain([low >= 0 ? Math.max(0, low - room) : low - room, high + room]).range(range);
};
/// Ticks of a scale of costs, few enough to be read.
const costAxis = (axis, scale, unit, room, apart = 80) => {
  const wanted = Math.max(2, Math.floor(room / apart));
  let values = scale.ticks(wanted);
  // Of a logarithmic scale 1, 2 and 5, or powers of ten, or some of these.
  for (const kind of [/^[125](e|\.0*e)/, /^1(e|\.0*e)/])
    if (scale.base && values.length > wanted) {
      const some = values.filter(x => kind.test(x.toExponential()));
      values = some.length > 1 ? some : values;
    }
  values = values.filter((_, i) => i % Math.ceil(values.length / wanted) === 0);
  return axis.scale(scale).tickValues(values).tickFormat(x => digits(x / unit.by, 3));
};
const axes = (f, x, y, names) => {
  f.plot.append("g").attr("class", "axis").attr("transform", `translate(0,${f.height})`).call(x);
  f.plot.append("g").attr("class", "axis").call(y);
  f.plot.append("text").attr("class", "label").attr("x", f.width).attr("y", f.height + 30).attr("text-anchor", "end").text(names[0]);
  f.plot.append("text").attr("class", "label").attr("x", 4 - margin.left).attr("y", -10).text(names[1]);
};
/// Buttons of which one is chosen.
const choice = (name, key, values) => make("span", { role: "group", "aria-label": name }, ...values.map(([value, text]) =>
  make("button", { "aria-pressed": String(state[key] === value), style: state[key] === value ? "border-color: var(--mark); font-weight: 600" : "",
    onclick: () => go({ [key]: value }, true) }, text)));
const select = (name, key, values) => {
  const box = make("select", { "aria-label": name, onchange: event => go({ [key]: event.target.value }, true) },
    ...values.map(([value, text]) => make("option", { value }, text)));
  box.value = state[key];
  return box;
};
