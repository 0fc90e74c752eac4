"""Options that several commands share, read into values; what cannot be becomes a `UsageError` with its sentence."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client_cli.messages import sentence
from client_cli.rulecard import rule_card
from node.addresses import BrokerAddress, parse_address
from node.profile import clean_name
from protocol.errors import DuizendenError
from protocol.rules.ruleset import RuleSet, check_players, for_players, parse_override, preset, with_overrides

from .context import Context, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def rules_of(args: argparse.Namespace, context: Context, players: int) -> RuleSet:
    """The rule card of --rules and --set, widened to this many seats. Raises UsageError."""
    rules = named_rules(args.rules, args.set, context)
    try:
        check_players(rules, players)
        return for_players(rules, players)
    except (DuizendenError, ValueError) as error:
        detail = error.detail if isinstance(error, DuizendenError) else str(error)
        raise UsageError(context.word("e.players", players=players, detail=detail)) from None


def named_rules(name: str, overrides: list[str], context: Context) -> RuleSet:
    """A preset with changes. Raises UsageError."""
    try:
        rules = preset(name)
        changes = dict(parse_override(text) for text in overrides)
        return with_overrides(rules, changes) if changes else rules
    except ValueError as error:
        raise UsageError(context.word("e.rules", detail=error)) from None


def house_rules(rules: RuleSet, name: str, lang: str) -> list[str]:
    """What deviates from the preset, in words."""
    return [sentence(c.code, lang, **dict(c.facts)) for c in rule_card(rules, name) if c.house]


def name_of(args: argparse.Namespace, context: Context) -> str:
    """The name at the table: --name (kept for next time), else the one used last."""
    given = clean_name(args.name or "")
    if given:
        context.profile.remember(name=given)
        return given
    return context.profile.name()


def address_of(text: str, context: Context) -> BrokerAddress:
    """A broker's address as typed. Raises UsageError."""
    try:
        return parse_address(text)
    except ValueError as error:
        raise UsageError(context.word("e.address", detail=error)) from None


def bot_journals(context: Context) -> Path:
    """The folder for the journals of bots that play for somebody on this machine."""
    folder = context.profile.games / "bots"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder
