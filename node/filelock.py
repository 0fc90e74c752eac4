"""Whether another process has an SQLite database locked, asked without opening it as a database (which may write).

SQLite locks bytes at fixed places far behind any content: whoever reads shares the byte below, and whoever keeps a
database for itself has it exclusively (https://www.sqlite.org/fileformat2.html, "The Lock-Byte Page").
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHARED_BYTE = 0x4000_0002


@contextmanager
def shared(path: Path) -> Iterator[None]:
    """Read a database file that nobody can take for itself meanwhile. The calling process must not have it open.

    Raises BlockingIOError when another process has it for itself, FileNotFoundError or another OSError when it cannot
    be read.
    """
    with path.open("rb") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(SHARED_BYTE)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBRLCK, 1)
            except OSError:
                raise BlockingIOError(str(path)) from None
            file.seek(SHARED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # a lock there would keep SQLite itself from reading
        else:
            import fcntl

            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, SHARED_BYTE)
            except (BlockingIOError, PermissionError):  # POSIX allows either
                raise BlockingIOError(str(path)) from None
        yield
