"""The counter of code lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[1] / "tools/code_lines.py"

MODULE = '''"""Why it exists.

At length.
"""

from __future__ import annotations

import os  # an import


LIMIT = 3
"""What it is for."""


def work(
    one: int,
) -> int:
    """What it does."""
    import sys

    # a comment
    text = """two
lines"""
    return one + len(text)
'''


def test_code_is_counted_and_what_explains_it_is_not(tmp_path: Path) -> None:
    """Blank lines, comments, docstrings, imports and migrations are left out; a string of several lines is code."""
    (tmp_path / "migrations").mkdir()
    (tmp_path / "migrations/0001_initial.py").write_text("a = 1\n")
    (tmp_path / "module.py").write_text(MODULE)
    told = subprocess.run([sys.executable, TOOL, "--each", tmp_path], capture_output=True, text=True, check=True).stdout
    assert [line.split() for line in told.splitlines()] == [
        ["8", str(tmp_path / "module.py")],  # LIMIT and its string, three lines of def, two of text, return
        ["8", str(tmp_path)],
    ]
