"""The attacks of the specification, each over a whole table: who is named, with what proof, and what nobody can do.

`test_hostile` changes single parts of entries; here seats act together, replay, open too early, shuffle as they like,
play what the rules forbid, or forge what others would say. Whatever happens: the honest seats end with one log, only a
seat that did it is named, and both verifiers find the same, in the game file and in the evidence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from node.policy import choose
from protocol.crypto import group, proofs
from protocol.errors import IllegalMove, InternalError
from protocol.rules import engine
from protocol.rules.actions import Lay, Placed, Play
from protocol.rules.ruleset import RuleSet, preset, with_overrides
from protocol.session.bodies import play_body
from protocol.session.evidence import EQUIVOCATION, verify_evidence, write_evidence
from protocol.session.gamefile import write_game
from protocol.session.outputs import Dropped, Publish
from protocol.session.session import Session
from protocol.session.verify import verify_game
from protocol.wire.entry import Entry, Kind, genesis_head, parse_entry, sign_entry
from tests.coupled import Coupled, Player_, patient
from tests.second_verifier import AVAILABLE, compared, second_opinion

ENTROPY = bytes(32)
ONE_PACK = {"decks": 1, "jokers_in_deck": 0, "joker_points": "none"}
SMALL = with_overrides(preset("klassiek"), ONE_PACK | {"hand_size": 7})
"""One pack and small hands: half the work of a whole game."""
FEW_LEFT = with_overrides(preset("klassiek"), ONE_PACK | {"hand_size": 15})
"""Big hands of one pack: the stock is soon empty, and a reshuffle follows."""

Said: TypeAlias = tuple[Kind, list[Any]]
Script: TypeAlias = Callable[["Rogue", Kind, list[Any]], Said | None]


class Rogue(Session):
    """A seat that says what its script makes of every honest entry (None: the honest one)."""

    script: Script
    said: dict[Kind, list[list[Any]]]

    def _say(self, kind: Kind, body: list[Any]) -> None:
        assert self.seat is not None
        assert self._key is not None
        step, head = self._table.step, self._table.head
        told = self.script(self, kind, body)
        self.said.setdefault(kind, []).append(body)
        kind, body = told or (kind, body)
        try:
            super()._say(kind, body)
        except InternalError:  # our own table refuses it; the others get it all the same
            entry = sign_entry(self._key, self.genesis.table, step, self.seat, head, kind, body)
            self._out.append(Publish(entry.frame))


@dataclass(frozen=True)
class Attack:
    """Scripts by seat, the table they run at, and everybody who must be named for it, break by break."""

    scripts: dict[int, Script]
    named: list[list[tuple[str, int]]]
    n: int = 3
    rounds: int = 1
    choose: Player_ = choose
    rules: RuleSet = SMALL


def once(kind: Kind, make: Callable[[Rogue, list[Any]], Said], number: int = 0) -> Script:
    """Lie in the entry of this kind with this number only."""

    def script(seat: Rogue, now: Kind, body: list[Any]) -> Said | None:
        hit = now is kind and len(seat.said.get(kind, ())) == number
        return make(seat, body) if hit else None

    return script


def instead(kind: Kind, other: Kind, body: list[Any], number: int = 0) -> Script:
    """Say something of another kind."""
    return once(kind, lambda _, __: (other, body), number)


def again(kind: Kind, number: int) -> Script:
    """Say what this seat said the first time in an entry of this kind."""
    return once(kind, lambda seat, _: (kind, seat.said[kind][0]), number)


def flipped(kind: Kind, place: int, number: int = 0) -> Script:
    """Change the last byte of one field."""

    def make(_: Rogue, body: list[Any]) -> Said:
        changed = list(body)
        changed[place] = body[place][:-1] + bytes([body[place][-1] ^ 1])
        return kind, changed

    return once(kind, make, number)


def same_key(seat: Rogue, kind: Kind, body: list[Any]) -> Said | None:
    """Use a key that another seat uses too."""
    if kind is not Kind.COMMIT:
        return None
    assert seat._secrets is not None
    seat._secrets.x = 12345
    return kind, seat._secrets.commit_body()


def own_order(seat: Rogue, body: list[Any]) -> Said:
    """Shuffle by another seed than the committed one; the proof is valid."""
    secrets = seat._secrets
    assert secrets is not None
    seed, secrets.seed = secrets.seed, bytes(32)
    ledger = seat._table.ledger
    body = secrets.shuffle_body(ledger, ledger.chains[-1])
    secrets.seed = seed
    return Kind.SHUFFLE, body


def shuffle_of_another(seat: Rogue, body: list[Any]) -> Said:
    """Say what the seat before said."""
    return Kind.SHUFFLE, list(seat._table.log[-1].values())[-1].body


def proof_of_another_table(seat: Rogue, body: list[Any]) -> Said:
    """Prove the own key under another context."""
    secrets = seat._secrets
    assert secrets is not None
    assert seat.seat is not None
    return Kind.OPEN, [*body[:3], proofs.prove_key(bytes(32), seat.seat, secrets.x, bytes(32))]


def stale_context(seat: Rogue, body: list[Any]) -> Said:
    """Say END for the first deck of a round that has had a second one."""
    return Kind.END, [seat._table.ledger.chains[0].rctx]


def illegal(number: int) -> Script:
    """Some play of the own cards that the rules refuse."""

    def make(seat: Rogue, body: list[Any]) -> Said:
        rng = random.Random(number)
        state, me = seat._table.play, seat.seat
        assert state is not None
        assert me is not None
        hand = list(seat.view().hand)
        while True:
            cards = rng.sample(hand, rng.choice([0, 1, 2, 3, 4]))
            lay = (Lay(tuple(Placed(card) for card in cards)),) if cards else ()
            left = [card for card in hand if card not in cards]
            play = Play(
                take_pot=rng.random() < 0.2,
                steps=lay,
                discard=rng.choice([*left, None]),
                call_last=rng.random() < 0.2,
            )
            try:
                faces, opens = seat._open(engine.slots_to_open(state, me, play))
                engine.play(state, me, play, faces)
            except IllegalMove:
                return Kind.PLAY, [play_body(play), opens, 0]

    return once(Kind.PLAY, make)


ATTACKS: dict[str, Attack] = {
    "two seats give false seeds": Attack(
        {1: flipped(Kind.AUDIT, 0), 2: flipped(Kind.AUDIT, 0)}, [[("audit/seed", 1), ("audit/seed", 2)]], n=4
    ),
    "two shuffle proofs are false": Attack(
        {0: flipped(Kind.SHUFFLE, 1), 2: flipped(Kind.SHUFFLE, 1)}, [[("proof/V2", 0), ("proof/V2", 2)]], n=4
    ),
    "two seats share a key": Attack(
        {1: same_key, 3: same_key}, [[("open/equal-keys", 1), ("open/equal-keys", 3)]], n=4
    ),
    "two faults in one step": Attack(
        {0: flipped(Kind.READY, 1), 2: instead(Kind.READY, Kind.READY, [])},
        [[("ready/deck", 0), ("ready/deck", 2)]],
        n=4,
    ),
    "a second seat lies about the first": Attack(
        {1: flipped(Kind.READY, 1), 2: flipped(Kind.VOID, 0)}, [[("ready/deck", 1)], [("void/differs", 2)]], n=4
    ),
    "a shuffle of the own choice": Attack({1: once(Kind.SHUFFLE, own_order)}, [[("audit/shuffle", 1)]]),
    "the shuffle of another seat": Attack({1: once(Kind.SHUFFLE, shuffle_of_another)}, [[("proof/V0", 1)]]),
    "a key proven at another table": Attack({1: once(Kind.OPEN, proof_of_another_table)}, [[("pok/pok", 1)]]),
    "a share said again": Attack({1: again(Kind.SHARES, 1)}, [[("dleq/dleq", 1)]]),
    "a commitment of the round before": Attack({1: again(Kind.COMMIT, 1)}, [[("open/commitment", 1)]], rounds=2),
    "a key of the round before": Attack({1: again(Kind.OPEN, 1)}, [[("open/commitment", 1)]], rounds=2),
    "a shuffle of the round before": Attack({1: again(Kind.SHUFFLE, 1)}, [[("proof/V0", 1)]], rounds=2),
    "shares of the round before": Attack({1: again(Kind.DEAL, 1)}, [[("dleq/dleq", 1)]], rounds=2),
    "a deck of the epoch before": Attack(
        {1: again(Kind.SHUFFLE, 1)}, [[("body/length", 1)]], choose=patient, rules=FEW_LEFT
    ),
    "an agreement of the epoch before": Attack(
        {1: again(Kind.READY, 1)}, [[("ready/deck", 1)]], choose=patient, rules=FEW_LEFT
    ),
    "an end of the epoch before": Attack(
        {1: once(Kind.END, stale_context)}, [[("end/context", 1)]], choose=patient, rules=FEW_LEFT
    ),
    "a key before the commitments": Attack({1: instead(Kind.COMMIT, Kind.OPEN, [])}, [[("log/kind", 1)]]),
    "shares before the decks agree": Attack({1: instead(Kind.READY, Kind.DEAL, [])}, [[("log/kind", 1)]]),
    "a hand before the end": Attack({1: instead(Kind.END, Kind.SHOW, [[]])}, [[("log/kind", 1)]]),
    "a seed before the hands": Attack({1: instead(Kind.SHOW, Kind.AUDIT, [bytes(32)])}, [[("log/kind", 1)]]),
    "a void for no reason": Attack({1: instead(Kind.READY, Kind.VOID, [bytes(32), 2, 1])}, [[("log/kind", 1)]]),
    "a second draw in one turn": Attack({1: instead(Kind.PLAY, Kind.DRAW, [0, 60, 0])}, [[("rules/already_drawn", 1)]]),
    **{f"an illegal play, number {k}": Attack({1: illegal(k)}, [[("rules/", 1)]]) for k in range(6)},
}


def play_out(attack: Attack) -> Coupled:
    """Play with these rogues until the honest seats have ended."""
    table = Coupled(attack.n, seed=5, choose=attack.choose, max_rounds=attack.rounds, rules=attack.rules)
    for seat, script in attack.scripts.items():
        rogue = type("Scripted", (Rogue,), {"script": staticmethod(script), "said": {}})
        table.sessions[seat] = rogue(
            table.genesis, seat=seat, key=table.keys[seat], secret=table.secrets[seat][1], auto_continue=True
        )
    table.start()
    table.run(until=lambda: all(s.finished for i, s in enumerate(table.sessions) if i not in attack.scripts))
    return table


def check_secrets_kept(table: Coupled, honest: Iterable[int]) -> None:
    """No honest seat opened its hand before all had said END, or gave its seed before all hands were open."""
    log = table.sessions[min(honest)]._table.log
    whole = [next(iter(step.values())).kind for step in log if len(step) == table.n]
    for seat in honest:
        frames = [o.frame for o in table.outputs[seat] if isinstance(o, Publish)]
        said = {e.step: e.kind for e in (parse_entry(f, table.genesis.table, table.public) for f in frames)}
        for kind, barrier in ((Kind.SHOW, Kind.END), (Kind.AUDIT, Kind.SHOW)):
            assert sum(k is kind for k in said.values()) <= sum(k is barrier for k in whole)
    for seat in honest:
        view = table.sessions[seat].view()
        hidden = {s for other in honest if other != seat and view.round for s in view.round.hands[other]}
        assert not hidden & (set(view.faces) - set(table.sessions[seat]._table.ledger.cards))


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_who_attacks_is_named_and_nobody_else(attack: Attack, tmp_path: Path) -> None:
    """One log at all honest seats, exactly the attackers named, and proof of it that both verifiers accept."""
    table = play_out(attack)
    honest = [s for s in range(attack.n) if s not in attack.scripts]
    logs = [table.sessions[s].log_frames() for s in honest]
    evidence = table.sessions[honest[0]].evidence()
    named = [[(f.code, f.seat) for f in one.findings] for one in evidence]
    if attack.named[0][0][0] == "rules/":
        named = [[("rules/", seat) for code, seat in one if code.startswith("rules/")] for one in named]

    assert named == attack.named
    assert all(log == logs[0] for log in logs)
    assert all(table.sessions[s].evidence() == evidence for s in honest)
    check_secrets_kept(table, honest)

    game = write_game(table.genesis, logs[0])
    verdict = verify_game(game, ENTROPY)

    assert (verdict.ok, verdict.complete) == (False, True)
    assert set(verdict.departed) == set(attack.scripts)

    files = [write_evidence(table.genesis, one) for one in evidence]
    rulings = [verify_evidence(data, ENTROPY) for data in files]

    assert all(ruling.proven for ruling in rulings)

    if AVAILABLE:
        exit_code, other = second_opinion(game, tmp_path)
        assert (exit_code, compared(other)) == (1, compared(verdict.as_json()))
        for data, ruling in zip(files, rulings, strict=True):
            assert second_opinion(data, tmp_path, "--evidence") == (0, ruling.as_json())


def test_keys_that_cancel_take_all_seats(tmp_path: Path) -> None:
    """A joint key of O needs every seat's secret: all are named, and nobody is left to say VOID."""
    secrets: list[int] = []

    def cancel(seat: Rogue, kind: Kind, body: list[Any]) -> Said | None:
        if kind is not Kind.COMMIT:
            return None
        assert seat._secrets is not None
        seat._secrets.x = -sum(secrets) % group.Q if len(secrets) == 2 else 7 + len(secrets)
        secrets.append(seat._secrets.x)
        return kind, seat._secrets.commit_body()

    table = play_out(Attack(dict.fromkeys(range(3), cancel), []))
    table.run(until=lambda: all(s.finished for s in table.sessions))
    game = write_game(table.genesis, table.sessions[0].log_frames())
    verdict = verify_game(game, ENTROPY)

    assert (verdict.complete, verdict.departed, verdict.winners) == (True, (0, 1, 2), ())
    assert verdict.fault is not None
    assert verdict.fault.code == "open/joint-key"
    if AVAILABLE:
        assert compared(second_opinion(game, tmp_path)[1]) == compared(verdict.as_json())


# ------------------------------------------------------------------------------------------ equivocation


def another_deck(entry: Entry) -> list[Any]:
    """The body with its last byte string changed."""
    *before, last = entry.body
    return [*before, last[:-1] + bytes([last[-1] ^ 1])]


EQUIVOCATIONS: dict[str, tuple[Kind, Callable[[Coupled, Entry], tuple[bytes, Kind, list[Any]]]]] = {
    "two entries": (Kind.COMMIT, lambda _, e: (e.head, e.kind, [bytes(32)])),
    "two decks": (Kind.SHUFFLE, lambda _, e: (e.head, e.kind, another_deck(e))),
    "two agreements": (Kind.READY, lambda _, e: (e.head, e.kind, another_deck(e))),
    "two histories": (Kind.OPEN, lambda _, e: (bytes(32), e.kind, e.body)),
    "two geneses": (Kind.SEAT, lambda _, e: (genesis_head(b"another genesis"), e.kind, e.body)),
    "an entry and a departure": (Kind.READY, lambda _, e: (e.head, Kind.LEAVE, [])),
}


@pytest.mark.parametrize("name", EQUIVOCATIONS)
def test_two_entries_of_a_step_prove_themselves(name: str, tmp_path: Path) -> None:
    """Whoever is shown both names the seat, and the two entries alone convince a stranger."""
    kind, second = EQUIVOCATIONS[name]
    table = Coupled(3, seed=1, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step > 8)
    log = [parse_entry(f, table.genesis.table, table.public) for f in table.sessions[0].log_frames()]
    first = next(e for e in log if e.seat == 2 and e.kind is kind)
    head, other_kind, body = second(table, first)
    entry = sign_entry(table.keys[2], table.genesis.table, first.step, 2, head, other_kind, body)
    table.away.add(2)
    table.carry_out(0, table.sessions[0].receive(entry.frame))
    while table.deliver_next():
        pass
    evidence = table.sessions[0].evidence()

    assert [(f.code, f.seat, f.step) for f in evidence[0].findings] == [(EQUIVOCATION, 2, first.step)]
    assert [f and (f.code, f.seat) for f in (s.fault for s in table.sessions[:2])] == [(EQUIVOCATION, 2)] * 2

    data = write_evidence(table.genesis, evidence[0])
    ruling = verify_evidence(data, ENTROPY)

    assert ruling.proven
    if AVAILABLE:
        assert second_opinion(data, tmp_path, "--evidence") == (0, ruling.as_json())


# ------------------------------------------------------------------------------------------ forgeries


def forged(table: Coupled, seat: int, kind: Kind, body: list[Any], **more: Any) -> bytes:
    """An entry that says it is of `seat`, signed by seat 1, at the open step and head of this table."""
    place = table.sessions[0].position()
    said: dict[str, Any] = {"of": table.genesis.table, "step": place.step, "head": place.head} | more
    return sign_entry(table.keys[1], said["of"], said["step"], seat, said["head"], kind, body).frame


FORGERIES: dict[str, tuple[str, Callable[[Coupled], bytes]]] = {
    "a departure of another": ("entry/signature", lambda t: forged(t, 2, Kind.LEAVE, [])),
    "a goodbye of another": ("entry/signature", lambda t: forged(t, 2, Kind.GOODBYE, [])),
    "a claim in another's name": ("entry/signature", lambda t: forged(t, 0, Kind.EXPIRED, [0b100])),
    "a hold in another's name": ("entry/signature", lambda t: forged(t, 0, Kind.HELD, [0b100])),
    "a claim against too many": ("side/mask", lambda t: forged(t, 1, Kind.EXPIRED, [0b1101])),
    "a claim against itself": ("side/mask", lambda t: forged(t, 1, Kind.EXPIRED, [0b10])),
    "a claim against nobody": ("side/mask", lambda t: forged(t, 1, Kind.EXPIRED, [0])),
    "a claim of another history": ("log/head", lambda t: forged(t, 1, Kind.EXPIRED, [0b100], head=bytes(32))),
    "an entry of another table": ("entry/table", lambda t: forged(t, 1, Kind.READY, [], of=bytes(16))),
    "an entry far ahead": ("log/too-far", lambda t: forged(t, 1, Kind.SHOW, [[]], step=99)),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_names_nobody_and_changes_nothing(name: str) -> None:
    """It is dropped with its code, and the game goes on to its end with every seat in it."""
    code, make = FORGERIES[name]
    table = Coupled(4, seed=6, choose=choose)
    table.start()
    table.run(until=lambda: not table.under_way and table.sessions[0].view().round is not None)
    frame = make(table)
    dropped = [o for s in (0, 2, 3) for o in table.sessions[s].receive(frame) if isinstance(o, Dropped)]

    assert [o.code for o in dropped] == [code] * 3

    table.run()

    assert all(s.finished and s.fault is None and not s.evidence() for s in table.sessions)
    assert {s.view().departed for s in table.sessions} == {()}
