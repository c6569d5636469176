// The chosen colours: light, dark, or those of the system. It runs before the page is drawn, so that nothing flashes,
// and tells the style that there is a script.
"use strict";

(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const NAME = "richman-theme";
  const CHOICES = ["light", "dark"];

  // The choice is a convenience: where nothing can be stored, it lasts as long as the page.
  const stored = () => {
    try {
      return localStorage.getItem(NAME);
    } catch {
      return null;
    }
  };

  const store = (choice) => {
    try {
      if (choice === "system") localStorage.removeItem(NAME);
      else localStorage.setItem(NAME, choice);
    } catch {}
  };

  const night = matchMedia("(prefers-color-scheme: dark)");

  const darken = () => root.toggleAttribute("data-dark", (root.dataset.theme ?? (night.matches && "dark")) === "dark");

  night.addEventListener("change", darken);

  const show = (choice) => {
    const known = CHOICES.includes(choice) ? choice : "system";
    if (known === "system") delete root.dataset.theme;
    else root.dataset.theme = known;
    darken();
    for (const button of document.querySelectorAll("#theme button")) {
      button.setAttribute("aria-pressed", String(button.value === known));
    }
    // Colours of the browser's own bars: the first is for light, the second for dark.
    document.querySelectorAll("meta[name=theme-color]").forEach((meta, at) => {
      const own = `(prefers-color-scheme: ${CHOICES[at]})`;
      meta.media = known === "system" ? own : known === CHOICES[at] ? "all" : "not all";
    });
  };

  show(stored());

  document.addEventListener("DOMContentLoaded", () => {
    const group = document.getElementById("theme");
    if (!group) return;
    group.hidden = false;
    show(stored());
    group.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      store(button.value);
      show(button.value);
    });
  });

  // A long list of contents shows the page that one is on.
  document.addEventListener("DOMContentLoaded", () => {
    const here = document.querySelector(".contents [aria-current]");
    const list = here?.closest(".contents");
    if (list) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  });

  addEventListener("storage", (event) => event.key === NAME && show(event.newValue));
  addEventListener("pageshow", (event) => event.persisted && show(stored()));
})();
