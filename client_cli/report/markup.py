"""HTML as values: text becomes markup in one place only, and is escaped there."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from client_cli.commands.fitting import harmless


class Html(str):
    """Markup that is finished: it goes into other markup as it is."""

    __slots__ = ()


Child: TypeAlias = str | int | Iterable["Child"]
_EMPTY = frozenset({"meta", "line", "circle", "rect", "path", "polyline", "br"})


def tag(name: str, /, *children: Child, **attributes: str | float) -> Html:
    """An element. Every child that is not `Html`, and every attribute, is escaped.

    In the names of attributes `class_` stands for `class`, and an underscore within a name for a hyphen.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"' for key, value in attributes.items()
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>" if name in {"meta", "br"} else f"<{name}{written}/>")
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[Child]) -> Html:
    """These children in a row."""
    return Html("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return escape(harmless(child), quote=False)
    return str(child) if isinstance(child, int) else joined(child)
