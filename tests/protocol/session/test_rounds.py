"""Whole rounds by coupled sessions: lossless, lossy, with restarts; and what the log of such a round must hold."""

from __future__ import annotations

import itertools

import pytest

from node.policy import choose
from protocol.rules.actions import Action
from protocol.session.gamefile import write_game
from protocol.session.outputs import Publish, Record, RoundOver
from protocol.session.verify import verify_game
from protocol.session.view import Stage, TableView
from protocol.wire.entry import Entry, Kind, parse_entry
from tests.coupled import Coupled

ENTROPY = bytes(32)


def played(n: int, **options: object) -> Coupled:
    """A table of n bots that has played."""
    table = Coupled(n, choose=choose, **options)  # type: ignore[arg-type]
    table.start()
    table.run()
    return table


def entries_of(table: Coupled) -> list[Entry]:
    """The log as seat 0 has it."""
    keys = tuple(p.key for p in table.genesis.players)
    return [parse_entry(f, table.genesis.table, keys) for f in table.sessions[0].log_frames()]


@pytest.mark.must("R10", "R123")
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_whole_round_ends_with_one_head_and_verifies(n: int) -> None:
    """Every seat reaches the same head and score, and a stranger verifies the file of each."""
    table = played(n, seed=n)
    files = [write_game(table.genesis, s.log_frames()) for s in table.sessions]
    verdict = verify_game(files[0], ENTROPY)

    assert [None] * n == [s.fault for s in table.sessions]
    assert len({s.position().head for s in table.sessions}) == 1
    assert len(set(files)) == 1
    assert verdict.ok
    assert verdict.complete
    assert table.sessions[0].position().head == verdict.head
    assert n == verdict.checks.shuffle_proofs
    assert n == verdict.checks.audited_shuffles
    assert table.sessions[0].view().totals == verdict.totals


@pytest.mark.parametrize("seed", range(4))
def test_loss_doubling_and_reordering_change_nothing(seed: int) -> None:
    """A net that loses, doubles and reorders frames leads to the same game as a perfect one."""
    perfect = played(3, seed=seed)
    rough = played(3, seed=seed, loss=0.25, duplicate=0.25, reorder=True)

    assert [s.fault for s in rough.sessions] == [None] * 3
    assert perfect.sessions[0].log_frames() == rough.sessions[2].log_frames()


@pytest.mark.must("E3", "C23")
def test_a_killed_seat_goes_on_from_its_journal_at_every_step() -> None:
    """Seats killed again and again continue the same game and never contradict what they journalled."""
    table = Coupled(3, seed=9, choose=choose)
    table.start()
    for k in itertools.count():
        before = sum(len(j) for j in table.journals)
        table.run(until=lambda: sum(len(j) for j in table.journals) >= before + 7)  # noqa: B023
        if all(s.finished for s in table.sessions):
            break
        table.restart(k % 3)
    undisturbed = played(3, seed=9)

    assert undisturbed.sessions[0].log_frames() == table.sessions[1].log_frames()


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_seat_restored_before_the_first_deal_speaks_on_by_itself(step: int) -> None:
    """Killed while everybody sits down, a person's seat needs no word of its player for the first round."""
    table = Coupled(2, seed=4, choose=choose)
    table.patient_seats = True
    table.sessions = [table.make(i) for i in range(2)]
    table.start()
    table.run(until=lambda: all(s.position().step >= step for s in table.sessions))
    table.restart(0)
    table.run(until=lambda: table.sessions[0].view().stage is Stage.PLAYING)

    assert table.sessions[0].position().step > 5


@pytest.mark.must("C61", "C78", "C85", "C92")
def test_barriers_hold_on_every_outgoing_byte() -> None:
    """No share leaves a node before n READYs, no hand before n ENDs, no seed before n SHOWs."""
    table = played(4, seed=4)
    keys = tuple(p.key for p in table.genesis.players)
    needs = {
        Kind.OPEN: Kind.COMMIT,
        Kind.DEAL: Kind.READY,
        Kind.SHARES: Kind.READY,
        Kind.SHOW: Kind.END,
        Kind.AUDIT: Kind.SHOW,
    }
    for outputs in table.outputs:
        seen: dict[Kind, set[int]] = {}
        for output in outputs:
            if isinstance(output, Record | Publish):
                entry = parse_entry(output.frame, table.genesis.table, keys)
                if isinstance(output, Publish) and entry.kind in needs:
                    assert {0, 1, 2, 3} == seen.get(needs[entry.kind], set())
                seen.setdefault(entry.kind, set()).add(entry.seat)


@pytest.mark.must("E3", "C73")
def test_journal_comes_before_publish() -> None:
    """Every published entry stands as a record earlier in the same seat's outputs."""
    table = played(2, seed=2)
    for outputs in table.outputs:
        recorded: set[bytes] = set()
        for output in outputs:
            if isinstance(output, Record):
                recorded.add(output.frame)
            if isinstance(output, Publish):
                assert output.frame in recorded


@pytest.mark.must("C81", "C82")
def test_a_draw_costs_one_round_trip() -> None:
    """DRAW is followed by one step of shares from all others and by nothing else before the play."""
    entries = entries_of(played(4, seed=4))
    steps = [
        (kind, {e.seat for e in group})
        for (_, kind), group in (
            (key, list(g)) for key, g in itertools.groupby(entries, key=lambda e: (e.step, e.kind))
        )
    ]
    for (kind, seats), (next_kind, next_seats) in itertools.pairwise(steps):
        if kind is Kind.DRAW:
            assert Kind.SHARES is next_kind
            assert {0, 1, 2, 3} - seats == next_seats


@pytest.mark.must("C61", "R27")
def test_a_view_never_shows_another_seats_hidden_card() -> None:
    """While a round is played a seat knows its own hand and public cards, and no other slot."""
    seen: list[bool] = []

    def watch(view: TableView) -> Action:
        assert view.round is not None
        for seat, hand in enumerate(view.round.hands):
            hidden = [s for s in hand if s not in view.round.faces]
            seen.append(all((s in view.faces) == (seat == view.me) for s in hidden))
        return choose(view)

    table = Coupled(3, seed=7, choose=watch)
    table.start()
    table.run()

    assert all(seen)
    assert len(seen) > 30


@pytest.mark.must("R33", "R124", "R126")
def test_rounds_follow_until_the_target_and_the_winner_is_the_highest() -> None:
    """A two-seat game to 1000 ends; each round's starter rotates; the winner has the highest total."""
    table = played(2, seed=3, max_rounds=0)
    view = table.sessions[0].view()
    rounds = [o for o in table.outputs[0] if isinstance(o, RoundOver)]

    assert Stage.FINISHED is view.stage
    assert max(view.totals) >= 1000
    assert tuple(i for i in range(2) if view.totals[i] == max(view.totals)) == view.winners
    assert list(range(1, len(rounds) + 1)) == [r.round_number for r in rounds]
    assert verify_game(write_game(table.genesis, table.sessions[1].log_frames()), ENTROPY).complete


@pytest.mark.must("F3")
def test_a_prefix_is_honest_but_not_complete() -> None:
    """A file cut between two entries verifies without fault and says that more would follow."""
    table = played(2, seed=2)
    frames = table.sessions[0].log_frames()
    for count in (0, 1, 5, 12, len(frames) - 1):
        verdict = verify_game(write_game(table.genesis, frames[:count]), ENTROPY)

        assert (verdict.ok, verdict.complete) == (True, False)
