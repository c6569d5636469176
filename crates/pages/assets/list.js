// The matches of this browser, on the first page: each with what is to be done in it, now and after every change.
"use strict";

(() => {
  const LIST = "richman.matches";
  const MOST = 50;

  const matches = () => {
    try {
      const list = JSON.parse(localStorage.getItem(LIST));
      return Array.isArray(list) ? list : [];
    } catch {
      return [];
    }
  };

  const store = (list) => {
    try {
      localStorage.setItem(LIST, JSON.stringify(list.slice(0, MOST)));
    } catch {
      // The browser keeps nothing; the cookies of the seats are enough to play.
    }
  };

  const isSame = (one, other) => one?.id === other.id && one?.role === other.role;

  // Notes the match of a page, with what is to be done in it. It holds no secret.
  richman.remember = (now) => {
    const { match: id, role, game, page } = now.dataset;
    if (role === "spectator") return;
    const state = document.getElementById("state")?.textContent ?? "";
    const noted = { id, role, game, page, state, seen: Date.now() };
    store([noted, ...matches().filter((one) => !isSame(one, noted))]);
  };

  const list = document.getElementById("your-matches");
  if (!list || matches().length === 0) return;

  const isPage = (page) =>
    page?.startsWith(richman.base) && /^\/m\/[a-z0-9]{26}(\?as=[a-z]+)?$/.test(page.slice(richman.base.length));

  const rows = document.createElement("ul");
  rows.className = "match-list";
  const shown = []; // the entries, each with the parts of its row

  const write = (entry, state) => {
    const { one, link, about } = entry;
    link.href = one.page;
    link.textContent = String(one.game);
    about.textContent = ` ${state} `;
  };

  // Replaces an entry of the stored list, without changing its place.
  const replace = (before, after) => store(matches().map((one) => (isSame(one, before) ? after : one)));

  // Asks the server how a match stands. What was seen last is shown only if it does not answer.
  const look = async (entry) => {
    const { one } = entry;
    const found = await richman.ask(`${one.page.split("?")[0]}/glance?as=${one.role}`);
    if (found?.status === 200) {
      const { listen, version, ...now } = JSON.parse(found.text);
      Object.assign(entry, { listen, version: String(version), one: { ...one, ...now, seen: Date.now() } });
      replace(one, entry.one);
      write(entry, entry.one.state.replace(/[.!]$/, ""));
    } else if (found?.status === 404) {
      entry.listen = null;
      write(entry, "No longer on the server");
    } else {
      const seen = new Date(one.seen).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      write(entry, `${String(one.state).replace(/[.!]$/, "")} · ${seen}, not connected now`);
    }
  };

  const lookAtAll = async (entries) => {
    await Promise.all(entries.map(look));
    richman.listen(shown.map((entry) => entry.listen));
  };

  const remove = (entry) => {
    store(matches().filter((one) => !isSame(one, entry.one)));
    shown.splice(shown.indexOf(entry), 1);
    entry.row.remove();
    list.hidden = shown.length === 0;
    richman.listen(shown.map((one) => one.listen));
  };

  for (const one of matches()) {
    if (!isPage(one?.page)) continue;
    const row = document.createElement("li");
    const link = document.createElement("a");
    const about = document.createElement("span");
    about.className = "aside";
    const forget = document.createElement("button");
    forget.type = "button";
    forget.className = "quiet small";
    forget.textContent = "Remove";
    forget.setAttribute("aria-label", `Remove ${one.game} from this list`);
    const entry = { one, row, link, about, listen: null, version: "" };
    forget.addEventListener("click", () => remove(entry));
    row.append(link, about, forget);
    rows.append(row);
    shown.push(entry);
    write(entry, "");
  }
  list.hidden = shown.length === 0;
  list.append(rows);

  const isOf = (entry, name) => entry.listen?.split(".")[0] === name;

  document.addEventListener("richman:event", ({ detail: { name, version } }) => {
    lookAtAll(shown.filter((entry) => isOf(entry, name) && entry.version !== version));
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && lookAtAll(shown));
  addEventListener("pageshow", () => lookAtAll(shown));
})();
