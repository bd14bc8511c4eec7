// A page of the match opened while the table is set up: on air it is empty, to people it says one sentence, and
// when the match begins it is the page that was wanted.
import { begun } from "./match.js";
import { boot, t } from "./words.js";

if (location.pathname !== "/obs") {
  document.documentElement.className = "";
  await boot();
  document.title = t("page.title.panel");
}
await begun();
location.reload();
