"""MQTT topic names and topic filters (MQTT 3.1.1 section 4.7): which topics a filter matches, and which are valid."""

from __future__ import annotations

MAX_TOPIC = 65_535
"""Largest topic in UTF-8 bytes (MQTT 3.1.1 section 4.7.3)."""


def check_topic(topic: str) -> None:
    """Raise ValueError unless `topic` can be published to."""
    if not topic or "+" in topic or "#" in topic or "\0" in topic or len(topic.encode()) > MAX_TOPIC:
        raise ValueError(f"{topic!r} is not a topic name")


def check_filter(pattern: str) -> None:
    """Raise ValueError unless `pattern` is a topic filter: wildcards fill whole levels, `#` only the last."""
    levels = pattern.split("/")
    bad = any(len(level) > 1 and ("+" in level or "#" in level) for level in levels) or "#" in levels[:-1]
    if not pattern or bad or "\0" in pattern or len(pattern.encode()) > MAX_TOPIC:
        raise ValueError(f"{pattern!r} is not a topic filter")


def matches(pattern: str, topic: str) -> bool:
    """Whether a valid filter matches a topic. `#` also matches the level above it; `$...` only matches literally."""
    if topic.startswith("$") and pattern[:1] in {"+", "#"}:
        return False
    levels = topic.split("/")
    parts = pattern.split("/")
    for position, part in enumerate(parts):
        if part == "#":
            return True
        if position >= len(levels):
            return False
        if part not in {"+", levels[position]}:
            return False
    return len(levels) == len(parts)
