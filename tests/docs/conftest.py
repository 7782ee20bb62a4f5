"""What tests of the documentation share."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference, written anew: once for all processes that test side by side."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    out = shared / "reference"
    with (shared / "reference.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            subprocess.run([sys.executable, DOCS / "reference.py", "--out", out], check=True, cwd=ROOT)
    return out
