// One stream of events for all tabs of this browser, because HTTP/1.1 allows it few connections. The tabs agree over a
// channel which of them holds the stream: the leader, always a visible one.
"use strict";

globalThis.richman = {
  // The path of the site, without a slash at its end.
  base: document.querySelector("a.brand").pathname.slice(0, -1),
};

(() => {
  const PULSE = 500; // milliseconds between signs of life of the leader
  const LOST = 1500; // after this silence another tab leads
  const SILENCE = 50_000; // after this silence the stream is taken for broken
  const MATCHES = 32; // the most matches of a stream

  // The time before try number `tries`, with chance, so that not everybody comes back at once.
  richman.pause = (tries) => Math.min(30_000, 1000 * 2 ** tries) * (0.75 + Math.random() / 2);

  // Becomes true after a time, or as soon as the line may be back.
  richman.wait = (time) =>
    new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        removeEventListener("online", end);
        document.removeEventListener("visibilitychange", end);
        done(true);
      };
      const timer = setTimeout(end, time);
      addEventListener("online", end);
      document.addEventListener("visibilitychange", end);
    });

  const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(`richman:${kind}`, { detail }));

  const isVisible = () => document.visibilityState === "visible";

  const me = [...crypto.getRandomValues(new Uint32Array(2))].join("-");
  let channel = null;
  let names = []; // what this tab listens to: the attribute data-listen of each of its matches
  let leads = false;
  let heard = 0; // when the leader was last heard
  let timer = 0;

  // ---- the leader ----

  const wishes = new Map(); // of all tabs: what each listens to, and whether it is visible
  const latest = new Map(); // the last event of every match of the stream
  let source = null;
  let listensTo = "";
  let tries = 0;
  let retry = 0;
  let silence = 0;

  const post = (message) => channel?.postMessage({ from: me, ...message });

  const connection = (connected) => {
    post({ kind: "connection", connected });
    tell("connection", connected);
  };

  const wanted = () => {
    // Visible tabs first, and before a list of matches those that are played.
    const order = (one, two) => two.visible - one.visible || one.names.length - two.names.length;
    const tabs = [...wishes.values()].sort(order);
    // The name of a match, with a key that one of the tabs knows.
    const byName = new Map();
    for (const wish of tabs.flatMap((tab) => tab.names)) {
      const [name, key] = wish.split(".");
      if (key || !byName.has(name)) byName.set(name, wish);
    }
    return [...byName.values()].slice(0, MATCHES);
  };

  const open = () => {
    const list = wanted();
    const next = list.map((one) => `m=${one}`).join("&");
    if (source && next === listensTo) return;
    close();
    listensTo = next;
    if (list.length === 0) return connection(true);
    source = new EventSource(`${richman.base}/events?${next}`);
    source.addEventListener("open", () => {
      tries = 0;
      connection(true);
      listen();
    });
    for (const kind of ["version", "last", "gone", "unheard", "alive"]) {
      source.addEventListener(kind, (event) => {
        listen();
        if (kind === "alive") return;
        const [name, version] = event.data.split(" ");
        const news = { event: kind, name, version };
        latest.set(name, news);
        post({ kind: "event", ...news });
        tell("event", news);
      });
    }
    source.addEventListener("error", broken);
    listen();
  };

  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(broken, SILENCE);
  };

  const broken = () => {
    close();
    if (!leads || wanted().length === 0) return;
    connection(false);
    retry = setTimeout(open, richman.pause(tries));
    tries += 1;
  };

  const close = () => {
    clearTimeout(retry);
    clearTimeout(silence);
    source?.close();
    source = null;
    listensTo = "";
    latest.clear();
  };

  let opening = 0;
  const openSoon = () => {
    clearTimeout(opening);
    opening = setTimeout(() => leads && open(), 50);
  };

  const lead = () => {
    leads = true;
    wishes.clear();
    wishes.set(me, { names, visible: true });
    post({ kind: "lead" });
    openSoon();
  };

  const follow = () => {
    if (!leads) return;
    leads = false;
    clearTimeout(opening);
    close();
    wishes.clear();
  };

  // ---- every tab ----

  const say = () => {
    if (leads) {
      wishes.set(me, { names, visible: isVisible() });
      openSoon();
    }
    post({ kind: "wish", names, visible: isVisible() });
  };

  const heardFrom = ({ data }) => {
    const { from, kind } = data;
    if (kind === "pulse" || kind === "lead") {
      // Of two leaders, the one with the smaller name stays.
      if (leads && from > me) return post({ kind: "pulse" });
      follow();
      heard = Date.now();
      if (kind === "lead") say();
    } else if (kind === "event") {
      tell("event", data);
    } else if (kind === "connection") {
      tell("connection", data.connected);
    } else if (kind === "wish" && leads) {
      wishes.set(from, { names: data.names, visible: data.visible });
      post({ kind: "pulse" });
      // What was told before that tab could hear.
      for (const wish of data.names) {
        const missed = latest.get(wish.split(".")[0]);
        if (missed) post({ kind: "event", ...missed });
      }
      openSoon();
    } else if (kind === "left" && leads) {
      wishes.delete(from);
      openSoon();
    } else if (kind === "free" && isVisible() && names.length > 0) {
      heard = Date.now() - LOST + Math.random() * PULSE;
    }
  };

  const beat = () => {
    if (leads) post({ kind: "pulse" });
    else if (names.length > 0 && isVisible() && Date.now() - heard > LOST) lead();
  };

  const looked = () => {
    if (!isVisible()) {
      // A hidden tab holds no stream.
      if (leads) {
        follow();
        post({ kind: "free" });
      }
    } else if (leads && !source) {
      clearTimeout(retry);
      open();
    }
    say();
  };

  const enter = () => {
    if ("BroadcastChannel" in window) {
      channel = new BroadcastChannel("richman.lists");
      channel.addEventListener("message", heardFrom);
    }
    // A leader answers quickly.
    heard = Date.now() - LOST + 200;
    timer = setInterval(beat, PULSE / 2);
    say();
  };

  // A page that is left, perhaps to be shown again, holds no connection.
  const leave = () => {
    clearInterval(timer);
    const led = leads;
    follow();
    post({ kind: "left" });
    if (led) post({ kind: "free" });
    channel?.close();
    channel = null;
  };

  let entered = false;

  // Listens to a match, to several, or to none.
  richman.listen = (now) => {
    names = [now].flat().filter(Boolean);
    if (names.length > 0 && !entered) {
      entered = true;
      document.addEventListener("visibilitychange", looked);
      addEventListener("online", () => leads && (close(), open()));
      addEventListener("offline", () => tell("connection", false));
      addEventListener("pagehide", leave);
      addEventListener("pageshow", (event) => event.persisted && enter());
      enter();
    } else if (entered) {
      say();
    }
  };
})();
