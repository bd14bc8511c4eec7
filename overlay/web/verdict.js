// Which verdict on the picture a tap means. The overlay is drawn anew with every picture, so that no element of
// it lives long enough to be tapped: the tap is compared with where the newest verdicts stand.
const FINGER_PX = 22;

/** The rules behind the verdict nearest to a point of the window, none when a finger there touches none. */
export function verdictAt(svg, message, x, y) {
  const matrix = svg.getScreenCTM();
  if (!message || !matrix) return [];
  const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  const near = FINGER_PX / matrix.a;
  const touched = message.annotations
    .filter((entry) => entry.kind === "banner" && entry.rules.length)
    .map((entry) => ({ entry, away: Math.min(...entry.plates.map((plate) => distance(plate.box, at))) }))
    .filter(({ away }) => away <= near)
    .sort((one, other) => one.away - other.away);
  return touched[0]?.entry.rules ?? [];
}

function distance([left, top, width, height], { x, y }) {
  return Math.hypot(Math.max(left - x, x - left - width, 0), Math.max(top - y, y - top - height, 0));
}
