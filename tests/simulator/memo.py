"""Remembers the results of the dear, pure functions of the card cryptography, so that many seeds can play one table.

The tests of the session use it too: its seats, both judges and many cases compute the same.

Nothing is skipped or faked: each value was computed by the real function for exactly these arguments, once in this
process. Simulated tables share keys, secrets and choices, so most of what two seeds compute is the same. Errors are not
remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any
from unittest.mock import patch

from node import messages, router, topics
from protocol.crypto import audit, deck, proofs, shuffle
from protocol.session import genesis, setup
from protocol.wire import entry

_MISSING = object()
_CHAIN_WEIGHTS = 4
"""The place of the unpredictable weights among the arguments of `verify_chain`: the verdict does not depend on them."""


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        if isinstance(value, Mapping):
            return tuple(sorted((k, _hashable(v)) for k, v in value.items()))
        return tuple(map(_hashable, value))
    return value


def _remembering(module: ModuleType, name: str, known: dict[Any, Any]) -> Any:
    real: Callable[..., Any] = getattr(module, name)

    def remembered(*args: Any, **kwargs: Any) -> Any:
        told = args[:_CHAIN_WEIGHTS] + args[_CHAIN_WEIGHTS + 1 :] if name == "verify_chain" else args
        key = (name, _hashable(told), _hashable(kwargs))
        value = known.get(key, _MISSING)
        if value is _MISSING:
            value = known[key] = real(*args, **kwargs)
        return value

    return patch.object(module, name, remembered)


_DEAR: tuple[tuple[ModuleType, tuple[str, ...]], ...] = (
    (shuffle, ("prove", "verify_chain")),
    (deck, ("shuffle", "start_deck", "residual", "find_card")),
    (setup, ("decode_deck",)),
    (proofs, ("prove_key", "verify_key", "prove_shares", "verify_shares", "verify_card")),
    (audit, ("audit_shuffle",)),
    (entry, ("verify_signature",)),
    (messages, ("verify_signature",)),
)
_NAMES: tuple[tuple[ModuleType, str], ...] = (
    (messages, "node_name"),
    (topics, "node_name"),
    (topics, "table_name"),
    (topics, "parse_topic"),
    (router, "parse_topic"),
    (genesis, "rules_hash"),
)
_known: dict[Any, Any] = {}


@contextmanager
def remembering() -> Iterator[None]:
    """Remember while this lasts, and for the next time."""
    patches = [patch.object(module, name, cache(getattr(module, name))) for module, name in _NAMES]
    patches += [_remembering(module, name, _known) for module, names in _DEAR for name in names]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()
