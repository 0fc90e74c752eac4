"""The colours, by domain names. Colour never carries a meaning alone: a sign, a word or a shape stands beside it.

The dark theme is a card table in green felt with ivory cards; black suits are ink, red suits are red, diamonds a
lighter red and clubs a bluish ink, so that neighbouring suits of one colour can be told apart. The other themes are
the same classes in other colours: a light table, high contrast, four colours for the four suits, and no colour at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

FELT = "#17362b"
FELT_DEEP = "#10271f"
IVORY = "#f6f0df"
GOLD = "#f2c14e"
PICKED = "#ffe08a"
ALARM = "#8c1c13"
BLUE = "#31507a"

STYLE: dict[str, str] = {
    "screen": f"bg:{FELT} #dfe8e0",
    "dim": "#8fa99a",
    "strong": "#ffffff bold",
    "gold": f"{GOLD} bold",
    "rule": "#3d6352",
    "header": f"bg:{FELT_DEEP} #a9c0b3",
    "header.name": f"bg:{FELT_DEEP} {GOLD} bold",
    "header.alarm": f"bg:{ALARM} #ffffff bold",
    "link.up": f"bg:{FELT_DEEP} #7bd88f",
    "link.connecting": f"bg:{FELT_DEEP} {GOLD} bold",
    "link.down": f"bg:{ALARM} #ffffff bold",
    "link.stopped": f"bg:{ALARM} #ffffff bold",
    "seat": "#dfe8e0",
    "seat.turn": f"{GOLD} bold",
    "seat.facts": "#a9c0b3",
    "act": "#c9d6cc italic",
    "seat.silent": "#ff9d8a bold",
    "card": f"bg:{IVORY} #26221c",
    "card.edge": f"bg:{IVORY} #a89f8a",
    "card.spades": f"bg:{IVORY} #14171c bold",
    "card.clubs": f"bg:{IVORY} #1f3a4d bold",
    "card.hearts": f"bg:{IVORY} #b3122a bold",
    "card.diamonds": f"bg:{IVORY} #d2491c bold",
    "card.joker": f"bg:{IVORY} #6a2c91 bold",
    "card.mark": f"bg:{IVORY} #0b7a3b bold",
    "card.must": f"bg:{IVORY} #c00000 bold",
    "picked": f"bg:{PICKED} #26221c",
    "picked.edge": f"bg:{PICKED} #8a6d1d",
    "picked.spades": f"bg:{PICKED} #14171c bold",
    "picked.clubs": f"bg:{PICKED} #1f3a4d bold",
    "picked.hearts": f"bg:{PICKED} #b3122a bold",
    "picked.diamonds": f"bg:{PICKED} #c43f12 bold",
    "picked.joker": f"bg:{PICKED} #6a2c91 bold",
    "picked.mark": f"bg:{PICKED} #0b7a3b bold",
    "picked.must": f"bg:{PICKED} #c00000 bold",
    "cursor.edge": f"bg:{IVORY} #1565c0 bold",
    "cursor.picked": f"bg:{PICKED} #1565c0 bold",
    "back": f"bg:{BLUE} #6f93c4",
    "back.edge": f"bg:{BLUE} #a7c1e4",
    "slot.edge": "#3d6352",
    "meld.number": "#a9c0b3",
    "meld.aim": f"bg:{GOLD} #201a08 bold",
    "meld.draft": f"{GOLD} bold",
    "meld.owner": "#dfe8e0 bold",
    "event": "#a9c0b3 italic",
    "turn": "#ffffff bold",
    "turn.mine": f"{GOLD} bold",
    "offer.number": f"bg:{GOLD} #201a08 bold",
    "offer": "#ffffff",
    "offer.points": f"{GOLD}",
    "bad": "#ffb3a3 bold",
    "good": "#7bd88f bold",
    "note": "#ffffff",
    "ask": f"bg:{GOLD} #201a08 bold",
    "ask.how": f"bg:{GOLD} #4a3c10",
    "key": f"bg:{FELT_DEEP} {GOLD} bold",
    "key.label": f"bg:{FELT_DEEP} #a9c0b3",
    "title": f"{GOLD} bold",
    "bar.full": f"{GOLD}",
    "bar.empty": "#3d6352",
    "alarm": "#ffb3a3 bold",
    "mine": f"bg:{FELT_DEEP} #ffffff bold",
}


def style(name: str) -> str:
    """The style string for a class of STYLE. Raises KeyError for a class that does not exist."""
    STYLE[name]
    return "class:" + name


_SIXTEEN_PAPER = {IVORY: "ansigray", PICKED: "ansiyellow", GOLD: "ansiyellow", ALARM: "ansired", BLUE: "ansiblue"}
_SIXTEEN_INK = {
    **dict.fromkeys(("#26221c", "#14171c", "#1f3a4d", "#201a08", "#4a3c10", "#a89f8a", "#8a6d1d"), "ansiblack"),
    **dict.fromkeys(("#b3122a", "#d2491c", "#c43f12", "#c00000"), "ansired"),
    **dict.fromkeys(("#ffb3a3", "#ff9d8a"), "ansibrightred"),
    "#6a2c91": "ansimagenta",
    "#1565c0": "ansiblue",
    "#0b7a3b": "ansigreen",
    "#7bd88f": "ansigreen",
    GOLD: "ansiyellow",
    "#ffffff": "ansiwhite",
}


def sixteen(styles: Mapping[str, str] = STYLE) -> dict[str, str]:
    """A palette for terminals with sixteen colours: the terminal's own ground, grey card paper, plain inks.

    The nearest of sixteen colours to each colour would print black clubs on black felt.
    """
    return {name: " ".join(_sixteen(word) for word in value.split()) for name, value in styles.items()}


def _sixteen(word: str) -> str:
    if word.startswith("bg:"):
        return "bg:" + _SIXTEEN_PAPER.get(word[3:], "ansidefault")
    return _SIXTEEN_INK.get(word, "ansidefault") if word.startswith("#") else word


# ------------------------------------------------------------------ the other themes

THEMES = ("dark", "light", "contrast", "four", "mono")
"""Their names, as in the settings."""

_LIGHT = {
    FELT: "#eef3ea",
    FELT_DEEP: "#d9e4d3",
    "#dfe8e0": "#1d2b22",
    "#8fa99a": "#5b6b60",
    "#a9c0b3": "#3c5245",
    "#c9d6cc": "#2f4438",
    "#3d6352": "#9db3a4",
    "#ffffff": "#0c1410",
    GOLD: "#7a4b00",
    IVORY: "#ffffff",
    "#ffb3a3": "#a01208",
    "#ff9d8a": "#a01208",
    "#7bd88f": "#0b6b2e",
    "#6f93c4": "#b9cbe4",
    "#a7c1e4": "#dfe9f6",
}
"""Inks and grounds of the light theme for those of the dark one."""

_LIGHT_CLASSES = {
    "header.alarm": f"bg:{ALARM} #ffffff bold",
    "link.down": f"bg:{ALARM} #ffffff bold",
    "link.stopped": f"bg:{ALARM} #ffffff bold",
    "ask": "bg:#7a4b00 #ffffff bold",
    "ask.how": "bg:#7a4b00 #ffe7b8",
    "offer.number": "bg:#7a4b00 #ffffff bold",
    "meld.aim": "bg:#7a4b00 #ffffff bold",
}

_CONTRAST_INK = {"card": "#000000", "picked": "#000000", "cursor": "#0000c8", "back": "#ffffff"}
_SUITS = {"spades": "#000000", "hearts": "#c80000", "diamonds": "#0032c8", "clubs": "#006e1e"}
"""Four suits in four colours, as some packs of cards have them."""


def _light() -> dict[str, str]:
    swapped = {
        name: " ".join(
            ("bg:" if word.startswith("bg:") else "") + _LIGHT.get(word.removeprefix("bg:"), word.removeprefix("bg:"))
            for word in value.split()
        )
        for name, value in STYLE.items()
    }
    return {**swapped, **_LIGHT_CLASSES}


def _contrast() -> dict[str, str]:
    """Black ground and white words, white cards and black print, yellow for what matters; nothing in between."""
    found: dict[str, str] = {}
    for name, value in STYLE.items():
        kind, _, part = name.partition(".")
        bold = " bold" if "bold" in value else ""
        if kind in {"card", "picked", "cursor"}:
            ground = "#ffff00" if kind == "picked" or part == "picked" else "#ffffff"
            ink = {"hearts": "#c80000", "diamonds": "#c80000"}.get(part, _CONTRAST_INK[kind])
            found[name] = f"bg:{ground} {ink}{bold}"
        elif kind == "back":
            found[name] = "bg:#0000c8 #ffffff"
        elif value.startswith(f"bg:{GOLD}"):
            found[name] = "bg:#ffff00 #000000 bold"
        elif value.startswith(f"bg:{ALARM}") or kind in {"bad", "alarm"} or name == "seat.silent":
            found[name] = "bg:#c80000 #ffffff bold"
        else:
            found[name] = f"bg:#000000 {'#ffff00' if GOLD in value else '#ffffff'}{bold}"
    return found


def _four() -> dict[str, str]:
    changed = {
        f"{sheet}.{suit}": f"bg:{paper} {ink} bold"
        for sheet, paper in (("card", IVORY), ("picked", PICKED))
        for suit, ink in _SUITS.items()
    }
    return {**STYLE, **changed}


_REVERSED = ("header", "link", "ask", "key", "offer.number", "meld.aim", "picked")
_BOLD = ("strong", "gold", "title", "turn", "seat.turn", "alarm", "bad", "seat.silent", "meld.draft", "meld.owner")


def _mono() -> dict[str, str]:
    """No colour: what stands on a ground of its own is reversed, what is loud is bold, the rest is as it is."""
    found: dict[str, str] = {}
    for name in STYLE:
        kind = name.partition(".")[0]
        words = ["reverse"] if {name, kind} & set(_REVERSED) or name == "cursor.picked" else []
        words += ["bold"] if {name, kind} & set(_BOLD) or name in {"key", "header.name", "cursor.edge"} else []
        found[name] = " ".join(words)
    return found


_MADE: Mapping[str, Callable[[], dict[str, str]]] = {
    "dark": lambda: dict(STYLE),
    "light": _light,
    "contrast": _contrast,
    "four": _four,
    "mono": _mono,
}


def chosen(theme: str, environment: Mapping[str, str] = os.environ) -> str:
    """The theme to use: this one, or `mono` where NO_COLOR asks for no colour (no-color.org: set and not empty).

    Raises ValueError for a theme that does not exist.
    """
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}")
    return "mono" if environment.get("NO_COLOR") else theme


def palette(theme: str, *, sixteen: bool = False) -> dict[str, str]:
    """Every class of STYLE in the colours of this theme, in true colour or for terminals with sixteen colours.

    Raises KeyError for a theme that does not exist.
    """
    made = _MADE[theme]()
    return _few(theme, made) if sixteen else made


def _few(theme: str, made: Mapping[str, str]) -> dict[str, str]:
    if theme == "mono":
        return dict(made)
    if theme in {"contrast", "light"}:
        return {name: " ".join(_nearest(word) for word in value.split()) for name, value in made.items()}
    few = sixteen()
    if theme == "four":
        for suit, ink in (("diamonds", "ansiblue"), ("clubs", "ansigreen")):
            few[f"card.{suit}"] = f"bg:ansigray {ink} bold"
            few[f"picked.{suit}"] = f"bg:ansiyellow {ink} bold"
    return few


_SIXTEEN_ANY = {
    "ansiblack": (0, 0, 0),
    "ansiwhite": (255, 255, 255),
    "ansired": (190, 0, 0),
    "ansigreen": (0, 120, 30),
    "ansiblue": (0, 30, 200),
    "ansiyellow": (255, 255, 0),
    "ansimagenta": (130, 0, 130),
}


GREYISH = 48
"""Colours whose parts differ less than this are read as black or white."""


def _nearest(word: str) -> str:
    """The nearest plain colour, for themes whose inks are far from their grounds anyway; greyish ones have none."""
    colour = word.removeprefix("bg:")
    if not colour.startswith("#"):
        return word
    parts = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if max(parts) - min(parts) < GREYISH:
        parts = (0, 0, 0) if sum(parts) < 3 * 176 else (255, 255, 255)
    elif colour == _LIGHT[GOLD]:
        parts = _SIXTEEN_ANY["ansiblue"]

    def far(name: str) -> int:
        return sum((a - b) ** 2 for a, b in zip(parts, _SIXTEEN_ANY[name], strict=True))

    return ("bg:" if word.startswith("bg:") else "") + min(_SIXTEEN_ANY, key=far)
