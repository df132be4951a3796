// Long lists: only rows in sight are in the page, of equal height, between two blanks for the others.

/// Fills `body`, which is all of `box` but a head, with what `rowOf` makes of rows; a number in `box.first` is the row
/// to begin with.
const rowsInSight = (box, body, rows, height, rowOf, spacer) => {
  let drawn = "";
  const fill = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 10), last = Math.min(rows.length, first + Math.ceil((box.clientHeight || 800) / height) + 20);
    if (drawn === first + "-" + last)
      return;
    drawn = first + "-" + last;
    body.replaceChildren(spacer(first * height), ...rows.slice(first, last).map(row => { const node = rowOf(row); node.style.height = height + "px"; return node; }), spacer((rows.length - last) * height));
  };
  box.addEventListener("scroll", fill);
  fill();
  requestAnimationFrame(() => {
    if (box.first > 0) {
      fill();
      box.scrollTop = Math.max(0, (box.first - 8) * height);
    }
    fill();
  });
  return box;
};
