"""`duizenden rules`: a rule card in words, and every value of it for programs."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from client_cli.rulepage import Label, offers, page_text, rule_page, short_form, told
from protocol.rules.ruleset import PRESETS, RuleSet, canonical, deviations, from_canonical

from .options import named_rules

if TYPE_CHECKING:
    from .context import Context

DEFAULT = "spelregelwijzer"


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the rule card of a preset with the changes of --set; which presets there are when none is named."""
    if args.preset is None and not args.set and not args.json:
        _list(context)
        return 0
    name = args.preset or DEFAULT
    rules = named_rules(name, args.set, context)
    if args.json:
        values = dict(line.split("=", 1) for line in canonical(rules).decode().splitlines())
        changed = [key for key, _, _ in deviations(rules, name)]
        print(json.dumps({"preset": name, "house_rules": changed, "values": values}))
        return 0
    for line in page_lines(rules, name, context):
        context.show(line)
    return 0


def page_lines(rules: RuleSet, name: str, context: Context) -> list[str]:
    """The full card: its name, the sections, each sentence with its label, and what the labels mean."""
    lang = context.lang
    lines = [context.word("rules.title", preset=name)]
    if name in PRESETS:
        lines.append(context.word(f"rules.about.{name}"))
    page = rule_page(rules, name)
    section = ""
    for statement in page:
        if statement.section != section:
            section = statement.section
            lines.append(f"\n{page_text(f'rulepage.section.{section}', lang)}")
        label = page_text(f"rulepage.label.{statement.label.value}", lang)
        lines.append(f"  {told(statement, lang)}  [{label}]")
    lines.append(f"\n{page_text('rulepage.legend', lang)}")
    for kind in Label:
        if any(statement.label is kind for statement in page):
            label = page_text(f"rulepage.label.{kind.value}", lang)
            lines.append(f"  [{label}] {page_text(f'rulepage.legend.{kind.value}', lang, preset=name)}")
    if offered := offers(rules):
        lines.append(f"\n{page_text('rulepage.offers', lang)}")
        for code, switches in offered:
            lines.append(f"  {page_text(code, lang)}")
            lines.append("    " + " ".join(f"--set {switch}" for switch in switches))
    return lines


def short_lines(rules: RuleSet, name: str, context: Context) -> list[str]:
    """The card's short form: how it differs from the one this person played last, then its name."""
    lang = context.lang
    heading, differ = short_form(rules, name, last_rules(context))
    whole = page_text("rulepage.short.name", lang, preset=name)
    return [page_text(heading, lang), *(f"  {told(statement, lang)}" for statement in differ), whole]


def last_rules(context: Context) -> RuleSet | None:
    """The rules that this person played last; None where there are none, or this version knows them no more."""
    kept = context.profile.recall("rules")
    try:
        return None if kept is None else from_canonical(kept.encode())
    except ValueError:
        return None


def keep_rules(rules: RuleSet, context: Context) -> None:
    """Keep the rules of a game that begins, for the short form of the next card."""
    context.profile.remember(rules=canonical(rules).decode())


def _list(context: Context) -> None:
    context.say("rules.presets")
    for name in PRESETS:
        context.show(f"\n{name}\n  {context.word(f'rules.about.{name}')}")
    context.show("")
    context.say("rules.more", preset=DEFAULT)
