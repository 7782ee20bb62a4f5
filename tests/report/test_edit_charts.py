"""The two charts: their numbers by hand, their files, and what happens without the libraries."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.edits.summary import summarise_by
from rubrica.report.edit_comparison import chart_rows, write_charts
from tests.edits.pairs import typology
from tests.edits.test_summary import PAIRS


def test_rows_count_edits_where_they_belong() -> None:
    """Per sentence and system; an insertion that does not help stands among the failures."""
    systems = summarise_by(PAIRS, typology(), lambda pair: pair.system)
    good = {(row["system"], row["type"]): row for row in chart_rows(systems, "quality")}
    # System a has two annotations, with three paraphrases and one helpful trivial insertion.
    assert (good["a", "Paraphrase"]["edits"], good["a", "Paraphrase"]["edits_per_sentence"]) == (3, 1.5)
    assert good["a", "Trivial Change"]["edits"] == 1
    assert good["b", "Paraphrase"]["edits_per_sentence"] == 0
    bad = {(row["system"], row["type"]): row["edits"] for row in chart_rows(systems, "error")}
    assert bad["a", "Trivial Change (not helpful)"] == 1
    assert (bad["a", "Bad Split"], bad["a", "Grammar"]) == (1, 1)
    assert (len(good), len(bad)) == (2 * 8, 2 * 14)


def test_charts_are_written_with_their_signature(tmp_path: Path) -> None:
    """Two pictures and what they were drawn from, each with title, systems and signature."""
    systems = summarise_by(PAIRS, typology(), lambda pair: f"system {pair.system}")
    files = write_charts(systems, tmp_path / "charts", "edits:summary|file:x")
    assert [file.name for file in files] == [
        "successful-edits.svg",
        "successful-edits.vl.json",
        "failed-edits.svg",
        "failed-edits.vl.json",
    ]
    picture = files[0].read_text(encoding="utf-8")
    for text in ("Successful edits", "edits:summary|file:x", "system a", "Conceptual", "Paraphrase"):
        assert text in picture
    assert json.loads(files[3].read_text())["title"]["text"] == "Failed edits"


def test_without_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(InputError, match=r"rubrica\[charts\]"):
        write_charts(summarise_by(PAIRS, typology(), lambda pair: pair.system), tmp_path, "")
