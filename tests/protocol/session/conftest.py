"""Seats of one table, both our judges, and tables with one seed compute the same things over and over: here, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.simulator.memo import remembering


@pytest.fixture(autouse=True)
def _remember(request: pytest.FixtureRequest) -> Iterator[None]:
    """Remember the results of pure functions of the cryptography, except in the tests marked `computed`."""
    if request.node.get_closest_marker("computed"):
        yield
        return
    with remembering():
        yield
