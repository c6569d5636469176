"""Bots on a server that runs, through its interface for programs."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import own_games
import pytest

import richman as rm
from richman import Choice, Holding, Server

T = "tic-tac-toe"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a free port."""
    # A quick build of the command has no server; then this is another one.
    binary = os.environ.get("RICHMAN_SERVER") or os.environ["RICHMAN_BINARY"]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w") as out:
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--no-store"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://[0-9.:]+", line)
        assert found, f"the command has no server: {line}{log.read_text()}"
        yield Server(found[0])
    finally:
        process.terminate()
        process.wait(timeout=20)


def timid(position: str, alice: Holding, bob: Holding) -> Choice:
    return Choice(bid=0, use_star=False, move=None)


def test_a_policy_beats_the_computer(server: Server) -> None:
    policy = rm.solve(T, alice="4*", bob=4).strategy("alice")
    seat = server.match(T, alice="4*", bob=4, opponent="greedy")
    end = seat.play(policy)
    assert end == rm.play.MatchEnd("game", "alice", None) == seat.over
    match = seat.match
    assert match.over == end and len(match.turns) == seat._shown["turn"]


def test_a_computer_player_from_bobs_seat(server: Server) -> None:
    seat = server.match("tug-of-war", alice="2*", bob=6, player="bob", opponent="random")
    assert seat.play(seat.match.computer("perfect")).winner == "bob"


MECHANISMS: list[dict[str, Any]] = [
    {},
    {"bidding": "bob-first"},
    {"payment": "poorman", "ties": "loser"},
    {"ties": "marker", "right": "moves", "position": "A../.B./..."},
]


@pytest.mark.parametrize("choices", MECHANISMS, ids=str)
def test_two_bots_against_each_other(server: Server, choices: dict[str, Any]) -> None:
    """The match on the server is that of `play_out`, action for action."""
    hands: dict[str, Any] = {"alice": "5*", "bob": 4}
    seat = server.match(T, player="bob", opponent=None, limit=50, **hands, **choices)
    assert seat.invitation is not None
    guest = server.accept(seat.invitation)
    assert (seat.player, guest.player) == ("bob", "alice")
    ends: list[rm.play.MatchEnd] = []
    bot = guest.match.computer("random", 3)
    other = threading.Thread(target=lambda: ends.append(guest.play(bot)))
    other.start()
    ends.append(seat.play(seat.match.computer("random", 4)))
    other.join()
    match = rm.play.Match(T, limit=50, **hands, **choices)
    played = rm.play.play_out(match, match.computer("random", 3), match.computer("random", 4))
    assert ends == [played, played]
    assert seat.match.turns == match.turns
    with pytest.raises(rm.Error, match="invitation"):
        server.accept(seat.invitation)


def test_own_rules_and_scoring_games(server: Server) -> None:
    chomp = rm.rules(own_games.Chomp(2, 3))
    seat = server.match(chomp, chips=6, opponent=None)
    assert seat.invitation is not None
    guest = server.accept(seat.invitation)  # the rules come from the server
    other = threading.Thread(target=lambda: guest.play(guest.match.computer("greedy")))
    other.start()
    end = seat.play(timid)
    other.join()
    assert end.how == "game" and guest.over == end
    heap = server.match("subtraction:heap=5", preset="larsson", chips=6, opponent="random")
    assert heap.play(heap.match.computer("perfect")).score is not None
    assert heap.match.over == heap.over


def test_a_seat_is_found_again_in_the_middle_of_a_turn(server: Server) -> None:
    seat = server.match(T, alice="4*", bob=4, opponent=None)
    assert seat.invitation is not None
    guest = server.accept(seat.invitation)
    server._ask("seat/actions", seat.secret, {"step": 0, "action": {"bid": 3}})
    # Nobody sees her bid.
    for each in (seat, guest):
        assert server.seat(each.secret).match.view().due == ["alice", "bob"]
    server._ask("seat/actions", guest.secret, {"step": 0, "action": {"bid": 1}})
    again = server.seat(seat.secret)
    view = again.match.view()
    assert (view.stage, view.hands) == ("moving", {"alice": Holding("1*"), "bob": Holding(7)})
    again.resign()
    assert again.over == rm.play.MatchEnd("resigned", "bob", None)
    # The guest acts on what is past, is refused, and looks again.
    assert guest.play(timid) == again.over


def test_secrets_are_in_no_message(server: Server) -> None:
    seat = server.match(T, chips=8, opponent=None)
    assert seat.invitation is not None
    secrets = seat.secret, seat.invitation

    def foolish(position: str, alice: Holding, bob: Holding) -> Choice:
        return Choice(bid=99, use_star=False, move=None)

    shown = [repr(seat), str(seat), repr(server)]
    for act in (
        lambda: seat.play(foolish),
        lambda: server.seat(secrets[0][:-1] + ("a" if secrets[0][-1] != "a" else "b")),
        lambda: server.seat(secrets[0] + " \n"),
        lambda: server.accept(secrets[0]),
        lambda: Server("http://127.0.0.1:9").seat(secrets[0]),
    ):
        with pytest.raises(rm.Error) as raised:
            act()
        shown += [str(raised.value), repr(raised.value)]
    for text, secret in itertools.product(shown, secrets):
        assert secret not in text and secret[:-1] not in text


def test_errors_are_sentences(server: Server) -> None:
    with pytest.raises(rm.Error, match="write an address"):
        Server("localhost:8080")
    with pytest.raises(rm.Error, match="write an address"):
        Server("http://name:word@localhost")
    with pytest.raises(TypeError):
        Server(80)  # type: ignore[arg-type]
    with pytest.raises(rm.Error, match="genius"):
        server.match(T, opponent="genius")
    with pytest.raises(rm.Error, match="star"):
        server.match(T, alice=4, bob=4)
    with pytest.raises(rm.Error, match="limit is 0"):
        server.match(T, limit=0)


class Elsewhere(BaseHTTPRequestHandler):
    """A server that sends whoever asks to another, with what was asked."""

    seen: list[str | None] = []

    def do_GET(self) -> None:
        self.seen.append(self.headers.get("Authorization"))
        self.send_response(307)
        self.send_header("Location", "http://localhost:9/other")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def test_a_secret_is_not_sent_elsewhere() -> None:
    other = HTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        with pytest.raises(rm.Error, match="is it a server of richman"):
            Server(f"http://127.0.0.1:{other.server_port}").seat("abc")
    finally:
        other.shutdown()
    assert Elsewhere.seen == ["Bearer abc"]
