"""Test sets as their authors name the files."""

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.text_lines import read_test_set


def touched(folder: Path, *names: str) -> Path:
    """A folder with files of these names."""
    for name in names:
        (folder / name).write_text("A line.\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("source", "references"),
    [
        ("test.truecase.detok.orig", [f"test.truecase.detok.simp.{number}" for number in range(8)]),
        ("asset.test.orig", [f"asset.test.simp.{number}" for number in range(11)]),
        ("hsplit.tok.src", [f"hsplit.tok.{number}" for number in range(1, 5)]),
        ("test.8turkers.tok.norm", [f"test.8turkers.tok.turk.{number}" for number in range(8)]),
        ("news.src.txt", ["news.ref.txt"]),
    ],
)
def test_sources_and_references_are_found(tmp_path: Path, source: str, references: list[str]) -> None:
    """TurkCorpus, ASSET, HSplit, the tokenised TurkCorpus, and a set with one reference; numbers are in order."""
    found = read_test_set(touched(tmp_path, source, *references, "other.txt", "system"))
    assert found.source.name == source
    assert [path.name for path in found.references] == references


def test_several_sets_need_a_name(tmp_path: Path) -> None:
    """As in a folder with a part for tuning and a part for testing."""
    folder = touched(tmp_path, "valid.orig", "valid.simp.0", "test.orig", "test.simp.0")
    with pytest.raises(InputError, match="of test, valid"):
        read_test_set(folder)
    assert [path.name for path in read_test_set(folder, "test").references] == ["test.simp.0"]


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    """Without sources, and without references: each with how files are named."""
    with pytest.raises(InputError, match="no sources"):
        read_test_set(touched(tmp_path, "system"))
    with pytest.raises(InputError, match="no references"):
        read_test_set(touched(tmp_path, "test.orig"))
