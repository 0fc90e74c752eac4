"""What is said at the table: the newest lines below it, the line that is typed, and the page of talk."""

from __future__ import annotations

from itertools import islice

from client_cli import beside, talk
from client_cli.chronicle import Entry
from client_cli.glyphs import width as cells_of
from client_cli.model import UiState
from client_cli.theme import style

from .canvas import Piece, left, rich_width, wrap
from .scene import Scene

NEWEST = 2
"""Lines below the table for what is unread."""
_PAGE = 60
"""Lines of talk on its page; the log has them all."""


def newest(scene: Scene) -> list[Entry]:
    """The newest unread words and our own last, or the newest at all while we type, oldest first.

    They have lines of their own.
    """
    state = scene.state
    shown = NEWEST if state.typing is not None else min(state.unread, NEWEST) + (state.said is not None)
    words = (
        entry
        for entry in reversed(state.log)
        if (entry.is_talk if state.typing is not None else entry.code in talk.LOUD and _shown(state, entry))
    )
    return list(islice(words, shown))[::-1]


def _shown(state: UiState, entry: Entry) -> bool:
    return entry.seat != state.me or entry is state.said


def newest_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """Each of the newest words on one line."""
    return [_one_line(scene, entry, width) for entry in newest(scene)]


def _one_line(scene: Scene, entry: Entry, width: int) -> list[Piece]:
    more = scene.glyphs.sign("ellipsis")
    lines = wrap(scene.entry(entry, style("strong")), width - len(more))
    return lines[0] if len(lines) == 1 else [*lines[0], (style("strong"), more)]


def prompt_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """The line that is typed, its end if it is long, and below it the phrases or why the last one was not said."""
    state = scene.state
    line = state.typing or ""
    phrase = talk.phrase_of(line)
    head, tail = scene.say("talk.prompt") + " ", [(style("gold"), "_")]
    if phrase is not None:
        tail.append((style("dim"), " " + scene.say("talk.means", phrase=scene.say(f"phrase.{phrase}"))))
    room = width - rich_width([("", head), *tail])
    while rich_width([("", line)]) > room:
        line = line[1:]
    lines: list[list[Piece]] = [[(style("gold"), head), (style("strong"), line), *tail]]
    if state.note is not None:
        sign = scene.glyphs.sign("cross") + " "
        return [*lines, *wrap([(style("bad"), sign), *scene.note(state.note, style("bad"))], width)]
    return [*lines, *_phrases(scene, width)]


def _phrases(scene: Scene, width: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for number in range(1, talk.PHRASES + 1):
        chunk = [(style("offer.number"), f" {number} "), (style("offer"), f" {scene.say(f'phrase.{number}')} ")]
        if lines[-1] and rich_width(lines[-1]) + rich_width(chunk) > width:
            lines.append([])
        lines[-1].extend(chunk)
    return lines


def talk_page(scene: Scene, width: int) -> list[list[Piece]]:
    """Who is heard, who is muted, how to change that, and what was said, newest first."""
    state = scene.state
    lines: list[list[Piece]] = [_person(scene, number + 1, seat) for number, seat in enumerate(talk.others(state))]
    lines += [[], *wrap([(style("note"), scene.say("talk.how"))], width)]
    lines += [*wrap([(style("note"), scene.say("talk.public"))], width), []]
    said = list(islice((entry for entry in reversed(state.log) if entry.is_talk), _PAGE))
    lines.append([(style("title"), scene.say("talk.newest"))])
    for entry in said:
        lines += wrap(scene.entry(entry, style("strong")), width)
    if not said:
        lines.append([(style("dim"), scene.say("talk.nothing"))])
    return lines


def _person(scene: Scene, number: int, seat: int) -> list[Piece]:
    state = scene.state
    longest = max(cells_of(player.name) for player in state.view.players)
    heard = "talk.muted" if seat in state.standing.muted else "talk.hear"
    line = [(style("offer.number"), f" {number} "), (style("strong"), f" {left(scene.name(seat), longest)}  ")]
    line.append((style("bad" if seat in state.standing.muted else "note"), scene.say(heard)))
    if seat in state.standing.away:
        line.append((style("seat.silent"), f" {scene.glyphs.sign('dot')} {scene.say('seat.away')}"))
    if not beside.heard(state, seat):
        line.append((style("seat.silent"), f" {scene.glyphs.sign('off')} {scene.say('seat.silent')}"))
    return line
