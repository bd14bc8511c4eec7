// Who plays: players and fighters, added, changed and taken out.
import { sheetForm } from "./setup_sheet.js";
import { t } from "./words.js";

function make(tag, text, attributes = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...attributes });
}

/** The step; `page` is what the steps share. */
export function peopleStep(page) {
  const { find, act } = page;
  const sheet = sheetForm(page);
  const number = (id) => (find(id).value === "" ? null : Number(find(id).value));

  function drop(address, id) {
    const button = make("button", "×", { type: "button", className: "drop", title: t("page.setup.drop") });
    button.setAttribute("aria-label", `${t("page.setup.drop")}: ${id}`);
    button.onclick = () => act(() => page.change(address, { id }));
    return button;
  }

  // Browsers refuse a second word in their own language, and do not say why.
  for (const id of ["player-id", "fighter-team"]) {
    const place = find(id);
    place.title = t("page.setup.one_word");
    place.oninvalid = (event) => {
      if (!place.validity.patternMismatch) return;
      event.preventDefault();
      page.say(place.title);
      place.focus();
    };
  }

  find("player-form").onsubmit = (event) => {
    event.preventDefault();
    act(async () => {
      await page.change("/api/setup/player", { id: find("player-id").value });
      find("player-form").reset();
    });
  };
  find("fighter-form").onsubmit = (event) => {
    event.preventDefault();
    act(async () => {
      await page.change("/api/setup/fighter", {
        id: find("fighter-id").value, name: find("fighter-name").value, player: find("fighter-player").value,
        kind: find("fighter-kind").value, height_cm: number("fighter-height"), team: find("fighter-team").value || null, sheet: sheet.given(),
      });
      clear();
    });
  };

  function clear() {
    find("fighter-form").reset();
    find("fighter-id").value = "";
    sheet.fill(null);
  }

  function edit(fighter) {
    for (const [id, value] of [["id", fighter.id], ["name", fighter.name], ["kind", fighter.kind], ["height", fighter.height_cm], ["player", fighter.player], ["team", fighter.team]]) find(`fighter-${id}`).value = value ?? "";
    sheet.fill(fighter.sheet);
    page.show();
    find("fighter-name").focus();
  }

  return {
    tool: null,
    picture: "/table/picture.jpg",
    done: () => page.state.players.length > 0 && page.state.fighters.length > 1,
    enter: clear,
    show() {
      const { players, fighters } = page.state;
      find("players").replaceChildren(...players.map((one) => {
        const line = make("li", one.id);
        line.append(drop("/api/setup/player/drop", one.id));
        return line;
      }));
      const chosen = find("fighter-player").value;
      find("fighter-player").replaceChildren(...players.map((one) => make("option", one.id, { value: one.id })));
      if (players.some((one) => one.id === chosen)) find("fighter-player").value = chosen;
      find("fighters-list").replaceChildren(...fighters.map((one) => {
        const line = make("li", ""), button = make("button", `${one.name} (${[one.player, one.team].filter(Boolean).join(", ")})`, { type: "button", className: "name" });
        button.onclick = () => edit(one);
        line.append(button, drop("/api/setup/fighter/drop", one.id));
        return line;
      }));
      const teams = new Set(fighters.map((one) => one.team).filter(Boolean));
      find("teams").replaceChildren(...[...teams].map((team) => make("option", "", { value: team })));
      find("fighter-add").disabled = page.pointing.busy || !players.length;
      find("fighter-add").textContent = t(find("fighter-id").value ? "page.setup.fighter.change" : "page.setup.fighter.add");
      return t(players.length ? "page.setup.people.hint" : "page.setup.people.first");
    },
  };
}

/** A row of buttons of which one is chosen: [id, name] each. */
export function chips(place, choices, chosen, choose) {
  place.replaceChildren(...choices.map(([id, name, mark]) => {
    const button = make("button", name, { type: "button", className: `chip ${mark ?? ""}` });
    button.setAttribute("aria-pressed", String(id === chosen));
    button.onclick = () => choose(id);
    return button;
  }));
}
