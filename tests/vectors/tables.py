"""Tables that make the files of test vectors: the same bytes on every machine, from names and numbers alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from protocol.crypto.hashing import H32
from protocol.rules.rulekinds import Value
from protocol.rules.ruleset import RuleSet, for_players, preset, with_overrides
from protocol.session.gamefile import write_game
from protocol.session.session import Challenge, Claim, Leave
from protocol.wire.entry import Kind
from tests.coupled import Coupled, Player_
from tests.protocol.session.test_hostile import Hostile, Mutation

from .player import steady

NAMES = ("Truus", "Joep", "Bep", "Cor", "Dirk", "Els", "Fien")
SHORT: Mapping[str, Value] = {"decks": 1, "jokers_in_deck": 0, "joker_points": None, "hand_size": 7}
"""One pack and small hands: a round in few and short messages."""


@dataclass
class VectorTable(Coupled):
    """A coupled table whose genesis says what it is."""

    rules_name: str = "klassiek"
    catching: bool = False
    """Whether seats catch each other's missed calls of the last card."""

    def __post_init__(self) -> None:
        """Seat everybody under the names of test vectors."""
        super().__post_init__()
        label = f"{self.rules_name}/{self.n}/{self.seed}".encode()
        players = tuple(replace(p, name=name) for p, name in zip(self.genesis.players, NAMES, strict=False))
        self.genesis = replace(
            self.genesis,
            table=H32("test/vector", label)[:16],
            rules_name=self.rules_name,
            players=players,
            seeded=True,
        )
        self.sessions = [self.make(seat) for seat in range(self.n)]

    def move(self) -> bool:
        """As ever, but a seat that catches another does so first."""
        for seat, session in enumerate(self.sessions if self.catching else []):
            state = session.view().round
            for offender in state.calls.uncalled if state is not None else ():
                if offender != seat and session._challenged is None:
                    self.carry_out(seat, session.act(Challenge(offender)))
        return super().move()

    def file(self, seat: int = 0) -> bytes:
        """The game file of this seat."""
        return write_game(self.genesis, self.sessions[seat].log_frames())


def rules_of(name: str, n: int, changes: Mapping[str, Value] | None = None) -> RuleSet:
    """A preset with changes, for so many seats."""
    rules = for_players(preset(name), n)
    return with_overrides(rules, dict(changes)) if changes else rules


def table(
    n: int,
    name: str = "klassiek",
    *,
    changes: Mapping[str, Value] | None = None,
    seed: int = 1,
    choose: Player_ = steady,
    rounds: int = 1,
    catching: bool = False,
) -> VectorTable:
    """A table that has begun."""
    made = VectorTable(
        n,
        seed=seed,
        max_rounds=rounds,
        rules=rules_of(name, n, changes),
        choose=choose,
        rules_name=name,
        catching=catching,
    )
    made.start()
    return made


def played(n: int, name: str = "klassiek", **how: Any) -> bytes:
    """The file of a game among honest seats, played to its end."""
    made = table(n, name, **how)
    made.run()
    return made.file()


Lies = tuple[tuple[int, Kind, Mutation], ...]


def lied(
    *lies: tuple[int, Kind, Mutation],
    n: int = 3,
    name: str = "klassiek",
    changes: Mapping[str, Value] = SHORT,
    seed: int = 1,
) -> bytes:
    """The file of a game in which seats say something else at their first entry of a kind, VOID included."""
    made = _hostile(lies, n, name, changes, seed)
    honest = [seat for seat in range(n) if seat not in {seat for seat, _, _ in lies}]
    made.run(until=lambda: all(made.sessions[seat].finished for seat in honest))
    return made.file(honest[0])


def _hostile(
    lies: Lies, n: int, name: str, changes: Mapping[str, Value], seed: int, *, rounds: int = 1, **how: Any
) -> VectorTable:
    """A table that has begun, with seats that lie."""
    rules = rules_of(name, n, changes)
    made = VectorTable(n, seed=seed, max_rounds=rounds, rules=rules, rules_name=name, **{"choose": steady, **how})
    for seat, kind, lie in lies:
        liar = type("Liar", (Hostile,), {"lie_kind": kind, "lie": staticmethod(lie)})
        secret = made.secrets[seat][1]
        made.sessions[seat] = liar(made.genesis, seat=seat, key=made.keys[seat], secret=secret, auto_continue=True)
    made.start()
    return made


def left(after: int) -> bytes:
    """The file of a game that a seat leaves, with a goodbye, after this step."""
    return departed((after, 2), changes=SHORT).file()


def silent(after: int) -> bytes:
    """The file of a game in which a seat falls silent after this step, and all others wait no longer."""
    return departed((after, 2), silently=True, changes=SHORT).file()


def departed(
    *departures: tuple[int, int],
    silently: bool = False,
    lies: Lies = (),
    n: int = 3,
    name: str = "klassiek",
    changes: Mapping[str, Value] = SHORT,
    rounds: int = 1,
    choose: Player_ = steady,
    catching: bool = False,
) -> VectorTable:
    """A finished game which seats leave, (after this step, seat): with a goodbye, or silently until others claim it."""
    made = _hostile(lies, n, name, changes, 1, rounds=rounds, choose=choose, catching=catching)
    honest = {*range(n)} - {seat for seat, _, _ in lies}
    for after, seat in departures:
        made.run(until=partial(_are_at, made, honest - made.away, after))
        if silently:
            made.away |= {seat}
            made.under_way.clear()
            made.sync()
            _wait_no_longer(made, seat)
        else:
            made.carry_out(seat, made.sessions[seat].act(Leave()))
    made.run(until=lambda: all(made.sessions[s].finished for s in honest - made.away))
    return made


def _are_at(made: VectorTable, seats: set[int], step: int) -> bool:
    return all(made.sessions[seat].position().step >= step for seat in seats)


def _wait_no_longer(made: VectorTable, gone: int) -> None:
    """All others claim this seat when it lacks."""
    others = [made.sessions[seat] for seat in range(made.n) if seat not in made.away]
    while not any(gone in s.view().departed or s.finished for s in others):
        made.run(until=lambda: not made.under_way and not made.move())
        made.sync()
        for seat, session in enumerate(made.sessions):
            if seat not in made.away and gone in session.view().waiting_for:
                made.carry_out(seat, session.act(Claim((gone,))))
        made.sync()
