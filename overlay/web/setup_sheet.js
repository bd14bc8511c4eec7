// A wrestler's sheet: ten abilities chosen one by one, with the points of each half; the finisher.
import { t } from "./words.js";

const POINTS = 10, USUAL = 2;

function make(tag, text, attributes = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...attributes });
}

/** The sheet inside the fighter's form; `page` is what the steps share. */
export function sheetForm(page) {
  const { find } = page, form = () => page.state.sheet;
  let touched = false, known = null;
  const HALVES = ["main", "fighting"];
  const scores = (half) => [...find(`sheet-${half}`).querySelectorAll("select")];
  const sum = (half) => scores(half).reduce((total, one) => total + Number(one.value), 0);

  function title() {
    const said = HALVES.map((half) => `${sum(half)}/${POINTS}`).join(" · ");
    find("sheet-title").textContent = touched || known ? `${t("page.setup.fighter.sheet")}: ${said}` : t("page.setup.fighter.sheet.none");
    for (const half of HALVES) find(`sheet-${half}`).classList.toggle("wrong", sum(half) !== POINTS);
  }

  function half(name) {
    find(`sheet-${name}`).replaceChildren(...form()[name].map((ability) => {
      const line = make("label", ""), choice = make("select", "", { name: ability.id });
      choice.append(...[...Array(form().highest + 1).keys()].map((points) => make("option", points, { value: points })));
      choice.value = known?.scores[ability.id] ?? USUAL;
      line.append(make("span", ability.name), choice);
      return line;
    }));
  }

  function changed() {
    touched = true;
    title();
  }
  find("sheet-box").onchange = find("sheet-box").oninput = changed;

  return {
    /** Show a sheet, or with null the one that everybody has who has none. */
    fill(sheet) {
      [known, touched] = [sheet, false];
      HALVES.forEach(half);
      find("sheet-finisher").value = sheet?.finisher ?? "";
      find("sheet-trigger").replaceChildren(...[{ id: "", name: t("page.setup.fighter.trigger.none") }, ...form().triggers].map((one) => make("option", one.name, { value: one.id })));
      find("sheet-trigger").value = sheet?.trigger ?? "";
      find("sheet-box").open = false;
      title();
    },
    /** What was filled in; null when nothing was changed. */
    given() {
      if (!touched) return null;
      const points = HALVES.flatMap(scores).map((one) => [one.name, Number(one.value)]);
      return { scores: Object.fromEntries(points), finisher: find("sheet-finisher").value, trigger: find("sheet-trigger").value };
    },
  };
}
