"""Add the games of this version to spec/corpus: played by real nodes over the embedded broker, with true secrets.

Usage: python tests/vectors/corpus.py [--anew]

Refuses a folder that exists: what a released version wrote stays for ever. `--anew` is for a version not released yet.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from node.selfplay import SelfplayConfig, selfplay  # noqa: E402 - run as a script from anywhere
from protocol.rules.ruleset import for_players, preset  # noqa: E402
from protocol.session.gamefile import SUFFIX  # noqa: E402
from protocol.wire.entry import VERSION  # noqa: E402

CORPUS = ROOT / "spec" / "corpus"
GAMES = (("spelregelwijzer", 3, 2), ("klassiek", 4, 1), ("modern", 2, 1))
"""Preset, seats and rounds of each game."""


async def play(name: str, seats: int, rounds: int, into: Path) -> dict[str, object]:
    """Play a game, keep its file, and give what is to be remembered of it."""
    with tempfile.TemporaryDirectory() as folder:
        rules = for_players(preset(name), seats)
        config = SelfplayConfig(players=seats, rules=rules, rules_name=name, max_rounds=rounds, out=Path(folder))
        result = await selfplay(config)
        if not result.ok:
            raise RuntimeError(f"{name}: {result.faults}")
        data = (Path(folder) / result.files[0]).read_bytes()
    (into / f"{name}-{seats}{SUFFIX}").write_bytes(data)
    return {"sha256": hashlib.sha256(data).hexdigest(), "head": result.heads[0], "scores": list(result.scores)}


def main() -> int:
    """Write the folder of this version; exit code 1 when it is there already."""
    folder = CORPUS / version("duizenden")
    if folder.exists():
        if "--anew" not in sys.argv:
            print("there already:", folder)
            return 1
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    games = {f"{name}-{n}": asyncio.run(play(name, n, rounds, folder)) for name, n, rounds in GAMES}
    written = {"version": version("duizenden"), "protocol": VERSION, "games": games}
    (folder / "games.json").write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
