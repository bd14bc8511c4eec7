// What is agreed before the match: edition, kind of match, house rules and proposals, each with its rule.
import { t } from "./words.js";

function make(tag, text, attributes = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...attributes });
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A select's options from what may be chosen. */
export function options(select, offers, chosen) {
  select.replaceChildren(...offers.map(({ id, name }) => make("option", name, { value: id })));
  select.value = chosen;
}

/** The step; `page` is what the steps share. */
export function rulesStep(page) {
  const { find, ask, after } = page;
  let view = null;

  const send = (path, body) => after(async () => {
    try { view = await ask(path, body); } finally { fill(); }
    await page.refresh();
  });

  const agree = () => send("/api/setup/agree", {
    edition: find("edition").value, mode: find("mode").value,
    modifiers: [...find("modifiers").querySelectorAll("input:checked")].map((box) => box.value),
  });
  const rule = (name, value) => send("/api/setup/house_rule", { name, value });

  function tick(name, label, on, change) {
    const line = make("label", "", { className: "tick" }), box = make("input", "", { type: "checkbox", value: name, checked: on });
    box.onchange = () => change(box.checked);
    line.append(box, make("span", label));
    return line;
  }

  /** An option: what it may be, with the usual marked; of a number the bounds. */
  function option(one) {
    const line = make("label", "");
    line.append(make("span", one.title, { title: one.name }));
    if (one.low !== null) {
      const box = make("input", "", { type: "number", min: one.low, max: one.high, step: "any", value: one.now, inputMode: "decimal" });
      box.onchange = () => rule(one.name, box.value === "" || Number(box.value) === one.default ? null : Number(box.value));
      line.append(box, make("small", `${one.low} – ${one.high}`));
      return line;
    }
    const choice = document.createElement("select");
    choice.append(...one.said.map((said, i) => make("option", same(one.values[i], one.default) ? `${said} (${t("page.rule.default")})` : said, { value: i })));
    choice.value = one.values.findIndex((value) => same(value, one.now));
    choice.onchange = () => { const value = one.values[choice.value]; rule(one.name, same(value, one.default) ? null : value); };
    line.append(choice);
    return line;
  }

  /** A rule with its options. */
  function ruling(group) {
    const box = make("div", "", { className: "ruling" }), text = make("p", "");
    text.append(make("b", group.rule), ` ${group.text}`);
    box.append(text, ...group.options.map(option));
    return box;
  }

  const changed = (one) => !same(one.now, one.default);

  function fill() {
    if (!view) return;
    options(find("edition"), view.editions, view.edition);
    options(find("mode"), view.modes, view.mode);
    find("modifiers").replaceChildren(...view.modifiers_known.map(({ id, name }) => tick(id, name, view.modifiers.includes(id), agree)));
    const other = view.house_rules.map((group) => ({ ...group, options: group.options.filter(changed) })).filter((group) => group.options.length);
    find("changed-title").hidden = !other.length;
    find("changed-rules").replaceChildren(...other.map(ruling));
    find("proposals").replaceChildren(...view.proposals.map((one) => tick(one.id, `${one.id} ${one.text}`, one.agreed, (on) => rule(one.id, on ? true : null))));
    look();
  }

  /** The house rules that have the words looked for. */
  function look() {
    const words = find("find-rule").value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (group) => {
      const whole = [group.rule, group.text, ...group.options.flatMap((one) => [one.title, one.name, one.name.replaceAll("_", " "), ...one.said])].join(" ").toLowerCase();
      return words.every((word) => whole.includes(word));
    };
    const found = view.house_rules.filter(has);
    find("house-rules").replaceChildren(...found.map(ruling));
    find("no-rule").hidden = found.length > 0;
  }

  find("edition").onchange = find("mode").onchange = agree;
  find("agreed").onsubmit = (event) => event.preventDefault();
  find("find-rule").oninput = look;

  return {
    tool: null,
    picture: "/table/picture.jpg",
    async enter() {
      view = await ask("/api/setup/rules", null, "GET");
      fill();
    },
    show() {
      return t("page.setup.rules.hint");
    },
  };
}
