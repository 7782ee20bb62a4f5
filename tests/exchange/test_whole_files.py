"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.exchange.whole_files import whole_file


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    """While it is written, the older one stands under its name."""
    target = tmp_path / "export.csv"
    target.write_text("older")
    with whole_file(target) as stream:
        stream.write(b"newer")
        assert target.read_text() == "older"
    assert target.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [target]


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """An error in the middle leaves the older file, and nothing beside it."""
    target = tmp_path / "export.csv"
    target.write_text("older")

    def fail_half_way() -> None:
        with whole_file(target) as stream:
            stream.write(b"half")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail_half_way()
    assert target.read_text() == "older"
    assert list(tmp_path.iterdir()) == [target]


def test_two_at_once_do_not_mix(tmp_path: Path) -> None:
    """Whoever ends last has the name, with a file of their own."""
    target = tmp_path / "catalogue.mo"
    with whole_file(target) as one:
        one.write(b"first")
        with whole_file(target) as two:
            two.write(b"second")
        assert target.read_bytes() == b"second"
    assert target.read_bytes() == b"first"
