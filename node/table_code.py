"""Table codes: where a table is, and the secret of a sealed one, to be read aloud and typed (spec/50-transport.md 7).

Every letter and digit may be typed, in any case, with spaces and hyphens anywhere: characters that look alike are one
symbol, so that mixing them up is no mistake. The last symbol checks the others. It catches every single wrong symbol
and every swap of neighbours: there are 29 symbols, a prime number, and neighbours have different weights.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from dataclasses import dataclass, field, replace

from protocol.errors import DuizendenError

from .addresses import PORT, TLS_PORT, BrokerAddress, parse_address

SYMBOLS = "0123456789ACDEFGHJKMNPQRTVWXY"
"""The symbols as they are shown, by value."""
ALIKE = {"O": "0", "I": "1", "L": "1", "Z": "2", "S": "5", "B": "8", "U": "V"}
"""What else may be typed for a symbol."""
SECRET_BYTES = 8
PIN_BYTES = 8
"""Bytes of the SHA-256 of a broker's certificate that a code carries."""
TABLE_CHARACTERS = 6
"""How much of a table's name a code carries where other tables may be on the same broker."""
MAX_SYMBOLS = 48
"""No code is longer; what is, is something else."""
GROUP = 4

_BASE = len(SYMBOLS)
_VALUES = {symbol: value for value, symbol in enumerate(SYMBOLS)} | {a: SYMBOLS.index(b) for a, b in ALIKE.items()}
_SHAPE = re.compile(r"[A-Za-z0-9 \-]+", re.ASCII)
_NETWORKS = (None, ipaddress.IPv4Network("192.168.0.0/16"), ipaddress.IPv4Network("10.0.0.0/8"), None)
_BITS = (0, 16, 24, 32)
"""How an address is written, by its kind: not at all, within one of two networks, whole."""


class CodeError(DuizendenError):
    """A text is no table code: `code/form` (it does not look like one), `code/typo` (its last symbol does not fit)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCode:
    """What a code says. `host` (IPv4) and `port` are the broker's; without a host the broker is told separately.

    `pin` is the beginning of the certificate's fingerprint where the broker speaks TLS. `secret` opens a sealed table.
    `table` is the beginning of the name of an open table on a broker that is told separately.
    """

    host: str | None = None
    port: int = PORT
    pin: bytes | None = None
    table: str = ""
    secret: bytes | None = field(default=None, repr=False)

    def broker(self) -> BrokerAddress | None:
        """The broker that the code names."""
        if self.host is None:
            return None
        pin = None if self.pin is None else self.pin.hex()
        return BrokerAddress(self.host, self.port, tls=pin is not None, fingerprint=pin)

    def __str__(self) -> str:
        """The code in groups, as people read it."""
        digits = _digits(_pack(self))
        text = "".join(SYMBOLS[d] for d in (*digits, _check(digits)))
        return "-".join(text[i : i + GROUP] for i in range(0, len(text), GROUP))


def parse_code(text: str) -> TableCode:
    """Read a code. Raises CodeError."""
    symbols = re.sub(r"[ \-]", "", text).upper()
    if not _SHAPE.fullmatch(text) or not 1 < len(symbols) <= MAX_SYMBOLS:
        raise CodeError("code/form")
    values = [_VALUES[symbol] for symbol in symbols]
    if _check(values[:-1]) != values[-1]:
        raise CodeError("code/typo")
    number = 0
    for value in values[:-1]:
        number = number * _BASE + value
    code = _unpack(number)
    if values[0] == 0 or code is None:  # one code, one text
        raise CodeError("code/typo")
    return code


def parse_way(text: str) -> tuple[TableCode, BrokerAddress | None]:
    """Read a code, or a code and the address of a broker behind it. Raises CodeError or ValueError.

    What is a code as a whole is one; else a last word after a code is an address, whatever it looks like. A certificate
    that the code pins is asked for there too.
    """
    text = text.strip()
    code, _, address = text.rpartition(" ")
    try:
        read = parse_code(text)
    except CodeError:
        if not code:
            raise
        read, place = parse_code(code), parse_address(address)
        if read.pin is not None and place.fingerprint is None:
            place = replace(place, tls=True, fingerprint=read.pin.hex())
        return read, place
    return read, read.broker()


def is_code_shaped(text: str) -> bool:
    """Whether a text is in groups as codes are shown: then it is meant as one, whatever is wrong with it."""
    return re.fullmatch(r"[A-Za-z0-9]{4}([ -][A-Za-z0-9]{4})*[ -][A-Za-z0-9]{1,4}", text.strip(), re.ASCII) is not None


def is_code_like(text: str) -> bool:
    """Whether a text that is no code was probably meant as one: letters and digits mixed, and nothing else."""
    symbols = re.sub(r"[ \-]", "", text)
    return (
        _SHAPE.fullmatch(text) is not None
        and len(symbols) > GROUP
        and any(c.isdigit() for c in symbols)
        and any(c.isalpha() for c in symbols)
    ) or (" " in text.strip() and _SHAPE.fullmatch(text) is not None)


def _check(digits: list[int]) -> int:
    """The weights are 2, 4, 8.. from the last symbol backwards: never 0, since 2 is a primitive root of 29."""
    return sum(value * pow(2, i, _BASE) for i, value in enumerate(reversed(digits), 1)) % _BASE


def _digits(number: int) -> list[int]:
    digits = []
    while number:
        number, digit = divmod(number, _BASE)
        digits.append(digit)
    return digits[::-1]


def _pack(code: TableCode) -> int:
    """The fields as bits behind a leading 1: sealed, kind of address, address, TLS, port, then names and secrets."""
    number = 1

    def put(value: int, bits: int) -> None:
        nonlocal number
        number = number << bits | value

    put(code.secret is not None, 1)
    kind = 0 if code.host is None else _kind(ipaddress.IPv4Address(code.host))
    put(kind, 2)
    if code.host is not None:
        put(int(ipaddress.IPv4Address(code.host)) & (1 << _BITS[kind]) - 1, _BITS[kind])
        put(code.pin is not None, 1)
        if code.pin is not None:
            put(int.from_bytes(code.pin), 8 * PIN_BYTES)
        usual = PORT if code.pin is None else TLS_PORT
        put(code.port != usual, 1)
        if code.port != usual:
            put(code.port, 16)
    elif code.secret is None:
        put(int.from_bytes(base64.b32decode(code.table.upper() + "AA")) >> 10, 5 * TABLE_CHARACTERS)
    if code.secret is not None:
        put(int.from_bytes(code.secret), 8 * SECRET_BYTES)
    return number


def _kind(address: ipaddress.IPv4Address) -> int:
    return next((kind for kind, network in enumerate(_NETWORKS) if network is not None and address in network), 3)


def _unpack(number: int) -> TableCode | None:
    """The fields of a number that `_pack` makes; None for any other."""
    left = number.bit_length() - 1

    def take(bits: int) -> int:
        nonlocal left
        left -= bits
        if left < 0:
            raise ValueError("too short")
        return number >> left & (1 << bits) - 1

    host, port, pin, table, secret = None, PORT, None, "", None
    try:
        sealed, kind = take(1), take(2)
        if kind:
            network = _NETWORKS[kind]
            host = str(ipaddress.IPv4Address((int(network[0]) if network else 0) | take(_BITS[kind])))
            pin = take(8 * PIN_BYTES).to_bytes(PIN_BYTES) if take(1) else None
            port = take(16) if take(1) else PORT if pin is None else TLS_PORT
        elif not sealed:
            table = base64.b32encode((take(5 * TABLE_CHARACTERS) << 10).to_bytes(5)).decode().lower()[:TABLE_CHARACTERS]
        if sealed:
            secret = take(8 * SECRET_BYTES).to_bytes(SECRET_BYTES)
    except ValueError:
        return None
    code = TableCode(host=host, port=port, pin=pin, table=table, secret=secret)
    return code if left == 0 and port and _pack(code) == number else None
