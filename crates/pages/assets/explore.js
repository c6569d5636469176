// Explores in place: fetches the answer when the page has come without it, follows the links of the board without a
// new page, and sets boards up cell by cell. Without this script all of it works by links and forms.
"use strict";

(() => {
  const main = document.getElementById("main");
  const find = (css, within = document) => within.querySelector(css);
  const all = (css, within = document) => [...within.querySelectorAll(css)];

  // Speaks to visitors who do not see the page.
  const say = (text) => {
    const live = document.getElementById("live");
    if (live && text) live.textContent = text;
  };

  // ---- fetching pages ----

  let fetching = null;

  const fetched = async (address) => {
    fetching?.abort();
    fetching = new AbortController();
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: fetching.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!find("#main", page)) throw new Error("no page");
    return { page, address: answer.url };
  };

  // Keeps the focus where it was, if that place is still there.
  const keepingFocus = (change) => {
    const had = document.activeElement;
    const { id } = had;
    const place = had.dataset?.place;
    const inside = main.contains(had);
    change();
    if (!inside || main.contains(document.activeElement)) return;
    const open = place ? all("#board .open") : [];
    const same = document.getElementById(id) ?? open.find((one) => one.dataset.place === place);
    (same ?? open[0] ?? document.getElementById("position"))?.focus({ preventScroll: true });
  };

  // The parts that an answer changes. The form stays, as somebody may be typing there.
  const PARTS = ["position", "answer", "all-moves", "more"];

  const replaceParts = (page) => {
    keepingFocus(() => {
      for (const id of PARTS) {
        const [old, now] = [document.getElementById(id), page.getElementById(id)];
        if (old && now) old.replaceWith(document.adoptNode(now));
      }
    });
  };

  const replaceAll = (page) => {
    const parts = [...find("#main", page).childNodes].map((node) => document.adoptNode(node));
    keepingFocus(() => {
      const old = ["#setup .cells", "#setup .palette"].map((css) => find(css, main));
      const before = find("#setup")?.dataset.text;
      main.replaceChildren(...parts);
      // Buttons that are being pressed stay the same.
      if (find("#setup")?.dataset.text !== before) return;
      for (const one of old) if (one) find(`#setup .${one.classList[0]}`)?.replaceWith(one);
    });
    document.title = page.title;
  };

  const failed = (again) => {
    const answer = document.getElementById("answer");
    if (!answer) return;
    answer.removeAttribute("aria-busy");
    find(".working, .unreached", answer)?.remove();
    const said = document.createElement("p");
    said.className = "notice unreached";
    said.setAttribute("role", "alert");
    said.textContent = "The server cannot be reached. ";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Try again";
    button.addEventListener("click", again);
    said.append(button);
    answer.append(said);
    addEventListener("online", again, { once: true });
  };

  // Fetches the answer that the page waits for.
  const fill = async () => {
    const waiting = find("[data-whole]");
    if (!waiting) return;
    const address = waiting.dataset.whole;
    try {
      const { page } = await fetched(address);
      // Without the place of an answer, this says why there is none.
      if (page.getElementById("answer")) replaceParts(page);
      else replaceAll(page);
      prepare();
      say(find("#answer .outcome, #answer .facts, #answer [role=alert]")?.textContent || "The answer is there.");
    } catch (error) {
      if (error.name !== "AbortError") failed(() => visit(location.href));
    }
  };

  // Shows another page of explore in place.
  const visit = async (address) => {
    const answer = document.getElementById("answer");
    answer?.setAttribute("aria-busy", "true");
    try {
      const { page, address: reached } = await fetched(address);
      replaceAll(page);
      if (reached.split("#")[0] !== location.href.split("#")[0]) history.replaceState(null, "", reached);
      shown = here();
      prepare();
      await fill();
    } catch (error) {
      if (error.name !== "AbortError") failed(() => visit(address));
    }
  };

  // ---- links and the form ----

  const here = () => location.pathname + location.search;
  let shown = here();

  const go = (address) => {
    history.pushState(null, "", address);
    shown = here();
    visit(address);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-here]");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.href);
  });

  addEventListener("popstate", () => {
    if (here() === shown) return; // a place on the same page
    shown = here();
    visit(location.href);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "question") {
      event.preventDefault();
      go(`${form.action}?${new URLSearchParams(new FormData(form))}`);
    } else if (form.id === "setup") {
      event.preventDefault();
      const pressed = event.submitter;
      if (pressed?.name !== "put") return;
      if (pressed.value === "all") for (const cell of cells()) put(cell, ".");
      else put(pressed, pressed.dataset.piece === piece() ? "." : piece());
      changed();
    }
  });

  // ---- setting a board up ----

  const cells = () => all("#setup .cell");
  const piece = () => find("#setup [name=setup]:checked")?.value ?? ".";

  const put = (cell, what) => {
    const label = all("#setup [name=setup]").find((one) => one.value === what).labels[0];
    const [sign, words] = all("span", label).map((span) => span.textContent);
    cell.dataset.piece = what;
    cell.textContent = what === "." ? "" : sign;
    cell.classList.toggle("alice", label.classList.contains("alice"));
    cell.classList.toggle("bob", label.classList.contains("bob"));
    cell.setAttribute("aria-label", `${cell.dataset.name}, ${words}`);
  };

  // The position as text, as the server writes it after a change.
  const position = () => {
    const rows = all("#setup .cell-row").map((row) => all(".cell", row).map((cell) => cell.dataset.piece));
    const text = rows.map((row) => row.join("")).join("/");
    const { kind, text: before } = find("#setup").dataset;
    if (kind === "stones") return text;
    const stands = (letter) => {
      const [row, king, rook] = letter < "a" ? [7, "K", "R"] : [0, "k", "r"];
      return rows[row]?.[4] === king && rows[row]?.[letter.toLowerCase() === "k" ? 7 : 0] === rook;
    };
    const castlings = [...(before.split(" ")[1] ?? "")].filter((letter) => "KQkq".includes(letter) && stands(letter));
    return [text.replace(/\.+/g, (empty) => empty.length), castlings.join("")].join(" ").trim();
  };

  let pause = 0;

  const changed = () => {
    const text = position();
    find("#setup").dataset.text = text;
    const typed = document.getElementById("ask-position");
    if (typed) typed.value = text;
    const address = new URL(location.href);
    address.searchParams.set("position", text);
    address.searchParams.set("setup", piece());
    history.replaceState(null, "", address);
    shown = here();
    document.getElementById("answer")?.setAttribute("aria-busy", "true");
    fetching?.abort();
    clearTimeout(pause);
    pause = setTimeout(() => visit(address.href), 150); // several cells make one question
  };

  document.addEventListener("change", (event) => {
    if (event.target.name !== "setup") return;
    const address = new URL(location.href);
    address.searchParams.set("setup", piece());
    history.replaceState(null, "", address);
    shown = here();
  });

  // The board is one stop for the tab key; arrow keys go from cell to cell.
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("#setup .cell");
    const [down, right] =
      { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key] ?? [];
    if (!cell || down === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = all("#setup .cell-row").map((row) => all(".cell", row));
    const row = rows.findIndex((one) => one.includes(cell));
    const next = rows[row + down]?.[rows[row].indexOf(cell) + right];
    event.preventDefault();
    if (!next) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  const prepare = () => {
    richman.prepareCopies();
    const board = cells();
    if (board.length === 0) return;
    const focused = board.find((cell) => cell === document.activeElement);
    const stop = focused ?? board.find((cell) => cell.getAttribute("tabindex") === "0") ?? board[0];
    for (const cell of board) cell.tabIndex = cell === stop ? 0 : -1;
  };

  if (!main) return;
  prepare();
  fill();
})();
