// The overlay alone on a transparent page, for a browser source of OBS.
// ?lang=es|en, ?hide=region,ruler leaves out kinds: ring, region, ruler, arrow, ghost, fighter, banner.
import { render } from "./drawing.js";
import { connect } from "./stream.js";
import { boot, t } from "./words.js";

const start = await boot();
document.title = t("page.title.obs");
const svg = document.querySelector("#overlay");
const hidden = new Set((new URLSearchParams(location.search).get("hide") ?? "").split(",").filter(Boolean));

connect({ overlay: true, lang: start.lang }, {
  draw: (message) => render(svg, message, start.colours, hidden),
  // An overlay that no longer follows the table must not stay on air.
  state(connected) { if (!connected) svg.replaceChildren(); },
});
