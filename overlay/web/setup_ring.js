// The ring's step: sizes, eight points proposed, dragged or tapped one by one, checked, taken over.
import { shape } from "./pointing.js";
import { t } from "./words.js";

const SIZES = ["width_cm", "depth_cm", "post_height_cm"];

/** The step; `page` is what the steps share. */
export function ringStep(page) {
  const { find, ask, act, pointing } = page;
  // points: four corners, then four tops, each [u, v] or null; ends: those of the stick.
  let points = Array(8).fill(null), ends = [], chains = [], asked = null;
  const names = [...Array(8).keys()].map((i) => t(`page.ring.point.${i}`));
  const done = () => points.every(Boolean);
  const sized = () => SIZES.every((key) => page.state.sizes[key]);
  const clicks = () => ({ corners: points.slice(0, 4), tops: points.slice(4) });

  function say(line, verdict) {
    find("verdict").textContent = line;
    find("verdict").className = `verdict ${verdict}`;
  }

  /** Something was moved: what was said of the old points holds no longer. */
  function changed() {
    chains = [];
    say("", "");
    find("lines").replaceChildren();
  }

  async function check() {
    const found = await ask("/api/ring/check", clicks());
    chains = found.chains;
    say(found.lines.at(-1), found.verdict);
    find("lines").replaceChildren(...found.lines.slice(0, -1).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  }

  const measure = () => act(async () => {
    asked = null;
    const found = await ask("/api/ring/stick", { ...clicks(), ends, length_cm: find("length").value === "" ? null : Number(find("length").value) });
    say(found.line, found.verdict);
  });

  find("sizes").onsubmit = (event) => {
    event.preventDefault();
    act(async () => {
      await page.change("/api/setup/sizes", Object.fromEntries(SIZES.map((key) => [key, find(key).value === "" ? null : Number(find(key).value)])));
      find("sizes-box").open = false;
      changed();
    });
  };
  find("propose").onclick = () => act(async () => {
    const found = await ask("/api/ring/propose");
    points = [...found.corners, ...found.tops];
    asked = null;
    await check();
  });
  find("again").onclick = () => { points = Array(8).fill(null); ends = []; asked = "point"; changed(); page.show(); };
  find("check").onclick = () => act(check);
  if (page.state.again) find("save").textContent = t("page.again.save");
  find("save").onclick = () => act(async () => {
    const saved = page.state.again ? await ask("/api/again/save", { ...clicks(), feet: page.feet() }) : await ask("/api/ring/save", clicks());
    await page.refresh();
    page.say(saved.line);
    await page.ringSaved();
  });
  find("stick").onsubmit = (event) => { event.preventDefault(); ends = []; asked = "stick"; page.show(); };

  const tool = {
    points: () => [...points, ...ends],
    kind: (i) => (i < 4 ? "corner" : i < 8 ? "top" : "end"),
    wanted: () => (asked === "point" ? points.indexOf(null) : asked === "stick" ? 8 + ends.length : null),
    put(i, place) {
      if (i < 8) { points[i] = place; changed(); } else ends[i - 8] = place;
    },
    released() {
      if (asked === "point" && done()) { asked = null; act(check); }
      if (asked === "stick" && ends.length === 2) measure();
    },
    under() {
      const drawn = chains.map((chain) => shape("polyline", { points: chain.join(" "), class: "chain" }));
      for (const [from, kind] of [[0, "corner"], [4, "top"]]) {
        const four = points.slice(from, from + 4);
        if (four.every(Boolean)) drawn.push(shape("polygon", { points: four.join(" "), class: `point ${kind}` }));
      }
      if (ends.length === 2) drawn.push(shape("polyline", { points: ends.join(" "), class: "point end" }));
      return drawn;
    },
  };

  return {
    tool,
    picture: "/table/picture.jpg",
    done: () => page.state.ring_known,
    async enter() {
      for (const key of SIZES) find(key).value = page.state.sizes[key] ?? "";
      find("sizes-box").open = !sized();
      find("sizes-box").hidden = Boolean(page.state.again);
      if (points.some(Boolean) || !sized()) return;
      const known = await ask("/api/ring/clicks", null, "GET");
      if (known.corners.length === 4) points.splice(0, 4, ...known.corners);
      if (known.tops.length === 4) points.splice(4, 4, ...known.tops);
    },
    /** A new picture: the points stay, what was said of them does not. */
    anew: changed,
    show() {
      for (const id of ["propose", "again"]) find(id).disabled = pointing.busy || !sized();
      for (const id of ["check", "save"]) find(id).disabled = pointing.busy || !done() || !sized();
      find("stick").querySelector("button").disabled = pointing.busy || !done() || !sized();
      if (!sized()) return t("page.setup.sizes.first");
      if (asked === "point") return `${t("page.ring.click")}: ${names[points.indexOf(null)] ?? ""}`;
      if (asked === "stick") return t(`page.ring.stick.${ends.length}`);
      if (pointing.chosen !== null && pointing.chosen < 8) return `${names[pointing.chosen]}: ${t("page.ring.nudge")}`;
      return done() ? t("page.ring.drag") : t("page.ring.begin");
    },
  };
}
