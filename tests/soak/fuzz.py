"""Coverage-guided fuzzing of every decoder: `python tests/soak/fuzz.py --minutes 30`, or `--target NAME [FILE..]`.

Needs atheris, which is no dependency of the project: `python -m pip install atheris` (Linux and macOS). Each target of
targets.py runs in a process of its own with bounded memory and time per input, from its own examples. Prints how many
inputs each was given; ends with 1 when one raised anything but a typed error, was slow or took too much memory: the
input is kept, and `--target NAME FILE` tries it again.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

MEGABYTES = 1_024
"""Memory that a process may take: the project with its libraries takes some 150."""
SECONDS = 10
"""What one input may take."""


def fuzz_one(name: str, arguments: list[str]) -> None:
    """Give one target to the fuzzer; never returns."""
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with atheris.instrument_imports(include=["protocol", "node"]):
        from tests.soak.targets import TARGETS
    target = TARGETS[name]
    for data in target.seeds():  # what is computed once is no leak
        target.take(data)

    def take(data: bytes) -> None:
        target.take(bytes(data))

    atheris.Setup([sys.argv[0], *arguments], take)
    atheris.Fuzz()


def run(name: str, seconds: int, work: Path) -> tuple[int, bool]:
    """Fuzz one target for so long in a process of its own: inputs tried, and whether all was well."""
    from tests.soak.targets import TARGETS

    target, corpus = TARGETS[name], work / name
    corpus.mkdir()
    for number, data in enumerate(target.seeds()):
        (corpus / f"seed{number}").write_bytes(data)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={target.size}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={work / name}-",
        "-print_final_stats=1",
        "-verbosity=1",
        str(corpus),
    ]
    command = [sys.executable, __file__, "--target", name, "--", *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    tried = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
    if done.returncode:
        sys.stdout.write(done.stdout[-4_000:] + done.stderr[-4_000:])
    return (int(tried[1]) if tried else 0), done.returncode == 0


def main() -> int:
    """Fuzz target after target and report."""
    parser = argparse.ArgumentParser(description="Fuzz every decoder, guided by coverage.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, over all targets")
    parser.add_argument("--target", help="this one alone, with the rest as arguments for libFuzzer (files, options)")
    parser.add_argument("rest", nargs="*")
    asked = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        sys.stderr.write("fuzzing needs atheris: python -m pip install atheris\n")
        return 2
    if asked.target is not None and asked.rest:
        fuzz_one(asked.target, asked.rest)
    from tests.soak.targets import TARGETS

    names = [asked.target] if asked.target is not None else list(TARGETS)
    work = Path(tempfile.mkdtemp(prefix="fuzz-"))
    tried: dict[str, int] = {}
    failed: list[str] = []
    for name in names:
        tried[name], well = run(name, max(1, round(60 * asked.minutes / len(names))), work)
        failed += [] if well else [name]
        sys.stdout.write(f"{name:<16}{tried[name]:>10} inputs  {'ok' if well else f'FAILED, see {work}'}\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps({"inputs": sum(tried.values()), "targets": tried, "failed": failed}) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
