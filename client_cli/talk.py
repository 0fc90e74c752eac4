"""Talk at the table: the line that is typed, what others said, who is away, the pause. Pure, like all of the model.

While a line is typed every key goes to it and none to the table; news goes on, and the table stays on the screen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from protocol.session.view import Stage

from .chronicle import LONGEST, Entry, Fact, Seats
from .departures import is_out
from .intents import Choose, Intent, Key, Page, Standing, TalkRefused, Typed, Word
from .state import Effect, Mute, Note, Say, SetAway, SetPause, UiState

Result: TypeAlias = tuple[UiState, tuple[Effect, ...]]

LONGEST_LINE = 200
"""Bytes of the longest line that can be said (spec/50-transport.md 4.3)."""
PHRASES = 9
"""Ready-made phrases: a line of one digit, 1 to 9, is one of them."""
SAID = frozenset({"talk.said", "talk.phrase"})
LOUD = SAID | {"talk.go_on"}
"""What counts as unread until it is looked at: a pause that is on, and who is away, are on the screen anyway."""


def others(state: UiState) -> tuple[int, ...]:
    """The other seats in order of play, beginning at our left; all seats for a watcher."""
    view = state.view
    n = len(view.players)
    if view.me is None:
        return tuple(range(n))
    return tuple((view.me + step) % n for step in range(1, n))


def paused(state: UiState) -> bool:
    """Whether a pause is on in a game that is not over."""
    return state.standing.paused_by is not None and state.view.stage not in {Stage.FINISHED, Stage.FAULTED}


def phrase_of(line: str) -> int | None:
    """The phrase that this line stands for, if it is one digit."""
    return int(line) if len(line) == 1 and line in "123456789" else None


# ------------------------------------------------------------------ keys


def begin(state: UiState) -> Result:
    """Open the line to type; what was unread stands above it now."""
    if state.me is None:
        return _refuse(state, "note.listen_only")
    return replace(state, typing="", unread=0), ()


def typed(state: UiState, intent: Intent) -> Result:
    """What a key means while a line is typed; all but typing, sending and leaving it means nothing."""
    assert state.typing is not None
    state = replace(state, note=None)
    line = state.typing or ""
    match intent:
        case Typed(text):
            kept = line + "".join(char if char.isprintable() else " " for char in text)
            return replace(state, typing=kept.encode()[:LONGEST_LINE].decode(errors="ignore")), ()
        case Key.ERASE:
            return replace(state, typing=line[:-1]), ()
        case Key.DROP:
            return replace(state, typing=None), ()
        case Choose(number):
            return replace(state, typing=None), (Say(number),)
        case Key.SEND:
            words = phrase_of(line.strip()) or line.strip()
            return replace(state, typing=None), (Say(words),) if words else ()
        case _:
            return state, ()


def mute(state: UiState, number: int) -> Result:
    """Mute the seat with this number on the page of talk, or hear it again."""
    seats = others(state)
    if number > len(seats):
        return state, ()
    seat = seats[number - 1]
    on = seat not in state.standing.muted
    note = Note("note.muted" if on else "note.unmuted", (("seats", Seats((seat,))),))
    return replace(state, note=note), (Mute(seat, on=on),)


def away(state: UiState) -> Result:
    """Tell that we are away for a moment, or back."""
    if state.me is None:
        return _refuse(state, "note.listen_only")
    if is_out(state.view):
        return _refuse(state, "note.looking_on")
    if state.said_goodbye:
        return _refuse(state, "note.said_goodbye")
    gone = state.me not in state.standing.away
    return replace(state, note=Note("note.away" if gone else "note.back")), (SetAway(away=gone),)


def pause(state: UiState) -> Result:
    """Ask for a pause, or end the one that is on."""
    if state.me is None:
        return _refuse(state, "note.listen_only")
    if state.view.stage in {Stage.FINISHED, Stage.FAULTED}:
        return _refuse(state, "turn.finished")
    if is_out(state.view):
        return _refuse(state, "note.looking_on")
    if state.said_goodbye:
        return _refuse(state, "note.said_goodbye")
    return state, (SetPause(on=state.standing.paused_by is None),)


def _refuse(state: UiState, code: str) -> Result:
    return replace(state, note=Note(code, bad=True)), ()


# ------------------------------------------------------------------ news


def hear(state: UiState, words: tuple[Word, ...], standing: Standing) -> UiState:
    """The state after others, and we, have said this."""
    told = tuple(_entry(state, word) for word in words)
    new = sum(entry.seat != state.me and entry.code in LOUD for entry in told)
    looking = state.typing is not None or state.page in {Page.TALK, Page.LOG}
    unread = 0 if looking else state.unread + new
    own = [entry for entry in told if entry.seat == state.me and entry.code in SAID]
    said = own[-1] if own and not looking else state.said
    return replace(state, log=(*state.log, *told)[-LONGEST:], standing=standing, unread=unread, said=said)


def _entry(state: UiState, word: Word) -> Entry:
    code = f"talk.{word.what}"
    facts: tuple[tuple[str, Fact], ...] = ()
    if isinstance(word.said, int):
        code, facts = "talk.phrase", (("phrase", word.said),)
    elif word.what == "said":
        facts = (("text", word.said),)
    return Entry(state.view.round_number, code, word.seat, facts)


def refused(state: UiState, refusal: TalkRefused) -> UiState:
    """Something of ours was not said: why, and the line is there again."""
    line = refusal.said if isinstance(refusal.said, str) and refusal.said else state.typing
    return replace(state, typing=line, note=Note(f"talk.no.{refusal.code.rpartition('/')[2]}", bad=True))
