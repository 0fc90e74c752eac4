"""The colours, by domain names. Colour never carries a meaning alone: a sign, a word or a shape stands beside it.

A card table in green felt with ivory cards; black suits are ink, red suits are red, diamonds a lighter red and
clubs a bluish ink, so that neighbouring suits of one colour can be told apart.
"""

from __future__ import annotations

FELT = "#17362b"
FELT_DEEP = "#10271f"
IVORY = "#f6f0df"
GOLD = "#f2c14e"

STYLE: dict[str, str] = {
    "screen": f"bg:{FELT} #dfe8e0",
    "dim": "#8fa99a",
    "strong": "#ffffff bold",
    "gold": f"{GOLD} bold",
    "rule": "#3d6352",
    "header": f"bg:{FELT_DEEP} #a9c0b3",
    "header.name": f"bg:{FELT_DEEP} {GOLD} bold",
    "header.alarm": "bg:#8c1c13 #ffffff bold",
    "link.up": f"bg:{FELT_DEEP} #7bd88f",
    "link.connecting": f"bg:{FELT_DEEP} {GOLD} bold",
    "link.down": "bg:#8c1c13 #ffffff bold",
    "link.stopped": "bg:#8c1c13 #ffffff bold",
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
    "picked": "bg:#ffe08a #26221c",
    "picked.edge": "bg:#ffe08a #8a6d1d",
    "picked.spades": "bg:#ffe08a #14171c bold",
    "picked.clubs": "bg:#ffe08a #1f3a4d bold",
    "picked.hearts": "bg:#ffe08a #b3122a bold",
    "picked.diamonds": "bg:#ffe08a #c43f12 bold",
    "picked.joker": "bg:#ffe08a #6a2c91 bold",
    "picked.mark": "bg:#ffe08a #0b7a3b bold",
    "picked.must": "bg:#ffe08a #c00000 bold",
    "cursor.edge": f"bg:{IVORY} #1565c0 bold",
    "cursor.picked": "bg:#ffe08a #1565c0 bold",
    "back": "bg:#31507a #6f93c4",
    "back.edge": "bg:#31507a #a7c1e4",
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
