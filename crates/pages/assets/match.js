// Makes a match live: fetches the part that changed, and sends forms without leaving the page. Without this script
// every page still works, by its links and forms.
"use strict";

(() => {
  const match = (richman.match = () => document.getElementById("match"));

  // Speaks to visitors who do not see the page.
  const say = (richman.say = (text) => {
    const live = document.getElementById("live");
    if (live && text && live.textContent !== text) live.textContent = text;
  });

  // ---- decisions that follow each other ----

  // For this time a new decision takes nothing: the second half of a double click or a double tap was meant for the
  // form that stood there before.
  const SETTLING = 500; // milliseconds

  let settling = 0;

  const settle = (richman.settle = () => {
    const page = document.documentElement;
    page.classList.add("settling");
    clearTimeout(settling);
    settling = setTimeout(() => page.classList.remove("settling"), SETTLING);
  });

  const isPress = (event) => !event.type.startsWith("key") || event.key === "Enter" || event.key === " ";

  const hold = (event) => {
    const isHeld = event.repeat || document.documentElement.classList.contains("settling");
    if (!isHeld || !isPress(event) || !event.target.closest?.("#board, .deciding")) return;
    event.stopImmediatePropagation();
    if (event.type !== "pointerdown") event.preventDefault();
  };

  for (const kind of ["pointerdown", "pointerup", "click", "keydown", "submit"]) {
    document.addEventListener(kind, hold, { capture: true });
  }

  // ---- the changing part ----

  // What an exchange must not lose: the text being typed, the open details, the focus.
  const keep = (old) => ({
    key: old.dataset.key,
    id: old.dataset.match,
    turn: old.querySelector(".reveal")?.dataset.turn,
    focus: old.contains(document.activeElement)
      ? document.activeElement.id || document.activeElement.dataset.place
      : null,
    place: Boolean(document.activeElement?.dataset?.place),
    open: [...old.querySelectorAll("details[open][id]")].map((one) => one.id),
    typed: [...old.querySelectorAll("input[id]:not([readonly]):not([type=hidden]), select[id]")].map((one) => [
      one.id,
      one.value,
    ]),
  });

  // What a player fills in or presses next.
  const decision = (now) => {
    const place = "#board .open[tabindex='0']";
    const kinds = ["#curtain:not([open]) summary", "#bid", place, ".action:not(.waiting) button"];
    return kinds.map((kind) => now.querySelector(kind)).find(Boolean);
  };

  const restore = (now, kept) => {
    const same = kept.key === now.dataset.key && kept.id === now.dataset.match;
    for (const id of kept.open) {
      const details = document.getElementById(id);
      if (details && (same || id !== "curtain") && id !== "resign") details.open = true;
    }
    if (same) {
      for (const [id, value] of kept.typed) {
        const field = document.getElementById(id);
        if (field && value !== "") field.value = value;
      }
    }
    if (kept.focus === null) return;
    const again = kept.place ? richman.placed(kept.focus) : document.getElementById(kept.focus);
    // A new decision takes the focus, so that nobody has to search for it. Where that would raise a keyboard on the
    // screen, the heading takes it.
    const first = !matchMedia("(pointer: coarse)").matches && decision(now);
    (same && again ? again : first || document.getElementById("state"))?.focus({ preventScroll: true });
  };

  // A hint or a refusal stays as long as its decision is due, whatever the other player does meanwhile.
  const tell = (old, now) => {
    if (old.dataset.key !== now.dataset.key || old.dataset.match !== now.dataset.match) return;
    const told = old.querySelector("[data-told]");
    if (told && !now.querySelector("[data-told]")) {
      now.querySelector(".deciding")?.prepend(told);
      // The board shows the moves of the hint.
      const board = old.querySelector("#board");
      if (now.dataset.key && !board.querySelector(".past")) now.querySelector("#board")?.replaceWith(board);
    }
    const unreached = old.querySelector(".unreached");
    if (unreached) now.querySelector(".action > form, .action")?.append(unreached);
  };

  const part = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("match");

  const exchange = (now, sent) => {
    const old = match();
    // An answer that was overtaken.
    if (now.dataset.match === old.dataset.match && Number(now.dataset.version) < Number(old.dataset.version)) return;
    const kept = keep(old);
    const curtain = document.getElementById("curtain");
    // At one screen, a player typing behind the curtain is not disturbed.
    if (curtain?.open && now.dataset.version === old.dataset.version && !now.querySelector("[role=alert]")) return;
    if (!sent) tell(old, now);
    richman.sound(old, now);
    old.replaceWith(document.adoptNode(now));
    richman.pay(old, now);
    // What the last move changed moves, once.
    const hasMoved = now.dataset.match === old.dataset.match && now.dataset.turns !== old.dataset.turns;
    document.getElementById("board").classList.toggle("moving", hasMoved);
    if (now.querySelector(".reveal")?.dataset.turn !== kept.turn) now.querySelector(".reveal")?.classList.add("fresh");
    if (now.dataset.key !== kept.key || now.dataset.match !== kept.id) settle();
    restore(now, kept);
    document.title = `${document.getElementById("state")?.textContent ?? "Match"} - Richman`;
    if (now.dataset.say !== old.dataset.say) say(now.dataset.say);
    prepare();
  };

  // What follows every exchange.
  const prepare = () => {
    const now = match();
    if (location.pathname + location.search !== now.dataset.page) history.replaceState(null, "", now.dataset.page);
    richman.prepareBoard();
    richman.prepareBid();
    richman.prepareCopies();
    richman.prepareSound();
    richman.listen(now.dataset.listen);
    richman.remember(now);
  };

  // Fetches something from this server: its status and text; `null` if the server did not answer, but perhaps a proxy.
  const ask = (richman.ask = async (address, options = {}) => {
    try {
      const answer = await fetch(address, {
        ...options,
        cache: "no-store",
        headers: { Accept: "text/html", "X-Requested-With": "script" },
        signal: AbortSignal.timeout(20_000),
      });
      const text = await answer.text();
      return answer.headers.has("x-request-id") ? { status: answer.status, text, page: part(text) } : null;
    } catch {
      return null;
    }
  });

  // What an answer that shows no match says.
  const saidBy = (answer) =>
    new DOMParser().parseFromString(answer.text, "text/html").querySelector("[role=alert]")?.textContent ??
    "The server cannot do that now.";

  let sending = false;
  let refreshing = false;
  let again = false;

  // Fetches the changing part until it is the newest.
  const refresh = async () => {
    again = true;
    if (refreshing || sending) return;
    refreshing = true;
    for (let tries = 0; again; ) {
      again = false;
      const { base, role, match: id } = match().dataset;
      const answer = await ask(`${base}/now?as=${role}`);
      if (sending) break; // its answer is newer
      if (answer?.page) {
        if (match().dataset.match === id) exchange(answer.page);
        tries = 0;
      } else if (answer?.status === 404) {
        show(false, "This match is not on the server any more.");
        richman.listen(null);
        break;
      } else {
        again = true;
        connection(false);
        await richman.wait(richman.pause(tries++));
        continue;
      }
      connection(true);
    }
    refreshing = false;
  };

  // Looks back at a turn, without leaving the page or what is being typed.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("#match a[data-turn]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { base, role, version } = match().dataset;
    const answer = await ask(`${base}/now?as=${role}&turn=${link.dataset.turn}`);
    const board = answer?.page?.querySelector("#board");
    if (!board) return location.assign(link.href);
    if (match().dataset.version !== version) return;
    document.getElementById("board").replaceWith(document.adoptNode(board));
    richman.prepareBoard();
    const step = link.dataset.step && board.querySelector(`[data-step="${link.dataset.step}"], [data-step="now"]`);
    (step || board.querySelector(".past a") || document.getElementById("state")).focus({ preventScroll: true });
    board.scrollIntoView({ block: "nearest" });
    say(board.querySelector(".past p")?.textContent ?? "The board as it is now.");
  });

  document.addEventListener("richman:event", ({ detail: { event, name, version } }) => {
    const now = match();
    if (!now || name !== now.dataset.match) return;
    if (event === "unheard") setTimeout(refresh, 15_000);
    else if (version !== now.dataset.version) refresh();
  });

  // ---- whether the server is reached ----

  const show = (isWell, text) => {
    let banner = document.getElementById("connection");
    if (!banner) {
      banner = document.createElement("p");
      banner.id = "connection";
      banner.setAttribute("role", "status");
      document.body.append(banner);
    }
    banner.hidden = isWell;
    if (banner.textContent !== text) banner.textContent = text;
  };

  let worried = 0;

  const connection = (connected) => {
    clearTimeout(worried);
    const text = "Not connected. This page tries again by itself, and keeps what you typed.";
    if (connected) show(true, "");
    else worried = setTimeout(() => show(false, text), navigator.onLine ? 700 : 0);
  };

  document.addEventListener("richman:connection", ({ detail }) => match() && connection(detail));

  // ---- forms ----

  // A message beside the button that was pressed.
  const beside = (text) => {
    let told = match().querySelector(".unreached");
    if (!text) return told?.remove();
    if (!told) {
      told = document.createElement("p");
      told.className = "unreached";
      told.setAttribute("role", "alert");
    }
    told.textContent = text;
    const at = match().querySelector("form.sent") ?? match().querySelector(".action");
    at?.append(told);
  };

  // Sends a form until the server answers. An action has its number, so that it is taken once. Editing the form, or
  // another state of the match, ends it.
  const send = async (form, button) => {
    const data = new URLSearchParams(new FormData(form));
    if (button?.name) data.set(button.name, button.value);
    const { key, match: id } = match().dataset;
    // The same form after an exchange: while the same decision is due, the page has the same forms.
    const forms = () => [...match().querySelectorAll("form")];
    const place = forms().indexOf(form);
    const lock = (is) => forms()[place]?.classList.toggle("sent", is);
    let edited = false;
    const edit = (event) => (edited ||= Boolean(event.target.closest?.("form.sent")));
    document.addEventListener("input", edit);
    const isDue = () => !edited && match().dataset.key === key && match().dataset.match === id;
    beside("");
    for (let tries = 0; isDue(); ) {
      lock(true);
      sending = true;
      const answer = await ask(form.action, { method: "POST", body: data });
      sending = false;
      if (answer?.page) {
        // Sent again, it may be refused because it was taken the first time.
        if (tries > 0 && answer.status === 409) answer.page.querySelector("[data-told]")?.remove();
        exchange(answer.page, true);
        break;
      }
      if (answer) {
        beside(saidBy(answer));
        break;
      }
      beside(`The server was not reached. ${tries > 0 ? "Still trying" : "Trying again"}; change the form to stop.`);
      if (again) refresh();
      await richman.wait(richman.pause(tries++));
    }
    document.removeEventListener("input", edit);
    lock(false);
    if (edited) beside("");
    if (again) refresh();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!match()?.contains(form) || form.method !== "post" || event.submitter?.hasAttribute("data-leaves")) return;
    event.preventDefault();
    if (!form.classList.contains("sent")) send(form, event.submitter);
  });

  // A form that leads to another page looks sent until that page comes.
  addEventListener("submit", (event) => event.defaultPrevented || event.target.classList.add("sent"));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of document.querySelectorAll("form.sent")) form.classList.remove("sent");
  });

  // ---- the beginning ----

  richman.prepareCopies = () => {
    for (const field of document.querySelectorAll("[data-link]")) {
      // A link may have the host by which the server is known, or none.
      const isWhole = /^https?:/.test(field.value);
      if (isWhole) field.value = location.origin + field.value.slice(field.value.indexOf("/", 8));
      else if (field.value.startsWith("/")) field.value = location.origin + richman.base + field.value;
    }
  };

  document.addEventListener("click", (event) => {
    const copy = event.target.closest?.("[data-copy]");
    if (!copy) return;
    const field = document.getElementById(copy.dataset.copy);
    field.select();
    const copied = () => {
      copy.textContent = "Copied";
      say("Copied.");
    };
    // Without a secure connection there is no clipboard for scripts, but the old command.
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(copied, () => {});
    else if (document.execCommand("copy")) copied();
  });

  richman.start = () => {
    richman.prepareCopies();
    if (!match()) return;
    settle();
    // Where there is room, the turns and the rules stand beside the board.
    if (matchMedia("(min-width: 90rem)").matches) {
      for (const id of ["turns", "rules"]) document.getElementById(id)?.setAttribute("open", "");
    }
    prepare();
    addEventListener("pageshow", (event) => event.persisted && refresh());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
  };
})();
