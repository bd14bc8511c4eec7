// Feet tapped again during a match, as many as one likes: without a tap a figure's place is less sure.
import { chips } from "./setup_people.js";
import { t } from "./words.js";

/** The step; `page` is what the steps share. */
export function feetStep(page) {
  const { find } = page;
  let chosen = null, feet = {};
  const known = () => page.state.fighters;

  function choose(id) {
    chosen = id;
    page.pointing.chosen = null;
    page.show();
  }

  function forget() {
    feet = {};
    chosen = known()[0]?.id ?? null;
  }

  find("feet-save").onclick = () => find("save").click();
  find("feet-anew").onclick = () => { forget(); page.show(); };

  const tool = {
    points: () => known().map((one) => feet[one.id] ?? null),
    kind: () => "foot",
    wanted() {
      const place = known().findIndex((one) => one.id === chosen);
      return place >= 0 && !feet[chosen] ? place : null;
    },
    put(i, place) { feet[known()[i].id] = place; },
    released() {
      const next = known().find((one) => !feet[one.id]);
      if (next) choose(next.id);
    },
  };

  return {
    tool,
    picture: "/table/picture.jpg",
    done: () => known().length > 0 && known().every((one) => feet[one.id]),
    feet: () => feet,
    enter() { if (!known().some((one) => one.id === chosen)) forget(); },
    /** On a new picture nobody need stand where the old taps lie. */
    anew: forget,
    show() {
      chips(find("feet-chips"), known().map((one) => [one.id, one.name, feet[one.id] ? "done" : ""]), chosen, choose);
      find("feet-save").disabled = find("save").disabled;
      find("feet-anew").disabled = page.pointing.busy || !Object.keys(feet).length;
      const one = known().find((fighter) => fighter.id === chosen);
      if (!one) return t("page.setup.fighters.none");
      return `${one.name}: ${t(feet[chosen] ? "page.setup.fighters.drag" : "page.setup.fighters.foot")}`;
    },
  };
}
