"""libsodium through ctypes: the only module of the project that touches a shared library.

Here live finding a library, the function signatures and the buffer handling; what a point or a scalar *means*
(decoding rules, computed identities, integers modulo q) lives in `group`. Two sources serve the same code path:
the system's libsodium when it is at least 1.0.18 (the first with everything needed here), else the copy that the
package `rbcl` carries. Calls release the interpreter lock, and every call owns its output buffer, so a `Library`
may be used from several threads.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
HASH_BYTES: Final = 64
SEED_BYTES: Final = 32
PUBLIC_KEY_BYTES: Final = 32
SECRET_KEY_BYTES: Final = 64
SIGNATURE_BYTES: Final = 64

_OLDEST: Final = (1, 0, 18)

# Names to try, newest first. Fixed names instead of ctypes.util.find_library: that one starts compilers and
# ldconfig on Linux, which costs more than everything else at start-up.
_SYSTEM_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "win32": ("libsodium.dll",),
    "darwin": (
        "libsodium.dylib",
        "/opt/homebrew/lib/libsodium.dylib",
        "/usr/local/lib/libsodium.dylib",
        "/opt/local/lib/libsodium.dylib",
    ),
}
_SYSTEM_NAMES_ELSEWHERE: Final = ("libsodium.so.26", "libsodium.so.23", "libsodium.so")

# A char pointer takes `bytes` and arrays without a copy; lengths are checked before every call, C would not.
_P = ctypes.c_char_p
_SIZE = ctypes.c_ulonglong
_SIGNATURES: Final[dict[str, tuple[object, ...]]] = {
    "crypto_scalarmult_ristretto255": (_P, _P, _P),
    "crypto_scalarmult_ristretto255_base": (_P, _P),
    "crypto_core_ristretto255_add": (_P, _P, _P),
    "crypto_core_ristretto255_sub": (_P, _P, _P),
    "crypto_core_ristretto255_is_valid_point": (_P,),
    "crypto_core_ristretto255_from_hash": (_P, _P),
    "crypto_sign_seed_keypair": (_P, _P, _P),
    "crypto_sign_detached": (_P, ctypes.c_void_p, _P, _SIZE, _P),
    "crypto_sign_verify_detached": (_P, _P, _SIZE, _P),
}

_Buffer32 = ctypes.c_char * 32
_Buffer64 = ctypes.c_char * 64


class UnusableError(Exception):
    """This library cannot serve: it is missing, too old or built without a function that is needed."""


class InvalidPointError(Exception):
    """libsodium refused: an argument encodes no point, or the result of a multiplication is the identity."""


class Library:
    """One loaded libsodium. All arguments and results are `bytes` of the fixed lengths above.

    `origin` says where it came from, `version` is its own version number. Wrong lengths raise ValueError.
    """

    __slots__ = (
        "_add",
        "_base",
        "_from_hash",
        "_keypair",
        "_mul",
        "_sign",
        "_sub",
        "_valid",
        "_verify",
        "origin",
        "version",
    )

    def __init__(self, cdll: ctypes.CDLL, origin: str) -> None:
        """Bind and initialise; raises UnusableError when a function is missing or the version is too old."""
        self.origin = origin
        self.version = _version(cdll)
        if self.version < _OLDEST:
            raise UnusableError(f"{origin}: libsodium {self.version} is older than {_OLDEST}")
        for name, arguments in _SIGNATURES.items():
            try:
                function = getattr(cdll, name)
            except AttributeError:
                raise UnusableError(f"{origin}: no {name}") from None
            function.argtypes = arguments
            function.restype = ctypes.c_int
        if cdll.sodium_init() < 0:  # 1 means that somebody else in this process has done it already
            raise UnusableError(f"{origin}: sodium_init failed")
        self._mul = cdll.crypto_scalarmult_ristretto255
        self._base = cdll.crypto_scalarmult_ristretto255_base
        self._add = cdll.crypto_core_ristretto255_add
        self._sub = cdll.crypto_core_ristretto255_sub
        self._valid = cdll.crypto_core_ristretto255_is_valid_point
        self._from_hash = cdll.crypto_core_ristretto255_from_hash
        self._keypair = cdll.crypto_sign_seed_keypair
        self._sign = cdll.crypto_sign_detached
        self._verify = cdll.crypto_sign_verify_detached

    # -------------------------------------------------------------- ristretto255

    def scalarmult(self, scalar: bytes, point: bytes) -> bytes:
        """Scalar times point; InvalidPointError when the point does not decode or the result is the identity."""
        if len(scalar) != SCALAR_BYTES or len(point) != POINT_BYTES:
            raise ValueError("a scalar and a point are 32 bytes each")
        out = _Buffer32()
        if self._mul(out, scalar, point):
            raise InvalidPointError
        return out.raw

    def scalarmult_base(self, scalar: bytes) -> bytes:
        """Scalar times the generator; InvalidPointError when the result is the identity."""
        if len(scalar) != SCALAR_BYTES:
            raise ValueError("a scalar is 32 bytes")
        out = _Buffer32()
        if self._base(out, scalar):
            raise InvalidPointError
        return out.raw

    def add(self, left: bytes, right: bytes) -> bytes:
        """Sum of two points, which may be the identity; InvalidPointError when one does not decode."""
        if len(left) != POINT_BYTES or len(right) != POINT_BYTES:
            raise ValueError("a point is 32 bytes")
        out = _Buffer32()
        if self._add(out, left, right):
            raise InvalidPointError
        return out.raw

    def sub(self, left: bytes, right: bytes) -> bytes:
        """Difference of two points, which may be the identity; InvalidPointError when one does not decode."""
        if len(left) != POINT_BYTES or len(right) != POINT_BYTES:
            raise ValueError("a point is 32 bytes")
        out = _Buffer32()
        if self._sub(out, left, right):
            raise InvalidPointError
        return out.raw

    def is_valid_point(self, point: bytes) -> bool:
        """Whether libsodium decodes these 32 bytes. It ignores bit 255 and takes the identity: `group` does not."""
        if len(point) != POINT_BYTES:
            raise ValueError("a point is 32 bytes")
        return bool(self._valid(point) == 1)

    def from_hash(self, digest: bytes) -> bytes:
        """The one-way map of RFC 9496 section 4.3.4 from 64 uniform bytes to a point."""
        if len(digest) != HASH_BYTES:
            raise ValueError("the one-way map takes 64 bytes")
        out = _Buffer32()
        self._from_hash(out, digest)
        return out.raw

    def linear_combination(self, terms: Iterable[tuple[bytes, bytes]]) -> bytes | None:
        """Sum of scalar times point over terms whose products are not the identity; None when there is no term.

        One loop with two buffers instead of `scalarmult` and `add`: verification spends nearly all its time here.
        Raises InvalidPointError like these.
        """
        mul, add = self._mul, self._add
        total = _Buffer32()
        product = _Buffer32()
        empty = True
        for scalar, point in terms:
            if len(scalar) != SCALAR_BYTES or len(point) != POINT_BYTES:
                raise ValueError("a scalar and a point are 32 bytes each")
            if empty:
                empty = False
                if mul(total, scalar, point):
                    raise InvalidPointError
            # libsodium decodes both summands before it writes: the sum may overwrite one of them
            elif mul(product, scalar, point) or add(total, total, product):
                raise InvalidPointError
        return None if empty else total.raw

    def point_sum(self, points: Sequence[bytes]) -> bytes | None:
        """Sum of points, which may be the identity; None for no points; InvalidPointError when one does not decode."""
        if not points:
            return None
        if any(len(point) != POINT_BYTES for point in points):
            raise ValueError("a point is 32 bytes")
        add = self._add
        total = _Buffer32.from_buffer_copy(points[0])
        for point in points[1:]:
            if add(total, total, point):
                raise InvalidPointError
        return total.raw

    # -------------------------------------------------------------- Ed25519

    def sign_seed_keypair(self, seed: bytes) -> tuple[bytes, bytes]:
        """Public key (32 bytes) and secret key (64 bytes) of a seed (RFC 8032)."""
        if len(seed) != SEED_BYTES:
            raise ValueError("a signing seed is 32 bytes")
        public, secret = _Buffer32(), _Buffer64()
        self._keypair(public, secret, seed)
        return public.raw, secret.raw

    def sign_detached(self, message: bytes, secret_key: bytes) -> bytes:
        """The 64-byte signature of a message; deterministic (RFC 8032)."""
        if len(secret_key) != SECRET_KEY_BYTES:
            raise ValueError("a secret signing key is 64 bytes")
        out = _Buffer64()
        self._sign(out, None, message, len(message), secret_key)
        return out.raw

    def sign_verify_detached(self, signature: bytes, message: bytes, public_key: bytes) -> bool:
        """Whether a signature holds, by libsodium's strict rules (spec 5.7). Wrong lengths raise ValueError."""
        if len(signature) != SIGNATURE_BYTES or len(public_key) != PUBLIC_KEY_BYTES:
            raise ValueError("a signature is 64 bytes, a public key 32")
        return bool(self._verify(signature, message, len(message), public_key) == 0)


def _version(cdll: ctypes.CDLL) -> tuple[int, ...]:
    try:
        cdll.sodium_version_string.restype = ctypes.c_char_p
        text = cdll.sodium_version_string()
    except AttributeError:
        raise UnusableError("not libsodium") from None
    # "1.0.18", or a suffix such as "1.0.20-stable"
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in text.decode("ascii").split("-")[0].split("."))


def system_library(names: Sequence[str] | None = None) -> Library:
    """The system's libsodium, by the usual names of the platform or the given ones; raises UnusableError."""
    reasons = []
    for name in _SYSTEM_NAMES.get(sys.platform, _SYSTEM_NAMES_ELSEWHERE) if names is None else names:
        try:
            return Library(ctypes.CDLL(name), name)
        except (OSError, UnusableError) as error:
            reasons.append(f"{name}: {error}")
    raise UnusableError("; ".join(reasons) or "no names to try")


@cache
def bundled_library() -> Library:
    """The libsodium inside the package `rbcl`; raises UnusableError when that is not installed.

    At import `rbcl` writes its library into a temporary file that it never removes. It is loaded a second time
    here, so that our signatures stay our own, and the file is removed: at once where a loaded file may be
    unlinked, else (Windows) at exit after letting go of it. Cached, because the file serves once.
    """
    try:
        import rbcl  # noqa: F401  (its import unpacks and initialises the library)
    except ImportError:
        raise UnusableError("rbcl is not installed") from None
    carrier = importlib.import_module("rbcl._sodium")  # its attribute of that name is the library, not the module
    path = Path(carrier.lib_path)
    handle = ctypes.CDLL(str(path))
    _discard(path, [handle, carrier._sodium])  # noqa: SLF001  (rbcl has no public name for it)
    return Library(handle, "rbcl")


def _discard(path: Path, handles: list[ctypes.CDLL]) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            path.unlink()
        return

    def let_go() -> None:
        with contextlib.suppress(OSError):
            for handle in handles:
                ctypes.windll.kernel32.FreeLibrary(ctypes.c_void_p(handle._handle))  # noqa: SLF001
            path.unlink()

    atexit.register(let_go)


def load(names: Sequence[str] | None = None) -> Library:
    """The system's library if it serves, else the bundled one; InternalError with both reasons when neither does."""
    try:
        return system_library(names)
    except UnusableError as system:
        try:
            return bundled_library()
        except UnusableError as bundled:
            raise InternalError("crypto/libsodium", f"no usable libsodium: {system}; {bundled}") from None


LIBRARY: Final = load()
