"""Text that people see: which characters may reach another person's terminal (spec/30-wire.md N1).

The rule is a list of code points, not a property of some edition of Unicode: whether a game file is readable must not
depend on the library that reads it.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = (
    (0x0000, 0x001F),
    (0x007F, 0x00A0),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x1680, 0x1680),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x206F),
    (0x2800, 0x2800),
    (0x3000, 0x3000),
    (0x3164, 0x3164),
    (0xD800, 0xF8FF),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0x10000, 0xF0000, 0x10000)),
    (0xE0000, 0xE0FFF),
    (0xF0000, 0x10FFFF),
)
"""Controls, blanks other than the space, invisible and direction-changing characters, letters and marks that are drawn
as nothing, surrogates, private use, non-characters: inclusive ranges of code points."""

_HIDDEN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in HIDDEN) + "]")


def is_plain(text: str) -> bool:
    """Whether a text holds none of the characters that N1 forbids."""
    return _HIDDEN.search(text) is None
