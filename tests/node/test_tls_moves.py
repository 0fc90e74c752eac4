"""A table with TLS whose host is gone: another player serves it, and its seat vouches for the certificate."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from node import discovery, roaming
from node.addresses import BrokerAddress
from node.discovery import Advert, Found, read_announcement
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, JoinedTable, join_table
from node.journal import GameInfo, Journal
from node.messages import table_name
from node.resume import resume_table
from node.roaming import locate, vouch, vouched
from node.room import LobbyError
from protocol.crypto.hashing import H32
from protocol.crypto.identity import SigningKey
from protocol.rules.ruleset import preset
from protocol.session.view import Stage
from tests.coupled import genesis_for, keys_for
from tests.node.nodes import play_out, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

LOCAL = "127.0.0.1"
GENESIS, KEYS = genesis_for(3), keys_for(3)
PRINT, OTHER = "ab" * 32, "cd" * 32
HOME = BrokerAddress("192.168.1.5", 8883, tls=True, fingerprint="01" * 8)


def advert(**changes: Any) -> Advert:
    """Seat 1 serves the table with a certificate of its own."""
    options: dict[str, Any] = {"by": 1, "signature": vouch(KEYS[1], GENESIS.table, PRINT)}
    told: dict[str, Any] = {
        "table": table_name(GENESIS.table),
        "name": "T",
        "port": 8883,
        "tls": True,
        "fingerprint": PRINT,
    }
    return Advert(**(told | options | changes))


def seen(told: Advert) -> Found:
    """What a reader makes of the record."""
    record = {key.encode(): text.encode() for key, text in told.properties().items()}
    found = read_announcement(record, [LOCAL], told.port, ())
    assert found is not None
    return found


@pytest.mark.must("T31")
@pytest.mark.parametrize(
    ("changes", "good"),
    [
        ({}, True),
        ({"by": None}, False),
        ({"by": 0}, False),
        ({"by": 6}, False),
        ({"fingerprint": OTHER}, False),
        ({"signature": vouch(KEYS[1], b"t" * 16, PRINT)}, False),
        ({"signature": vouch(SigningKey(b"x" * 32), GENESIS.table, PRINT)}, False),
        ({"signature": b"\0" * 64}, False),
        ({"signature": b"short"}, False),
        ({"tls": False}, False),
    ],
    ids=[
        "good",
        "nobody",
        "other seat",
        "no seat",
        "other print",
        "other table",
        "stranger",
        "zeros",
        "short",
        "no TLS",
    ],
)
def test_only_a_player_vouches_for_a_certificate(changes: dict[str, Any], *, good: bool) -> None:
    """A certificate is vouched for by the signature of a seat of this very table over it, and by nothing else."""
    assert vouched(GENESIS, seen(advert(**changes))) is good


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[Found]:
    """What the home network announces, without a network."""
    told: list[Found] = []

    @asynccontextmanager
    async def announce(what: Advert) -> AsyncIterator[SimpleNamespace]:
        found = seen(what)
        told.append(found)
        yield SimpleNamespace(update=lambda **_: None)
        told.remove(found)

    async def find(wanted: Callable[[Found], bool], _seconds: float) -> Found | None:
        await asyncio.sleep(0.01)
        return next(filter(wanted, told), None)

    monkeypatch.setattr(discovery, "announce", announce)
    monkeypatch.setattr(discovery, "find", find)
    monkeypatch.setattr(roaming, "PATIENCE", 0.05)
    return told


@pytest.mark.must("T29", "T31")
async def test_a_forged_record_leads_nobody_away(network: list[Found], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several records that name the table, the one is taken whose certificate is known or vouched for."""

    async def first(addresses: tuple[BrokerAddress, ...], _: float) -> BrokerAddress:
        return addresses[0]

    monkeypatch.setattr(roaming, "first_reachable", first)
    forged = [advert(by=None), advert(by=0), advert(tls=False, fingerprint=""), advert(fingerprint=OTHER)]
    network += map(seen, forged)
    nowhere = await locate(GENESIS.table, HOME, GENESIS)
    network.append(seen(advert()))
    stranger = await locate(GENESIS.table, HOME, None)
    there = await locate(GENESIS.table, HOME, GENESIS)
    network.insert(0, seen(advert(fingerprint="01" * 32)))
    home = await locate(GENESIS.table, HOME, GENESIS)

    assert (nowhere, stranger) == (None, None)
    assert there == BrokerAddress(LOCAL, 8883, tls=True, fingerprint=PRINT)
    assert home == replace(HOME, host=LOCAL)


async def test_another_player_serves_a_table_with_tls(tmp_path: Path, network: list[Found]) -> None:
    """When the host of a TLS table is gone a player's node serves it with TLS; all follow, a returning host too."""
    for name in ("host", "serving", "joiner"):
        (tmp_path / name).mkdir()
    async with AsyncExitStack() as stack:
        host, serving = AsyncExitStack(), AsyncExitStack()
        config = HostConfig(
            name="Truus",
            rules=preset("klassiek"),
            rules_name="klassiek",
            seats=3,
            max_rounds=1,
            journals=tmp_path / "host",
            bind=LOCAL,
            port=0,
            tls=tmp_path / "host" / "tls",
            auto_continue=True,
        )
        table = await host.enter_async_context(host_table(config))
        there = replace(table.place.address, host="localhost")

        async def joined(name: str, where: AsyncExitStack) -> JoinedTable:
            join = JoinConfig(broker=there, name=name, journals=tmp_path / name, table=table.table, auto_continue=True)
            return await where.enter_async_context(join_table(join))

        tables = [(await joined("serving", serving), serving), (await joined("joiner", stack), stack)]
        _, first = await table.start()
        second, third = [await where.enter_async_context(each.play()) for each, where in tables]
        await until(lambda: any(player.view().my_turn for player in (first, second, third)))
        paths = [player.journal for player in (first, second, third)]
        await serving.aclose()
        await host.aclose()

        served = await stack.enter_async_context(resume_table(paths[1], serve=True, tls=tmp_path / "serving" / "tls"))
        await until(lambda: third.connection().state == "up")
        back = await stack.enter_async_context(resume_table(paths[0]))
        await play_out(back, served, third)

        assert len(network) == 1
        assert served.broker.tls
        assert back.broker.fingerprint == served.broker.fingerprint != there.fingerprint
        assert {player.view().head for player in (back, served, third)} == {served.view().head}
        assert [player.view().stage for player in (back, served, third)] == [Stage.FINISHED] * 3


async def test_nobody_takes_the_place_of_a_broker_that_is_known_by_name(tmp_path: Path) -> None:
    """Where a certificate names its broker the others would go to no other one, so whoever offers is told at once."""
    info = GameInfo(genesis=GENESIS.encode(), seat=1, seed=H32("test/key", b"", bytes([1])), role="joiner")
    settings = {"broker": "mqtts://broker.example:8883", "files": []}
    Journal.create(tmp_path / "g.journal", info, b"s" * 32, settings).close()
    with pytest.raises(LobbyError) as caught:
        async with resume_table(tmp_path / "g.journal", serve=True, tls=tmp_path):
            pass

    assert caught.value.code == "tls/serve"
