"""Table codes: what they say, and which mistakes they catch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from node.addresses import PORT, BrokerAddress
from node.table_code import ALIKE, SYMBOLS, CodeError, TableCode, is_code_like, parse_code, parse_way

VECTORS = json.loads((Path(__file__).parents[2] / "spec" / "vectors" / "transport.json").read_text())

SECRET = st.none() | st.binary(min_size=8, max_size=8)
LED = st.builds(
    TableCode,
    host=st.ip_addresses(v=4).map(str) | st.integers(0, 65535).map(lambda n: f"192.168.{n >> 8}.{n & 255}"),
    port=st.just(PORT) | st.integers(1, 65535),
    pin=SECRET,
    secret=SECRET,
)
NAMED = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=6, max_size=6).map(lambda t: TableCode(table=t))
BARE = NAMED | st.binary(min_size=8, max_size=8).map(lambda s: TableCode(secret=s))
CODES = LED | BARE


def bare(code: TableCode) -> str:
    """The symbols of a code without hyphens."""
    return str(code).replace("-", "")


@pytest.mark.must("T21")
@given(CODES)
def test_what_is_written_is_read(code: TableCode) -> None:
    """A code is read back as it was, in any case, with spaces and hyphens anywhere."""
    spaced = " ".join(bare(code)).lower()

    assert parse_code(str(code)) == code
    assert parse_code(spaced) == code


@pytest.mark.must("T21")
@settings(deadline=None)
@given(CODES)
def test_every_typo_is_caught(code: TableCode) -> None:
    """No code with one other symbol is a code, wherever the symbol stands."""
    text = bare(code)
    for place, symbol in enumerate(text):
        for other in SYMBOLS.replace(symbol, ""):
            with pytest.raises(CodeError) as caught:
                parse_code(text[:place] + other + text[place + 1 :])
            assert caught.value.code == "code/typo"


@settings(deadline=None)
@given(CODES)
def test_every_swap_of_neighbours_is_caught(code: TableCode) -> None:
    """No code with two different neighbours swapped is a code."""
    text = bare(code)
    for i in range(len(text) - 1):
        if text[i] != text[i + 1]:
            with pytest.raises(CodeError):
                parse_code(text[:i] + text[i + 1] + text[i] + text[i + 2 :])


def test_what_looks_alike_is_one_symbol() -> None:
    """Every letter and digit can be typed, and those that look alike mean the same."""
    code = TableCode(host="192.168.1.20", secret=bytes(range(1, 9)))
    alike = str.maketrans({symbol: typed for typed, symbol in ALIKE.items()})

    assert {*SYMBOLS, *ALIKE} == {*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}
    assert parse_code(str(code).translate(alike)) == code


def test_a_code_at_home_is_short() -> None:
    """An open table on a home network at the usual port has six symbols, a sealed one nineteen."""
    assert len(bare(TableCode(host="192.168.178.24"))) == 6
    assert len(bare(TableCode(host="192.168.178.24", secret=b"\xff" * 8))) == 19


@given(st.text(max_size=60) | st.text(SYMBOLS, max_size=50))
def test_any_text_is_a_code_or_an_error(text: str) -> None:
    """Whatever is typed gives a code with exactly this text, or a CodeError."""
    try:
        code = parse_code(text)
    except CodeError:
        return
    assert parse_code(str(code)) == code


@pytest.mark.parametrize("text", ["", "-", "7", "192.168.1.5", "laptop.local", "mqtt://qa", "é9QM-35", "1" * 60])
def test_what_is_no_code(text: str) -> None:
    """An address, or nothing, is not mistaken for a code with a typing mistake."""
    with pytest.raises(CodeError) as caught:
        parse_code(text)

    assert caught.value.code == "code/form"
    assert not is_code_like(text) or text == "1" * 60


@pytest.mark.must("T22")
def test_a_code_with_its_broker() -> None:
    """A code of a table elsewhere can be typed together with the address of its broker."""
    code = TableCode(table="abc234")

    assert parse_way(f"{code} mqtt://example.org") == (code, BrokerAddress("example.org"))
    for name in ("raspberrypi", "my-broker"):  # a name that could be part of a code
        assert parse_way(f"{code} {name}") == (code, BrokerAddress(name))
    assert parse_way(str(code).replace("-", " ")) == (code, None)
    assert parse_way(str(TableCode(host="10.0.0.7")))[1] == BrokerAddress("10.0.0.7")
    assert is_code_like("39QM 36")
    assert not is_code_like("laptop")


@pytest.mark.must("T22")
def test_a_pinned_certificate_is_asked_for_at_a_typed_address_too() -> None:
    """Whoever types another address behind a code with TLS is never led to a broker with another certificate."""
    code = TableCode(host="10.0.0.7", pin=bytes(range(8)))
    _, place = parse_way(f"{code} 192.168.1.9")

    assert place is not None
    assert (place.host, place.tls, place.fingerprint) == ("192.168.1.9", True, bytes(range(8)).hex())


def test_the_secret_is_not_shown() -> None:
    """The secret of a code does not get into a log with the code's value."""
    assert "secret" not in repr(TableCode(secret=b"12345678"))


@pytest.mark.parametrize("vector", VECTORS["codes"], ids=lambda v: v["code"])
def test_code_vectors(vector: dict[str, object]) -> None:
    """The codes of the specification are these, byte for byte."""
    fields = {k: bytes.fromhex(str(v)) if k in {"pin", "secret"} else v for k, v in vector.items() if k != "code"}
    code = TableCode(**fields)  # type: ignore[arg-type]

    assert str(code) == vector["code"]
    assert parse_code(str(vector["code"])) == code


@pytest.mark.must("T21")
@pytest.mark.parametrize("text", VECTORS["no_codes"])
def test_no_code_vectors(text: str) -> None:
    """These have the form of a code and are none."""
    with pytest.raises(CodeError):
        parse_code(text)
