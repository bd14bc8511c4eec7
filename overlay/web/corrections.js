// What the referee may set with his own word: whose field, which, what it becomes and why.
import { t } from "./words.js";

export class Corrections {
  /** The folded form; `send` takes what an answer of the referee's says. */
  constructor(send) {
    this.send = send;
    this.offered = [];
    this.turn = null;
    this.root = element("details", "corrections");
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
    this.root.append(summary, this.fighter, this.field, this.value, this.reason, this.button);
    this.fighter.addEventListener("change", () => this.drawFields());
    this.field.addEventListener("change", () => this.drawValue());
    this.button.addEventListener("click", () => this.correct());
  }

  /** Take over what can be corrected at this turn; what is chosen stays chosen. */
  show(offered, turn) {
    this.root.hidden = offered.length === 0;
    if (turn === this.turn) return;
    this.turn = turn;
    this.offered = offered;
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
