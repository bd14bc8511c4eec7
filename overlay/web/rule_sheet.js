// Why? Every rule id on the page opens what the rule says, on a sheet below the question.
//
// An element that names rules in data-rules is a place to ask: the sheet covers neither the question nor
// anything above it, closes on a tap, and for a moment after that what lay under it does not react.
import { t } from "./words.js";

export class RuleSheet {
  /** The sheet of a panel; `top` is the element it stays below, `fetch` gets a rule or null, `closed` is told. */
  constructor({ root, panel, top, fetch, closed, settle }) {
    Object.assign(this, { top, panel, fetch, closed, settle });
    this.known = new Map();
    this.asked = 0;
    this.root = document.createElement("section");
    this.root.className = "rule-sheet";
    this.root.hidden = true;
    this.root.tabIndex = -1;
    this.root.setAttribute("role", "dialog");
    panel.append(this.root);
    root.addEventListener("click", (event) => {
      const place = event.target.closest("[data-rules]");
      if (place) this.open(place.dataset.rules.split(" "), place);
      else if (this.root.contains(event.target) && performance.now() > this.opened + settle) this.close();
    });
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    new ResizeObserver(() => this.place()).observe(top);
  }

  /** Show what these rules say; `from`, if there is one, gets the focus back. */
  async open(rules, from = null) {
    const asked = ++this.asked;
    const found = (await Promise.all(rules.map((rule) => this.get(rule)))).filter(Boolean);
    // Only the rule that was asked for last is shown.
    if (!found.length || asked !== this.asked) return;
    if (!from || !this.root.contains(from)) this.from = from;
    const close = element("p", "close", t("page.rule.close"));
    this.root.setAttribute("aria-label", found.map((rule) => rule.rule).join(" "));
    this.root.replaceChildren(...(found.length > 1 ? found.map(brief) : whole(found[0])), close);
    this.root.hidden = false;
    this.root.scrollTop = 0;
    this.opened = performance.now();
    this.place();
    this.root.focus({ preventScroll: true });
  }

  close() {
    this.asked += 1;
    if (this.root.hidden) return;
    this.root.hidden = true;
    this.from?.focus({ preventScroll: true });
    this.closed();
  }

  async get(rule) {
    if (!this.known.has(rule)) {
      const found = await this.fetch(rule);
      if (!found) return null;
      this.known.set(rule, found);
    }
    return this.known.get(rule);
  }

  /** As tall as there is room below the question. */
  place() {
    const room = this.panel.getBoundingClientRect().bottom - this.top.getBoundingClientRect().bottom;
    this.root.style.maxHeight = `${Math.max(room - 12, 96)}px`;
  }
}

/** A button for each rule id. */
export function chips(rules) {
  return rules.map((rule) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ask-rule";
    button.dataset.rules = rule;
    button.append(element("span", "rule", rule));
    return button;
  });
}

/** The id of a rule inside a line that can be tapped as a whole. */
export function chip(rule) {
  const id = element("small", "rule", rule);
  id.dataset.rules = rule;
  return id;
}

/** A line that opens one rule: its id and what it says. */
function brief({ rule, text }) {
  const line = document.createElement("button");
  line.type = "button";
  line.className = "rule-line";
  line.dataset.rules = rule;
  line.append(element("span", "rule", rule), ` ${text}`);
  return line;
}

function whole(rule) {
  const head = element("h2", "", rule.rule);
  if (rule.edition === "earlier") head.append(" ", element("small", "", t("page.rule.earlier")));
  const made = [head, element("p", "", rule.text)];
  if (rule.house_rules.length) {
    const list = document.createElement("ul");
    list.append(...rule.house_rules.map(houseRule));
    made.push(element("h3", "", t("page.rule.house_rules")), list);
  }
  if (rule.related.length) made.push(element("h3", "", t("page.rule.related")), ...rule.related.map(brief));
  return made;
}

/** An option with all its values; the one in force is strong. */
function houseRule(option) {
  const item = document.createElement("li");
  const values = option.values.map((value, i) => [value, option.said[i]]);
  if (!values.some(([value]) => same(value, option.now))) values.unshift([option.now, option.now_said]);
  item.append(Object.assign(element("span", "", option.title), { title: option.name }), ": ");
  values.forEach(([value, said], i) => {
    if (i) item.append(" · ");
    const now = same(value, option.now), usual = same(value, option.default);
    item.append(element(now ? "strong" : "span", "", said));
    if (usual) item.append(` (${t("page.rule.default")})`);
    else if (now) item.append(` (${t("page.rule.agreed")})`);
  });
  if (option.low !== null) item.append(` · ${option.low} – ${option.high}`);
  return item;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function element(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.textContent = text;
  return made;
}
