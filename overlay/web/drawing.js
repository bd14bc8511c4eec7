// Draws an overlay message into an SVG element. What is drawn where was decided by overlay/compose.py; here
// ring points are projected and shapes become elements, nothing else.
import { projector } from "./projection.js";

const SVG = "http://www.w3.org/2000/svg";

/** Draw a message; `colours` is the palette, `hidden` a set of kinds that are left out. */
export function render(svg, message, colours, hidden = new Set()) {
  const project = projector(message.projection);
  const [width, height] = message.size;
  // Pixel centres lie at integers, SVG's at halves.
  svg.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  const entries = message.annotations.filter((entry) => !hidden.has(entry.kind));
  const layers = { shapes: element("g", {}), leaders: element("g", {}), plates: element("g", {}) };
  for (const entry of entries) {
    const group = element("g", { "data-kind": entry.kind, "data-tone": entry.tone });
    if (entry.figure) group.setAttribute("data-figure", entry.figure);
    entry.shapes.forEach((shape) => group.append(...DRAW[shape.kind](shape, project, colours)));
    layers.shapes.append(group);
    for (const plate of entry.plates) {
      if (plate.leader) layers.leaders.append(...leader(plate, project, colours, Math.min(width, height) / 720));
      const drawn = plateElement(plate, colours);
      drawn.setAttribute("data-kind", entry.kind);
      if (entry.figure) drawn.setAttribute("data-figure", entry.figure);
      layers.plates.append(drawn);
    }
  }
  svg.replaceChildren(layers.shapes, layers.leaders, layers.plates);
}

const DRAW = {
  line(shape, project, colours) {
    const path = pathOf([project(shape.points)], shape.closed);
    const stroke = {
      d: path, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round",
      ...(shape.dash ? { "stroke-dasharray": shape.dash.join(" ") } : {}),
    };
    const line = element("path", { ...stroke, stroke: colours[shape.colour], "stroke-width": shape.width });
    if (!shape.halo) return [line];
    return [element("path", { ...stroke, stroke: colours.ink, "stroke-width": shape.width + 2 * shape.halo }), line];
  },
  fill(shape, project, colours) {
    const path = pathOf(shape.rings.map(project), true);
    return [element("path", {
      d: path, fill: colours[shape.colour], "fill-opacity": shape.opacity, "fill-rule": "evenodd",
    })];
  },
};

function plateElement(plate, colours) {
  const [x, y, width, height] = plate.box;
  // Plates are laid out by pixel edges, which lie half a pixel before pixel centres.
  const group = element("g", { transform: `translate(${x - 0.5} ${y - 0.5})`, "data-box": plate.box.join(" ") });
  group.append(element("rect", {
    width, height, rx: plate.radius, fill: colours[plate.colour], "fill-opacity": plate.opacity,
  }));
  for (const item of plate.items) group.append(ITEM[item.kind](item, colours));
  if (plate.edge) {
    const inset = plate.edge_width / 2;
    group.append(element("rect", {
      x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset, rx: plate.radius,
      fill: "none", stroke: colours[plate.edge], "stroke-width": plate.edge_width,
    }));
  }
  return group;
}

const ITEM = {
  words(item, colours) {
    const text = element("text", {
      x: item.at[0], y: item.at[1], fill: colours[item.colour],
      "font-size": item.size, "font-weight": item.weight,
      // The width the layout counted with, whatever the font here.
      textLength: item.width, lengthAdjust: "spacingAndGlyphs",
    });
    text.textContent = item.text;
    return text;
  },
  block(item, colours) {
    const [x, y, width, height] = item.box;
    return element("rect", {
      x, y, width: Math.max(width, 0), height: Math.max(height, 0), rx: item.radius,
      // a fighter's own colour is written out
      fill: colours[item.colour] ?? item.colour,
    });
  },
  mark(item, colours) {
    return element("path", {
      d: pathOf([item.points], false), fill: "none", stroke: colours[item.colour], "stroke-width": item.width,
      "stroke-linecap": "round", "stroke-linejoin": "round",
    });
  },
};

function leader(plate, project, colours, scale) {
  const [[u, v]] = project([plate.leader]);
  const [x, y, width, height] = plate.box;
  const end = [Math.min(Math.max(u, x), x + width), Math.min(Math.max(v, y), y + height)];
  const line = { d: pathOf([[[u, v], end]], false), "stroke-linecap": "round" };
  return [
    element("path", { ...line, stroke: colours.ink, "stroke-width": 5.5 * scale }),
    element("path", { ...line, stroke: colours.paper, "stroke-width": 1.5 * scale }),
  ];
}

function pathOf(rings, closed) {
  const one = (points) => `M${points.map(([u, v]) => `${u.toFixed(2)} ${v.toFixed(2)}`).join("L")}`;
  return rings.map((ring) => one(ring) + (closed ? "Z" : "")).join("");
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
