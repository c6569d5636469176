// Pointing at the board, the bid, and keys.
"use strict";

(() => {
  // ---- pointing at the board ----

  let chosen = [];

  richman.placed = (name) =>
    [...document.querySelectorAll("#board [data-place]")].find((one) => one.dataset.place === name);

  const moves = () =>
    [...document.querySelectorAll("#moves [data-places]")].map((one) => ({
      one,
      places: one.dataset.places.split(" "),
    }));

  const begins = (places) => chosen.every((place, at) => places[at] === place);

  const point = (place) => {
    unask();
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
      // Several moves have the same places, like the promotions of a pawn.
      choose(place, fitting.map((move) => move.one));
      chosen = [];
    }
    mark();
  };

  // ---- making a move ----

  const FINGER = 44; // pixels that a finger hits

  const isSmall = (place) => {
    const { width, height } = richman.placed(place)?.getBoundingClientRect() ?? { width: 0, height: 0 };
    return Math.min(width, height) < FINGER;
  };

  // On a touch screen a move to a small place is confirmed, because fingers miss.
  const make = (one) => {
    const isTouch = richman.match() && matchMedia("(pointer: coarse)").matches;
    if (isTouch && one.dataset.places.split(" ").some(isSmall)) ask(one);
    else play(one);
  };

  let asked = null;

  // A group of buttons: one for each of the moves, and one to take back what was pointed at.
  const bar = (id, label, moves, text) => {
    const made = document.createElement("div");
    made.id = id;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    const button = (text, kind, action) => {
      const one = document.createElement("button");
      one.type = "button";
      one.className = kind;
      one.textContent = text;
      one.addEventListener("click", () => {
        unask();
        action();
      });
      made.append(one);
    };
    for (const one of moves) button(text(one.textContent.trim()), "button", () => play(one));
    button("Take back", "button quiet", mark);
    return made;
  };

  const ask = (one) => {
    unask();
    asked = { one, places: one.dataset.places.split(" ") };
    const asking = bar("confirm", "Confirm the move", [one], (name) => `Play ${name}`);
    document.getElementById("moves").prepend(asking);
    asking.firstElementChild.focus({ preventScroll: true });
  };

  // Offers moves that have the same places, at the last of these.
  const choose = (place, moves) => {
    unask();
    const board = document.getElementById("board");
    const offer = bar("choice", "Choose the move", moves, (name) => name);
    board.append(offer);
    const [frame, at, own] = [board, richman.placed(place), offer].map((one) => one.getBoundingClientRect());
    const left = at.left + at.width / 2 - own.width / 2 - frame.left;
    const isHigh = at.top - frame.top < frame.height / 2;
    offer.style.left = `${Math.max(0, Math.min(left, frame.width - own.width))}px`;
    offer.style.top = `${(isHigh ? at.bottom : at.top - own.height) - frame.top}px`;
    offer.firstElementChild.focus({ preventScroll: true });
    richman.settle();
  };

  const unask = () => {
    asked = null;
    for (const id of ["confirm", "choice"]) document.getElementById(id)?.remove();
  };

  const play = (one) => {
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
      const { place } = one.dataset;
      one.classList.toggle("chosen", chosen.includes(place) || Boolean(asked?.places.includes(place)));
      one.classList.toggle("next", chosen.length > 0 && next.has(one.dataset.place));
    }
    outline();
  };

  // Neighbours are drawn over the outline of a place, so it is drawn once more, on top of the board.
  const outline = () => {
    for (const one of document.querySelectorAll("#board .outline")) one.remove();
    for (const one of document.querySelectorAll("#board .open:is(.chosen, :hover, :focus-visible)")) {
      const copy = one.cloneNode(false);
      for (const name of ["aria-label", "data-place", "role", "tabindex"]) copy.removeAttribute(name);
      copy.setAttribute("class", one.matches(".chosen") ? "outline chosen" : "outline");
      copy.setAttribute("aria-hidden", "true");
      one.ownerSVGElement.append(copy);
    }
  };

  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
    document.addEventListener(kind, ({ target }) => target.closest?.("#board") && outline());
  }

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

  // A piece can be dragged: from one place of a move to the next.
  let pressed = null;
  let dragged = false;

  const openAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#board .open");

  document.addEventListener("pointerdown", (event) => {
    const place = event.target.closest?.("#board .open");
    const leads = place && moves().some((move) => move.places.length > 1 && move.places[0] === place.dataset.place);
    pressed = leads && event.isPrimary ? place.dataset.place : null;
    if (pressed) event.target.releasePointerCapture?.(event.pointerId);
  });

  document.addEventListener("pointerup", (event) => {
    const place = pressed && openAt(event)?.dataset.place;
    dragged = Boolean(place && place !== pressed);
    if (dragged) {
      chosen = [];
      point(pressed);
      point(place);
    }
    pressed = null;
  });

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("#board .open");
    if (place && !dragged) {
      roam(place);
      point(place.dataset.place);
    }
    dragged = false;
    const step = event.target.closest?.("[data-add]");
    if (step) {
      const bid = document.getElementById("bid");
      setBid(Number(bid.value || 0) + Number(step.dataset.add));
    }
    const preset = event.target.closest?.("[data-bid]");
    if (preset) setBid(Number(preset.dataset.bid));
    const filling = event.target.closest?.("[data-fill]");
    if (filling) fill(document.getElementById(filling.dataset.fill), filling.dataset.value);
  });

  // Fills in what a hint suggests.
  const fill = (field, value) => {
    if (field?.type === "number") return setBid(Number(value));
    if (!field) return;
    field.value = value;
    field.focus();
  };

  // Keeps the focus in the box, where keys go on; on a touch screen that would raise a keyboard.
  const setBid = (wanted) => {
    const bid = document.getElementById("bid");
    bid.value = Math.min(Number(bid.max), Math.max(Number(bid.min), wanted));
    bid.dispatchEvent(new Event("input", { bubbles: true }));
    if (!matchMedia("(pointer: coarse)").matches) bid.focus();
  };

  document.addEventListener(
    "wheel",
    (event) => {
      if (event.target.id !== "bid" || event.target !== document.activeElement || event.deltaY === 0) return;
      event.preventDefault();
      setBid(Number(event.target.value || 0) - Math.sign(event.deltaY));
    },
    { passive: false },
  );

  // One stop for the tabulator: the place that was visited last.
  const roam = (place) => {
    for (const one of document.querySelectorAll("#board .open")) one.setAttribute("tabindex", one === place ? 0 : -1);
  };

  // What is typed takes the place of what is there.
  document.addEventListener("focusin", ({ target }) => target.matches("input#bid[type=number]") && target.select());

  document.addEventListener("input", (event) => {
    const slider = document.querySelector("[data-slider]");
    const bid = document.getElementById("bid");
    if (event.target === slider) bid.value = slider.value;
    else if (event.target === bid && slider) slider.value = bid.value || slider.min;
  });

  // Whether arrow keys have no meaning of their own there.
  const isFree = (target) => richman.match() && target.matches("body, h1, button");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const to = step && event.target === document.body && document.querySelector(`.steps [rel=${step}]`);
    if (to) to.click(); // steps through a review
    const place = event.target.closest?.("#board .open");
    if (place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      point(place.dataset.place);
    } else if (event.key.startsWith("Arrow") && (place || isFree(event.target))) {
      const next = place ? beside(place, event.key) : document.querySelector("#board .open[tabindex=\"0\"]");
      if (next) {
        event.preventDefault();
        roam(next);
        next.focus();
      }
    } else if (/^[0-9]$/.test(event.key) && !event.target.matches("input, select, textarea")) {
      const bid = document.querySelector("#match input#bid");
      if (bid?.offsetParent) {
        bid.value = "";
        bid.focus(); // the digit itself then comes into the field
      }
    } else if (event.key === "Escape" && (chosen.length > 0 || asked || document.getElementById("choice"))) {
      chosen = [];
      unask();
      mark();
    }
  });

  richman.prepareBoard = () => {
    chosen = [];
    asked = null;
    const places = [...document.querySelectorAll("#board .open")];
    // Where a move begins at several places, in the middle of the board.
    roam(places[Math.floor(places.length / 2)]);
  };

  richman.prepareBid = () => {
    const bid = document.getElementById("bid");
    const slider = document.querySelector("[data-slider]");
    if (slider && bid?.value) slider.value = bid.value;
    const curtain = document.getElementById("curtain");
    curtain?.addEventListener("toggle", () => curtain.open && bid?.focus());
  };

  richman.start();
})();
