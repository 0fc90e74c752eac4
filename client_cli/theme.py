"""The colours, by domain names. Colour never carries a meaning alone: a sign, a word or a shape stands beside it.

A card table in green felt with ivory cards; black suits are ink, red suits are red, diamonds a lighter red and
clubs a bluish ink, so that neighbouring suits of one colour can be told apart.
"""

from __future__ import annotations

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


def sixteen() -> dict[str, str]:
    """STYLE for terminals with sixteen colours: the terminal's own ground, grey card paper, plain inks.

    The nearest of sixteen colours to each colour of STYLE would print black clubs on black felt.
    """
    return {name: " ".join(_sixteen(word) for word in value.split()) for name, value in STYLE.items()}


def _sixteen(word: str) -> str:
    if word.startswith("bg:"):
        return "bg:" + _SIXTEEN_PAPER.get(word[3:], "ansidefault")
    return _SIXTEEN_INK.get(word, "ansidefault") if word.startswith("#") else word
