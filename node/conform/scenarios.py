"""The tables of the kit: what our scripted seat does at each, and what that must have made the foreign node do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from node.messages import Refused, Start, SyncAnswer, node_name
from node.sync import Place
from protocol.errors import WireError
from protocol.wire.entry import SIDE, Kind

from .conduct import CONTENT
from .findings import Finding, broken, held, unseen
from .record import Record
from .scripts import (
    Asker,
    Doubled,
    Garbage,
    HoldBack,
    Knock,
    Lie,
    OtherRules,
    Silence,
    Timed,
    TwoEntries,
    flipped,
    instead,
    other_point,
    pot_as_well,
    put,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Seconds: to come and sit down, to go on with the game, to answer or to stop, and the moments our seats wait."""

    arrive: float = 600.0
    patience: float = 180.0
    react: float = 10.0
    moment: float = 0.5
    silence: float = 4.0


Judge = Callable[[Record, Timed], Iterator[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One table. `we_host`: only a table of ours can show it, `they_host`: only one of theirs."""

    name: str
    script: Callable[[Times], Timed]
    judge: Judge
    we_host: bool = False
    they_host: bool = False
    cuts: bool = False
    """Whether the broker loses everybody for a moment."""


# ------------------------------------------------------------------------------------------ what must have happened


def _played(*musts: str) -> Judge:
    """The round was played to its end and audited, whatever our seat did meanwhile."""

    def judge(record: Record, script: Timed) -> Iterator[Finding]:  # noqa: ARG001
        for must in musts:
            if record.verdict.results:
                yield held(must)
            else:
                yield broken(must, "stuck" if record.foreign in record.waiting else "no-end", step=record.verdict.steps)

    return judge


def _not_done(record: Record, must: str) -> Finding:
    """Our seat never came to what it was to do: the foreign one held up the game, or it ended before."""
    if record.foreign in record.waiting:
        return broken(must, "stuck", step=record.verdict.steps)
    return unseen(must)


def _named(must: str) -> Judge:
    """The liar, and nobody else, was named in a VOID of the foreign seat, and that was its last word."""

    def judge(record: Record, script: Timed) -> Iterator[Finding]:
        verdict, fault = record.verdict, record.verdict.fault
        voids = [e for e in record.entries if e.kind is Kind.VOID and e.seat == record.foreign]
        if not script.done:
            yield _not_done(record, must)
            return
        right = bool(voids) and verdict.departed == (record.liar,)
        for name in (must, "C90", "V1"):
            if right:
                yield held(name)
            elif voids:
                yield broken(name, "named", seats=", ".join(str(seat + 1) for seat in verdict.departed))
            else:
                yield broken(name, "no-void", seat=record.liar + 1, step=0 if fault is None else fault.step)
        if voids:
            later = [e for _, e in record.own if e.step > voids[-1].step]
            yield broken("V2", "goes-on", kind=later[0].kind.name, step=later[0].step) if later else held("V2")

    return judge


def _stopped(record: Record, script: Timed) -> Iterator[Finding]:
    """Of two entries for one step it showed both to everybody, and spoke no more."""
    assert isinstance(script, TwoEntries)
    if not script.done:
        yield _not_done(record, "E4")
        return
    passed = {said.payload for said, entry in record.frames if not isinstance(entry, WireError)}
    yield held("V8") if set(script.frames) <= passed else broken("V8", "not-shown", step=script.step)
    later = [e for _, e in record.own if e.step > script.step + 1]
    yield broken("E4", "goes-on", kind=later[0].kind.name, step=later[0].step) if later else held("E4")


def _other_head(record: Record, script: Timed) -> Iterator[Finding]:
    """An entry at another head counted for nothing."""
    assert isinstance(script, TwoEntries)
    heard = record.observer.said[: script.mark]
    took = [e for said, e in record.own if e.step > script.step and any(said is h for h in heard)]
    if script.done:
        yield broken("E2", "took", kind=took[0].kind.name, step=took[0].step) if took else held("E2")
    yield from _stopped(record, script)


def _synced(record: Record, script: Timed) -> Iterator[Finding]:
    """Each request was answered with what was missing at that place: all of it in order, and nothing else."""
    assert isinstance(script, Asker)
    for place, before, after in script.asked:
        answers = [
            m for said, m in record.answers() if isinstance(m, SyncAnswer) and _between(record, said, before, after)
        ]
        if not answers:
            yield broken("M13", "no-answer", step=place.step)
        for answer in answers:
            yield held("M13") if _fits(record, place, answer) else broken("M13", "answer", step=place.step)
    yield from _played("M12")(record, script)


def _between(record: Record, said: object, before: int, after: int) -> bool:
    return any(said is heard for heard in record.observer.said[before:after])


def _fits(record: Record, place: Place, answer: SyncAnswer) -> bool:
    """Whether the answer is what follows this place in the log, as far as it goes."""
    missing = [
        e for e in record.entries if e.step > place.step or (e.step == place.step and not place.have >> e.seat & 1)
    ]
    try:
        given = [e for e in map(record.parse, answer.entries) if e.kind not in SIDE]
    except WireError:
        return False
    if not given:
        return False
    last = given[-1].step
    closed = [e.raw for e in missing if e.step < last]
    rest = [e for e in given if e.step == last]
    in_order = [e.seat for e in rest] == sorted({e.seat for e in rest})
    known = {e.raw for e in missing}
    return [e.raw for e in given[: len(closed)]] == closed and in_order and all(e.raw in known for e in given)


def _at_the_door(record: Record, script: Timed) -> Iterator[Finding]:
    """Whoever sits there was told of the start again, a stranger was turned away, a watcher was told as well."""
    assert isinstance(script, Knock)
    if not script.done:
        yield _not_done(record, "M7")
        return
    start = record.genesis.encode()
    wanted = (("M7", "no-start", Start), ("M7", "no-refusal", Refused), ("M25", "no-look", Start))
    for key, (must, why, kind) in zip(script.keys, wanted, strict=True):
        heard = [m for said, m in record.answers() if said.node == node_name(key)]
        right = [m for m in heard if isinstance(m, kind) and getattr(m, "genesis", start) == start]
        yield held(must) if right else broken(must, why)


def _refused(record: Record, script: Timed) -> Iterator[Finding]:  # noqa: ARG001
    """It said nothing at a table whose game is not the one that it was shown."""
    said = [e for _, e in record.own]
    yield broken("M8", "sat-down", kind=said[0].kind.name) if said else held("M8")


def _waited(record: Record, script: Timed) -> Iterator[Finding]:
    """It spoke at every barrier without waiting for us, and not before its time (which the conduct says)."""
    assert isinstance(script, HoldBack)
    for entry in script.waited_in_vain:
        yield broken(CONTENT[entry.kind], "waits", kind=entry.kind.name, step=entry.step)
    yield from _played("C73")(record, script)


# ------------------------------------------------------------------------------------------ the tables

BARRIERS = frozenset({Kind.COMMIT, Kind.READY, Kind.END, Kind.SHOW, Kind.AUDIT})


def _lie(name: str, must: str, *args: object, says: Kind | None = None) -> Scenario:
    kind, change = args
    return Scenario(
        name=name,
        script=lambda _: Lie(kind, change, says=says),  # type: ignore[arg-type]
        judge=_named(must),
    )


SCENARIOS = (
    Scenario(name="honest", script=lambda _: Timed(), judge=_played("C83")),
    Scenario(name="barriers", script=lambda t: HoldBack(BARRIERS, t.moment, t.react), judge=_waited),
    Scenario(name="garbage", script=lambda _: Garbage(), judge=_played("W4", "M2", "T8")),
    Scenario(name="disorder", script=lambda t: Doubled(t.moment / 10), judge=_played("T6", "T7")),
    Scenario(name="silence", script=lambda t: Silence(t.silence), judge=_played("M11", "C91")),
    Scenario(name="sync", script=lambda t: Asker(t.react), judge=_synced),
    Scenario(name="door", script=lambda _: Knock(), judge=_at_the_door, they_host=True),
    Scenario(name="reconnect", script=lambda _: Timed(), judge=_played("T4", "T5"), we_host=True, cuts=True),
    Scenario(name="other-rules", script=lambda _: OtherRules(), judge=_refused, we_host=True),
    _lie("false-seat", "C74", Kind.SEAT, put(3, value=bytes(32))),
    _lie("false-opening", "C76", Kind.OPEN, put(2, value=flipped)),
    _lie("false-shuffle", "C77", Kind.SHUFFLE, put(1, value=flipped)),
    _lie("false-ready", "C78", Kind.READY, put(1, value=bytes(32))),
    _lie("early-share", "E5", Kind.READY, instead, says=Kind.DEAL),
    _lie("false-deal", "C79", Kind.DEAL, put(0, 0, value=other_point)),
    _lie("false-share", "C82", Kind.SHARES, put(0, value=other_point)),
    _lie("false-draw", "C81", Kind.DRAW, put(1, value=lambda index: index + 1)),
    _lie("illegal-move", "C83", Kind.PLAY, pot_as_well),
    _lie("false-seed", "C87", Kind.AUDIT, put(0, value=bytes(32))),
    _lie("false-verdict", "C88", Kind.VERDICT, put(1, value=bytes(32))),
    Scenario(
        name="other-head",
        script=lambda t: TwoEntries(Kind.COMMIT, after=t.moment, other_head=True),
        judge=_other_head,
    ),
    Scenario(name="two-entries", script=lambda _: TwoEntries(Kind.COMMIT), judge=_stopped),
)
"""Every table of the kit, in the order of play."""

NAMES = tuple(scenario.name for scenario in SCENARIOS)
