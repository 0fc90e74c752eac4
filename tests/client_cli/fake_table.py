"""A table without cryptography or network: the real rules, other seats played by a function, one handle.

It has the surface of `node.handle.TableHandle` and gives each seat exactly the view a real node gives. Everything
follows from the seed. `pace` is awaited between two things the others do: tests leave it out and never wait.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from node.handle import (
    AwayChanged,
    Choice,
    Connection,
    NextRound,
    PauseChanged,
    Said,
    Spoken,
    Standing,
    Update,
)
from protocol.errors import IllegalMove, NotNow, PeerFault
from protocol.rules import engine, scoring
from protocol.rules.actions import Action, Draw, Exchange, Play, Slot
from protocol.rules.engine import DrawOutcome
from protocol.rules.ruleset import RuleSet, for_players, preset
from protocol.rules.state import Phase, Round
from protocol.session.outputs import (
    Challenged,
    Claimed,
    Drew,
    Event,
    Exchanged,
    Faulted,
    GameOver,
    Left,
    Played,
    Reshuffling,
    RoundOver,
    RoundStarted,
    SetupProgress,
    Voided,
)
from protocol.session.session import Challenge, Claim, Leave, SameCards
from protocol.session.view import Checks, Player, RoundResult, Stage, TableView

NAMES = ("Anna", "Bram", "Cor", "Dina", "Evert", "Fien", "Gijs")
Choose = Callable[[TableView], Action]
Pace = Callable[[], Awaitable[None]]


def careless(view: TableView) -> Action:
    """The simplest legal player: draws from the stock and discards the first card that may go."""
    assert view.round is not None
    assert view.me is not None
    if view.round.phase is Phase.EXCHANGE:
        return Exchange()
    if view.round.phase is Phase.DRAW:
        return Draw()
    for slot in view.hand:
        try:
            play = engine.with_proof(view.round, view.me, Play(discard=slot), view.faces)
            engine.play(view.round, view.me, play, view.faces)
        except IllegalMove:
            continue
        return play
    raise AssertionError("no card may be discarded")


class FakeTalk:
    """The talk of a fake table: what we do is kept and comes back, what others do is told by `hears`."""

    def __init__(self, me: int, tell: Callable[[tuple[Spoken, ...]], None]) -> None:
        self._me = me
        self._tell = tell
        self._standing = Standing()
        self.refusal: NotNow | None = None
        """Raised by the next thing said, if any."""

    def standing(self) -> Standing:
        """Who is away, muted, and asks for a pause."""
        return self._standing

    def say(self, said: str | int) -> None:
        """We say something."""
        refusal, self.refusal = self.refusal, None
        if refusal is not None:
            raise refusal
        self.hears(Said(self._me, said))

    def mute(self, seat: int, *, on: bool = True) -> None:
        """We mute a seat, or hear it again."""
        muted = {*self._standing.muted, seat} if on else {*self._standing.muted} - {seat}
        self._standing = replace(self._standing, muted=tuple(sorted(muted)))
        self.hears()

    def set_away(self, *, away: bool) -> None:
        """We are away, or back."""
        self.hears(AwayChanged(self._me, away))

    def set_pause(self, *, on: bool) -> None:
        """We ask for a pause, or end it."""
        self.hears(PauseChanged(self._me, on))

    def hears(self, *spoken: Spoken) -> None:
        """Somebody says this."""
        for word in spoken:
            match word:
                case AwayChanged(seat, away):
                    others = {*self._standing.away} - {seat}
                    self._standing = replace(self._standing, away=tuple(sorted({*others, seat} if away else others)))
                case PauseChanged(seat, on):
                    self._standing = replace(self._standing, paused_by=seat if on else None)
        self._tell(spoken)


class FakeTable:
    """One table of `n` seats; this object is the handle of seat `me` (None: a watcher)."""

    def __init__(
        self,
        *,
        rules: RuleSet | None = None,
        rules_name: str = "klassiek",
        n: int = 4,
        me: int | None = 0,
        seed: int = 1,
        max_rounds: int = 0,
        choose: Choose = careless,
        pace: Pace | None = None,
        names: tuple[str, ...] = NAMES,
    ) -> None:
        self.rules = for_players(rules or preset(rules_name), n)
        self.rules_name = rules_name
        self.n = n
        self.me = me
        self.max_rounds = max_rounds
        self.choose = choose
        self.random = random.Random(seed)
        self.players = tuple(Player(name=names[seat], bot=seat != me, key=bytes([seat]) * 32) for seat in range(n))
        self.match = scoring.Match.start(self.rules, n)
        self.results: tuple[RoundResult, ...] = ()
        self.stage = Stage.SEATING
        self.round: Round | None = None
        self.round_number = 0
        self.step = 0
        self.waiting: tuple[int, ...] = tuple(range(n))
        self.checks = Checks()
        self.fault: PeerFault | None = None
        self.departed: tuple[int, ...] = ()
        self.faces: dict[Slot, int] = {}
        self.stock: list[Slot] = []
        self.talk = FakeTalk(0 if me is None else me, lambda spoken: self._tell(moved=False, spoken=spoken))
        self.link = Connection(state="up", broker="mqtt://127.0.0.1:1883", peers=(True,) * n)
        self.submitted: list[Choice] = []
        self.file: Path | None = None
        """The game file that `game_file` hands out."""
        self._pace = pace
        self.sealed: Slot | None = None
        """A drawn card that its holder cannot read yet, for one piece of news, as with a real node."""
        self.told: list[Update] = []
        self._news: asyncio.Queue[Update | None] = asyncio.Queue()
        self._starter: int | None = None

    # ------------------------------------------------------------------ the handle

    def view(self) -> TableView:
        """What our seat sees."""
        return self.seen_by(self.me)

    def connection(self) -> Connection:
        """How the node is said to be connected."""
        return self.link

    async def updates(self) -> AsyncIterator[Update]:
        """Every change until `stop`."""
        while (update := await self._news.get()) is not None:
            yield update

    async def game_file(self) -> tuple[Path | None, bytes]:
        """A file of a game that somebody else has played, where a test has laid one down."""
        return self.file, b"" if self.file is None else self.file.read_bytes()

    async def submit(self, action: Choice) -> None:
        """Our move, then everything the others do until it is our turn again."""
        if isinstance(action, NextRound):
            if self.stage is not Stage.BETWEEN:
                raise NotNow("session/no-round-ended")
            self.submitted.append(action)
            await self.deal()
            return
        if isinstance(action, Challenge | Claim | Leave | SameCards):
            self._beside(action)
            self.submitted.append(action)
            return
        if self.round is None or self.me is None or self.round.mover != self.me or self.me not in self.waiting:
            raise NotNow("session/not-your-turn")
        await self._act(self.me, action)
        self.submitted.append(action)
        await self.go_on()

    # ------------------------------------------------------------------ for tests and the development script

    def stop(self) -> None:
        """The node stops: no more news."""
        self._news.put_nowait(None)

    def connect(self, state: str, peers: tuple[bool, ...] | None = None) -> None:
        """The connection changes."""
        self.link = replace(self.link, state=state, peers=peers or self.link.peers)
        self._tell()

    def break_protocol(self, seat: int, code: str) -> None:
        """This seat commits a fault: the table stops."""
        self.fault = PeerFault(code, seat, self.step)
        self.stage, self.waiting = Stage.FAULTED, ()
        self._tell(Faulted(self.fault))

    def claim(self, seat: int, *silent: int) -> None:
        """This seat says that it waits no longer for these."""
        self._tell(Claimed(seat, silent), moved=False)

    def leave(self, seat: int) -> None:
        """This seat says goodbye."""
        self._tell(Left(seat), moved=False)

    def void(self, reason: int, *seats: int) -> None:
        """The round is void for this reason, these seats are named, and the game ends."""
        self.departed = seats
        self.match = self.match.abort(min(seats))
        self.stage, self.waiting = Stage.SCORING, tuple(seat for seat in range(self.n) if seat not in seats)
        self._tell(Voided(reason, seats))
        self.stage, self.waiting = Stage.FAULTED if self.fault is not None else Stage.FINISHED, ()
        self._tell(GameOver(self.match.winners))

    def seen_by(self, seat: int | None) -> TableView:
        """The view of any seat."""
        faces = dict(self.round.faces) if self.round is not None else {}
        if seat is not None and self.round is not None:
            faces.update({slot: self.faces[slot] for slot in self.round.hands[seat] if slot != self.sealed})
        if self.stage not in {Stage.PLAYING, Stage.SCORING}:
            faces = {}  # a real node has begun the next round's ledger by then
        return TableView(
            table=b"fake table 16 by",
            players=self.players,
            me=seat,
            rules=self.rules,
            rules_name=self.rules_name,
            stage=self.stage,
            round_number=self.round_number + (self.stage is Stage.BETWEEN),
            round=self.round,
            faces=faces,
            waiting_for=self.waiting,
            totals=self.match.totals,
            results=self.results,
            checks=self.checks,
            winners=self._winners() if self.stage is Stage.FINISHED else (),
            fault=self.fault,
            departed=self.departed,
            step=self.step,
            head=self.step.to_bytes(4, "big") * 8,
            max_rounds=self.max_rounds,
            seeded=False,
        )

    async def deal(self) -> None:
        """Shuffle, deal and play until it is our turn."""
        self.round_number += 1
        self.stage = Stage.SHUFFLING
        total = self.n + 4
        for done in range(1, total):
            stage = ("open", *("shuffle",) * self.n, "ready", "deal")[done - 1]
            self.waiting = (done - 2,) if stage == "shuffle" else tuple(range(self.n))
            self.stage = Stage.DEALING if stage == "deal" else Stage.SHUFFLING
            self._tell(SetupProgress(stage, done, total, self.waiting[0]))
            await self._wait()
        self._cut()
        assert self.round is not None
        self.stage, self.waiting = Stage.PLAYING, (self.round.mover,)
        self._count(shuffle_proofs=self.n, commitments=self.n * 2, shares=self.n * 40, signatures=self.n * 8)
        self._tell(RoundStarted(self.round_number, self.round.starter))
        await self.go_on()

    async def go_on(self) -> None:
        """Let the others play until it is our turn or the round is over."""
        while self.stage is Stage.PLAYING and self.round is not None and self.round.mover != self.me:
            await self._wait()
            seat = self.round.mover
            await self._act(seat, self.choose(self.seen_by(seat)))

    # ------------------------------------------------------------------ inside

    def _cut(self) -> None:
        pack = self.rules.pack
        cards = list(range(pack.size))
        self.random.shuffle(cards)
        self.faces = {slot: pack.face(card) for slot, card in enumerate(cards)}
        size, n = self.rules.hand_size, self.n
        starter = scoring.next_starter(self.rules, range(n), self._starter)
        self._starter = self.random.randrange(n) if starter is None else starter
        self.stock = list(range(size * n + 1, pack.size))
        self.round = engine.start_round(
            self.rules,
            n,
            starter=self._starter,
            hands=[range(seat * size, (seat + 1) * size) for seat in range(n)],
            open_slot=size * n,
            open_face=self.faces[size * n],
            stock=len(self.stock),
        )

    async def _act(self, seat: int, action: Action) -> None:
        match action:
            case Draw():
                await self._draw(seat)
            case Play():
                self._play(seat, action)
            case Exchange():
                assert self.round is not None
                taken = self.round.open_card if action.returned is not None else None
                self.round = engine.exchange(self.round, seat, action, self.faces)
                self.waiting = (self.round.mover,)
                self._tell(Exchanged(seat, taken, action.returned))

    def _beside(self, said: Challenge | Claim | Leave | SameCards) -> None:
        """What our seat says beside its turns; a challenge is judged at once, and its penalty card drawn."""
        state = self.round
        if self.me is None or self.stage is Stage.FINISHED:
            raise NotNow("session/not-playing")
        if isinstance(said, Claim) and not set(said.seats) <= set(self.waiting):
            raise NotNow("session/nothing-to-claim")
        if isinstance(said, Challenge):
            if state is None:
                raise IllegalMove("no_offence")
            state = engine.challenge(state, self.me, said.offender)
            self.round = state if engine.penalty_due(state) is None else self._pay(state)
            self._tell(Challenged(self.me, said.offender))

    def _pay(self, state: Round) -> Round:
        """The penalty card that is due, from wherever it comes."""
        match engine.penalty_outcome(state):
            case DrawOutcome.ROUND_ENDS:
                return engine.penalty_lapses(state)
            case DrawOutcome.SINGLE:
                return engine.penalty_single(state)
            case DrawOutcome.RESHUFFLE:
                state, pot = engine.penalty_reshuffle(state)
                self._turn_over(pot)
        return engine.penalty_draw(state, self.stock.pop(0))

    def _turn_over(self, pot: tuple[Slot, ...]) -> None:
        """The cards of the pot become the stock, in another order and in new slots."""
        first = max(self.faces) + 1
        faces = [self.faces[slot] for slot in pot]
        self.random.shuffle(faces)
        self.stock = list(range(first, first + len(pot)))
        self.faces.update(zip(self.stock, faces, strict=True))

    async def _draw(self, seat: int) -> None:
        state = self.round
        assert state is not None
        if state.phase is not Phase.DRAW or state.mover != seat:
            raise IllegalMove("already_drawn")
        outcome = engine.draw_outcome(state)
        if outcome is DrawOutcome.ROUND_ENDS:
            self.round = engine.end_round(state)
            self._score()
            return
        if outcome is DrawOutcome.SINGLE:
            slot = state.pot[0]
            self.round = engine.draw_single(state, seat)
            self._tell(Drew(seat, slot, self.faces[slot]))
            return
        if outcome is DrawOutcome.RESHUFFLE:
            state, pot = engine.reshuffle(state)
            self._turn_over(pot)
            self.round = state
            self._tell(Reshuffling(seat, len(pot)))
        self.waiting = tuple(other for other in range(self.n) if other != seat)
        self._tell()
        await self._wait()
        slot = self.stock.pop(0)
        self.round = engine.draw(state, seat, slot)
        self.waiting, self.sealed = (seat,), slot
        self._tell()
        self.sealed = None
        self._count(shares=self.n - 1, signatures=self.n)
        self._tell(Drew(seat, slot, self.faces[slot] if seat == self.me else None))

    def _play(self, seat: int, play: Play) -> None:
        state = self.round
        assert state is not None
        hand = {slot: self.faces[slot] for slot in (*state.hands[seat], *state.pot)}
        new = engine.play(state, seat, play, hand)
        self.round = new
        self.waiting = (new.mover,)
        self._count(moves=1, signatures=1, opened_cards=len(engine.slots_to_open(state, seat, play)))
        played = Played(seat, play, state.pot if play.take_pot else (), new.out is not None)
        if new.phase is Phase.OVER:
            self._score(played)
        else:
            self._tell(played)

    def _score(self, *before: Event) -> None:
        state = self.round
        assert state is not None
        points = scoring.round_points(state, self.faces)
        self.match = self.match.add(points)
        result = RoundResult(
            round_number=self.round_number,
            points=tuple(entry.total for entry in points),
            totals=self.match.totals,
            table_points=tuple(entry.table for entry in points),
            hand_points=tuple(entry.hand for entry in points),
            hands=tuple(tuple(self.faces[slot] for slot in hand) for hand in state.hands),
            out=state.out,
            verdicts=(0,) * self.n,
        )
        self.results = (*self.results, result)
        self._count(audited_shuffles=self.n)
        over = self.match.is_over or (0 < self.max_rounds <= self.round_number)
        self.stage = Stage.FINISHED if over else Stage.BETWEEN
        self.waiting = () if over else tuple(range(self.n))
        told: list[Event] = [*before, RoundOver(self.round_number, result.points, result.totals)]
        if over:
            told.append(GameOver(self._winners()))
        self._tell(*told)

    def _winners(self) -> tuple[int, ...]:
        if self.departed:
            return self.match.winners
        best = max(self.match.totals)
        return tuple(seat for seat, total in enumerate(self.match.totals) if total == best)

    def _count(self, **more: int) -> None:
        self.checks = replace(self.checks, **{key: getattr(self.checks, key) + value for key, value in more.items()})

    def _tell(self, *events: Event, moved: bool = True, spoken: tuple[Spoken, ...] = ()) -> None:
        self.step += moved
        told = Update(
            view=self.view(), events=events, connection=self.link, spoken=spoken, standing=self.talk.standing()
        )
        self.told.append(told)
        self._news.put_nowait(self.told[-1])

    async def _wait(self) -> None:
        if self._pace is not None:
            await self._pace()
