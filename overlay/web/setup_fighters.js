// Fighters pointed at: its colour, the middle of its feet, where it looks; and what the camera would mix up.
import { shape } from "./pointing.js";
import { chips } from "./setup_people.js";
import { t } from "./words.js";

const POINT_BOX_PX = 6, PARTS = ["body", "foot", "nose"];

/** The step; `page` is what the steps share. */
export function fightersStep(page) {
  const { find, ask, act } = page;
  let chosen = null, pointed = {}, box = null, asked = null, rated = null;

  const known = () => page.state.fighters;
  const one = () => known().find((fighter) => fighter.id === chosen) ?? null;
  const all = () => PARTS.every((part) => pointed[part]);

  function choose(id) {
    chosen = id;
    const fighter = one();
    box = fighter?.box ?? null;
    pointed = {
      body: box && [box[0] + box[2] / 2, box[1] + box[3] / 2], foot: fighter?.foot ?? null, nose: fighter?.nose ?? null,
    };
    asked = PARTS.find((part) => !pointed[part]) ?? null;
    page.pointing.chosen = null;
    page.show();
  }

  function next() {
    asked = PARTS.find((part) => !pointed[part]) ?? null;
    if (all()) keep();
  }

  const keep = () => act(async () => {
    rated = null;
    await page.change("/api/setup/point", { id: chosen, box, foot: pointed.foot, nose: pointed.nose });
    await rate();
    const other = known().find((fighter) => !fighter.box || !fighter.foot);
    if (other) choose(other.id);
  });

  async function rate() {
    rated = await ask("/api/setup/rate");
    find("mixed").src = `/table/mixed.jpg?lang=${document.documentElement.lang}&at=${Date.now()}`;
  }

  find("rate").onclick = () => act(rate);
  find("anew").onclick = () => { pointed = {}; box = null; asked = "body"; page.show(); };

  const boxAround = ([u, v]) => [u - POINT_BOX_PX / 2, v - POINT_BOX_PX / 2, POINT_BOX_PX, POINT_BOX_PX];

  const tool = {
    points: () => PARTS.map((part) => pointed[part] ?? null),
    kind: (i) => ["body", "foot", "nose"][i],
    wanted: () => (chosen && asked ? PARTS.indexOf(asked) : null),
    boxed: (i) => i === 0,
    put(i, place) {
      pointed[PARTS[i]] = place;
      if (i === 0) box = asked ? boxAround(place) : [place[0] - box[2] / 2, place[1] - box[3] / 2, box[2], box[3]];
    },
    stretch(i, [u, v], [x, y]) {
      box = [Math.min(u, x), Math.min(v, y), Math.abs(x - u), Math.abs(y - v)];
      pointed.body = [(u + x) / 2, (v + y) / 2];
    },
    released: next,
    under(scale) {
      const drawn = known().filter((fighter) => fighter.id !== chosen && fighter.foot && fighter.nose).flatMap((fighter) => arrow(fighter.foot, fighter.nose, scale, "other"));
      if (box) drawn.push(shape("rect", { x: box[0], y: box[1], width: box[2], height: box[3], class: "point body" }));
      if (pointed.foot && pointed.nose) drawn.push(...arrow(pointed.foot, pointed.nose, scale, "nose"));
      return drawn;
    },
  };

  return {
    tool,
    picture: "/table/picture.jpg",
    done: () => known().length > 0 && known().every((fighter) => (fighter.box || fighter.colour) && fighter.foot),
    enter() {
      choose((one() ?? known().find((fighter) => !fighter.box || !fighter.foot) ?? known()[0])?.id ?? null);
    },
    anew() { rated = null; },
    show() {
      chips(find("fighter-chips"), known().map((fighter) => [fighter.id, fighter.name, (fighter.box || fighter.colour) && fighter.foot ? "done" : ""]), chosen, choose);
      find("anew").disabled = find("rate").disabled = page.pointing.busy || !chosen;
      const lines = rated ? [...rated.lines] : [], verdict = lines.pop();
      find("rated").textContent = verdict ?? "";
      find("rated").className = `verdict ${{ apart: "good", close: "usable", same: "redo" }[rated?.verdict] ?? ""}`;
      find("pairs").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
      find("mixed").hidden = !rated;
      if (!chosen) return t("page.setup.fighters.none");
      return `${one()?.name}: ${t(asked ? `page.setup.fighters.${asked}` : "page.setup.fighters.drag")}`;
    },
  };
}

/** An arrow from the feet to where a figure looks. */
function arrow([u, v], [x, y], scale, kind) {
  const along = Math.atan2(y - v, x - u), head = 10 * scale;
  const barb = (turn) => `${x - head * Math.cos(along + turn)},${y - head * Math.sin(along + turn)}`;
  const points = `${u},${v} ${x},${y} ${barb(0.5)} ${x},${y} ${barb(-0.5)}`;
  return [shape("polyline", { points, class: "halo" }), shape("polyline", { points, class: `point ${kind}` })];
}
