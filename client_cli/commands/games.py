"""`duizenden games`: the saved games on this machine."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from node.resume import SavedGame, saved_games, unreadable_games

from .options import record_of

if TYPE_CHECKING:
    from .context import Context


def run(args: argparse.Namespace, context: Context) -> int:
    """List them, newest first; at the end what cannot be read any more."""
    games = saved_games(context.profile.games) + unreadable_games(context.profile.games)
    if args.json:
        print(json.dumps([as_json(g, context) for g in games]))
    elif not games:
        context.say("games.none")
    else:
        for game in games:
            context.show(row(game, context))
            if (
                not (game.problem or game.offer) or record_of(game.name, context).is_file()
            ):  # a damaged one gets no file any more
                context.show(_file(game, context))
    return 0


def as_json(game: SavedGame, context: Context) -> dict[str, Any]:
    """Plain values for a program: `journal` is for `resume` alone, `file` (null: none yet) for everybody."""
    genesis = game.genesis
    record = record_of(game.name, context)
    return {
        "name": game.name,
        "journal": str(game.path),
        "file": str(record) if record.is_file() else None,
        "busy": game.busy,
        "problem": game.problem or None,
        "over": game.over,
        "broken_off": game.broken_off,
        "role": game.role,
        "seat": game.seat,
        "players": [p.name for p in game.players],
        "rules": genesis.rules_name if genesis else "",
        "created": genesis.created if genesis else 0,
        "progress": None if game.progress is None else dict(game.progress),
    }


def _file(game: SavedGame, context: Context) -> str:
    record = record_of(game.name, context)
    return context.word("games.file", file=record) if record.is_file() else context.word("games.no_file")


def _date(created: int) -> str:
    try:
        return datetime.fromtimestamp(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):  # the host's clock said what no calendar has
        return "?"


def row(game: SavedGame, context: Context) -> str:
    """One line about a game."""
    genesis = game.genesis
    if game.problem:
        return context.word(f"games.{game.problem.partition('/')[2]}", game=game.name)
    if game.offer is not None:
        return context.word("games.ticket", game=game.name, title=game.offer.announce.title)
    if genesis is None:
        return context.word("games.busy", game=game.name)
    progress = game.progress or {}
    names = [p.name for p in genesis.players]
    if game.over:
        scores = ", ".join(f"{name} {total}" for name, total in zip(names, progress.get("totals", ()), strict=False))
        state = context.word("games.broken_off" if game.broken_off else "games.over", scores=scores)
    elif progress:
        state = context.word("games.open", round=progress.get("round", "?"))
    else:
        state = context.word("games.new")
    return context.word(
        "games.row",
        game=game.name,
        date=_date(genesis.created),
        players=", ".join(names),
        state=state,
    )
