"""Every cap on received values, with its reason. The specification repeats them (spec/30-wire.md)."""

from __future__ import annotations

MAX_SEATS = 7
"""n * hand + 1 + n <= 108 with hands of 13."""

MAX_FRAME = 65_536
"""Signed entry: the largest is SHUFFLE of 256 cards, 64 * 256 + 32 * (3 * 256 + 9) bytes and framing, under 48 KiB."""

MAX_ARRAY = 1_024
"""Elements of one array: a SHOW of a 216-card deck stays far below."""

MAX_DEPTH = 8
"""Nesting of arrays: a PLAY nests entry > body > act > steps > step > cards > card."""

MAX_UINT = 2**32 - 1
"""No counter on the wire needs more."""

MAX_NAME = 64
"""A player's name, in bytes of UTF-8."""

MAX_GENESIS = 16_384
"""Seven players, a rule card of some 130 rows."""

MAX_ACCUSATION = 1_024
"""What a file of evidence says: seven findings of a code, a seat and a step."""

MAX_STEP_AHEAD = 16
"""Steps ahead of ours that are kept for later: others can close at most one chain of n shuffles without us."""

MAX_GAME_FILE = 256 * 1024 * 1024
"""A verifier reads no larger file: a long game is some 10 MB."""
