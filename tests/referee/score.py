"""Points, the score of a round and of a game, and who starts (matrix 2.1, 2.12, 2.13, 3.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from protocol.rules.actions import Slot
from protocol.rules.cards import JOKER, QUEEN_OF_SPADES
from protocol.rules.ruleset import RuleSet
from tests.referee.position import Position


def points(rules: RuleSet, face: int) -> int:
    """Points of a card on the table; a joker counts as a joker whatever it stands for."""
    if face == JOKER:
        return rules.joker_points or 0
    if face == QUEEN_OF_SPADES:
        return 100
    letter = "A23456789TJQK"[face % 13]
    if letter == "A":
        return 20
    if letter in "TJQK":
        return 10
    if letter == "2" and rules.two_as_joker:
        return rules.deuce_points
    if rules.pip_scoring:
        return int(letter)
    return rules.deuce_points if letter == "2" else 5


def cost_in_hand(rules: RuleSet, face: int) -> int:
    """Points a card costs whoever still holds it at the end of the round."""
    return rules.queen_in_hand_penalty if face == QUEEN_OF_SPADES else points(rules, face)


def round_scores(position: Position, faces: Mapping[Slot, int]) -> list[int]:
    """Every seat's own melds minus its hand."""
    scores = []
    for seat in range(position.n):
        score = 0
        for meld in position.melds:
            if meld.owner == seat:
                for card in meld.cards:
                    score += points(position.rules, card.face)
        for slot in position.hands[seat]:
            score -= cost_in_hand(position.rules, faces[slot])
        scores.append(score)
    return scores


def side_totals(rules: RuleSet, totals: Sequence[int]) -> list[int]:
    """For every seat the total that counts: its own, or its team's. Teams sit alternately."""
    n = len(totals)
    if rules.team_size == 0:
        return list(totals)
    teams = n // rules.team_size
    return [sum(totals[other] for other in range(n) if other % teams == seat % teams) for seat in range(n)]


def winners(rules: RuleSet, totals: Sequence[int]) -> list[int]:
    """The winning seats after a finished round; empty while the game goes on."""
    counting = side_totals(rules, totals)
    best = max(counting)
    if best < rules.target_score:
        return []
    first = [seat for seat in range(len(totals)) if counting[seat] == best]
    sides = 1 if rules.team_size == 0 else rules.team_size
    if rules.tie_at_top == "extra_round" and len(first) > sides:
        return []
    return first


def aborted_winners(rules: RuleSet, totals: Sequence[int], rounds: int, leaver: int) -> list[int]:
    """Who wins a game that a seat broke off: the leaders after the last finished round, if there was one."""
    if rounds == 0:
        return []
    n = len(totals)
    counting = side_totals(rules, totals)
    among = list(range(n))
    if rules.aborted_winner_excludes_leaver:
        teams = n if rules.team_size == 0 else n // rules.team_size
        among = [seat for seat in among if seat % teams != leaver % teams]
    best = max(counting[seat] for seat in among)
    return [seat for seat in among if counting[seat] == best]


def final_score(rules: RuleSet, totals: Sequence[int], seat: int) -> Fraction:
    """The score shown for a seat when the game is finished: of seats, also where teams win (spec R125)."""
    if rules.final_score == "own_total":
        return Fraction(totals[seat])
    others = [totals[other] for other in range(len(totals)) if other != seat]
    return totals[seat] - Fraction(sum(others), len(others))


def starter(rules: RuleSet, n: int, dealer: int | None, previous: int | None) -> int | None:
    """Who starts: of the first round (`previous` None) or of a later one; None when chance decides."""
    if previous is None:
        if rules.first_starter == "random" or dealer is None:
            return None
        return (dealer + 1) % n
    if rules.next_starter == "random":
        return None
    return (previous + 1) % n
