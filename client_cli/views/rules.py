"""The whole rule card as lines to read: section by section, and what a sentence rests on where it is no rule."""

from __future__ import annotations

from itertools import groupby

from client_cli.glyphs import Glyphs
from client_cli.rulepage import Label, page_text, rule_page, told
from client_cli.theme import style
from protocol.rules.ruleset import RuleSet

from .canvas import Piece, wrap


def card_lines(rules: RuleSet, name: str, glyphs: Glyphs, cells: int) -> list[list[Piece]]:
    """Every rule of the card in a sentence, wrapped to so many cells; house rules and our own choices are marked."""
    page, lang = rule_page(rules, name), glyphs.lang
    lines: list[list[Piece]] = []
    for section, statements in groupby(page, key=lambda statement: statement.section):
        lines += [[], *wrap([(style("title"), page_text(f"rulepage.section.{section}", lang))], cells)]
        for statement in statements:
            house = statement.label is Label.HOUSE
            pieces: list[Piece] = [(style("note"), told(statement, lang))]
            if statement.label is not Label.RULE:
                label = page_text(f"rulepage.label.{statement.label.value}", lang)
                pieces.append((style("gold" if house else "dim"), f" [{label}]"))
            lead = glyphs.sign("new" if house else "dot") + " "
            for place, line in enumerate(wrap(pieces, cells - 2)):
                lines.append([("", "  ") if place else (style("dim"), lead), *line])
    lines.append([])
    for kind in dict.fromkeys(statement.label for statement in page if statement.label is not Label.RULE):
        label = page_text(f"rulepage.label.{kind.value}", lang)
        legend = page_text(f"rulepage.legend.{kind.value}", lang, preset=name)
        lines += wrap([(style("dim"), f"[{label}] {legend}")], cells)
    return lines[1:]
