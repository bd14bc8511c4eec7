// Dice of a roll, typed from the table: one row of faces for every die, or the keyboard; or digital dice.
import { chips } from "./rule_sheet.js";
import { t } from "./words.js";

export class DiceEntry {
  /** pools: of the request; shown: the panel; act(name, body, button) sends. */
  constructor(pools, shown, act) {
    this.act = act;
    this.dice = pools.flatMap((pool) => Array.from({ length: pool.count }, () => ({ pool, face: null })));
    this.root = document.createElement("div");
    this.root.className = "dice";
    this.root.append(...pools.map((pool) => this.poolElement(pool)), this.actions(shown));
    if (Array.isArray(shown.offered)) shown.offered.forEach((face, i) => this.set(i, face));
    this.update();
  }

  poolElement(pool) {
    const box = document.createElement("section");
    const head = document.createElement("h3");
    head.textContent = `${pool.fighter}: ${pool.ability ? `${pool.ability}, ` : ""}${pool.text}`;
    const terms = document.createElement("p");
    terms.className = "note";
    // A single term says no more than the number of dice.
    const several = pool.modifiers.length > 1 ? pool.modifiers : [];
    terms.textContent = [
      ...several.map((term) => `${term.text} ${term.value > 0 ? "+" : "−"}${Math.abs(term.value)}`),
      ...(pool.success ? [pool.success] : []),
    ].join("; ");
    terms.append(...chips([...new Set(pool.modifiers.map((term) => term.rule).filter(Boolean))]));
    box.append(head, terms);
    this.dice.forEach((die, i) => { if (die.pool === pool) box.append(this.row(die, i)); });
    return box;
  }

  row(die, i) {
    const row = document.createElement("div");
    row.className = "die";
    row.setAttribute("role", "radiogroup");
    die.buttons = Array.from({ length: die.pool.faces }, (_, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = k + 1;
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => { this.set(i, k + 1); this.update(); });
      return button;
    });
    row.append(...die.buttons);
    return row;
  }

  actions(shown) {
    const row = document.createElement("div");
    row.className = "dice-actions";
    this.send = document.createElement("button");
    this.send.type = "button";
    this.send.className = "answer send";
    this.send.textContent = t("page.dice.send");
    this.send.addEventListener("click", () => this.act("answer", { value: this.dice.map((die) => die.face) }, this.send));
    row.append(this.send);
    if (shown.digital_dice) {
      const roll = document.createElement("button");
      roll.type = "button";
      roll.className = "answer";
      roll.dataset.id = "roll";
      roll.textContent = t("page.dice.digital");
      roll.addEventListener("click", () => this.act("roll", {}, roll));
      row.append(roll);
    }
    return row;
  }

  /** The keyboard: digits fill the next die (0 is 10), Backspace empties the last one, Enter sends. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("summary, a")) return;
    const next = this.dice.findIndex((die) => die.face === null);
    if (/^[0-9]$/.test(event.key) && next >= 0) this.set(next, Number(event.key) || 10);
    else if (event.key === "Backspace") this.clearLast(next);
    else if (event.key === "Enter" && next < 0) this.send.click();
    else return;
    event.preventDefault();
    this.update();
  }

  clearLast(next) {
    const last = (next < 0 ? this.dice.length : next) - 1;
    if (last >= 0) this.dice[last].face = null;
  }

  set(i, face) {
    const die = this.dice[i];
    if (face >= 1 && face <= die.pool.faces) die.face = face;
  }

  update() {
    for (const die of this.dice) {
      die.buttons.forEach((button, k) => button.setAttribute("aria-checked", String(die.face === k + 1)));
    }
    this.send.setAttribute("aria-disabled", String(this.dice.some((die) => die.face === null)));
  }
}
