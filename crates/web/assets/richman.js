// Makes a match live: fetches the part that changed, sends forms without leaving the page, and lets visitors point at
// the board. Without this script every page still works, by its links and forms.
"use strict";

(() => {
  document.documentElement.classList.add("script");

  const match = () => document.getElementById("match");

  // Speaks to visitors who do not see the page.
  const say = (text) => {
    const live = document.getElementById("live");
    if (live && text && live.textContent !== text) live.textContent = text;
  };

  // ---- the changing part ----

  // What an exchange must not lose: the text being typed, the open details, the focus.
  const keep = (old) => ({
    key: old.dataset.key,
    id: old.dataset.match,
    turn: old.querySelector(".reveal")?.dataset.turn,
    told: old.querySelector(".reveal .told")?.textContent,
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
    const again = kept.place ? placed(kept.focus) : document.getElementById(kept.focus);
    // A new decision takes the focus, so that nobody has to search for it. Where that would raise a keyboard on the
    // screen, the heading takes it.
    const first = !matchMedia("(pointer: coarse)").matches && now.querySelector("#bid, .action:not(.waiting) button");
    (same && again ? again : first || document.getElementById("state"))?.focus({ preventScroll: true });
  };

  const placed = (name) =>
    [...document.querySelectorAll("#board [data-place]")].find((one) => one.dataset.place === name);

  // A hint or a refusal stays as long as its decision is due, whatever the other player does meanwhile.
  const tell = (old, now) => {
    if (old.dataset.key !== now.dataset.key || old.dataset.match !== now.dataset.match) return;
    const told = old.querySelector("[data-told]");
    if (told && !now.querySelector("[data-told]")) now.querySelector(".side")?.prepend(told);
  };

  const exchange = (html, sent) => {
    const now = new DOMParser().parseFromString(html, "text/html").getElementById("match");
    const old = match();
    if (!now || !old) return false;
    const kept = keep(old);
    const curtain = document.getElementById("curtain");
    // At one screen, a player typing behind the curtain is not disturbed.
    if (curtain?.open && now.dataset.version === old.dataset.version && !now.querySelector("[role=alert]")) return true;
    if (!sent) tell(old, now);
    old.replaceWith(document.adoptNode(now));
    if (now.querySelector(".reveal")?.dataset.turn !== kept.turn) now.querySelector(".reveal")?.classList.add("fresh");
    restore(now, kept);
    prepare();
    document.title = `${document.getElementById("state")?.textContent ?? "Match"} - Richman`;
    if (now.dataset.say !== old.dataset.say) say(now.dataset.say);
    if (now.dataset.match !== old.dataset.match || !now.dataset.live) listen();
    return true;
  };

  let busy = false;
  let again = false;

  // Fetches the changing part, and once more if it changed meanwhile.
  const refresh = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      do {
        again = false;
        const answer = await fetch(`${match().dataset.base}/now`, { headers: { Accept: "text/html" } });
        if (answer.ok) exchange(await answer.text());
      } while (again);
    } catch {
      // The line is broken; the events begin again when it is back.
    } finally {
      busy = false;
    }
  };

  let events = null;

  const listen = () => {
    events?.close();
    events = null;
    const now = match();
    if (!now?.dataset.live) return;
    events = new EventSource(`${now.dataset.base}/events`);
    const changed = (event) => {
      if (event.data !== match()?.dataset.version) refresh();
    };
    events.addEventListener("version", changed);
    events.addEventListener("last", (event) => {
      events?.close();
      changed(event);
    });
  };

  // ---- forms ----

  const send = async (form, button) => {
    const data = new URLSearchParams(new FormData(form));
    if (button?.name) data.set(button.name, button.value);
    busy = true;
    form.classList.add("sent");
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "text/html" } });
      if (!exchange(await answer.text(), true)) location.assign(match().dataset.base);
    } catch {
      form.classList.remove("sent");
      say("The server cannot be reached. Try again.");
    } finally {
      busy = false;
      if (again) refresh();
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!match()?.contains(form) || form.method !== "post") return;
    event.preventDefault();
    if (!form.classList.contains("sent")) send(form, event.submitter);
  });

  // ---- pointing at the board ----

  let chosen = [];

  const moves = () =>
    [...document.querySelectorAll("#moves [data-places]")].map((one) => ({
      one,
      places: one.dataset.places.split(" "),
    }));

  const begins = (places) => chosen.every((place, at) => places[at] === place);

  const point = (place) => {
    chosen.push(place);
    let fitting = moves().filter((move) => begins(move.places));
    if (fitting.length === 0) {
      chosen = [place];
      fitting = moves().filter((move) => begins(move.places));
    }
    const whole = fitting.filter((move) => move.places.length === chosen.length);
    if (whole.length === 1 && fitting.length === 1) {
      chosen = [];
      make(whole[0].one);
    } else if (whole.length > 0) {
      // Several moves have the same places: the visitor chooses one of their buttons.
      for (const { one } of moves()) one.classList.toggle("faded", !fitting.some((move) => move.one === one));
      whole[0].one.focus();
      chosen = [];
    }
    mark();
  };

  const make = (one) => {
    if (one instanceof HTMLAnchorElement) {
      one.click();
    } else if (one instanceof HTMLOptionElement) {
      one.selected = true;
      one.closest("form").requestSubmit();
    } else {
      one.closest("form").requestSubmit(one);
    }
  };

  // Shows what was pointed at, and what can be pointed at now.
  const mark = () => {
    const next = new Set(moves().filter((move) => begins(move.places)).map((move) => move.places[chosen.length]));
    for (const one of document.querySelectorAll("#board .open")) {
      one.classList.toggle("chosen", chosen.includes(one.dataset.place));
      one.classList.toggle("next", chosen.length > 0 && next.has(one.dataset.place));
    }
  };

  // The nearest open place in a direction.
  const beside = (from, key) => {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
    let best = null;
    let least = Infinity;
    for (const one of document.querySelectorAll("#board .open")) {
      const [dx, dy] = middle(one).map((at, axis) => at - [x, y][axis]);
      const along = dx * right + dy * down;
      const across = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 1 && along + 3 * across < least) [best, least] = [one, along + 3 * across];
    }
    return best;
  };

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("#board .open");
    if (place) point(place.dataset.place);
    const copy = event.target.closest?.("[data-copy]");
    if (copy) {
      const field = document.getElementById(copy.dataset.copy);
      field.select();
      navigator.clipboard?.writeText(field.value).then(() => say("Copied."), () => {});
      copy.textContent = "Copied";
    }
    const step = event.target.closest?.("[data-add]");
    if (step) {
      const bid = document.getElementById("bid");
      const wanted = Number(bid.value || 0) + Number(step.dataset.add);
      bid.value = Math.min(Number(bid.max), Math.max(Number(bid.min), wanted));
      bid.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });

  document.addEventListener("input", (event) => {
    const slider = document.querySelector("[data-slider]");
    const bid = document.getElementById("bid");
    if (event.target === slider) bid.value = slider.value;
    else if (event.target === bid && slider) slider.value = bid.value || slider.min;
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const to = step && event.target === document.body && document.querySelector(`.steps [rel=${step}]`);
    if (to) to.click(); // steps through a review
    const place = event.target.closest?.("#board .open");
    if (place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      point(place.dataset.place);
    } else if (event.key.startsWith("Arrow") && (place || (match() && event.target.matches("body, h1, button")))) {
      const next = place ? beside(place, event.key) : document.querySelector("#board .open");
      if (next) {
        event.preventDefault();
        next.focus();
      }
    } else if (/^[0-9]$/.test(event.key) && !event.target.matches("input, select, textarea")) {
      const bid = document.querySelector("#match input#bid");
      if (bid?.offsetParent) {
        bid.value = "";
        bid.focus(); // the digit itself then comes into the field
      }
    } else if (event.key === "Escape" && chosen.length > 0) {
      chosen = [];
      mark();
    }
  });

  // Completes what only works with the script: links with this browser's origin, and the slider at the bid.
  const prepare = () => {
    chosen = [];
    for (const field of document.querySelectorAll("[data-link]")) {
      const at = field.value.indexOf("/", field.value.includes("://") ? field.value.indexOf("://") + 3 : 0);
      field.value = location.origin + field.value.slice(at);
    }
    const bid = document.getElementById("bid");
    const slider = document.querySelector("[data-slider]");
    if (slider && bid?.value) slider.value = bid.value;
    const curtain = document.getElementById("curtain");
    curtain?.addEventListener("toggle", () => curtain.open && bid?.focus());
  };

  if (match()) {
    prepare();
    listen();
    addEventListener("pageshow", (event) => event.persisted && (refresh(), listen()));
  }
})();
