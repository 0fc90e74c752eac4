"""The queue before the session: order, shares, and what is dropped."""

from __future__ import annotations

import pytest

from node.inbox import SHARE_BYTES, SHARE_ITEMS, AnswerEnd, Inbox
from node.sync import Place
from protocol.errors import WireError

END = AnswerEnd(1, Place(7, 3))


def test_entries_come_in_order_up_to_the_end_of_an_answer() -> None:
    """Entries are seen in order of arrival and stay until they are done; an answer's end comes after its entries."""
    inbox = Inbox()
    inbox.put("a", b"1")
    inbox.put("b", b"2", b"3", END)
    inbox.put("a", b"4")
    seen: list[object] = [inbox.entries(2), inbox.entries(9), inbox.answer_end()]
    inbox.drop(3)
    seen += [inbox.entries(9), inbox.answer_end(), inbox.answer_end(), inbox.entries(9), len(inbox)]

    assert seen == [[b"1", b"2"], [b"1", b"2", b"3"], None, [], END, None, [b"4"], 1]


@pytest.mark.parametrize(
    "flood", [[bytes(65_536)] * (SHARE_BYTES // 65_536), [b""] * SHARE_ITEMS], ids=["bytes", "items"]
)
def test_a_source_fills_its_own_share_only(flood: list[bytes]) -> None:
    """Over its share of bytes or items a source is refused, all of a message or nothing; others are not touched."""
    inbox = Inbox()
    inbox.put("loud", *flood)
    with pytest.raises(WireError) as caught:
        inbox.put("loud", b"x", b"y")
    inbox.put("quiet", b"z")
    full = len(inbox)
    inbox.drop(1)
    inbox.put("loud", flood[0])

    assert caught.value.code == "limit/inbox"
    assert full == len(flood) + 1
    assert len(inbox) == full
