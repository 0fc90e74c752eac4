"""The parts that both reports share: the page itself, the verdict, the checks, the odds, cards and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from client_cli.glyphs import Glyphs
from client_cli.messages import counted, fault_code, sentence
from client_cli.verdict import was_broken_off
from protocol.rules.cards import JOKER, QUEEN_OF_SPADES, suit
from protocol.rules.ruleset import RuleSet
from protocol.rules.state import Meld
from protocol.session.verify import Verdict
from protocol.session.view import Checks

from .facts import Deal
from .markup import Child, Html, tag
from .odds import MARKED, at_least, copies, percent

STYLE = files(__package__) / "report.css"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The page may load nothing from anywhere."""


@cache
def _style() -> str:
    return STYLE.read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Writer:
    """Words, cards and numbers of one language."""

    lang: str

    def say(self, code: str, /, **facts: object) -> str:
        """The sentence of this code."""
        return sentence(code, self.lang, **facts)

    def card(self, face: int) -> Html:
        """One card as a small sheet."""
        return tag("span", Glyphs(self.lang).card(face), class_=_look(face))

    def meld(self, meld: Meld) -> Html:
        """A meld; a joker in it with what it stands for."""
        said = Glyphs(self.lang).meld_card
        return tag("span", [tag("span", said(c), class_=_look(c.face)) for c in meld.cards], class_="cards meld")

    def cards(self, faces: Iterable[int]) -> Html:
        """Cards in a row."""
        return tag("span", [self.card(face) for face in faces], class_="cards")

    def number(self, value: int) -> str:
        """A whole number with a real minus sign."""
        return Glyphs(self.lang).number(value)

    def decimal(self, text: str) -> str:
        """A decimal fraction with the mark of the language."""
        return text.replace(".", ",") if self.lang == "nl" else text

    def percent(self, share: float) -> str:
        """A probability with one decimal."""
        return percent(share, self.lang)

    def rounds(self, count: int) -> str:
        """So many rounds."""
        return counted("rounds", self.lang, count)


def _look(face: int) -> str:
    if face == JOKER:
        return "joker"
    return "lady" if face == QUEEN_OF_SPADES else "red" if suit(face) in {1, 2} else "black"


def page(writer: Writer, title: str, *body: Child) -> str:
    """The whole document."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(_style())),
    )
    return "<!doctype html>\n" + tag("html", head, tag("body", *body), lang=writer.lang) + "\n"


def banner(kind: str, words: str, *more: Child) -> Html:
    """The verdict: `kind` is good, bad or wait."""
    sign = {"good": "✓", "bad": "✗", "wait": "…"}[kind]
    return tag(
        "div",
        tag("b", sign),
        tag("div", tag("p", words), [tag("p", m, class_="soft") for m in more]),
        class_=f"verdict {kind}",
    )


def verdict_of(writer: Writer, verdict: Verdict) -> tuple[str, str]:
    """What kind of verdict this is, and its sentence."""
    names = [player.name for player in verdict.genesis.players]
    rounds = writer.rounds(len(verdict.results))
    fault = verdict.fault
    if fault is not None:
        if fault.seat is None or not fault.names:
            return "bad", writer.say("rep.changed")
        return "bad", writer.say("rep.fault", name=names[fault.seat], what=writer.say(fault_code(fault.code)))
    if not verdict.complete:
        return "wait", writer.say("rep.prefix", rounds=rounds)
    if verdict.departed:
        code = "rep.departed" if was_broken_off(verdict) else "rep.departed.on"
        return "good", writer.say(code, names=", ".join(names[seat] for seat in verdict.departed), rounds=rounds)
    return "good", writer.say("rep.ok", rounds=rounds)


def checks(writer: Writer, counts: Sequence[Checks]) -> Html:
    """Every check and how often it was made."""
    summed: dict[str, int] = {}
    for one in counts:
        for name, count in asdict(one).items():
            summed[name] = summed.get(name, 0) + count
    rows = [
        tag("tr", tag("td", str(count), class_="n"), tag("td", writer.say(f"rep.check.{name}")))
        for name, count in summed.items()
    ]
    return tag(
        "section",
        tag("h2", writer.say("rep.checks")),
        tag("p", writer.say("rep.checks.about"), class_="soft"),
        tag("table", tag("tbody", rows)),
    )


def odds(writer: Writer, rules: RuleSet, deals: Sequence[Deal]) -> Html:
    """The odds of a hand under this rule card, and how often it happened in these deals."""
    size, hand = rules.pack.size, rules.hand_size
    hands = [one for deal in deals for one in deal.hands if one]
    rows = []
    for name, marked in MARKED.items():
        count = copies(rules.pack, marked)
        for least in (1, 2):
            if count < least:
                continue
            seen = sum(sum(map(marked, one)) >= least for one in hands)
            rows.append(
                tag(
                    "tr",
                    tag("td", writer.say(f"rep.odds.{name}.{least}")),
                    tag("td", writer.percent(at_least(least, count, hand, size)), class_="n"),
                    tag("td", writer.say("rep.odds.of", seen=seen, hands=len(hands)), class_="n"),
                )
            )
    heads = [
        tag("th", writer.say("rep.odds.what")),
        tag("th", writer.say("rep.odds.chance"), class_="n"),
        tag("th", writer.say("rep.odds.seen"), class_="n"),
    ]
    return tag(
        "section",
        tag("h2", writer.say("rep.odds")),
        tag("p", writer.say("rep.odds.about", hand=hand, size=size), class_="soft"),
        tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows)),
    )
