"""Sealed games between separate processes over real brokers: what a stranger sees, and where the secret is not."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from node.link import MqttLink
from node.sealing import BUCKETS, derive_keys
from node.selfplay import SelfplayConfig, selfplay
from node.transport import Incoming
from protocol.rules.ruleset import preset
from protocol.session.verify import verify_game
from tests.node.brokers import at, running
from tests.node.processes import command_lines

SECRET = bytes.fromhex("0badc0de5ea1ed77")


def contents(folder: Path) -> dict[Path, bytes]:
    """All files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def overheard(link: MqttLink, heard: list[Incoming]) -> None:
    """Keep all that is said on a broker."""
    async for signal in link.signals():
        if isinstance(signal, Incoming):
            heard += [signal]


@pytest.mark.parametrize("kind", ["embedded", pytest.param("mosquitto", marks=pytest.mark.broker)])
async def test_a_sealed_game(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A whole game: one head on all nodes, one topic of six sizes at the broker, the secret in no argument or file."""
    monkeypatch.setattr("node.selfplay.new_secret", lambda: SECRET)
    lines: list[str] = []
    with running(kind, tmp_path) as broker:
        config = SelfplayConfig(
            players=2,
            rules=preset("klassiek"),
            rules_name="klassiek",
            max_rounds=1,
            out=tmp_path / "out",
            broker=at(broker.port),
            sealed=True,
        )
        heard: list[Incoming] = []
        async with MqttLink(at(broker.port), subscriptions=["#"]) as link:
            stranger = asyncio.create_task(overheard(link, heard))
            result = await selfplay(config, lambda line: lines.append(line + command_lines()))
            stranger.cancel()
            await asyncio.wait({stranger})
    files = await asyncio.to_thread(contents, tmp_path)
    said = "\n".join([*lines, *capfd.readouterr()])
    ours = [message for message in heard if message.payload]

    assert result.ok
    assert result.sealed
    assert {message.topic for message in heard} == {derive_keys(SECRET).topic}
    assert len(ours) > 50
    assert all(len(message.payload) in BUCKETS for message in ours)
    assert "node.bots" in said
    assert SECRET.hex() not in said
    assert not [path for path, data in files.items() if SECRET in data or SECRET.hex().encode() in data]
    assert all(verify_game((tmp_path / "out" / name).read_bytes(), os.urandom(32)).ok for name in result.files)
