// The review page: a recorded moment frame by frame, a move measured, a foot point put right, a ruling saved.
import { render } from "./drawing.js";
import { FootPoint } from "./review_foot.js";
import { Pictures } from "./review_pictures.js";
import { strip } from "./review_strip.js";
import { Timeline } from "./review_timeline.js";
import { boot, languageLinks, t } from "./words.js";

const start = await boot();
document.title = t("page.title.review");
languageLinks(document.querySelector("#languages"), start);
const $ = (id) => document.getElementById(id);
const canvas = $("picture"), svg = $("overlay");

// In which language, and of which session, is asked.
const here = new URLSearchParams({ lang: start.lang }), wanted = new URLSearchParams(location.search).get("session");
if (wanted) here.set("session", wanted);

/** Ask the server; an error is its own sentence. */
async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Palmo": "1" },
  };
  const answer = await fetch(`${path}?${here}`, options);
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error ?? t("page.failed"));
  return data;
}

const session = await ask("/api/review");
const film = { frame: 0, fighter: session.fighters[0].id, before: null, after: null, player: "", allow: "", other: "" };
const overlays = new Map();
let decision = null, turn = 0, byName = "";
const last = session.times.length - 1;
const nameOf = Object.fromEntries(session.fighters.map((one) => [one.id, one.name]));
const playerOf = Object.fromEntries(session.fighters.map((one) => [one.id, one.player]));
const seconds = (frame) => session.times[frame].toLocaleString(start.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

// ---- the picture

[canvas.width, canvas.height] = session.size;
$("view").style.setProperty("--ratio", session.size[0] / session.size[1]);
$("view").style.aspectRatio = `${session.size[0]} / ${session.size[1]}`;
$("title").textContent = session.title;
const chooser = $("session");
chooser.replaceChildren(...session.sessions.map((number) => new Option(`${t("page.review.session")} ${number}`, number, false, number === session.session)));
chooser.hidden = session.sessions.length < 2;
chooser.onchange = () => {
  const query = new URLSearchParams(location.search);
  query.set("session", chooser.value);
  location.search = `${query}`;
};
const pictures = new Pictures(here, (frame, picture) => {
  if (frame !== film.frame) return;
  canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
  canvas.dataset.frame = frame;
  $("state").textContent = "";
});

function question() {
  if (film.other && film.after !== null) {
    return { fighter: film.fighter, before: Math.min(film.before ?? film.after, film.after), after: film.after, other: film.other };
  }
  if (film.before === null || film.after === null || film.after <= film.before) return null;
  return {
    fighter: film.fighter, before: film.before, after: film.after,
    ...(film.player ? { player: film.player } : {}), ...(film.allow ? { allow: Number(film.allow) } : {}),
  };
}

async function drawOverlay() {
  const frame = film.frame, asked = question(), key = JSON.stringify([frame, asked]);
  let message = overlays.get(key);
  if (!message) {
    try {
      message = await ask(`/api/overlay/${frame}`, asked ?? undefined);
    } catch {
      message = await ask(`/api/overlay/${frame}`);
    }
    overlays.set(key, message);
    if (overlays.size > 200) overlays.delete(overlays.keys().next().value);
  }
  if (key === JSON.stringify([film.frame, question()])) render(svg, message, start.colours);
}

function go(frame) {
  film.frame = Math.min(Math.max(Math.round(frame), 0), last);
  $("slider").value = film.frame;
  $("slider").setAttribute("aria-valuetext", `${seconds(film.frame)} s`);
  $("clock").textContent = `${seconds(film.frame)} s · ${film.frame}`;
  timeline.show(film);
  pictures.want(film.frame);
  foot.moved();
  drawOverlay();
}

// ---- the move

async function measure() {
  const mine = ++turn, asked = question(), card = $("verdict");
  showEnds();
  timeline.show(film);
  drawOverlay();
  if (!asked) {
    card.className = "verdict";
    card.replaceChildren(line("word", t("page.review.choose")));
    foot.verdict(null);
    return;
  }
  try {
    const verdict = await ask("/api/measure", asked);
    if (mine !== turn) return;
    card.className = `verdict ${verdict.tone}`;
    const more = document.createElement("details");
    more.append(make("summary", t("page.review.more")), ...verdict.lines.map((text) => make("p", text)));
    card.replaceChildren(
      line("word", t(`page.review.verdict.${verdict.verdict}`)),
      line("number", `${nameOf[asked.fighter]}: ${verdict.sentence}`),
      strip(verdict, start.lang, start.colours),
      make("small", verdict.rules.join("  ")), more,
    );
    say("");
    foot.verdict(verdict);
  } catch (error) {
    if (mine !== turn) return;
    card.className = "verdict";
    card.replaceChildren(line("word", t("page.review.cannot")), make("p", error.message));
    foot.verdict(null);
  }
}

function showEnds() {
  for (const [end, key] of [["before", "page.review.before"], ["after", "page.review.after"]]) {
    const frame = film[end];
    $(end).replaceChildren(make("span", t(key)), make("small", frame === null ? t("page.review.here") : `${seconds(frame)} s · ${frame}`));
  }
}

/** The two fragments around a frame: where the fighter had stood, and where it came to stand. */
function around(fighter, frame) {
  const stood = session.spans[fighter].filter((span) => span.state === "placed");
  let after = stood.findIndex((span) => span.last >= frame);
  if (after === 0 && stood.length > 1 && stood[0].first <= frame) after = 1;
  // A stretch that goes on after a hand merely passed by is the same place.
  let before = after - 1;
  while (before > 0 && stood[before].fragment !== null && stood[before].fragment === stood[after].fragment) before -= 1;
  if (before < 0 || after < 0) return null;
  return [stood[before].last, Math.min(stood[after].first + 5, stood[after].last)];
}

function choose(fighter) {
  film.fighter = fighter;
  $("fighter").value = fighter;
  const own = session.players.find((one) => one.id === playerOf[fighter]);
  $("palm").options[0].textContent = `${own.name} · ${own.palm_cm.toLocaleString(start.lang)} cm`;
}

function set(end, frame) {
  film[end] = frame;
  measure();
}

// ---- moments

function moment(one) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = one.tone;
  button.textContent = one.text;
  button.dataset.kind = one.kind;
  button.addEventListener("click", () => {
    document.querySelectorAll(".moments [aria-current]").forEach((other) => other.removeAttribute("aria-current"));
    button.setAttribute("aria-current", "true");
    if (one.fighter) choose(one.fighter);
    $("other").value = film.other = "";
    [film.before, film.after] = [one.before, one.after];
    go(one.after ?? one.frame);
    measure();
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function fill(list, found) {
  list.replaceChildren(...(found.length ? found.map(moment) : [make("li", t("page.review.none"))]));
}

// ---- what people did

async function refresh() {
  const state = await ask("/api/state");
  $("points").replaceChildren(...state.points.map((point) => {
    const item = make("li", ""), undo = make("button", t("page.review.withdraw"));
    undo.addEventListener("click", () => act(async () => {
      await ask("/api/withdraw", { point: point.point, by: byName });
      await changed();
    }));
    item.append(make("span", `✎ ${nameOf[point.fighter]}, ${seconds(point.frame)} s, ${point.by || t("page.referee")}`), undo);
    return item;
  }));
  $("rulings").replaceChildren(...state.rulings.map((ruling) => {
    const item = make("li", "");
    const what = t(`page.review.${ruling.decision}`);
    const links = ["pdf", "html"].map((kind) => {
      const link = make("a", kind.toUpperCase());
      link.href = `/report/${ruling.number}.${kind}?${here}`;
      link.setAttribute("download", "");
      return link;
    });
    item.append(make("span", `${ruling.number}. ${nameOf[ruling.asked.fighter]}: ${what}`), ...links);
    return item;
  }));
}

async function changed() {
  overlays.clear();
  await refresh();
  await measure();
}

/** Do something; what goes wrong is said. */
async function act(what) {
  try {
    say("");
    await what();
  } catch (error) {
    say(error.message);
  }
}

function say(text) {
  $("message").textContent = text;
}

// ---- parts

const timeline = new Timeline($("timeline"), $("legend"), session, {
  seek: (frame) => go(frame),
  choose: (fighter) => { choose(fighter); measure(); },
});
const foot = new FootPoint({
  view: $("view"), canvas, svg: $("foot"), magnifier: $("magnifier"), size: session.size,
  frame: () => film.frame, fighter: () => film.fighter, ends: () => [film.before, film.after],
});
$("foot-mode").addEventListener("click", () => showFoot(foot.toggle()));
$("foot-cancel").addEventListener("click", () => showFoot(foot.toggle(false)));
$("foot-save").addEventListener("click", () => act(async () => {
  const point = foot.point;
  if (!point) return say(t("page.review.foot.first"));
  await ask("/api/point", { fighter: film.fighter, frame: film.frame, u: point[0], v: point[1], by: byName });
  showFoot(foot.toggle(false));
  await changed();
}));

function showFoot(on) {
  $("foot-mode").setAttribute("aria-pressed", on);
  $("foot-acts").hidden = !on;
  say(on ? t("page.review.foot.how") : "");
}

for (const [id, step] of [["back-ten", -10], ["back", -1], ["on", 1], ["on-ten", 10]]) {
  $(id).addEventListener("click", () => go(film.frame + step));
  $(id).setAttribute("aria-label", `${step} ${t("page.review.frames")}`);
}
$("slider").max = last;
$("slider").setAttribute("aria-label", t("page.review.slider"));
$("slider").addEventListener("input", () => go(Number($("slider").value)));
$("before").addEventListener("click", () => set("before", film.frame));
$("after").addEventListener("click", () => set("after", film.frame));
$("around").addEventListener("click", () => {
  const ends = around(film.fighter, film.frame);
  if (!ends) return say(t("page.review.no_move"));
  [film.before, film.after] = ends;
  measure();
});
$("fighter").append(...session.fighters.map((one) => new Option(one.name, one.id)));
$("fighter").addEventListener("change", () => { choose($("fighter").value); measure(); });
$("palm").append(new Option("", ""), ...session.players.map((one) => new Option(`${one.name} · ${one.palm_cm.toLocaleString(start.lang)} cm`, one.id)));
$("palm").addEventListener("change", () => { film.player = $("palm").value; measure(); });
$("allow").append(new Option(t("page.review.speed"), ""), ...[0.5, 1, 1.5, 2, 3, 4, 5].map((one) => new Option(one.toLocaleString(start.lang), one)));
$("other").append(new Option(t("page.review.no_gap"), ""), ...session.fighters.map((one) => new Option(one.name, one.id)));
$("other").addEventListener("change", () => {
  film.other = $("other").value;
  // A gap is one moment: the one that is looked at, when none was chosen.
  if (film.other) film.after ??= film.frame;
  measure();
});
$("allow").addEventListener("change", () => { film.allow = $("allow").value; measure(); });
$("by").addEventListener("input", () => { byName = $("by").value; });
for (const button of $("decisions").children) {
  button.addEventListener("click", () => {
    decision = button.dataset.decision;
    for (const other of $("decisions").children) other.setAttribute("aria-checked", other === button);
  });
}
$("save").addEventListener("click", () => act(async () => {
  const asked = question();
  if (!asked || !decision) return say(t("page.review.first"));
  await ask("/api/rule", { question: asked, decision, words: $("words").value, by: byName });
  await refresh();
}));
addEventListener("keydown", (event) => {
  if (event.target.matches("input:not([type=range]), textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (foot.key(event)) return event.preventDefault();
  const step = event.shiftKey ? 10 : 1;
  const acts = {
    ArrowLeft: () => go(film.frame - step), ArrowRight: () => go(film.frame + step),
    Home: () => go(0), End: () => go(last), b: () => set("before", film.frame), a: () => set("after", film.frame),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
});

function make(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function line(kind, text) {
  const made = make("span", text);
  made.className = kind;
  return made;
}

choose(film.fighter);
fill($("doubtful"), session.moments.filter((one) => one.tone === "doubt"));
fill($("moves"), session.moments.filter((one) => ["within", "beyond"].includes(one.kind)));
if (session.remarks.length) say(session.remarks.join(" "));
showEnds();
go(0);
measure();
await refresh();
document.body.dataset.ready = "yes";
