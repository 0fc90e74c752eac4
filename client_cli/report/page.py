"""The report of one game: verdict, race, every round, what was checked, and the odds of the deal."""

from __future__ import annotations

from datetime import UTC, datetime

from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.scoring import Match
from protocol.session.view import RoundResult

from .facts import GameFacts, RoundFacts
from .markup import Html, tag
from .parts import Writer, banner, checks, odds, page, verdict_of
from .pictures import SIGNS, race


def report(game: GameFacts, lang: str) -> str:
    """The page about this game, in Dutch (`nl`) or English (`en`)."""
    writer = Writer(lang)
    title = writer.say("rep.title")
    kind, words = verdict_of(writer, game.verdict)
    more = []
    fault = game.verdict.fault
    if fault is not None:
        more.append(writer.say("rep.where", step=fault.step, fault=fault.code))
    elif game.verdict.winners:
        more.append(writer.say("rep.winner", names=", ".join(game.names[seat] for seat in game.verdict.winners)))
    if game.verdict.genesis.seeded:
        more.append(writer.say("rep.seeded"))
    return page(
        writer,
        f"{title}: {', '.join(game.names)}",
        tag("header", tag("h1", title), tag("p", _about(writer, game), class_="soft"), banner(kind, words, *more)),
        _race(writer, game),
        tag("section", tag("h2", writer.say("rep.rounds")), [_round(writer, game, one) for one in game.rounds])
        if game.rounds
        else "",
        checks(writer, [game.verdict.checks]),
        odds(writer, game.verdict.genesis.rules, [one.deal for one in game.rounds]),
        tag(
            "section",
            tag("h2", writer.say("rep.again")),
            tag("p", writer.say("rep.again.how", head=game.verdict.head.hex()), class_="soft"),
        ),
    )


def _about(writer: Writer, game: GameFacts) -> str:
    genesis = game.verdict.genesis
    parts = [", ".join(game.names), writer.say("rep.about", rules=genesis.rules_name)]
    date = _date(genesis.created)
    if date:
        parts.append(writer.say("rep.date", date=date))
    return " · ".join(parts)


def _date(created: int) -> str:
    """The day on which the host says the game began; empty when it says none that a calendar has."""
    try:
        return datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%d") if created > 0 else ""
    except (ValueError, OverflowError, OSError):
        return ""


def _race(writer: Writer, game: GameFacts) -> Html:
    rules = game.verdict.genesis.rules
    heading = tag("h2", writer.say("rep.race", target=rules.target_score))
    if not game.rounds:
        return tag("section", heading, tag("p", writer.say("rep.no_rounds")))
    results = [one.result for one in game.rounds]
    match = Match.start(rules, len(game.names))
    teams = rules.team_of(len(game.names))
    sides, lines, rows = [], [], []
    for seat in range(len(game.names)):
        if not teams or teams.index(teams[seat]) == seat:
            mates = [s for s in range(len(game.names)) if s == seat or (teams and teams[s] == teams[seat])]
            sides.append(seat)
            lines.append(" + ".join(game.names[s] for s in mates))
    for result in results:
        match = match.add(result.points)
        rows.append([match.sides[seat] for seat in sides])
    said = ", ".join(f"{line} {total}" for line, total in zip(lines, rows[-1], strict=True))
    heads = [
        tag("th", f"{SIGNS[seat]} " if not teams else "", tag("bdi", name), class_="n")
        for seat, name in enumerate(game.names)
    ]
    table = tag(
        "table",
        tag("thead", tag("tr", tag("th", writer.say("rep.round.short")), heads)),
        tag(
            "tbody",
            [
                tag("tr", tag("th", str(r.round_number)), [tag("td", p, class_="n") for p in _points(writer, r)])
                for r in results
            ],
        ),
        tag(
            "tfoot",
            tag(
                "tr",
                tag("th", writer.say("rep.total")),
                [tag("td", writer.number(t), class_="n") for t in match.totals],
            ),
        ),
    )
    picture = race(lines, rows, rules.target_score, writer.say("rep.race.about", scores=said))
    return tag("section", heading, picture, tag("div", table, class_="scroll"))


def _points(writer: Writer, result: RoundResult) -> list[str]:
    """What every seat scored; nothing for one that was gone."""
    return ["" if result.sat_out(seat) else writer.number(points) for seat, points in enumerate(result.points)]


def _round(writer: Writer, game: GameFacts, one: RoundFacts) -> Html:
    result = one.result
    seats = [seat for seat in range(len(game.names)) if not result.sat_out(seat)]
    told = [
        writer.say("rep.began", name=game.names[one.starter]),
        writer.say("result.nobody") if result.out is None else writer.say("result.out", name=game.names[result.out]),
        writer.say("rep.shuffled", names=", ".join(game.names[seat] for seat in seats)),
    ]
    if one.reshuffles:
        told.append(
            writer.say("rep.reshuffled.once" if one.reshuffles == 1 else "rep.reshuffled", count=one.reshuffles)
        )
    return tag(
        "section",
        tag("h3", writer.say("rep.round", number=result.round_number)),
        tag("p", " ".join(told)),
        tag("div", [_seat(writer, game, one, seat) for seat in seats], class_="seats"),
    )


def _seat(writer: Writer, game: GameFacts, one: RoundFacts, seat: int) -> Html:
    result = one.result
    nothing = tag("span", writer.say("rep.nothing"), class_="soft")
    melds = [writer.meld(meld) for meld in one.melds if meld.owner == seat]
    left = result.hands[seat]
    facts = {
        "table": result.table_points[seat],
        "hand": result.hand_points[seat],
        "points": writer.number(result.points[seat]),
    }
    penalty = result.penalties[seat] if result.penalties else 0
    total = writer.say("rep.sum.penalty", penalty=penalty, **facts) if penalty else writer.say("rep.sum", **facts)
    rules = game.verdict.genesis.rules
    return tag(
        "div",
        tag("h4", tag("i", SIGNS[seat], style=f"color:var(--s{seat})"), tag("bdi", game.names[seat])),
        tag(
            "dl",
            tag("dt", writer.say("rep.dealt")),
            tag("dd", writer.cards(sorted(one.deal.hands[seat]))),
            tag("dt", writer.say("rep.melds")),
            tag("dd", melds or nothing),
            tag("dt", writer.say("rep.left")),
            tag("dd", writer.cards(sorted(left)) if left else nothing),
        ),
        tag("p", total, class_="sum"),
        tag("p", writer.say("rep.queen_held", points=rules.queen_in_hand_penalty), class_="soft")
        if QUEEN_OF_SPADES in left
        else "",
        class_="seat",
    )
