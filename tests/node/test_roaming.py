"""Tables that move: the host comes back on another port, and the others find it."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
import socket
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from node import resume, roaming
from node.addresses import BrokerAddress
from node.app import connected, own_broker
from node.broker import BrokerError
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, join_table
from node.resume import resume_table
from node.roaming import follow
from protocol.rules.ruleset import preset
from protocol.session.view import Stage
from tests.coupled import genesis_for
from tests.node.nodes import PATIENCE, play_out, until

if TYPE_CHECKING:
    from pathlib import Path

    from node.driver import TableDriver
    from node.joining import JoinedTable

LOCAL = "127.0.0.1"
ELSEWHERE = BrokerAddress("127.0.0.2", 9)
TABLE = b"t" * 16
GENESIS = genesis_for(2)


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[BrokerAddress]:
    """Where the home network says that the table is: the last element, or nowhere."""
    places: list[BrokerAddress] = []

    async def locate(*_: object) -> BrokerAddress | None:
        await asyncio.sleep(0.01)
        return places[-1] if places else None

    monkeypatch.setattr(roaming, "locate", locate)
    monkeypatch.setattr(resume, "locate", locate)
    monkeypatch.setattr(roaming, "PATIENCE", 0.05)
    return places


def hosting(folder: Path, *, seats: int, discoverable: bool) -> HostConfig:
    """A table on this machine with a broker of its own."""
    return HostConfig(
        name="Truus",
        rules=preset("klassiek"),
        rules_name="klassiek",
        seats=seats,
        max_rounds=1,
        journals=folder / "host",
        bind=LOCAL,
        port=0,
        auto_continue=True,
        discoverable=discoverable,
    )


async def test_a_cut_off_node_goes_where_its_table_is(announced: list[BrokerAddress]) -> None:
    """A link that cannot connect is sent to where the table is announced, and connects there."""
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(own_broker(bind=LOCAL, port=0))
        router = await stack.enter_async_context(connected(ELSEWHERE))
        following = asyncio.create_task(follow(router, TABLE, ELSEWHERE, GENESIS))
        announced.append(place.address)
        await until(lambda: router.state == "up")
        following.cancel()

        assert router.transport.connected


@pytest.mark.parametrize("home", [BrokerAddress(LOCAL, 9), dataclasses.replace(ELSEWHERE, username="u", password="p")])
async def test_who_does_not_move(announced: list[BrokerAddress], home: BrokerAddress) -> None:
    """A table on this machine alone, and one on a broker with a password, are not followed anywhere."""
    announced.append(ELSEWHERE)
    async with connected(home) as router:
        await asyncio.wait_for(follow(router, TABLE, home, GENESIS), PATIENCE)

        assert router.state != "up"


async def test_the_host_comes_back_on_another_port(tmp_path: Path, announced: list[BrokerAddress]) -> None:
    """If the old port is taken when the host resumes, it takes another; the joiner follows and the game ends alike."""
    for name in ("host", "joiner"):
        (tmp_path / name).mkdir()
    async with AsyncExitStack() as stack:
        visit = AsyncExitStack()
        config = hosting(tmp_path, seats=2, discoverable=False)
        table = await visit.enter_async_context(host_table(config))
        # the joiner knows the host by another of its addresses, as on a home network
        there = dataclasses.replace(table.place.address, host="localhost")
        join = JoinConfig(
            broker=there, name="Joep", journals=tmp_path / "joiner", table=table.table, auto_continue=True
        )
        joiner = await stack.enter_async_context(join_table(join))
        _, first = await table.start()
        second = await stack.enter_async_context(joiner.play())
        await until(lambda: first.view().my_turn or second.view().my_turn)
        path, old = first.journal, table.place.port
        await visit.aclose()
        back = await come_back(path, old or 0, announced, stack)
        await play_out(back, second)

        assert back.view().head == second.view().head
        assert back.broker.port != old


async def come_back(path: Path, port: int, announced: list[BrokerAddress], stack: AsyncExitStack) -> TableDriver:
    """Resume the host while somebody else holds its port: refused if nobody could find it, else elsewhere."""
    from node.journal import Journal

    with socket.create_server((LOCAL, port)):
        with pytest.raises(BrokerError):
            await stack.enter_async_context(resume_table(path))
        journal = Journal.open(path)
        journal.update_settings(discoverable=True)
        journal.close()
        driver = await stack.enter_async_context(resume_table(path))
    announced.append(driver.broker)
    return driver


async def test_another_player_brings_the_broker_along(tmp_path: Path, announced: list[BrokerAddress]) -> None:
    """When the host's machine is gone, one player's node starts the broker, and all follow.

    So does the host if it returns, and the game goes to its end with one head.
    """
    for name in ("host", "serving", "joiner"):
        (tmp_path / name).mkdir()
    async with AsyncExitStack() as stack:
        host, serving = AsyncExitStack(), AsyncExitStack()
        config = hosting(tmp_path, seats=3, discoverable=True)
        table = await host.enter_async_context(host_table(config))
        there = dataclasses.replace(table.place.address, host="localhost")

        async def joined(name: str, where: AsyncExitStack) -> JoinedTable:
            join = JoinConfig(broker=there, name=name, journals=tmp_path / name, table=table.table, auto_continue=True)
            return await where.enter_async_context(join_table(join))

        tables = [(await joined("serving", serving), serving), (await joined("joiner", stack), stack)]
        _, first = await table.start()
        second, third = [await where.enter_async_context(each.play()) for each, where in tables]
        players = (first, second, third)
        await until(lambda: any(player.view().my_turn for player in players))
        paths = [player.journal for player in players]
        await serving.aclose()
        await host.aclose()

        served = await stack.enter_async_context(resume_table(paths[1], serve=True))
        announced.append(served.broker)
        await until(lambda: third.connection().state == "up")
        back = await stack.enter_async_context(resume_table(paths[0]))
        assert back.broker == served.broker
        await play_out(back, served, third)

        assert {player.view().head for player in (back, served, third)} == {served.view().head}
        assert [player.view().stage for player in (back, served, third)] == [Stage.FINISHED] * 3


@pytest.mark.must("M7")
async def test_a_kept_seat_is_found_without_the_host(tmp_path: Path, announced: list[BrokerAddress]) -> None:
    """A joiner that died before the start reached it gets the start from whoever serves in the place of a lost host."""
    for name in ("host", "serving", "joiner"):
        (tmp_path / name).mkdir()
    async with AsyncExitStack() as stack:
        visit = AsyncExitStack()
        table = await visit.enter_async_context(host_table(hosting(tmp_path, seats=3, discoverable=False)))
        there = dataclasses.replace(table.place.address, host="localhost")
        joins = [
            JoinConfig(broker=there, name=name, journals=tmp_path / name, table=table.table)
            for name in ("serving", "joiner")
        ]
        serving, joiner = [await visit.enter_async_context(join_table(join)) for join in joins]
        shutil.copytree(tmp_path / "joiner", tmp_path / "again")
        ticket = tmp_path / "again" / joiner.ticket.name
        await table.start()
        path = (await visit.enter_async_context(serving.play())).journal
        await visit.aclose()

        served = await stack.enter_async_context(resume_table(path, serve=True))
        announced.append(served.broker)
        back = await stack.enter_async_context(resume_table(ticket))

        assert (back.view().me, back.view().players) == (2, served.view().players)
        assert back.broker == served.broker


async def test_nobody_serves_a_table_that_is_served(tmp_path: Path, announced: list[BrokerAddress]) -> None:
    """A second player who wants to bring the broker along goes to the one that is announced already."""
    (tmp_path / "host").mkdir()
    (tmp_path / "joiner").mkdir()
    async with AsyncExitStack() as stack:
        visit = AsyncExitStack()
        config = hosting(tmp_path, seats=2, discoverable=False)
        table = await stack.enter_async_context(host_table(config))
        there = dataclasses.replace(table.place.address, host="localhost")
        join = JoinConfig(broker=there, name="Joep", journals=tmp_path / "joiner", table=table.table)
        joiner = await visit.enter_async_context(join_table(join))
        await table.start()
        path = (await visit.enter_async_context(joiner.play())).journal
        await visit.aclose()
        announced.append(there)
        again = await stack.enter_async_context(resume_table(path, serve=True))

        assert again.broker == there
        await until(lambda: again.connection().state == "up")
