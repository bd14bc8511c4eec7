// Language and words of a page, from the same catalogue as everything else.

let words = {};

/** The word or sentence of a key of the catalogue. */
export function t(key) {
  return words[key] ?? `⟨${key}⟩`;
}

/** Fetch language, words and colours; fill every element that names a key in data-t. */
export async function boot() {
  const query = new URLSearchParams(location.search);
  const wanted = query.get("lang");
  const answer = await fetch(`/api/boot${wanted ? `?lang=${encodeURIComponent(wanted)}` : ""}`);
  const start = await answer.json();
  words = start.words;
  document.documentElement.lang = start.lang;
  for (const place of document.querySelectorAll("[data-t]")) place.textContent = t(place.dataset.t);
  return start;
}

/** Fill a list with links to this page in the other languages. */
export function languageLinks(place, start) {
  place.replaceChildren(...start.languages.map((lang) => {
    const query = new URLSearchParams(location.search);
    query.set("lang", lang);
    const link = document.createElement("a");
    link.href = `?${query}`;
    link.textContent = lang;
    link.lang = lang;
    if (lang === start.lang) link.setAttribute("aria-current", "true");
    return link;
  }));
}
