"""Text forms of cards, melds, plays and positions."""

from __future__ import annotations

import pytest

from protocol.rules.actions import ANY_SUIT, HIGH, Lay, LayOff, Placed, Play, Swap
from protocol.rules.cards import JOKER, parse_face
from protocol.rules.melds import recognise
from protocol.rules.notation import (
    find_meld,
    format_card,
    format_meld,
    format_play,
    meld_name,
    parse_card,
)
from protocol.rules.position import format_position, parse_position
from protocol.rules.ruleset import preset
from protocol.rules.state import Phase

KLASSIEK = preset("klassiek")


@pytest.mark.must("R14")
@pytest.mark.parametrize(
    ("text", "face", "claim"),
    [
        ("QS", 11, None),
        ("X", JOKER, None),
        ("X=QD", JOKER, parse_face("QD")),
        ("X=8", JOKER, ANY_SUIT + 7),
        ("2C=QD", parse_face("2C"), parse_face("QD")),
    ],
)
def test_cards_in_melds(text: str, face: int, claim: int | None) -> None:
    """A card is read and written the same, with what it stands for."""
    assert parse_card(text) == (face, claim)
    assert format_card(face, claim) == text


@pytest.mark.parametrize("text", ["", "Q", "10H", "qs", "X=", "X=X", "QS=", "X=1", "QSS", "X=QD=QD", "?"])
def test_other_texts_are_no_cards(text: str) -> None:
    """Anything else raises ValueError."""
    with pytest.raises(ValueError):  # noqa: PT011 - each has a message of its own
        parse_card(text)


def test_melds_have_names() -> None:
    """A meld is named by its owner and counted from 0; unknown ones are None, other texts an error."""
    row = [recognise(KLASSIEK, owner, [(i, i * 13, None) for i in range(3)]) for owner in (0, 1, 0)]
    assert [meld_name(row, number) for number in range(3)] == ["A0", "B0", "A1"]
    assert [find_meld(row, name) for name in ("A0", "B0", "A1", "A2", "C0")] == [0, 1, 2, None, None]
    assert format_meld(row[0]) == "[AS AH AD]"
    for wrong in ("", "A", "0A", "A-1", "H0"):
        with pytest.raises(ValueError, match="not a meld"):
            find_meld(row, wrong)


TEXT = (
    "mover A; phase draw; hand A: QD 7H 7D KC; hand B: ? 4C; hand C: ?; table B: [JD X=QD KD]; "
    "table A: [5C 6C 7C]; pot: 4H 7S; down A B; turns 3 2 2; stock 30; turns_since_lay 1; starter C; last_mover C"
)


def test_a_position_is_one_line() -> None:
    """The line gives the state: seats, phase, table, pot, counters, and only open cards as public faces."""
    state, faces = parse_position(KLASSIEK, TEXT)
    assert format_position(state, faces) == TEXT
    assert (state.n, state.mover, state.phase, state.stock) == (3, 0, Phase.DRAW, 30)
    assert [faces[slot] for slot in state.hands[0]] == [parse_face(card) for card in ("QD", "7H", "7D", "KC")]
    assert not set(state.hands[0]) & set(state.faces)
    assert (state.melds[0].low, state.melds[0].cards[1].wild) == (11, True)
    assert state.down == (True, True, False)


def test_plays_are_one_line() -> None:
    """A play names the pot, every step with the melds as they lie then, and the discard."""
    state, faces = parse_position(KLASSIEK, TEXT)
    queen, seven, other, king = state.hands[0]
    play = Play(
        take_pot=True,
        steps=(
            Lay((Placed(state.pot[1]), Placed(seven), Placed(other))),
            Swap(0, 1, queen),
            LayOff(2, (Placed(state.melds[0].cards[1].slot, parse_face("7C")),)),
            LayOff(1, (Placed(99),), HIGH),
            LayOff(7, (Placed(99),)),
        ),
        discard=king,
        call_last=True,
        shown=(state.pot[0],),
    )
    text = format_play(state, play, lambda slot: state.faces.get(slot, faces.get(slot)))
    assert text == (
        "pot; lay 7S 7H 7D; swap B0.1 QD; layoff A1 X=7C; layoff A0 ? high; layoff #7 ?; discard KC; show 4H; last card"
    )
    assert format_play(state, Play(), faces.get) == "end"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mover A; phase draw",
        "mover A; phase dance; hand A: ?",
        "mover H; phase draw; hand A: ?",
        "mover A; phase draw; hand B: ?",
        "mover A; phase draw; hand A: ?; table A: JD QD KD",
        "mover A; phase draw; hand A: ?; table A: [JD X KD]",
        "mover A; phase draw; hand A: ?; table A: [JD=JD QD KD]",
        "mover A; phase draw; hand A: ?; pot: ?",
        "mover A; phase draw; hand A: ?; turns 1 2",
        "mover A; phase draw; hand A: ?; weather fine",
    ],
)
def test_other_texts_are_no_positions(text: str) -> None:
    """Anything else raises ValueError."""
    with pytest.raises(ValueError):  # noqa: PT011 - each has a message of its own
        parse_position(KLASSIEK, text)
