"""The conformance kit: our own node passes it, and each of its checks can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from node.conform.conduct import conduct
from node.conform.findings import Held
from node.conform.observer import Observer
from node.conform.record import Record
from node.conform.scenarios import NAMES, SCENARIOS
from node.conform.scripts import Lie, flipped, other_point, pot_as_well, put
from node.conform.voice import Outgoing, Script, Sent, Voice
from node.messages import Announce, Heartbeat, Refused, Start, SyncAnswer, peek, sign
from node.policy import choose
from node.topics import node_topic
from protocol.crypto.group import G
from protocol.crypto.identity import SigningKey
from protocol.session.gamefile import write_game
from protocol.wire.entry import Entry, Kind, sign_entry
from tests.coupled import Coupled
from tests.node.conform.foreign import broken, examine

Bad = Callable[[], Script]


@pytest.mark.parametrize("name", [scenario.name for scenario in SCENARIOS if not scenario.they_host])
def test_our_own_node_passes_as_a_guest(name: str, tmp_path: Path) -> None:
    """At every table that the kit hosts nothing is broken, and what the table is for held."""
    (report,) = examine(tmp_path, name)
    held = {finding.must for finding in report.findings if finding.held is Held.HELD}

    assert broken(report) == {}
    assert held >= {"M1", "E3"} or name == "other-rules"


@pytest.mark.parametrize("name", ["honest", "barriers", "sync", "door", "false-shuffle", "illegal-move", "two-entries"])
def test_our_own_node_passes_as_a_host(name: str, tmp_path: Path) -> None:
    """At its own tables nothing is broken either."""
    (report,) = examine(tmp_path, name, hosts=True)

    assert broken(report) == {}
    assert {finding.must for finding in report.findings if finding.held is Held.HELD} >= {"M1", "M4", "E3"}


# ------------------------------------------------------------------------------------------ a foreign node with a fault


class Beside(Script):
    """Says this as well, with its first entry of a kind."""

    def __init__(self, kind: Kind, made: Callable[[Voice, Entry], bytes]) -> None:
        self._kind: Kind | None = kind
        self._made = made

    def take(self, voice: Voice, out: Outgoing) -> None:
        """The entry, then the other thing."""
        voice.pass_on(out)
        if out.entry is not None and out.entry.kind is self._kind:
            self._kind = None
            voice.slip(out.topic, self._made(voice, out.entry))


class Quiet(Script):
    """Says nothing more from its first entry of a kind on."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Everything until then."""
        voice.mute = voice.mute or (out.entry is not None and out.entry.kind is self._kind)
        if not voice.mute:
            voice.pass_on(out)


class Changed(Script):
    """Makes something else, or nothing, of every message of one class."""

    def __init__(self, channel: str, of: type, change: Callable[[Any], Any]) -> None:
        self._channel = channel
        self._of = of
        self._change = change

    def take(self, voice: Voice, out: Outgoing) -> None:
        """The changed message."""
        message = peek(out.payload).message if out.channel == self._channel and out.payload else None
        if message is None or not isinstance(message, self._of):
            voice.pass_on(out)
            return
        other = self._change(message)
        assert voice.key is not None
        if other is not None:
            voice.pass_on(replace(out, payload=sign(voice.key, voice.table, other)))


class Unsigned(Script):
    """Heartbeats whose signature does not hold."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Everything else as it is."""
        voice.pass_on(replace(out, payload=flipped(out.payload)) if out.channel == "p" else out)


class OwnOnly(Script):
    """Never passes on what somebody else has signed."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """What this seat has signed."""
        assert voice.key is not None
        if out.channel != "m" or out.topic != node_topic(voice.table, "m", voice.key.public) or self._mine(out):
            voice.pass_on(out)

    @staticmethod
    def _mine(out: Outgoing) -> bool:
        return out.entry is not None and out.entry.seat == 2


class SitsDown(Script):
    """Speaks at the table although it was not told of this game."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """SEAT with every word to the host."""
        voice.pass_on(out)
        if out.channel == "j":
            assert voice.key is not None
            entry = sign_entry(voice.key, voice.table, 0, 1, bytes(32), Kind.SEAT, [])
            voice.slip(node_topic(voice.table, "m", voice.key.public), entry.frame)


def lie(kind: Kind, change: Callable[[list[Any]], Any]) -> Bad:
    """One false entry."""
    return lambda: Lie(kind, change)


def beside(kind: Kind, made: Callable[[Voice, Entry], bytes]) -> Bad:
    """Something more with one entry."""
    return lambda: Beside(kind, made)


def early(kind: Kind, says: Kind) -> Bad:
    """What belongs in the next step, said with the entry of this one."""
    return beside(kind, lambda voice, entry: voice.signed(entry, step=entry.step + 1, kind=says, body=[]).frame)


def later(kind: Kind, steps: int) -> Bad:
    """Goes on for some steps."""
    return beside(kind, lambda voice, entry: voice.signed(entry, step=entry.step + steps).frame)


def forged(voice: Voice, entry: Entry) -> bytes:
    """Its entry, signed with a key that is not its own."""
    stranger = SigningKey(bytes(32))
    return sign_entry(stranger, voice.table, entry.step, entry.seat, entry.head, entry.kind, entry.body).frame


FAULTS: list[tuple[str, str, str, Bad]] = [
    # requirement, table, code of what is seen, habit
    ("W1", "false-seat", "form", beside(Kind.SEAT, lambda _, entry: entry.frame + b"\x00")),
    ("E1", "false-seat", "form", beside(Kind.SEAT, forged)),
    ("M1", "false-seat", "message", Unsigned),
    ("M9", "honest", "place", lambda: Changed("p", Heartbeat, lambda beat: replace(beat, head=bytes(32)))),
    ("M10", "honest", "stamp", lambda: Changed("p", Heartbeat, lambda beat: replace(beat, count=7))),
    ("E3", "honest", "contradicts", beside(Kind.COMMIT, lambda v, e: v.signed(e, body=[bytes(32)]).frame)),
    ("C70", "honest", "head", beside(Kind.COMMIT, lambda v, e: v.signed(e, head=bytes(32)).frame)),
    ("C75", "barriers", "waits", lambda: Quiet(Kind.COMMIT)),
    ("C76", "barriers", "early", early(Kind.COMMIT, Kind.OPEN)),
    ("C78", "barriers", "early", early(Kind.READY, Kind.DEAL)),
    ("C85", "barriers", "early", early(Kind.END, Kind.SHOW)),
    ("C87", "barriers", "early", early(Kind.SHOW, Kind.AUDIT)),
    ("C88", "barriers", "early", early(Kind.AUDIT, Kind.VERDICT)),
    ("C73", "barriers", "stuck", lambda: Quiet(Kind.COMMIT)),
    ("C74", "honest", "fault", lie(Kind.SEAT, put(3, value=bytes(32)))),
    ("C75", "honest", "fault", lie(Kind.COMMIT, put(0, value=bytes(31)))),
    ("C76", "honest", "fault", lie(Kind.OPEN, put(2, value=flipped))),
    ("C77", "honest", "fault", lie(Kind.SHUFFLE, put(1, value=flipped))),
    ("C78", "honest", "fault", lie(Kind.READY, put(1, value=bytes(32)))),
    ("C79", "honest", "fault", lie(Kind.DEAL, put(0, 0, value=other_point))),
    ("C81", "honest", "fault", lie(Kind.DRAW, put(1, value=lambda index: index + 1))),
    ("C82", "honest", "fault", lie(Kind.SHARES, put(0, value=other_point))),
    ("C83", "honest", "fault", lie(Kind.PLAY, pot_as_well)),
    ("C85", "honest", "fault", lie(Kind.END, put(0, value=bytes(32)))),
    ("C86", "honest", "fault", lie(Kind.SHOW, put(0, value=[[9, [], bytes(64)]]))),
    ("C87", "honest", "fault", lie(Kind.AUDIT, put(0, value=bytes(32)))),
    ("C88", "honest", "fault", lie(Kind.VERDICT, put(1, value=bytes(32)))),
    ("C89", "false-opening", "fault", lie(Kind.VOID, put(2, value=0))),
    ("C90", "false-opening", "named", lie(Kind.VOID, put(2, value=0))),
    ("C76", "false-opening", "no-void", lambda: Quiet(Kind.VOID)),
    ("V1", "early-share", "no-void", lambda: Quiet(Kind.VOID)),
    ("E5", "early-share", "no-void", lambda: Quiet(Kind.VOID)),
    ("V2", "false-opening", "goes-on", later(Kind.VOID, 1)),
    ("W4", "garbage", "stuck", lambda: Quiet(Kind.DEAL)),
    ("T7", "disorder", "stuck", lambda: Quiet(Kind.OPEN)),
    ("M11", "silence", "stuck", lambda: Quiet(Kind.END)),
    ("T5", "reconnect", "stuck", lambda: Quiet(Kind.END)),
    ("C83", "honest", "stuck", lambda: Quiet(Kind.READY)),
    ("C79", "false-deal", "stuck", lambda: Quiet(Kind.OPEN)),
    ("E4", "two-entries", "stuck", lambda: Quiet(Kind.SEAT)),
    ("M13", "sync", "no-answer", lambda: Changed("d", SyncAnswer, lambda _: None)),
    ("M13", "sync", "answer", lambda: Changed("d", SyncAnswer, lambda a: replace(a, entries=a.entries[1:]))),
    ("M8", "other-rules", "sat-down", SitsDown),
    ("E2", "other-head", "took", early(Kind.COMMIT, Kind.OPEN)),
    ("E4", "two-entries", "goes-on", later(Kind.COMMIT, 3)),
    ("V8", "two-entries", "not-shown", OwnOnly),
]


@pytest.mark.parametrize(("must", "table", "why", "bad"), FAULTS, ids=[f"{f[0]} {f[2]} {f[1]}" for f in FAULTS])
def test_a_faulty_node_is_reported(must: str, table: str, why: str, bad: Bad, tmp_path: Path) -> None:
    """A foreign node with one bad habit is reported with the requirement that it breaks, and why."""
    (report,) = examine(tmp_path, table, script=bad)

    assert broken(report).get(must) == why


def test_a_false_exchange_is_reported(tmp_path: Path) -> None:
    """The opening exchange is judged where the rule card has it, as soon as the node has its turn in it."""
    bottom = 107  # of the stock: in nobody's hand
    for _ in range(20):  # whoever takes the card first ends the exchange: at some tables our seats do
        made = list[Lie]()

        def bad(made: list[Lie] = made) -> Script:
            made.append(Lie(Kind.EXCHANGE, put(0, value=[bottom])))
            return made[0]

        (report,) = examine(tmp_path, "honest", script=bad, rules="spelregelwijzer")
        if made[0].done:
            break

    assert broken(report).get("C80") == "fault"


def test_a_shuffle_without_masks_is_reported(tmp_path: Path) -> None:
    """A deck that is put out as it came in hides nothing."""
    bad = lie(Kind.SHUFFLE, put(0, value=lambda deck: G + deck[32:]))
    (report,) = examine(tmp_path, "honest", script=bad, hosts=True)

    assert broken(report).get("C22") == "masks"


def test_a_host_that_never_closes_its_door_is_reported(tmp_path: Path) -> None:
    """A table that has begun must be announced as begun."""

    def bad() -> Script:
        return Changed("lobby", Announce, lambda offer: offer if offer.open else None)

    (report,) = examine(tmp_path, "false-seat", script=bad, hosts=True)

    assert broken(report).get("M4") == "not-begun"


@pytest.mark.parametrize(
    ("answer", "musts"),
    [(Start, {"M7": "no-start", "M25": "no-look"}), (Refused, {"M7": "no-refusal"})],
    ids=["start", "refused"],
)
def test_a_host_that_does_not_answer_its_door_is_reported(answer: type, musts: dict[str, str], tmp_path: Path) -> None:
    """Once the game has begun, the start and the refusal are still to be had."""
    (report,) = examine(tmp_path, "door", script=lambda: Changed("d", answer, lambda _: None), hosts=True)

    assert broken(report) == musts


def test_secrets_used_twice_are_reported(tmp_path: Path) -> None:
    """A nonce of one table that turns up at the next is noticed there."""
    bad = lie(Kind.OPEN, put(2, value=bytes(32)))
    first, second = examine(tmp_path, "honest", "false-seed", script=bad)

    assert "C100" not in broken(first)
    assert broken(second)["C100"] == "again"


def test_a_node_without_heartbeats_is_reported() -> None:
    """Nothing of it in twice the time of a heartbeat is a defect, in less it is not observed."""
    table = Coupled(3, seed=5, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step > 2)
    log = write_game(table.genesis, table.sessions[0].log_frames())

    def found(seconds: float) -> tuple[Held, str]:
        record = Record(2, 1, Observer(Sent()), [], log, seconds)
        return next((f.held, f.why) for f in conduct(record) if f.must == "M9")

    assert found(30.0) == (Held.BROKEN, "no-heartbeat")
    assert found(3.0) == (Held.UNSEEN, "")


def test_every_table_has_a_name_of_its_own() -> None:
    """A name chooses one table."""
    assert len(set(NAMES)) == len(SCENARIOS)
