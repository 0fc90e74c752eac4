"""Finding the broker of a running table again when its machine has got another address.

Laptops change networks, and a host that resumes may have to take another port. While a node is cut off it asks the home
network where its table is announced now, and lets its link go there. An announcement is only a hint: a wrong one costs
an attempt to connect, since everything that matters is signed.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from .app import LOOPBACK
from .dial import first_reachable
from .messages import table_name

if TYPE_CHECKING:
    from .addresses import BrokerAddress
    from .router import Router

log = logging.getLogger("duizenden.node")

PATIENCE = 6.0
"""Seconds without a connection before looking elsewhere: a broker that restarts is back sooner."""
LOOK = 3.0


async def locate(table: bytes, seconds: float = LOOK) -> BrokerAddress | None:
    """Where the table is announced now and a broker answers; None if nowhere."""
    from .discovery import find

    wanted = table_name(table)
    found = await find(lambda f: f.table == wanted, seconds)
    return None if found is None else await first_reachable(found.addresses, seconds)


def trusted_as(home: BrokerAddress, found: BrokerAddress) -> BrokerAddress:
    """The place that was found, to be trusted no more easily than the one where the table was."""
    return replace(found, tls=home.tls, fingerprint=home.fingerprint, ca=home.ca)


@runtime_checkable
class Movable(Protocol):
    """A transport that can be sent elsewhere (`MqttLink`)."""

    address: BrokerAddress


async def follow(router: Router, table: bytes, home: BrokerAddress) -> None:
    """As long as this runs, move the router's link to wherever the table is announced when it cannot connect.

    `table` is the name under which it is: its id, or the beacon of a sealed table.

    A table on this machine alone does not move. Neither does one on a broker with a password, which would be told to
    whoever announces himself, or with a certificate that names its host. A fingerprint stays the one that it was.
    """
    link = router.transport
    by_name = home.tls and home.fingerprint is None
    if home.host == LOOPBACK or home.password is not None or by_name or not isinstance(link, Movable):
        return
    while True:
        await router.cut_off(PATIENCE)
        place = await locate(table)
        if place is None or router.state == "up":
            continue
        place = trusted_as(home, place)
        if place != link.address:
            log.warning("the table has moved to %s", place.short())
            link.address = place
