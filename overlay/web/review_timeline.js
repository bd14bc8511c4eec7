// One row per fighter: where it stood, when it was in a hand, when nobody could tell; marks for moments.
import { t } from "./words.js";

const STATES = ["placed", "placed assumed", "in_hand", "merged", "lost"];

export class Timeline {
  /** `acts.seek(frame)` and `acts.choose(fighter)` are called for taps. */
  constructor(root, legend, session, acts) {
    this.last = Math.max(session.times.length - 1, 1);
    this.rows = new Map();
    for (const fighter of session.fighters) {
      const name = document.createElement("span"), row = document.createElement("div");
      name.className = "name";
      name.textContent = fighter.name;
      if (fighter.colour) name.style.setProperty("--chip", fighter.colour);
      name.addEventListener("click", () => acts.choose(fighter.id));
      row.className = "row";
      row.dataset.fighter = fighter.id;
      for (const span of session.spans[fighter.id]) row.append(this.span(span));
      for (const moment of session.moments) if (moment.fighter === fighter.id) row.append(this.mark(moment));
      const lines = Object.fromEntries(["before", "after", "head"].map((kind) => [kind, this.line(kind)]));
      row.append(...Object.values(lines));
      this.scrub(row, acts.seek);
      root.append(name, row);
      this.rows.set(fighter.id, { name, lines });
    }
    legend.append(...STATES.map((state) => {
      const entry = document.createElement("span"), box = document.createElement("i"), shown = document.createElement("b");
      shown.className = `span ${state}`;
      const row = document.createElement("span");
      row.className = "row";
      row.append(shown);
      box.append(row);
      entry.append(box, t(`page.review.state.${state.split(" ").at(-1)}`));
      return entry;
    }));
  }

  /** Show where the film is and which move is chosen. */
  show({ frame, fighter, before, after }) {
    for (const [id, { name, lines }] of this.rows) {
      name.classList.toggle("chosen", id === fighter);
      lines.head.style.left = this.at(frame);
      for (const [kind, value] of [["before", before], ["after", after]]) {
        lines[kind].hidden = id !== fighter || value === null;
        if (value !== null) lines[kind].style.left = this.at(value);
      }
    }
  }

  at(frame) {
    return `${(100 * frame) / this.last}%`;
  }

  span({ state, first, last, assumed, fragment }) {
    const made = document.createElement("div");
    made.className = `span ${state}${assumed ? " assumed" : ""}`;
    if (fragment !== null) made.dataset.fragment = fragment;
    made.style.left = this.at(first);
    made.style.width = `${(100 * (last - first + 1)) / (this.last + 1)}%`;
    return made;
  }

  mark(moment) {
    const made = document.createElement("div");
    made.className = `mark ${moment.tone}`;
    made.style.left = this.at(moment.frame);
    made.title = moment.text;
    return made;
  }

  line(kind) {
    const made = document.createElement("div");
    made.className = kind === "head" ? "head-line" : "end-line";
    return made;
  }

  /** A finger on a row moves the film. */
  scrub(row, seek) {
    const to = (event) => {
      const box = row.getBoundingClientRect();
      seek((this.last * (event.clientX - box.left)) / box.width);
    };
    row.addEventListener("pointerdown", (event) => { row.setPointerCapture(event.pointerId); to(event); });
    row.addEventListener("pointermove", (event) => { if (row.hasPointerCapture(event.pointerId)) to(event); });
  }
}
