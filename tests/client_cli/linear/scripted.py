"""A player that only reads the lines: at every prompt it answers with a number or a word, from what it has read.

It knows a few words of each language and nothing of the program.
"""

from __future__ import annotations

import re
from collections import deque

WORDS = {
    "nl": {
        "prompt": "Wat doe je?",
        "question": "Typ ja of nee.",
        "leave": "Typ ja om voor nu",
        "yes": "ja",
        "stock": "Pak een kaart van de stapel",
        "pass": "Pas:",
        "next": "Naar de volgende ronde",
        "close": "Sluit de tafel",
        "same": "noemt dezelfde drie kaarten",
        "begin": "Begin met schudden",
        "discard": "weg",
        "hint": "tip",
        "undo": "terug",
        "over": "gewonnen",
        "tied": "winnen samen",
    },
    "en": {
        "prompt": "What will you do?",
        "question": "Type yes or no.",
        "leave": "Type yes to stop",
        "yes": "yes",
        "stock": "Draw a card from the stock",
        "pass": "Pass:",
        "next": "On to the next round",
        "close": "Close the table",
        "same": "names the same three cards",
        "begin": "Begin to shuffle",
        "discard": "discard",
        "hint": "hint",
        "undo": "undo",
        "over": "won",
        "tied": "win together",
    },
}
OFFERS = ("Leg ", "Ruil ", "Met de pot", "Lay ", "Swap ", "With the pot")
MOST_PROMPTS = 5000
"""More than any game of a test takes: a player that goes in circles fails."""
_CHOICE = re.compile(r"(\d+)\. (.*)")


class Scripted:
    """Answers for one game in this language. `answer(line)` is what it types after this line, or None."""

    def __init__(self, lang: str) -> None:
        self.words = WORDS[lang]
        self.closed = False
        """Whether it has closed the table."""
        self._heard: list[str] = []
        self._tried: deque[str] = deque()
        self._hinted = False
        self._prompts = 0

    def answer(self, line: str) -> str | None:
        """What is typed after this line; None while the line is no prompt."""
        if line != self.words["prompt"]:
            self._heard.append(line)
            return None
        heard, self._heard = self._heard, []
        self._prompts += 1
        assert self._prompts < MOST_PROMPTS, heard
        return self._decide(heard)

    def _decide(self, heard: list[str]) -> str:
        if any(line.endswith(self.words["question"]) or self.words["leave"] in line for line in heard[-1:]):
            return self.words["yes"]
        listed: dict[str, str] = {}
        for line in heard:
            if found := _CHOICE.fullmatch(line):
                listed[found[2]] = found[1]
        for text, number in listed.items():
            if self.words["same"] in text:
                return number
        for wanted in ("begin", "next", "pass", "stock"):
            for text, number in listed.items():
                if text.startswith(self.words[wanted]):
                    self._hinted = False
                    self._tried.clear()
                    return number
        for text, number in listed.items():
            if text.startswith(self.words["close"]):
                self.closed = True
                return number
        for text, number in listed.items():
            if text.startswith(OFFERS):
                self._hinted = False
                return number
        if not self._hinted:
            self._hinted = True
            return self.words["hint"]
        if not self._tried:
            self._tried.extend(str(number) for number in range(20, 0, -1))
            self._tried.append("")
        card = self._tried.popleft()
        return f"{self.words['discard']} {card}" if card else self.words["undo"]
