"""Where a broker is, and which addresses of this machine others can reach.

Values and parsing only: nothing here opens a connection. An address that a person typed becomes a `BrokerAddress` or
a ValueError that says what is wrong with it.
"""

from __future__ import annotations

import ipaddress
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

import ifaddr

PORT = 1883
"""The registered port of MQTT."""

TLS_PORT = 8883
"""The registered port of MQTT over TLS."""

_FINGERPRINT = re.compile(r"[0-9a-f]{16,64}")
"""At least the 8 bytes that a table code carries."""

_HOST_NAME = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?")

# Interfaces that lead to containers, virtual machines or tunnels: what they announce nobody on the home network can
# reach. Names as Linux, macOS and Windows give them.
_VIRTUAL = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel|podman|tun|tap|utun|wg|tailscale|zt|ppp|awdl|llw|ipsec"
    r"|.*(hyper-v|vethernet|vmware|virtualbox|tap-windows|wireguard|tailscale|zerotier|loopback))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class BrokerAddress:
    """A broker: host, port, whether TLS is spoken, and credentials if it asks for them.

    With TLS its certificate must have the `fingerprint` (SHA-256 in hexadecimal, or how that begins), if one is given;
    else it must be vouched for by the certificates in the file `ca`, or by those of the system, and name the host.
    `str()` gives a form that `parse_address` reads back, without the password; `url()` is the whole of it.
    """

    host: str
    port: int = PORT
    tls: bool = False
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    fingerprint: str | None = None
    ca: str | None = None

    def __post_init__(self) -> None:
        _check_host(self.host)
        if not 0 < self.port < 65_536:
            raise ValueError(f"port {self.port} is not between 1 and 65535")
        if self.password is not None and self.username is None:
            raise ValueError("a password needs a user name")
        if not self.tls and (self.fingerprint or self.ca):
            raise ValueError("a fingerprint or certificates go with mqtts:// only")
        if self.fingerprint is not None and not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError("a fingerprint has 16 to 64 digits of 0-9, a-f")

    def __str__(self) -> str:
        user = "" if self.username is None else quote(self.username, safe="") + "@"
        return f"{self._scheme}://{user}{self._place}{self._trust}"

    def url(self) -> str:
        """The address with its password: to hand to another process, never to show or log."""
        if self.password is None:
            return str(self)
        user = quote(self.username or "", safe="") + ":" + quote(self.password, safe="")
        return f"{self._scheme}://{user}@{self._place}{self._trust}"

    def short(self) -> str:
        """`host:port`, as people type it."""
        return self._place

    @property
    def _trust(self) -> str:
        facts = {"fingerprint": self.fingerprint, "ca": self.ca}
        query = urlencode({key: value for key, value in facts.items() if value is not None}, safe="/")
        return f"?{query}" if query else ""

    @property
    def _scheme(self) -> str:
        return "mqtts" if self.tls else "mqtt"

    @property
    def _place(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> BrokerAddress:
    """Read `mqtt://[user[:password]@]host[:port]`, `mqtts://...`, `host` or `host:port`.

    `?fingerprint=HEX` and `?ca=FILE` may follow `mqtts://` addresses.

    IPv6 hosts stand in brackets when a port follows. Raises ValueError with a reason in words.
    """
    text = text.strip()
    if not text:
        raise ValueError("the address is empty")
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "mqtt", text
    scheme = scheme.lower()
    if scheme not in ("mqtt", "mqtts"):
        raise ValueError(f"the address starts with {scheme}://, expected mqtt:// or mqtts://")
    rest, _, query = rest.partition("?")
    rest = rest.removesuffix("/")
    trust = dict(parse_qsl(query))
    if trust.keys() - {"fingerprint", "ca"} or (query and not trust):
        raise ValueError(f"{query!r} is neither fingerprint=HEX nor ca=FILE")
    if any(c in rest for c in "/?#") or any(c.isspace() for c in rest):
        raise ValueError(f"{rest!r} is not host or host:port")
    user, at, place = rest.rpartition("@")
    name, colon, secret = user.partition(":")
    host, port = _split(place)
    return BrokerAddress(
        host=host,
        port=port if port is not None else (TLS_PORT if scheme == "mqtts" else PORT),
        tls=scheme == "mqtts",
        username=unquote(name) if at else None,
        password=unquote(secret) if colon else None,
        fingerprint=trust.get("fingerprint"),
        ca=trust.get("ca"),
    )


def _split(place: str) -> tuple[str, int | None]:
    if place.startswith("["):
        host, bracket, rest = place[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError(f"{place!r}: an IPv6 address looks like [fe80::1]:1883")
        return host, _port(rest[1:]) if rest else None
    if place.count(":") > 1:  # a bare IPv6 address
        return place, None
    host, colon, port = place.partition(":")
    return host, _port(port) if colon else None


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65_536):
        raise ValueError(f"port {text!r} is not a number between 1 and 65535")
    return int(text)


def _check_host(host: str) -> None:
    if not host:
        raise ValueError("the address names no host")
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise ValueError(f"{host!r} is not an IPv6 address") from None
    elif re.fullmatch(r"[0-9.]+", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise ValueError(f"{host!r} is not an IPv4 address") from None
    elif len(host) > 253 or not _HOST_NAME.fullmatch(host):
        raise ValueError(f"{host!r} is not a host name")


@dataclass(frozen=True, slots=True)
class LanAddress:
    """An IPv4 address of this machine and the interface and network it belongs to."""

    interface: str
    ip: str
    prefix: int

    @property
    def network(self) -> ipaddress.IPv4Network:
        """The network that this address can reach without a router."""
        return ipaddress.IPv4Network(f"{self.ip}/{self.prefix}", strict=False)


def usable(address: LanAddress) -> bool:
    """Whether others on a home network may reach this machine at the address.

    Private, not loopback, not link-local, part of a network, and not on a container, tunnel or virtual interface.
    """
    ip = ipaddress.IPv4Address(address.ip)
    private = ip.is_private and not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)
    return private and address.prefix < 31 and not _VIRTUAL.match(address.interface)


def lan_addresses() -> tuple[LanAddress, ...]:
    """The usable IPv4 addresses of interfaces that are up, in the order the system lists them."""
    found: list[LanAddress] = []
    for adapter in ifaddr.get_adapters():
        if not _is_up(adapter.name):
            continue
        for ip in adapter.ips:
            if not ip.is_IPv4 or not isinstance(ip.ip, str):
                continue
            address = LanAddress(ip.nice_name or adapter.name, ip.ip, ip.network_prefix)
            if usable(address) and address not in found:
                found.append(address)
    return tuple(found)


def _is_up(interface: str) -> bool:
    # Only Linux lists the addresses of interfaces that are down.
    if not sys.platform.startswith("linux"):
        return True
    try:
        flags = int(Path(f"/sys/class/net/{interface}/flags").read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return True
    return bool(flags & 1)  # IFF_UP


def nearest_first(hosts: Iterable[str], here: Sequence[LanAddress]) -> tuple[str, ...]:
    """The IPv4 hosts without repetition: this machine's own networks first, then the rest, each in given order."""

    def distance(host: str) -> int:
        ip = ipaddress.IPv4Address(host)
        return 0 if ip.is_loopback or any(ip in lan.network for lan in here) else 1

    return tuple(sorted(dict.fromkeys(hosts), key=distance))
