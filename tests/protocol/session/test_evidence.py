"""Evidence: a file proves to a stranger who is named for what, and nothing else; no honest seat can be accused."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from node.policy import choose
from protocol.errors import WireError
from protocol.session.evidence import EQUIVOCATION, MAGIC, Evidence, verify_evidence, write_evidence
from protocol.session.gamefile import write_game
from protocol.session.session import Claim, Leave
from protocol.session.verify import verify_game
from protocol.session.view import Finding
from protocol.wire.codec import encode
from protocol.wire.entry import Entry, Kind, parse_entry, sign_entry
from tests.coupled import Coupled
from tests.second_verifier import AVAILABLE, second_opinion

ENTROPY = bytes(32)


def proves(table: Coupled, evidence: Evidence) -> bool:
    """Whether a stranger who has the file alone agrees."""
    return verify_evidence(write_evidence(table.genesis, evidence), ENTROPY).proven


def agreed(data: bytes, folder: Path) -> bool:
    """The ruling, after the other verifier has been asked too."""
    ruling = verify_evidence(data, ENTROPY)
    if AVAILABLE:
        assert second_opinion(data, folder, "--evidence") == (0 if ruling.proven else 1, ruling.as_json())
    return ruling.proven


def until(step: int, n: int = 3) -> Coupled:
    """A table whose seats are all at this step or further."""
    table = Coupled(n, seed=6, choose=choose)
    table.start()
    table.run(until=lambda: all(s.position().step >= step for s in table.sessions))
    return table


@functools.cache
def false_commitment() -> tuple[Coupled, Evidence]:
    """A seat whose COMMIT has no form, and the evidence that the others hold."""
    table = until(1)
    place = table.sessions[0].position()
    table.under_way.clear()
    table.away.add(2)
    false = sign_entry(table.keys[2], table.genesis.table, place.step, 2, place.head, Kind.COMMIT, [b"short"])
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].receive(false.frame))
    table.sync()
    table.run(until=lambda: all(s.finished for s in table.sessions[:2]))
    (evidence,) = table.sessions[0].evidence()
    return table, evidence


@functools.cache
def two_commitments() -> tuple[Coupled, Evidence]:
    """A seat that signed two entries for one step, and the evidence that a witness of both holds."""
    table = until(6)
    first = next(e for e in log_of(table) if e.seat == 2 and e.kind is Kind.COMMIT)
    second = sign_entry(table.keys[2], table.genesis.table, first.step, 2, first.head, Kind.COMMIT, [bytes(32)])
    table.sessions[0].receive(second.frame)
    (evidence,) = table.sessions[0].evidence()
    return table, evidence


def log_of(table: Coupled) -> list[Entry]:
    """The log of seat 0, parsed."""
    return [parse_entry(f, table.genesis.table, table.public) for f in table.sessions[0].log_frames()]


@pytest.mark.must("A3")
def test_a_fault_is_proven_by_the_log_up_to_it(tmp_path: Path) -> None:
    """The file says seat, step and code, and holds nothing after the faulty step."""
    table, evidence = false_commitment()

    assert evidence.findings == (Finding("body/length", 2, 1),)
    assert max(parse_entry(f, table.genesis.table, table.public).step for f in evidence.frames) == 1
    assert agreed(write_evidence(table.genesis, evidence), tmp_path)


@pytest.mark.must("A2")
def test_equivocation_is_proven_by_the_two_entries_alone(tmp_path: Path) -> None:
    """Two frames and the genesis: no log is needed, and either order will do."""
    table, evidence = two_commitments()

    assert evidence.findings == (Finding(EQUIVOCATION, 2, 1),)
    assert len(evidence.frames) == 2
    assert agreed(write_evidence(table.genesis, evidence), tmp_path)
    assert proves(table, Evidence(evidence.findings, evidence.frames[::-1]))


def test_the_evidence_is_the_same_after_a_restart() -> None:
    """A node that was killed finds the proof again in its journal."""
    table, evidence = false_commitment()
    table.restart(0)

    assert table.sessions[0].evidence() == (evidence,)


@pytest.mark.must("A3")
def test_silence_and_departure_are_proven_as_what_they_are(tmp_path: Path) -> None:
    """EXPIRED of all others, and a LEAVE, have codes of their own: nobody is accused of a fault."""
    silent = until(9)
    silent.away.add(2)
    while silent.deliver_next():
        pass
    silent.sync()
    silent.run(until=lambda: not silent.under_way and 2 in silent.sessions[0].view().waiting_for)
    for seat in (0, 1):
        silent.carry_out(seat, silent.sessions[seat].act(Claim((2,))))
    silent.run(until=lambda: all(s.finished for s in silent.sessions[:2]))
    left = until(9)
    left.carry_out(1, left.sessions[1].act(Leave()))
    left.run(until=lambda: all(s.finished for i, s in enumerate(left.sessions) if i != 1))
    (expired,), (leave,) = silent.sessions[0].evidence(), left.sessions[0].evidence()

    assert [(f.code, f.seat) for f in expired.findings] == [("log/expired", 2)]
    assert [(f.code, f.seat) for f in leave.findings] == [("log/left", 1)]
    assert agreed(write_evidence(silent.genesis, expired), tmp_path)
    assert agreed(write_evidence(left.genesis, leave), tmp_path)


def test_another_accusation_is_not_proven(tmp_path: Path) -> None:
    """Another seat, step or code, or one seat more, than the entries prove: the file proves nothing."""
    for table, evidence in (false_commitment(), two_commitments()):
        (found,) = evidence.findings
        others = [
            (Finding(found.code, 0, found.step),),
            (Finding(found.code, found.seat, found.step + 1),),
            (Finding("body/form", found.seat, found.step),),
            (found, Finding(found.code, 0, found.step)),
        ]
        for findings in others:
            assert not agreed(write_evidence(table.genesis, Evidence(findings, evidence.frames)), tmp_path)


def test_a_part_of_the_proof_proves_nothing(tmp_path: Path) -> None:
    """Left out, doubled or foreign entries, and one entry said twice, are no proof."""
    table, evidence = false_commitment()
    frames = evidence.frames
    for wrong in (frames[:-1], frames[1:], (*frames, frames[-1]), ()):
        assert not agreed(write_evidence(table.genesis, Evidence(evidence.findings, wrong)), tmp_path)
    table, evidence = two_commitments()
    one, other = evidence.frames
    of_another = next(e.frame for e in log_of(table) if e.seat == 1 and e.kind is Kind.COMMIT)
    for wrong in ((one, one), (one,), (one, other, other), (one, of_another), (one, other[:-1] + b"\0")):
        assert not agreed(write_evidence(table.genesis, Evidence(evidence.findings, wrong)), tmp_path)


@pytest.mark.must("A2", "A4")
@pytest.mark.parametrize("kind", [Kind.EXPIRED, Kind.HELD, Kind.GOODBYE])
def test_what_is_said_beside_a_step_is_no_second_entry(kind: Kind, tmp_path: Path) -> None:
    """An honest seat may say EXPIRED, HELD and GOODBYE beside its entry: that is no equivocation."""
    table, evidence = two_commitments()
    entry = parse_entry(evidence.frames[0], table.genesis.table, table.public)
    body = [] if kind is Kind.GOODBYE else [1]
    beside = sign_entry(table.keys[2], table.genesis.table, entry.step, 2, entry.head, kind, body)
    wrong = Evidence(evidence.findings, (entry.frame, beside.frame))

    assert not agreed(write_evidence(table.genesis, wrong), tmp_path)


@functools.cache
def honest_round() -> Coupled:
    """A whole honest round of three."""
    table = Coupled(3, seed=4, choose=choose)
    table.start()
    table.run()
    return table


@pytest.mark.must("A4")
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_honest_seat_is_ever_named(data: st.DataObject) -> None:
    """Whatever a forger makes of what honest seats signed: cut, mixed, doubled, reordered, or said for another step."""
    table = honest_round()
    frames = table.sessions[0].log_frames()
    cut = data.draw(st.integers(0, 40))
    extra = data.draw(st.lists(st.sampled_from(frames), max_size=3))
    forged = [*frames[:cut], *extra, *frames[cut + data.draw(st.integers(0, 2)) : 44]]
    seat, step = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 8))
    code = data.draw(st.sampled_from([EQUIVOCATION, "body/form", "ready/deck", "proof/V0", "log/expired", "log/kind"]))
    evidence = Evidence((Finding(code, seat, step),), tuple(data.draw(st.sampled_from([forged, extra, extra[:2]]))))
    fault = verify_game(write_game(table.genesis, forged), ENTROPY).fault

    assert not proves(table, evidence)
    assert fault is None or not fault.names


@pytest.mark.must("A1")
@given(st.binary(max_size=200))
def test_garbage_is_no_evidence(data: bytes) -> None:
    """Arbitrary bytes, with or without magic and genesis, end in a typed error."""
    genesis = honest_round().genesis.encode()
    record = len(genesis).to_bytes(4, "little") + genesis
    accusation = len(data).to_bytes(4, "little") + data
    for candidate in (data, MAGIC + data, MAGIC + record + data, MAGIC + record + accusation):
        with pytest.raises(WireError):
            verify_evidence(candidate, ENTROPY)


@pytest.mark.must("A1")
@pytest.mark.parametrize(
    "accusation",
    [[], [["x", 0]], [["x", 0, 0]] * 8, [["x", 3, 0]], [[b"x", 0, 0]], [["x", "0", 0]], "x", [["x", 0, 0, 0]]],
)
def test_an_accusation_has_one_form(accusation: object, tmp_path: Path) -> None:
    """One to seven findings of a code, a seat of this table and a step; anything else is unreadable."""
    genesis, said = honest_round().genesis.encode(), encode(accusation)
    data = MAGIC + b"".join(len(r).to_bytes(4, "little") + r for r in (genesis, said))
    with pytest.raises(WireError, match="evidence/form"):
        verify_evidence(data, ENTROPY)
    if AVAILABLE:
        exit_code, other = second_opinion(data, tmp_path, "--evidence")

        assert (exit_code, other["error"]) == (2, "evidence/form")


def test_a_game_is_no_evidence_and_evidence_is_no_game() -> None:
    """The first bytes keep the two apart."""
    table, evidence = two_commitments()
    with pytest.raises(WireError, match="file/magic"):
        verify_game(write_evidence(table.genesis, evidence), ENTROPY)
    with pytest.raises(WireError, match="file/magic"):
        verify_evidence(write_game(table.genesis, evidence.frames), ENTROPY)
