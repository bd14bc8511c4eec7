// The live page: picture with overlay, and the panel beside it.
import { render } from "./drawing.js";
import { Panel } from "./panel.js";
import { connect } from "./stream.js";
import { verdictAt } from "./verdict.js";
import { boot, languageLinks, t } from "./words.js";

const start = await boot();
document.title = t("page.title.live");
languageLinks(document.querySelector("#languages"), start);
const canvas = document.querySelector("#picture"), svg = document.querySelector("#overlay");
const state = document.querySelector("#state");
const panel = new Panel(document.body, start.lang);
const remark = document.querySelector("#remark");
let seen = false, drawn = null;
canvas.addEventListener("click", ({ clientX, clientY }) => {
  const rules = verdictAt(svg, drawn, clientX, clientY);
  if (rules.length) panel.sheet.open(rules);
});

/** One quiet line below the picture, where it covers nothing: the newest thing that is not as it should be. */
function remarkOn(notices) {
  const doubtful = notices.filter((notice) => notice.tone === "doubt" || notice.tone === "illegal");
  remark.textContent = doubtful.at(-1)?.text ?? "";
  remark.title = doubtful.map((notice) => notice.text).join("\n");
}

// How sure every place on the table is: drawn once by the server, laid over them, so that no name covers its
// numbers.
const map = document.querySelector("#map"), showMap = document.querySelector("#show-map"), legend = document.querySelector("#legend");
showMap.hidden = !start.map;
document.querySelector("#again").hidden = !start.again;
showMap.onclick = () => {
  legend.hidden = map.hidden = !map.hidden;
  // A camera that was calibrated again has another map.
  if (!map.hidden) map.src = `/map.png?lang=${start.lang}`;
  showMap.setAttribute("aria-pressed", String(!map.hidden));
};

// Where the picture is shown small its labels are made bigger, by the server, so that none covers another.
const narrow = matchMedia("(max-width: 640px)");
narrow.onchange = () => location.reload();

connect({ overlay: true, picture: true, panel: true, small: narrow.matches, lang: start.lang }, {
  panel(message) {
    panel.show(message);
    remarkOn(message.notices);
  },
  draw(message, picture) {
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.parentElement.style.aspectRatio = `${picture.width} / ${picture.height}`;
    }
    canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
    render(svg, message, start.colours);
    [seen, drawn] = [true, message];
    state.textContent = "";
  },
  state(connected) {
    state.textContent = connected ? (seen ? "" : t("page.no_picture")) : t("page.lost");
    state.classList.toggle("lost", !connected);
  },
});
