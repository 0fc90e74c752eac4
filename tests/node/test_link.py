"""The MQTT link over real brokers: what it carries, what it tells, how it ends."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from node.addresses import BrokerAddress
from node.chunks import CHUNK
from node.link import LinkOptions, MqttLink
from node.probe import probe
from node.transport import MAX_MESSAGE, Down, Incoming, Lost, Signal, Transport, Up
from tests.node.brokers import ALL, Broker, RawClient, at, connect_packet, mosquitto, running
from tests.proxy import FaultProxy

QUICK = LinkOptions(backoff_first=0.05, backoff_most=0.1, timeout=2.0)


@pytest.fixture(params=ALL, scope="module")
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Each kind of broker, shared by the tests of this file: they use topics of their own."""
    with running(request.param, tmp_path_factory.mktemp(request.param)) as started:
        yield started


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """The embedded broker, for tests that say nothing about brokers."""
    with running("embedded", tmp_path_factory.mktemp("embedded")) as started:
        yield started


@pytest.fixture
def topic(request: pytest.FixtureRequest) -> str:
    """A topic of the test's own."""
    return "t/" + "".join(c if c.isalnum() else "_" for c in request.node.name)


@pytest.fixture(autouse=True)
async def no_noise() -> AsyncIterator[None]:
    """Nothing may reach the loop's exception handler: no forgotten futures, no callbacks on closed files."""
    noise: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))
    yield
    await asyncio.sleep(0)
    assert noise == []


async def until(link: Transport, wanted: Callable[[Signal], bool]) -> list[Signal]:
    """All signals up to the first that is wanted."""
    seen: list[Signal] = []
    async with asyncio.timeout(20):
        async for signal in link.signals():
            seen.append(signal)
            if wanted(signal):
                break
    return seen


async def messages(link: Transport, count: int) -> list[bytes]:
    """The payloads of the next `count` messages."""
    found: list[bytes] = []
    async with asyncio.timeout(20):
        while len(found) < count:
            signal = await anext(link.signals())
            if isinstance(signal, Incoming):
                found.append(signal.payload)
    return found


def is_up(signal: Signal) -> bool:
    """Whether a signal is Up."""
    return isinstance(signal, Up)


@asynccontextmanager
async def up(port: int, *subscriptions: str, **options: Any) -> AsyncIterator[MqttLink]:
    """A link that has connected and told so."""
    async with MqttLink(at(port), subscriptions=subscriptions, options=QUICK, **options) as link:
        assert isinstance((await until(link, lambda _: True))[0], Up)
        yield link


async def test_messages_of_every_size_arrive_in_order(broker: Broker, topic: str) -> None:
    """Whole and chunked messages arrive as they were sent, in order, also at the sender itself."""
    sent = [b"x", bytes(CHUNK), bytes(range(256)) * 65, b"y", b"z" * MAX_MESSAGE, b"end"]
    async with up(broker.port, topic) as ann, up(broker.port, "t/+") as ben:
        for payload in sent:
            ann.send(topic, payload)

        assert await messages(ann, len(sent)) == sent
        assert await messages(ben, len(sent)) == sent
        assert await ann.flush(5)
        assert ann.pending == 0


async def test_a_thousand_messages_keep_their_order(broker: Broker, topic: str) -> None:
    """Frames are pipelined without overtaking each other."""
    sent = [b"%d" % number for number in range(1_000)]
    async with up(broker.port) as ann, up(broker.port, topic) as ben:
        for payload in sent:
            ann.send(topic, payload)

        assert await messages(ben, len(sent)) == sent


async def test_retained_messages_wait_for_newcomers_until_cleared(broker: Broker, topic: str) -> None:
    """The last retained message reaches whoever subscribes later; an empty one removes it."""
    async with up(broker.port) as ann:
        ann.send(topic, b"old", retain=True)
        ann.send(topic, b"new", retain=True)
        assert await ann.flush(5)
        async with up(broker.port, topic) as ben:
            assert await messages(ben, 1) == [b"new"]
        ann.send(topic, b"", retain=True)
        assert await ann.flush(5)
        async with up(broker.port, topic) as cas:
            ann.send(topic, b"live")
            assert await messages(cas, 1) == [b"live"]


async def test_unreliable_messages_arrive_on_a_good_day(broker: Broker, topic: str) -> None:
    """QoS 0 messages pass while the link is up, chunked ones too."""
    async with up(broker.port) as ann, up(broker.port, topic) as ben:
        ann.send(topic, b"beat", reliable=False)
        ann.send(topic, b"b" * 40_000, reliable=False)

        assert await messages(ben, 2) == [b"beat", b"b" * 40_000]


async def test_subscriptions_follow_the_program(broker: Broker, topic: str) -> None:
    """A filter added while connected works once flushed; one removed brings nothing any more."""
    async with up(broker.port) as ann, up(broker.port) as ben:
        ben.subscribe(topic + "/1")
        ben.subscribe(topic + "/2")
        assert await ben.flush(5)
        ann.send(topic + "/1", b"one")
        assert await messages(ben, 1) == [b"one"]
        ben.unsubscribe(topic + "/1")
        assert await ben.flush(5)
        ann.send(topic + "/1", b"unheard")
        ann.send(topic + "/2", b"two")

        assert await messages(ben, 1) == [b"two"]


async def test_the_will_speaks_for_a_lost_node_only(broker: Broker, topic: str) -> None:
    """A reset connection brings the will with its epoch; a proper goodbye brings none."""

    def will(epoch: int) -> tuple[str, bytes]:
        return topic, b"gone %d" % epoch

    async with up(broker.port, topic) as watcher, FaultProxy(broker.port) as proxy:
        async with up(proxy.port, will=will) as lost:
            proxy.cut()
            assert await messages(watcher, 1) == [b"gone 1"]
            await until(lost, is_up)
        watcher.send(topic, b"quiet")
        assert await messages(watcher, 1) == [b"quiet"]


@pytest.mark.must("T2")
async def test_a_new_identity_for_each_connection(embedded: Broker, topic: str) -> None:
    """Every CONNECT carries `dz` and 20 fresh hex digits from the entropy that was given."""
    drawn: list[bytes] = []

    def entropy(size: int) -> bytes:
        drawn.append(bytes([len(drawn)]) * size)
        return drawn[-1]

    async with FaultProxy(embedded.port) as proxy, up(proxy.port, topic, entropy=entropy) as link:
        proxy.cut()
        assert isinstance((await until(link, is_up))[0], Down)
        assert drawn[:2] == [b"\x00" * 10, b"\x01" * 10]
        async with await RawClient.dial(embedded.port) as thief:
            # The embedded broker refuses an identity in use: so this is the one in use.
            thief.send(connect_packet(b"dz" + drawn[-1].hex().encode()))
            assert await thief.read() == (2, b"\x00\x02")


@pytest.mark.must("T6")
async def test_reliable_messages_wait_for_the_broker_and_others_do_not(embedded: Broker, topic: str) -> None:
    """While down, `send` keeps reliable messages in order and drops the rest; flush says so."""
    async with FaultProxy(embedded.port) as proxy, up(embedded.port, topic) as ben:
        proxy.refuse = True
        async with MqttLink(at(proxy.port), options=QUICK) as ann:
            ann.send(topic, b"beat", reliable=False)
            ann.send(topic, b"first")
            ann.send(topic, b"second" * 10_000)
            assert isinstance((await until(ann, lambda _: True))[0], Down)
            assert not await ann.flush(0.01)
            assert not ann.connected
            assert ann.pending == 5
            proxy.refuse = False

            assert await messages(ben, 2) == [b"first", b"second" * 10_000]
            assert await ann.flush(5)


async def test_an_older_retained_message_does_not_wait_beside_a_newer_one(embedded: Broker, topic: str) -> None:
    """Announcements refreshed while down do not pile up."""
    async with FaultProxy(embedded.port) as proxy, up(embedded.port, topic) as ben:
        proxy.refuse = True
        async with MqttLink(at(proxy.port), options=QUICK) as ann:
            for number in range(50):
                ann.send(topic, b"%d" % number, retain=True)
            assert ann.pending == 1
            proxy.refuse = False

            assert await messages(ben, 1) == [b"49"]
            ann.send(topic, b"", retain=True)
            assert await ann.flush(5)


@pytest.mark.must("T12")
async def test_what_cannot_be_sent_is_refused_at_once(embedded: Broker) -> None:
    """Oversize, long retained messages and bad topics are the caller's mistakes."""
    async with up(embedded.port) as link:
        with pytest.raises(ValueError, match="262145"):
            link.send("t", bytes(MAX_MESSAGE + 1))
        with pytest.raises(ValueError, match="retained"):
            link.send("t", bytes(CHUNK + 1), retain=True)
        for bad in ("", "a/+", "#", "a\0"):
            with pytest.raises(ValueError, match="topic"):
                link.send(bad, b"x")
        for bad in ("", "a/#/b", "a+/b", "#b"):
            with pytest.raises(ValueError, match="filter"):
                link.subscribe(bad)
        assert await link.flush(5)


async def test_a_reader_who_does_not_read_is_told_what_it_missed(embedded: Broker, topic: str) -> None:
    """Over the bound messages are dropped, one Lost says so, and later messages arrive again."""
    options = replace(QUICK, queue=200)
    async with up(embedded.port) as ann, MqttLink(at(embedded.port), subscriptions=[topic], options=options) as ben:
        assert await until(ben, is_up) == [Up(1)]
        for number in range(300):
            ann.send(topic, b"%d" % number)
        assert await ann.flush(20)
        ben.subscribe(topic + "/settle")
        assert await ben.flush(5)  # its SUBACK comes after all of them

        seen = await until(ben, lambda signal: isinstance(signal, Lost))
        ann.send(topic, b"later")

        assert seen[-1] == Lost("overflow")
        assert seen[:-1] == [Incoming(topic, b"%d" % number) for number in range(len(seen) - 1)]
        assert len(seen) == 201
        assert await messages(ben, 1) == [b"later"]


@pytest.mark.must("T16")
async def test_garbage_on_our_topics_is_counted_and_nothing_more(embedded: Broker, topic: str) -> None:
    """Bytes that are no frame leave a Lost with their code; the next message arrives."""
    async with (
        up(embedded.port, topic) as link,
        await RawClient.connected(embedded.port, connect_packet(b"rude")) as rude,
    ):
        for garbage in (b"\x02?", b"\x01short", b"\x00" + bytes(CHUNK + 1), bytes(60_000)):
            await rude.publish(topic.encode(), garbage)
        link.send(topic, b"fine")

        seen = await until(link, lambda signal: isinstance(signal, Incoming))
        codes = [signal.code for signal in seen if isinstance(signal, Lost)]
        assert list(dict.fromkeys(codes)) == ["chunk/kind", "chunk/size"]


async def test_a_broker_that_hangs_up_on_connect_is_noticed_at_once(topic: str) -> None:
    """A connection closed before CONNACK is a Down without waiting for the timeout."""
    attempts = asyncio.Semaphore(0)

    def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        attempts.release()
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server, MqttLink(at(server.sockets[0].getsockname()[1]), options=QUICK) as link:
        seen = await until(link, lambda _: True)
        assert isinstance(seen[0], Down)
        assert seen[0].reason.startswith("refused")
        async with asyncio.timeout(1.5):  # under the connect timeout of 2 s
            for _ in range(3):
                await attempts.acquire()


async def test_leaving_does_not_wait_for_a_silent_broker() -> None:
    """A link that waits for CONNACK, or for the network, ends as soon as it is left."""
    held: list[asyncio.StreamWriter] = []
    greeted = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        await reader.read(1)
        greeted.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        async with MqttLink(at(server.sockets[0].getsockname()[1])):
            await greeted.wait()
            left = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - left < 0.5
        for writer in held:
            writer.close()
            await writer.wait_closed()


async def test_a_will_over_one_frame_is_a_mistake_that_shows(embedded: Broker) -> None:
    """A mistake inside the link ends the signals with the error instead of silence."""
    link = MqttLink(at(embedded.port), will=("t", bytes(CHUNK + 1)))
    async with link:
        with pytest.raises(ValueError, match="unpack"):
            await anext(link.signals())


async def test_the_signals_end_when_the_link_is_left(embedded: Broker) -> None:
    """After the context the iteration ends, and the link cannot be entered again."""
    async with up(embedded.port) as link:
        pass

    assert [signal async for signal in link.signals()] == []
    with pytest.raises(RuntimeError):
        await link.__aenter__()


async def test_waiting_for_a_signal_can_be_given_up(embedded: Broker, topic: str) -> None:
    """A consumer that times out loses nothing and may go on."""
    async with up(embedded.port, topic) as link:
        signals = link.signals()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await anext(signals)
        link.send(topic, b"still here")

        assert await anext(signals) == Incoming(topic, b"still here")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Broker]:
    """A mosquitto that knows one user."""
    users = tmp_path / "users"
    users.write_text("jan:geheim\n", encoding="ascii")
    started = mosquitto(tmp_path, f"allow_anonymous false\npassword_file {users}")
    subprocess.run(["mosquitto_passwd", "-U", str(users)], check=True)
    started.start()
    yield started
    started.kill()


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[tuple[Broker, Path]]:
    """A mosquitto that speaks TLS for `localhost`, and its certificate."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    started = mosquitto(tmp_path, f"allow_anonymous true\ncertfile {cert}\nkeyfile {key}")
    try:
        subprocess.run([*command.split(), *names], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    started.start()
    yield started, cert
    started.kill()


@pytest.mark.broker
async def test_wrong_credentials_are_said_plainly(guarded: Broker) -> None:
    """A broker that wants a password refuses strangers; with the right one the link comes up."""
    stranger = await probe(at(guarded.port), 2)
    known = await probe(BrokerAddress("127.0.0.1", guarded.port, username="jan", password="geheim"), 2)

    assert stranger.missing == ("connect",)
    assert "uthori" in stranger.detail
    assert known.ok


@pytest.mark.must("T28")
@pytest.mark.broker
async def test_tls_is_verified(encrypted: tuple[Broker, Path]) -> None:
    """`mqtts` works with a trusted certificate and refuses one that nobody vouches for."""
    broker, cert = encrypted
    address = BrokerAddress("localhost", broker.port, tls=True)

    trusted = await probe(address, 3, tls=ssl.create_default_context(cafile=str(cert)))
    untrusted = await probe(address, 3)
    vouched = await probe(replace(address, ca=str(cert)), 3)

    assert trusted.missing == vouched.missing == ()
    assert untrusted.missing == ("connect",)
    assert "certificate" in untrusted.detail


async def test_a_probe_finds_nothing_missing_in_a_fit_broker(broker: Broker) -> None:
    """Every broker that we recommend passes, and the probe leaves nothing behind."""
    result = await probe(at(broker.port), 5)

    assert result.missing == ()
    assert result.explain() == ()
    assert result.round_trip is not None
    assert result.round_trip < 1.0
    async with up(broker.port, "dz/v1/probe/+/+") as link:
        assert await link.flush(5)
        link.send("dz/v1/probe/x/y", b"first")
        assert await messages(link, 1) == [b"first"]


@pytest.mark.broker
@pytest.mark.parametrize(
    ("extra", "missing"),
    [
        ("allow_anonymous true\nmessage_size_limit 4096", ("large", "long")),
        ("allow_anonymous true\nretain_available false", None),
        ("allow_anonymous true\nacl_file {folder}/acl", ("small", "large", "long", "retained")),
    ],
)
async def test_a_probe_says_what_a_broker_drops(tmp_path: Path, extra: str, missing: tuple[str, ...] | None) -> None:
    """Limits and rights that the broker enforces without a word are found by listening to oneself."""
    (tmp_path / "acl").write_text("topic read #\n", encoding="ascii")
    started = mosquitto(tmp_path, extra.format(folder=tmp_path))
    started.start()
    try:
        result = await probe(at(started.port), 0.5)
    finally:
        started.kill()

    if missing is None:  # mosquitto closes the connection of whoever retains
        assert "retained" in result.missing
    else:
        assert result.missing == missing
    assert len(result.explain()) == len(result.missing)
    assert all(sentence for sentence in result.explain())


async def test_a_broker_that_is_not_there_is_a_plain_answer() -> None:
    """Nothing listens: the probe says so and gives the network's reason."""
    server = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    result = await probe(at(port), 0.5)

    assert result.missing == ("connect",)
    assert "no connection to the broker" in result.explain()[0]
