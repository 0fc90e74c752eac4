"""Signing keys of seats: Ed25519 as libsodium does it. Keys never encrypt; what is signed is the wire's business."""

from __future__ import annotations

from protocol.crypto.sodium import LIBRARY, PUBLIC_KEY_BYTES, SIGNATURE_BYTES


class SigningKey:
    """The signing key of one identity, derived from 32 secret bytes; its text forms show the public half only."""

    __slots__ = ("_secret", "public")

    def __init__(self, seed32: bytes) -> None:
        """Derive the pair; ValueError unless the seed has 32 bytes."""
        self.public, self._secret = LIBRARY.sign_seed_keypair(seed32)

    def sign(self, message: bytes) -> bytes:
        """The 64-byte signature; the same message always gets the same one (RFC 8032)."""
        return LIBRARY.sign_detached(message, self._secret)

    def __repr__(self) -> str:
        return f"SigningKey(public={self.public.hex()})"


def verify_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature holds under libsodium's strict rules; never raises, whatever was received.

    Strict (spec 5.7): canonical key, no small-order key or R, s below the order, no cofactor. Other libraries differ
    in these corners, and evidence must mean the same to everybody.
    """
    if len(public) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    return LIBRARY.sign_verify_detached(signature, message, public)
