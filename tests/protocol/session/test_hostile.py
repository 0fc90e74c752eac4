"""Hostile seats: each kind of entry, false in each of its parts; every honest seat stops and names the same culprit.

The hostile seat is a session that signs what the test tells it to. Whatever it does, an honest seat is never named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from node.policy import choose
from protocol.crypto import group
from protocol.errors import InternalError
from protocol.rules.actions import Lay, Placed
from protocol.session.bodies import parse_play, play_body
from protocol.session.evidence import Evidence, verify_evidence, write_evidence
from protocol.session.gamefile import write_game
from protocol.session.outputs import Output, Publish
from protocol.session.session import Session
from protocol.session.verify import verify_game
from protocol.session.view import Finding
from protocol.wire.codec import encode
from protocol.wire.entry import Entry, Kind, parse_entry, sign_entry
from tests.coupled import Coupled
from tests.second_verifier import AVAILABLE, MISSING, compared, second_opinion
from tests.simulator.memo import remembering

ENTROPY = bytes(32)
Mutation = Callable[[list[Any], "Hostile"], list[Any]]


class Hostile(Session):
    """Says something else than it should, once, at the first entry of one kind, and goes on as long as it can."""

    lie_kind: Kind
    lie: Mutation
    told = False

    def _say(self, kind: Kind, body: list[Any]) -> None:
        if kind is self.lie_kind and not self.told:
            self.told = True
            body = self.lie(body, self)
        assert self.seat is not None
        assert self._key is not None
        step, head = self._table.step, self._table.head
        try:
            super()._say(kind, body)
        except InternalError:
            # Our own table refuses what we say; the others get it all the same.
            entry = sign_entry(self._key, self.genesis.table, step, self.seat, head, kind, body)
            self._out.append(Publish(entry.frame))


def attacked(n: int, seat: int, kind: Kind, lie: Mutation, seed: int = 5) -> tuple[Coupled, list[Session]]:
    """Play with one hostile seat until nothing goes on; the table and the honest sessions."""
    table = Coupled(n, seed=seed, choose=choose)
    hostile = type("Liar", (Hostile,), {"lie_kind": kind, "lie": staticmethod(lie)})
    table.sessions[seat] = hostile(
        table.genesis, seat=seat, key=table.keys[seat], secret=table.secrets[seat][1], auto_continue=True
    )
    table.start()
    honest = [s for i, s in enumerate(table.sessions) if i != seat]
    table.run(until=lambda: all(s.finished for s in honest))
    return table, honest


def put(*path: int, value: Any) -> Mutation:
    """Replace the part at this path of the body."""

    def change(body: list[Any], _: Hostile) -> list[Any]:
        copy: list[Any] = _thaw(body)
        at = copy
        for k in path[:-1]:
            at = at[k]
        at[path[-1]] = value(at[path[-1]]) if callable(value) else value
        return copy

    return change


def _thaw(value: Any) -> Any:
    return [_thaw(v) for v in value] if isinstance(value, list | tuple) else value


def flip(data: bytes) -> bytes:
    """The last byte's lowest bit changed."""
    return data[:-1] + bytes([data[-1] ^ 1])


def bump_first_scalar(data: bytes) -> bytes:
    """The first 32 bytes as a scalar plus one."""
    return group.encode_scalar((int.from_bytes(data[:32], "little") + 1) % group.Q) + data[32:]


def other_point(data: bytes) -> bytes:
    """The first point of these bytes plus the base point."""
    return group.add(data[:32], group.G) + data[32:]


def extra(body: list[Any], _: Hostile) -> list[Any]:
    """One field too many."""
    return [*body, 0]


def part_of_the_pot(body: list[Any], seat: Hostile) -> list[Any]:
    """The play that takes the pot, said without taking it."""
    play = parse_play(body[0])
    seat.told = play.take_pot
    return [play_body(replace(play, take_pot=False)), *body[1:]]


def lying_card(body: list[Any], seat: Hostile) -> list[Any]:
    """A card that lies on the table, laid once more before the rest of the play."""
    play, state = parse_play(body[0]), seat.view().round
    assert state is not None
    seat.told = bool(state.melds)
    again = tuple(Lay((Placed(meld.cards[0].slot),)) for meld in state.melds[:1])
    return [play_body(replace(play, steps=(*again, *play.steps))), *body[1:]]


CASES: list[tuple[str, Kind, Mutation, str]] = [
    ("seat: another rule card", Kind.SEAT, put(3, value=bytes(32)), "seat/roster"),
    ("seat: another name", Kind.SEAT, put(2, value="Somebody"), "seat/roster"),
    ("commit: too short", Kind.COMMIT, put(0, value=bytes(31)), "body/length"),
    ("commit: a field too many", Kind.COMMIT, extra, "body/form"),
    ("commit: another value than is opened", Kind.COMMIT, put(0, value=bytes(32)), "open/commitment"),
    ("open: another nonce", Kind.OPEN, put(2, value=flip), "open/commitment"),
    ("open: key is the identity", Kind.OPEN, put(0, value=bytes(32)), "pok/point"),
    ("open: no proof of possession", Kind.OPEN, put(3, value=bump_first_scalar), "pok/pok"),
    ("shuffle: a card too few", Kind.SHUFFLE, put(0, value=lambda d: d[:-64]), "body/length"),
    ("shuffle: proof cut", Kind.SHUFFLE, put(1, value=lambda p: p[:-32]), "body/length"),
    ("shuffle: not a point", Kind.SHUFFLE, put(0, value=lambda d: b"\xff" * 32 + d[32:]), "deck/point"),
    ("shuffle: a card replaced", Kind.SHUFFLE, put(0, value=other_point), "proof/V0"),
    ("shuffle: a proof scalar changed", Kind.SHUFFLE, put(1, value=flip), "proof/V2"),
    ("ready: another deck", Kind.READY, put(1, value=bytes(32)), "ready/deck"),
    ("deal: a wrong share", Kind.DEAL, put(0, 0, value=other_point), "dleq/dleq"),
    ("deal: a wrong share of the open card", Kind.DEAL, put(-1, 0, value=other_point), "dleq/dleq"),
    ("deal: a batch missing", Kind.DEAL, lambda b, _: _thaw(b)[1:], "body/form"),
    ("draw: not the next card", Kind.DRAW, put(1, value=lambda i: i + 1), "draw/slot"),
    ("draw: next epoch", Kind.DRAW, put(0, value=1), "draw/slot"),
    ("shares: a wrong share", Kind.SHARES, put(0, value=other_point), "dleq/dleq"),
    ("shares: a wrong proof", Kind.SHARES, put(1, value=bump_first_scalar), "dleq/dleq"),
    ("play: no discard", Kind.PLAY, put(0, 2, value=[]), "open/slots"),
    ("play: another card claimed", Kind.PLAY, put(1, 0, 1, 0, 1, value=lambda c: (c + 1) % 108), "card/card"),
    ("play: a wrong share", Kind.PLAY, put(1, 0, 1, 0, 2, value=other_point), "dleq/dleq"),
    ("play: a slot it does not hold", Kind.PLAY, put(1, 0, 1, -1, 0, value=107), "open/owner"),
    ("play: a step that does not exist", Kind.PLAY, put(0, 1, value=[[9, 9]]), "body/form"),
    ("play: a card of the pot without the pot", Kind.PLAY, part_of_the_pot, "rules/pot_whole_pile"),
    ("play: a card that lies on the table", Kind.PLAY, lying_card, "rules/table_fixed"),
    ("end: another context", Kind.END, put(0, value=bytes(32)), "end/context"),
    ("show: nothing", Kind.SHOW, put(0, value=[]), "open/slots"),
    ("audit: another seed", Kind.AUDIT, put(0, value=bytes(32)), "audit/seed"),
    ("verdict: another score", Kind.VERDICT, put(1, value=bytes(32)), "verdict/differs"),
    ("verdict: another verdict", Kind.VERDICT, put(0, value=b"\x01\x00\x00"), "verdict/differs"),
]


@pytest.mark.must("E5", "B4", "C74", "C75", "C76", "C77", "C78", "C79", "C81", "C82", "C83", "C85", "C86", "C87")
@pytest.mark.must("C88", "C90", "R52")
@pytest.mark.parametrize(("kind", "lie", "code"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_lie_is_named_by_every_honest_seat(kind: Kind, lie: Mutation, code: str, tmp_path: Path) -> None:
    """Each false entry ends the game at every honest seat with one code, one log, one name and one proof of it.

    Strangers with either verifier find the same in the game file, and the same in the evidence.
    """
    games = (attacked(3, 1, kind, lie, seed) for seed in range(5, 25))
    table, honest = next(game for game in games if game[1][0].fault is not None)  # not every game has the occasion
    fault = honest[0].fault
    assert fault is not None
    assert (fault.code, fault.seat) == (code, 1)
    assert [f and (f.code, f.seat, f.step) for f in (s.fault for s in honest)] == [(code, 1, fault.step)] * 2
    assert honest[0].log_frames() == honest[1].log_frames()
    assert honest[0].evidence() == honest[1].evidence()
    assert {e.kind for s in (0, 2) for e in said_after(table, s, honest[0].evidence()[0])} == {Kind.VOID}
    log = write_game(table.genesis, honest[0].log_frames())
    verdict = verify_game(log, ENTROPY)

    assert (verdict.ok, verdict.complete, verdict.departed) == (False, True, (1,))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat, verdict.fault.step) == (code, 1, fault.step)

    (evidence,) = honest[0].evidence()
    proof = write_evidence(table.genesis, evidence)
    ruling = verify_evidence(proof, ENTROPY)

    assert (ruling.proven, ruling.findings) == (True, (Finding(code, 1, fault.step),))

    if AVAILABLE:
        exit_code, other = second_opinion(log, tmp_path)
        assert (exit_code, compared(other)) == (1, compared(verdict.as_json()))
        assert second_opinion(proof, tmp_path, "--evidence") == (0, ruling.as_json())


@pytest.mark.computed
@pytest.mark.parametrize("code", ["open/commitment", "proof/V2", "dleq/dleq", "card/card", "audit/seed"])
def test_nothing_depends_on_what_is_remembered(code: str) -> None:
    """A lie ends in the same fault and the same log whether the cryptography is computed or remembered."""
    _, kind, lie, _ = next(case for case in CASES if case[3] == code)
    _, computed = attacked(3, 1, kind, lie)
    with remembering():
        for _ in range(2):
            _, remembered = attacked(3, 1, kind, lie)

            assert [str(s.fault) for s in remembered] == [str(s.fault) for s in computed]
            assert [s.log_frames() for s in remembered] == [s.log_frames() for s in computed]
    assert {s.fault and s.fault.code for s in computed} == {code}


def said_after(table: Coupled, seat: int, evidence: Evidence) -> list[Entry]:
    """What a seat published after the step that broke the game off."""
    last = parse_entry(evidence.frames[-1], table.genesis.table, table.public).step
    frames = [o.frame for o in table.outputs[seat] if isinstance(o, Publish)]
    said = [parse_entry(f, table.genesis.table, table.public) for f in frames]
    return [e for e in said if e.step > last]


@pytest.mark.skipif(AVAILABLE, reason="the second verifier is here")
def test_the_second_verifier_was_asked() -> None:
    """Where it cannot run, that is said."""
    pytest.skip(MISSING)


@pytest.mark.must("E4")
def test_two_entries_for_one_step_are_equivocation() -> None:
    """A second signed entry for a step that has closed names its seat and keeps both frames."""
    table = Coupled(3, seed=1, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step > 6)
    keys = tuple(p.key for p in table.genesis.players)
    first = next(
        e
        for e in (parse_entry(f, table.genesis.table, keys) for f in table.sessions[0].log_frames())
        if e.seat == 2 and e.kind is Kind.COMMIT
    )
    second = sign_entry(table.keys[2], table.genesis.table, first.step, 2, first.head, Kind.COMMIT, [bytes(32)])
    table.sessions[0].receive(second.frame)
    fault = table.sessions[0].fault

    assert fault is not None
    assert ("log/equivocation", 2, first.step) == (fault.code, fault.seat, fault.step)
    assert first.frame.hex() in fault.detail
    assert second.frame.hex() in fault.detail


@pytest.mark.must("E2", "C73")
def test_another_history_is_dropped_and_names_nobody() -> None:
    """An entry at another head is not an entry here."""
    table = Coupled(2, seed=1, choose=choose)
    outputs = table.sessions[0].start()
    entry = sign_entry(table.keys[1], table.genesis.table, 0, 1, bytes(32), Kind.SEAT, [])
    outputs = table.sessions[0].receive(entry.frame)

    assert [o.code for o in outputs if hasattr(o, "code")] == ["log/head"]
    assert table.sessions[0].fault is None


@pytest.mark.must("E7", "C102")
def test_our_own_unknown_entry_silences_this_seat() -> None:
    """A node that meets an entry of its own seat that its journal lacks stops speaking (a restored old journal)."""
    table = Coupled(2, seed=1, choose=choose)
    session = table.sessions[0]
    entry = sign_entry(table.keys[0], table.genesis.table, 0, 0, session.position().head, Kind.SEAT, [])
    session.receive(entry.frame)
    said = session.start()

    assert session.fault is not None
    assert session.fault.code == "log/own-entry-unknown"
    assert not any(isinstance(o, Publish) for o in said)


@pytest.mark.must("E7", "C102")
@pytest.mark.parametrize("ahead", [0, 1])
def test_a_silenced_seat_is_silent_in_every_later_life(ahead: int) -> None:
    """What silenced a seat is recorded, so that it says nothing after a restart either, nothing old and nothing new."""
    table = Coupled(3, seed=1, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step >= 3)
    place = table.sessions[0].position()
    unknown = sign_entry(
        table.keys[0], table.genesis.table, place.step + 1 + ahead, 0, place.head, Kind.READY, [b"", b""]
    )
    table.carry_out(0, table.sessions[0].receive(unknown.frame))
    for _ in range(2):
        again = table.make(0)
        said = again.start()

        assert again.fault is not None
        assert again.fault.code == "log/own-entry-unknown"
        assert again.position().step == place.step
        assert not any(isinstance(o, Publish) for o in said)
        assert again.receive(table.sessions[1].log_frames()[-1]) == []


@pytest.mark.must("W4")
@pytest.mark.parametrize("frame", [b"", b"\x00", b"garbage", encode([b"", b""]), encode(["a", 1]), bytes(70_000)])
def test_garbage_is_dropped(frame: bytes) -> None:
    """Bytes that are no entry change nothing and are counted by code."""
    session = Coupled(2, choose=choose).sessions[0]
    before = session.position()
    outputs: list[Output] = session.receive(frame)

    assert len(outputs) == 1
    assert before == session.position()


def test_a_fault_is_recorded_as_evidence() -> None:
    """The false entry is journalled, so that a restart finds the same fault."""
    _, honest = attacked(2, 1, Kind.DRAW, put(1, value=99))
    session = honest[0]
    records = session.log_frames()

    assert session.fault is not None
    assert any(isinstance(r, bytes) for r in records)
    again = Session(session.genesis, seat=None, key=None, secret=bytes(32))
    again.restore(records)
    assert again.fault is not None
    assert session.fault.code == again.fault.code


@pytest.mark.parametrize("kind", [Kind.OPEN, Kind.SHUFFLE, Kind.DEAL, Kind.SHARES, Kind.PLAY, Kind.SHOW, Kind.AUDIT])
def test_a_seat_killed_after_a_fault_comes_back_to_the_same_end(kind: Kind) -> None:
    """Restarted at any time after the fault, an honest seat finds it again and ends with the others' head."""
    lie, code = next((lie, code) for _, k, lie, code in CASES if k is kind and not code.startswith("body"))
    table = Coupled(3, seed=5, choose=choose)
    hostile = type("Liar", (Hostile,), {"lie_kind": kind, "lie": staticmethod(lie)})
    table.sessions[1] = hostile(
        table.genesis, seat=1, key=table.keys[1], secret=table.secrets[1][1], auto_continue=True
    )
    table.start()
    table.run(until=lambda: all(table.sessions[i].finished for i in (0, 2)))
    table.restart(0)

    assert table.sessions[0].fault is not None
    assert table.sessions[0].fault.code.startswith(code)
    assert table.sessions[0].position() == table.sessions[2].position()
    assert table.sessions[0].finished
