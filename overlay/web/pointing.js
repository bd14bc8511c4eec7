// Pointing at a picture: points put by a tap, dragged under a magnifier, moved by arrow keys; boxes drawn.
import { Glass } from "./glass.js";

const SVG = "http://www.w3.org/2000/svg", NEAR_PX = 40, NUDGE_PX = 0.25, BOX_PX = 8;

/** An element of the drawing. */
export function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * The picture with what is pointed at in it.
 *
 * A tool says what its taps mean: points() are [u, v] or null; kind(i) is a point's class, "" for one that is not
 * drawn; wanted() is the point that the next tap puts, null when a tap takes hold of one; put(i, place);
 * released(i) after a finger has let go; boxed(i) whether a point is the first corner of a box that
 * stretch(i, from, to) draws; under(scale) are shapes below the points. All but points, put are optional.
 */
export class Pointing {
  constructor({ view, canvas, marks, glass }) {
    this.view = view;
    this.canvas = canvas;
    this.marks = marks;
    this.glass = new Glass(glass, canvas);
    this.tool = null;
    this.chosen = null;
    this.busy = false;
    this.size = [1, 1];
    this.grab = [0, 0];
    this.changed = () => {};
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => { if (view.hasPointerCapture(event.pointerId)) this.#drag(event); });
    for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, (event) => this.#up(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.show()).observe(view);
  }

  /** Show the picture of an address. */
  async load(address) {
    const answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.json()).error);
    const picture = await createImageBitmap(await answer.blob());
    const { canvas, marks, view } = this;
    this.size = [canvas.width, canvas.height] = [picture.width, picture.height];
    view.style.aspectRatio = `${picture.width} / ${picture.height}`;
    marks.setAttribute("viewBox", `-0.5 -0.5 ${picture.width} ${picture.height}`);
    canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
    this.show();
  }

  /** Let a tool say what taps mean; null: nothing. */
  use(tool) {
    this.tool = tool;
    this.chosen = null;
    this.show();
  }

  /** How many pixels of the picture a pixel of the screen is: all of it is shown, with room left at two sides. */
  get scale() {
    const box = this.canvas.getBoundingClientRect();
    return Math.max(this.size[0] / Math.max(box.width, 1), this.size[1] / Math.max(box.height, 1));
  }

  show() {
    const { tool } = this, drawn = tool?.under?.(this.scale) ?? [];
    (tool?.points() ?? []).forEach((point, i) => {
      const kind = tool.kind?.(i) ?? "corner";
      if (point && kind) drawn.push(...this.#ring(point, kind, i === this.chosen));
    });
    this.marks.replaceChildren(...drawn);
  }

  #ring([cx, cy], kind, chosen) {
    // As large for the eye on a phone as on a desk.
    const place = { cx, cy, r: 6 * this.scale };
    return [shape("circle", { ...place, class: "halo" }), shape("circle", { ...place, class: `point ${kind}${chosen ? " chosen" : ""}` })];
  }

  #pixel(event) {
    const box = this.canvas.getBoundingClientRect(), { size, scale } = this;
    return [
      (event.clientX - box.left - box.width / 2) * scale + size[0] / 2 - 0.5,
      (event.clientY - box.top - box.height / 2) * scale + size[1] / 2 - 0.5,
    ];
  }

  #inside(place) {
    return place.map((value, axis) => Math.min(Math.max(value, 0), this.size[axis] - 1));
  }

  /** The point nearest to a place, if it is near as fingers are. */
  #nearest(place) {
    let best = null, away = NEAR_PX * this.scale;
    this.tool.points().forEach((point, index) => {
      const apart = point ? Math.hypot(point[0] - place[0], point[1] - place[1]) : Infinity;
      if (apart < away) [best, away] = [index, apart];
    });
    return best;
  }

  #down(event) {
    if (this.busy || !this.tool) return;
    const place = this.#pixel(event), wanted = this.tool.wanted?.() ?? null;
    this.chosen = wanted ?? this.#nearest(place);
    if (this.chosen === null) return this.#moved();
    this.view.setPointerCapture(event.pointerId);
    const point = this.tool.points()[this.chosen];
    [this.down, this.held] = [place, wanted === null];
    // A point that is taken hold of stays where it is: the finger need not hit it.
    this.grab = wanted === null && point ? [point[0] - place[0], point[1] - place[1]] : [0, 0];
    this.from = wanted !== null && this.tool.boxed?.(wanted) ? this.#inside(place) : null;
    this.#drag(event);
  }

  #drag(event) {
    const { chosen, tool, from } = this;
    // A point that lies already follows a finger slowly, a pixel of the picture for one of the screen: no finger
    // is finer than that.
    const slow = event.pointerType === "touch" && this.held ? Math.min(1, 1 / this.scale) : 1;
    const free = this.#pixel(event).map((value, axis) => this.down[axis] + slow * (value - this.down[axis]));
    const place = this.#inside(free.map((value, axis) => value + this.grab[axis]));
    const far = from && Math.max(Math.abs(place[0] - from[0]), Math.abs(place[1] - from[1])) > BOX_PX * this.scale;
    if (far) tool.stretch(chosen, from, place);
    else tool.put(chosen, from ?? place);
    this.#moved();
    this.glass.over(event, place);
  }

  #up(event) {
    if (!this.view.hasPointerCapture(event.pointerId)) return;
    this.view.releasePointerCapture(event.pointerId);
    this.glass.hide();
    this.tool?.released?.(this.chosen);
    this.#moved();
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const point = this.chosen === null ? null : this.tool?.points()[this.chosen];
    if (!step || !point || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    this.tool.put(this.chosen, this.#inside(point.map((value, axis) => value + NUDGE_PX * step[axis])));
    this.#moved();
  }

  #moved() {
    this.show();
    this.changed();
  }
}
