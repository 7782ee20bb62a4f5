"""The server is killed in the middle of people's work, then started again: every acknowledged answer is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.studio_crash import crash
from tests.length import either

pytestmark = pytest.mark.postgres


def test_a_killed_server_loses_nothing(home: Path) -> None:
    """People save and submit while all processes are killed; afterwards each save is there exactly once."""
    people, before, in_all = either((5, 30, 80), (10, 60, 160))
    crashed = crash(home, os.environ.get("DATABASE_URL", ""), people, before=before, in_all=in_all)
    assert crashed.failures == []
    assert before <= crashed.before < in_all <= crashed.saves
    assert (crashed.found.lost, crashed.found.doubled, crashed.found.beyond_overlap) == (0, 0, 0)
    # What was in flight when the server died was sent again with its key: nothing is there that nobody sent.
    assert crashed.found.revisions == crashed.saves
