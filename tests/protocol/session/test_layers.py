"""Every fault has a layer, and the verdict on a file names it."""

from __future__ import annotations

import pytest

from protocol.session.gamefile import write_game
from protocol.session.layers import GROUPS, LAYERS, layer_of
from protocol.session.verify import verify_game
from protocol.wire.entry import Kind
from tests.coupled import Coupled, patient
from tests.protocol.session.test_hostile import CASES, attacked, put


@pytest.mark.parametrize("code", sorted({code for _, _, _, code in CASES}))
def test_every_fault_of_a_hostile_seat_has_a_layer(code: str) -> None:
    """No code that a lie brings about is without a layer."""
    assert layer_of(code) in LAYERS


def test_a_code_that_is_no_fault_has_no_layer() -> None:
    """Codes of the node, of which no game file can speak, are not taken for one of a layer."""
    with pytest.raises(KeyError):
        layer_of("lobby/full")


def test_every_layer_can_fail() -> None:
    """A signature has its own layer within the form of an entry; the others are whole groups of codes."""
    assert {*GROUPS.values(), layer_of("entry/signature")} == set(LAYERS)
    assert layer_of("entry/form") == "wire"


def test_the_verdict_names_the_layer() -> None:
    """A whole game is `ok`; one with a false seed fails in the audit."""
    table = Coupled(2, seed=2, choose=patient)
    table.start()
    table.run()
    good = verify_game(write_game(table.genesis, table.sessions[0].log_frames()), bytes(32))
    honest = attacked(3, 1, Kind.AUDIT, put(0, value=bytes(32)))[1][0]
    bad = verify_game(write_game(honest.genesis, honest.log_frames()), bytes(32))

    assert (good.as_json()["layer"], bad.as_json()["layer"]) == ("ok", "audit")
