"""The three cards that everybody at a table sees: the same for all, other ones at any other table."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from node.policy import choose
from protocol.crypto.hashing import H
from protocol.errors import NotNow
from protocol.rules.cards import JOKER, format_face
from protocol.rules.ruleset import preset, with_overrides
from protocol.session.handshake import handshake_cards
from protocol.session.session import Leave, SameCards
from protocol.session.view import Stage
from tests.coupled import Coupled, genesis_for

GENESIS = genesis_for(3)
R = bytes(range(32))


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_three_different_natural_cards(nonce: bytes) -> None:
    """Whatever the nonce, three cards that people can say: no joker, none twice."""
    cards = handshake_cards(GENESIS, nonce)

    assert len(cards) == len(set(cards)) == 3
    assert all(0 <= face < JOKER for face in cards)


@pytest.mark.must("H1")
def test_the_derivation_is_the_one_of_the_specification() -> None:
    """A second way of counting, straight from the text, finds the same cards, and they are pinned."""
    number = int.from_bytes(H("dz1/handshake", GENESIS.encode(), R), "little")
    first, number = number % 52, number // 52
    second, number = number % 51, number // 51
    third = number % 50
    pack = [face for face in range(53) if face != JOKER]
    expected = []
    for place in (first, second, third):
        expected.append(pack[place])
        del pack[place]

    assert tuple(expected) == handshake_cards(GENESIS, R)
    assert [format_face(face) for face in expected] == ["8S", "7S", "5D"]


def test_another_table_shows_other_cards() -> None:
    """A name, a seat, a rule, a limit or a nonce that differs changes the cards."""
    players = GENESIS.players
    others = [
        replace(GENESIS, players=players[::-1]),
        replace(GENESIS, players=(replace(players[0], name="Mallory"), *players[1:])),
        replace(GENESIS, players=(replace(players[0], key=bytes(32)), *players[1:])),
        replace(GENESIS, rules=with_overrides(preset("klassiek"), {"opening_minimum": 41})),
        replace(GENESIS, max_rounds=2),
        replace(GENESIS, table=bytes(16)),
    ]
    seen = {handshake_cards(GENESIS, R), handshake_cards(GENESIS, bytes(32))}
    seen |= {handshake_cards(other, R) for other in others}

    assert len(seen) == 2 + len(others)


def test_every_first_card_is_as_likely_as_any_other() -> None:
    """Over many nonces every card comes first about equally often."""
    counts = [0] * JOKER
    for number in range(10_400):
        counts[handshake_cards(GENESIS, number.to_bytes(32, "little"))[0]] += 1
    chi = sum((seen - 200) ** 2 / 200 for seen in counts)

    assert chi < 110  # 51 degrees of freedom: above it once in 300 000 such tables


def test_all_seats_see_the_same_cards_from_the_opening_of_the_first_round_on() -> None:
    """Nobody sees them before all have committed and opened; afterwards all see the same, through every round."""
    table = Coupled(3, choose=choose, seed=5, max_rounds=2)
    assert [s.view().handshake for s in table.sessions] == [()] * 3
    table.start()
    seen: set[tuple[int, ...]] = set()
    for _ in count():
        views = [s.view() for s in table.sessions]
        for view in views:
            assert view.handshake or view.stage in {Stage.SEATING, Stage.SHUFFLING}
        seen |= {view.handshake for view in views}
        if not table.deliver_next():
            break
    table.run()

    assert [s.view().stage for s in table.sessions] == [Stage.FINISHED] * 3
    seen |= {s.view().handshake for s in table.sessions}
    assert len(seen - {()}) == 1


def test_a_seat_that_comes_back_from_its_journal_sees_the_cards_again() -> None:
    """They follow from the log alone."""
    table = Coupled(2, choose=choose, seed=6)
    table.start()
    table.run()
    before = table.sessions[0].view().handshake
    table.restart(1)

    assert before
    assert before == table.sessions[1].view().handshake


def compared() -> Coupled:
    """A table whose host compares the cards, at the moment when nothing else is left to say."""
    table = Coupled(3, choose=choose, seed=7, comparing=frozenset({0}))
    table.start()
    while table.deliver_next():
        pass
    return table


@pytest.mark.must("B8")
def test_nobody_shuffles_before_the_host_has_compared_the_cards() -> None:
    """All see the cards, only the host is asked, and the game goes on with its word, once."""
    table = compared()
    host, *others = table.sessions

    assert [s.view().to_compare for s in table.sessions] == [True, False, False]
    assert {s.view().stage for s in table.sessions} == {Stage.SHUFFLING}
    assert len({s.view().handshake for s in table.sessions} - {()}) == 1
    assert {s.view().waiting_for for s in table.sessions} == {(0,)}
    with pytest.raises(NotNow, match="nothing-to-compare"):
        others[0].act(SameCards())

    table.carry_out(0, host.act(SameCards()))
    with pytest.raises(NotNow, match="nothing-to-compare"):
        host.act(SameCards())
    table.run()

    assert [s.view().stage for s in table.sessions] == [Stage.FINISHED] * 3


def test_a_host_that_restarts_is_asked_again_until_it_has_shuffled() -> None:
    """The word is not kept; the shuffle is."""
    table = compared()
    table.restart(0)
    assert table.sessions[0].view().to_compare

    table.carry_out(0, table.sessions[0].act(SameCards()))
    table.restart(0)
    table.run()

    assert [s.view().stage for s in table.sessions] == [Stage.FINISHED] * 3


def test_a_host_that_hears_other_cards_can_leave() -> None:
    """Its goodbye takes the place of the shuffle: the table ends, nothing was dealt."""
    table = compared()
    table.carry_out(0, table.sessions[0].act(Leave()))
    table.run()

    for session in table.sessions:
        assert session.view().departed == (0,)
        assert session.view().round is None
