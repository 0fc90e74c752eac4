"""Topics: who may say what where (spec/50-transport.md). Names only; a topic is routing and never proof of anything.

dz/v1/lobby/<table>            the retained announcement of the host
dz/v1/t/<table>/<channel>/<node>
    j  joining: Join, Quit, by the joiner        g  the start: Start, by the host
    m  entries of the log, by their author       d  inbox of one node: answers from anyone
    q  sync requests                             p  heartbeats
    c  talk: chat, away, pause
"""

from __future__ import annotations

from dataclasses import dataclass

from .messages import node_name, parse_table_name, table_name

ROOT = "dz/v1"
LOBBY_FILTER = f"{ROOT}/lobby/+"
CHANNELS = frozenset("jgmdqpc")


@dataclass(frozen=True, slots=True)
class Topic:
    """A parsed topic. `channel` is `lobby` or one of CHANNELS; `node` is empty for the lobby."""

    table: bytes
    channel: str
    node: str


def lobby_topic(table: bytes) -> str:
    """Where a table is announced."""
    return f"{ROOT}/lobby/{table_name(table)}"


def node_topic(table: bytes, channel: str, key: bytes) -> str:
    """The topic of one node in one channel of a table."""
    return f"{ROOT}/t/{table_name(table)}/{channel}/{node_name(key)}"


def channel_filter(table: bytes, channel: str) -> str:
    """Everybody's topic in one channel of a table."""
    return f"{ROOT}/t/{table_name(table)}/{channel}/+"


def parse_topic(text: str) -> Topic | None:
    """The parts of a topic of ours; None for any other."""
    match text.split("/"):
        case ["dz", "v1", "lobby", name]:
            table = parse_table_name(name)
            return None if table is None else Topic(table, "lobby", "")
        case ["dz", "v1", "t", name, channel, node] if channel in CHANNELS:
            table = parse_table_name(name)
            return None if table is None else Topic(table, channel, node)
        case _:
            return None
