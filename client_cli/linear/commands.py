"""What a typed line means: `understood(state, line)`. Pure: the words of both languages, and the keys they stand for.

A line is answered with words (a page, why something cannot be) or becomes the same keys that the full screen has, so
that what is legal is decided in one place. A lone number is one of the numbered choices and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from client_cli import talk
from client_cli.intents import Choose, Intent, Key, Open, Page, Pick, Typed
from client_cli.state import UiState
from protocol.rules.actions import Slot

from . import pages
from .cards import Problem, cards_meant, face_named, tokens
from .scene import PlainScene, scene_of
from .situation import choices, in_play, prompt, situation, standing


@dataclass(frozen=True, slots=True)
class Reply:
    """What a line leads to: keys for the model, and lines to say at once (before what follows from the keys)."""

    intents: tuple[Intent, ...] = ()
    lines: tuple[str, ...] = ()


Words = Sequence[str]
Act = Callable[[PlainScene, Words], Reply]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: the words for it in Dutch and English (the first are shown), what it does, and its help sentence."""

    nl: tuple[str, ...]
    en: tuple[str, ...]
    act: Act
    help: str
    asks: bool = False
    """Whether it only tells something: it may be typed while a question is open."""


FEWEST_TO_CLAIM = 3
"""At a table of two nobody is left to agree with (spec/30-wire.md V4)."""
YES = frozenset({"ja", "yes"})
NO = frozenset({"nee", "no", "n"})


def understood(state: UiState, line: str, lang: str) -> Reply:
    """What this line means in this state. Total: every line has a meaning or an answer."""
    reply = _understood(scene_of(state, lang), line)
    if state.typing is not None:  # a line that was refused would take every key: here it is typed again
        return Reply((Key.DROP, *reply.intents), reply.lines)
    return reply


def _understood(scene: PlainScene, line: str) -> Reply:
    state = scene.state
    words = tokens(line)
    if not words:
        return Reply(lines=(*standing(scene), *prompt(scene)))
    command = BY_WORD.get(words[0].casefold())
    if command is not None and command.asks:
        return command.act(scene, words[1:])
    if state.ask is not None:
        return _answer(scene, words)
    if command is _SAY:  # what is said is no list of words
        return _say(scene, line.strip().split(maxsplit=1)[1:])
    if command is not None:
        return command.act(scene, words[1:])
    if words[0].isascii() and words[0].isdigit():
        return _number(scene, words)
    if face_named(words[0], scene.lang) is not None:
        return _select(scene, words)
    return _sorry(scene, "linear.unknown")


def _answer(scene: PlainScene, words: Words) -> Reply:
    """Only a word says yes; anything else takes the question away and does nothing else."""
    said = words[0].casefold()
    if said in YES and len(words) == 1:
        return Reply((Key.ACCEPT,))
    command = BY_WORD.get(said)
    if command is _GOODBYE and scene.state.ask is not None and scene.state.ask.how == "ask.leave.how":
        return Reply((Key.GOODBYE,))
    code = "linear.not_done" if said in NO else "linear.not_done.other"
    return Reply((Key.CANCEL,), (scene.say(code),))


def _number(scene: PlainScene, words: Words) -> Reply:
    found = choices(scene)
    if len(words) > 1:
        return _sorry(
            scene,
            "linear.numbers",
            numbers=" ".join(word[:3] for word in words[:3] if word.isascii() and word.isdigit()),
        )
    number = int(words[0][:6])
    if not found:
        return Reply(lines=(scene.say("linear.no_choices"), *standing(scene), *prompt(scene)))
    if not 1 <= number <= len(found):
        return _sorry(scene, "linear.no_choice", most=len(found))
    return Reply(found[number - 1].intents)


def _sorry(scene: PlainScene, code: str, **facts: object) -> Reply:
    return Reply(lines=(scene.say(code, **facts), *prompt(scene)))


# ------------------------------------------------------------------ cards


def _meant(scene: PlainScene, words: Words) -> tuple[Slot, ...] | Reply:
    """The cards of our hand that these words name, or the answer that says why not."""
    state = scene.state
    if state.me is None or not in_play(scene):
        return Reply(lines=tuple(pages.hand_lines(scene)))
    found = cards_meant(words, state.order, state.faces, state.fresh, scene.lang)
    if not isinstance(found, Problem):
        return found
    facts = dict(found.facts)
    if isinstance(facts.get("face"), int):
        facts["card"] = scene.row([facts["face"]])  # type: ignore[list-item]
    if isinstance(facts.get("numbers"), tuple):
        numbers = [str(number) for number in facts["numbers"]]  # type: ignore[attr-defined]
        facts["numbers"] = scene.say("list.and").join(numbers)
    return _sorry(scene, found.code, **facts)


def _choosing(scene: PlainScene, slots: Sequence[Slot]) -> tuple[Intent, ...]:
    """The keys that select exactly these cards, whatever was selected or shown before."""
    to_table = () if scene.state.page is Page.TABLE else (Key.CANCEL,)
    return (*to_table, Key.CANCEL, *(Pick(slot) for slot in slots))


def _select(scene: PlainScene, words: Words) -> Reply:
    if not words:
        return _sorry(scene, "linear.which_cards")
    found = _meant(scene, words)
    if isinstance(found, Reply):
        return found
    lines: tuple[str, ...] = ()
    if not scene.state.my_turn:
        lines = (scene.say("linear.chosen", cards=scene.row(scene.state.faces[slot] for slot in found)),)
    return Reply(_choosing(scene, found), lines)


def _with_cards(*keys: Key) -> Act:
    """These keys, after the cards that are named have been selected."""

    def act(scene: PlainScene, words: Words) -> Reply:
        if not words:
            return Reply(keys)
        found = _meant(scene, words)
        return found if isinstance(found, Reply) else Reply((*_choosing(scene, found), *keys))

    return act


def _discard(scene: PlainScene, words: Words) -> Reply:
    """The named card, or the one that is selected; never one that nobody named."""
    state = scene.state
    if not words and not state.selected and state.order and state.my_turn:
        return _sorry(scene, "linear.which_discard")
    return _with_cards(Key.DISCARD)(scene, words)


def _lay(scene: PlainScene, words: Words) -> Reply:
    if not words and not scene.state.selected:
        return _sorry(scene, "linear.which_cards")
    return _with_cards(Key.ACCEPT)(scene, words)


def _exchange(scene: PlainScene, words: Words) -> Reply:
    table = scene.state.view.round
    if table is None or table.open_card is None:
        return _sorry(scene, "no_exchange")
    return _with_cards(Key.POT)(scene, words)


def _press(key: Key) -> Act:
    return lambda _scene, _words: Reply((key,))


# ------------------------------------------------------------------ talk


def _say(scene: PlainScene, words: Words) -> Reply:
    if not words:
        return Reply(lines=(*pages.phrase_lines(scene), *prompt(scene)))
    return Reply((Key.TALK, Typed(words[0]), Key.SEND) if scene.state.me is not None else (Key.TALK,))


def _mute(scene: PlainScene, words: Words) -> Reply:
    """Mute the player with this number or name, or hear them again; without one, who can be muted."""
    seats = talk.others(scene.state)
    wanted = " ".join(words).casefold()
    for number, seat in enumerate(seats, start=1):
        if wanted in {str(number), scene.name(seat).casefold()}:
            page = () if scene.state.page is Page.TALK else (Open(Page.TALK),)
            return Reply((*page, Choose(number), Key.CANCEL))
    return Reply(lines=(*pages.mute_lines(scene), *prompt(scene)))


# ------------------------------------------------------------------ pages


def _verify(scene: PlainScene, _words: Words) -> Reply:
    """Verify the game so far; what comes out is told when it is known."""
    return Reply((Open(Page.FAIRNESS), Key.VERIFY, Key.CANCEL), (scene.say("note.verifying"),))


def _page(lines: Callable[[PlainScene], Sequence[str]]) -> Act:
    return lambda scene, _words: Reply(lines=(*lines(scene), *_again(scene)))


def _again(scene: PlainScene) -> tuple[str, ...]:
    """After a page: the open question once more, else the short line."""
    return (*(situation(scene) if scene.state.ask is not None else ()), *prompt(scene))


def _log(scene: PlainScene, words: Words) -> Reply:
    most = int(words[0][:6]) if words and words[0].isascii() and words[0].isdigit() else pages.LAST
    return Reply(lines=(*pages.log_lines(scene, max(most, 1)), *_again(scene)))


def _help(scene: PlainScene) -> list[str]:
    place = 0 if scene.lang == "nl" else 1
    view = scene.state.view
    absent = {"help.call_last", "help.catch"} if view.rules.last_card_call == "none" else set()
    absent |= {"help.decline", "linear.help.exchange"} if view.rules.opening_exchange == "none" else set()
    absent |= {"help.claim"} if len(view.players) < FEWEST_TO_CLAIM else set()
    lines = [scene.say(f"linear.help.{code}") for code in ("choice", "cards", "card_names", "empty")]
    for command in COMMANDS:
        if command.help in absent:
            continue
        words = (command.nl, command.en)[place]
        what = scene.say(command.help)
        if len(words) > 1:
            lines.append(scene.say("linear.help.two", word=words[0], short=words[1], what=what))
        else:
            lines.append(scene.say("linear.help.one", word=words[0], what=what))
    return lines


_SAY = Command(("zeg",), ("say",), _say, "linear.help.say")
_GOODBYE = Command(("voorgoed", "g"), ("forever", "g"), _press(Key.GOODBYE), "help.goodbye")

COMMANDS: tuple[Command, ...] = (
    Command(("stapel", "s", "pak"), ("stock", "s", "draw"), _press(Key.STOCK), "help.stock"),
    Command(("pot", "p"), ("pot", "p"), _with_cards(Key.POT), "help.take_pot"),
    Command(("ruil",), ("exchange",), _exchange, "linear.help.exchange"),
    Command(("pas", "x"), ("pass", "x"), _press(Key.DECLINE), "help.decline"),
    Command(("kies", "k"), ("select", "k"), _select, "linear.help.select"),
    Command(("wis",), ("clear",), lambda scene, _: Reply(_choosing(scene, ())), "linear.help.clear"),
    Command(("leg",), ("lay",), _lay, "linear.help.lay"),
    Command(("weg", "d"), ("discard", "d"), _discard, "linear.help.discard"),
    Command(("terug", "u"), ("undo", "u"), _press(Key.UNDO), "help.undo"),
    Command(("laatste", "a"), ("last", "a"), _press(Key.CALL_LAST), "help.call_last"),
    Command(("betrap", "b"), ("catch", "b"), _press(Key.CATCH), "help.catch"),
    Command(("tip", "t"), ("hint", "t"), _press(Key.HINT), "help.hint"),
    Command(("hand", "h"), ("hand", "h"), _page(pages.hand_lines), "linear.help.hand", asks=True),
    Command(("orde", "o"), ("order", "o"), _press(Key.SORT), "help.sort"),
    Command(("tafel", "m"), ("table", "m"), _page(pages.table_lines), "linear.help.table", asks=True),
    Command(("bekijk", "v"), ("view", "v"), _page(pages.pot_lines), "help.view_pot", asks=True),
    Command(("score", "c"), ("scores", "c"), _page(pages.score_lines), "help.scores", asks=True),
    Command(("uitslag",), ("result",), _page(pages.result_lines), "linear.help.result", asks=True),
    Command(("regels", "r"), ("rules", "r"), _page(pages.rules_lines), "help.rules", asks=True),
    Command(("verloop", "l"), ("log", "l"), _log, "linear.help.log", asks=True),
    Command(("eerlijk", "e"), ("fair", "f"), _page(pages.fair_lines), "help.fairness", asks=True),
    Command(("nakijken", "y"), ("verify", "y"), _verify, "linear.help.verify"),
    _SAY,
    Command(("demp",), ("mute",), _mute, "linear.help.mute"),
    Command(("even", "i"), ("away", "i"), _press(Key.AWAY), "help.away"),
    Command(("pauze", "z"), ("pause", "z"), _press(Key.PAUSE), "help.pause"),
    Command(("volgende", "n"), ("next", "n"), _press(Key.NEXT_ROUND), "help.next_round"),
    Command(("wachtniet", "w"), ("nowait", "w"), _press(Key.CLAIM), "help.claim"),
    Command(("help", "?", "hulp"), ("help", "?"), _page(_help), "linear.help.help", asks=True),
    Command(("stop", "q"), ("quit", "q", "leave"), _press(Key.LEAVE), "help.leave"),
    _GOODBYE,
)
"""All commands, in the order of the help."""

BY_WORD = {word: command for command in COMMANDS for word in (*command.nl, *command.en)}
