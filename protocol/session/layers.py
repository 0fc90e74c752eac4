"""The layer of a verdict: how far the checks of a game came before one failed (spec/40-game-file.md).

A code belongs to exactly one layer, by its exact name or else by its group, the part before the slash. Test vectors
name the layer, so that a failure low down cannot hide behind one higher up.
"""

from __future__ import annotations

LAYERS = ("wire", "signature", "chain", "proof", "rules", "audit")
"""In the order in which an entry passes them; a game without a fault is `ok`. The specification's table follows it."""

_BY_CODE = {
    "entry/signature": "signature",
    "open/owner": "rules",
    "open/slots": "rules",
}
GROUPS = {
    "wire": "wire",
    "file": "wire",
    "genesis": "wire",
    "entry": "wire",
    "body": "wire",
    "log": "chain",
    "side": "chain",
    "seat": "chain",
    "ready": "chain",
    "end": "chain",
    "void": "chain",
    "open": "proof",
    "group": "proof",
    "deck": "proof",
    "proof": "proof",
    "pok": "proof",
    "dleq": "proof",
    "card": "proof",
    "draw": "rules",
    "rules": "rules",
    "audit": "audit",
    "verdict": "audit",
}


def layer_of(code: str) -> str:
    """The layer of a fault's code. Raises KeyError for a code that no game file can bring about."""
    return _BY_CODE.get(code) or GROUPS[code.partition("/")[0]]
