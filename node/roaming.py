"""Finding the broker of a running table again when its machine has got another address.

Laptops change networks, and a host that resumes may have to take another port. While a node is cut off it asks the home
network where its table is announced now, and lets its link go there. An announcement is only a hint: a wrong one costs
an attempt to connect, since everything that matters is signed.
"""

from __future__ import annotations

import logging
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


@runtime_checkable
class Movable(Protocol):
    """A transport that can be sent elsewhere (`MqttLink`)."""

    address: BrokerAddress


async def follow(router: Router, table: bytes, home: BrokerAddress) -> None:
    """As long as this runs, move the router's link to wherever the table is announced when it cannot connect.

    `table` is the name under which it is: its id, or the beacon of a sealed table.

    A table on this machine alone does not move. Neither does one on a broker with a password, which would be told to
    whoever announces himself.
    """
    link = router.transport
    if home.host == LOOPBACK or home.password is not None or not isinstance(link, Movable):
        return
    while True:
        await router.cut_off(PATIENCE)
        place = await locate(table)
        if place is not None and place != link.address and router.state != "up":
            log.warning("the table has moved to %s", place.short())
            link.address = place
