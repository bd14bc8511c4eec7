// The panel alone, for a phone.
import { Panel } from "./panel.js";
import { connect } from "./stream.js";
import { boot, languageLinks, t } from "./words.js";

const start = await boot();
document.title = t("page.title.panel");
languageLinks(document.querySelector("#languages"), start);
document.querySelector("#again").hidden = !start.again;
const state = document.querySelector("#state");
const panel = new Panel(document.body, start.lang);

connect({ panel: true, lang: start.lang }, {
  panel: (message) => panel.show(message),
  state(connected) {
    state.textContent = connected ? "" : t("page.lost");
    state.classList.toggle("lost", !connected);
  },
});
