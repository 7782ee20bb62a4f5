"""The server is killed in the middle of people's work, then started again: every acknowledged answer is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.studio_crash import crash

pytestmark = pytest.mark.postgres


def test_a_killed_server_loses_nothing(home: Path) -> None:
    """Ten people save and submit while all processes are killed; afterwards each save is there exactly once."""
    crashed = crash(home, os.environ.get("DATABASE_URL", ""), 10, before=60, in_all=160)
    assert crashed.failures == []
    assert 60 <= crashed.before < 160 <= crashed.saves
    assert (crashed.found.lost, crashed.found.doubled, crashed.found.beyond_overlap) == (0, 0, 0)
    # What was in flight when the server died was sent again with its key: nothing is there that nobody sent.
    assert crashed.found.revisions == crashed.saves
