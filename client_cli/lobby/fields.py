"""Editing one line of text: characters, cursor, deletion. Pure, and without any thought of what the text is for."""

from __future__ import annotations

from dataclasses import replace

from .state import Field

LONGEST = 200


def typed_text(field: Field, text: str) -> Field:
    """The field with this text at its cursor; line ends and control characters are left out."""
    kept = "".join(char for char in text if char.isprintable())[: LONGEST - len(field.text)]
    return replace(field, text=field.text[: field.at] + kept + field.text[field.at :], at=field.at + len(kept))


def typed_key(field: Field, key: str) -> Field:
    """The field after a key; keys that mean nothing in a line of text change nothing."""
    text, at = field.text, field.at
    match key:
        case "left":
            return replace(field, at=max(at - 1, 0))
        case "right":
            return replace(field, at=min(at + 1, len(text)))
        case "home":
            return replace(field, at=0)
        case "end":
            return replace(field, at=len(text))
        case "backspace":
            return replace(field, text=text[: max(at - 1, 0)] + text[at:], at=max(at - 1, 0))
        case "delete":
            return replace(field, text=text[:at] + text[at + 1 :])
        case "space":
            return typed_text(field, " ")
        case _ if len(key) == 1:
            return typed_text(field, key)
        case _:
            return field
