"""The write-ahead journal of one seat at one table: one private SQLite file that a node can go on from after any crash.

It holds the genesis, our seat and signing seed, the one secret of the table (overwritten by its successor), the log and
how to find the table again. It knows nothing of what the entries mean. A connection holds the file's exclusive lock as
long as it lives, so that no two processes can speak for one seat. (POSIX locks fall when the process closes any other
descriptor of the file, so nothing else in a node may open a journal; `glimpse` keeps away from those this process has.)

Durability: what was appended before a `commit` survives a crash of the process and of the machine; what was appended
after the last `commit` may be lost, but only from its end and only whole batches.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from protocol.errors import DuizendenError
from protocol.session.outputs import KeepSecret, Record
from protocol.wire.limits import MAX_SEATS

from .filelock import shared
from .profile import sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")

FORMAT = 1
SUFFIX = ".journal"
SECRET_SIZE = 32
MAX_EPOCH = 2**31
"""Nobody opens a journal so often; a larger number is damage, and would not fit a heartbeat."""
_SPOILED = (sqlite3.Error, ValueError, TypeError, KeyError, OverflowError, RecursionError)
"""What reading contents can raise that we did not write."""


class JournalError(DuizendenError):
    """A journal cannot be used.

    Codes: `journal/busy` (another process plays it), `journal/damaged`, `journal/missing`, `journal/exists`,
    `journal/version`, `journal/write` (a full disk: nothing may be published any more).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """What never changes for this seat: agreed genesis, seat, signing seed and role (`host` or `joiner`)."""

    genesis: bytes
    seat: int
    seed: bytes = field(repr=False)
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Glimpse:
    """What a list shows of a journal that nobody plays now. `modified` is when it was last written (since 1970)."""

    info: GameInfo
    settings: Mapping[str, Any]
    modified: float


_open: set[tuple[int, int]] = set()
"""The journals that this process has open, by device and inode."""
_opening = threading.RLock()
"""Held while a journal is opened or looked into, so that a glimpse cannot drop the lock of one that is being opened."""

_SCHEMA = """
create table meta (key text primary key, value blob not null) without rowid;
create table secret (id integer primary key check (id = 1), round integer not null, value blob not null);
create table entries (n integer primary key, step integer not null, seat integer not null, frame blob not null);
"""


def kept_secret(secret: bytes | None) -> dict[str, str]:
    """The secret of a sealed table as a setting, for whoever resumes the game; nothing for an open one."""
    return {} if secret is None else {"secret": secret.hex()}


class Journal:
    """One open journal. Use from one thread at a time (any thread)."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._file = _identity(path)
        self._broken = False
        self._fold = False  # whether the next commit must fold the write-ahead log into the file
        self._info = self._read_info()
        self._settings = _settings_of(self._meta("settings"))
        self.epoch = _number(self._meta("epoch"), MAX_EPOCH) + 1
        """How often this journal was opened: rises with every life of the node."""
        self._put("epoch", str(self.epoch).encode())
        self._fold = True
        self.commit()
        _open.add(self._file)

    # ------------------------------------------------------------------ opening

    @classmethod
    def create(cls, path: Path, info: GameInfo, secret: bytes, settings: Mapping[str, Any] | None = None) -> Journal:
        """Make a new journal, durable before the return; what cannot be finished leaves no file.

        Raises JournalError `journal/exists` or `journal/write`, OSError when the folder takes no file.
        """
        with _opening:
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            except FileExistsError:
                raise JournalError("journal/exists", str(path)) from None
            try:
                return cls._fill(path, info, secret, settings or {})
            except BaseException:
                for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
                    path.with_name(name).unlink(missing_ok=True)
                raise

    @classmethod
    def _fill(cls, path: Path, info: GameInfo, secret: bytes, settings: Mapping[str, Any]) -> Journal:
        """Write the first contents into the empty file."""
        rows = {
            "format": str(FORMAT).encode(),
            "genesis": info.genesis,
            "seat": str(info.seat).encode(),
            "seed": info.seed,
            "role": info.role.encode(),
            "epoch": b"0",
            "settings": json.dumps(dict(settings)).encode(),
        }
        try:
            db = _connect(path)
            try:
                db.execute("begin immediate")
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    db.execute(statement)
                db.executemany("insert into meta values (?, ?)", list(rows.items()))
                db.execute("insert into secret values (1, 1, ?)", (secret,))
                db.execute("commit")
                sync_folder(path.parent)
                return cls(path, db)
            except BaseException:
                db.close()
                raise
        except sqlite3.Error as error:
            raise _explain(error, path) from error

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open a journal to go on with it.

        Raises JournalError `journal/missing`, `journal/busy`, `journal/damaged`, `journal/version` or `journal/write`.
        """
        if not path.is_file():
            raise JournalError("journal/missing", str(path))
        try:
            with _opening:
                db = _connect(path)
                try:
                    _check_format(db, path)
                    return cls(path, db)
                except BaseException:
                    db.close()
                    raise
        except _SPOILED as error:
            raise _explain(error, path) from None

    def close(self) -> None:
        """Commit, fold the write-ahead log into the file and release the lock. Closing twice does nothing."""
        try:
            if not self._broken:
                self.commit()
        except sqlite3.ProgrammingError:  # closed before
            return
        finally:
            with _opening:
                self._db.close()
                _open.discard(self._file)

    # ------------------------------------------------------------------ contents

    @property
    def info(self) -> GameInfo:
        """What never changes."""
        return self._info

    @property
    def settings(self) -> Mapping[str, Any]:
        """How to find and show the table again (plain JSON values; no secrets)."""
        return MappingProxyType(self._settings)

    @property
    def secret(self) -> tuple[int, bytes]:
        """The round from which the table's secret counts, and the secret. Raises JournalError `journal/damaged`."""
        with self._reading():
            number, value = self._db.execute("select round, value from secret").fetchone()
            if len(_typed(value, bytes)) != SECRET_SIZE:
                raise ValueError("length of the secret")
            return _typed(number, int), value

    def records(self) -> list[Record]:
        """The log as it was recorded, oldest first. Raises JournalError `journal/damaged`."""
        with self._reading():
            rows = self._db.execute("select step, seat, frame from entries order by n")
            return [Record(_typed(step, int), _typed(seat, int), _typed(frame, bytes)) for step, seat, frame in rows]

    # ------------------------------------------------------------------ writing

    def append(self, outputs: Iterable[Record | KeepSecret]) -> None:
        """Add these in order; durable with the next `commit`. Raises JournalError `journal/write`."""
        with self._writing():
            for output in outputs:
                self._begin()
                if isinstance(output, Record):
                    values = (output.step, output.seat, output.frame)
                    self._db.execute("insert into entries (step, seat, frame) values (?, ?, ?)", values)
                else:
                    self._db.execute("update secret set round = ?, value = ?", (output.round_number, output.secret))
                    self._fold = True

    def update_settings(self, **values: Any) -> None:
        """Change settings, durable at once and there for `glimpse`. Raises JournalError `journal/write`."""
        self._settings |= values
        with self._writing():
            self._put("settings", json.dumps(self._settings).encode())
        self._fold = True
        self.commit()

    def commit(self) -> None:
        """Make everything appended durable; after a change of the secret the files hold no copy of the old one.

        Raises JournalError `journal/write`.
        """
        with self._writing():
            if self._db.in_transaction:
                self._db.execute("commit")
            if self._fold:
                # secure_delete has zeroed the old value in the new page; the write-ahead log still has the old page
                self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
                self._fold = False

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:  # used after `close`: a mistake of ours
            raise
        except _SPOILED as error:
            raise _explain(error, self.path) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._broken:
            raise JournalError("journal/write", f"{self.path}: an earlier write failed")
        try:
            yield
        except sqlite3.ProgrammingError:  # used after `close`: a mistake of ours
            raise
        except sqlite3.Error as error:
            # what was appended is rolled back: going on would leave a hole in the log
            self._broken = True
            name = "damaged" if _primary(error) in _CORRUPT else "write"
            raise JournalError(f"journal/{name}", f"{self.path}: {error}") from error

    def _begin(self) -> None:
        if not self._db.in_transaction:
            self._db.execute("begin immediate")

    def _meta(self, key: str) -> bytes:
        return _meta(self._db, key)

    def _put(self, key: str, value: bytes) -> None:
        self._begin()
        self._db.execute("update meta set value = ? where key = ?", (value, key))

    def _read_info(self) -> GameInfo:
        return _info_of(self._meta)


def glimpse(path: Path) -> Glimpse:
    """Look into a journal without changing anything: for lists of games, not for playing.

    What cannot change and the settings are always in the file itself, so its write-ahead log, which a crash leaves
    behind and only opening folds in, is not needed. Raises JournalError as `Journal.open` does.
    """
    with _opening:
        try:
            if _identity(path) in _open:
                raise JournalError("journal/busy", str(path))
            log = path.with_name(f"{path.name}-wal")
            try:
                uri = f"{path.absolute().as_uri()}?immutable=1"
                with shared(path), closing(sqlite3.connect(uri, uri=True)) as db:
                    info, settings = _looked_at(db, path)
            except sqlite3.DatabaseError as error:
                # a disk that was full while the log was folded in leaves a file that is whole only with its log
                if _primary(error) not in _CORRUPT or not log.exists():
                    raise
                with closing(_connect(path)) as db:
                    info, settings = _looked_at(db, path)
        except FileNotFoundError:
            raise JournalError("journal/missing", str(path)) from None
        except BlockingIOError:
            raise JournalError("journal/busy", str(path)) from None
        except _SPOILED as error:
            raise _explain(error, path) from None
        modified = max(p.stat().st_mtime for p in (path, log) if p.exists())
    return Glimpse(info=info, settings=MappingProxyType(settings), modified=modified)


def _looked_at(db: sqlite3.Connection, path: Path) -> tuple[GameInfo, dict[str, Any]]:
    _check_format(db, path)
    return _info_of(lambda key: _meta(db, key)), _settings_of(_meta(db, "settings"))


def _identity(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_dev, stat.st_ino


def _meta(db: sqlite3.Connection, key: str) -> bytes:
    row = db.execute("select value from meta where key = ?", (key,)).fetchone()
    if row is None:
        raise KeyError(key)
    return _typed(row[0], bytes)


def _typed(value: object, kind: type[T]) -> T:
    """A value as we once wrote it: SQLite keeps any type in any column."""
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} instead of {kind.__name__}")
    return value


def _number(text: bytes, most: int) -> int:
    number = int(text)
    if not 0 <= number <= most:
        raise ValueError(f"number {number}")
    return number


def _settings_of(text: bytes) -> dict[str, Any]:
    return _typed(json.loads(text), dict)


def _info_of(meta: Callable[[str], bytes]) -> GameInfo:
    seat = _number(meta("seat"), MAX_SEATS - 1)
    return GameInfo(genesis=meta("genesis"), seat=seat, seed=meta("seed"), role=meta("role").decode())


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)
    try:
        # exclusive first: with it the write-ahead log needs no shared-memory file, and the lock is kept until close
        for pragma in ("locking_mode = exclusive", "journal_mode = wal", "synchronous = full", "secure_delete = on"):
            db.execute(f"pragma {pragma}").fetchall()
        db.execute("begin immediate")
        db.execute("commit")
    except BaseException:
        db.close()
        raise
    return db


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    row = db.execute("select value from meta where key = 'format'").fetchone()
    if row is None or int(_typed(row[0], bytes)) != FORMAT:
        raise JournalError("journal/version", str(path))


_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_DISK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def _primary(error: Exception) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF  # the extended codes have the primary one in their last byte


def _explain(error: Exception, path: Path) -> JournalError:
    """The error by who is to blame: another process, the disk, or the contents."""
    primary = _primary(error)
    name = "busy" if primary in _BUSY else "write" if primary in _DISK else "damaged"
    return JournalError(f"journal/{name}", f"{path}: {error}")
