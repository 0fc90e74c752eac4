"""What binds every value of a round to its table, roster, rules, keys and seeds (spec 5.2).

Pure hashes of public values (and of the seed in `seed_commitment`); who may learn what when is the session's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.crypto.group import psum
from protocol.crypto.hashing import H32, u8, u32

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.crypto.deck import Deck
    from protocol.crypto.group import Point

_WIDTHS = {"table_id": 16, "rules_hash": 32, "id_pk": 32, "secret": 32}


def ctx(table_id: bytes, round_number: int, id_pks: Sequence[bytes], rules_hash: bytes, mode: int = 0) -> bytes:
    """The context of one attempt at a round: `id_pks` are the signing keys in roster order.

    ValueError for a wrong width or for two equal keys (one node may not sit on two seats).
    """
    _expect("table_id", table_id)
    _expect("rules_hash", rules_hash)
    for key in id_pks:
        _expect("id_pk", key)
    if len(set(id_pks)) != len(id_pks):
        raise ValueError("the signing keys of a roster are distinct")
    return H32("dz1/ctx", table_id, u32(round_number), u8(len(id_pks)), b"".join(id_pks), rules_hash, u8(mode))


def seed_commitment(ctx: bytes, seat: int, s: bytes) -> bytes:
    """S_i: binds seat i to its seed s without showing it."""
    _expect("secret", s)
    return H32("dz1/seed", ctx, u8(seat), s)


def commitment(ctx: bytes, seat: int, H_i: Point, S_i: bytes, rho: bytes) -> bytes:
    """COMMIT_i: binds seat i to its key share, seed commitment and nonce before it knows anybody else's."""
    return H32("dz1/commit", ctx, u8(seat), H_i, S_i, rho)


def joint_nonce(ctx: bytes, rhos: Sequence[bytes]) -> bytes:
    """R, of the opened nonces in roster order."""
    return H32("dz1/R", ctx, *rhos)


def joint_key(H_is: Sequence[Point]) -> Point:
    """H, the sum of all key shares. May be the identity: then the attempt is void and nobody is named (spec 5.7)."""
    return psum(H_is)


def rctx(ctx: bytes, R: bytes, H_is: Sequence[Point], S_is: Sequence[bytes], epoch: int) -> bytes:
    """The context of one epoch of a round: all that was agreed before its first shuffle."""
    return H32("dz1/rctx", ctx, R, *H_is, *S_is, u8(epoch))


def deckhash(rctx: bytes, deck: Deck) -> bytes:
    """The hash of a deck under the rctx of its own epoch."""
    return H32("dz1/deck", rctx, deck.encode())


def _expect(what: str, value: bytes) -> None:
    if len(value) != _WIDTHS[what]:
        raise ValueError(f"{what} has {_WIDTHS[what]} bytes")
