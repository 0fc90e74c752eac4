"""Any keys at any time, at real tables of every preset: nothing fails, and nothing illegal is ever sent."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from client_cli.controller import link_of
from client_cli.glyphs import Glyphs, width
from client_cli.intents import Choose, Edge, Intent, Key, Leaf, Open, Page, Row, Shift, Step, TableChanged, Typed
from client_cli.model import GoOn, Leave, Submit, UiState, reduce, start
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from node.handle import NextRound
from node.policy import choose
from protocol.rules.ruleset import PRESETS, for_players, preset, with_overrides
from protocol.session.view import Stage
from tests.client_cli.fake_table import FakeTable

STEPS = 160
KEYS: tuple[Intent, ...] = (
    *(Key.STOCK, Key.DISCARD) * 6,
    *(Key.POT, Key.HINT, Key.HINT, Key.UNDO, Key.SORT, Key.CANCEL, Key.CALL_LAST, Key.CATCH, Key.CLAIM),
    *(Key.DECLINE,) * 4,
    *(Key.ACCEPT,) * 6,
    *(Key.TOGGLE,) * 3,
    *(Choose(1), Choose(1), Choose(2), Choose(9), Step(1), Step(1), Step(-1), Row(1, 10, 3), Edge(1), Shift(1)),
    *(Key.TALK, Typed("hoi"), Key.AWAY, Key.PAUSE, Open(Page.TALK)),
    *(Leaf(1, 5, 3), Open(Page.POT), Open(Page.LOG), Open(Page.HELP), Key.NEXT_ROUND),
)


def hear(state: UiState, table: FakeTable, heard: int) -> tuple[UiState, int]:
    """The state after the news since the last time."""
    for update in table.told[heard:]:
        state, _ = reduce(state, TableChanged(update.view, update.events, link_of(update.connection)))
    return state, len(table.told)


def press(keys: random.Random, state: UiState) -> Intent:
    """Any key, though a question is mostly answered and a page mostly closed, or the game would not go on."""
    if state.typing is not None:
        return keys.choice((Key.SEND, Key.DROP, Key.ERASE, Typed("3"), Key.ACCEPT))
    if state.ask is not None and state.ask.effect != Leave() and keys.random() < 0.7:
        return Key.ACCEPT
    if state.page is not Page.TABLE and keys.random() < 0.5:
        return Key.CANCEL
    return keys.choice(KEYS)


@pytest.mark.parametrize("name", PRESETS)
async def test_any_keys_at_a_real_table(name: str) -> None:
    """Hundreds of random keys: every screen can be drawn, and the table takes every move that the screen sends."""
    keys = random.Random(sum(map(ord, name)))
    n = 4
    rules = with_overrides(for_players(preset(name), n), {"last_card_call": "extra_card"})
    table = FakeTable(rules=rules, rules_name=name, n=n, seed=7, choose=choose, max_rounds=3)
    state, heard = start(table.view(), link_of(table.link)), 0
    await table.deal()
    sent: Counter[str] = Counter()
    for step in range(STEPS):
        state, heard = hear(state, table, heard)
        state, effects = reduce(state, press(keys, state))
        for effect in effects:
            if isinstance(effect, Submit):
                await table.submit(effect.action)  # raises what the rules refuse: the screen must have known
                sent[type(effect.action).__name__] += 1
            elif isinstance(effect, GoOn):
                await table.submit(NextRound())
                sent["NextRound"] += 1
        size = (80, 24) if step % 2 else (keys.randint(80, 140), keys.randint(24, 50))
        lines = draw(state, Glyphs("nl" if step % 3 else "en", step % 5 == 0), *size).lines
        assert [width(plain(line)) for line in lines] == [size[0]] * size[1]
        if table.stage is Stage.FINISHED:
            break

    assert sent["Draw"] + sent["Play"] > 4
    assert sent["Play"] > 0
