"""Every preset over the log with the real cryptography, opening exchange and reshuffle included."""

from __future__ import annotations

import pytest

from protocol.rules.ruleset import PRESETS, preset
from protocol.session.gamefile import write_game
from protocol.session.outputs import Exchanged, Reshuffling
from protocol.session.verify import verify_game
from tests.coupled import Coupled, patient

ENTROPY = bytes(32)


@pytest.mark.must("C80", "C84", "R35", "R36")
@pytest.mark.parametrize("name", PRESETS)
def test_a_round_of_every_preset_is_played_and_verified(name: str) -> None:
    """A whole round, with the exchange where the preset has one and a reshuffle, ends alike everywhere and verifies."""
    rules = preset(name)
    table = Coupled(4, seed=4, choose=patient, rules=rules)
    table.start()
    table.run()
    events = table.outputs[0]
    swaps = [o for o in events if isinstance(o, Exchanged)]
    verdict = verify_game(write_game(table.genesis, table.sessions[3].log_frames()), ENTROPY)

    assert [s.fault for s in table.sessions] == [None] * 4
    assert verdict.complete
    assert any(isinstance(o, Reshuffling) for o in events)
    assert (0 if rules.opening_exchange == "none" else 3) == len(swaps)
    assert all((s.taken is None) == (s.returned is None) for s in swaps)
