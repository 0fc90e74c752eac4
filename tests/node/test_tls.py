"""TLS: our own broker with its certificate, which others trust by fingerprint, and every way of not being trusted."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from node.addresses import BrokerAddress, parse_address
from node.app import LOOPBACK, own_broker
from node.certificate import own_certificate
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, find_offers, join_table
from node.journal import SUFFIX
from node.probe import probe
from node.resume import resume_table
from node.roaming import trusted_as
from node.room import LobbyError
from node.table_code import parse_code
from protocol.rules.ruleset import preset
from tests.node.brokers import at, running
from tests.node.nodes import play_out

SECRET = bytes(range(8))


def test_the_certificate_is_made_once(tmp_path: Path) -> None:
    """The certificate stays the same; its file is for its owner only, and the fingerprint is that of what is shown."""
    first, second = own_certificate(tmp_path / "tls"), own_certificate(tmp_path / "tls")
    text = first.file.read_text()
    der = ssl.PEM_cert_to_DER_cert(text[text.index("-----BEGIN CERT") :])

    assert first == second
    assert first.file.stat().st_mode & 0o777 == 0o600
    assert first.fingerprint == hashlib.sha256(der).hexdigest()
    assert own_certificate(tmp_path / "other").fingerprint != first.fingerprint


async def refusal(address: BrokerAddress) -> str:
    """Why this broker is not used."""
    with pytest.raises(LobbyError) as caught:
        await find_offers(address)
    return caught.value.code


@pytest.mark.must("T28")
async def test_who_is_trusted(tmp_path: Path) -> None:
    """The fingerprint or its beginning is trusted; another one, no one to vouch, and no TLS are refused by name."""
    async with own_broker(bind=LOOPBACK, port=0, tls=tmp_path) as place:
        address = place.address
        fingerprint = address.fingerprint or ""
        wrong = ("0" if fingerprint[0] != "0" else "1") + fingerprint[1:16]

        assert await find_offers(address) == ()
        assert await find_offers(parse_address(place.reachable[0])) == ()
        assert await refusal(replace(address, fingerprint=wrong)) == "tls/fingerprint"
        assert await refusal(replace(address, fingerprint=None)) == "tls/certificate"
        assert (await probe(at(address.port), 1.0)).missing == ("connect",)


@pytest.mark.must("T29")
async def test_a_broker_without_tls_is_refused(tmp_path: Path) -> None:
    """A broker that speaks no TLS hears nothing from somebody who expects it."""
    with running("embedded", tmp_path) as broker:
        assert await refusal(BrokerAddress(LOOPBACK, broker.port, tls=True, fingerprint="0" * 16)) == "tls/none"


async def test_a_host_does_not_wait_for_a_broker_that_is_not_trusted(tmp_path: Path) -> None:
    """A table is not hosted on a broker of which nobody can say whose it is."""
    async with own_broker(bind=LOOPBACK, port=0, tls=tmp_path) as place:
        config = HostConfig(
            name="Truus",
            rules=preset("klassiek"),
            rules_name="klassiek",
            seats=2,
            journals=tmp_path,
            broker=replace(place.address, fingerprint=None),
            discoverable=False,
        )
        with pytest.raises(LobbyError) as caught:
            async with host_table(config):
                pass
        assert caught.value.code == "tls/certificate"


async def test_a_sealed_table_with_tls(tmp_path: Path) -> None:
    """The code alone leads to a sealed table behind a certificate; the game is played, and resumed, over TLS."""
    options = {"auto_continue": True, "secret": SECRET}
    async with AsyncExitStack() as stack:
        config = HostConfig(
            name="Truus",
            rules=preset("klassiek"),
            rules_name="klassiek",
            seats=2,
            max_rounds=1,
            journals=tmp_path,
            bind=LOOPBACK,
            port=0,
            tls=tmp_path / "tls",
            discoverable=False,
            **options,  # type: ignore[arg-type]
        )
        host = await stack.enter_async_context(host_table(config))
        code = parse_code(str(host.code()).lower())
        broker = code.broker()
        assert broker is not None
        assert broker.tls
        join = JoinConfig(broker=broker, name="Bep", journals=tmp_path, **(options | {"secret": code.secret}))  # type: ignore[arg-type]
        joined = await stack.enter_async_context(join_table(join))
        await host.start()
        driver = await stack.enter_async_context(joined.play())
        assert driver.broker == broker
    paths = await asyncio.to_thread(lambda: sorted(tmp_path.glob(f"*{SUFFIX}")))
    async with AsyncExitStack() as stack:
        drivers = [await stack.enter_async_context(resume_table(path)) for path in paths]
        await play_out(*drivers)

        assert len({driver.view().head for driver in drivers}) == 1
        assert all(driver.broker.tls for driver in drivers)


@pytest.mark.must("T29")
def test_who_moves_is_trusted_no_more_easily() -> None:
    """A table that is found at another place must have the certificate that it had."""
    home = BrokerAddress("192.168.1.5", 8883, tls=True, fingerprint="ab" * 8)
    claimed = BrokerAddress("192.168.1.66", 1883)

    assert trusted_as(home, claimed) == BrokerAddress("192.168.1.66", 1883, tls=True, fingerprint="ab" * 8)


@pytest.mark.parametrize(
    "text",
    [
        "mqtts://qa.local:8883?fingerprint=00112233445566778899aabbccddeeff",
        "mqtts://truus:geheim@qa.local:8883?ca=/etc/ssl/qa.pem",
        "mqtts://[fe80::1]:8883?fingerprint=0011223344556677",
    ],
)
def test_addresses_say_whom_to_trust(text: str) -> None:
    """What an address says of certificates is kept when it is written down."""
    assert parse_address(text).url() == text


@pytest.mark.parametrize(
    "text",
    ["mqtt://qa.local?fingerprint=0011223344556677", "mqtts://qa.local?fingerprint=12", "mqtts://qa.local?pin=1"],
)
def test_addresses_that_say_it_wrongly(text: str) -> None:
    """A fingerprint without TLS, a short one, and unknown words are refused."""
    with pytest.raises(ValueError, match=r"fingerprint|neither"):
        parse_address(text)
