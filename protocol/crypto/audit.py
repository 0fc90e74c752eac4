"""The audit after a round: whether a revealed seed explains the deck its seat put out (spec 5.7, AUDIT).

It recomputes the shuffle itself, with none of the proof code, so that a mistake in one does not hide in the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.crypto.context import seed_commitment
from protocol.crypto.deck import shuffle

if TYPE_CHECKING:
    from protocol.crypto.deck import Deck
    from protocol.crypto.group import Point

# the bytes of a VERDICT entry
OK: Final = 0
SEED: Final = 1
SHUFFLE: Final = 2
NOT_AUDITED: Final = 255


def audit_seed(ctx: bytes, seat: int, S_i: bytes, s: bytes) -> int:
    """OK or SEED: whether s is the seed that S_i committed to."""
    return OK if len(s) == 32 and seed_commitment(ctx, seat, s) == S_i else SEED


def audit_shuffle(
    ctx: bytes,
    seat: int,
    S_i: bytes,
    s: bytes | None,
    *,
    R: bytes,
    epoch: int,
    rctx: bytes,
    H: Point,
    deck_in: Deck,
    deck_out: Deck,
) -> int:
    """The verdict on one shuffle of one seat: OK, SEED, SHUFFLE, or NOT_AUDITED without a seed.

    `rctx`, `epoch` and the decks belong to one epoch; a seat's verdict is the first of its epochs that is not OK.
    """
    if s is None:
        return NOT_AUDITED
    if audit_seed(ctx, seat, S_i, s) != OK:
        return SEED
    expected, _, _ = shuffle(deck_in, H, s, R, epoch, rctx)
    return OK if expected == deck_out else SHUFFLE
