"""The AsyncAPI document names the topics and messages that nodes really use, and is valid."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from node import messages
from node.messages import node_name, table_name
from node.topics import CHANNELS, lobby_topic, node_topic

SPEC = Path(__file__).resolve().parent.parent / "spec"
TABLE, KEY = bytes(16), bytes(32)


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((SPEC / "asyncapi.yaml").read_text(encoding="utf-8"))
    return document


def _messages(channel: dict[str, Any]) -> list[dict[str, Any]]:
    names = [message["$ref"].rsplit("/", 1)[1] for message in channel["messages"].values()]
    return [_document()["components"]["messages"][name] for name in names]


def test_every_topic_of_ours_is_a_channel() -> None:
    """The lobby and every channel of a table have the addresses that the code makes."""
    addresses = {
        channel["address"].format(table=table_name(TABLE), node=node_name(KEY), seal="", random="")
        for channel in _document()["channels"].values()
    }

    assert {lobby_topic(TABLE), *(node_topic(TABLE, channel, KEY) for channel in CHANNELS)} <= addresses


def test_every_kind_of_message_stands_on_its_channels() -> None:
    """Kinds and channels are those of the specification's table, and there is none without a channel."""
    page = (SPEC / "50-transport.md").read_text(encoding="utf-8")
    told = {
        (int(kind), channel)
        for kind, channels in re.findall(r"^\| (\d+) \| [a-z ]+ \| ([a-z`, ]+) \|", page, re.MULTILINE)
        for channel in re.findall(r"`(\w+)`", channels)
    }
    drawn = {
        (message["x-kind"], parts[2] if parts[2] == "lobby" else parts[4])
        for channel in _document()["channels"].values()
        for parts in [channel["address"].split("/")]
        for message in _messages(channel)
        if "x-kind" in message
    }

    assert drawn == told
    assert {kind for kind, _ in drawn} == set(messages._KINDS)


def test_every_message_has_its_rule_in_the_grammar() -> None:
    """What a message holds is said by a rule of the grammar."""
    rules = set(re.findall(r"^([a-z-]+) = ", (SPEC / "grammar.cddl").read_text(encoding="utf-8"), re.MULTILINE))
    named = {m["x-grammar"] for m in _document()["components"]["messages"].values() if "x-grammar" in m}

    assert named <= rules


def test_the_document_is_valid() -> None:
    """The official command-line validator finds no error; skipped where it is not installed (spec/README.md)."""
    program = shutil.which("asyncapi")
    if program is None:
        pytest.skip("the AsyncAPI command line is not installed: npm install -g @asyncapi/cli")
    done = subprocess.run(
        [program, "validate", SPEC / "asyncapi.yaml"], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 0, done.stdout
