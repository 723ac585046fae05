/** The one script of the page of a grade: finds exchanges, opens them. It reads text and never writes markup. */
export const SCRIPT = `"use strict";
(() => {
  const all = [...document.querySelectorAll("#exchanges > details")];
  const open = () => {
    const one = document.getElementById(location.hash.slice(1));
    if (one instanceof HTMLDetailsElement) { one.hidden = false; one.open = true; one.scrollIntoView({ block: "start" }); }
  };
  addEventListener("hashchange", open);
  open();
  const form = document.getElementById("filter");
  if (!form) return;
  const [find, outcome, toggle, matches] = ["find", "outcome", "toggle", "matches"].map((id) => document.getElementById(id));
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    let n = 0;
    for (const one of all) {
      const fits = (outcome.value === "" || one.dataset.outcome === outcome.value) && (wanted === "" || one.textContent.toLowerCase().includes(wanted));
      one.hidden = !fits;
      if (fits) n += 1;
    }
    matches.textContent = n + " shown";
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", apply);
  outcome.addEventListener("change", apply);
  toggle.addEventListener("click", () => {
    const isOpening = toggle.textContent === "Open all";
    for (const one of all) if (!one.hidden) one.open = isOpening;
    toggle.textContent = isOpening ? "Close all" : "Open all";
  });
  form.hidden = false;
  apply();
})();
`;
