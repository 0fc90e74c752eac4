"""Where the rule card says so, those who are left play on without a seat that is false, silent or has gone."""

from __future__ import annotations

from contextlib import suppress

import pytest

from node.policy import choose
from protocol.crypto import audit
from protocol.errors import NotNow
from protocol.rules.ruleset import PRESETS, preset, with_overrides
from protocol.session.gamefile import write_game
from protocol.session.outputs import Dropped, Faulted, Left, Publish
from protocol.session.session import Claim, Leave, NextRound
from protocol.session.verify import Verdict, verify_game
from protocol.session.view import Stage
from protocol.wire.entry import Entry, Kind, parse_entry, sign_entry
from tests.coupled import Coupled
from tests.protocol.session.test_hostile import Hostile

ENTROPY = bytes(32)
PLAY_ON = with_overrides(preset("klassiek"), {"resign": "play_on"})


def table_of(n: int, seed: int = 6, **more: object) -> Coupled:
    """A table whose rule card says that the others play on."""
    return Coupled(n, seed=seed, choose=choose, **{"rules": PLAY_ON, "max_rounds": 0, **more})  # type: ignore[arg-type]


def until_step(table: Coupled, step: int) -> Coupled:
    """Play until everybody is at this step."""
    table.start()
    table.run(until=lambda: all(s.position().step >= step for s in table.sessions))
    return table


def vanish(table: Coupled, *gone: int) -> None:
    """These seats are cut off."""
    table.away |= set(gone)
    while table.deliver_next():
        pass
    table.sync()


def go_on(table: Coupled, *gone: int) -> None:
    """The others wait no longer for these seats, and play to the end."""
    here = [s for seat, s in enumerate(table.sessions) if seat not in table.away]
    while not all(s.finished for s in here):
        table.run(until=lambda: not table.under_way and not table.move())
        table.sync()
        for seat, session in enumerate(table.sessions):
            if seat not in table.away and set(gone) & set(session.view().waiting_for):
                with suppress(NotNow):
                    table.carry_out(seat, session.act(Claim(gone)))


def verified(table: Coupled, seat: int = 0) -> Verdict:
    """What a stranger says of this seat's file."""
    return verify_game(write_game(table.genesis, table.sessions[seat].log_frames()), ENTROPY)


def entries_of(table: Coupled, seat: int) -> list[Entry]:
    """What a seat published, in order."""
    frames = [o.frame for o in table.outputs[seat] if isinstance(o, Publish)]
    return [parse_entry(f, table.genesis.table, table.public) for f in frames]


@pytest.mark.must("V11", "R132", "R33", "C60")
@pytest.mark.parametrize("step", [0, 1, 2, 4, 5, 6, 7, 9, 14, 20])
@pytest.mark.parametrize("gone", [0, 1])
def test_the_others_play_on_without_a_silent_seat(step: int, gone: int) -> None:
    """At every kind of step: the round is void, the next one is for those who are left, and strangers can check it."""
    table = until_step(table_of(3, max_rounds=2), step)
    vanish(table, gone)
    go_on(table, gone)
    here = [s for seat, s in enumerate(table.sessions) if seat != gone]
    view, verdict = here[0].view(), verified(table, 2)

    assert here[0].log_frames() == here[1].log_frames()
    assert (verdict.ok, verdict.complete, verdict.departed) == (True, True, (gone,))
    assert view.stage is Stage.FINISHED
    assert len(view.results) == 2
    assert {(r.points[gone], r.hands[gone], r.verdicts[gone]) for r in view.results} == {(0, (), audit.NOT_AUDITED)}
    assert view.winners
    assert gone not in view.winners


@pytest.mark.must("V11", "R132")
def test_a_game_of_four_loses_two_and_ends_at_the_target() -> None:
    """Seats that go in different rounds keep their points and their seat numbers; the last two play to the target."""
    table = table_of(4, seed=2)
    table.start()
    table.run(until=lambda: len(table.sessions[0].view().results) == 1 and table.sessions[0].view().my_turn)
    before = table.sessions[0].view().totals
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: len(table.sessions[0].view().results) == 2 and table.sessions[0].view().my_turn)
    between = table.sessions[0].view().totals
    table.carry_out(3, table.sessions[3].act(Leave()))
    table.run()
    view, verdict = table.sessions[2].view(), verified(table, 2)

    assert (verdict.ok, verdict.complete, verdict.departed) == (True, True, (1, 3))
    assert len({s.position().head for s in table.sessions}) == 1, "who has left may still follow"
    assert view.totals[1] == before[1]
    assert view.totals[3] == between[3]
    assert view.winners in {(0,), (2,)}
    assert view.totals[view.winners[0]] >= 1000


@pytest.mark.must("V11")
def test_who_has_gone_chooses_nothing_and_is_not_heard() -> None:
    """After the VOID the leaver's node says nothing, its player can do nothing, and its words are dropped."""
    table = until_step(table_of(3, max_rounds=1), 10)
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: all(s.view().departed == (1,) and s.view().my_turn for s in table.sessions[:1]))
    said, place = len(entries_of(table, 1)), table.sessions[0].position()
    leaver = table.sessions[1]
    for choice in (Leave(), Claim((0,)), NextRound()):
        with pytest.raises(NotNow):
            leaver.act(choice)
    words = [(Kind.DRAW, []), (Kind.LEAVE, []), (Kind.EXPIRED, [1]), (Kind.HELD, [4]), (Kind.GOODBYE, [])]
    heard = []
    for kind, body in words:
        word = sign_entry(table.keys[1], table.genesis.table, place.step, 1, place.head, kind, body)
        heard.append(table.sessions[2].receive(word.frame))
    table.run()

    assert [[o.code for o in out if isinstance(o, Dropped)] for out in heard] == [
        ["log/not-expected"],
        ["log/not-expected"],
        ["side/mask"],
        ["log/not-expected"],
        [],
    ]
    assert not any(isinstance(o, Left) for out in heard for o in out)
    assert len(entries_of(table, 1)) == said
    assert all(s.finished and s.fault is None for s in table.sessions)


@pytest.mark.must("V11", "R131")
def test_two_left_over_are_enough_and_one_is_not() -> None:
    """When only one seat is left the game is broken off, and no seat that a VOID named wins it."""
    table = table_of(3, seed=8)
    table.start()
    table.run(until=lambda: len(table.sessions[0].view().results) == 1 and table.sessions[0].view().my_turn)
    for leaver in (2, 1):
        table.carry_out(leaver, table.sessions[leaver].act(Leave()))
        table.run(until=lambda leaver=leaver: leaver in table.sessions[0].view().departed)  # type: ignore[misc]
        table.run(until=lambda: table.sessions[0].finished or table.sessions[0].view().my_turn)
    table.run()
    view = table.sessions[0].view()

    assert view.departed == (1, 2)
    assert (view.stage, view.winners) == (Stage.FINISHED, (0,))
    assert verified(table).complete


@pytest.mark.must("V11", "C90")
def test_cheats_are_named_and_the_others_play_on() -> None:
    """A fault costs its seat the game, not the others theirs; every one is told, and evidence is kept of each."""
    table = table_of(5, max_rounds=1)
    for cheat, kind in ((4, Kind.COMMIT), (1, Kind.READY)):
        liar = type("Liar", (Hostile,), {"lie_kind": kind, "lie": staticmethod(lambda body, _: [*body, 0])})
        table.sessions[cheat].__class__ = liar
    table.start()
    table.run(until=lambda: all(table.sessions[seat].finished for seat in (0, 2, 3)))
    honest = [table.sessions[seat] for seat in (0, 2, 3)]
    verdict = verified(table)

    assert {(s.position().head, s.view().stage, s.view().departed) for s in honest} == {
        (honest[0].position().head, Stage.FINISHED, (1, 4))
    }
    assert [o.fault.seat for o in table.outputs[0] if isinstance(o, Faulted)] == [4, 1]
    assert [e.findings[0].seat for e in honest[0].evidence()] == [4, 1]
    assert (verdict.ok, verdict.complete, verdict.departed) == (False, True, (1, 4))
    assert verdict.fault is not None
    assert verdict.fault.seat == 4
    assert set(verdict.winners) <= {0, 2, 3}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_played_on(name: str) -> None:
    """Exchange, reshuffle, calls and scores of all presets go on for those who are left, with restarts in between."""
    rules = with_overrides(preset(name), {"resign": "play_on", "last_card_call": "extra_card"})
    table = until_step(table_of(4, seed=5, rules=rules, max_rounds=2), 20)
    table.carry_out(2, table.sessions[2].act(Leave()))
    table.run(until=lambda: table.sessions[0].view().departed == (2,))
    table.run(until=lambda: len(table.sessions[0].view().results) == 1 or table.sessions[0].view().my_turn)
    heads = [s.position().head for s in table.sessions]
    for seat in range(4):
        table.restart(seat)

    assert [s.position().head for s in table.sessions] == heads

    table.run()

    assert len({s.position().head for s in table.sessions}) == 1
    assert verified(table).ok
    assert verified(table).complete


def test_players_are_asked_before_they_play_on() -> None:
    """The round without the leaver begins when those who are left want it; until then its table shows no cards."""
    table = until_step(table_of(3, max_rounds=1, patient_seats=True), 10)
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: not table.under_way and not table.move())
    views = [table.sessions[seat].view() for seat in (0, 2)]

    assert [(v.stage, v.round, v.waiting_for) for v in views] == [(Stage.BETWEEN, None, (0, 2))] * 2

    for seat in (0, 2):
        table.carry_out(seat, table.sessions[seat].act(NextRound()))
    table.run()

    assert table.sessions[0].finished
    assert len(table.sessions[0].view().results) == 1


def test_a_handshake_that_was_not_compared_is_asked_again() -> None:
    """A round that ends before the host has compared the cards does not spare it the question in the next one."""
    table = table_of(3, max_rounds=1, comparing=frozenset({0}))
    table.start()
    table.run(until=lambda: not table.under_way)
    assert table.sessions[0].view().to_compare
    vanish(table, 2)
    table.carry_out(2, [])
    for seat in (0, 1):
        with suppress(NotNow):
            table.carry_out(seat, table.sessions[seat].act(Claim((2,))))

    assert table.sessions[0].view().to_compare


def second_word(table: Coupled, cheat: int, step: int) -> bytes:
    """Another entry of this seat for a step in which it has spoken, or would have."""
    head = table.sessions[0].heads_from(step)[0]
    return sign_entry(table.keys[cheat], table.genesis.table, step, cheat, head, Kind.AUDIT, [bytes(32)]).frame


@pytest.mark.must("V12")
@pytest.mark.parametrize("ahead", [-1, 0, 3])
def test_who_is_out_stops_nobody(ahead: int) -> None:
    """Second entries of a seat that is out, for old steps, the open one or later ones, change nothing any more."""
    table = until_step(table_of(3, max_rounds=1), 10)
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: all(s.view().departed == (1,) and s.view().my_turn for s in table.sessions[:1]))
    left = next(e.step for e in entries_of(table, 1) if e.kind is Kind.LEAVE)
    steps = [left, left - 1] if ahead < 0 else [table.sessions[0].position().step + ahead]
    for step in steps:
        for word in (second_word(table, 1, min(step, left)), _at(table, 1, step), _at(table, 1, step, bytes(32))):
            for seat in (0, 2):
                table.carry_out(seat, table.sessions[seat].receive(word))
    for seat in (0, 2):
        table.restart(seat)
    table.run()

    assert all(s.finished and s.fault is None for s in table.sessions)
    assert table.sessions[0].evidence()[0].findings[0].code == "log/left"
    assert len(table.sessions[0].evidence()) == 1


def _at(table: Coupled, seat: int, step: int, nonce: bytes = b"") -> bytes:
    """An entry of this seat for this step, at the head of the open one."""
    head = table.sessions[0].position().head
    return sign_entry(table.keys[seat], table.genesis.table, step, seat, head, Kind.AUDIT, [nonce]).frame


def _void_of(table: Coupled, cheat: int) -> int:
    """The seats but the last two-faced one have its false READY, and wait for each other's VOID; the step of READY."""
    place = table.sessions[0].position()
    table.away.add(cheat)
    table.under_way.clear()
    return place.step


@pytest.mark.must("V12")
@pytest.mark.parametrize("restarted", [False, True])
def test_two_words_while_the_void_is_open_stop_nobody_who_agrees(*, restarted: bool) -> None:
    """All have the same false entry: the second one that comes before their VOID is complete does not part them."""
    table = table_of(3, max_rounds=1, away={2})
    table.start()
    step = _void_of(table, 2)
    false, other = (_at(table, 2, step, nonce) for nonce in (b"a", b"b"))
    words = {seat: table.sessions[seat].log_frames() for seat in (0, 1)}
    for seat in (0, 1):
        for frame in [*words[1 - seat], false]:
            table.carry_out(seat, table.sessions[seat].receive(frame))
    table.under_way.clear()  # the VOIDs
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].receive(other))
    table.under_way.clear()
    assert [s.view().waiting_for for s in table.sessions[:2]] == [(1,), (0,)]
    if restarted:
        for seat in (0, 1):
            table.restart(seat)
    table.run()

    assert all(s.finished and not s.dead and s.view().departed == (2,) for s in table.sessions[:2])


@pytest.mark.must("V12", "V8")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_words_that_part_the_others_stop_them_all(order: tuple[int, int]) -> None:
    """One has a false entry, another one a true one of the same seat: neither waits for ever, both name the cheat."""
    table = table_of(3, max_rounds=1, away={2})
    table.start()
    step = _void_of(table, 2)
    true, false = table.sessions[2].start(), _at(table, 2, step, b"a")
    (good,) = [o.frame for o in true if isinstance(o, Publish)]
    words = {seat: table.sessions[seat].log_frames() for seat in (0, 1)}
    for seat, word in ((0, false), (1, good)):
        for frame in [*words[1 - seat], word]:
            table.carry_out(seat, table.sessions[seat].receive(frame))
    table.under_way.clear()
    for seat in order:
        table.carry_out(seat, table.sessions[seat].receive(good if seat == 0 else false))
    while table.deliver_next():
        pass
    table.sync()

    assert [(s.dead, s.fault and (s.fault.code, s.fault.seat)) for s in table.sessions[:2]] == [
        (True, ("log/equivocation", 2))
    ] * 2
