"""The host's list of chairs: who gets a seat, who does not, and when a seat is free again."""

from __future__ import annotations

import pytest

from node.lobby import SILENCE, Lobby, unique_name
from node.messages import Chair, Join, Refused, Seated

HOST = Chair("Truus", bot=False, key=b"h" * 32)


def key(n: int) -> bytes:
    """The key of the n-th joiner."""
    return bytes([n]) * 32


def join(name: str = "Joep", nonce: bytes = b"n" * 16) -> Join:
    """A request to sit down."""
    return Join(name=name, bot=False, app="", nonce=nonce)


def test_seats_in_order_of_arrival() -> None:
    """Joiners get the seats after the host's, one after another."""
    lobby = Lobby(HOST, 4)
    answers = [lobby.join(key(n), join(f"P{n}"), 0.0) for n in (1, 2)]

    assert [a.seat for a in answers if isinstance(a, Seated)] == [1, 2]
    assert [c.name for c in lobby.chairs] == ["Truus", "P1", "P2"]


@pytest.mark.must("M5")
def test_joining_again_changes_nothing() -> None:
    """A repeated Join is answered with the same seat, for its own nonce, and is no change."""
    lobby = Lobby(HOST, 4)
    lobby.join(key(1), join(), 0.0)
    revision = lobby.revision
    answer = lobby.join(key(1), join("Other", b"m" * 16), 1.0)

    assert answer == Seated(to=key(1), nonce=b"m" * 16, seat=1, name="Joep")
    assert lobby.revision == revision


@pytest.mark.must("M5")
def test_full_table_refuses() -> None:
    """With every seat taken the next one is told so; one who sits keeps its seat."""
    lobby = Lobby(HOST, 2)
    lobby.join(key(1), join(), 0.0)
    refused = lobby.join(key(2), join(), 0.0)

    assert isinstance(refused, Refused)
    assert refused.code == "full"
    assert isinstance(lobby.join(key(1), join(), 0.0), Seated)


@pytest.mark.must("M6")
def test_a_taken_name_gets_a_number() -> None:
    """Nobody can sit down under a name that is taken, whatever its case."""
    lobby = Lobby(HOST, 4)
    answers = [lobby.join(key(n), join(name), 0.0) for n, name in ((1, "truus"), (2, "TRUUS"))]

    assert [a.name for a in answers if isinstance(a, Seated)] == ["truus 2", "TRUUS 3"]


@pytest.mark.parametrize("unseen", ["\ufe0f", "\u034f", "\U000e0101", "\u180b", "\u3164"])
def test_a_name_that_only_looks_taken_gets_a_number_too(unseen: str) -> None:
    """A character that nobody sees makes no other name, whoever of the two has it."""
    assert unique_name(f"Hostie{unseen}", ["hostie"]) == "Hostie 2"
    assert unique_name("Hostie", [f"hostie{unseen}"]) == "Hostie 2"
    assert unique_name("Zoe\u034f\u0308", ["Zo\u00eb"]) == "Zo\u00eb 2"


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("", "?"), ("  a\x1b[2Jb  ", "ab"), ("x" * 99, "x" * 20), ("é" * 99, "é" * 20), ("😀" * 99, "😀" * 16)],
)
def test_names_are_cleaned(wanted: str, name: str) -> None:
    """Names lose control characters and overlength, in characters and in bytes."""
    assert unique_name(wanted, []) == name


def test_leaving_frees_the_seat() -> None:
    """Who quits before the start frees the seat, and those behind move up."""
    lobby = Lobby(HOST, 3)
    lobby.join(key(1), join("A"), 0.0)
    lobby.join(key(2), join("B"), 0.0)

    assert lobby.quit(key(1))
    assert not lobby.quit(key(1))
    assert not lobby.quit(HOST.key)
    assert [c.name for c in lobby.chairs] == ["Truus", "B"]


@pytest.mark.must("M5")
def test_silence_frees_the_seat() -> None:
    """A joiner that is not heard for long enough loses its seat; one that is heard keeps it."""
    lobby = Lobby(HOST, 3)
    lobby.join(key(1), join("A"), 0.0)
    lobby.join(key(2), join("B"), 0.0)
    lobby.join(key(2), join("B"), 10.0)

    assert lobby.next_expiry() == SILENCE
    assert not lobby.expire(SILENCE)
    assert lobby.expire(SILENCE + 1)
    assert [c.name for c in lobby.chairs] == ["Truus", "B"]


def test_removed_players_stay_away() -> None:
    """A player sent away frees the seat and is refused from then on; the host cannot be sent away."""
    lobby = Lobby(HOST, 3)
    lobby.join(key(1), join(), 0.0)
    removed = [lobby.remove(seat) for seat in (0, 1, 1, -1)]
    answer = lobby.join(key(1), join(), 0.0)

    assert removed == [None, key(1), None, None]
    assert isinstance(answer, Refused)
    assert answer.code == "removed"


@pytest.mark.parametrize("ended", ["started", "closed"])
def test_nobody_joins_or_leaves_after_the_end(ended: str) -> None:
    """Once the table has started or closed, newcomers are refused with that code and no seat is freed."""
    lobby = Lobby(HOST, 4)
    lobby.join(key(1), join(), 0.0)
    lobby.ended = ended
    answer = lobby.join(key(2), join(), 0.0)

    assert isinstance(answer, Refused)
    assert answer.code == ended
    assert (lobby.quit(key(1)), lobby.remove(1), lobby.expire(1e9)) == (False, None, False)
    assert len(lobby.chairs) == 2
