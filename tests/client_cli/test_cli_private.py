"""What a sealed game leaves behind on a computer, and who can read it."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from client_cli.__main__ import build_parser
from client_cli.commands import host
from client_cli.commands.context import make_context, run_async
from client_cli.commands.options import keep_name
from node.app import LOOPBACK
from node.crew import Crew
from node.hosting import host_table
from node.journal import SUFFIX
from tests.node.nodes import play_out, until
from tests.node.processes import command_lines

SECRET = bytes.fromhex("5ea1ed7ab1e50b0e")


@pytest.fixture
def usual_umask() -> object:
    """Files are readable by everybody, as on most systems, unless the program takes care."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_nobody_else_can_read_what_a_game_leaves(
    tmp_path: Path, usual_umask: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """After a sealed game all files and folders are for their owner only, and its secret is in the journals alone."""
    home = tmp_path / "home"
    monkeypatch.setenv("DUIZENDEN_HOME", str(home))
    monkeypatch.setattr(host, "BOT_DELAY", (0.0, 0.0))
    monkeypatch.setattr(host, "new_secret", lambda: SECRET)
    line = "host --sealed --tls --seats 2 --rounds 1 --rules klassiek --name Truus --port 0 --lang en"
    context = make_context("en", plain=True)
    config = host.config_of(build_parser("en").parse_args(line.split()), context)
    config = replace(config, bind=LOOPBACK, discoverable=False, auto_continue=True)
    seen: list[str] = []

    async def game() -> int:
        async with AsyncExitStack() as stack:
            table = await stack.enter_async_context(host_table(config))
            keep_name("Truus", context)
            crew = await stack.enter_async_context(Crew(context.log_file.with_name("bots.log")))
            host.add_bot(table, crew, context)
            await until(lambda: table.room().full)
            seen.extend([command_lines(), str(table.code())])
            _, driver = await table.start()
            await play_out(driver)
            await driver.linger()
        return 0

    assert run_async(game, context) == 0
    everything = sorted(home.rglob("*"))
    files = {path: path.read_bytes() for path in everything if path.is_file()}
    forms = [SECRET, SECRET.hex().encode(), seen[1].encode(), seen[1].replace("-", "").encode()]
    tell = {path.suffix for path, data in files.items() if any(form in data for form in forms)}

    assert [path for path in [home, *everything] if path.stat().st_mode & 0o077] == []
    assert {SUFFIX, ".duizenden", ".log", ".json", ".pem"} <= {path.suffix for path in files}
    assert tell == {SUFFIX}
    assert "node.bots" in seen[0]
    assert "node.broker" in seen[0]
    assert not [form for form in forms[1:] if form.decode() in seen[0] + "".join(capfd.readouterr())]
