"""Finding a protocol: by id, by file, and what to try when there is none."""

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.protocols.catalog import find, load_shipped, shipped
from tests.protocols.sample import SAMPLE


def test_eleven_protocols_ship() -> None:
    """The ten rubrics of the five documents and the field's common one are there, in alphabetical order."""
    assert shipped() == [
        "adequacy_fluency", "breve", "claro", "lexical_complexity", "lexical_posthoc", "lexical_simplification",
        "quality", "salsa", "split_patterns", "split_rate", "split_rewrite",
    ]  # fmt: skip


def test_finds_by_id_and_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id means the shipped protocol; a file of that name wins over it."""
    monkeypatch.chdir(tmp_path)
    assert find("breve") is load_shipped("breve")
    Path("breve").write_text(SAMPLE, encoding="utf-8")
    assert find("breve").protocol.id == "sample"


def test_a_folder_that_is_no_protocol_does_not_hide_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that happens to be called like a protocol, for instance with its sheets, is not taken for it."""
    monkeypatch.chdir(tmp_path)
    Path("breve").mkdir()
    assert find("breve").protocol.id == "breve"
    (Path("breve") / "protocol.yaml").write_text(SAMPLE, encoding="utf-8")
    assert find("breve").protocol.id == "sample"


@pytest.mark.parametrize(
    ("name", "fix"), [("brev", "Did you mean 'breve'?"), ("zzz", "Use a file, or one of adequacy")]
)
def test_an_unknown_protocol_gets_a_suggestion(name: str, fix: str) -> None:
    """A name that is neither an id nor a file is refused with the nearest id, or all of them."""
    with pytest.raises(InputError) as caught:
        find(name)
    assert caught.value.problems[0].rule == "unknown_protocol"
    assert caught.value.problems[0].fix.startswith(fix)
