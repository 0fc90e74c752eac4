"""What is asked of a foreign node at every table, whatever our seats do there.

Each check looks at what the node sent, and names the requirement of `spec/` that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from node.door import BEGUN
from node.messages import Announce, Heartbeat, Join, Quit, Start, SyncRequest
from node.sync import HEARTBEAT
from protocol.crypto.group import G
from protocol.errors import WireError
from protocol.wire.entry import Kind

from .findings import Finding, broken, held, unseen
from .record import Record

CONTENT = {
    Kind.SEAT: "C74",
    Kind.COMMIT: "C75",
    Kind.OPEN: "C76",
    Kind.SHUFFLE: "C77",
    Kind.READY: "C78",
    Kind.DEAL: "C79",
    Kind.EXCHANGE: "C80",
    Kind.DRAW: "C81",
    Kind.SHARES: "C82",
    Kind.PLAY: "C83",
    Kind.END: "C85",
    Kind.SHOW: "C86",
    Kind.AUDIT: "C87",
    Kind.VERDICT: "C88",
    Kind.VOID: "C89",
    Kind.LEAVE: "C93",
}
"""The row of 20-crypto.md 5.7 that says what an entry of this kind must hold."""

BARRIERS = {
    Kind.COMMIT: "C75",
    Kind.OPEN: "C76",
    Kind.DEAL: "C78",
    Kind.SHOW: "C85",
    Kind.AUDIT: "C87",
    Kind.VERDICT: "C88",
}
"""Kinds that nobody may say before every seat has spoken in the step before, and where that is required."""

CHANNELS: dict[str, tuple[type, ...]] = {"j": (Join, Quit), "q": (SyncRequest,), "p": (Heartbeat,), "g": (Start,)}
"""Channels on whose topics a node says only what it signs itself, and what that may be."""


def conduct(record: Record) -> Iterator[Finding]:
    """Every requirement that can be seen at any table."""
    yield from _forms(record)
    yield from _messages(record)
    yield _once(record)
    yield _heads(record)
    yield from _barriers(record)
    yield from _contents(record)
    yield _masked(record)
    yield from _places(record)


def _forms(record: Record) -> Iterator[Finding]:
    """Canonical bytes, signed by the seat."""
    bad = [entry for _, entry in record.frames if isinstance(entry, WireError)]
    for must, layer in (("W1", "wire/"), ("E1", "entry/")):
        wrong = next((error for error in bad if error.code.startswith(layer)), None)
        if wrong is not None:
            yield broken(must, "form", code=wrong.code)
        else:
            yield held(must) if record.own else unseen(must)


def _messages(record: Record) -> Iterator[Finding]:
    """What is said beside the log has its form, its signature and its channel."""
    seen = False
    for channel, kinds in CHANNELS.items():
        for _, message in record.messages(channel):
            seen = True
            if not isinstance(message, kinds):
                code = message.code if isinstance(message, WireError) else "node/channel"
                yield broken("M1", "message", channel=channel, code=code)
    yield held("M1") if seen else unseen("M1")
    if record.foreign == 0:
        begun = [m for _, m in record.answers() if isinstance(m, Announce) and not m.open and m.revision == BEGUN]
        yield held("M4") if begun else broken("M4", "not-begun")


def _once(record: Record) -> Finding:
    """One entry a step, the same bytes for ever."""
    known: dict[int, bytes] = {}
    for _, entry in record.own:
        if known.setdefault(entry.step, entry.raw) != entry.raw:
            return broken("E3", "contradicts", kind=entry.kind.name, step=entry.step)
    return held("E3") if known else unseen("E3")


def _heads(record: Record) -> Finding:
    """Every entry acknowledges the whole history."""
    for _, entry in record.own:
        if entry.step < len(record.heads) and entry.head != record.heads[entry.step]:
            return broken("C70", "head", kind=entry.kind.name, step=entry.step)
    return held("C70") if record.own else unseen("C70")


def _barriers(record: Record) -> Iterator[Finding]:
    """Nothing is opened before everybody has committed, agreed or ended."""
    for said, entry in record.own:
        must = BARRIERS.get(entry.kind)
        if must is None or entry.step == 0:
            continue
        spoken = set(record.sent[: said.sent])
        missing = [seat for seat in record.ours if (entry.step - 1, seat) not in spoken]
        if missing:
            yield broken(must, "early", kind=entry.kind.name, step=entry.step, seat=missing[0] + 1)


def _contents(record: Record) -> Iterator[Finding]:
    """The table finds no fault in anything it said; and nothing that it said stays out of the log."""
    fault = record.verdict.fault
    mine = [entry for entry in record.entries if entry.seat == record.foreign and entry.kind in CONTENT]
    for kind, must in CONTENT.items():
        said = [entry for entry in mine if entry.kind is kind]
        wrong = fault is not None and fault.seat == record.foreign and any(e.step == fault.step for e in said)
        if wrong and fault is not None:
            yield broken(must, "fault", code=fault.code, step=fault.step)
        elif said and kind is Kind.VOID and record.foreign in record.verdict.departed:
            yield broken(must, "fault", code="void/differs", step=said[0].step)
        elif said:
            yield held(must)
        elif kind is not Kind.LEAVE:
            yield unseen(must)


def _masked(record: Record) -> Finding:
    """A shuffle masks every card anew: none comes out as it went in."""
    shuffles = [entry for entry in record.entries if entry.kind is Kind.SHUFFLE]
    mine = [entry for entry in shuffles if entry.seat == record.foreign and _cards(entry.body)]
    for entry in mine:
        if record.foreign == 0 and any(card[:32] == G for card in _cards(entry.body)):
            return broken("C22", "masks", step=entry.step)
    for before, entry in pairwise(shuffles):
        if entry in mine and before.step + 1 == entry.step and _cards(before.body) & _cards(entry.body):
            return broken("C22", "masks", step=entry.step)
    return held("C22") if mine else unseen("C22")


def _cards(body: list[object]) -> set[bytes]:
    deck = body[0] if body else b""
    return {deck[k : k + 64] for k in range(0, len(deck), 64)} if isinstance(deck, bytes) else set()


def _places(record: Record) -> Iterator[Finding]:
    """It shows the place it is at, and numbers what it says."""
    beats = [m for _, m in record.messages("p") if isinstance(m, Heartbeat)]
    other = [b for b in beats if not b.leaving and b.step < len(record.heads) and b.head != record.heads[b.step]]
    if other:
        yield broken("M9", "place", step=other[0].step)
    else:
        sat = any(entry.seat == record.foreign for entry in record.entries)
        none = broken("M9", "no-heartbeat") if sat and record.lasted > 2 * HEARTBEAT else unseen("M9")
        yield held("M9") if beats else none
    stamps: dict[tuple[int, int], object] = {}
    for _, message in record.messages("pq"):
        if isinstance(message, Heartbeat | SyncRequest):
            if stamps.setdefault((message.epoch, message.count), message) != message:
                yield broken("M10", "stamp", epoch=message.epoch, count=message.count)
            else:
                yield held("M10")
