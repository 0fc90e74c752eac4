"""The pictures of the report, as inline SVG: the race, and bars beside what was to be expected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from .markup import Html, joined, tag

SIGNS = ("●", "■", "▲", "◆", "▼", "★", "✚")
"""A sign for every seat: colour is never the only carrier."""
WIDTH, LEFT, RIGHT, TOP, FLOOR = 440, 34, 96, 12, 240
LONGEST_NAME = 9
"""Letters of a name that fit beside the race."""
LABEL = 13
"""Height of a line of text beside the race."""


def race(names: Sequence[str], totals: Sequence[Sequence[int]], target: int, about: str) -> Html:
    """The totals of every line after each round, beginning at nought; the target is a dashed line.

    `totals` has a row for every round that was scored, `about` says the same in words.
    """
    rows = [[0] * len(names), *totals]
    low = min(0, *(min(row) for row in rows))
    high = max(target, *(max(row) for row in rows))
    step = _step(high - low)
    low, high = step * math.floor(low / step), step * math.ceil(high / step)

    def x(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, len(rows) - 1), 1)

    def y(points: float) -> float:
        return round(FLOOR - (FLOOR - TOP) * (points - low) / (high - low), 1)

    drawn: list[Html] = []
    for points in range(low, high + 1, step):
        drawn.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(points), y2=y(points), class_="grid"))
        drawn.append(tag("text", str(points).replace("-", "−"), x=LEFT - 5, y=y(points) + 4, text_anchor="end"))
    drawn.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(target), y2=y(target), class_="target"))
    every = math.ceil(len(rows) / 14)
    drawn += [
        tag("text", str(place), x=x(place), y=FLOOR + 15, text_anchor="middle") for place in range(0, len(rows), every)
    ]
    places = _apart([y(total) for total in rows[-1]])
    for line, name in enumerate(names):
        colour, sign = f"var(--s{line % 7})", SIGNS[line % 7]
        points_ = " ".join(f"{x(place)},{y(row[line])}" for place, row in enumerate(rows))
        drawn.append(
            tag("polyline", points=points_, fill="none", stroke=colour, stroke_width=2.2, stroke_linejoin="round")
        )
        drawn += [
            tag("text", sign, x=x(place), y=y(row[line]) + 3.5, text_anchor="middle", style=f"fill:{colour}")
            for place, row in enumerate(rows)
            if place
        ]
        short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
        said = f"{sign} {short} {rows[-1][line]}".replace("-", "−")
        drawn.append(tag("text", said, x=WIDTH - RIGHT + 9, y=places[line] + 4, style=f"fill:{colour};font-weight:600"))
    return tag("svg", tag("title", about), drawn, viewBox=f"0 0 {WIDTH} {FLOOR + 22}", role="img")


def _step(span: int) -> int:
    """The distance of the grid's lines: a round number that makes at most seven of them."""
    steps = (round(first * 10.0**power) for power in range(2, 12) for first in (1, 2.5, 5))
    return next(step for step in steps if span <= 6 * step)


def _apart(heights: Sequence[float]) -> list[float]:
    """These heights, moved as far as lines of text need to stand under each other."""
    order = sorted(range(len(heights)), key=lambda line: heights[line])
    placed = list(heights)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + LABEL)
    over = max(0.0, placed[order[-1]] - FLOOR)
    placed[order[-1]] -= over
    for below, above in pairwise(order[::-1]):
        placed[above] = min(placed[above], placed[below] - LABEL)
    return placed


def bars(labels: Sequence[str], seen: Sequence[int], expected: Sequence[float], about: str) -> Html:
    """A bar for every label as high as what was seen, and a mark at what was to be expected."""
    width, floor, top = 340, 96, 16
    high = max(1.0, *seen, *expected)
    room = width / len(labels)
    drawn: list[Html] = []
    for place, (label, count, mean) in enumerate(zip(labels, seen, expected, strict=True)):
        left, height = room * (place + 0.5), (floor - top) / high
        bar = min(room * 0.62, 34)
        drawn += [
            tag(
                "rect",
                x=_r(left - bar / 2),
                y=_r(floor - count * height),
                width=_r(bar),
                height=_r(count * height),
                class_="bar",
            ),
            tag(
                "line",
                x1=_r(left - bar * 0.7),
                x2=_r(left + bar * 0.7),
                y1=_r(floor - mean * height),
                y2=_r(floor - mean * height),
                class_="mark",
            ),
            tag("text", str(count), x=_r(left), y=_r(floor - max(count, mean) * height - 4), text_anchor="middle"),
            tag("text", label, x=_r(left), y=floor + 13, text_anchor="middle"),
        ]
    return tag("svg", tag("title", about), joined(drawn), viewBox=f"0 0 {width} {floor + 18}", role="img")


def _r(value: float) -> float:
    return round(value, 1)
