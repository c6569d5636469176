"""Games: by name, from files, graphs and rules."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import _options, _richman, _rules
from ._numbers import whole_number
from ._options import Player
from ._progress import Report
from ._richman import Error

MEMORY = 4 << 30
_POSITIONS = 10_000_000


class Game:
    """A game. Make one with :func:`richman.game`, :func:`richman.load`, :func:`richman.from_dict`,
    :func:`richman.from_networkx`, :func:`richman.from_arrays`, :func:`richman.expr` or
    :func:`richman.rules`.

    Games can be pickled and copied: by the way in which they were made. Rules in Python are pickled
    with them, so their class must be importable.

    >>> import richman as rm
    >>> g = rm.game("tic-tac-toe")
    >>> g.name, g.start
    ('tic-tac-toe', '.../.../...')
    >>> g.moves("AB./BAB/AB.", "bob")
    {'c1': 'ABB/BAB/AB.', 'c3': 'AB./BAB/ABB'}
    """

    __slots__ = ("_found", "_lock", "_made", "_numbers", "_texts", "_unfolding")

    _made: tuple[str, Any, Any]
    _found: _richman.Game | None
    _numbers: dict[Hashable, int] | None
    _texts: dict[str, Hashable] | None

    def __init__(self, how: str, source: Any, more: Any = None) -> None:
        """Use the functions above; `how` is the name of one of them."""
        self._made = (how, source, more)
        self._numbers = None
        self._texts = None
        self._lock = threading.Lock()
        self._unfolding: set[int] = set()
        self._found = None
        if how == "name":
            self._found = _richman.Game.named(source)
        elif how == "file":
            memory, objective = more
            self._found = _richman.Game.read(source, memory, objective)
        elif how == "text":
            self._found = _richman.Game.text(source, more)
        elif how == "arrays":
            self._found = _richman.Game.arrays(source)
            # The arrays are not kept: they may be changed.
            self._made = (how, source._replace(rows=[], winners=b"", names=None), None)
        elif how == "rules":
            _rules.parts(source)
        else:
            raise TypeError("make games with richman.game, load, from_arrays, expr or rules")

    def _handle(
        self, limits: Mapping[str, Any] | None = None, report: Report | None = None
    ) -> _richman.Game:
        """The compiled game. Rules are unfolded once, by the first question and within its limits;
        `report` is called with the progress."""
        if self._found is not None:
            return self._found
        _, rules, most = self._made
        given = {key: value for key, value in (limits or {}).items() if key in _options.LIMITS}
        document = _options.document(given)
        own = threading.get_ident()
        if own in self._unfolding:
            raise Error(f"{self.name}: the rules ask about their own game while it is unfolded")
        # Without a lock around the rules: they may wait for a thread that asks about this game.
        self._unfolding.add(own)
        try:
            found, numbers = _richman.Game.unfolded(_rules.parts(rules), most, document, report)
        finally:
            self._unfolding.discard(own)
        with self._lock:
            if self._found is None:
                self._found, self._numbers = found, numbers
            return self._found

    @property
    def name(self) -> str:
        """The name with the parameters."""
        if self._found is None:
            return _rules.parts(self._made[1]).name
        return self._found.name

    @property
    def description(self) -> str | None:
        """Who wins and where, for people."""
        return self._handle().description

    @property
    def is_scoring(self) -> bool:
        """Whether moves score points; otherwise the game is played for a win."""
        return self._handle().is_scoring

    @property
    def start(self) -> str:
        """The start, in the notation of the game."""
        return self._handle().start

    @property
    def rules(self) -> Any:
        """The rules in Python, if the game has them; else None."""
        return self._made[1] if self._made[0] == "rules" else None

    def notation(self, position: Hashable) -> str:
        """A position in the notation of the game.

        For rules in Python, `position` may be one of their own positions, and for a graph from
        arrays a number.
        Raises richman.Error for a position that is not of the game.
        """
        handle = self._handle()
        if self._numbers is not None:
            return self._text_of(handle, position)
        return handle.notation(self._word(position))

    def _word(self, position: Hashable) -> str:
        """A position of a game without rules as text."""
        if self._made[0] != "arrays" or isinstance(position, str):
            return _options.word("position", position)
        return self._handle().numbered(_options.whole("position", position)) or ""

    def _text_of(self, handle: _richman.Game, position: Hashable) -> str:
        parts = _rules.parts(self._made[1])
        texts = self._all_texts()
        if isinstance(position, str) and position in texts:
            return position
        parse = _rules.method(self._made[1], "parse")
        value: Any = position
        try:
            if isinstance(position, str) and parse is not None:
                value = parse(position)
            if parts.canonical is not None:
                value = parts.canonical(value)
            known = self._numbers is not None and value in self._numbers
        except Exception as cause:
            raise Error(f"{self.name}: {position!r} is not a position: {cause}") from cause
        if known:
            return str(value) if parts.notation is None else str(parts.notation(value))
        return handle.notation(position if isinstance(position, str) else repr(position))

    def _all_texts(self) -> dict[str, Hashable]:
        """The positions of rules by their notation."""
        if self._texts is None:
            name = _rules.parts(self._made[1]).notation or str
            self._texts = {name(position): position for position in self._numbers or {}}
        return self._texts

    def position(self, notation: str) -> Hashable:
        """The position of a notation: for rules in Python their own value, for a graph from arrays
        the number, else the text itself."""
        text = self.notation(notation)
        if self._made[0] == "arrays":
            return self._handle().number(text)
        return text if self._numbers is None else self._all_texts()[text]

    def _at(self, position: Hashable | None) -> str | None:
        """A position as an option."""
        if position is None:
            return None
        return self.notation(position) if self.rules is not None else self._word(position)

    def moves(self, position: Hashable, player: Player) -> dict[str, str]:
        """The moves of a player by name, each with the position after it."""
        return dict(self._handle().moves(self.notation(position), player))

    def winner(self, position: Hashable) -> str | int | None:
        """How the game ended at a position: "alice", "bob", "none" for a draw, a score; None if it
        goes on."""
        return self._handle().end(self.notation(position))

    def picture(self, position: Hashable | None = None) -> str:
        """A position, by default the start, drawn as text."""
        return self._handle().picture(self._at(position))

    def svg(self, position: Hashable | None = None) -> str:
        """A position, by default the start, drawn as SVG."""
        draw = None if self.rules is None else _rules.method(self.rules, "svg")
        if draw is not None:
            at = self._rules_start() if position is None else self.position(self.notation(position))
            try:
                return str(draw(at))
            except Exception as cause:
                raise Error(f"{self.name}: svg raised {type(cause).__name__}: {cause}") from cause
        return self._handle().svg(self._at(position))

    def _rules_start(self) -> Hashable:
        return _rules.start_of(self.rules, self.name)

    def export(self, *, position: Hashable | None = None, **limits: Any) -> str:
        """The game as the text of a game file: all positions that can follow, and their moves.

        At most a million positions, unless `positions` allows more. The file has the same answers.
        """
        from ._answer import asked, opened

        _, spent = opened(self, limits)
        found = _options.options(limits, _options.LIMITS, {"position": self._at(position)})
        return asked(limits, _richman.export, self, found, spent=spent)

    def to_file(
        self, path: str | os.PathLike[str], *, position: Hashable | None = None, **limits: Any
    ) -> None:
        """Writes the game as a game file; an older file is replaced once it is complete."""
        from ._answer import asked, opened

        _, spent = opened(self, limits)
        found = _options.options(limits, _options.LIMITS, {"position": self._at(position)})
        asked(limits, _richman.save_game, self, found, _options.path(path), spent=spent)

    def _parts(self) -> tuple[str, Any, Any]:
        """How to make the game again."""
        how, source, more = self._made
        given = self._handle().to_arrays() if how == "arrays" else None
        if given is not None:
            rows, winners, names = given
            source = source._replace(rows=rows, winners=winners, names=names)
        return how, source, more

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game) or self._made != other._made:
            return False
        return self is other or self._made[0] != "arrays" or self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self._made[0], self.name))

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[type[Game], tuple[Any, ...]]:
        return Game, self._parts()

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self  # games do not change

    def _repr_svg_(self) -> str:
        from ._answer import sized

        return sized(self.svg())


class GameInfo(NamedTuple):
    """A game of the list."""

    name: str
    """The name without parameters."""
    parameters: str
    """The parameters with their defaults, as written after the name and a colon."""
    description: str
    """The game in one line."""


class Games(tuple[GameInfo, ...]):
    """The list of games; ``json()`` is what ``richman list --json`` prints."""

    __slots__ = ()

    def json(self) -> str:
        """The document of the command."""
        return _richman.games().document


def games() -> Games:
    """The games of this library and their parameters.

    >>> import richman as rm
    >>> rm.games()[0].name
    'tic-tac-toe'
    """
    listed = json.loads(_richman.games().document)["games"]
    return Games(GameInfo(each["name"], each["parameters"], each["description"]) for each in listed)


def game(name: str) -> Game:
    """The listed game `name`, with parameters as in ``"connect:rows=4,cols=4"``.

    Raises richman.Error, with the nearest known name, for a name that is not listed.

    >>> import richman as rm
    >>> rm.game("tug-of-war:length=4").start
    '2'
    """
    return Game("name", _options.word("the name of a game", name))


def expr(expression: str) -> Game:
    """The game of a wedge expression: ``A``, ``B`` and ``E``, ``G & H``, ``A^n``, ``~G``.

    >>> import richman as rm
    >>> rm.solve(rm.expr("(A & B^2) & B")).win
    Fraction(11, 16)
    """
    return Game("name", "expr:" + _options.word("an expression", expression))


def load(
    path: str | os.PathLike[str], *, objective: str | None = None, memory: int | None = None
) -> Game:
    """The game of a game file, of at most `memory` bytes once read.

    `objective` takes the place of the file's own, such as "reach" or "mean-payoff";
    docs/game-file.md lists all.
    """
    limit = MEMORY if memory is None else _options.whole("memory", memory, most=2**63)
    aim = None if objective is None else _options.word("an objective", objective)
    return Game("file", _options.path(path), (limit, aim))


def from_dict(game: Mapping[str, Any]) -> Game:
    """The game of a dict of the form of a game file.

    >>> import richman as rm
    >>> g = rm.from_dict({
    ...     "name": "one move", "start": "here",
    ...     "positions": {
    ...         "here": {"alice": ["won"], "bob": ["lost"]},
    ...         "won": {"winner": "alice"}, "lost": {"winner": "bob"},
    ...     },
    ... })
    >>> rm.solve(g).win
    Fraction(1, 2)
    """
    if not isinstance(game, Mapping):
        raise TypeError(f"a game is a dict of the form of a game file, not {game!r}")
    try:
        text = json.dumps(game, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as cause:
        raise Error(f"the dict is no game file: {cause}") from cause
    name = game.get("name")
    return Game("text", name if isinstance(name, str) else "the dict", text)


def _plain(value: object) -> int:
    """A whole number of another library, such as numpy, as one of Python."""
    number = whole_number(value)
    if number is None:
        raise TypeError(f"{value!r} is none of what a game file holds")
    return number


def from_networkx(graph: Any, *, start: Hashable | None = None, name: str | None = None) -> Game:
    """The game of a directed graph of networkx.

    A node's attribute ``winner`` ("alice", "bob" or "none") or ``score`` (a whole number) ends the
    game there; ``stuck`` is a dict of the numbers for players who cannot move. An edge's attribute
    ``player`` is "alice", "bob" or "both", the default; ``weight`` is what the move adds to Alice's
    score, and ``move`` the name of the move. The game starts at `start`, or at the graph's
    attribute ``start``, or at its first node.

    >>> import networkx, richman as rm
    >>> graph = networkx.DiGraph()
    >>> graph.add_edge("here", "won", player="alice")
    >>> graph.add_edge("here", "lost", player="bob")
    >>> graph.nodes["won"]["winner"], graph.nodes["lost"]["winner"] = "alice", "bob"
    >>> rm.solve(rm.from_networkx(graph)).win
    Fraction(1, 2)
    """
    if not is_networkx(graph):
        raise TypeError(f"a directed graph of networkx is needed, not {graph!r}")
    nodes = {node: str(node) for node in graph.nodes}
    if len(set(nodes.values())) < len(nodes):
        raise Error("two nodes of the graph have the same text: give every node a name of its own")
    positions: dict[str, dict[str, Any]] = {}
    for node, data in graph.nodes(data=True):
        ends = {key: data[key] for key in ("winner", "score", "stuck") if data.get(key) is not None}
        positions[nodes[node]] = ends
    for here, there, data in graph.edges(data=True):
        player = data.get("player", "both")
        if player not in ("alice", "bob", "both"):
            raise Error(f"the edge from {here!r} to {there!r} is of {player!r}: alice, bob or both")
        step: Any = nodes[there]
        more = {"weight": data.get("weight"), "name": data.get("move")}
        more = {key: value for key, value in more.items() if value is not None}
        if more:
            step = {"to": step, **more}
        positions[nodes[here]].setdefault(player, []).append(step)
    if not nodes:
        raise Error("the graph has no nodes: give at least one")
    first = graph.graph.get("start", next(iter(nodes))) if start is None else start
    if first not in nodes:
        raise Error(f"the start {first!r} is not a node of the graph")
    called = name or str(graph.name or "graph")
    return from_dict({"name": called, "start": nodes[first], "positions": positions})


def is_networkx(value: object) -> bool:
    """Whether a value is a directed graph of networkx."""
    return all(hasattr(value, each) for each in ("nodes", "edges", "graph", "is_directed"))


def rules(rules: Any, *, positions: int = _POSITIONS, memory: int = MEMORY) -> Game:
    """The game of rules in Python: see :class:`richman.Rules`.

    The rules are unfolded by the first question: every position is asked once for its winner and
    its moves. After that the game is a graph, and is solved at the speed of any other. At most
    `positions` are unfolded, which take about `memory` bytes; rules beyond that may never end. The
    limits of the question hold too, and its `progress` is told.

    Raises TypeError if methods are missing; questions raise richman.Error, with the position, for
    rules that raise or give something else than they should, and the exception is its cause.

    >>> import richman as rm
    >>> class Nim:
    ...     start = 5
    ...     def winner(self, heap):
    ...         return heap if isinstance(heap, str) else None
    ...     def moves(self, heap, player):
    ...         return [heap - n or player for n in (1, 2) if n <= heap]
    >>> rm.solve(rm.rules(Nim())).win
    Fraction(1, 2)
    """
    limits = (
        _options.whole("positions", positions, least=1, most=2**32 - 2),
        _options.whole("memory", memory, most=2**63),
    )
    return Game("rules", rules, limits)


GameLike = Game | str | os.PathLike[str] | Mapping[str, Any] | _rules.Rules | Any
"""A game; its name, expression or path; a dict, a graph of networkx, or rules."""


def as_game(value: GameLike) -> Game:
    """The game that a value means."""
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        return load(value) if _is_path(value) else game(value)
    if isinstance(value, os.PathLike):
        return load(value)
    if isinstance(value, Mapping):
        return from_dict(value)
    if is_networkx(value):
        return from_networkx(value)
    if _rules.is_rules(value):
        return rules(value)
    raise TypeError(f"{value!r} is no game: give a name, a path, a dict, a graph or rules")


def _is_path(name: str) -> bool:
    """Whether the command takes this text for the path of a game file."""
    if name.split(":", 1)[0] in {each.name for each in games()} or name.startswith("expr:"):
        return False
    return name.endswith((".json", ".gm", ".richman")) or "/" in name or Path(name).exists()
