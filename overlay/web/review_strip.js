// The verdict as a ruler: palms as ticks, the limit as a post, the measured length with its 95 % interval as a bar.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 360, HEIGHT = 84, LEFT = 14, RIGHT = 346, BASE = 50;

/** An SVG element for a verdict of /api/measure. */
export function strip(verdict, lang, colours) {
  const [low, high] = verdict.interval;
  const limit = verdict.limit;
  const end = Math.max(1, Math.ceil(Math.max(high, limit ?? 0) + 0.15));
  const x = (palms) => LEFT + ((RIGHT - LEFT) * palms) / end;
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "strip" });
  svg.append(element("line", { x1: LEFT, x2: RIGHT, y1: BASE, y2: BASE, stroke: colours.faint, "stroke-width": 2 }));
  for (let palm = 0; palm <= end; palm += 1) {
    svg.append(element("line", { x1: x(palm), x2: x(palm), y1: BASE - 7, y2: BASE + 7, stroke: colours.faint, "stroke-width": 2 }));
    svg.append(words(palm.toLocaleString(lang), x(palm), BASE + 26, colours.faint, 16));
  }
  const colour = colours[verdict.tone];
  svg.append(element("line", { x1: x(0), x2: x(verdict.palms), y1: BASE, y2: BASE, stroke: colour, "stroke-width": 8 }));
  svg.append(element("rect", {
    x: x(low), y: BASE - 13, width: Math.max(x(high) - x(low), 2), height: 26, fill: colour, "fill-opacity": 0.45, stroke: colour, "stroke-width": 2,
  }));
  if (limit === null) return svg;
  svg.append(element("line", { x1: x(limit), x2: x(limit), y1: 10, y2: BASE + 12, stroke: colours.paper, "stroke-width": 4 }));
  svg.append(element("path", { d: `M${x(limit)} 6 l10 7 l-10 7 Z`, fill: colours.paper }));
  return svg;
}

function words(text, x, y, fill, size) {
  const made = element("text", { x, y, fill, "font-size": size, "text-anchor": "middle" });
  made.textContent = text;
  return made;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
