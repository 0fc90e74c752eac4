"""Which characters a name may hold: a list of code points, the same for every reader."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import pytest

from protocol.wire.text import is_plain

SPEC = Path(__file__).parents[2] / "spec"

UNSEEN = {
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
}
"""Letters, signs and marks by their category that are drawn as nothing at all."""


@pytest.mark.must("N1")
def test_whatever_is_seen_may_stand_in_a_name() -> None:
    """No character that this Python calls printable is forbidden, but for those that are drawn as nothing."""
    refused = {k for k in range(sys.maxunicode + 1) if chr(k).isprintable() and not is_plain(chr(k))}

    assert refused <= UNSEEN
    assert not any(is_plain(chr(k)) for k in UNSEEN)


@pytest.mark.must("N1")
@pytest.mark.parametrize(
    ("page", "begin", "end", "code"),
    [
        ("30-wire.md", "a reader knows: ", ", and the two last", r"([0-9A-F]{4,6})(?:-([0-9A-F]{4,6}))?"),
        ("verifier/src/genesis.mjs", "const HIDDEN", ");", r"u\{([0-9a-f]+)\}(?:-\\\\u\{([0-9a-f]+)\})?"),
    ],
)
def test_one_list_for_everybody(page: str, begin: str, end: str, code: str) -> None:
    """The specification and the second verifier forbid the very code points that this program does."""
    told = (SPEC / page).read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    listed = {k for first, last in re.findall(code, told) for k in range(int(first, 16), int(last or first, 16) + 1)}
    ends = {k for k in range(sys.maxunicode + 1) if k & 0xFFFE == 0xFFFE}

    assert listed | ends == {k for k in range(sys.maxunicode + 1) if not is_plain(chr(k))}


@pytest.mark.must("N1")
def test_no_control_separator_or_direction_mark_may_stand_in_a_name() -> None:
    """Controls, line and paragraph separators, other blanks, private use and surrogates are all forbidden."""
    categories = {"Cc", "Zl", "Zp", "Zs", "Co", "Cs"}
    allowed = [k for k in range(sys.maxunicode + 1) if unicodedata.category(chr(k)) in categories and is_plain(chr(k))]

    assert allowed == [ord(" ")]
    assert not any(is_plain(chr(k)) for k in (0x200B, 0x200E, 0x202E, 0x2066, 0xFEFF, 0xE0041))


@pytest.mark.must("N1")
@pytest.mark.parametrize("name", ["Anna", "Zoë", "Мария", "美咲", "O'Brien", "a\u0301", "😀", "Jan de Vries"])
def test_names_of_people_are_plain(name: str) -> None:
    """Letters of any script, marks on them, signs and spaces."""
    assert is_plain(name)
