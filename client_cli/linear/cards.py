"""Cards as people type them: `H7`, `7h`, `SV`, `ruiten 10`, `joker`, or the number that a card has in the hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from client_cli.faces import UNKNOWN
from client_cli.glyphs import RANKS, SUIT_LETTERS, SUIT_SIGNS
from client_cli.messages import LANGUAGES
from protocol.rules.actions import Slot
from protocol.rules.cards import JOKER, face_of

_SUIT_WORDS = {
    "nl": (("schoppen",), ("harten",), ("ruiten",), ("klaveren", "klaver")),
    "en": (("spades", "spade"), ("hearts", "heart"), ("diamonds", "diamond"), ("clubs", "club")),
}
_RANK_WORDS = {
    "nl": {"aas": 0, "boer": 10, "vrouw": 11, "heer": 12},
    "en": {"ace": 0, "jack": 10, "queen": 11, "king": 12},
}
_JOKERS = {"joker", "jk", "*"}
_GAPS = re.compile(r"[\s,;+]+")


def _suits(lang: str) -> dict[str, int]:
    names = {letter: place for place, letter in enumerate(SUIT_LETTERS[lang])}
    names |= {sign: place for place, sign in enumerate(SUIT_SIGNS)}
    return names | {word: place for place, words in enumerate(_SUIT_WORDS[lang]) for word in words}


def _ranks(lang: str) -> dict[str, int]:
    names = {name.lower(): place for place, name in enumerate(RANKS[lang])} | {"1": 0}
    return names | ({"t": 9} if lang == "en" else {}) | _RANK_WORDS[lang]


def _names(lang: str) -> dict[str, int]:
    """Every name of every card, suit first or rank first."""
    names = {}
    for suit_name, suit in _suits(lang).items():
        for rank_name, rank in _ranks(lang).items():
            names[rank_name + suit_name] = names[suit_name + rank_name] = face_of(suit, rank)
    return names


NAMES = {lang: _names(lang) for lang in LANGUAGES}
"""Name in small letters -> face, by language."""
_WORDS = {word for words in _SUIT_WORDS.values() for group in words for word in group} | {
    word for words in _RANK_WORDS.values() for word in words
}


def face_named(name: str, lang: str) -> int | None:
    """The face with this name: in this language, else in another; None if it names no card."""
    name = name.casefold()
    if name in _JOKERS:
        return JOKER
    for spoken in (lang, *LANGUAGES):
        if name in NAMES[spoken]:
            return NAMES[spoken][name]
    return None


def tokens(text: str) -> list[str]:
    """The parts of a line; a suit or rank written as a word stays with what follows it ("harten 7" is one card)."""
    parts: list[str] = []
    open_word = False
    for part in _GAPS.split(text.strip()):
        if open_word and part.casefold() == "of":
            continue
        if open_word:
            parts[-1] += part
            open_word = False
        elif part:
            parts.append(part)
            open_word = part.casefold() in _WORDS
    return parts


@dataclass(frozen=True, slots=True)
class Problem:
    """Why these words name no cards of the hand: a catalogue code, and what it tells."""

    code: str
    facts: tuple[tuple[str, object], ...] = ()


def cards_meant(
    words: Sequence[str],
    order: Sequence[Slot],
    faces: Mapping[Slot, int],
    fresh: Sequence[Slot],
    lang: str,
) -> tuple[Slot, ...] | Problem:
    """The cards of the hand (in its order) that these words name, or why not.

    Two copies of a card are alike unless one of them is new: then the person has to say which, by its number.
    """
    chosen: list[Slot] = []
    for word in words:
        slot = _one(word, order, faces, fresh, chosen, words, lang)
        if isinstance(slot, Problem):
            return slot
        chosen.append(slot)
    return tuple(chosen)


def _one(
    word: str,
    order: Sequence[Slot],
    faces: Mapping[Slot, int],
    fresh: Sequence[Slot],
    chosen: Sequence[Slot],
    words: Sequence[str],
    lang: str,
) -> Slot | Problem:
    if word.isascii() and word.isdigit():
        if not 1 <= int(word[:4]) <= len(order):
            return Problem("linear.no_number", (("number", word[:4]), ("most", len(order))))
        slot = order[int(word[:4]) - 1]
        return Problem("linear.twice", (("number", word),)) if slot in chosen else slot
    face = face_named(word, lang)
    if face is None:
        return Problem("linear.no_card")
    copies = [slot for slot in order if faces.get(slot, UNKNOWN) == face]
    free = [slot for slot in copies if slot not in chosen]
    if not free:
        return Problem("linear.not_held" if not copies else "linear.held_once", (("face", face),))
    wanted = sum(face_named(other, lang) == face for other in words)
    if wanted < len(copies) and len({slot in fresh for slot in copies}) > 1:
        numbers = tuple(order.index(slot) + 1 for slot in copies)
        return Problem("linear.which", (("face", face), ("numbers", numbers)))
    return free[0]
