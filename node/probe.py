"""Asking a broker whether a table can be played over it, before anybody waits for one.

Some brokers acknowledge what they then drop: messages over their limit, or on topics that they forbid. So the only
honest test is to listen to oneself.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from .addresses import BrokerAddress
from .chunks import CHUNK, MAX_CHUNKS
from .link import LinkOptions, MqttLink
from .transport import Down, Incoming, Lost, Signal, Up

PROBE_TOPIC = "dz/v1/probe"
"""Probes use a random topic below this one and clear what they leave."""

_WORDS = {
    "connect": "no connection to the broker",
    "subscribe": "the broker refuses subscriptions",
    "small": "the broker accepts a small message but does not deliver it (write access denied?)",
    "large": f"the broker drops messages of {CHUNK} bytes (raise its message size limit to 20480 bytes or more)",
    "long": f"the broker drops parts of a message sent in {MAX_CHUNKS} pieces (raise its queue limits)",
    "retained": "the broker does not keep retained messages: tables on it can be joined by code only",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What a broker could not do, in the order of trying; empty if all is well.

    `missing` holds codes: `connect`, `subscribe`, `small`, `large`, `long`, `retained`. After the first two nothing
    else was tried. `detail` is the broker's or the network's own reason; `round_trip` the seconds of a small message.
    """

    address: BrokerAddress
    missing: tuple[str, ...]
    detail: str = ""
    round_trip: float | None = None

    @property
    def ok(self) -> bool:
        """Whether tables can be hosted on it."""
        return not self.missing

    def explain(self) -> tuple[str, ...]:
        """One plain sentence per thing that is missing."""
        sentences = [_WORDS[code] for code in self.missing]
        if self.detail:
            sentences[0] += f" ({self.detail})"
        return tuple(sentences)


async def probe(
    address: BrokerAddress,
    timeout: float = 5.0,  # noqa: ASYNC109  what was not answered in time is an answer
    *,
    tls: ssl.SSLContext | None = None,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> ProbeResult:
    """Connect, then send oneself a byte, a full frame, the longest message and a retained one; within `timeout` each.

    Never raises for what the broker or the network does.
    """
    base = f"{PROBE_TOPIC}/{entropy(10).hex()}"
    options = LinkOptions(timeout=timeout, backoff_first=timeout)
    async with MqttLink(address, subscriptions=[f"{base}/m"], options=options, tls=tls, entropy=entropy) as link:
        signals = link.signals()
        first = await _next(signals, timeout * 2)
        if not isinstance(first, Up):
            refused = isinstance(first, Lost)
            detail = first.reason if isinstance(first, Down) else ""
            return ProbeResult(address=address, missing=("subscribe" if refused else "connect",), detail=detail)
        missing: list[str] = []
        loop = asyncio.get_running_loop()
        started = loop.time()
        round_trip = None
        for code, size in (("small", 1), ("large", CHUNK), ("long", CHUNK * MAX_CHUNKS)):
            message = entropy(size)
            link.send(f"{base}/m", message)
            if not await _heard(signals, Incoming(f"{base}/m", message), timeout):
                missing.append(code)
            elif code == "small":
                round_trip = loop.time() - started
        message = entropy(16)
        link.send(f"{base}/r", message, retain=True)
        await link.flush(timeout)
        link.subscribe(f"{base}/r")
        if not await _heard(signals, Incoming(f"{base}/r", message), timeout):
            missing.append("retained")
        link.send(f"{base}/r", b"", retain=True)
        await link.flush(timeout)
        return ProbeResult(address=address, missing=tuple(missing), round_trip=round_trip)


async def _next(signals: AsyncIterator[Signal], timeout: float) -> Signal | None:  # noqa: ASYNC109
    try:
        async with asyncio.timeout(timeout):
            return await anext(signals)
    except TimeoutError:
        return None


async def _heard(signals: AsyncIterator[Signal], expected: Signal, timeout: float) -> bool:  # noqa: ASYNC109
    try:
        async with asyncio.timeout(timeout):
            async for signal in signals:
                if signal == expected:
                    return True
    except TimeoutError:
        pass
    return False
