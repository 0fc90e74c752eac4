"""The pages that cover the table: each is a title and lines, scrolled when they are more than fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from client_cli.chronicle import Cards, Entry
from client_cli.departures import staying, was_voided
from client_cli.faces import UNKNOWN
from client_cli.glyphs import width as cells_of
from client_cli.intents import Choose, Key, Page
from client_cli.keys import Bind
from client_cli.keys import groups as key_groups
from client_cli.report.odds import MARKED, at_least, copies, percent
from client_cli.theme import style
from protocol.crypto.audit import OK
from protocol.rules.scoring import net_score, one_decimal
from protocol.session.view import RoundResult, Stage

from .canvas import Canvas, Piece, clip, left, rich_width, right, wrap
from .ending import void_lines, void_title
from .panels import race
from .rules import card_lines
from .scene import Scene
from .status import key_word
from .talk import talk_page

Lines: TypeAlias = list[list[Piece]]
_KEYS = 14
"""Cells of the column of keys on the help page."""


def draw_page(canvas: Canvas, scene: Scene, y: int, height: int, other: Lines | None = None) -> tuple[int, int]:
    """The page of this state, with `other` lines than its own if given; how far it scrolls, and lines of a leaf."""
    width = min(canvas.width - 6, 100)
    margin = (canvas.width - width) // 2
    canvas.put(margin, y + 1, _title(scene), style("title"))
    room = height - 4
    if scene.state.page is Page.LOG and other is None:
        leaf = _log(scene, width, room)
    else:
        leaf = _leaf(_LINES[scene.state.page](scene, width) if other is None else other, scene.state.scroll, room)
    for place, line in enumerate(leaf.lines):
        canvas.write(margin, y + 3 + place, line, limit=margin + width)
        if line and line[0][0] == style("offer.number"):
            canvas.mark(margin, y + 3 + place, width, 1, Choose(int(line[0][1])))
    if scene.state.page is Page.POT:
        canvas.mark(margin, y + 3, width, len(leaf.lines), Key.TOGGLE)
    if leaf.limit:
        text = scene.say("page.scroll", first=leaf.first + 1, last=leaf.first + leaf.shown, total=leaf.total)
        canvas.right(margin + width, y + 1, [(style("dim"), text)])
    return leaf.limit, max(leaf.shown, 1)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """What a page shows of its items: those from `first` on, `shown` of `total`; it scrolls as far as `limit`."""

    lines: Lines
    first: int
    shown: int
    total: int
    limit: int


def _leaf(lines: Lines, scroll: int, room: int) -> _Leaf:
    limit = max(len(lines) - room, 0)
    first = min(scroll, limit)
    shown = lines[first : first + room]
    return _Leaf(shown, first, len(shown), len(lines), limit)


def _title(scene: Scene) -> str:
    view, page = scene.state.view, scene.state.page
    if page is Page.RESULT and was_voided(view):
        return void_title(scene)
    if page is Page.RESULT:
        if view.stage is Stage.FINISHED:
            return scene.say("page.final")
        if view.stage is Stage.FAULTED and not view.results:
            return scene.say("fault.title")  # no round has ever been scored
        number = view.results[-1].round_number if view.results else view.round_number
        return scene.say("page.result", number=number)
    if page is Page.RULES:
        return scene.say("page.rules", name=view.rules_name)
    return scene.say(f"page.{page.value}")


def _text(scene: Scene, code: str, width: int, kind: str = "note", **facts: object) -> Lines:
    return wrap([(style(kind), scene.say(code, **facts))], width)


# ------------------------------------------------------------------ pot


def _pot(scene: Scene, width: int) -> Lines:
    table = scene.state.view.round
    if table is None or not table.pot:
        return _text(scene, "pot.empty", width)
    lines = _text(scene, "pot.count", width, "seat.facts", count=scene.count("cards", len(table.pot)))
    chips = [scene.cards([(scene.state.faces.get(slot, UNKNOWN), None)]) for slot in reversed(table.pot)]
    return [*lines, [], *_chips(chips, width)]


def _chips(chips: Lines, width: int) -> Lines:
    """Chips in a row with a blank between them, broken where a line is full."""
    lines: Lines = [[]]
    for chip in chips:
        if lines[-1] and rich_width(lines[-1]) + rich_width(chip) > width:
            lines.append([])
        lines[-1].extend([*chip, ("", " ")])
    return lines


# ------------------------------------------------------------------ scores


def _scores(scene: Scene, width: int) -> Lines:
    view, glyphs = scene.state.view, scene.glyphs
    if not view.results:
        return [*_text(scene, "scores.none", width), [], *race(scene, width)]
    first = max(len(scene.say(code)) for code in ("scores.round", "scores.total", "scores.net")) + 2
    cell = min(max((width - first) // len(view.players), 8), 16)
    lines = [_cells(first, cell, "", [scene.name(seat) for seat in _seats(scene)], "strong", glyphs.sign("ellipsis"))]
    for result in view.results:
        head = f"{scene.say('scores.round')} {result.round_number}"
        points = [
            scene.sat_out() if result.sat_out(seat) else glyphs.signed(result.points[seat]) for seat in _seats(scene)
        ]
        lines.append(_cells(first, cell, head, points, "seat"))
    lines.append([(style("rule"), glyphs.sign("h") * min(first + cell * len(view.players), width))])
    lines.append(
        _cells(first, cell, scene.say("scores.total"), [glyphs.number(total) for total in view.totals], "gold")
    )
    if view.rules.final_score == "own_minus_average" and len(view.totals) > 1:
        lines.append(_cells(first, cell, scene.say("scores.net"), net_words(scene), "seat.facts"))
        lines += [[], *_text(scene, "scores.net_how", width)]
    lines += [[], *_text(scene, "scores.race", width, "title", target=view.rules.target_score), []]
    return [*lines, *race(scene, min(width, 76))]


def net_words(scene: Scene) -> list[str]:
    """The final score of each seat where it is not the total."""
    view, totals = scene.state.view, scene.state.view.totals
    playing = view.present if staying(view) else tuple(range(len(totals)))
    mark = "," if scene.lang == "nl" else "."
    texts = []
    for seat, total in enumerate(totals):
        text = one_decimal(net_score(total, [totals[other] for other in playing if other != seat]))
        texts.append(text.replace("-", scene.glyphs.sign("minus")).replace(".", mark))
    return texts


def _cells(first: int, cell: int, head: str, words: list[str], kind: str, ellipsis: str = "") -> list[Piece]:
    cells = "".join(right(clip(word, cell - 2, ellipsis), cell) for word in words)
    return [(style("seat.facts"), left(head, first)), (style(kind), cells)]


def _seats(scene: Scene) -> range:
    return range(len(scene.state.view.players))


# ------------------------------------------------------------------ result of a round


def _result(scene: Scene, width: int) -> Lines:
    view = scene.state.view
    if was_voided(view):
        return [*void_lines(scene, width), [], *race(scene, min(width, 76))]
    if not view.results:
        return _text(scene, "scores.none", width)
    result = view.results[-1]
    lines: Lines = []
    if view.stage is Stage.FINISHED and view.winners:
        code = "result.winner" if len(view.winners) == 1 else "result.winners"
        star = scene.glyphs.sign("joker")
        lines += [[(style("gold"), f"{star} {scene.say(code, names=scene.names(view.winners))} {star}")], []]
    if result.out is None:
        lines += _text(scene, "result.nobody", width)
    else:
        sign = scene.glyphs.sign("turn")  # it marks the same player in the table below
        lines += _text(scene, "result.out", width, name=f"{sign} {scene.name(result.out)}")
    lines += [[], *_result_table(scene, result, width), []]
    charged = [f"{scene.name(seat)} {scene.glyphs.number(-lost)}" for seat, lost in enumerate(result.penalties) if lost]
    if charged:
        lines += [*_text(scene, "result.penalty", width, who=", ".join(charged)), []]
    lines += [*_text(scene, "result.hands", width, "title"), *_hands(scene, result, width), []]
    return [*lines, *verdict_lines(scene, result, width)]


def _result_table(scene: Scene, result: RoundResult, width: int) -> Lines:
    glyphs = scene.glyphs
    heads = [scene.say(f"result.{code}") for code in ("table", "hand", "points", "total")]
    names = [scene.gone(seat) if result.sat_out(seat) else scene.name(seat) for seat in _seats(scene)]
    label = min(max(map(cells_of, names)) + 4, width - 4 * 11)
    lines = [[(style("seat.facts"), " " * label + "".join(head.rjust(11) for head in heads))]]
    ended = scene.state.view.stage is Stage.FINISHED
    order = sorted(_seats(scene), key=lambda seat: (result.sat_out(seat), -result.totals[seat], seat))
    for seat in order:
        if result.sat_out(seat):
            if ended:  # the final page lists everybody who played in this game
                name = left("  " + clip(names[seat], label - 3, glyphs.sign("ellipsis")), label)
                cells = scene.sat_out().rjust(11) * 3
                total = glyphs.number(result.totals[seat]).rjust(11)
                lines.append([(style("dim"), name + cells), (style("gold"), total)])
            continue
        sign = glyphs.sign("turn") if seat == result.out else " "
        name = clip(names[seat], label - 3, glyphs.sign("ellipsis"))
        kind = "strong" if seat == scene.state.me else "seat"
        numbers = (result.table_points[seat], -result.hand_points[seat], result.points[seat])
        cells = "".join(
            (glyphs.signed(n) if place == 2 else glyphs.number(n)).rjust(11) for place, n in enumerate(numbers)
        )
        total = glyphs.number(result.totals[seat]).rjust(11)
        lines.append([(style(kind), left(f"{sign} {name}", label) + cells), (style("gold"), total)])
    return lines


def _hands(scene: Scene, result: RoundResult, width: int) -> Lines:
    label = min(max(cells_of(player.name) for player in scene.state.view.players) + 2, width // 2)
    lines: Lines = []
    for seat in _seats(scene):
        if result.sat_out(seat):
            continue
        name = left(clip(scene.name(seat), label - 1, scene.glyphs.sign("ellipsis")), label)
        faces = sorted(result.hands[seat])
        if not faces:
            lines.append([(style("seat"), name), (style("dim"), " " + scene.say("result.empty_hand"))])
            continue
        chips = _chips([scene.cards([(face, None)]) for face in faces], width - label)
        for place, line in enumerate(chips):
            lines.append([(style("seat"), name if place == 0 else " " * label), *line])
    return lines


def verdict_lines(scene: Scene, result: RoundResult, width: int) -> Lines:
    """Whether every shuffle of this round was fair, and if not, whose."""
    judged = [(seat, verdict) for seat, verdict in enumerate(result.verdicts) if not result.sat_out(seat)]
    if judged and all(verdict == OK for _, verdict in judged):
        sign = [(style("good"), scene.glyphs.sign("check") + " ")]
        return wrap([*sign, (style("note"), scene.say("result.fair_all"))], width)
    sign = [(style("bad"), scene.glyphs.sign("cross") + " ")]
    lines = wrap([*sign, (style("bad"), scene.say("result.fair_not"))], width)
    for seat, verdict in judged:
        lines.append([(style("seat"), f"  {scene.name(seat)}: {_verdict_word(scene, verdict)}")])
    return lines


def _verdict_word(scene: Scene, verdict: int) -> str:
    return scene.say(f"verdict.{verdict if verdict in {0, 1, 2} else 255}")


# ------------------------------------------------------------------ rules, log, fairness, help


def rule_lines(scene: Scene, width: int) -> Lines:
    """The agreed rules, all of them."""
    view = scene.state.view
    return card_lines(view.rules, view.rules_name, scene.glyphs, width)


def _log(scene: Scene, width: int, room: int) -> _Leaf:
    """Newest first, scrolled by entries: only what is on the screen is written, however long the log is."""
    log = scene.state.log
    fit = len(_written(scene, log, width, room)[1])
    limit = len(log) - fit
    first = min(scene.state.scroll, limit)
    lines, sizes = _written(scene, reversed(log[: len(log) - first]), width, room)
    return _Leaf(lines, first, len(sizes), len(log), limit)


def _written(scene: Scene, entries: Iterable[Entry], width: int, room: int) -> tuple[Lines, list[int]]:
    """The first of these entries, as many as fit, at least one; their lines, and how many lines each takes."""
    lines: Lines = []
    sizes: list[int] = []
    for entry in entries:
        kind = "gold" if entry.code == "log.round" else "strong" if entry.is_talk else "note"
        head = scene.say("fair.round", number=entry.round_number) + "  " if entry.round_number else ""
        told = wrap(scene.entry(entry, style(kind)), width - len(head))
        if sizes and len(lines) + len(told) > room:
            break
        sizes.append(len(told))
        for place, line in enumerate(told):
            lines.append([(style("dim"), head if place == 0 else " " * len(head)), *line])
    return lines[:room], sizes


def fairness_lines(scene: Scene, width: int) -> Lines:
    """Why the game is fair, what was checked, and what nobody can prevent."""
    view, checks = scene.state.view, scene.state.view.checks
    lines = _text(scene, "fair.seeded", width, "bad") if view.seeded else []
    lines += _handshake(scene, width)
    lines += [line for code in ("intro", "locks", "one_honest") for line in _text(scene, f"fair.{code}", width)]
    everybody = scene.names(view.present if staying(view) else tuple(range(len(view.players))))
    lines += [*_text(scene, "fair.shuffled", width, names=everybody), []]
    lines += _text(scene, "fair.checked", width, "title")
    check = scene.glyphs.sign("check")
    kinds = ("signatures", "commitments", "shuffle_proofs", "shares", "opened_cards", "moves", "audited_shuffles")
    for kind in kinds:
        number, words = getattr(checks, kind), scene.say(f"fair.{kind}")
        if not number and kind in _checked_before(scene):
            count, words = (style("dim"), " " * (9 + len(check))), f"{words} {scene.say('fair.before')}"
        else:
            done = check if number else " " * len(check)
            count = (style("good" if number else "dim"), f"{number:>7} {done} ")
        lines.append([count, (style("note"), words)])
    lines += [[], *_text(scene, "fair.verdicts", width, "title")]
    lines += [] if view.results else _text(scene, "fair.no_rounds", width)
    for result in view.results:
        words = ", ".join(
            f"{scene.name(seat)} {_verdict_word(scene, verdict)}"
            for seat, verdict in enumerate(result.verdicts)
            if not result.sat_out(seat)
        )
        head = scene.say("fair.round", number=result.round_number)
        lines += wrap([(style("seat.facts"), f"{head}: "), (style("note"), words)], width)
    lines += _odds(scene, width)
    head = " ".join(view.head.hex()[at : at + 4] for at in range(0, 16, 4))
    lines += [[], *_text(scene, "fair.head", width, "seat.facts", step=view.step, head=head)]
    lines += [*_text(scene, "fair.same_head", width, "seat.facts"), [], *_text(scene, "fair.limits", width, "title")]
    for limit in ("talk", "bots", "leave", "pot"):
        for place, line in enumerate(wrap([(style("note"), scene.say(f"fair.limit.{limit}"))], width - 2)):
            lines.append([(style("dim"), scene.glyphs.sign("dot") + " " if place == 0 else "  "), *line])
    return lines


def _odds(scene: Scene, width: int) -> Lines:
    """How likely the cards are that people ask about, in a hand dealt by this rule card."""
    rules = scene.state.view.rules
    size, hand = rules.pack.size, rules.hand_size
    lines: Lines = [[], *_text(scene, "fair.odds", width, "title", hand=hand, size=size)]
    for name, marked in MARKED.items():
        count = copies(rules.pack, marked)
        for least in range(1, min(count, 2) + 1):
            chance = percent(at_least(least, count, hand, size), scene.glyphs.lang)
            lines.append(
                [(style("gold"), chance.rjust(7) + "   "), (style("note"), scene.say(f"rep.odds.{name}.{least}"))]
            )
    return lines


def _checked_before(scene: Scene) -> set[str]:
    """What has certainly been checked in this game: a count of nothing then means that it was before a restart."""
    view = scene.state.view
    shuffled = {"commitments", "shuffle_proofs"} if view.results or view.round is not None else set()
    audited = any(verdict in {0, 1, 2} for result in view.results for verdict in result.verdicts)
    return shuffled | ({"audited_shuffles"} if audited else set())


def _handshake(scene: Scene, width: int) -> Lines:
    """The three cards that everybody at this table sees, once they are known."""
    cards = scene.state.view.handshake
    if not cards:
        return []
    shown = scene.tell("fair.handshake", (("cards", Cards(tuple((face, None) for face in cards))),), style("title"))
    return [shown, *_text(scene, "fair.handshake_how", width), []]


def _help(scene: Scene, width: int) -> Lines:
    return help_lines(scene, key_groups(scene.state), width)


def help_lines(scene: Scene, groups: tuple[tuple[str, tuple[Bind, ...]], ...], width: int) -> Lines:
    """These keys, and what the signs on the screen mean."""
    lines: Lines = []
    for title, binds in groups:
        lines.append([(style("title"), scene.say(title))])
        lines += [line for bind in binds for line in _bind(scene, bind, width)]
        lines.append([])
    lines.append([(style("title"), scene.say("help.signs"))])
    for sign in ("turn", "new", "must", "joker"):
        lines.append(
            [
                (style("gold"), scene.glyphs.sign(sign).rjust(_KEYS) + "  "),
                (style("note"), scene.say(f"help.sign.{sign}")),
            ]
        )
    lines.append([(style("gold"), "#3".rjust(_KEYS) + "  "), (style("note"), scene.say("help.sign.meld"))])
    lines += [
        [("", " " * (_KEYS + 2)), (style("note"), scene.say(f"help.sign.{code}"))] for code in ("raised", "cursor")
    ]
    return lines


def _bind(scene: Scene, bind: Bind, width: int) -> Lines:
    names = key_word(scene, bind.shown) if bind.shown else " ".join(key_word(scene, key) for key in bind.keys)
    heads = [(style("gold"), names.rjust(_KEYS) + "  "), ("", " " * (_KEYS + 2))]
    words = _text(scene, bind.help, width - _KEYS - 2)
    return [[heads[place > 0], *line] for place, line in enumerate(words)]


_LINES: dict[Page, Callable[[Scene, int], Lines]] = {
    Page.POT: _pot,
    Page.SCORES: _scores,
    Page.RESULT: _result,
    Page.RULES: rule_lines,
    Page.FAIRNESS: fairness_lines,
    Page.HELP: _help,
    Page.TALK: talk_page,
}
