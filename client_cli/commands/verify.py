"""`duizenden verify`: everything about a game again, from its file alone. No network, no trust in anybody."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from client_cli.messages import fault_code, sentence
from client_cli.verdict import fault_sentence, was_broken_off
from node import gamefile
from protocol.errors import DuizendenError
from protocol.session.evidence import verify_evidence
from protocol.session.verify import verify_game

from .context import Context, UsageError, is_terminal
from .options import game_files, report_file
from .words import WORDS, good_verdict

if TYPE_CHECKING:
    from protocol.session.verify import Fault, Verdict

    from .reporting import Reporter


def run(args: argparse.Namespace, context: Context) -> int:
    """Verify files: 0 nothing wrong, 1 a fault (named), 2 one cannot be read as a game (or we failed, `guarded`).

    Of several files the worst decides, and their JSON has a line each, with the file. --html writes a report besides.
    """
    if args.evidence:
        return verify_evidence_files(args, context)
    try:
        page = None if args.html is None else report_file(args.html, context)
        files = game_files(args.files, context)
    except UsageError as error:
        if args.json:
            print(_no_verdict(str(error), {}))
        raise
    reporter = None if page is None else _reporter(context)
    codes = []
    for path in files:
        if len(files) > 1 and not args.json:
            context.say("verify.file", file=path)
        named = {"file": str(path)} if len(files) > 1 else {}
        codes.append(_verify(path, args, context, reporter, named))
        if reporter is not None and codes[-1] == 2:
            reporter.unreadable(path)
    if page is not None and reporter is not None and reporter.write(page) and not args.json:
        context.say("verify.html", file=page)
    return max(codes)


def _reporter(context: Context) -> Reporter:
    from .reporting import Reporter

    return Reporter(context.lang)


def _verify(
    path: Path, args: argparse.Namespace, context: Context, reporter: Reporter | None, named: dict[str, str]
) -> int:
    """Verify one file and say so (with `named` in its JSON); exit code as for `run`."""
    try:
        data = gamefile.read(path)
    except OSError as error:
        return _unreadable("e.file", path, error.strerror or str(error), args, context, named)
    try:
        if reporter is None:
            verdict = verify_game(data, os.urandom(32), _progress(args, context))
        else:
            verdict = reporter.verify(path, data, os.urandom(32), _progress(args, context))
    except DuizendenError as error:
        return _unreadable("e.not_a_game", path, error.code, args, context, named)
    if args.json:
        print(json.dumps(named | verdict.as_json()))
    else:
        _show(verdict, context)
    return 0 if verdict.ok else 1


def verify_evidence_files(args: argparse.Namespace, context: Context) -> int:
    """Verify evidence: 0 every file proves what it says, 1 one does not, 2 one cannot be read as evidence."""
    if args.html is not None:
        raise UsageError(context.word("e.evidence_html"))
    if "" in args.files:
        raise UsageError(context.word("e.empty_name"))
    return max(_verify_evidence(path, args, context) for path in map(Path, args.files))


def _verify_evidence(path: Path, args: argparse.Namespace, context: Context) -> int:
    named = {"file": str(path)} if len(args.files) > 1 else {}
    try:
        ruling = verify_evidence(gamefile.read(path), os.urandom(32), _progress(args, context))
    except OSError as error:
        return _unreadable("e.file", path, error.strerror or str(error), args, context, named)
    except DuizendenError as error:
        return _unreadable("e.not_evidence", path, error.code, args, context, named)
    if args.json:
        print(json.dumps(named | ruling.as_json()))
        return 0 if ruling.proven else 1
    context.say("evidence.proven" if ruling.proven else "evidence.not")
    for finding in ruling.findings:
        name, what = ruling.genesis.players[finding.seat].name, sentence(fault_code(finding.code), context.lang)
        context.say("evidence.says", name=name, seat=finding.seat + 1, step=finding.step, what=what, code=finding.code)
    if not ruling.proven:
        context.say("evidence.why", code=ruling.why)
    return 0 if ruling.proven else 1


def _unreadable(
    code: str, path: Path, detail: str, args: argparse.Namespace, context: Context, named: dict[str, str]
) -> int:
    if args.json:
        print(_no_verdict(detail, named))
    context.show(context.word(code, file=path, detail=why_no_game(detail, context)), sys.stderr)
    return 2


def _no_verdict(why: str, named: dict[str, str]) -> str:
    return json.dumps(named | {"ok": False, "complete": False, "fault": None, "error": why})


def why_no_game(detail: str, context: Context) -> str:
    """Why bytes are no game file: the code in words where there are any, else as it is."""
    return context.word(f"why.{detail}") if f"why.{detail}" in WORDS else detail


class _Bar:
    """Progress in per cents on standard error, where a person watches."""

    def __init__(self) -> None:
        self._last = -1

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // max(1, total)
        if percent != self._last:
            self._last = percent
            print(f"\r{percent:3d} %", end="\r" if percent < 100 else "\r     \r", file=sys.stderr, flush=True)


def _progress(args: argparse.Namespace, context: Context) -> _Bar | None:
    if context.linear and not args.json:
        context.show(context.word("linear.checking"), sys.stderr)
    bar = context.interactive and is_terminal(sys.stderr) and not args.json and not context.linear
    return _Bar() if bar else None


def _show(verdict: Verdict, context: Context) -> None:
    players = verdict.genesis.players
    if verdict.fault is None:
        code = good_verdict(complete=verdict.complete, broken_off=was_broken_off(verdict))
        context.say(code, rounds=len(verdict.results))
    else:
        _show_fault(verdict.fault, verdict, context)
    if verdict.departed:
        context.say("verify.departed", names=", ".join(players[seat].name for seat in verdict.departed))
    if verdict.genesis.seeded:
        context.say("verify.seeded")
    rows = [(context.word(f"verify.{name}"), str(count)) for name, count in asdict(verdict.checks).items()]
    width = max(len(label) for label, _ in rows)
    context.show(f"\n{context.word('verify.checked')}:")
    for label, count in rows:
        context.show(f"  {label:<{width}}  {count:>8}")
    context.show(
        f"\n{context.word('verify.scores')}: "
        + ", ".join(f"{p.name} {t}" for p, t in zip(players, verdict.totals, strict=True))
    )
    context.show(f"{context.word('verify.head')}: {verdict.head.hex()}")


def _show_fault(fault: Fault, verdict: Verdict, context: Context) -> None:
    """What is wrong and whose doing it is, in a sentence; the code and the developers' English after a mark."""
    context.show(fault_sentence(verdict, fault, context.lang))
    context.say("verify.detail", detail=f"{fault.code}: {fault.detail[:200]}" if fault.detail else fault.code)
