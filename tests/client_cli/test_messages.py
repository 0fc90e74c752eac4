"""Every sentence exists in both languages, and every code that the program says has a sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from client_cli import keys
from client_cli.messages import CATALOGUE, LANGUAGES, counted, facts_of, fault_code, known, sentence
from client_cli.theme import STYLE

ROOT = Path(__file__).parents[2]
NOTATION = ROOT / "tests" / "rules_cases" / "_notation.yaml"
REASONS = tuple(yaml.safe_load(NOTATION.read_text(encoding="utf-8"))["reason_codes"])
LAYERS = {code.partition(".")[0] for code in CATALOGUE if "." in code}
CODE = re.compile(r"[a-z_]+(\.[a-z_0-9/-]+)+")


def strings() -> set[str]:
    """Every string and every constant part of an f-string in the sources of the screen, the texts excepted."""
    return {
        node.value
        for path in (ROOT / "client_cli").rglob("*.py")
        if not {"texts", "commands"} & set(path.parts) and path.name != "__main__.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def literals() -> set[str]:
    """Every string in the sources that looks like a code of the catalogue and is no class of the theme."""
    found = {text for text in strings() if CODE.fullmatch(text) and text not in STYLE}
    return {code for code in found if code.partition(".")[0] in LAYERS}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_of_the_rules_has_a_sentence(code: str) -> None:
    """Each reason code is told in both languages, without any fact."""
    for lang in LANGUAGES:
        assert facts_of(CATALOGUE[code][LANGUAGES.index(lang)]) == ()
        assert sentence(code, lang).endswith(".")


def test_both_languages_are_complete_and_use_the_same_facts() -> None:
    """No sentence is empty, padded, or knows a fact that its translation does not."""
    for code, (dutch, english) in CATALOGUE.items():
        assert set(facts_of(dutch)) == set(facts_of(english)), code
        for text in (dutch, english):
            assert text, code
            assert code == "list.and" or text == text.strip(), code


def test_every_code_in_the_sources_has_a_sentence() -> None:
    """A code that the client says literally is in the catalogue, and such codes are found at all."""
    used = literals()

    assert len(used) > 100
    assert sorted(code for code in used if code not in CATALOGUE) == []


def test_no_sentence_is_without_use() -> None:
    """Each code of the catalogue is said literally, or begins with a part from which codes are put together."""
    said = strings()
    parts = tuple(text for text in said if text.endswith(".") and CODE.fullmatch(text + "x"))
    spare = [code for code in CATALOGUE if code not in said and code not in REASONS and not code.startswith(parts)]

    assert spare == []


def test_every_key_has_a_label_and_a_help_sentence() -> None:
    """The key line and the help page have words for every bind that they show."""
    for bind in keys.TABLE:
        assert bind.help in CATALOGUE
    shown = {label for group in keys.GROUPS for label in (group[0], *(bind.help for bind in group[1]))}
    assert shown <= set(CATALOGUE)


def test_unknown_codes_are_told_by_their_kind() -> None:
    """A code from a newer peer never breaks a sentence: layers are stripped, the rest is general."""
    assert known("rules/queen_discard") == "queen_discard"
    assert known("session/not-your-turn") == "not_your_turn"
    assert known("session/whatever") == "refused.other"
    assert fault_code("proof/V0") == "fault.proof"
    assert fault_code("log/equivocation") == "fault.log/equivocation"
    assert fault_code("log/head") == "fault.log"
    assert fault_code("martian/thing") == "fault.other"


def test_every_fault_prefix_of_the_protocol_has_its_own_sentence() -> None:
    """Codes that a signed entry can be blamed for in the sources are told more precisely than "something"."""
    prefixes: set[str] = set()
    for path in [*(ROOT / "protocol" / "session").glob("*.py"), *(ROOT / "protocol" / "crypto").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"PeerFault", "CryptoError", "Fault"}:
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str) and "/" in first.value:
                    prefixes.add(first.value.partition("/")[0])

    assert len(prefixes) > 4
    assert sorted(prefix for prefix in prefixes if f"fault.{prefix}" not in CATALOGUE) == []


def test_counts_agree_with_their_noun() -> None:
    """One card, two cards, in both languages."""
    assert counted("cards", "nl", 1) == "1 kaart"
    assert counted("cards", "nl", 0) == "0 kaarten"
    assert counted("points", "en", 1) == "1 point"
    assert counted("points", "en", 25) == "25 points"


def test_every_refusal_of_talk_has_a_sentence() -> None:
    """What the node may refuse to pass on is told in words of its own."""
    sources = ((ROOT / "node" / name).read_text(encoding="utf-8") for name in ("talk.py", "driver.py"))
    codes = {code for text in sources for code in re.findall(r'NotNow\("node/([a-z-]+)"', text)} - {"stopped"}

    assert {"not-so-fast", "paused"} <= codes
    assert sorted(c for c in codes if f"talk.no.{c}" not in CATALOGUE and f"node/{c}" not in CATALOGUE) == []
