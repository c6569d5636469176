// <richman-board game="hex:size=5" position="..." show="best">: a board for articles and lecture notes. Whoever reads
// can play both sides of it, and it says what each position is worth.

import { board, solve, solveSvg } from "./richman.js";

const STYLE = `
  :host { display: block; max-width: 30rem; font-family: system-ui, sans-serif; }
  figure { margin: 0; }
  svg { width: 100%; height: auto; display: block; }
  [data-open] { cursor: pointer; }
  [data-open]:focus-visible { outline: 3px solid #2f6fdd; outline-offset: 2px; }
  [data-chosen] { opacity: 0.6; }
  p { margin: 0.5em 0 0; }
  .tools { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: center; }
  button { font: inherit; padding: 0.3em 0.8em; min-height: 2.75em; }
  button[aria-pressed="true"] { font-weight: bold; border-style: inset; }
`;

const NAMES = { alice: "Alice", bob: "Bob" };

/** What a report says of the money that a win takes. */
function worth(report) {
  const [win, draw] = [report.win, report.draw].map((share) => (typeof share === "string" ? share : undefined));
  if (win === undefined) return "";
  const forced = win === "1" ? "Alice cannot force a win" : `Alice can force a win with more than ${win} of the money`;
  const bob = draw ?? win;
  return `${forced}; Bob can when Alice has less than ${bob}.`;
}

export class RichmanBoard extends HTMLElement {
  static observedAttributes = ["game", "position", "show"];

  #player = "alice";
  #shown; // the board that is drawn
  #pressed = []; // places of a move that has several
  #past = []; // positions before this one
  #turn = 0; // of drawing, so that only the last one is shown
  #parts;

  connectedCallback() {
    if (!this.#parts) this.#build();
    this.#draw(this.getAttribute("position") ?? undefined);
  }

  attributeChangedCallback() {
    if (!this.#parts) return;
    this.#past = [];
    this.#draw(this.getAttribute("position") ?? undefined);
  }

  /** The position that is shown, in the game's notation. */
  get position() {
    return this.#shown?.position;
  }

  #build() {
    const root = this.attachShadow({ mode: "open" });
    const make = (name, text, act) => {
      const element = document.createElement(name);
      if (text) element.textContent = text;
      if (act) {
        element.type = "button";
        element.addEventListener("click", act);
      }
      return element;
    };
    const side = (player) => make("button", `${NAMES[player]} moves`, () => this.#choose(player));
    const [figure, told, tools] = [make("figure"), make("p"), make("p")];
    told.setAttribute("role", "status");
    tools.className = "tools";
    const sides = { alice: side("alice"), bob: side("bob") };
    const back = make("button", "Back", () => this.#draw(this.#past.pop()));
    tools.append(sides.alice, sides.bob, back);
    root.append(make("style", STYLE), figure, told, tools);
    figure.addEventListener("click", (event) => this.#press(event));
    figure.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.#press(event);
    });
    this.#parts = { figure, told, sides, back };
    this.#choose("alice");
  }

  #choose(player) {
    this.#player = player;
    for (const [of, button] of Object.entries(this.#parts.sides)) button.setAttribute("aria-pressed", of === player);
    this.#open();
  }

  async #draw(position) {
    const turn = (this.#turn += 1);
    const { figure, told, back } = this.#parts;
    const request = { game: this.getAttribute("game") ?? "tic-tac-toe", position };
    try {
      const shown = await board(request);
      if (turn !== this.#turn) return;
      this.#shown = shown;
      this.#pressed = [];
      figure.innerHTML = shown.svg;
      back.disabled = this.#past.length === 0;
      told.textContent = shown.end === null ? "" : this.#ended(shown.end);
      this.#open();
      if (this.getAttribute("show") !== "best" || shown.end !== null) return;
      const [drawn, report] = await Promise.all([solveSvg(request), solve(request)]);
      if (turn !== this.#turn) return;
      if (drawn) figure.innerHTML = drawn;
      told.textContent = worth(report);
      this.#open();
    } catch (error) {
      if (turn === this.#turn) told.textContent = error.message;
    }
  }

  #ended(end) {
    if (NAMES[end]) return `${NAMES[end]} has won.`;
    return end === "draw" ? "The game has ended in a draw." : `The game is over: ${end} points for Alice.`;
  }

  /** The moves of the chosen player that begin with the places pressed so far. */
  #moves() {
    const all = this.#shown?.end === null ? this.#shown.moves[this.#player] : [];
    return all.filter(({ places }) => this.#pressed.every((place, at) => places[at] === place));
  }

  /** Marks the places that can be pressed next. */
  #open() {
    const next = new Set(this.#moves().map(({ places }) => places[this.#pressed.length]));
    for (const element of this.#parts.figure.querySelectorAll("[data-place]")) {
      const isOpen = next.has(element.dataset.place);
      element.toggleAttribute("data-open", isOpen);
      element.toggleAttribute("data-chosen", this.#pressed.includes(element.dataset.place));
      if (isOpen) {
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
      } else element.removeAttribute("tabindex");
    }
  }

  #press(event) {
    const place = event.target.closest?.("[data-place]")?.dataset.place;
    if (place === undefined) return;
    event.preventDefault();
    if (this.#pressed.at(-1) === place) this.#pressed.pop();
    else this.#pressed.push(place);
    const moves = this.#moves();
    if (moves.length === 0) this.#pressed = [];
    const whole = moves.find(({ places }) => places.length === this.#pressed.length && places.length > 0);
    if (!whole) return this.#open();
    const { move, position } = whole;
    this.#past.push(this.#shown.position);
    this.dispatchEvent(new CustomEvent("richman-move", { detail: { player: this.#player, move, position } }));
    this.#draw(position);
  }
}

customElements.define("richman-board", RichmanBoard);
