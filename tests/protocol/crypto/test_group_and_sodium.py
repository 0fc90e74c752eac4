"""The group: its two gates, legal identities, and the two libsodium sources giving equal results."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import sodium
from protocol.crypto.group import (
    IDENTITY,
    G,
    Q,
    add,
    base,
    decode_point,
    decode_scalar,
    encode_scalar,
    msum,
    mul,
    neg,
    psum,
    sub,
)
from protocol.crypto.hashing import Hp, Hs
from protocol.errors import InternalError
from tests.protocol.crypto.crypto_world import chain, code_of

SCALARS = st.one_of(st.sampled_from([0, 1, 2, Q - 1, Q, Q + 1]), st.integers(0, 2**253))
P = Hp("test/P")

# RFC 9496, appendix A.1 and A.2
MULTIPLES = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
)
INVALID = {
    "field element not reduced": (
        "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ),
    "field element negative": (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
        "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
    ),
    "not a square": (
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
        "de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad87",
    ),
    "product negative": (
        "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
        "a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220",
    ),
    "s is -1": ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",),
}


# ------------------------------------------------------------------ gates


@pytest.mark.must("C1", "C2")
@pytest.mark.parametrize(("reason", "data"), [(reason, data) for reason, all_ in INVALID.items() for data in all_])
def test_invalid_encodings_are_refused(reason: str, data: str) -> None:
    """Every invalid encoding of RFC 9496 is refused, whatever makes it invalid."""
    assert code_of(lambda: decode_point(bytes.fromhex(data), "layer")) == "layer/point"


@pytest.mark.must("C1")
def test_multiples_of_the_generator() -> None:
    """The first multiples of G are those of RFC 9496."""
    assert [base(k).hex() for k in range(4)] == list(MULTIPLES)
    assert bytes.fromhex(MULTIPLES[1]) == G


@pytest.mark.must("C2")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (IDENTITY, "layer/point"),
        (G[:31] + bytes((G[31] | 0x80,)), "layer/point"),
        (G[:31], "layer/length"),
        (G + b"\0", "layer/length"),
        (b"", "layer/length"),
    ],
)
def test_point_gate(data: bytes, code: str) -> None:
    """The identity, bit 255 and other lengths never enter, although libsodium itself lets the first two in."""
    assert code_of(lambda: decode_point(data, "layer")) == code


@pytest.mark.must("C3")
@pytest.mark.parametrize(
    ("value", "code"),
    [(0, "valid"), (Q - 1, "valid"), (Q, "layer/scalar"), (Q + 1, "layer/scalar"), (2**256 - 1, "layer/scalar")],
)
def test_scalar_gate(value: int, code: str) -> None:
    """A scalar enters exactly when its integer is below the order."""
    assert code_of(lambda: decode_scalar(value.to_bytes(32, "little"), "layer")) == code


@pytest.mark.parametrize("data", [bytes(31), bytes(33), b""])
def test_scalar_length(data: bytes) -> None:
    """A scalar has 32 bytes."""
    assert code_of(lambda: decode_scalar(data, "layer")) == "layer/length"


@given(st.binary(min_size=32, max_size=32))
def test_gate_gives_the_bytes_or_a_verdict(data: bytes) -> None:
    """Any 32 bytes either are a point, unchanged, or are refused as one; nothing else happens."""
    verdict = code_of(lambda: decode_point(data))

    assert verdict in {"valid", "group/point"}
    if verdict == "valid":
        assert add(data, IDENTITY) == data == decode_point(data)


@given(SCALARS)
def test_scalars_round_trip(value: int) -> None:
    """Encoding reduces modulo the order, and decoding gives it back."""
    assert decode_scalar(encode_scalar(value)) == value % Q


# ------------------------------------------------------------------ arithmetic, with identities


@given(SCALARS, SCALARS)
def test_group_laws(a: int, b: int) -> None:
    """Multiples add up, on every path and with zero and the identity among them."""
    assert add(base(a), base(b)) == base(a + b)
    assert sub(base(a), base(b)) == base(a - b)
    assert mul(a, base(b)) == mul(b, base(a)) == base(a * b)
    assert neg(base(a)) == base(-a)
    assert msum([(a, P), (b, P), (-a - b, P)]) == IDENTITY
    assert psum([base(a), base(b), P]) == add(base(a + b), P)


def test_empty_sums() -> None:
    """Sums of nothing, and of zero terms only, are the identity."""
    assert msum([]) == msum([(0, P), (Q, G), (5, IDENTITY)]) == psum([]) == IDENTITY


@pytest.mark.parametrize(
    "use",
    [
        lambda bad: mul(2, bad),
        lambda bad: add(G, bad),
        lambda bad: sub(bad, G),
        lambda bad: msum([(1, G), (2, bad)]),
        lambda bad: msum([(2, bad)]),
        lambda bad: psum([G, bad]),
    ],
)
def test_unchecked_bytes_are_our_bug(use: Callable[[bytes], bytes]) -> None:
    """Computing with bytes that never passed the gate is an internal error, not a verdict on a peer."""
    with pytest.raises(InternalError):
        use(bytes.fromhex(INVALID["not a square"][0]))


# ------------------------------------------------------------------ the two libraries


def _libraries() -> tuple[sodium.Library, sodium.Library]:
    return sodium.load(), sodium.bundled_library()


@given(st.binary(min_size=64, max_size=64), st.integers(1, Q - 1))
def test_both_libraries_agree(digest: bytes, scalar: int) -> None:
    """The chosen and the bundled library compute the same points and signatures."""
    s = encode_scalar(scalar)
    results = []
    for lib in _libraries():
        p = lib.from_hash(hashlib.sha512(digest).digest())  # 64 zero bytes would be the identity
        product = lib.scalarmult(s, p)
        public, secret = lib.sign_seed_keypair(digest[:32])
        signature = lib.sign_detached(digest, secret)
        results.append(
            (
                p,
                product,
                lib.scalarmult_base(s),
                lib.add(p, product),
                lib.sub(p, product),
                lib.point_sum([p, product, p]),
                lib.linear_combination([(s, p), (s, product)]),
                public,
                signature,
                lib.from_hash(digest),
                lib.is_valid_point(digest[:32]),
                lib.sign_verify_detached(signature, digest, public),
            )
        )

    assert results[0] == results[1]
    assert results[0][-1] is True


BAD = bytes.fromhex(INVALID["not a square"][0])
REFUSED: list[Callable[[sodium.Library], object]] = [
    lambda lib: lib.scalarmult_base(bytes(32)),
    lambda lib: lib.scalarmult(bytes(32), G),
    lambda lib: lib.scalarmult(encode_scalar(2), IDENTITY),
    lambda lib: lib.scalarmult(encode_scalar(2), BAD),
    lambda lib: lib.add(G, BAD),
    lambda lib: lib.sub(G, BAD),
    lambda lib: lib.point_sum([G, BAD]),
    lambda lib: lib.linear_combination([(encode_scalar(2), BAD)]),
    lambda lib: lib.linear_combination([(encode_scalar(2), G), (encode_scalar(2), BAD)]),
]
WRONG_LENGTHS: list[Callable[[sodium.Library], object]] = [
    lambda lib: lib.scalarmult_base(bytes(31)),
    lambda lib: lib.scalarmult(bytes(32), G[:31]),
    lambda lib: lib.add(G, b""),
    lambda lib: lib.sub(b"", G),
    lambda lib: lib.is_valid_point(b""),
    lambda lib: lib.from_hash(bytes(32)),
    lambda lib: lib.point_sum([G, b""]),
    lambda lib: lib.linear_combination([(bytes(31), G)]),
    lambda lib: lib.sign_seed_keypair(bytes(31)),
    lambda lib: lib.sign_detached(b"", bytes(63)),
    lambda lib: lib.sign_verify_detached(bytes(63), b"", bytes(32)),
]


@pytest.mark.parametrize("use", REFUSED)
def test_both_libraries_refuse_alike(use: Callable[[sodium.Library], object]) -> None:
    """Zero products and undecodable points are refused by either library."""
    for lib in _libraries():
        with pytest.raises(sodium.InvalidPointError):
            use(lib)


@pytest.mark.parametrize("use", WRONG_LENGTHS)
def test_lengths_are_checked_before_c_sees_them(use: Callable[[sodium.Library], object]) -> None:
    """A wrong length raises instead of letting C read past the end."""
    for lib in _libraries():
        with pytest.raises(ValueError, match="byte"):
            use(lib)


def test_fallback() -> None:
    """Without a usable system library the bundled one serves."""
    assert sodium.load([]).origin == "rbcl"
    assert sodium.load(["no-such-library"]).origin == "rbcl"
    with pytest.raises(sodium.UnusableError):
        sodium.system_library([])


def test_bundled_library_leaves_no_file() -> None:
    """Using the bundled library in a fresh process leaves no temporary file behind."""
    with tempfile.TemporaryDirectory() as folder:
        program = "from protocol.crypto import sodium; print(sodium.bundled_library().version >= (1, 0, 18))"
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[3],
            env={"TMPDIR": folder, "TEMP": folder, "TMP": folder},
            capture_output=True,
            text=True,
            check=True,
        )

        assert done.stdout == "True\n"
        assert list(Path(folder).iterdir()) == []


def test_a_whole_proof_on_the_bundled_library() -> None:
    """A process that finds no system library makes the very same proof bytes as this one."""
    program = (
        "import protocol.crypto.sodium as s\n"
        "import ctypes, sys\n"
        "real = ctypes.CDLL\n"
        "names = {*s._SYSTEM_NAMES_ELSEWHERE, *sum(s._SYSTEM_NAMES.values(), ())}\n"
        "def refuse(name, *a, **k):\n"
        "    if name in names: raise OSError(name)\n"
        "    return real(name, *a, **k)\n"
        "ctypes.CDLL = refuse\n"
        "for module in [m for m in sys.modules if m.startswith('protocol.crypto')]: del sys.modules[module]\n"
        "from protocol.crypto.sodium import LIBRARY\n"
        "from tests.protocol.crypto.crypto_world import chain\n"
        "import hashlib\n"
        "print(LIBRARY.origin, hashlib.sha512(chain(5, 2).proofs[1]).hexdigest())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["rbcl", hashlib.sha512(chain(5, 2).proofs[1]).hexdigest()]


def test_loaded_library() -> None:
    """The library that was loaded is new enough and says where it came from."""
    assert sodium.LIBRARY.version >= (1, 0, 18)
    assert sodium.LIBRARY.origin


def test_threads_do_not_mix_results() -> None:
    """Calls of several threads at once, which libsodium runs outside the interpreter lock, keep to their buffers."""
    scalars = [Hs("test/thread", bytes((i,))) for i in range(200)]
    expected = [msum([(s, P), (s + 1, G)]) for s in scalars]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda s: add(mul(s, P), base(s + 1)), scalars))

    assert expected == found
