"""What tests of the documentation share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import made_once
from tests.docs.pages import DOCS, ROOT


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference, written anew: once for all processes that test side by side."""

    def write(out: Path) -> None:
        subprocess.run([sys.executable, DOCS / "reference.py", "--out", out], check=True, cwd=ROOT)

    return made_once(tmp_path_factory, "reference", write)
