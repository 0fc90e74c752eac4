"""The grammar of the specification describes what is really sent, and nothing else.

The checker is zcbor, an implementation of RFC 8610 that is not ours; values are shown to it in CBOR.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cbor2
import pytest
import zcbor

from node import messages
from node.policy import choose
from protocol.crypto.identity import SigningKey
from protocol.rules.ruleset import canonical, preset, with_overrides
from protocol.session.evidence import MAGIC as EVIDENCE_MAGIC
from protocol.session.evidence import write_evidence
from protocol.session.gamefile import read_records, unpack, write_game
from protocol.session.outputs import Publish
from protocol.session.session import Claim, Leave
from protocol.wire.codec import decode
from protocol.wire.entry import Kind
from protocol.wire.limits import MAX_ACCUSATION, MAX_ARRAY, MAX_FRAME, MAX_GENESIS, MAX_NAME
from tests.coupled import Coupled

GRAMMAR = Path(__file__).resolve().parent.parent / "spec" / "grammar.cddl"


@cache
def _rules() -> dict[str, Any]:
    text = GRAMMAR.read_text(encoding="utf-8")
    found: dict[str, Any] = zcbor.DataTranslator.from_cddl(text, MAX_ARRAY).my_types
    return found


def fits(rule: str, value: Any) -> bool:
    """Whether a plain value is one of this rule of the grammar."""
    try:
        _rules()[rule].validate_str(cbor2.dumps(value))
    except zcbor.CddlValidationError:
        return False
    return True


def _published(table: Coupled) -> list[bytes]:
    return list({o.frame: None for outputs in table.outputs for o in outputs if isinstance(o, Publish)})


@cache
def _games() -> tuple[tuple[Coupled, tuple[bytes, ...]], ...]:
    """Tables on which every kind of entry was said, with everything that was published there."""
    whole = Coupled(2, seed=4, choose=choose, rules=preset("spelregelwijzer"))
    played = Coupled(3, seed=3, choose=choose, rules=with_overrides(preset("klassiek"), {"last_card_call": "points"}))
    for table in (whole, played):
        table.start()
        table.run()
    left = Coupled(2, seed=2, choose=choose)
    left.start()
    left.run(until=lambda: left.sessions[0].position().step >= 9)
    left.carry_out(1, left.sessions[1].act(Leave()))
    left.run()
    silent = Coupled(3, seed=6, choose=choose)
    silent.start()
    silent.run(until=lambda: not silent.under_way and any(s.view().my_turn for s in silent.sessions))
    mover = next(seat for seat, s in enumerate(silent.sessions) if s.view().my_turn)
    holder, claimant = [seat for seat in range(3) if seat != mover]
    said = silent.sessions[mover].act(choose(silent.sessions[mover].view()))
    frame = next(o.frame for o in said if isinstance(o, Publish))
    silent.carry_out(holder, silent.sessions[holder].receive(frame))
    silent.carry_out(claimant, silent.sessions[claimant].act(Claim((mover,))))
    silent.run(until=lambda: not silent.under_way)
    rules = with_overrides(preset("klassiek"), {"resign": "play_on", "hand_size": 3})
    smaller = Coupled(3, seed=5, choose=choose, rules=rules)
    smaller.start()
    smaller.run(until=lambda: smaller.sessions[0].position().step >= 9)
    smaller.carry_out(1, smaller.sessions[1].act(Leave()))
    smaller.run()
    return tuple((table, tuple(_published(table))) for table in (whole, played, left, silent, smaller))


def test_everything_that_is_said_in_games_fits_the_grammar() -> None:
    """Frames and entries of every kind, from whole games, a departure, claims, and a round without a seat that left."""
    kinds = set()
    for _, frames in _games():
        for frame in frames:
            outer = decode(frame, MAX_FRAME)
            entry = decode(outer[0], MAX_FRAME)
            kinds.add(Kind(entry[5]))

            assert fits("frame", outer)
            assert fits("entry", entry), entry

    assert kinds == set(Kind)


def test_a_game_file_and_its_genesis_fit_the_grammar() -> None:
    """The records after the magic, and what the first of them holds."""
    for table, _ in _games():
        genesis, frames = read_records(write_game(table.genesis, table.sessions[0].log_frames()))

        assert fits("game-file", [genesis, *frames])
        assert fits("genesis", decode(genesis, MAX_GENESIS))


def test_evidence_fits_the_grammar() -> None:
    """What proves a departure: the records after the magic, and the accusation in the second."""
    left = _games()[2][0]
    (evidence,) = left.sessions[0].evidence()
    genesis, accusation, *frames = unpack(
        EVIDENCE_MAGIC, write_evidence(left.genesis, evidence), (MAX_GENESIS, MAX_ACCUSATION)
    )
    said = decode(accusation, MAX_GENESIS)

    assert fits("evidence-file", [genesis, accusation, *frames])
    assert fits("accusation", said)
    assert not any(fits("accusation", wrong) for wrong in ([], said * 8, [[*said[0], 0]], [said[0][:2]], [[1, 1, 1]]))


def test_every_changed_shape_is_refused() -> None:
    """An entry of each kind with a field more, a field less, or a field of another type is none."""
    entries = {}
    for _, frames in _games():
        for frame in frames:
            entry = decode(decode(frame, MAX_FRAME)[0], MAX_FRAME)
            entries[entry[5]] = entry
    for entry in entries.values():
        *before, body = entry
        fewer = [] if entry[5] == Kind.DEAL or not body else [body[:-1]]  # a deal at a smaller table is one
        changed: list[Any] = [[*body, 0], "body", 0, b"body", *fewer]
        for at in range(len(body)):
            changed += [[*body[:at], wrong, *body[at + 1 :]] for wrong in ("t" * 65, 2**32 - 1, b"", [["text"]])]

        assert not any(fits("entry", [*before, other]) for other in changed)
        assert not fits("entry", [2, *entry[1:]])
        assert not fits("entry", entry[1:])
        assert not fits("entry", [*entry[:5], 99, body])


SEAT, KEY = 3, SigningKey(bytes(32))
CHAIR = messages.Chair("Truus", False, KEY.public)
NONCE = bytes(16)
SPOKEN: tuple[messages.Message, ...] = (
    messages.Announce(
        nonce=NONCE,
        revision=1,
        app="duizenden 1",
        title="Truus",
        rules_name="klassiek",
        rules=canonical(preset("klassiek")),
        seats=4,
        max_rounds=0,
        seeded=False,
        chairs=(CHAIR, replace(CHAIR, bot=True)),
        issued=1,
        expires=2,
        open=True,
    ),
    messages.Join(name="Truus", bot=False, app="duizenden 1", nonce=NONCE),
    messages.Quit(nonce=NONCE),
    messages.Seated(to=KEY.public, nonce=NONCE, seat=SEAT, name="Truus 2"),
    messages.Refused(to=KEY.public, nonce=NONCE, code="full", detail=""),
    messages.Start(genesis=b"genesis"),
    messages.Heartbeat(epoch=1, count=2, step=3, head=bytes(32), have=5, leaving=False),
    messages.SyncRequest(epoch=1, count=2, step=3, have=0),
    messages.SyncAnswer(step=3, have=5, entries=(b"frame", b"frame")),
    messages.Chat(epoch=1, count=2, said="Mooi!"),
    messages.Chat(epoch=1, count=3, said=9),
    messages.Away(epoch=1, count=4, away=True),
    messages.Pause(number=1, on=True),
    messages.Watch(nonce=NONCE),
)


@pytest.mark.parametrize("message", SPOKEN, ids=lambda m: type(m).__name__)
def test_node_messages_fit_the_grammar(message: messages.Message) -> None:
    """Every kind of node message fits, and with a field more or less it does not."""
    outer = decode(messages.sign(KEY, bytes(16), message), messages.MAX_SIGNED)
    body = decode(outer[0], messages.MAX_SIGNED)

    assert fits("node-message", outer)
    assert fits("node-body", body)
    assert not fits("node-body", [*body, 0])
    assert not fits("node-body", body[:-1])
    assert not fits("node-body", [*body[:4], ["x"], *body[5:]])


def test_every_kind_of_node_message_was_shown_to_the_grammar() -> None:
    """A new kind of message needs its rule."""
    assert {type(m) for m in SPOKEN} == set(messages._FORMS)


@pytest.mark.parametrize(
    "at_and_wrong",
    [
        (0, "duizend"),
        (1, 2),
        (2, bytes(15)),
        (3, ""),
        (3, "a" * (MAX_NAME + 1)),
        (4, "text"),
        (4, b""),
        (5, []),
        (6, [0]),
    ],
)
def test_what_is_no_genesis_does_not_fit(at_and_wrong: tuple[int, Any]) -> None:
    """Each field of a genesis out of its bounds is refused by the grammar."""
    at, wrong = at_and_wrong
    genesis = decode(_games()[0][0].genesis.encode(), MAX_GENESIS)

    assert fits("genesis", genesis)
    assert not fits("genesis", [*genesis[:at], wrong, *genesis[at + 1 :]])
