"""Every sentence of the lobby by its code: its own texts, then those of the command line, then those of the table."""

from __future__ import annotations

from collections.abc import Mapping

from client_cli.commands.words import WORDS
from client_cli.messages import CATALOGUE, LANGUAGES, known
from client_cli.texts.doctor import DOCTOR
from client_cli.texts.lobby import LOBBY
from client_cli.texts.lobby_settings import SETTING

OWN: Mapping[str, tuple[str, str]] = {**LOBBY, **SETTING, **DOCTOR}
"""The texts that only the lobby and the doctor have."""


def say(code: str, lang: str, /, **facts: object) -> str:
    """The sentence of this code. An unknown code becomes the general sentence of the table's catalogue."""
    found = OWN.get(code) or WORDS.get(code) or CATALOGUE[known(code)]
    return found[LANGUAGES.index(lang)].format(**facts)


def knows(code: str) -> bool:
    """Whether there is a sentence for this very code."""
    return code in OWN or code in WORDS or code in CATALOGUE
