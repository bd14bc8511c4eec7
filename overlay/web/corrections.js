// What the referee may set with his own word: whose field, which, what it becomes and why.
import { t } from "./words.js";

export class Corrections {
  /** The folded form; `send` takes what an answer of the referee's says. */
  constructor(send) {
    this.send = send;
    this.offered = [];
    this.turn = null;
    this.root = element("details", "corrections");
    // One of the two lists at a time: there is not room for both.
    this.root.name = "asked";
    this.fighter = element("select", "", "fighter");
    this.field = element("select", "", "field");
    this.value = element("span", "value");
    this.reason = element("input", "", "reason");
    this.reason.placeholder = t("page.correct.why");
    this.reason.maxLength = 200;
    this.button = element("button", "", "correct");
    this.button.type = "button";
    this.button.textContent = t("page.correct.do");
    const summary = element("summary");
    summary.textContent = t("page.correct");
    this.over = element("p", "note", "over");
    this.over.textContent = t("page.correct.over");
    this.form = element("div");
    this.form.append(this.fighter, this.field, this.value, this.reason, this.button);
    this.root.append(summary, this.over, this.form, this.letStand());
    this.fighter.addEventListener("change", () => this.drawFields());
    this.field.addEventListener("change", () => this.drawValue());
    this.button.addEventListener("click", () => this.correct());
  }

  /** What was done although the rules forbid it, to be let stand. */
  letStand() {
    this.stands = element("div", "", "stands");
    this.illegal = element("select", "", "illegal");
    this.because = element("input", "", "because");
    this.because.placeholder = t("page.correct.why");
    this.because.maxLength = 200;
    const button = element("button", "", "accept");
    button.type = "button";
    button.textContent = t("page.accept.do");
    button.addEventListener("click", () => {
      this.send({ accept: { answer: this.illegal.value, reason: this.because.value.trim() } }, button);
      this.because.value = "";
    });
    const head = element("p", "note");
    head.textContent = t("page.accept");
    this.stands.append(head, this.illegal, this.because, button);
    return this.stands;
  }

  /**
   * Take over what can be corrected at this turn, what is asked and whether the match is over; what is chosen
   * stays chosen. After the end there is nothing to correct until the end is taken back.
   */
  show(offered, turn, request, over) {
    this.root.hidden = offered.length === 0 && !over;
    this.over.hidden = !over;
    this.form.hidden = over || offered.length === 0;
    if (turn === this.turn) return;
    this.turn = turn;
    this.offered = offered;
    const illegal = (request?.options ?? []).filter((option) => !option.legal);
    this.stands.hidden = illegal.length === 0;
    choices(this.illegal, illegal.map((option) => [option.id, option.text]));
    choices(this.fighter, offered.map((one) => [one.fighter, one.name]));
    this.drawFields();
  }

  drawFields() {
    const fields = this.offered.find((one) => one.fighter === this.fighter.value)?.fields ?? [];
    choices(this.field, fields.map((one) => [one.field, `${one.text}: ${one.now_text}`]));
    this.drawValue();
  }

  drawValue() {
    const wanted = this.chosen();
    this.value.replaceChildren(...(wanted ? inputs(wanted) : []));
  }

  chosen() {
    return this.offered.find((one) => one.fighter === this.fighter.value)
      ?.fields.find((one) => one.field === this.field.value);
  }

  correct() {
    const wanted = this.chosen();
    if (!wanted) return;
    const given = [...this.value.children].map((one) => one.value);
    const read = {
      number: () => Number(given[0]),
      flag: () => given[0] === "true",
      choice: () => given[0],
      point: () => given.map(Number),
    };
    const said = { fighter: this.fighter.value, field: wanted.field, value: read[wanted.kind]() };
    this.send({ correct: { ...said, reason: this.reason.value.trim() } }, this.button);
    this.reason.value = "";
  }
}

function inputs(wanted) {
  if (wanted.values.length) {
    const select = element("select", "", "value");
    choices(select, wanted.values.map((one) => [String(one.value), one.text]));
    select.value = String(wanted.now);
    return [select];
  }
  return (Array.isArray(wanted.now) ? wanted.now : [wanted.now]).map((now) => {
    const input = element("input", "", "value");
    input.type = "number";
    if (wanted.kind === "number") {
      input.min = wanted.low;
      input.max = wanted.high;
    } else {
      input.step = "any";
    }
    input.value = now;
    return input;
  });
}

function choices(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    return option;
  }));
  if (options.some(([value]) => value === before)) select.value = before;
}

function element(tag, name = "", part = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (part) made.dataset.correct = part;
  return made;
}
