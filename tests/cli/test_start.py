"""The command line starts at once: what a command needs is loaded when it runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.any_database

HEAVY = ("attr", "django", "numpy", "polars", "pydantic", "rich.console", "rubrica.core.protocol", "scipy", "spacy")


def test_help_loads_nothing_heavy() -> None:
    """Neither our own data model nor a library but typer is loaded before a command is known."""
    code = f"import sys, rubrica.cli.main; print([name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert loaded.strip() == "[]"
