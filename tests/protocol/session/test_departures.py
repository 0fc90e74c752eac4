"""Seats that are false, silent or say goodbye: the others void the round and the game ends, alike everywhere."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from node.policy import choose
from protocol.errors import NotNow
from protocol.session.gamefile import write_game
from protocol.session.outputs import Claimed, Left, Publish, Voided
from protocol.session.session import Claim, Leave
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from protocol.wire.entry import Kind, parse_entry, sign_entry
from tests.coupled import Coupled

ENTROPY = bytes(32)


def until_step(table: Coupled, step: int) -> Coupled:
    """Play until everybody who is there is at this step."""
    table.start()
    table.run(until=lambda: all(s.position().step >= step for s in table.sessions))
    return table


def vanish(table: Coupled, gone: set[int]) -> None:
    """These seats are cut off; what they had under way is lost."""
    table.away |= gone
    while table.deliver_next():
        pass
    table.sync()


def kinds_said(table: Coupled, seat: int) -> list[Kind]:
    """What a seat published, in order."""
    frames = [o.frame for o in table.outputs[seat] if isinstance(o, Publish)]
    return [parse_entry(f, table.genesis.table, table.public).kind for f in frames]


@pytest.mark.must("V1", "V2", "C89", "C91")
@pytest.mark.parametrize("step", [0, 1, 2, 4, 5, 6, 7, 9, 14, 20])
def test_a_silent_seat_is_voided_when_all_others_claim_it(step: int) -> None:
    """At every kind of step: all others stop waiting, the round is void, the game ends, and a stranger can check it."""
    table = until_step(Coupled(3, seed=6, choose=choose, max_rounds=0), step)
    vanish(table, {2})
    here = table.sessions[:2]
    while not all(s.finished for s in here):
        table.run(until=lambda: not table.under_way and not table.move())
        table.sync()
        for seat, session in enumerate(here):
            if 2 in session.view().waiting_for:
                table.carry_out(seat, session.act(Claim((2,))))
    verdict = verify_game(write_game(table.genesis, here[0].log_frames()), ENTROPY)

    assert here[0].log_frames() == here[1].log_frames()
    assert (verdict.ok, verdict.complete, verdict.departed) == (True, True, (2,))
    assert Stage.FINISHED is here[0].view().stage
    assert 2 not in here[0].view().winners
    assert not {Kind.SHOW, Kind.AUDIT} & {*kinds_said(table, 0), *kinds_said(table, 1)}


@pytest.mark.must("V7")
def test_who_said_goodbye_still_claims() -> None:
    """Until its LEAVE counts a leaver is one of those whose claims end a wait; it can choose nothing else any more."""
    table = until_step(Coupled(3, seed=6, choose=choose, max_rounds=0), 9)
    vanish(table, {2})
    here = table.sessions[:2]
    table.run(until=lambda: not table.under_way and here[0].view().waiting_for == (2,))
    for action in (Leave(), Claim((2,))):
        table.carry_out(0, here[0].act(action))
    with pytest.raises(NotNow):
        here[0].act(Leave())
    while table.deliver_next():
        pass
    table.carry_out(1, here[1].act(Claim((2,))))
    while table.deliver_next():
        pass

    assert [2 in session.view().departed for session in here] == [True, True]


@pytest.mark.must("V7")
def test_one_claim_alone_decides_nothing() -> None:
    """As long as one other seat still waits, the step stays open and the silent seat may come back."""
    table = until_step(Coupled(3, seed=6, choose=choose), 9)
    vanish(table, {2})
    table.run(until=lambda: not table.under_way and 2 in table.sessions[0].view().waiting_for)
    table.carry_out(0, table.sessions[0].act(Claim((2,))))
    while table.deliver_next():
        pass

    assert any(isinstance(o, Claimed) for o in table.outputs[1])
    assert not table.sessions[0].finished

    table.away.clear()
    table.sync()
    table.run()

    assert [s.fault for s in table.sessions] == [None] * 3
    assert all(s.finished and not s.view().departed for s in table.sessions)
    assert len({s.position().head for s in table.sessions}) == 1


@pytest.mark.must("V5", "V6", "C91")
def test_who_holds_the_missing_entry_says_so_and_the_step_closes_one_way() -> None:
    """A claim about a seat whose entry somebody holds is answered by HELD and the entry, and never completes."""
    table = until_step(Coupled(3, seed=6, choose=choose), 1)
    frames = [f for _, f in table.under_way]
    table.under_way.clear()
    commits = {e.seat: e for e in (parse_entry(f, table.genesis.table, table.public) for f in frames) if e.step == 1}
    table.carry_out(1, table.sessions[1].receive(commits[2].frame))
    table.under_way.clear()
    table.carry_out(0, table.sessions[0].receive(commits[1].frame))
    table.carry_out(0, table.sessions[0].act(Claim((2,))))
    table.carry_out(0, table.sessions[0].receive(commits[2].frame))

    assert table.sessions[0].position().step == 1, "a claimed entry must not count yet"

    table.run()

    assert Kind.HELD in kinds_said(table, 1)
    assert all(s.finished and not s.view().departed for s in table.sessions)
    assert len({s.position().head for s in table.sessions}) == 1


@pytest.mark.must("V1", "V2", "C93")
@pytest.mark.parametrize("n", [2, 4])
def test_a_goodbye_ends_the_game_without_waiting(n: int) -> None:
    """After LEAVE the others end the game at the next step that needs the leaver, each by itself."""
    table = until_step(Coupled(n, seed=3, choose=choose, max_rounds=0), 10)
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: all(s.finished for i, s in enumerate(table.sessions) if i != 1))
    others = [s for i, s in enumerate(table.sessions) if i != 1]

    assert all(s.view().departed == (1,) for s in others)
    assert len({s.position().head for s in others}) == 1
    assert any(isinstance(o, Left) for o in table.outputs[0])
    assert any(isinstance(o, Voided) and o.seats == (1,) for o in table.outputs[0])
    with pytest.raises(NotNow):
        table.sessions[1].act(Leave())


def test_everybody_knows_who_said_goodbye_after_a_restart_too() -> None:
    """A view names the seats that said goodbye, our own among them, also when the node began again."""
    table = until_step(Coupled(2, seed=3, choose=choose, max_rounds=0), 10)
    assert [s.view().leaving for s in table.sessions] == [(), ()]
    waiting = table.sessions[0].view().waiting_for
    leaver = 1 - waiting[0]
    table.carry_out(leaver, table.sessions[leaver].act(Leave()))
    table.run(until=lambda: not table.under_way)
    for seat in range(2):
        table.restart(seat)

    assert [s.view().leaving for s in table.sessions] == [(leaver,), (leaver,)]


@pytest.mark.must("V6")
def test_claims_survive_a_restart() -> None:
    """A seat that claimed and is killed claims the same after its restart, and never contradicts it."""
    table = until_step(Coupled(3, seed=6, choose=choose), 9)
    vanish(table, {2})
    table.run(until=lambda: not table.under_way and 2 in table.sessions[0].view().waiting_for)
    table.carry_out(0, table.sessions[0].act(Claim((2,))))
    table.restart(0)
    with pytest.raises(NotNow):
        table.sessions[0].act(Claim((2,)))
    while table.deliver_next():
        pass
    table.carry_out(1, table.sessions[1].act(Claim((2,))))
    table.run(until=lambda: all(s.finished for s in table.sessions[:2]))

    assert table.sessions[0].position().head == table.sessions[1].position().head
    assert table.sessions[0].view().departed == (2,)


@pytest.mark.must("V2", "R131")
def test_the_leader_after_the_last_full_round_wins_a_broken_off_game() -> None:
    """Rounds before the void one count; the seat that left cannot win where the rule card says so."""
    table = Coupled(2, seed=8, choose=choose, max_rounds=0)
    table.start()
    table.run(until=lambda: len(table.sessions[0].view().results) == 1 and table.sessions[0].view().my_turn)
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: table.sessions[0].finished)
    view = table.sessions[0].view()

    assert len(view.results) == 1
    assert view.winners == (0,)
    assert view.results[0].totals == view.totals


@pytest.mark.must("V4")
@pytest.mark.parametrize(("n", "silent"), [(2, (1,)), (3, (0, 1)), (4, (1, 2))])
def test_claims_count_only_when_the_claimants_outnumber_the_named(n: int, silent: tuple[int, ...]) -> None:
    """Nobody can throw out as many seats as are left: such a mask is no claim, and the game goes on."""
    table = until_step(Coupled(n, seed=3, choose=choose), 1)
    attacker = next(s for s in range(n) if s not in silent)
    place = table.sessions[attacker].position()
    mask = sum(1 << s for s in silent)
    claim = sign_entry(
        table.keys[attacker], table.genesis.table, place.step, attacker, place.head, Kind.EXPIRED, [mask]
    )
    for session in table.sessions:
        session.receive(claim.frame)
    table.run()

    assert all(s.finished and not s.view().departed for s in table.sessions)


@pytest.mark.must("V8")
def test_equivocation_shown_to_one_seat_is_shown_to_all() -> None:
    """Who is given two entries of a seat for one step passes both on: everybody names the cheat, nobody the witness."""
    table = until_step(Coupled(3, seed=1, choose=choose), 6)
    first = next(
        e
        for e in (parse_entry(f, table.genesis.table, table.public) for f in table.sessions[0].log_frames())
        if e.seat == 2 and e.kind is Kind.COMMIT
    )
    second = sign_entry(table.keys[2], table.genesis.table, first.step, 2, first.head, Kind.COMMIT, [bytes(32)])
    table.away.add(2)
    table.carry_out(0, table.sessions[0].receive(second.frame))
    while table.deliver_next():
        pass
    faults = [s.fault for s in table.sessions[:2]]

    assert [(f.code, f.seat) for f in faults if f] == [("log/equivocation", 2), ("log/equivocation", 2)]

    table.restart(0)
    again = table.sessions[0].fault

    assert again is not None
    assert (again.code, again.seat) == ("log/equivocation", 2)


@pytest.mark.must("V2")
def test_all_named_seats_are_barred_from_winning() -> None:
    """Of two silent seats neither can be told the winner of the broken-off game, whoever led."""
    table = Coupled(5, seed=8, choose=choose, max_rounds=0)
    table.start()
    table.run(until=lambda: len(table.sessions[0].view().results) == 1)
    totals = table.sessions[0].view().totals
    best = sorted(range(5), key=lambda s: -totals[s])[:2]
    table.run(
        until=lambda: (
            not table.under_way
            and any(
                s.view().my_turn and s.view().round_number == 2 for i, s in enumerate(table.sessions) if i not in best
            )
        )
    )
    vanish(table, set(best))
    here = [s for s in range(5) if s not in best]
    while not all(table.sessions[s].finished for s in here):
        table.run(until=lambda: not table.under_way and not table.move())
        table.sync()
        for seat in here:
            with suppress(NotNow):
                table.carry_out(seat, table.sessions[seat].act(Claim(tuple(best))))

    assert not set(best) & set(table.sessions[here[0]].view().winners)
    assert table.sessions[here[0]].view().winners


def test_a_seat_that_never_came_is_voided() -> None:
    """Silence in the very first step, before any round has secrets, ends the game too."""
    table = Coupled(3, seed=6, choose=choose)
    table.away.add(2)
    table.start()
    table.run(until=lambda: not table.under_way)
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].act(Claim((2,))))
    table.run()
    here = table.sessions[:2]

    assert all(s.finished and s.view().departed == (2,) for s in here)
    assert len({s.position().head for s in here}) == 1


def test_who_missed_the_last_claim_is_given_it() -> None:
    """A seat that holds all entries of a step lacks only the claims that closed it; a peer's answer has them."""
    table = until_step(Coupled(3, seed=6, choose=choose), 1)
    vanish(table, {2})
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].act(Claim((2,))))
        if seat == 0:
            while table.deliver_next():
                pass
    table.under_way.clear()
    ahead, behind = table.sessions[1], table.sessions[0]
    place = behind.position()

    assert ahead.position().step == place.step + 1

    for frame in ahead.frames_from(place.step, place.have):
        table.carry_out(0, behind.receive(frame))

    assert behind.position().step >= ahead.position().step


@pytest.mark.must("V6")
def test_two_claims_never_close_a_step_in_two_ways() -> None:
    """A seat that is claimed after all may have shared the first claim: its late word does not complete that one."""
    table = Coupled(5, seed=3, away={3, 4})
    table.start()
    table.sync()
    flaky = table.sessions[3]
    flaky.start()
    claims: dict[tuple[int, ...], dict[int, bytes]] = {(4,): {}, (3, 4): {}}

    def claim(seat: int, silent: tuple[int, ...]) -> None:
        (said,) = [o.frame for o in table.sessions[seat].act(Claim(silent)) if isinstance(o, Publish)]
        claims[silent][seat] = said

    for seat in (0, 1, 2, 3):
        claim(seat, (4,))
    for seat in (0, 1, 2):
        for frame in [claims[4,][other] for other in (0, 1, 2)]:
            table.sessions[seat].receive(frame)
            flaky.receive(frame)
    for seat in (0, 1, 2):
        claim(seat, (3, 4))
    table.carry_out(1, table.sessions[1].receive(claims[4,][3]))
    for seat in (0, 1, 2):
        for frame in claims[3, 4].values():
            table.carry_out(seat, table.sessions[seat].receive(frame))
    table.run()

    assert [s.view().departed for s in table.sessions[:3]] == [(3, 4)] * 3
    assert len({s.view().head for s in table.sessions[:3]}) == 1


@pytest.mark.must("V5", "V6")
@pytest.mark.parametrize("first", [0, 180])
def test_whatever_is_claimed_by_whom_a_step_closes_in_one_way(first: int) -> None:
    """Five seats claim each other at random while words get lost and overtake: those who are left agree on the step."""
    closed = 0
    for seed in range(first, first + 50):
        chance = random.Random(seed)
        table = Coupled(5, seed=0)
        frames = [[o.frame for o in s.start() if isinstance(o, Publish)] for s in table.sessions]
        spoken = [
            frame for seat in range(chance.choice((3, 4, 5))) for frame in frames[seat]
        ]  # the others come too late
        words = [(to, frame) for frame in spoken for to in range(5) if chance.random() < 0.9]
        for _ in range(200):
            seat = chance.choice((0, 0, 1, 1, 2, 2, 3))
            session, out = table.sessions[seat], []
            if words and chance.random() < 0.9:
                seat, frame = words[chance.randrange(len(words))]  # it may come again
                out = table.sessions[seat].receive(frame)
            elif session.position().step == 0:
                with suppress(NotNow):
                    out = session.act(Claim(chance.choice(((4,), (4,), (3, 4), (3,)))))
            said = [o.frame for o in out if isinstance(o, Publish)]
            words += [(to, frame) for frame in said for to in range(5) if chance.random() < 0.9]
        over = [s for s in table.sessions if s.position().step > 0]
        named = {seat for s in over for seat in s._table.named}
        heads = {s.heads_from(1)[0] for s in over if s.seat not in named}
        closed += len(over) > 1

        assert len(heads) <= 1, seed
    assert closed > 5
