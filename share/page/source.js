// Sources with what their lines cost, as they were when the page was made.

const lineNode = (number, text, known) => {
  const [, executions, share] = known ?? [], node = make("div", {}, make("span", { class: "n" }, String(number)), make("span", { class: "x" }, known ? digits(executions) : ""),
    make("span", { class: "s" }, known && share > 0.00005 ? percentText(share) : ""), make("span", {}, text));
  if (share > 0)
    node.style.background = `rgba(var(--heat), ${Math.min(0.6, 0.06 + Math.sqrt(share) * 0.6)})`;
  return node;
};
/// Lines of a file from one to another; `at`: the one to begin with.
const listing = (file, from = 1, to = Infinity, at = 0) => {
  const known = new Map(file.lines.map(l => [l[0], l])), lines = [];
  for (const [first, text] of file.parts)
    text.split("\n").forEach((line, i) => {
      if (first + i >= from && first + i <= to) {
        if (lines.length ? lines[lines.length - 1][0] + 1 < first + i : i === 0 && first > from)
          lines.push([null, ""]); // what is left out
        lines.push([first + i, line]);
      }
    });
  const body = make("div"), head = make("div", { class: "dim" }, make("span", { class: "n" }, "line"), make("span", { class: "x" }, "executed"), make("span", { class: "s" }, "cost"));
  const box = make("pre", { class: "source", tabindex: "0" }, head, body);
  box.first = lines.findIndex(l => l[0] === at);
  return rowsInSight(box, body, lines, 18, ([number, text]) => number === null ? make("div", { class: "dim" }, make("span", { class: "n" }, "…")) : lineNode(number, text, known.get(number)),
    h => make("div", { style: `height:${h}px` }));
};
/// The lines of a function: from a few above its beginning to where the next one begins.
const sourceAround = row => {
  const file = data.files.find(f => f.path === row.file);
  if (!file?.parts.length || !row.line)
    return null;
  const next = d3.min(data.rows.filter(r => r.file === row.file && r.line > row.line), r => r.line) ?? Infinity;
  return listing(file, Math.max(1, row.line - 3), Math.min(next - 1, row.line + 400));
};
const drawSource = main => {
  if (data.files.length === 0)
    return main.append(make("p", {}, "No source of the program was found where it was compiled."));
  const [, path, line] = /^(.*?)(?::(\d+))?$/.exec(state.file), chosen = data.files.find(f => f.path === path) ?? data.files[0];
  const box = make("select", { "aria-label": "file", onchange: event => go({ file: event.target.value }, true) }, ...data.files.map(f => make("option", { value: f.path }, `${f.path}  ${percentText(d3.sum(f.lines, l => l[2]))}`)));
  box.value = chosen.path;
  main.append(make("div", { class: "bar" }, make("label", {}, "file "), box));
  if (!chosen.parts.length)
    return main.append(make("p", { class: "dim" }, chosen.why), places("Its lines", chosen.lines.slice().sort((a, b) => b[2] - a[2]).slice(0, 50), ["line", "executed/run", "share of the mean"], l => [String(l[0]), digits(l[1]), percentText(l[2])]));
  main.append(listing(chosen, 1, Infinity, Number(line)));
};
