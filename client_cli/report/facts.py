"""What a report tells of a game: its deals, rounds and reshuffles, taken from the positions of a verified file."""

from __future__ import annotations

from dataclasses import dataclass

from client_cli.replay_model import Replay
from protocol.rules.state import Meld
from protocol.session.outputs import Reshuffling, RoundOver, RoundStarted
from protocol.session.verify import Verdict
from protocol.session.view import RoundResult


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands of a round as they were dealt: the faces of every seat, in the order in which they came; () if gone.

    Only rounds that were scored have one: by then every card that was dealt had been shown.
    """

    hands: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """A scored round. `reshuffles` counts how often the pot was shuffled again."""

    starter: int
    deal: Deal
    melds: tuple[Meld, ...]
    reshuffles: int
    result: RoundResult


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """A verified game: the verdict, and its scored rounds in order."""

    verdict: Verdict
    rounds: tuple[RoundFacts, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(player.name for player in self.verdict.genesis.players)


def facts_of(replay: Replay) -> GameFacts:
    """The facts of a game that has been verified and taken apart."""
    rounds: list[RoundFacts] = []
    starter = reshuffles = dealt_at = 0
    for at, position in enumerate(replay.positions):
        # A round's end and the next one's beginning never share a position: commitments lie between them.
        for event in position.events:
            match event:
                case RoundStarted():
                    starter, dealt_at, reshuffles = event.starter, at, 0
                case Reshuffling():
                    reshuffles += 1
                case RoundOver():
                    assert position.round is not None
                    rounds.append(
                        RoundFacts(
                            starter=starter,
                            deal=_deal(replay, dealt_at),
                            melds=position.round.melds,
                            reshuffles=reshuffles,
                            result=position.results[-1],
                        )
                    )
    return GameFacts(verdict=replay.verdict, rounds=tuple(rounds))


def _deal(replay: Replay, at: int) -> Deal:
    view = replay.view(at, None, reveal=True)
    assert view.round is not None
    return Deal(tuple(tuple(view.faces[slot] for slot in hand) for hand in view.round.hands))
