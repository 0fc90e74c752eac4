"""The report of several games: which of them hold, and where the cards fell over all their deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client_cli.glyphs import RANKS, SUIT_SIGNS
from protocol.rules.cards import Pack
from protocol.rules.ruleset import RuleSet

from .facts import Deal, GameFacts
from .markup import Html, tag
from .odds import MARKED, Spread, by_face, by_place, by_seat
from .parts import Writer, banner, checks, odds, page, verdict_of
from .pictures import bars


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that cannot be read as a game."""


def overview(files: Sequence[tuple[str, GameFacts | Unread]], lang: str) -> str:
    """The page about these files (name as the person knows it, and what is in it), in Dutch or English.

    Every file has its verdict; the deals of a game that is in several files count once, from the longest.
    """
    writer = Writer(lang)
    wrong = sum(isinstance(game, Unread) or not game.verdict.ok for _, game in files)
    title = writer.say("rep.title.many", count=len(files))
    if wrong:
        verdict = banner("bad", writer.say("rep.some_wrong", wrong=wrong, count=len(files)))
    else:
        verdict = banner("good", writer.say("rep.all_ok", count=len(files)))
    games = distinct([game for _, game in files if isinstance(game, GameFacts)])
    deals = [(game.verdict.genesis.rules, one.deal) for game in games for one in game.rounds]
    return page(
        writer,
        title,
        tag("header", tag("h1", title), verdict),
        _table(writer, files, doubles=len(games) < len(files)),
        checks(writer, [game.verdict.checks for game in games]) if games else "",
        _fell(writer, deals) if deals else "",
        [odds(writer, alike[0][0], [deal for _, deal in alike]) for alike in _alike(deals)],
        tag("section", tag("h2", writer.say("rep.again")), tag("p", writer.say("rep.again.many"), class_="soft")),
    )


def distinct(games: Sequence[GameFacts]) -> list[GameFacts]:
    """Every game once: of several files of one game the one with the longest log that holds."""
    best: dict[bytes, GameFacts] = {}
    for game in games:
        kept = best.setdefault(game.verdict.genesis.encode(), game)
        if game.verdict.steps > kept.verdict.steps:
            best[game.verdict.genesis.encode()] = game
    return list(best.values())


def _table(writer: Writer, files: Sequence[tuple[str, GameFacts | Unread]], *, doubles: bool) -> Html:
    heads = [tag("th", writer.say("rep.game.players")), tag("th", writer.say("rep.game.verdict"))]
    return tag(
        "section",
        tag("h2", writer.say("rep.games")),
        tag("p", writer.say("rep.same"), class_="soft") if doubles else "",
        tag("table", tag("thead", tag("tr", heads)), tag("tbody", [_row(writer, *row) for row in _rows(files)])),
    )


def _rows(files: Sequence[tuple[str, GameFacts | Unread]]) -> list[tuple[list[str], GameFacts | Unread]]:
    """Files that say the same of a game, together."""
    found: dict[object, tuple[list[str], GameFacts | Unread]] = {}
    for name, game in files:
        verdict = None if isinstance(game, Unread) else game.verdict
        same = name if verdict is None else (verdict.genesis.encode(), verdict.head, verdict.fault)
        found.setdefault(same, ([], game))[0].append(name)
    return list(found.values())


def _row(writer: Writer, names: list[str], game: GameFacts | Unread) -> Html:
    where = [tag("div", tag("code", name), class_="soft") for name in names]
    if isinstance(game, Unread):
        return tag("tr", tag("td", where), tag("td", "✗ ", writer.say("rep.game.unread"), class_="bad"))
    scores = ", ".join(f"{n} {writer.number(t)}" for n, t in zip(game.names, game.verdict.totals, strict=True))
    kind, words = verdict_of(writer, game.verdict)
    sign = {"good": "✓ ", "bad": "✗ ", "wait": "… "}[kind]
    return tag("tr", tag("td", tag("bdi", scores), where), tag("td", sign, words, class_=kind))


def _alike(deals: Sequence[tuple[RuleSet, Deal]]) -> list[list[tuple[RuleSet, Deal]]]:
    """These deals by what their odds follow from: the deck and the size of a hand."""
    found: dict[tuple[Pack, int], list[tuple[RuleSet, Deal]]] = {}
    for rules, deal in deals:
        found.setdefault((rules.pack, rules.hand_size), []).append((rules, deal))
    return list(found.values())


def _fell(writer: Writer, deals: Sequence[tuple[RuleSet, Deal]]) -> Html:
    parts = [_spread(writer, f"rep.fell.{name}", by_seat(deals, marked)) for name, marked in MARKED.items()]
    special = by_place(deals, lambda face: any(marked(face) for marked in MARKED.values()))
    parts.append(_spread(writer, "rep.fell.place", special))
    return tag(
        "section",
        tag("h2", writer.say("rep.fell")),
        tag("p", writer.say("rep.fell.about", deals=len(deals))),
        tag("p", writer.say("rep.fell.p"), " ", writer.say("rep.fell.small"), class_="soft"),
        tag("div", parts, class_="two"),
        _faces(writer, by_face(deals)),
    )


def _spread(writer: Writer, code: str, spread: Spread) -> Html:
    if not spread.deals:
        return Html()
    title = writer.say(code)
    labels = [str(cell + 1) for cell in spread.seen]
    return tag(
        "figure", tag("h3", title), _bars(writer, title, labels, spread, list(spread.seen)), _test(writer, spread)
    )


def _faces(writer: Writer, spread: Spread) -> Html:
    title = writer.say("rep.fell.face")
    ranks = RANKS[writer.lang]
    pictures = [
        _bars(writer, f"{title} ({sign})", [r + sign for r in ranks], spread, range(13 * suit, 13 * suit + 13))
        for suit, sign in enumerate(SUIT_SIGNS)
    ]
    return tag("figure", tag("h3", title), tag("div", pictures, class_="two"), _test(writer, spread))


def _bars(writer: Writer, title: str, labels: Sequence[str], spread: Spread, cells: Sequence[int]) -> Html:
    seen, expected = [spread.seen[cell] for cell in cells], [spread.expected[cell] for cell in cells]
    said = ", ".join(
        f"{label}: {count} / {writer.decimal(f'{mean:.1f}')}"
        for label, count, mean in zip(labels, seen, expected, strict=True)
    )
    return bars(labels, seen, expected, writer.say("rep.bars.about", title=title, cells=said))


def _test(writer: Writer, spread: Spread) -> Html:
    test = spread.test()
    if test is None:
        return tag("p", writer.say("rep.test.few"), class_="soft")
    p = "< 0.0001" if test.p < 0.0001 else f"{test.p:.4f}"
    return tag(
        "p",
        writer.say(
            "rep.test",
            statistic=writer.decimal(f"{test.statistic:.1f}"),
            freedom=test.freedom,
            p=writer.decimal(p),
            deals=test.deals,
        ),
    )
