"""Signing keys: RFC 8032 values, strict verification, and no secret in any text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.identity import SigningKey, verify_signature

# RFC 8032 section 7.1: seed, public key, message, signature
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493
# canonical encodings of points of order 1, 2, 4 and 8
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
]


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    """Keys and signatures are those of RFC 8032, and verify."""
    key = SigningKey(bytes.fromhex(seed))

    assert key.public.hex() == public
    assert key.sign(bytes.fromhex(message)).hex() == signature
    assert verify_signature(key.public, bytes.fromhex(message), bytes.fromhex(signature))


@given(st.binary(max_size=100), st.integers(0, 511))
def test_any_changed_bit_fails(message: bytes, bit: int) -> None:
    """A signature with one bit changed, or over another message, does not verify."""
    key = SigningKey(bytes(range(32)))
    signature = key.sign(message)
    changed = bytearray(signature)
    changed[bit // 8] ^= 1 << bit % 8

    assert verify_signature(key.public, message, signature)
    assert not verify_signature(key.public, message, bytes(changed))
    assert not verify_signature(key.public, message + b"\0", signature)


@pytest.mark.must("C71")
def test_malleated_signature_is_refused() -> None:
    """Adding the group order to s, which lenient libraries take, is refused."""
    key = SigningKey(bytes(range(32)))
    signature = key.sign(b"entry")
    s = int.from_bytes(signature[32:], "little") + ED25519_ORDER

    assert not verify_signature(key.public, b"entry", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.must("C71")
@pytest.mark.parametrize("point", SMALL_ORDER)
def test_small_order_is_refused(point: str) -> None:
    """A key of small order, under which one signature fits many messages, is refused, and so is such an R."""
    small = bytes.fromhex(point)
    key = SigningKey(bytes(range(32)))

    # R = identity, s = 0: holds for every message under a key of small order without the extra check
    assert not verify_signature(small, b"any", bytes((1,)) + bytes(63))
    assert not verify_signature(key.public, b"any", small + bytes(32))


@pytest.mark.parametrize(("public", "signature"), [(31, 64), (33, 64), (32, 63), (32, 65), (0, 0)])
def test_wrong_lengths_are_no_signature(public: int, signature: int) -> None:
    """Whatever lengths arrive, the answer is no, never an error."""
    assert not verify_signature(bytes(public), b"entry", bytes(signature))


def test_secret_is_not_shown() -> None:
    """No text form of a key contains its seed."""
    seed = bytes(range(32))
    key = SigningKey(seed)

    assert key.public.hex() in repr(key)
    for text in (repr(key), str(key), f"{key}"):
        assert seed.hex() not in text


def test_seed_length() -> None:
    """A signing seed has 32 bytes."""
    with pytest.raises(ValueError, match="32 bytes"):
        SigningKey(bytes(31))
