"""The specification is up to date with the code it is generated from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_generated_parts_of_the_specification_are_current() -> None:
    """`make spec` would change nothing."""
    done = subprocess.run(
        [sys.executable, ROOT / "spec" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "")


def test_no_link_in_the_specification_is_broken() -> None:
    """Every relative link of the specification and the README leads to a file."""
    pages = [ROOT / "README.md", *(ROOT / "spec").rglob("*.md")]
    for page in pages:
        if "node_modules" in page.parts:
            continue
        for part in page.read_text(encoding="utf-8").split("](")[1:]:
            target = part.split(")")[0].split("#")[0]
            if target and "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
