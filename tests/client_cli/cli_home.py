"""A home of one's own for tests of the command line, with a game in it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from client_cli.commands import context as contexts
from client_cli.commands.context import Context
from node.journal import GameInfo, Journal
from node.messages import table_id, table_name
from node.profile import Profile
from protocol.crypto.identity import SigningKey
from protocol.rules.ruleset import preset
from protocol.session.genesis import Genesis
from protocol.session.view import Player

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

SEEDS = (b"a" * 32, b"b" * 32)
KEYS = tuple(SigningKey(seed) for seed in SEEDS)
TABLE = table_id(KEYS[0].public, bytes(16))
GAME = f"{table_name(TABLE)[:8]}-1"
"""The name of the game that `saved` makes."""


@contextmanager
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home, a log of its own, and an English system."""
    monkeypatch.setattr(contexts.log, "handlers", [])
    monkeypatch.setattr(contexts.log, "propagate", False)
    folder = tmp_path / "home"
    monkeypatch.setenv("DUIZENDEN_HOME", str(folder))
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    try:
        yield folder
    finally:
        for handler in contexts.log.handlers:
            handler.close()


def context_in(home: Path, lang: str = "en", *, ascii_: bool = False, chosen: bool = False) -> Context:
    """A context with this home."""
    return Context(lang=lang, ascii=ascii_, profile=Profile(data=home, logs=home / "log"), chosen=chosen)


def saved(home: Path, lang: str | None = None) -> Path:
    """The journal of an unfinished game in this home, last played in this language."""
    players = tuple(Player(name=n, bot=False, key=key.public) for n, key in zip(("Truus", "Joep"), KEYS, strict=True))
    genesis = Genesis(table=TABLE, rules=preset("klassiek"), rules_name="klassiek", players=players, created=1_700_000)
    info = GameInfo(genesis=genesis.encode(), seat=0, seed=SEEDS[0], role="host")
    path = context_in(home).profile.games / f"{GAME}.journal"
    settings = {"broker": "mqtt://h:1"} | ({} if lang is None else {"lang": lang})
    Journal.create(path, info, bytes(32), settings).close()
    return path
