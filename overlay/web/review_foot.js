// A foot point put by hand: dragged with a magnifier above the finger, nudged with the arrow keys.

const SVG = "http://www.w3.org/2000/svg";
const ZOOM = 5, NUDGE = 0.5, AWAY = 130;

export class FootPoint {
  /** `parts`: view, canvas, svg, magnifier, size, and what to ask for: frame(), fighter(), ends(). */
  constructor(parts) {
    Object.assign(this, parts);
    this.active = false;
    this.point = null;
    this.measured = null;
    this.svg.setAttribute("viewBox", `-0.5 -0.5 ${this.size[0]} ${this.size[1]}`);
    const view = this.view;
    view.addEventListener("pointerdown", (event) => {
      if (!this.active) return;
      view.setPointerCapture(event.pointerId);
      this.grab = this.point ? this.offset(event) : [0, 0];
      this.drag(event);
    });
    view.addEventListener("pointermove", (event) => { if (this.active && view.hasPointerCapture(event.pointerId)) this.drag(event); });
    for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, () => { this.magnifier.hidden = true; });
  }

  /** Begin or end; returns whether it is on. It begins at the measured point of the frame that is shown. */
  toggle(on = !this.active) {
    this.active = on;
    this.view.classList.toggle("foot-mode", on);
    this.point = on ? this.known() : null;
    this.draw();
    return on;
  }

  /** The verdict on the chosen move, whose ends have foot points; null without one. */
  verdict(verdict) {
    this.measured = verdict;
  }

  /** The film has moved on: the point belongs to another frame now. */
  moved() {
    if (this.active) this.point = this.known();
    this.draw();
  }

  known() {
    const place = this.ends().indexOf(this.frame());
    return place >= 0 && this.measured ? [...this.measured.foot[place]] : null;
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!this.active || !this.point || !steps[event.key]) return false;
    this.point = this.point.map((value, axis) => value + NUDGE * steps[event.key][axis]);
    this.draw();
    return true;
  }

  /** Picture pixels of an event. */
  pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.size[0] - 0.5,
      ((event.clientY - box.top) / box.height) * this.size[1] - 0.5,
    ];
  }

  /** How far the point lies from the finger: near ones keep it, so that nothing jumps; far ones come to it. */
  offset(event) {
    const [u, v] = this.pixel(event);
    const apart = [this.point[0] - u, this.point[1] - v];
    return Math.hypot(...apart) < 80 ? apart : [0, 0];
  }

  drag(event) {
    const pixel = this.pixel(event);
    this.point = pixel.map((value, axis) => Math.min(Math.max(value + this.grab[axis], 0), this.size[axis] - 1));
    this.draw();
    this.magnify(event);
  }

  draw() {
    if (!this.point) return this.svg.replaceChildren();
    const [u, v] = this.point, arm = 16;
    const cross = (colour, width) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", `M${u - arm} ${v}H${u - 4}M${u + 4} ${v}H${u + arm}M${u} ${v - arm}V${v - 4}M${u} ${v + 4}V${v + arm}`);
      path.setAttribute("stroke", colour);
      path.setAttribute("stroke-width", width);
      return path;
    };
    this.svg.replaceChildren(cross("#0b0f1a", 6), cross("#ffc20a", 3));
  }

  magnify(event) {
    const glass = this.magnifier, size = glass.width, [u, v] = this.point;
    const pen = glass.getContext("2d", { alpha: false }), half = size / 2 / ZOOM;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, size, size);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.canvas, u + 0.5 - half, v + 0.5 - half, 2 * half, 2 * half, 0, 0, size, size);
    for (const [colour, width] of [["#0b0f1a", 5], ["#ffc20a", 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(0, size / 2); pen.lineTo(size / 2 - 8, size / 2); pen.moveTo(size / 2 + 8, size / 2); pen.lineTo(size, size / 2);
      pen.moveTo(size / 2, 0); pen.lineTo(size / 2, size / 2 - 8); pen.moveTo(size / 2, size / 2 + 8); pen.lineTo(size / 2, size);
      pen.stroke();
    }
    // Above the finger; where there is no room, beside it.
    const above = event.clientY - AWAY - size / 2 > 0;
    glass.style.left = `${Math.min(Math.max(event.clientX - size / 2 + (above ? 0 : AWAY + 40), 4), innerWidth - size - 12)}px`;
    glass.style.top = `${above ? event.clientY - AWAY - size / 2 : Math.max(event.clientY - size / 2, 4)}px`;
    glass.hidden = false;
  }
}
