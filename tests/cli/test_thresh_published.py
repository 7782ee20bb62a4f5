"""Published templates and data files, as far as RUBRICA_DATA has them: each comes out byte for byte.

Run it with ``RUBRICA_DATA=folder pytest tests/cli/test_thresh_published.py -rs``; the folder has ``thresh/NAME.yml``
and ``thresh/NAME.json`` (or ``NAME_<number>.json``, a part of it). Nothing of them is in this repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
FOLDER = Path(os.environ.get("RUBRICA_DATA", "")) / "thresh" if os.environ.get("RUBRICA_DATA") else None
FILES = sorted(FOLDER.glob("*.json")) if FOLDER else []
published = pytest.mark.skipif(not FILES, reason="RUBRICA_DATA names no folder with published Thresh files")


def template_of(data: Path) -> Path:
    """The template of a data file."""
    return data.with_name(re.sub(r"_\d+$", "", data.stem) + ".yml")


@published
@pytest.mark.parametrize("data", FILES, ids=lambda data: data.stem)
def test_published_thresh_files_come_out_byte_for_byte(rubrica: Rubrica, tmp_path: Path, data: Path) -> None:
    """Template to protocol, file to study, study to file: the same bytes, without an option."""
    protocol, out = tmp_path / "imported.yaml", tmp_path / "out.json"
    assert rubrica("protocols", "import-thresh", template_of(data), "-o", protocol).code == 0
    assert rubrica("protocols", "check", protocol).code == 0
    assert rubrica("study", "new", "s", "--protocol", protocol).code == 0
    assert rubrica("import", "s", data, "--format", "thresh").code == 0
    assert rubrica("export", "s", "--format", "thresh", "-o", out).code == 0
    assert out.read_bytes() == data.read_bytes()


@published
def test_published_salsa_files_fit_our_own_salsa(rubrica: Rubrica, tmp_path: Path) -> None:
    """A SALSA file goes into a study of our own protocol and comes out the same."""
    found = [data for data in FILES if data.stem.startswith("salsa")]
    if not found:
        pytest.skip("RUBRICA_DATA has no SALSA file")
    assert rubrica("study", "new", "s", "--protocol", "salsa").code == 0
    assert rubrica("import", "s", found[0], "--format", "thresh").code == 0
    assert rubrica("export", "s", "--format", "thresh", "-o", tmp_path / "out.json").code == 0
    assert (tmp_path / "out.json").read_bytes() == found[0].read_bytes()
