"""Finding the broker of a running table again when its machine has got another address.

Laptops change networks, and a host that resumes may have to take another port. While a node is cut off it asks the home
network where its table is announced now, and lets its link go there. An announcement is only a hint: a wrong one costs
an attempt to connect, since everything that matters is signed.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from protocol.crypto.hashing import H
from protocol.crypto.identity import verify_signature

from .app import LOOPBACK
from .dial import first_reachable
from .messages import table_name

if TYPE_CHECKING:
    from protocol.crypto.identity import SigningKey
    from protocol.session.genesis import Genesis

    from .addresses import BrokerAddress
    from .discovery import Found
    from .router import Router

log = logging.getLogger("duizenden.node")

PATIENCE = 6.0
"""Seconds without a connection before looking elsewhere: a broker that restarts is back sooner."""
LOOK = 3.0


def vouch(key: SigningKey, table: bytes, fingerprint: str) -> bytes:
    """The signature by which a player says that the broker with this certificate serves its table (T31).

    It needs no date and no address: only who has the certificate's private key can make use of it.
    """
    return key.sign(_statement(table, fingerprint))


def _statement(table: bytes, fingerprint: str) -> bytes:
    return H("dz1/serve", table, bytes.fromhex(fingerprint))


def vouched(genesis: Genesis, found: Found) -> bool:
    """Whether a player of this table vouches for the certificate of what was found."""
    fingerprint = found.addresses[0].fingerprint
    if fingerprint is None or found.by is None or found.by >= len(genesis.players):
        return False
    statement = _statement(genesis.table, fingerprint)
    return verify_signature(genesis.players[found.by].key, statement, found.signature)


async def locate(
    name: bytes, home: BrokerAddress, genesis: Genesis | None, seconds: float = LOOK
) -> BrokerAddress | None:
    """Where the table is announced now and a broker answers, to be trusted as `home` was; None if nowhere.

    `name` is the table's id, or its beacon. A table at a certificate (a fingerprint) is only where that certificate is,
    or one that a player vouches for.
    """
    from .discovery import find

    wanted = table_name(name)

    def ours(found: Found) -> bool:
        return found.table == wanted and (home.fingerprint is None or _same(home, found) or known(found))

    def known(found: Found) -> bool:
        return genesis is not None and vouched(genesis, found)

    found = await find(ours, seconds)
    place = None if found is None else await first_reachable(found.addresses, seconds)
    if place is None or found is None:
        return None
    return replace(place, ca=None) if home.fingerprint and not _same(home, found) else trusted_as(home, place)


def _same(home: BrokerAddress, found: Found) -> bool:
    return (found.addresses[0].fingerprint or "").startswith(home.fingerprint or "")


def trusted_as(home: BrokerAddress, found: BrokerAddress) -> BrokerAddress:
    """The place that was found, to be trusted no more easily than the one where the table was."""
    return replace(found, tls=home.tls, fingerprint=home.fingerprint, ca=home.ca)


@runtime_checkable
class Movable(Protocol):
    """A transport that can be sent elsewhere (`MqttLink`)."""

    address: BrokerAddress


async def follow(router: Router, name: bytes, home: BrokerAddress, genesis: Genesis) -> None:
    """As long as this runs, move the router's link to wherever the table is announced when it cannot connect.

    `name` is the name under which it is: its id, or the beacon of a sealed table.

    A table on this machine alone does not move. Neither does one on a broker with a password, which would be told to
    whoever announces himself, or with a certificate that names its host. A fingerprint stays the one that it was,
    unless a player vouches for another.
    """
    link = router.transport
    by_name = home.tls and home.fingerprint is None
    if home.host == LOOPBACK or home.password is not None or by_name or not isinstance(link, Movable):
        return
    while True:
        await router.cut_off(PATIENCE)
        place = await locate(name, home, genesis)
        if place is None or router.state == "up":
            continue
        if place != link.address:
            log.warning("the table has moved to %s", place.short())
            link.address = place
