"""Every sentence of the program by its code: `sentence("pot_empty", "nl")`.

Reason codes of the rules stand bare (`pot_empty`), everything else has a layer (`turn.yours`, `fault.proof`,
`key.stock`). Unknown codes never crash a screen: they become a plain sentence that shows the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from .texts.advice import ADVICE
from .texts.beside import BESIDE
from .texts.faults import FAULTS
from .texts.linear import LINEAR
from .texts.pages import PAGES
from .texts.reasons import REASONS
from .texts.replay import REPLAY
from .texts.report import REPORT
from .texts.rulecard import RULE_CARD
from .texts.screen import SCREEN
from .texts.talk import TALK

LANGUAGES = ("nl", "en")
CATALOGUE: Mapping[str, tuple[str, str]] = {
    **REASONS,
    **{f"advice.{code}": words for code, words in ADVICE.items()},
    **FAULTS,
    **SCREEN,
    **BESIDE,
    **TALK,
    **PAGES,
    **REPLAY,
    **REPORT,
    **RULE_CARD,
    **LINEAR,
}
"""Code -> (Dutch, English)."""


def template(code: str, lang: str) -> str:
    """The sentence with its `{facts}` still open.

    Raises KeyError for a code that is not in the catalogue, ValueError for an unknown language.
    """
    return CATALOGUE[code][LANGUAGES.index(lang)]


def facts_of(text: str) -> tuple[str, ...]:
    """The names of the facts that a template wants, in order of appearance."""
    return tuple(name for _, name, _, _ in Formatter().parse(text) if name)


def sentence(code: str, lang: str, **facts: object) -> str:
    """The sentence for this code; an unknown code gets the sentence of its kind (see `known`).

    Raises KeyError for a fact that the sentence wants and is not given.
    """
    return template(known(code), lang).format(**facts)


def known(code: str) -> str:
    """The code itself if the catalogue has it, else the code of the general sentence for its kind.

    `rules/queen_discard` is the reason `queen_discard`; anything else that is unknown is `refused.other`.
    """
    if code in CATALOGUE:
        return code
    tail = code.rpartition("/")[2].replace("-", "_")
    return tail if tail in REASONS else "refused.other"


def fault_code(code: str) -> str:
    """The catalogue code of the sentence about a peer's fault: of this very code, else of the part before the slash."""
    for wanted in (f"fault.{code}", f"fault.{code.partition('/')[0]}"):
        if wanted in CATALOGUE:
            return wanted
    return "fault.other"


def counted(code: str, lang: str, count: int) -> str:
    """A number with its noun in the right number: `counted("cards", "nl", 1)` is "1 kaart"."""
    return sentence(f"one.{code}" if count == 1 else f"many.{code}", lang, count=count)
