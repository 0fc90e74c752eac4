"""What the specification states of a log and no single check shows: contexts, secrets, seats at fault."""

from __future__ import annotations

from typing import Any

import pytest

from node.policy import choose
from protocol.crypto import context, group
from protocol.crypto.hashing import H32, Hs
from protocol.rules.ruleset import PRESETS, preset
from protocol.session.outputs import Dropped, KeepSecret, Publish
from protocol.session.secrets import RoundSecrets, ratchet
from protocol.session.session import Leave, Session
from protocol.wire.codec import decode
from protocol.wire.entry import Kind, parse_entry, sign_entry
from protocol.wire.limits import MAX_FRAME
from tests.coupled import Coupled, patient
from tests.protocol.session.test_hostile import Hostile, Mutation, attacked, flip, other_point, put


def bodies(session: Session, kind: Kind) -> list[list[Any]]:
    """The bodies of this kind in a log, in order."""
    entries = [decode(decode(frame, MAX_FRAME)[0], MAX_FRAME) for frame in session.log_frames()]
    return [entry[6] for entry in entries if entry[5] == kind]


@pytest.mark.must("C11", "C13", "C60", "C88", "B6")
def test_every_round_has_a_context_of_its_own_and_a_signed_score() -> None:
    """Contexts follow from the number of the round, which rises by one; each score hash is that of its round."""
    n, table = 2, Coupled(2, seed=21, choose=choose, max_rounds=2)
    table.start()
    table.run()
    genesis, session = table.genesis, table.sessions[0]
    opened, ready, verdicts = (bodies(session, k) for k in (Kind.OPEN, Kind.READY, Kind.VERDICT))
    results = session.view().results
    contexts = []
    for number in (1, 2):
        ctx = context.ctx(genesis.table, number, [p.key for p in genesis.players], genesis.rules_hash, 0)
        mine = opened[n * (number - 1) : n * number]
        R = context.joint_nonce(ctx, [body[2] for body in mine])
        contexts.append(context.rctx(ctx, R, [body[0] for body in mine], [body[1] for body in mine], 0))
        result = results[number - 1]
        text = b"".join(
            value.to_bytes(4, "little", signed=True)
            for pair in zip(result.points, result.totals, strict=True)
            for value in pair
        )
        score = H32("dz1/score", number.to_bytes(4, "little") + text)
        assert [[bytes(n), score]] * n == verdicts[n * (number - 1) : n * number]
    seen = [body[0] for body in ready]

    assert list(dict.fromkeys(seen)) == contexts
    assert [r.round_number for r in results] == [1, 2]


@pytest.mark.must("C100", "C101")
def test_secrets_follow_from_the_table_secret_and_are_overwritten() -> None:
    """Key, seed and nonce are those of the text; after each round only the next secret is kept."""
    secret, ctx = bytes(range(32)), bytes(32)
    made = RoundSecrets(0, secret, ctx)
    table = Coupled(2, seed=21, choose=choose)
    first = table.secrets[0][1]
    table.start()
    table.run()
    kept = [o for o in table.outputs[0] if isinstance(o, KeepSecret)]

    assert (made.x, made.seed) == (Hs("dz1/x", secret, ctx), H32("dz1/s", secret, ctx))
    assert made.rho == H32("dz1/rho", secret, ctx)
    assert made.key == group.base(made.x)
    assert [(o.round_number, o.secret) for o in kept] == [(2, H32("dz1/ratchet", first))]
    assert ratchet(first) == kept[0].secret


@pytest.mark.must("R20", "C20")
@pytest.mark.parametrize("name", PRESETS)
def test_cards_have_the_ids_of_the_text(name: str) -> None:
    """Copy and face of an id are quotient and remainder by the width of one pack; 52 and more are jokers."""
    rules = preset(name)
    width = 52 + rules.jokers_in_deck // rules.decks
    faces = [rules.pack.face(c) for c in range(rules.pack.size)]

    assert rules.pack.size == 52 * rules.decks + rules.jokers_in_deck == width * rules.decks
    assert faces == [min(c % width, 52) for c in range(width * rules.decks)]


@pytest.mark.must("E6")
def test_who_does_not_speak_in_a_step_says_nothing() -> None:
    """A well signed entry of a seat that the step does not wait for is dropped, and nobody is named."""
    table = Coupled(3, seed=6, choose=choose)
    table.start()
    table.run(until=lambda: not table.under_way and any(s.view().my_turn for s in table.sessions))
    mover = next(i for i, s in enumerate(table.sessions) if s.view().my_turn)
    other, reader = [i for i in range(3) if i != mover]
    place = table.sessions[reader].position()
    entry = sign_entry(table.keys[other], table.genesis.table, place.step, other, place.head, Kind.DRAW, [0, 40, 0])
    dropped = [o.code for o in table.sessions[reader].receive(entry.frame) if isinstance(o, Dropped)]

    assert dropped == ["log/not-expected"]
    assert (table.sessions[reader].position(), table.sessions[reader].fault) == (place, None)


@pytest.mark.must("V3")
def test_a_false_void_names_its_seat_too() -> None:
    """After a departure a seat that says another reason is named as well, and another VOID follows."""
    table = Coupled(4, seed=2, choose=choose)

    class Liar(Hostile):
        lie_kind = Kind.VOID
        lie = staticmethod(put(1, value=2))

    table.sessions[1] = Liar(table.genesis, seat=1, key=table.keys[1], secret=table.secrets[1][1], auto_continue=True)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step >= 9)
    table.carry_out(2, table.sessions[2].act(Leave()))
    table.run(until=lambda: all(table.sessions[s].finished for s in (0, 3)))
    said = bodies(table.sessions[0], Kind.VOID)

    assert table.sessions[0].view().departed == (1, 2)
    assert [body[1:] for body in said] == [[4, 0b100], [2, 0b100], [4, 0b100], [2, 0b110], [2, 0b110]]


BOTH = [
    (Kind.OPEN, (put(2, value=flip), put(3, value=flip)), "open/commitment"),
    (Kind.OPEN, (put(0, value=bytes(32)), put(3, value=bytes(63))), "body/length"),
    (Kind.OPEN, (put(0, value=bytes(32)), put(2, value=flip)), "pok/point"),
    (Kind.SHUFFLE, (put(0, value=lambda d: b"\xff" * 32 + d[32:]), put(1, value=b"")), "body/length"),
    (Kind.DEAL, (put(0, 0, value=other_point), put(1, 1, value=b"")), "body/length"),
    (Kind.DEAL, (put(0, 0, value=b""), put(1, value=[])), "body/length"),
    (Kind.SHARES, (put(0, value=other_point), put(2, value=99)), "body/range"),
    (Kind.PLAY, (put(1, 0, 1, 0, 2, value=other_point), put(2, value=99)), "body/range"),
    (Kind.PLAY, (put(1, 0, 1, -1, 0, value=107), put(1, 0, 1, 0, 2, value=other_point)), "open/owner"),
]


@pytest.mark.must("V9", "B3")
@pytest.mark.parametrize(("kind", "lies", "code"), BOTH)
def test_the_first_thing_wrong_in_a_body_decides(kind: Kind, lies: tuple[Mutation, Mutation], code: str) -> None:
    """Of two lies in one entry the one that is checked first gives the code."""
    _, honest = attacked(3, 1, kind, lambda body, liar: lies[1](lies[0](body, liar), liar))

    assert {(s.fault and s.fault.code, s.fault and s.fault.seat) for s in honest} == {(code, 1)}


@pytest.mark.must("V10", "C76")
def test_seats_with_one_key_are_both_named() -> None:
    """Equal key shares show when all are open, and everybody who has that key is at fault."""
    table = Coupled(3, seed=3, choose=choose)
    table.secrets[2] = table.secrets[1]
    table.sessions = [table.make(i) for i in range(3)]
    table.start()
    table.run()
    honest = table.sessions[0]

    assert honest.fault is not None
    assert (honest.fault.code, honest.view().departed) == ("open/equal-keys", (1, 2))


@pytest.mark.must("E3", "C23", "C73")
def test_one_shuffle_of_a_seat_for_one_context() -> None:
    """Killed after its shuffle and started again, a seat says the same bytes, and no other shuffle."""
    table = Coupled(2, seed=4, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step >= 5)
    table.restart(0)
    table.restart(1)
    table.run()
    for seat in range(2):
        frames = {o.frame for o in table.outputs[seat] if isinstance(o, Publish)}
        entries = [parse_entry(frame, table.genesis.table, table.public) for frame in frames]
        steps = [e.step for e in entries if e.seat == seat and e.kind is Kind.SHUFFLE]
        assert len(steps) == len(set(steps))


@pytest.mark.must("R130")
def test_another_kind_than_the_step_asks_is_a_fault() -> None:
    """The mover alone speaks in a turn; SHARES in place of its move is named before any rule is asked."""
    table = Coupled(3, seed=6, choose=choose)
    table.start()
    table.run(until=lambda: not table.under_way and any(s.view().my_turn for s in table.sessions))
    mover = next(i for i, s in enumerate(table.sessions) if s.view().my_turn)
    reader = table.sessions[(mover + 1) % 3]
    place = reader.position()
    entry = sign_entry(table.keys[mover], table.genesis.table, place.step, mover, place.head, Kind.SHARES, [])
    reader.receive(entry.frame)

    assert reader.fault is not None
    assert (reader.fault.code, reader.fault.seat, reader.fault.step) == ("log/kind", mover, place.step)


@pytest.mark.must("R41", "C80")
@pytest.mark.parametrize(
    "lie", [put(1, value=[]), put(0, value=[])], ids=["returned and not opened", "opened for nothing"]
)
def test_the_exchange_opens_the_returned_card_alone(lie: Mutation) -> None:
    """A returned card that is not opened, and an opened one that is not returned, are faults of the exchange."""
    table = Coupled(3, seed=4, choose=patient, rules=preset("spelregelwijzer"))
    table.start()
    table.run(until=lambda: not table.under_way and any(s.view().my_turn for s in table.sessions))
    mover = next(i for i, s in enumerate(table.sessions) if s.view().my_turn)
    session, reader = table.sessions[mover], table.sessions[(mover + 1) % 3]
    said = next(o.frame for o in session.act(patient(session.view())) if isinstance(o, Publish))
    entry = parse_entry(said, table.genesis.table, table.public)
    body = lie(entry.body, None)  # type: ignore[arg-type]  # this lie looks at nothing but the body
    false = sign_entry(table.keys[mover], table.genesis.table, entry.step, mover, entry.head, entry.kind, body)
    reader.receive(false.frame)

    assert entry.kind is Kind.EXCHANGE
    assert reader.fault is not None
    assert (reader.fault.code, reader.fault.seat) == ("open/slots", mover)
