"""Who plays on this machine and where the files are: name and folders.

Everything private is created with mode 0600 in folders with mode 0700. The environment variable DUIZENDEN_HOME moves
all folders together (tests, several players on one machine).
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import re
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from protocol.wire.limits import MAX_NAME
from protocol.wire.text import is_plain

APP = "duizenden"
NAME_LENGTH = 20
"""Longest name in characters; always within MAX_NAME bytes after `clean_name`."""
MAX_MARKS = 2
"""Combining marks in a row that a name may have, once composed: no language needs more."""

_CONTROL_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, the cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and their like
    r"|\x1b[ -/]*[0-~]"  # the short ones
)


def private_folder(path: Path) -> Path:
    """Create a folder that only this user can enter, with its parents, and return it."""
    if not path.exists():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
    return path


def write_private(path: Path, data: bytes) -> None:
    """Replace a file by these bytes, whole or not at all, readable by this user only.

    After the return they survive a power cut.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600 from the start
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make a rename or a new file in this folder durable, where the system has that notion."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_mark(char: str) -> bool:
    """Whether this character is drawn on the one before it."""
    return unicodedata.category(char).startswith("M")


def marks_pile_up(text: str) -> bool:
    """Whether a letter of this text carries more marks than a name may have (`clean_name` would drop some)."""
    composed = unicodedata.normalize("NFC", text)
    return any(all(map(is_mark, composed[i : i + MAX_MARKS + 1])) for i in range(len(composed) - MAX_MARKS))


def clean_name(text: str) -> str:
    """A name fit for the table: `clean_text` of at most NAME_LENGTH characters; may be empty."""
    return clean_text(text, NAME_LENGTH, MAX_NAME)


def clean_text(text: str, length: int, size: int) -> str:
    """A line fit for other people's screens: printable, single spaces, within so many characters and bytes (N1).

    It may be empty. A control sequence of a terminal goes whole: what it leaves behind would be no part of what was
    meant. No letter keeps more than MAX_MARKS marks, which would grow over the lines around it, and no mark stands
    alone.
    """
    bare = _CONTROL_SEQUENCE.sub("", text)
    bare = "".join(
        char for char in bare if is_plain(char) or not is_mark(char)
    )  # they would keep letters from composing
    flat = ""
    for char in unicodedata.normalize("NFC", bare):
        if not is_mark(char):
            flat += char if char.isprintable() and is_plain(char) else " "
        elif flat[-1:].strip() and not all(map(is_mark, flat[-MAX_MARKS:])):
            flat += char
    line = " ".join(flat.split())[:length].strip()
    while len(line.encode()) > size:
        line = line[:-1].strip()
    return line


def default_name() -> str:
    """The login name with a capital, or a word for a player where there is none."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError):  # no such user in the password database (containers); OSError from Python 3.13
        login = ""
    name = clean_name(login)
    return name[:1].upper() + name[1:] if name else "Speler"


def app_version() -> str:
    """The version of this program, for people to compare; it decides nothing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(APP)
    except PackageNotFoundError:  # run from a folder that was never installed
        return "0"


@dataclass(frozen=True, slots=True)
class Profile:
    """The folders of one user. Nothing is created before it is needed."""

    data: Path
    logs: Path

    @property
    def games(self) -> Path:
        """The journals, one file a game and seat."""
        return private_folder(self.data / "games")

    @property
    def records(self) -> Path:
        """The game files (`*.duizenden`) that people may pass on."""
        return private_folder(self.data / "records")

    def name(self) -> str:
        """The name used last, or one made from the login name."""
        return clean_name(str(self._settings().get("name", ""))) or default_name()

    def remember(self, **values: str) -> None:
        """Keep settings (`name`, `broker`) for the next time."""
        private_folder(self.data)
        write_private(self._settings_file, json.dumps(self._settings() | values, ensure_ascii=False).encode())

    def recall(self, key: str) -> str | None:
        """A setting kept by `remember`."""
        value = self._settings().get(key)
        return value if isinstance(value, str) else None

    @property
    def _settings_file(self) -> Path:
        return self.data / "settings.json"

    def _settings(self) -> dict[str, object]:
        try:
            value = json.loads(self._settings_file.read_bytes())
        except (OSError, ValueError):
            return {}  # never written, or damaged: settings are a convenience and are simply made again
        return value if isinstance(value, dict) else {}


def load_profile() -> Profile:
    """The profile of this user: DUIZENDEN_HOME if set, else the system's usual folders."""
    home = os.environ.get("DUIZENDEN_HOME")
    if home:
        return Profile(data=Path(home), logs=Path(home) / "log")
    dirs = platformdirs.PlatformDirs(APP, appauthor=False)
    return Profile(data=Path(dirs.user_data_dir), logs=Path(dirs.user_log_dir))
