/** The one script of the page of a grade: finds exchanges, opens what a link leads to. It reads text and never writes markup. */
export const SCRIPT = `"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = [...document.querySelectorAll("#exchanges > details")];
  const form = byId("filter");
  const [find, outcome, found, toggle, matches] = ["find", "outcome", "found", "toggle", "matches"].map(byId);
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    let n = 0;
    for (const one of all) {
      const fits = (outcome.value === "" || one.dataset.outcome === outcome.value) && (!found.checked || one.dataset.found === "yes");
      one.hidden = !fits || !(wanted === "" || one.textContent.toLowerCase().includes(wanted));
      if (!one.hidden) n += 1;
    }
    matches.textContent = n + " shown";
  };
  // A link may lead to what is closed, or to what the filter has put away.
  const reveal = (hash) => {
    for (let box = byId(hash.slice(1))?.closest("details"); box; box = box.parentElement.closest("details")) {
      if (box.hidden) { form.reset(); apply(); }
      box.open = true;
    }
  };
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("a[href^='#']") : null;
    if (link) reveal(link.hash);
  });
  addEventListener("hashchange", () => reveal(location.hash));
  reveal(location.hash);
  if (!form) return;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  toggle.addEventListener("click", () => {
    const isOpening = toggle.textContent === "Open all";
    for (const one of all) if (!one.hidden) one.open = isOpening;
    toggle.textContent = isOpening ? "Close all" : "Open all";
  });
  form.hidden = false;
  apply();
})();
`;
