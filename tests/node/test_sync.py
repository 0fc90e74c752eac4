"""When a node asks and when it answers, on a clock that the test turns."""

from __future__ import annotations

import itertools

import pytest

from node.sync import BACKOFF, FORK_PAUSE, HEARTBEAT, NEVER, SETTLE, SUSPECT, Answer, Ask, Place, Show, Sync

HEAD = b"h" * 32
OTHER_HEAD = b"o" * 32


class Clock:
    """A node's sync, its clock, and what it did when."""

    def __init__(self, me: int = 0, seats: int = 3) -> None:
        self.now = 0.0
        self.sync = Sync(me=me, seats=seats, now=0.0, delay=lambda low, high: (low + high) / 2)
        self.done: list[tuple[float, object]] = []
        self.stamps = 0

    def at(self, step: int, have: int = 0, *, waiting: bool = True, head: bytes = HEAD) -> None:
        """Our own place is this now."""
        self.sync.passed(step, head)
        self.sync.moved(Place(step, have), waiting=waiting, now=self.now)

    def hear(self, seat: int, step: int, have: int = 0) -> bool:
        """A heartbeat of a peer."""
        self.stamps += 1
        return self.sync.heard(seat, (1, self.stamps), Place(step, have), self.now)

    def ask(self, seat: int, step: int, have: int = 0) -> None:
        """A request of a peer."""
        self.hear(seat, step, have)
        self.sync.asked(seat, Place(step, have), self.now)

    def until(self, time: float) -> list[tuple[float, object]]:
        """Let time pass; what was done since the last call, with the time (rounded)."""
        while (due := self.sync.deadline()) <= time:
            self.now = max(self.now, due)
            self.done += [(round(self.now, 3), todo) for todo in self.sync.poll(self.now)]
        self.now = time
        done, self.done = self.done, []
        return done

    def answers(self, time: float) -> list[tuple[float, object]]:
        """The answers among what is done until then."""
        return [(t, todo) for t, todo in self.until(time) if isinstance(todo, Answer)]


@pytest.fixture
def clock() -> Clock:
    """Seat 0 of three, at step 5 with its own entry, waiting for the others; the first questions are over."""
    clock = Clock()
    for step in range(5):
        for seat in range(3):
            clock.sync.recorded(step, seat)
    clock.at(5, 0b001)
    clock.until(60.0)
    return clock


@pytest.mark.must("M12")
def test_silence_is_asked_about_with_patience() -> None:
    """While others must speak and nothing comes, a node asks after 0.5, 1, 2 and 4 s, then leaves it to heartbeats."""
    clock = Clock()
    clock.until(0.0)
    clock.at(1)
    asked = clock.until(100.0)
    times = [t for t, _ in asked]

    assert [todo for _, todo in asked] == [Ask(Place(1))] * len(BACKOFF)
    assert times == [0.5, 1.5, 3.5, 7.5]
    assert clock.sync.deadline() == NEVER


def test_nobody_is_asked_while_we_ourselves_think(clock: Clock) -> None:
    """A node that waits for its own player does not ask anybody."""
    clock.at(6, 0b110, waiting=False)

    assert clock.until(200.0) == []


def test_progress_starts_the_patience_anew(clock: Clock) -> None:
    """Each new entry restarts the wait from its beginning."""
    clock.at(5, 0b011)
    clock.until(60.3)
    clock.at(6, 0b001)
    first = clock.until(61.0)

    assert first == [(60.8, Ask(Place(6, 0b001)))]


@pytest.mark.must("M12")
@pytest.mark.parametrize(("step", "have"), [(5, 0b010), (6, 0), (9, 0b111)])
def test_a_peer_that_shows_more_is_asked_soon(clock: Clock, step: int, have: int) -> None:
    """A heartbeat that shows something we lack leads to a request after the time that entries may be under way."""
    clock.hear(1, step, have)

    assert clock.until(60.3) == [(60.0 + SETTLE, Ask(Place(5, 0b001)))]


@pytest.mark.parametrize(("step", "have"), [(5, 0b001), (4, 0b111), (0, 0), (5, 0)])
def test_a_peer_that_shows_nothing_new_is_not_asked(clock: Clock, step: int, have: int) -> None:
    """A heartbeat from our own place or behind it causes no request."""
    clock.hear(1, step, have)

    assert clock.until(100.0) == []


def test_what_arrives_in_time_is_not_asked_for(clock: Clock) -> None:
    """If the entry arrives while the request waits, the request is not made then."""
    clock.hear(1, 5, 0b010)
    clock.now = 60.1
    clock.at(5, 0b011)

    assert clock.until(60.4) == []


@pytest.mark.must("M12")
def test_behind_we_keep_asking(clock: Clock) -> None:
    """As long as a peer has shown more than we get, requests go on, at most every four seconds."""
    clock.hear(1, 50)
    times = [t for t, _ in clock.until(100.0)]
    gaps = [round(b - a, 3) for a, b in itertools.pairwise(times)]

    assert gaps[:3] == [1.0, 2.0, 4.0]
    assert set(gaps[3:]) == {4.0}
    assert times[-1] > 95


@pytest.mark.must("M12")
def test_a_reconnect_asks_at_once(clock: Clock) -> None:
    """After a reconnect or a known loss a node asks without waiting, even when it waits for its own player."""
    clock.at(6, 0b110, waiting=False)
    clock.until(70.0)
    clock.sync.connected(70.0)

    assert clock.until(70.0) == [(70.0, Ask(Place(6, 0b110)))]
    assert clock.until(200.0) == []


@pytest.mark.must("M14")
def test_more_is_fetched_without_waiting(clock: Clock) -> None:
    """An answer that helped but was not everything is followed by the next request at once."""
    clock.hear(1, 500)
    clock.until(60.2)
    clock.at(69, 0b001)
    clock.sync.answered(1, Place(500), 60.2)

    assert clock.until(60.2) == [(60.2, Ask(Place(69, 0b001)))]


def test_an_answer_that_does_not_help_is_not_followed_at_once(clock: Clock) -> None:
    """A peer that claims much and gives nothing cannot make us ask without pause."""
    clock.hear(1, 500)
    clock.until(60.2)
    clock.sync.answered(1, Place(500), 60.2)

    assert clock.until(61.0) == []


@pytest.mark.must("M13")
def test_the_author_answers_at_once() -> None:
    """The author of the first missing entry answers immediately; another holder waits a random while."""
    answers = []
    for me in (0, 1):
        clock = Clock(me)
        clock.at(5, 0b011)
        clock.until(60.0)
        clock.ask(2, 5, 0b100)
        answers.append(clock.answers(61.0))

    assert answers == [
        [(60.0, Answer(2, Place(5, 0b100)))],
        [(60.25, Answer(2, Place(5, 0b100)))],
    ]


@pytest.mark.must("M13")
def test_who_was_answered_by_another_is_not_answered_again() -> None:
    """When the asker shows that it has moved on, a waiting answer is dropped."""
    clock = Clock(1)
    clock.at(5, 0b011)
    clock.until(60.0)
    clock.ask(2, 5, 0b100)
    clock.now = 60.1
    clock.hear(2, 5, 0b111)

    assert clock.answers(61.0) == []


def test_old_steps_are_answered_from_the_log(clock: Clock) -> None:
    """Who asks from a step that is long closed gets an answer, and the author of its first missing entry is first."""
    clock.ask(1, 2, 0b000)
    clock.ask(2, 2, 0b001)

    assert clock.until(61.0) == [(60.0, Answer(1, Place(2))), (60.25, Answer(2, Place(2, 0b001)))]


@pytest.mark.parametrize(("step", "have"), [(5, 0b001), (5, 0b111), (6, 0)])
def test_no_answer_without_anything_to_give(clock: Clock, step: int, have: int) -> None:
    """A request for what we lack ourselves stays unanswered."""
    clock.ask(1, step, have)

    assert clock.answers(61.0) == []


@pytest.mark.must("M10", "T10")
def test_repeated_and_old_words_count_for_nothing(clock: Clock) -> None:
    """A replayed heartbeat, one of an earlier life, our own and a stranger's are all refused."""
    later = clock.sync.heard(1, (2, 1), Place(5), clock.now)
    old = [clock.sync.heard(1, stamp, Place(99), clock.now) for stamp in ((2, 1), (1, 999), (2, 0))]

    assert (later, old) == (True, [False] * 3)
    assert not clock.sync.heard(0, (9, 9), Place(99), clock.now)
    assert not clock.sync.heard(7, (9, 9), Place(99), clock.now)
    assert clock.until(100.0) == []


@pytest.mark.must("M11")
def test_presence(clock: Clock) -> None:
    """A peer is there for three heartbeats after its last word, and gone at once after its goodbye."""
    clock.hear(1, 5)
    clock.hear(2, 5)
    clock.sync.left(2)
    soon = clock.sync.present(clock.now + 2 * HEARTBEAT)
    late = clock.sync.present(clock.now + SUSPECT)

    assert (soon, late) == ((True, True, False), (True, False, False))


def test_nobody_is_called_silent_too_soon() -> None:
    """Who was never heard is silent once we have listened long enough; who said goodbye at once."""
    clock = Clock()
    clock.hear(1, 5)
    clock.sync.left(1)
    soon = clock.sync.silent(clock.now)
    late = clock.sync.silent(clock.now + SUSPECT)

    assert (soon, late) == ((False, True, False), (False, True, True))


def test_everybody_at_the_end() -> None:
    """`all_at` waits for every peer that is there, and for nobody who is not."""
    clock = Clock()
    clock.hear(1, 9)
    clock.hear(2, 8)
    before = clock.sync.all_at(Place(9), clock.now)
    clock.hear(2, 9)
    after = clock.sync.all_at(Place(9), clock.now)
    clock.hear(2, 8)
    clock.sync.left(2)

    assert (before, after, clock.sync.all_at(Place(9), clock.now)) == (False, True, True)


@pytest.mark.must("M16")
def test_two_histories_are_traced_back(clock: Clock) -> None:
    """A head that contradicts ours makes us ask further and further back, to find the entries that differ."""
    asked: list[object] = []
    for time in (61.0, 62.0, 63.0):
        assert clock.sync.head_seen(5, OTHER_HEAD, clock.now)
        asked += [todo for _, todo in clock.until(time)][:1]

    assert asked == [Ask(Place(4)), Ask(Place(3)), Ask(Place(1))]
    assert not clock.sync.head_seen(5, HEAD, clock.now)
    assert not clock.sync.head_seen(77, OTHER_HEAD, clock.now)


def test_two_histories_are_traced_back_in_peace(clock: Clock) -> None:
    """However often a seat signs another head, it makes us ask no more than once a second."""
    asked: list[tuple[float, object]] = []
    for tick in range(1, 61):
        clock.sync.head_seen(5, OTHER_HEAD, clock.now)
        asked += clock.until(60.0 + tick / 15)

    assert [todo for _, todo in asked] == [Ask(Place(4)), Ask(Place(3)), Ask(Place(1)), Ask(Place(0))]
    assert all(b - a > FORK_PAUSE - 0.01 for (a, _), (b, _) in itertools.pairwise(asked))


def test_everything_is_asked_for_ever_more_rarely(clock: Clock) -> None:
    """Once the whole log was asked for, another head makes us ask for it again after twice the time each time."""
    asked: list[float] = []
    for tick in range(1, 15 * 300):
        clock.sync.head_seen(5, OTHER_HEAD, clock.now)
        asked += [t for t, todo in clock.until(60.0 + tick / 15) if todo == Ask(Place(0))]
    gaps = [round(b - a) for a, b in itertools.pairwise(asked)]

    assert gaps == [1, 2, 4, 8, 16, 32, 64, 64, 64]


def test_a_large_answer_is_not_given_again_at_once(clock: Clock) -> None:
    """A seat that asks ever again from far behind is answered every two seconds, from another place at once."""
    answers: list[tuple[float, object]] = []
    for tick in range(1, 51):
        clock.ask(1, 0)
        answers += clock.answers(60.0 + tick / 10)
    clock.ask(1, 2)
    elsewhere = clock.answers(65.0)

    assert answers == [(60.0, Answer(1, Place(0))), (62.0, Answer(1, Place(0))), (64.0, Answer(1, Place(0)))]
    assert elsewhere == [(65.0, Answer(1, Place(2)))]


def test_a_small_answer_is_given_again_at_once(clock: Clock) -> None:
    """Who asks again from the step before ours, where an answer is small and may have been lost, need not wait."""
    clock.ask(1, 4)
    first = clock.answers(60.1)
    clock.ask(1, 4)

    assert first == [(60.0, Answer(1, Place(4)))]
    assert clock.answers(60.1) == [(60.1, Answer(1, Place(4)))]


def test_answers_are_expected_only_after_a_request(clock: Clock) -> None:
    """A request makes two answers of each peer welcome, several requests no more than four; our own never are."""
    sync = clock.sync
    while sync.expects(1):
        sync.accepted(1)
    before = sync.expects(1)
    clock.hear(2, 6)
    asked = [todo for _, todo in clock.until(clock.now + SETTLE) if isinstance(todo, Ask)]
    welcome = 0
    while sync.expects(1):
        sync.accepted(1)
        welcome += 1
    clock.until(clock.now + 60.0)
    for step in range(7, 12):
        clock.hear(2, step)
        clock.until(clock.now + 5.0)
    most = 0
    while sync.expects(1):
        sync.accepted(1)
        most += 1

    assert not before
    assert len(asked) == 1
    assert (welcome, most) == (2, 4)
    assert not sync.expects(0)


def test_a_step_that_claims_closed_is_answered(clock: Clock) -> None:
    """Who holds every entry of a step that is over lacks what closed it, which no place shows: somebody answers."""
    clock.sync.recorded(4, 0)
    clock.sync.recorded(4, 1)
    clock.hear(1, 4, 0b011)
    clock.sync.asked(1, Place(4, 0b011), clock.now)
    done = clock.until(clock.now + 1.0)

    assert Answer(1, Place(4, 0b011)) in [todo for _, todo in done]


def test_a_seat_that_is_gone_holds_up_nobody() -> None:
    """Nobody stays at the end for a seat without which the others play on, nor leaves showing the game to it."""
    key = b"k" * 32
    other = Clock(me=1)
    other.at(9)
    other.hear(0, 3)
    other.hear(2, 9)
    other.sync.watched(key, Place(2), other.now)
    waits, shown = other.sync.all_at(Place(9), other.now), other.sync.poll(other.now)
    other.sync.without = frozenset({0})
    other.sync.watched(key, Place(2), other.now)

    assert (waits, other.sync.all_at(Place(9), other.now)) == (False, True)
    assert Show(key, Place(2)) not in shown
    assert Show(key, Place(2)) in other.sync.poll(other.now)
