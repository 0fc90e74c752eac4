"""Which characters a name may hold: a list of code points, the same for every reader."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from protocol.wire.text import is_plain


@pytest.mark.must("N1")
def test_whatever_is_printable_may_stand_in_a_name() -> None:
    """No character that this Python calls printable is forbidden."""
    refused = [hex(k) for k in range(sys.maxunicode + 1) if chr(k).isprintable() and not is_plain(chr(k))]

    assert refused == []


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
