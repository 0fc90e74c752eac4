"""The table of steps that the specification prints is the one that the log follows."""

from __future__ import annotations

import pytest

from protocol.rules.ruleset import preset
from protocol.session import closing, setup, turns
from protocol.session.phases import Phase
from protocol.session.table import Table
from tests.coupled import Coupled, patient
from tests.protocol.session.test_calls_over_log import careless

PHASES = {
    cls.__name__: cls
    for module in (setup, turns, closing)
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Phase) and cls is not Phase
}

Step = tuple[Phase, Phase | None]


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """Every step that a table closed, with the one that followed."""
    steps: list[Step] = []
    close = Table._close

    def noting(self: Table, phase: Phase) -> None:
        close(self, phase)
        steps.append((phase, self.phase))

    monkeypatch.setattr(Table, "_close", noting)
    return steps


def test_steps_follow_each_other_as_the_table_says(closed: list[Step]) -> None:
    """Games with exchange, reshuffle and penalty cards take every way that the table has, and no other."""
    table = Coupled(4, seed=4, choose=patient, rules=preset("spelregelwijzer"), max_rounds=2)
    table.start()
    table.run()
    careless("extra_card", 3)
    taken = {(type(a).__name__, None if b is None else type(b).__name__) for a, b in closed}
    known = {(name, to) for name, cls in PHASES.items() for to in cls.leads_to}
    rare = {("Share", "Share"), ("Share", "Shuffle"), ("Share", "End"), ("Void", None), ("Void", "Commit")}

    assert taken <= known
    assert known - taken <= rare


def test_who_speaks_is_who_the_table_says(closed: list[Step]) -> None:
    """Steps of "all" wait for everybody, shares for all but one seat, the others for one seat."""
    table = Coupled(3, seed=1, choose=patient)
    table.start()
    table.run()
    counts = {(cls.speakers, len(phase.seats)) for phase, _ in closed for cls in [type(phase)]}

    assert counts == {
        ("all", 3),
        ("the first seat, then each next one", 1),
        ("the mover", 1),
        ("all but the seat that gets the card", 2),
    }
