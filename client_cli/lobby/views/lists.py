"""Lists to choose from: saved games, game files with their verdict, and the settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from client_cli.commands.words import good_verdict
from client_cli.glyphs import card_class
from client_cli.lobby.state import SETTINGS, GameRow, Verifying
from client_cli.lobby.words import knows
from client_cli.theme import style
from client_cli.verdict import fault_sentence, was_broken_off
from client_cli.views.canvas import Piece, wrap
from protocol.rules.cards import parse_face

from .scene import MARGIN, Scene, window

if TYPE_CHECKING:
    from protocol.session.verify import Fault, Verdict

SAMPLE = tuple(parse_face(word) for word in ("QS", "AH", "TD", "5C", "X"))


def draw_games(scene: Scene, y: int, height: int) -> None:
    """One line a saved game, in the order of the list."""
    games = scene.state.games
    if not games:
        code = "lobby.wait" if games is None else "lobby.games.none"
        scene.text(MARGIN, y + 1, scene.say(code), "dim", scene.width - 2 * MARGIN)
        return
    room = height - 1
    scene.leaf = room
    first = window(scene.state.line, len(games), room)
    for place, game in enumerate(games[first : first + room]):
        _game(scene, y + 1 + place, game, chosen=first + place == scene.state.line, number=first + place)


def _game(scene: Scene, y: int, game: GameRow, *, chosen: bool, number: int) -> None:
    cells = scene.width - 2 * MARGIN
    kind = scene.row(MARGIN, y, cells, number, chosen=chosen)
    if (game.over or game.busy or game.problem) and not chosen:
        kind = "dim"
    if game.problem:
        words = scene.say(f"lobby.games.{game.problem}")
    elif game.busy:
        words = scene.say("lobby.games.busy")
    elif game.over:
        words = scene.say("lobby.games.broken_off" if game.broken_off else "lobby.games.over") + _scores(scene, game)
    elif game.round:
        words = scene.say("lobby.games.round", round=game.round) + _scores(scene, game)
    else:
        words = scene.say("lobby.games.new")
    players = ", ".join(game.players) or game.name
    scene.text(MARGIN + 2, y, game.date, kind, 16)
    scene.text(MARGIN + 20, y, players, kind, cells // 2 - 20)
    scene.text(MARGIN + cells // 2 + 1, y, words, kind, cells // 2 - 1)


def _scores(scene: Scene, game: GameRow) -> str:
    if not any(game.scores):
        return ""
    return ": " + "  ".join(scene.glyphs.number(score) for score in game.scores)


# ------------------------------------------------------------------ files and verdicts


def draw_files(scene: Scene, y: int, height: int) -> None:
    """One line a game file; or the check that runs or has run."""
    state = scene.state
    if state.verifying is not None:
        _verifying(scene, state.verifying, y, height)
        return
    if not state.files:
        code = "lobby.wait" if state.files is None else "lobby.files.none"
        scene.text(MARGIN, y + 1, scene.say(code), "dim", scene.width - 2 * MARGIN)
        return
    cells, room = scene.width - 2 * MARGIN, height - 1
    scene.leaf = room
    first = window(state.line, len(state.files), room)
    for place, file in enumerate(state.files[first : first + room]):
        kind = scene.row(MARGIN, y + 1 + place, cells, first + place, chosen=first + place == state.line)
        scene.text(MARGIN + 2, y + 1 + place, file.date, kind, 16)
        scene.text(MARGIN + 20, y + 1 + place, file.name, kind, cells - 34)
        size = scene.say("lobby.files.size", size=-(-file.size // 1000))
        scene.canvas.right(MARGIN + cells - 1, y + 1 + place, [(style(kind), size)])


def _verifying(scene: Scene, verifying: Verifying, y: int, height: int) -> None:
    cells = scene.width - 2 * MARGIN
    scene.heading(MARGIN, y + 1, scene.clip(verifying.path.name, cells), cells)
    if verifying.problem:
        why = f"why.{verifying.problem}"
        detail = scene.say(why) if knows(why) else verifying.problem
        text = scene.say("e.not_a_game", file=verifying.path.name, detail=detail)
        scene.paragraph(MARGIN, y + 3, [(style("bad"), f"{scene.sign('cross')} {text}")], cells, 4)
        return
    if verifying.verdict is None:
        scene.text(MARGIN, y + 3, scene.say("lobby.verify.running"), "note", cells)
        wide = min(cells - 6, 60)
        full = wide * verifying.done // max(verifying.total, 1)
        bar: list[Piece] = [
            (style("bar.full"), scene.sign("full") * full),
            (style("bar.empty"), scene.sign("empty") * (wide - full)),
            (style("strong"), f" {100 * verifying.done // max(verifying.total, 1):3} %"),
        ]
        scene.canvas.write(MARGIN, y + 5, bar)
        return
    lines = _verdict(scene, verifying.verdict, cells)
    room = height - 3
    scene.limit, scene.leaf = max(len(lines) - room, 0), max(room, 1)
    first = min(scene.state.scroll, scene.limit)
    for place, pieces in enumerate(lines[first : first + room]):
        scene.canvas.write(MARGIN, y + 3 + place, pieces, limit=MARGIN + cells)


def _verdict(scene: Scene, verdict: Verdict, cells: int) -> list[list[Piece]]:
    """The verdict in a sentence, what was checked, and the scores."""
    players = verdict.genesis.players
    if verdict.fault is None:
        code = good_verdict(complete=verdict.complete, broken_off=was_broken_off(verdict))
        text = scene.say(code, rounds=len(verdict.results))
        lines = wrap([(style("good"), f"{scene.sign('check')} {text}")], cells)
    else:
        lines = _fault(scene, verdict, verdict.fault, cells)
    if verdict.departed:
        names = ", ".join(players[seat].name for seat in verdict.departed)
        lines += wrap([(style("gold"), scene.say("verify.departed", names=names))], cells)
    if verdict.genesis.seeded:
        lines += wrap([(style("gold"), scene.say("verify.seeded"))], cells)
    lines.append([])
    for name, count in asdict(verdict.checks).items():
        lines.append([(style("good"), f"{count:>8}  "), (style("note"), scene.say(f"verify.{name}"))])
    scores = ", ".join(f"{p.name} {scene.glyphs.number(t)}" for p, t in zip(players, verdict.totals, strict=True))
    head = verdict.head.hex()
    lines += [[], *wrap([(style("strong"), f"{scene.say('verify.scores')}: {scores}")], cells)]
    return [*lines, *wrap([(style("dim"), f"{scene.say('verify.head')}: {head[:16]} {head[16:32]}")], cells)]


def _fault(scene: Scene, verdict: Verdict, fault: Fault, cells: int) -> list[list[Piece]]:
    """What is wrong, whose doing it is, and the code for developers."""
    text = fault_sentence(verdict, fault, scene.glyphs.lang)
    lines = wrap([(style("bad"), f"{scene.sign('cross')} {text}")], cells)
    detail = scene.say("verify.detail", code=fault.code, detail=fault.detail[:200] or "-").strip()
    return [*lines, *wrap([(style("dim"), detail)], cells)]


# ------------------------------------------------------------------ settings


def draw_settings(scene: Scene, y: int, _height: int) -> None:
    """The settings, what the chosen one does, and cards in the chosen signs and colours."""
    cells = min(scene.width - 2 * MARGIN, 90)
    for number, name in enumerate(SETTINGS):
        line = y + 1 + number
        chosen = number == scene.state.line
        kind = scene.row(MARGIN, line, cells, number, chosen=chosen)
        scene.text(MARGIN + 4, line, scene.say(f"lobby.setting.{name}"), kind, 24)
        value = setting_words(scene, name)
        if chosen and name != "name":
            opening, closing = ("<", ">") if scene.glyphs.ascii else ("‹", "›")
            value = f"{opening} {value} {closing}"
        scene.text(MARGIN + 30, line, value, kind if chosen else "strong", cells - 30)
    chosen_name = SETTINGS[scene.state.line]
    about = y + 2 + len(SETTINGS)
    chips = [(style("card"), " ")]
    for face in SAMPLE:
        chips += [(style("card." + card_class(face)), scene.glyphs.card(face)), (style("card"), " ")]
    text = scene.say(f"lobby.setting.{chosen_name}.about", cards="").rstrip()
    end = scene.paragraph(MARGIN, about, [(style("event"), text)], cells, 2)
    scene.canvas.write(MARGIN, end + 1, chips)
    scene.paragraph(MARGIN, end + 3, [(style("dim"), scene.say("lobby.setting.kept"))], cells, 2)


def setting_words(scene: Scene, name: str) -> str:
    """The value of a setting in words."""
    now = scene.state.preferences
    if name == "name":
        return now.name
    value = {"lang": now.lang, "symbols": now.symbols, "theme": now.theme, "notice": now.notice}[name]
    signs = "♠♥♦♣" if not scene.glyphs.ascii else ""
    return scene.say(f"lobby.value.{name}.{value}", signs=signs).rstrip()
