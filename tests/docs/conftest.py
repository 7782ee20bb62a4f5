"""What tests of the documentation share."""

from __future__ import annotations

from pathlib import Path

import pytest
import reference
from reference_pages import json_keys

from tests.conftest import Printed, made_once


@pytest.fixture(scope="session", name="reference")
def _reference(tmp_path_factory: pytest.TempPathFactory, printed: list[Printed]) -> Path:
    """The reference, written anew: once for all processes that test side by side."""
    ran = [(one.arguments, one.output) for one in printed[: len(json_keys.RUNS)]]
    return made_once(tmp_path_factory, "reference", lambda out: reference.write(out, ran))
