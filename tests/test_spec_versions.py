"""What the specification promises about versions: what is pinned, what is reserved, what is ignored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from node.messages import _KINDS, Join, peek, sign
from node.topics import LOBBY_FILTER, ROOT
from protocol.crypto.hashing import H
from protocol.crypto.identity import SigningKey
from protocol.errors import WireError
from protocol.wire.codec import decode, encode
from protocol.wire.entry import VERSION, Kind
from protocol.wire.limits import MAX_FRAME
from tests.coupled import Coupled, patient

ROOT_FOLDER = Path(__file__).resolve().parent.parent


@pytest.mark.must("X2")
def test_the_bytes_of_a_version_do_not_change() -> None:
    """A table from fixed secrets has this head in its first turn; another head is another version of the protocol."""
    table = Coupled(2, seed=1, choose=patient)
    table.start()
    table.run(until=lambda: all(s.position().step >= 10 for s in table.sessions))
    heads = {s._table.heads[9].hex() for s in table.sessions}

    assert heads == {"95e5223da1362b2e9275d4128a24543f6792eae93b8b9da218a37f8d1e925ea3"}


@pytest.mark.must("X3")
def test_an_unknown_kind_of_node_message_is_dropped() -> None:
    """A message of a kind that comes later has its own code, however it is filled, and nothing else happens."""
    key = SigningKey(bytes(32))
    known = decode(sign(key, bytes(16), Join(name="a", bot=False, app="", nonce=bytes(16))), MAX_FRAME)
    body = decode(known[0], MAX_FRAME)
    later = encode([1, 127, *body[2:], [1, "new"]])

    with pytest.raises(WireError, match="node/kind"):
        peek(encode([later, key.sign(H("dz1/node", later))]))


@pytest.mark.must("X4")
def test_numbers_and_names_stay_in_their_ranges() -> None:
    """Kinds of entries are below 64, those of node messages from there to 127; topics and hash tags begin alike."""
    sources = [
        p.read_text(encoding="utf-8") for part in ("protocol", "node") for p in (ROOT_FOLDER / part).rglob("*.py")
    ]
    tags = {tag for text in sources for tag in re.findall(r"\b(?:H|H32|Hs|Hp|keyed|Transcript)\(\"([^\"]+)\"", text)}

    assert VERSION == 1
    assert all(1 <= kind < 64 for kind in Kind)
    assert all(64 <= kind < 128 for kind in _KINDS)
    assert ROOT == "dz/v1"
    assert LOBBY_FILTER.startswith("dz/v1/")
    assert len(tags) > 15
    assert {tag for tag in tags if not tag.startswith("dz1/")} == set()
