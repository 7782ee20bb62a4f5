"""Models that come with Rubrica: whole, licensed, and refused if anything changed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.language.models import FOLDER, MODEL, pack, unpacked


def test_what_is_packed_comes_out_again(tmp_path: Path) -> None:
    """And says how large it is."""
    size = pack("small", b"weights" * 1000, tmp_path)
    assert size == (tmp_path / "small" / MODEL).stat().st_size < 7000
    assert unpacked("small", tmp_path) == b"weights" * 1000


def test_a_model_that_was_changed_is_refused(tmp_path: Path) -> None:
    """Nothing of it is unpacked."""
    pack("small", b"weights", tmp_path)
    packed = bytearray((tmp_path / "small" / MODEL).read_bytes())
    packed[-1] ^= 1
    (tmp_path / "small" / MODEL).write_bytes(packed)
    with pytest.raises(InputError, match=r"'small' is not the one.*Install Rubrica again"):
        unpacked("small", tmp_path)


def test_each_model_has_a_licence_a_card_and_a_checksum_that_holds() -> None:
    """A folder without any of them is no model to ship."""
    folders = [path for path in FOLDER.iterdir() if (path / MODEL).is_file()]
    assert folders
    for folder in folders:
        assert "Attribution-ShareAlike 4.0" in (folder / "LICENSE").read_text(encoding="utf-8")
        assert "How it was made" in (folder / "README.md").read_text(encoding="utf-8")
        assert unpacked(folder.name)
