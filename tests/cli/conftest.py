"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def configured(migrated: Path) -> None:
    """Django is configured once in a process: as the studio needs it, before a command opens a home of its own."""
