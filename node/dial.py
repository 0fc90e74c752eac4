"""TCP connections that can be given up at any moment: for the MQTT link, and for trying addresses.

The MQTT library would connect in a thread that nobody can stop; this hands it a connected socket instead.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from .addresses import BrokerAddress


class TlsRefusedError(OSError):
    """The other end cannot be trusted.

    `code` is `tls/fingerprint` (another certificate than the one that is asked for), `tls/certificate` (nobody who is
    trusted vouches for it), `tls/none` (no TLS is spoken there).
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


async def dial(
    address: BrokerAddress,
    timeout: float,  # noqa: ASYNC109  it covers the steps of one attempt together
    tls: ssl.SSLContext | None = None,
) -> socket.socket:
    """A connected, non-blocking socket; an `SSLSocket` that has shaken hands if the address says TLS.

    Tries every address that the host name has. Without `tls` the address says whom to trust. Raises OSError (also
    TimeoutError, TlsRefusedError, socket.gaierror) and leaves nothing open.
    """
    context = tls or (await asyncio.to_thread(_context, address) if address.tls else None)
    async with asyncio.timeout(timeout):
        sock = await _connect(await _resolve(address.host, address.port))
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if address.tls:
                assert context is not None
                sock = await _trusted(sock, context, address)
        except BaseException:
            sock.close()
            raise
    return sock


def _context(address: BrokerAddress) -> ssl.SSLContext:
    if address.fingerprint is None:
        return ssl.create_default_context(cafile=address.ca)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # `_trusted` compares the certificate itself
    context.verify_mode = ssl.CERT_NONE
    return context


async def _trusted(sock: socket.socket, context: ssl.SSLContext, address: BrokerAddress) -> ssl.SSLSocket:
    """Shake hands and look at the certificate. Raises TlsRefusedError, and then nothing has been said."""
    try:
        tls = await _shake_hands(sock, context, address.host)
    except ssl.SSLCertVerificationError as error:
        raise TlsRefusedError("tls/certificate", error.verify_message) from None
    except (ssl.SSLError, ConnectionError) as error:
        raise TlsRefusedError("tls/none", str(error)) from None
    if address.fingerprint is not None:
        shown = hashlib.sha256(tls.getpeercert(binary_form=True) or b"").hexdigest()
        if not shown.startswith(address.fingerprint):
            tls.close()
            raise TlsRefusedError("tls/fingerprint", f"{shown[:16]} instead of {address.fingerprint[:16]}")
    return tls


async def first_reachable(
    addresses: Iterable[BrokerAddress],
    timeout: float,  # noqa: ASYNC109  running out of it is an answer, not an error
) -> BrokerAddress | None:
    """The first of the addresses to accept a TCP connection, all tried at once; None if none does in time.

    Which program listens there is not asked.
    """

    async def knock(address: BrokerAddress) -> BrokerAddress:
        plain = BrokerAddress(address.host, address.port)
        (await dial(plain, timeout)).close()
        return address

    tasks = [asyncio.create_task(knock(a), name=f"knock {a.short()}") for a in dict.fromkeys(addresses)]
    try:
        for next_done in asyncio.as_completed(tasks):
            with suppress(OSError):
                return await next_done
        return None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def known(host: str, timeout: float = 3.0) -> bool:  # noqa: ASYNC109  running out of it is an answer
    """Whether the name of this host has an address; a resolver that does not answer in time says nothing."""
    try:
        async with asyncio.timeout(timeout):
            await asyncio.get_running_loop().getaddrinfo(host, None)
    except (socket.gaierror, UnicodeError):
        return False
    except TimeoutError:
        return True
    return True


_Place = tuple[int, Any]


async def _resolve(host: str, port: int) -> list[_Place]:
    with suppress(ValueError):  # a literal needs no resolver, hence no thread
        version = ipaddress.ip_address(host).version
        return [(socket.AF_INET if version == 4 else socket.AF_INET6, (host, port))]
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, place) for family, _, _, _, place in found]


async def _connect(places: list[_Place]) -> socket.socket:
    loop = asyncio.get_running_loop()
    failure: OSError = OSError("the host has no address")
    for family, place in places:
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            await loop.sock_connect(sock, place)
        except OSError as error:
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise failure


async def _shake_hands(sock: socket.socket, context: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    loop = asyncio.get_running_loop()
    tls = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    try:
        while True:
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                await _ready(tls, loop.add_reader, loop.remove_reader)
            except ssl.SSLWantWriteError:
                await _ready(tls, loop.add_writer, loop.remove_writer)
            else:
                return tls
    except BaseException:
        tls.close()
        raise


async def _ready(
    sock: socket.socket, add: Callable[[int, Callable[[], None]], None], remove: Callable[[int], object]
) -> None:
    ready = asyncio.Event()
    add(sock.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        remove(sock.fileno())
