"""Whole games as test vectors: each with the verdict it must get, and the layer that must fail.

What stands here is written by hand: a verifier that says anything else has a defect, or this table has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from protocol.rules.rulekinds import Value
from protocol.session.layers import layer_of
from protocol.wire.entry import Kind
from tests.protocol.session.test_hostile import Mutation, bump_first_scalar, extra, flip, other_point, put

from .lies import (
    Records,
    card_changed,
    committed_with_all,
    dealt_to_all,
    file_of,
    genesis_changed,
    no_meld,
    nothing_thrown,
    own_shuffle,
    playing,
    pot_for_nothing,
    queen_returned,
    queen_thrown,
    records_of,
    replaced,
    said_instead,
    second_form,
    signature_changed,
    signed_again,
    too_little,
)
from .player import drawer
from .tables import SHORT, VectorTable, departed, left, lied, played, silent, table

TINY = {**SHORT, "hand_size": 4}
CALLS = {**SHORT, "hand_size": 3, "last_card_call": "extra_card"}
GOING_ON: dict[str, Value] = {**TINY, "resign": "play_on"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file. `code` is None for a game without a fault; `unreadable`: the file is no game at all (exit code 2)."""

    name: str
    about: str
    make: Callable[[], bytes]
    code: str | None = None
    seat: int | None = None
    complete: bool = True
    departed: tuple[int, ...] = ()
    unreadable: bool = False

    @property
    def layer(self) -> str:
        """The layer that must fail; `ok` for none."""
        return "ok" if self.code is None else layer_of(self.code)


def scenarios() -> tuple[Scenario, ...]:
    """All of them, in the order of their layers."""
    good = (*_good(), *_broken_off(), *_played_on())
    return (*good, *_wire(), *_signature(), *_chain(), *_proof(), *_rules(), *_audit())


@cache
def short(*, strict_pot: bool = False) -> VectorTable:
    """A finished short game of two, which files are made from; `strict_pot`: the pot's top card has to be laid."""
    made = table(2, changes={**TINY, "pot_top_card_must_be_melded": strict_pot}, seed=8)
    made.run()
    return made


def start(count: int = 16) -> Records:
    """The first records of the short game: SEAT 1 2, COMMIT 3 4, OPEN 5 6, SHUFFLE 7 8, READY 9 10, DEAL 11 12, .."""
    return records_of(short(), count)


def _good() -> Iterator[Scenario]:
    for seats, preset in enumerate(("online", "basis", "klassiek", "spelregelwijzer", "modern"), start=2):
        yield Scenario(f"ok-{preset}-{seats}-seats", f"a round of {preset}", partial(played, seats, preset))
    yield Scenario("ok-schoppenvrouwen-4-seats", "a round of schoppenvrouwen", lambda: played(4, "schoppenvrouwen"))
    yield Scenario(
        "ok-reshuffle", "the stock runs out twice; new epochs", lambda: played(3, changes=SHORT, choose=drawer)
    )
    yield Scenario("ok-teams", "two teams of two", lambda: played(4, "basis", changes={**SHORT, "team_size": 2}))
    yield Scenario(
        "ok-two-rounds", "the second round begins with other secrets", lambda: played(2, changes=TINY, rounds=2)
    )
    yield Scenario(
        "ok-target", "played to the target", lambda: played(2, changes={**TINY, "target_score": 50}, rounds=0)
    )
    yield Scenario(
        "ok-last-card",
        "missed last cards, challenged, with a penalty card",
        lambda: played(3, changes=CALLS, catching=True),
    )
    yield Scenario("ok-prefix", "an honest game that is not over", lambda: file_of(start()), complete=False)
    yield Scenario("ok-genesis-alone", "nobody has spoken yet", lambda: file_of(start(1)), complete=False)


def _broken_off() -> Iterator[Scenario]:
    yield Scenario("ok-leave", "seat 2 says goodbye in its turn; VOID", lambda: left(18), departed=(2,))
    yield Scenario("ok-leave-at-the-end", "seat 2 leaves before END", lambda: left(9), departed=(2,))
    yield Scenario("ok-expired", "all others stop waiting for seat 2; VOID", lambda: silent(18), departed=(2,))
    yield Scenario(
        "ok-expired-commit", "seat 2 never speaks again after the first step", lambda: silent(1), departed=(2,)
    )


@cache
def without_one() -> VectorTable:
    """A finished game of three that the others play on when seat 1 has left, which files are made from."""
    return departed((18, 1), changes=GOING_ON)


def _played_on() -> Iterator[Scenario]:
    yield Scenario(
        "ok-play-on-leave",
        "seat 1 says goodbye in a round; the others play the next one without it",
        lambda: without_one().file(),
        departed=(1,),
    )
    yield Scenario(
        "ok-play-on-expired",
        "the others stop waiting for seat 1, before any deck, and play on",
        lambda: departed((2, 1), silently=True, changes=GOING_ON).file(),
        departed=(1,),
    )
    yield Scenario(
        "ok-play-on-two-leave",
        "seats 0 and 3 leave in different rounds of a game of four; seat 0 keeps its points",
        lambda: departed((230, 0), (260, 3), n=4, changes=GOING_ON, rounds=2).file(),
        departed=(0, 3),
    )
    yield Scenario(
        "ok-play-on-down-to-one",
        "one seat is left after a finished round: the game is broken off, and no seat that left wins it",
        lambda: departed((2, 1), (200, 2), changes=GOING_ON, rounds=2).file(),
        departed=(1, 2),
    )
    for name, n in (("basis", 3), ("spelregelwijzer", 4)):
        yield Scenario(
            f"ok-play-on-{name}",
            f"the exchange of {name} passes over the seat that left",
            partial(_file_after_leaving, n, name),
            departed=(0,),
        )
    yield Scenario(
        "ok-play-on-last-card",
        "missed last cards, challenged among those who are left, and reshuffles of theirs",
        lambda: departed((12, 1), changes={**GOING_ON, **CALLS}, choose=drawer, catching=True).file(),
        departed=(1,),
    )


def _file_after_leaving(n: int, name: str) -> bytes:
    return departed((16, 0), n=n, name=name, changes={**SHORT, "resign": "play_on"}).file()


def _later_lie(name: str, about: str, code: str, kind: Kind, lie: Mutation) -> Scenario:
    """Seat 1 leaves, and in the next round seat 2 says this; one seat is left, and the game is broken off."""

    def make() -> bytes:
        return departed((2, 1), lies=((2, kind, lie),), changes=GOING_ON).file()

    return Scenario(name, about, make, code, 2, departed=(1, 2))


def _at(name: str, about: str, code: str, make: Callable[[], Records], seat: int | None) -> Scenario:
    return Scenario(name, about, lambda: file_of(make()), code, seat, complete=False)


def _wire() -> Iterator[Scenario]:
    good = start
    yield Scenario(
        "wire-no-magic", "another first line", lambda: b"X" + file_of(good())[1:], "file/magic", unreadable=True
    )
    yield Scenario("wire-cut", "ends inside a record", lambda: file_of(good())[:-1], "file/cut", unreadable=True)
    yield Scenario("wire-empty", "the magic alone", lambda: file_of([]), "file/cut", unreadable=True)
    yield Scenario(
        "wire-genesis-one-key",
        "two seats with one key",
        lambda: genesis_changed(short(), players=(short().genesis.players[0],) * 2),
        "genesis/keys",
        unreadable=True,
    )
    yield Scenario(
        "wire-genesis-alone-at-table",
        "a table of one seat",
        lambda: genesis_changed(short(), players=short().genesis.players[:1]),
        "genesis/players",
        unreadable=True,
    )
    yield Scenario(
        "wire-genesis-resign-written",
        "a rule card with the line resign=ends_game",
        lambda: card_changed(short(), b"run_max_cards=", b"resign=ends_game\nrun_max_cards="),
        "genesis/rules",
        unreadable=True,
    )
    yield Scenario(
        "wire-genesis-play-on-teams",
        "a rule card with teams that would play on without a player",
        lambda: card_changed(_teams(), b"run_max_cards=", b"resign=play_on\nrun_max_cards="),
        "genesis/rules",
        unreadable=True,
    )
    yield _at(
        "wire-long-form",
        "a record in a longer form of msgpack than needed",
        "wire/non-canonical",
        lambda: replaced(good(), 3, b"\xdc\x00\x02" + good()[3][1:]),
        0,
    )
    yield _at(
        "wire-trailing-byte",
        "a byte after a record",
        "wire/undecodable",
        lambda: replaced(good(), 3, good()[3] + b"\0"),
        0,
    )
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("version", {"version": 2}),
        ("table", {"table": bytes(16)}),
        ("seat", {"seat": 5}),
        ("kind", {"kind": 99}),
    )
    for what, change in changes:
        yield _at(
            f"wire-entry-{what}",
            f"an entry of another {what}, signed",
            f"entry/{what}",
            partial(_another, change),
            1,
        )
    yield _lie("wire-commit-short", "a commitment of 31 bytes", "body/length", Kind.COMMIT, put(0, value=bytes(31)))
    yield _lie("wire-commit-long", "a field too many", "body/form", Kind.COMMIT, extra)
    yield _lie(
        "wire-proof-cut",
        "a shuffle proof that ends early",
        "body/length",
        Kind.SHUFFLE,
        put(1, value=lambda p: p[:-32]),
    )
    yield _later_lie(
        "wire-play-on-deal-of-all",
        "a batch of shares more, as if the seat that left got cards",
        "body/form",
        Kind.DEAL,
        lambda body, _: [body[0], *body],
    )
    yield _lie(
        "wire-play-unknown-step",
        "a step of a play that does not exist",
        "body/form",
        Kind.PLAY,
        put(0, 1, value=[[9, 9]]),
    )


def _teams() -> VectorTable:
    return table(4, "basis", changes={**SHORT, "team_size": 2})


def _another(change: dict[str, Any]) -> Records:
    """The short game with these fields of its fourth entry changed, signed."""
    return replaced(start(), 4, signed_again(short(), start()[4], **change))


def _signature() -> Iterator[Scenario]:
    good = start
    yield _at(
        "signature-changed",
        "a bit of a signature",
        "entry/signature",
        lambda: replaced(good(), 5, signature_changed(good()[5], flip)),
        0,
    )
    yield _at(
        "signature-of-another",
        "signed by another seat of the table",
        "entry/signature",
        lambda: replaced(good(), 5, signed_again(short(), good()[5], by=1)),
        0,
    )
    yield _at(
        "signature-second-form",
        "a signature plus the order of the group",
        "entry/signature",
        lambda: replaced(good(), 5, signature_changed(good()[5], second_form)),
        0,
    )
    yield _at(
        "signature-changed-card",
        "a bit of a signed message",
        "entry/signature",
        lambda: replaced(good(), 7, signature_changed_body(good()[7])),
        0,
    )


def signature_changed_body(record: bytes) -> bytes:
    """The last byte of what was signed, changed; the signature as it was."""
    at = len(record) - 67
    return record[:at] + bytes([record[at] ^ 1]) + record[at + 1 :]


def _chain() -> Iterator[Scenario]:
    good = start
    yield _at(
        "chain-exchanged",
        "two entries of a step exchanged",
        "log/order",
        lambda: [*good()[:3], good()[4], good()[3], *good()[5:]],
        0,
    )
    yield _at("chain-doubled", "an entry twice", "log/order", lambda: replaced(good(), 3, good()[3], good()[3]), 1)
    yield _at("chain-dropped", "an entry missing", "log/order", lambda: replaced(good(), 3), 0)
    yield _at(
        "chain-step-ahead",
        "an entry of the next step, signed",
        "log/order",
        lambda: replaced(good(), 3, signed_again(short(), good()[3], step=2)),
        0,
    )
    yield _at(
        "chain-other-head",
        "an entry of another history, signed",
        "log/head",
        lambda: replaced(good(), 3, signed_again(short(), good()[3], head=bytes(32))),
        0,
    )
    yield Scenario(
        "chain-after-the-end",
        "the log goes on after the last VERDICT",
        lambda: file_of([*records_of(short()), good()[1]]),
        "log/order",
        None,
        complete=False,
    )
    yield Scenario(
        "chain-wrong-kind",
        "END in place of a turn, signed",
        lambda: said_instead(short(), (Kind.DRAW,), None, Kind.END, [bytes(32)]),
        "log/kind",
        1,
        complete=False,
        departed=(1,),
    )
    yield Scenario(
        "chain-draw-for-shares",
        "a draw in place of shares, signed",
        lambda: said_instead(short(), (Kind.SHARES,), None, Kind.DRAW, [0, 9, 0]),
        "log/kind",
        0,
        complete=False,
        departed=(0,),
    )
    yield Scenario(
        "chain-not-the-mover",
        "another seat draws, signed",
        lambda: said_instead(short(), (Kind.DRAW,), 0, Kind.DRAW, [0, 9, 0]),
        "log/order",
        1,
        complete=False,
    )
    yield Scenario(
        "chain-claim-of-nobody",
        "EXPIRED that names no seat, signed",
        lambda: said_instead(short(), (Kind.DRAW,), 0, Kind.EXPIRED, [0]),
        "log/order",
        1,
        complete=False,
    )
    yield Scenario(
        "chain-play-on-commit",
        "the seat that left says COMMIT of the round that the others play without it",
        lambda: said_instead(without_one(), (Kind.COMMIT,), 1, Kind.COMMIT, [bytes(32)], after=Kind.VOID),
        "log/order",
        0,
        complete=False,
        departed=(1,),
    )
    yield Scenario(
        "chain-play-on-turn",
        "the seat that left draws in the round that the others play without it",
        lambda: said_instead(without_one(), (Kind.DRAW,), 1, Kind.DRAW, [0, 9, 0], after=Kind.VOID),
        "log/order",
        2,
        complete=False,
        departed=(1,),
    )
    yield Scenario(
        "chain-play-on-claim",
        "the seats that are left claim the one that a VOID named already",
        lambda: said_instead(without_one(), (Kind.DRAW,), 0, Kind.EXPIRED, [2], after=Kind.VOID),
        "log/order",
        2,
        complete=False,
        departed=(1,),
    )
    yield _lie("chain-seat-rules", "signs for another rule card", "seat/roster", Kind.SEAT, put(3, value=bytes(32)))
    yield _lie("chain-ready-deck", "signs for another deck", "ready/deck", Kind.READY, put(1, value=bytes(32)))
    yield _lie("chain-end", "signs for another deck at the end", "end/context", Kind.END, put(0, value=bytes(32)))
    yield Scenario(
        "chain-void",
        "seat 2 gives another reason for the void that seat 1 brought about",
        lambda: lied((1, Kind.READY, put(1, value=bytes(32))), (2, Kind.VOID, put(1, value=3))),
        "ready/deck",
        1,
        departed=(1, 2),
    )


def _lie(name: str, about: str, code: str, kind: Kind, lie: Mutation, /, **how: Any) -> Scenario:
    """Seat 1 of three says this once, signed; the others void the round."""
    table_like: dict[str, Any] = {"changes": TINY, "seed": 4} | how
    return Scenario(name, about, lambda: lied((1, kind, lie), **table_like), code, 1, departed=(1,))


def _proof() -> Iterator[Scenario]:
    yield _lie(
        "proof-open-nonce", "opens another nonce than committed", "open/commitment", Kind.OPEN, put(2, value=flip)
    )
    yield _lie(
        "proof-key-possession", "a false proof of possession", "pok/pok", Kind.OPEN, put(3, value=bump_first_scalar)
    )
    yield _lie("proof-key-identity", "the identity as key share", "pok/point", Kind.OPEN, put(0, value=bytes(32)))
    yield _lie(
        "proof-deck-no-point",
        "a deck with bytes that are no point",
        "deck/point",
        Kind.SHUFFLE,
        put(0, value=lambda d: b"\xff" * 32 + d[32:]),
    )
    yield _lie(
        "proof-shuffle-card-replaced",
        "a card replaced in the shuffle",
        "proof/V0",
        Kind.SHUFFLE,
        put(0, value=other_point),
    )
    yield _lie(
        "proof-shuffle-scalar", "a scalar of the shuffle proof changed", "proof/V2", Kind.SHUFFLE, put(1, value=flip)
    )
    yield _lie(
        "proof-deal-share", "a false share of a dealt hand", "dleq/dleq", Kind.DEAL, put(0, 0, value=other_point)
    )
    yield _lie(
        "proof-open-card-share", "a false share of the open card", "dleq/dleq", Kind.DEAL, put(-1, 0, value=other_point)
    )
    yield _lie(
        "proof-play-on-draw-share",
        "a false share of a drawn card; the others play on",
        "dleq/dleq",
        Kind.SHARES,
        put(0, value=other_point),
        changes=GOING_ON,
    )
    yield _later_lie(
        "proof-play-on-context",
        "a commitment under the context of all seats, with the one that left",
        "open/commitment",
        Kind.COMMIT,
        committed_with_all,
    )
    yield _later_lie(
        "proof-play-on-dealt-to-all",
        "shares of the slots that hands would have if the seat that left were there",
        "dleq/dleq",
        Kind.DEAL,
        dealt_to_all,
    )
    yield _lie("proof-draw-share", "a false share of a drawn card", "dleq/dleq", Kind.SHARES, put(0, value=other_point))
    yield _lie(
        "proof-draw-proof", "a false proof of a share", "dleq/dleq", Kind.SHARES, put(1, value=bump_first_scalar)
    )
    yield _lie(
        "proof-card-claimed",
        "another card than the slot holds",
        "card/card",
        Kind.PLAY,
        put(1, 0, 1, 0, 1, value=lambda c: (c + 1) % 52),
    )
    yield _lie(
        "proof-play-share",
        "a false share of a played card",
        "dleq/dleq",
        Kind.PLAY,
        put(1, 0, 1, 0, 2, value=other_point),
    )


def _rules() -> Iterator[Scenario]:
    yield _lie(
        "rules-draw-not-next", "draws another card than the next", "draw/slot", Kind.DRAW, put(1, value=lambda i: i + 1)
    )
    yield Scenario(
        "rules-draw-twice",
        "a second draw in one turn, signed",
        lambda: said_instead(short(), (Kind.PLAY,), None, Kind.DRAW, [0, 20, 0]),
        "rules/already_drawn",
        1,
        complete=False,
        departed=(1,),
    )
    yield _lie(
        "rules-no-meld",
        "lays three cards that belong together in no way",
        "rules/not_a_meld",
        Kind.PLAY,
        playing(no_meld),
    )
    yield _lie(
        "rules-queen-thrown",
        "discards the queen of spades",
        "rules/queen_discard",
        Kind.PLAY,
        playing(queen_thrown),
        seed=1,
    )
    yield _lie(
        "rules-pot-after-draw", "takes the pot after a draw", "rules/already_drawn", Kind.PLAY, playing(pot_for_nothing)
    )
    yield Scenario(
        "rules-pot-for-nothing",
        "takes the pot, lays nothing and discards its top card again, signed",
        lambda: said_instead(short(strict_pot=True), (Kind.DRAW,), None, Kind.PLAY, [[1, [], [8], 0, []], [], 0]),
        "rules/pot_top_must_meld",
        1,
        complete=False,
        departed=(1,),
    )
    yield _lie(
        "rules-opening-too-low",
        "comes down with less than 30 points",
        "rules/below_opening_minimum",
        Kind.PLAY,
        playing(too_little),
        name="basis",
        changes=SHORT,
        seed=15,
    )
    yield _lie(
        "rules-exchange-queen",
        "gives the queen of spades back in the exchange",
        "rules/exchange_queen",
        Kind.EXCHANGE,
        queen_returned,
        name="basis",
        changes=SHORT,
        seed=11,
    )
    yield _lie(
        "rules-no-discard",
        "ends a turn without a discard",
        "rules/discard_required",
        Kind.PLAY,
        playing(nothing_thrown),
    )
    yield _lie(
        "rules-not-its-card", "opens a slot it does not hold", "open/owner", Kind.PLAY, put(1, 0, 1, -1, 0, value=51)
    )
    yield _lie("rules-show-nothing", "does not show its hand", "open/slots", Kind.SHOW, put(0, value=[]))


def _audit() -> Iterator[Scenario]:
    yield _lie("audit-seed", "another seed than committed", "audit/seed", Kind.AUDIT, put(0, value=bytes(32)))
    yield _lie(
        "audit-shuffle", "a proven shuffle that the seed does not lead to", "audit/shuffle", Kind.SHUFFLE, own_shuffle
    )
    yield _later_lie(
        "audit-play-on-verdict",
        "gives the seat that left the verdict byte of one that was audited",
        "verdict/differs",
        Kind.VERDICT,
        put(0, value=bytes(3)),
    )
    yield _lie("audit-score", "signs another score", "verdict/differs", Kind.VERDICT, put(1, value=bytes(32)))
    yield _lie("audit-verdict", "signs another verdict", "verdict/differs", Kind.VERDICT, put(0, value=b"\x01\x00\x00"))
