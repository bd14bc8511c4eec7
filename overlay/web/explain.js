// Why not? For any fighter, whoever's slot it is: every action, and all that speaks against it.
import { t } from "./words.js";

export class Explanation {
  /** The folded list; `ask` fetches what a fighter may do, `button` draws one line of it. */
  constructor(ask, button) {
    this.ask = ask;
    this.button = button;
    this.turn = null;
    this.root = document.createElement("details");
    this.root.className = "explain";
    this.root.name = "asked";
    const summary = document.createElement("summary");
    summary.textContent = t("page.explain");
    this.fighter = document.createElement("select");
    this.fighter.dataset.explain = "fighter";
    this.list = document.createElement("section");
    this.list.className = "not-now";
    this.root.append(summary, this.fighter, this.list);
    this.fighter.addEventListener("change", () => this.fetch());
    this.root.addEventListener("toggle", () => this.fetch());
  }

  /** Take over who takes part; what stands there is fetched again when the match has gone on. */
  show(fighters, turn) {
    this.root.hidden = fighters.length === 0;
    if (turn === this.turn) return;
    this.turn = turn;
    const before = this.fighter.value;
    this.fighter.replaceChildren(...fighters.map((one) => new Option(one.name, one.fighter)));
    if (fighters.some((one) => one.fighter === before)) this.fighter.value = before;
    this.fetch();
  }

  async fetch() {
    if (!this.root.open || !this.fighter.value) return;
    const { turn } = this;
    const options = await this.ask(this.fighter.value);
    if (turn !== this.turn || !options) return;
    const yes = [{ text: t("page.explain.yes"), rule: "" }];
    this.list.replaceChildren(...options.map((one) => {
      const line = this.button(one.text, one.legal ? yes : one.reasons);
      line.classList.toggle("may", one.legal);
      return line;
    }));
  }
}
