// What moves and sounds: chips that are paid, and a tone when a decision is due.
"use strict";

(() => {
  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Chips fly from the player who paid to the other.
  richman.pay = (before, now) => {
    if (isStill() || before.dataset.match !== now.dataset.match) return;
    const chips = (of, player) => Number(of.querySelector(`.player.${player} .number`)?.textContent);
    const change = chips(now, "alice") - chips(before, "alice");
    if (!change || !now.querySelector(".coin")) return;
    const [payer, other] = change > 0 ? ["bob", "alice"] : ["alice", "bob"];
    const middle = (player) => {
      const box = now.querySelector(`.player.${player} .holding`).getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [from, to] = [middle(payer), middle(other)];
    for (let coin = 0; coin < Math.min(8, Math.abs(change)); coin += 1) {
      const one = document.createElement("i");
      one.className = "coin flying";
      document.body.append(one);
      const at = ([x, y]) => `translate(${x}px, ${y + 4 * coin}px)`;
      const path = [{ transform: at(from) }, { transform: at(to), opacity: 1 }, { transform: at(to), opacity: 0 }];
      const flight = one.animate(path, {
        duration: 650,
        delay: 60 * coin,
        easing: "ease-in-out",
        fill: "both",
      });
      flight.finished.then(() => one.remove(), () => one.remove());
    }
  };

  const SOUND = "richman.sound";

  const isOn = () => {
    try {
      return localStorage.getItem(SOUND) === "on";
    } catch {
      return false;
    }
  };

  let audio = null;

  const tone = () => {
    audio ??= new AudioContext();
    const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
    const now = audio.currentTime;
    oscillator.frequency.setValueAtTime(660, now);
    oscillator.frequency.setValueAtTime(880, now + 0.1);
    gain.gain.setValueAtTime(0.0001, now);
    gain.gain.exponentialRampToValueAtTime(0.15, now + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + 0.3);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(now);
    oscillator.stop(now + 0.32);
  };

  // Sounds when a decision is due that was not due before.
  richman.sound = (before, now) => {
    // Browsers allow no sound before the visitor has touched the page.
    const isAllowed = navigator.userActivation?.hasBeenActive ?? true;
    if (isOn() && isAllowed && now.dataset.key && now.dataset.key !== before.dataset.key) tone();
  };

  richman.prepareSound = () => {
    const button = document.getElementById("sound");
    if (!button) return;
    button.setAttribute("aria-pressed", isOn());
    button.onclick = () => {
      try {
        localStorage.setItem(SOUND, isOn() ? "off" : "on");
      } catch {
        return;
      }
      button.setAttribute("aria-pressed", isOn());
      if (isOn()) tone();
    };
  };
})();
