"""Why not: a refusal names the cards concerned, says what would be legal, and whose rule it is."""

from __future__ import annotations

import pytest

from client_cli.intents import Key, Step
from client_cli.messages import facts_of, template
from client_cli.texts.advice import ADVICE
from client_cli.texts.reasons import REASONS
from protocol.rules.ruleset import PRESETS, for_players, preset, with_overrides
from protocol.rules.state import Phase
from tests.client_cli.scenes import run, screen, text, view


def said(*intents: object, lang: str = "nl", **changed: object) -> str:
    """What stands on the screen after these keys, as one line of words."""
    state = run(screen(view(**changed)), *intents)[0]  # type: ignore[arg-type]
    return " ".join(text(state, 120, 40, lang=lang).split())


def test_advice_belongs_to_a_reason_of_the_rules() -> None:
    """No sentence is left over from a code that is gone."""
    assert ADVICE.keys() <= REASONS.keys()


@pytest.mark.parametrize("code", sorted(ADVICE))
@pytest.mark.parametrize("name", PRESETS)
def test_every_refusal_can_be_told_at_every_table(code: str, name: str) -> None:
    """Whatever the rule card, the sentence is whole: every number that it wants is there, or the advice is left out."""
    from client_cli.glyphs import Glyphs
    from client_cli.views.canvas import plain
    from client_cli.views.scene import Scene

    state = screen(view(rules=for_players(preset(name), 4), rules_name=name))
    for lang in ("nl", "en"):
        words = plain(Scene(state, Glyphs(lang), 80, 24).refusal(code, ""))
        assert words.startswith(template(code, lang))
        assert "{" not in words
        if not facts_of(template(f"advice.{code}", lang)):
            assert template(f"advice.{code}", lang) in words


def test_a_refused_discard_names_the_card_and_what_works() -> None:
    """The queen of spades stays: her card, the rule, and that another card can go."""
    words = said(Step(1), Key.DISCARD, hand="3S QS 9D")

    assert "V♠ De schoppenvrouw mag je nu niet weggooien. Gooi een andere kaart weg" in words
    assert "[regel van klassiek]" in words


def test_a_refused_meld_names_its_cards_and_the_least_number() -> None:
    """Too few cards for a house rule: which ones they are, and how many it takes."""
    rules = with_overrides(for_players(preset("klassiek"), 4), {"meld_min_cards": 4})
    keys = [Key.TOGGLE, Step(1), Key.TOGGLE, Step(1), Key.TOGGLE]
    words = said(*keys, hand="9S 9H 9C 2D", rules=rules, lang="en")

    assert "9♠ 9♥ 9♣ Those are too few cards for a meld. A meld has at least 4 cards." in words


def test_a_refused_pot_names_its_top_card() -> None:
    """Who may not take the pot hears which card it is about, and where to draw instead."""
    rules = with_overrides(for_players(preset("klassiek"), 4), {"pot_top_card_must_be_melded": True})
    words = said(Key.POT, hand="2S 5D 9H", pot="9C 4D KH", phase=Phase.DRAW, rules=rules)

    assert "H♥ Wie de pot pakt, legt de bovenste kaart meteen in een nieuwe combinatie." in words
    assert "pak van de stapel" in words
