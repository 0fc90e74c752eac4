"""What a node says to a broker, byte by byte, and when it tries again."""

from __future__ import annotations

import asyncio

import pytest

from node.link import LinkOptions, MqttLink
from node.sealing import Seal, SealKeys
from tests.node.brokers import at


class Ear:
    """A broker that accepts everything and remembers the packets that it got: (first byte, body)."""

    def __init__(self) -> None:
        self.packets: list[tuple[int, bytes]] = []
        self.heard = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer CONNECT, SUBSCRIBE and PUBLISH of QoS 1 as MQTT 3.1.1 says."""
        try:
            while True:
                first = (await reader.readexactly(1))[0]
                size = shift = 0
                while True:
                    byte = (await reader.readexactly(1))[0]
                    size |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                body = await reader.readexactly(size)
                self.packets.append((first, body))
                self.heard.set()
                if first >> 4 == 1:
                    writer.write(b"\x20\x02\x00\x00")
                elif first >> 4 == 8:
                    writer.write(b"\x90\x03" + body[:2] + b"\x01")
                elif first >> 4 == 3 and first & 6:
                    at_id = 2 + int.from_bytes(body[:2], "big")
                    writer.write(b"\x40\x02" + body[at_id : at_id + 2])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def until(self, count: int) -> list[tuple[int, bytes]]:
        """The PUBLISH packets, once there are so many."""
        async with asyncio.timeout(30):
            while sum(first >> 4 == 3 for first, _ in self.packets) < count:
                self.heard.clear()
                await self.heard.wait()
        return [(first, body) for first, body in self.packets if first >> 4 == 3]


@pytest.mark.must("T1", "T2", "T3", "T5", "T11", "T12")
async def test_what_a_link_says_to_its_broker() -> None:
    """CONNECT asks for a clean session and 15 s; SUBSCRIBE comes first; messages have QoS 0 or 1, retained if asked."""
    ear = Ear()
    server = await asyncio.start_server(ear.serve, "127.0.0.1", 0)
    async with server, MqttLink(at(server.sockets[0].getsockname()[1]), subscriptions=("t/+",)) as link:
        link.send("t/reliable", b"x")
        await ear.until(1)
        link.send("t/quick", b"y", reliable=False)
        link.send("t/kept", b"z", retain=True)
        published = await ear.until(3)
        server.close()
    connect = ear.packets[0][1]

    assert ear.packets[0][0] >> 4 == 1
    assert connect[:8] == b"\x00\x04MQTT\x04\x02"  # level 3.1.1, clean session, no will
    assert int.from_bytes(connect[8:10], "big") == LinkOptions().keepalive == 15
    assert (connect[10:14], len(connect)) == (b"\x00\x16dz", 34)
    assert ear.packets[1][0] >> 4 == 8
    assert {body[2 : 2 + body[1]]: (first >> 1 & 3, first & 1) for first, body in published} == {
        b"t/reliable": (1, 0),
        b"t/quick": (0, 0),
        b"t/kept": (1, 1),
    }


@pytest.mark.must("T4")
@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_how_long_a_link_waits_before_it_tries_again(chance: float) -> None:
    """0.2 s, doubling up to 2 s, each by a factor of a half to one and a half."""
    link = MqttLink(at(1), jitter=lambda: chance)
    waits = [link._pause(failures) for failures in range(6)]

    assert waits == pytest.approx([(0.5 + chance) * longest for longest in (0.2, 0.4, 0.8, 1.6, 2.0, 2.0)])


@pytest.mark.must("T24")
def test_no_nonce_serves_twice() -> None:
    """The same frame sealed again and again never has the same first twelve bytes."""
    keys = SealKeys(topic="dz/v1/s/" + "a" * 26, key=bytes(32), beacon=bytes(16))
    seal = Seal(keys)
    topic = "dz/v1/lobby/" + "a" * 26

    assert len({seal.close(topic, b"x")[:12] for _ in range(200)}) == 200
