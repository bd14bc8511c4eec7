// Hands on the mat: a picture, two taps (or none, when the hand is found), three times over.
import { shape } from "./pointing.js";
import { chips } from "./setup_people.js";
import { t } from "./words.js";

const KINDS = ["open", "closed"];

/** The step; `page` is what the steps share. */
export function handsStep(page) {
  const { find, ask, act } = page;
  let player = null, kind = "open", ends = [], view = { laid: [], lines: [], verdict: "" };

  const hand = () => ({ player, kind });
  const look = async () => { view = player ? await ask("/api/hand/view", hand()) : view; };
  const cm = (value) => (value == null ? "–" : value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

  const lay = (pointed) => act(async () => {
    try {
      view = await ask("/api/hand/lay", { ...hand(), ends: pointed });
      ends = view.laid.at(-1).ends.map((end) => [...end]);
      await page.refresh();
    } finally {
      if (pointed) ends = [];
    }
  });

  async function picture() {
    await ask("/api/hand/look");
    ends = [];
    await page.pointing.load("/hand/picture.jpg");
  }

  find("hand-look").onclick = () => act(picture);
  find("hand-find").onclick = () => lay(null);
  find("hand-form").onsubmit = (event) => {
    event.preventDefault();
    act(async () => {
      const given = { id: player };
      for (const key of ["palm_cm", "half_palm_cm"]) if (find(key).value) given[key] = Number(find(key).value);
      await page.change("/api/setup/player", given);
    });
  };

  const tool = {
    points: () => [ends[0] ?? null, ends[1] ?? null],
    kind: () => "end",
    wanted: () => (player && ends.length < 2 ? ends.length : null),
    put(i, place) { ends[i] = place; },
    released() { if (ends.length === 2 && ends.every(Boolean)) lay(ends); },
    under: () => (ends.length === 2 ? [shape("polyline", { points: ends.join(" "), class: "point end" })] : []),
  };

  function placement(one, number) {
    const line = document.createElement("li");
    line.textContent = `${cm(one.cm)} ± ${cm(one.sd)} cm (${one.by})`;
    const drop = Object.assign(document.createElement("button"), { type: "button", textContent: "×", className: "drop" });
    drop.setAttribute("aria-label", t("page.setup.drop"));
    drop.onclick = () => act(async () => { view = await ask("/api/hand/lift", { ...hand(), number }); ends = []; await page.refresh(); });
    line.append(drop);
    return line;
  }

  const choose = (who, which) => act(async () => { [player, kind, ends] = [who, which, []]; type(); await look(); });

  function type() {
    const owner = page.state.players.find((one) => one.id === player);
    find("palm_cm").value = owner?.palm_cm ?? "";
    find("half_palm_cm").value = owner?.half_palm_cm ?? "";
  }

  return {
    tool,
    picture: "/hand/picture.jpg",
    done: () => page.state.players.length > 0 && page.state.players.every((one) => one.palm_cm && one.half_palm_cm),
    async enter() {
      const { players } = page.state;
      if (!players.some((one) => one.id === player)) player = players[0]?.id ?? null;
      type();
      await look();
    },
    show() {
      const { players } = page.state;
      chips(find("hand-players"), players.map((one) => [one.id, one.id, one.palm_cm && one.half_palm_cm ? "done" : ""]), player, (who) => choose(who, kind));
      chips(find("hand-kinds"), KINDS.map((one) => [one, t(`page.setup.hand.kind.${one}`)]), kind, (which) => choose(player, which));
      find("laid").replaceChildren(...view.laid.map(placement));
      find("hand-said").textContent = view.lines.join(" ");
      find("hand-said").className = `verdict ${view.verdict}`;
      const owner = players.find((one) => one.id === player);
      find("hand-now").textContent = owner ? `${owner.id}: ${cm(owner.palm_cm)} / ${cm(owner.half_palm_cm)} cm` : "";
      for (const id of ["hand-look", "hand-find"]) find(id).disabled = page.pointing.busy || !player;
      if (!player) return t("page.setup.people.first");
      return t(ends.length === 1 ? `page.setup.hand.${kind}.1` : ends.length === 2 ? "page.setup.hand.next" : `page.setup.hand.${kind}.0`);
    },
  };
}
