// What the page holds, and how its figures are written.

const data = JSON.parse(document.getElementById("data").textContent);

/// Numbers as the tool packs them: little-endian floats of four or eight bytes, in base64.
const unpack = text => {
  const bytes = Uint8Array.from(atob(text.slice(1)), c => c.charCodeAt(0));
  const view = new DataView(bytes.buffer), eight = text[0] === "d";
  const out = new Float64Array(bytes.length / (eight ? 8 : 4));
  for (let i = 0; i < out.length; ++i)
    out[i] = eight ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true);
  return out;
};
const unpacked = new Map();
/// Of a packed text, once.
const numbers = text => {
  if (!unpacked.has(text))
    unpacked.set(text, unpack(text));
  return unpacked.get(text);
};

const isTime = ["ns", "us", "ms", "s"].includes(data.unit);
const seconds = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 };

/// The unit in which figures of about this size are written, and what they are divided by.
const unitFor = x => {
  if (!isTime)
    return { name: "", by: 1 };
  const s = Math.abs(x) * seconds[data.unit];
  const name = s >= 1 ? "s" : s >= 1e-3 ? "ms" : s >= 1e-6 ? "us" : "ns";
  return { name, by: seconds[name] / seconds[data.unit] };
};
/// Four digits, as in the tool's tables.
const digits = (x, n = 4) => {
  if (x === null || x === undefined || Number.isNaN(x))
    return "";
  if (!Number.isFinite(x))
    return "open";
  if (x === 0)
    return "0";
  const text = Number(x.toPrecision(n));
  return Math.abs(text) >= 1e9 || Math.abs(text) < 1e-4 ? text.toExponential().replace("+", "") : String(text);
};
const costText = (x, unit = unitFor(x)) => x === null || !Number.isFinite(x) ? digits(x ?? Infinity) : digits(x / unit.by) + (unit.name && " " + unit.name);
const percentText = x => x === null || !Number.isFinite(x) ? "" : (100 * x).toFixed(1) + " %";

const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on"))
      node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value === true ? "" : value);
  node.append(...children.filter(c => c !== null && c !== undefined));
  return node;
};

const tip = document.getElementById("tip");
const showTip = (event, text) => {
  tip.textContent = text;
  tip.hidden = !text;
  const right = event.clientX + 16 + tip.offsetWidth > innerWidth;
  tip.style.left = (right ? Math.max(4, event.clientX - 12 - tip.offsetWidth) : event.clientX + 14) + "px";
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4) + "px";
};
const hideTip = () => { tip.hidden = true; };

/// Of what runs cost: as recorded, and as it would be.
const runs = {
  number: data.labels.length,
  weights: data.weights ? numbers(data.weights) : null,
  open: new Set(data.open),
  expected: data.expected.map(numbers),
};
const weightOf = run => runs.weights ? runs.weights[run] : 1;
