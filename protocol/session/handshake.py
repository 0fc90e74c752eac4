"""The card handshake: three cards that all seats of one table see, to be said aloud (spec/60-security.md).

Pure derivation only. When the cards are shown, and what people do with them, is the client's.
"""

from __future__ import annotations

from protocol.crypto.hashing import H
from protocol.rules.cards import JOKER

from .genesis import Genesis

CARDS = 3


def handshake_cards(genesis: Genesis, joint_nonce: bytes) -> tuple[int, ...]:
    """Three different natural faces from the genesis and the joint nonce of the first round.

    H("dz1/handshake", genesis, R) as an integer, little-endian, is divided by 52, 51 and 50 in turn; each remainder
    picks from the natural faces that are left, in order. Two tables that differ in a key, a name, a seat or a rule show
    the same cards once in 132 600.
    """
    left = list(range(JOKER))
    number = int.from_bytes(H("dz1/handshake", genesis.encode(), joint_nonce), "little")
    cards = []
    for _ in range(CARDS):
        number, place = divmod(number, len(left))
        cards.append(left.pop(place))
    return tuple(cards)
