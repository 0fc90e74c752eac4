"""`duizenden games`: the saved games on this machine."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from node.resume import SavedGame, saved_games

if TYPE_CHECKING:
    from .context import Context


def run(args: argparse.Namespace, context: Context) -> int:
    """List them, newest first."""
    games = saved_games(context.profile.games)
    if args.json:
        print(json.dumps([as_json(g) for g in games]))
    elif not games:
        context.say("games.none")
    else:
        for game in games:
            print(row(game, context))
    return 0


def as_json(game: SavedGame) -> dict[str, Any]:
    """Plain values for a program."""
    genesis = game.genesis
    return {
        "name": game.name,
        "file": str(game.path),
        "busy": game.busy,
        "over": game.over,
        "role": game.role,
        "seat": game.seat,
        "players": [p.name for p in genesis.players] if genesis else [],
        "rules": genesis.rules_name if genesis else "",
        "created": genesis.created if genesis else 0,
        "progress": None if game.progress is None else dict(game.progress),
    }


def row(game: SavedGame, context: Context) -> str:
    """One line about a game."""
    genesis = game.genesis
    if genesis is None:
        return context.word("games.busy", game=game.name)
    progress = game.progress or {}
    if game.over:
        state = context.word("games.over", scores=" ".join(str(t) for t in progress.get("totals", ())))
    elif progress:
        state = context.word("games.open", round=progress.get("round", "?"))
    else:
        state = context.word("games.new")
    return context.word(
        "games.row",
        game=game.name,
        date=datetime.fromtimestamp(genesis.created).astimezone().strftime("%Y-%m-%d %H:%M"),
        players=", ".join(p.name for p in genesis.players),
        state=state,
    )
