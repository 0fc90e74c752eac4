"""`duizenden rules`: a rule card in words, and every value of it for programs."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from client_cli.messages import sentence
from client_cli.rulecard import rule_card
from protocol.rules.ruleset import PRESETS, canonical, deviations

from .options import named_rules

if TYPE_CHECKING:
    from .context import Context

DEFAULT = "klassiek"


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
    context.say("rules.title", preset=name)
    context.say(f"rules.about.{name}")
    topic = ""
    for clause in rule_card(rules, name):
        if clause.topic != topic:
            topic = clause.topic
            context.show(f"\n{sentence(topic, context.lang)}")
        mark = f"  [{context.word('rules.house')}]" if clause.house else ""
        context.show(f"  {sentence(clause.code, context.lang, **dict(clause.facts))}{mark}")
    return 0


def _list(context: Context) -> None:
    context.say("rules.presets")
    for name in PRESETS:
        context.show(f"\n{name}\n  {context.word(f'rules.about.{name}')}")
    context.show("")
    context.say("rules.more", preset=DEFAULT)
