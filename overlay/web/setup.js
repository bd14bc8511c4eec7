// The set-up page: its steps, what they share, and the beginning of the match.
import { WAIT_MS, begun, isOn } from "./match.js";
import { Pointing } from "./pointing.js";
import { feetStep } from "./setup_feet.js";
import { fightersStep } from "./setup_fighters.js";
import { handsStep } from "./setup_hands.js";
import { peopleStep } from "./setup_people.js";
import { ringStep } from "./setup_ring.js";
import { rulesStep } from "./setup_rules.js";
import { boot, languageLinks, t } from "./words.js";

const start = await boot();
const find = (id) => document.querySelector(`#${id}`);
languageLinks(find("languages"), start);
const pointing = new Pointing({ view: find("view"), canvas: find("picture"), marks: find("marks"), glass: find("magnifier") });

async function ask(path, body, method = "POST") {
  const options = method === "GET" ? {} : { method, headers: { "content-type": "application/json", "x-palmo": "1" }, body: JSON.stringify(body ?? {}) };
  const answer = await fetch(`${path}?lang=${start.lang}`, options);
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

let doing = null;

/** Do one thing at a time, a second tap is none; what is wrong is said, and nothing is lost. */
function act(work) {
  if (!pointing.busy) doing = alone(work);
  return doing;
}

/** Do it when what is being done is done, at once when nothing is: what is chosen meanwhile is not left out. */
async function after(work, how = act) {
  while (pointing.busy) await doing;
  return how(work);
}

async function alone(work) {
  pointing.busy = true;
  page.say("");
  find("hint").textContent = t("page.ring.working");
  page.show();
  try { await work(); } catch (error) { page.say(error.message); }
  pointing.busy = false;
  page.show();
}

const page = {
  find, ask, act, after, pointing,
  state: await ask("/api/setup", null, "GET"),
  say(line) { find("message").textContent = line; },
  async refresh() { page.state = await ask("/api/setup", null, "GET"); },
  async change(path, body) { page.state = await ask(path, body); },
  feet: () => steps.feet?.feet() ?? {},
  /** The ring was taken over: in a set-up the next step follows; during a match what was tapped is used up. */
  async ringSaved() {
    if (page.state.again) await look();
    else if (names.length > 1) go(names[names.indexOf("ring") + 1], true);
  },
  show() {
    pointing.show();
    names.forEach((name) => {
      const tab = find(`tab-${name}`);
      tab.setAttribute("aria-current", String(name === current));
      tab.classList.toggle("done", Boolean(steps[name].done?.()));
    });
    find("look").disabled = pointing.busy;
    const hint = steps[current].show();
    if (!pointing.busy) find("hint").textContent = hint;
  },
};

function beginStep() {
  find("begin").onclick = () => act(async () => {
    await ask("/api/setup/begin");
    find("begin-said").textContent = t("page.setup.begins");
    find("begin").hidden = true;
    setTimeout(await_match, WAIT_MS);
  });
  return {
    tool: null,
    picture: "/table/picture.jpg",
    enter: page.refresh,
    show() {
      const { missing } = page.state;
      find("missing").replaceChildren(...missing.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
      find("begin").disabled = pointing.busy || missing.length > 0;
      return t(missing.length ? "page.setup.missing" : "page.setup.ready");
    },
  };
}

const toMatch = () => location.assign(`/?lang=${start.lang}`);

/** Wait until the match answers, or the set-up again with what stopped it. */
async function await_match() {
  if (await isOn()) return toMatch();
  try {
    if ((await fetch("/api/setup")).ok) return location.reload();
  } catch { /* nobody answers yet */ }
  setTimeout(await_match, WAIT_MS);
}

const makers = { ring: ringStep, people: peopleStep, rules: rulesStep, hands: handsStep, fighters: fightersStep, feet: feetStep, begin: beginStep };
const names = page.state.steps, steps = {};
// A page that comes again, in another language too, comes back to its step.
const wanted = location.hash.slice(1);
let current = names.includes(wanted) ? wanted : names[0], shown = null;
for (const name of names) steps[name] = makers[name](page);

/** Go to a step; `keep` leaves standing what was said. */
async function go(name, keep = false) {
  current = name;
  history.replaceState(null, "", `#${name}`);
  for (const link of find("languages").children) link.hash = name;
  for (const part of document.querySelectorAll("[data-step]")) part.hidden = part.dataset.step !== name;
  if (!keep) page.say("");
  pointing.use(steps[name].tool);
  try {
    if (shown !== steps[name].picture) {
      await pointing.load(`${steps[name].picture}?lang=${start.lang}`);
      shown = steps[name].picture;
    }
    await steps[name].enter?.();
  } catch (error) { page.say(error.message); }
  page.show();
}

for (const name of names) {
  const tab = Object.assign(document.createElement("button"), { type: "button", id: `tab-${name}`, textContent: t(`page.setup.step.${name}`) });
  tab.onclick = () => after(name, go);
  const place = document.createElement("li");
  place.append(tab);
  find("steps").append(place);
}
find("steps").hidden = names.length < 2;
async function look() {
  page.state = await ask("/api/setup/look");
  if (shown === "/table/picture.jpg") await pointing.load("/table/picture.jpg");
  for (const step of Object.values(steps)) step.anew?.();
}
find("look").onclick = () => act(look);
pointing.changed = () => page.show();
document.title = t(names.length > 1 && !page.state.again ? "page.setup.title" : `page.setup.step.${names[0]}`);
find("title").textContent = document.title;
await go(current);
// The clicks that hold are those of before the camera moved.
if (page.state.again) {
  find("title").textContent = document.title = t("page.again");
  find("back").hidden = false;
  find("propose").click();
  page.say(t("page.again.hands"));
}
if (page.state.refusal) page.say(page.state.refusal);
// Another browser may begin the match.
if (!page.state.again) begun().then(toMatch);
document.body.dataset.ready = "yes";
