// The match panel: what is asked, big buttons to answer, undo always in the same place.
//
// Nothing moves under a finger: while a finger is down the panel waits with its changes, and for a moment after
// a change of question its buttons do not react, so that a tap meant for the old question hits nothing.
import { Corrections } from "./corrections.js";
import { DiceEntry } from "./dice.js";
import { Explanation } from "./explain.js";
import { RuleSheet, chip, chips } from "./rule_sheet.js";
import { t } from "./words.js";

const SETTLE_MS = 350;
// So much out of sight is worth a hint; less is a rim.
const MORE_PX = 12;
// Kinds of question that the camera can answer.
const CAMERA_KINDS = new Set(["observe", "place"]);

export class Panel {
  /** Build the panel inside `root` (see panel.html for its parts); `lang` is the language of the answers. */
  constructor(root, lang) {
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.root = root;
    this.lang = lang;
    this.shown = null;
    this.pending = null;
    this.finger = false;
    this.busy = false;
    this.dice = null;
    addEventListener("keydown", (event) => this.dice?.key(event));
    this.part("answers").addEventListener("scroll", () => this.below());
    new ResizeObserver(() => this.below()).observe(this.part("answers"));
    root.addEventListener("pointerdown", () => { this.finger = true; });
    for (const end of ["pointerup", "pointercancel"]) {
      // After the click that follows the release.
      addEventListener(end, () => setTimeout(() => { this.finger = false; this.catchUp(); }, 0));
    }
    // Where there is room beside the panel the history is open from the start.
    root.querySelector("details").open = matchMedia("(min-width: 60rem)").matches;
    this.corrections = new Corrections((value, by) => this.act("answer", { value }, by));
    this.explanation = new Explanation((fighter) => this.explain(fighter), (text, notes) => this.button(text, notes, null, false));
    this.part("history").closest("details").after(this.explanation.root, this.corrections.root);
    this.sheet = new RuleSheet({
      root, panel: root.querySelector("#panel"), top: this.part("who"), settle: SETTLE_MS,
      fetch: (rule) => this.read(`rule?id=${encodeURIComponent(rule)}`),
      closed: () => this.settle(),
    });
    for (const back of ["undo", "redo"]) {
      this.part(back).addEventListener("click", () => this.act(back, {}, this.part(back)));
    }
  }

  /** Show a panel message, now or when the finger is lifted. */
  show(message) {
    this.pending = message;
    this.catchUp();
  }

  catchUp() {
    if (this.finger || !this.pending) return;
    const before = this.shown;
    this.shown = this.pending;
    this.pending = null;
    const camera = CAMERA_KINDS.has(this.shown.request?.kind);
    const same = before && before.turn === this.shown.turn
      && JSON.stringify(before.request) === JSON.stringify(this.shown.request)
      && (!camera || before.sighting === this.shown.sighting);
    this.drawNotices();
    this.drawHistory();
    this.drawUndo();
    this.drawStandings();
    this.corrections.show(this.shown.corrections, this.shown.turn, this.shown.request, Boolean(this.shown.outcome));
    this.explanation.show(this.shown.fighters, this.shown.turn);
    if (same) return;
    this.say("");
    this.drawQuestion();
    if (before?.turn !== this.shown.turn) this.part("answers").scrollTop = 0;
    if (before && before.turn !== this.shown.turn) this.settle();
  }

  /** For a moment a tap that was meant for what stood there before hits nothing. */
  settle() {
    this.root.classList.add("fresh");
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.root.classList.remove("fresh"), SETTLE_MS);
  }

  drawQuestion() {
    const { request, outcome } = this.shown;
    this.part("happened").textContent = this.shown.happened.join(" ");
    this.part("step").textContent = request ? request.step : "";
    this.part("step").title = request ? request.code : "";
    this.part("question").textContent = request ? request.text : outcome ?? t("page.no_request");
    this.part("rules").replaceChildren(...chips(request ? request.rules : []));
    this.part("who").textContent = request
      ? t("page.answers") + (request.referee ? t("page.referee") : request.who)
      : outcome ? t("page.match_over") : "";
    this.dice = null;
    this.part("answers").replaceChildren(...(request ? this.answers(request) : []));
    this.below();
  }

  /** Show whether there are answers below those in sight. */
  below() {
    const list = this.part("answers");
    list.classList.toggle("below", list.scrollHeight - list.clientHeight - list.scrollTop > MORE_PX);
  }

  answers(request) {
    const made = [];
    this.dice = request.kind === "roll"
      ? new DiceEntry(request.dice, this.shown, (name, body, by) => this.act(name, body, by)) : null;
    if (this.dice) made.push(this.dice.root);
    if (CAMERA_KINDS.has(request.kind)) made.push(this.look());
    made.push(...request.options.filter((option) => option.legal).flatMap((option) => this.allowed(option)));
    const others = request.options.filter((option) => !option.legal);
    if (others.length) made.push(this.notNow(others));
    return made;
  }

  /** What cannot be answered now, below what can, smaller, each with its reasons. */
  notNow(options) {
    const box = document.createElement("section");
    box.className = "not-now";
    const head = document.createElement("h2");
    head.textContent = t("page.not_now");
    box.append(head, ...options.map((option) => this.button(option.text, option.reasons, null, false, option.id)));
    return box;
  }

  /** An answer; the rules of what it would do stand below it, where nobody who means to answer taps. */
  allowed(option) {
    const rules = [...new Set(option.doubts.flatMap((doubt) => doubt.rules))];
    const notes = option.doubts.map((doubt) => ({ text: t("page.sure") + doubt.text, rule: "" }));
    const button = this.button(option.text, notes, (by) => this.act("answer", { value: option.id }, by), true, option.id);
    if (!rules.length) return [button];
    const below = document.createElement("p");
    below.className = "asks";
    below.append(...chips(rules));
    return [button, below];
  }

  look() {
    const why = this.shown.sighting;
    const notes = why ? [{ text: t("page.camera.cannot") + why, rule: "" }] : [];
    return this.button(t("page.camera.take"), notes, (by) => this.act("look", {}, by), !why, "look");
  }

  /** A big button; one that is not legal says why, and a tap on it shows the rules behind that. */
  button(text, notes, act, legal = true, id = "") {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "answer";
    button.dataset.id = id;
    button.append(line("label", text));
    for (const note of notes) button.append(line("note", note.text, note.rule ? [note.rule] : []));
    if (legal) button.addEventListener("click", () => act(button));
    else {
      button.setAttribute("aria-disabled", "true");
      asks(button, notes.map((note) => note.rule));
    }
    return button;
  }

  drawNotices() {
    this.part("notices").replaceChildren(...this.shown.notices.map((notice) => {
      const item = document.createElement("li");
      item.className = notice.tone;
      item.textContent = notice.text;
      if (notice.answer !== null) {
        const confirm = (by) => this.act("answer", { value: notice.answer }, by);
        item.append(this.button(t("page.confirm"), [], confirm, true, "confirm"));
      }
      return item;
    }));
  }

  drawHistory() {
    this.part("history").replaceChildren(...[...this.shown.history].reverse().map((happened) => {
      const item = document.createElement("li");
      const said = document.createElement(happened.rules.length ? "button" : "p");
      if (happened.rules.length) said.type = "button";
      said.className = "said";
      said.append(line("label", happened.text, happened.rules));
      asks(said, happened.rules);
      item.append(said);
      return item;
    }));
  }

  /** How much Stamina everybody has, where the page has room for it and no picture that says it. */
  drawStandings() {
    const { corrections } = this.shown;
    if (!corrections.length) return;
    this.part("standings")?.replaceChildren(...corrections.map(({ name, fields }) => {
      const item = document.createElement("li");
      const field = (which) => fields.find((one) => one.field === which);
      const stamina = document.createElement("b");
      stamina.textContent = field("stamina")?.now_text ?? "";
      const posture = field("posture");
      const [who, how] = [document.createElement("span"), document.createElement("i")];
      who.textContent = name;
      how.textContent = posture && posture.now !== "standing" ? posture.now_text : "";
      item.append(stamina, " ", who, ...(how.textContent ? [" ", how] : []));
      return item;
    }));
  }

  drawUndo() {
    const nothing = { undo: t("page.undo.nothing"), redo: t("page.redo.nothing") };
    const label = { undo: t("page.undo"), redo: t("page.redo") };
    for (const back of ["undo", "redo"]) {
      const what = this.shown[back];
      this.part(back).replaceChildren(line("label", label[back]), line("note", what ?? nothing[back]));
      this.part(back).setAttribute("aria-disabled", String(!what));
    }
  }

  /** Send an act for the turn that is on screen. */
  async act(name, body, by) {
    if (this.busy || !this.shown || by?.getAttribute("aria-disabled") === "true") return;
    this.busy = true;
    by?.classList.add("sent");
    try {
      const answer = await fetch(`/api/${name}?lang=${this.lang}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Palmo": "1" },
        body: JSON.stringify({ turn: this.shown.turn, ...body }),
      });
      this.say(...(answer.ok ? [""] : await complaint(answer)));
    } catch {
      this.say(t("page.failed"));
    } finally {
      this.busy = false;
      by?.classList.remove("sent");
    }
  }

  /** What a fighter may do and why not; null when nobody can be asked. */
  async explain(fighter) {
    return (await this.read(`explain?fighter=${encodeURIComponent(fighter)}`))?.options ?? null;
  }

  /** Something to read from the server; null, and a sentence, when there is none. */
  async read(what) {
    try {
      const answer = await fetch(`/api/${what}&lang=${this.lang}`);
      if (answer.ok) return await answer.json();
      this.say(...await complaint(answer));
    } catch {
      this.say(t("page.failed"));
    }
    return null;
  }

  say(sentence, rules = []) {
    this.part("message").replaceChildren(sentence, ...chips(rules));
  }
}

/** What the server said against something, and the rules behind it. */
async function complaint(answer) {
  try {
    const { error, reasons = [] } = await answer.json();
    return [error, [...new Set(reasons.map((reason) => reason.rule).filter(Boolean))]];
  } catch {
    return [t("page.failed")];
  }
}

/** Make an element a place to ask about rules, if there are any. */
function asks(element, rules) {
  const named = [...new Set(rules.filter(Boolean))];
  if (named.length) element.dataset.rules = named.join(" ");
}

/** A line of a button or list: the text and, smaller, the rule ids. */
function line(kind, text, rules = []) {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  for (const rule of rules) span.append(" ", chip(rule));
  return span;
}
