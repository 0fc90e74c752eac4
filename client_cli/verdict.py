"""The fault of a game file in one sentence, the same wherever it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.session.view import plays_on

from .commands.words import word
from .messages import fault_code, sentence

if TYPE_CHECKING:
    from protocol.session.verify import Fault, Verdict


def was_broken_off(verdict: Verdict) -> bool:
    """Whether a departure ended the game of this file; False where the others played on."""
    left = len(verdict.genesis.players) - len(verdict.departed)
    return bool(verdict.departed) and not plays_on(verdict.genesis.rules, left)


def fault_sentence(verdict: Verdict, fault: Fault, lang: str) -> str:
    """What is wrong, and whose doing it is: a player is accused only of what they signed (`Fault.names`)."""
    if fault.seat is None:
        return word("verify.after", lang, step=fault.step)
    name = verdict.genesis.players[fault.seat].name
    what = sentence(fault_code(fault.code), lang)
    code = "verify.fault" if fault.names else "verify.place"
    return word(code, lang, step=fault.step, seat=fault.seat + 1, name=name, what=what)
