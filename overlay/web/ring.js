// The ring's set-up page: eight points proposed, dragged under a magnifier or clicked one by one, checked, saved.
import { Glass } from "./glass.js";
import { boot, languageLinks, t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg", NEAR_PX = 40, NUDGE_PX = 0.25;
const start = await boot();
document.title = t("page.ring.title");
const find = (id) => document.querySelector(`#${id}`);
languageLinks(find("languages"), start);
const canvas = find("picture"), marks = find("marks"), view = find("view"), glass = new Glass(find("magnifier"), canvas);

// points: four corners, then four tops, each [u, v] or null; ends: those of the stick.
let points = Array(8).fill(null), ends = [], chains = [], size = [1, 1];
let chosen = null, grab = [0, 0], asked = null, busy = false;

const names = [...Array(8).keys()].map((i) => t(`page.ring.point.${i}`));
const done = () => points.every(Boolean);
const all = () => [...points, ...ends];

async function ask(path, body) {
  const answer = await fetch(`${path}?lang=${start.lang}`, {
    method: "POST", headers: { "content-type": "application/json", "x-palmo": "1" }, body: JSON.stringify(body ?? {}),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

/** Do one thing at a time; what is wrong is said, and nothing is lost. */
async function act(work) {
  if (busy) return;
  busy = true;
  find("message").textContent = "";
  find("hint").textContent = t("page.ring.working");
  show();
  try { await work(); } catch (error) { find("message").textContent = error.message; }
  busy = false;
  show();
}

const clicks = () => ({ corners: points.slice(0, 4), tops: points.slice(4) });

async function check() {
  const found = await ask("/api/check", clicks());
  chains = found.chains;
  say(found.lines.at(-1), found.verdict);
  find("lines").replaceChildren(...found.lines.slice(0, -1).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
}

function say(line, verdict) {
  find("verdict").textContent = line;
  find("verdict").className = `verdict ${verdict}`;
}

/** Something was moved: what was said of the old points holds no longer. */
function changed() {
  chains = [];
  say("", "");
  find("lines").replaceChildren();
}

find("propose").onclick = () => act(async () => {
  const found = await ask("/api/propose");
  points = [...found.corners, ...found.tops];
  asked = null;
  await check();
});
find("again").onclick = () => { points = Array(8).fill(null); ends = []; asked = "point"; changed(); show(); };
find("check").onclick = () => act(check);
find("save").onclick = () => act(async () => {
  const saved = await ask("/api/save", clicks());
  find("message").textContent = saved.line;
});
find("stick").onsubmit = (event) => { event.preventDefault(); ends = []; asked = "stick"; show(); };

const measure = () => act(async () => {
  asked = null;
  const found = await ask("/api/stick", { ...clicks(), ends, length_cm: Number(find("length").value) });
  say(found.line, found.verdict);
});

// ---- pointing

function pixel(event) {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * size[0] - 0.5, ((event.clientY - box.top) / box.height) * size[1] - 0.5];
}

/** The point nearest to a place, if it is near as fingers are. */
function nearest(place) {
  const reach = NEAR_PX * (size[0] / canvas.getBoundingClientRect().width);
  let best = null, away = reach;
  all().forEach((point, index) => {
    const apart = point ? Math.hypot(point[0] - place[0], point[1] - place[1]) : Infinity;
    if (apart < away) [best, away] = [index, apart];
  });
  return best;
}

function put(index, place) {
  const inside = place.map((value, axis) => Math.min(Math.max(value, 0), size[axis] - 1));
  if (index < 8) { points[index] = inside; changed(); } else ends[index - 8] = inside;
}

view.addEventListener("pointerdown", (event) => {
  if (busy) return;
  const place = pixel(event), wanted = asked === "point" ? points.indexOf(null) : asked === "stick" ? 8 + ends.length : null;
  chosen = wanted ?? nearest(place);
  if (chosen === null) return show();
  view.setPointerCapture(event.pointerId);
  const point = all()[chosen];
  // A point that is taken hold of stays where it is: the finger need not hit it.
  grab = wanted === null && point ? [point[0] - place[0], point[1] - place[1]] : [0, 0];
  drag(event);
});
view.addEventListener("pointermove", (event) => { if (view.hasPointerCapture(event.pointerId)) drag(event); });
view.addEventListener("pointerup", (event) => release(event));
view.addEventListener("pointercancel", (event) => release(event));

function drag(event) {
  put(chosen, pixel(event).map((value, axis) => value + grab[axis]));
  show();
  glass.over(event, all()[chosen]);
}

function release(event) {
  if (!view.hasPointerCapture(event.pointerId)) return;
  view.releasePointerCapture(event.pointerId);
  glass.hide();
  if (asked === "point" && done()) { asked = null; act(check); }
  if (asked === "stick" && ends.length === 2) measure();
  show();
}

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || chosen === null || !all()[chosen] || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  put(chosen, all()[chosen].map((value, axis) => value + NUDGE_PX * step[axis]));
  show();
});

// ---- drawing

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function ring(point, kind, index) {
  // As large for the eye on a phone as on a desk.
  const place = { cx: point[0], cy: point[1], r: 6 * size[0] / canvas.getBoundingClientRect().width };
  return [shape("circle", { ...place, class: "halo" }), shape("circle", { ...place, class: `point ${kind}${index === chosen ? " chosen" : ""}` })];
}

function show() {
  const drawn = chains.map((chain) => shape("polyline", { points: chain.join(" "), class: "chain" }));
  for (const [from, kind] of [[0, "corner"], [4, "top"]]) {
    const four = points.slice(from, from + 4);
    if (four.every(Boolean)) drawn.push(shape("polygon", { points: four.join(" "), class: `point ${kind}` }));
    four.forEach((point, i) => { if (point) drawn.push(...ring(point, kind, from + i)); });
  }
  if (ends.length === 2) drawn.push(shape("polyline", { points: ends.join(" "), class: "point end" }));
  ends.forEach((point, i) => drawn.push(...ring(point, "end", 8 + i)));
  marks.replaceChildren(...drawn);
  for (const id of ["propose", "again"]) find(id).disabled = busy;
  for (const id of ["check", "save"]) find(id).disabled = busy || !done();
  find("stick").querySelector("button").disabled = busy || !done();
  if (!busy) find("hint").textContent = hint();
}

function hint() {
  if (asked === "point") return `${t("page.ring.click")}: ${names[points.indexOf(null)] ?? ""}`;
  if (asked === "stick") return t(`page.ring.stick.${ends.length}`);
  if (chosen !== null && chosen < 8) return `${names[chosen]}: ${t("page.ring.nudge")}`;
  return done() ? t("page.ring.drag") : t("page.ring.begin");
}

const known = await (await fetch("/api/clicks")).json();
size = known.size;
[canvas.width, canvas.height] = size;
view.style.aspectRatio = `${size[0]} / ${size[1]}`;
marks.setAttribute("viewBox", `-0.5 -0.5 ${size[0]} ${size[1]}`);
const picture = await createImageBitmap(await (await fetch("/picture.jpg")).blob());
canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
if (known.corners.length === 4) points.splice(0, 4, ...known.corners);
if (known.tops.length === 4) points.splice(4, 4, ...known.tops);
show();
