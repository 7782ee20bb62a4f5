"""A report's folder: what is in it, and that it comes whole or not at all."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.report.archive import FIGURES
from rubrica.report.folder import MANIFEST, write
from rubrica.report.report import Report
from rubrica.report.sections.section import Section
from rubrica.report.tables import Table
from tests.report.made_ratings import NAMES, made_ratings
from tests.report.test_report import report_of


@pytest.fixture(scope="module")
def report() -> Report:
    """The report of the made ratings."""
    return report_of(made_ratings())


def test_every_table_in_four_forms_and_every_chart_in_three(report: Report, tmp_path: Path) -> None:
    """And the page, the figures, the datasheet and the signatures; pictures are what they say they are."""
    out = tmp_path / "new" / "r"
    files = write(report, out)
    tables = {f"tables/{table.id}.{ending}" for table in report.tables for ending in ("csv", "md", "tex", "xlsx")}
    charts = {f"charts/{chart.id}.{ending}" for chart in report.charts for ending in ("svg", "png", "vl.json")}
    assert set(files) == {"report.html", "datasheet.md", FIGURES, MANIFEST, *tables, *charts}
    assert sorted(files) == sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert all((out / name).read_bytes().startswith(b"\x89PNG") for name in files if name.endswith(".png"))
    page = (out / "report.html").read_text()
    assert page.count("<svg") == len(report.charts)
    assert list(tmp_path.rglob(".*")) == []


def test_signatures_name_tables_and_files(report: Report, tmp_path: Path) -> None:
    """The manifest has each table's signature and each file's SHA-256."""
    write(report, tmp_path / "r", charts=False)
    found = json.loads((tmp_path / "r" / MANIFEST).read_text())
    assert found["signature"] == report.origin
    assert {name: one["signature"] for name, one in found["tables"].items()} == {
        table.id: table.signature for table in report.tables
    }
    for name, digest in found["files"].items():
        assert hashlib.sha256((tmp_path / "r" / name).read_bytes()).hexdigest() == digest


def test_tables_have_every_digit(report: Report, tmp_path: Path) -> None:
    """CSV is not rounded and carries the signature."""
    write(report, tmp_path / "r", charts=False)
    with (tmp_path / "r/tables/ratings_1.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    every = next(row for row in rows if row["system"] == "all systems")
    assert float(every["mean"]) == 2.3
    assert "seed:1" in every["signature"]


def test_nothing_names_anybody(report: Report, tmp_path: Path) -> None:
    """No name and no address of an annotator is in any file, not even in a remark."""
    write(report, tmp_path / "r", charts=False)
    for path in (tmp_path / "r").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if path.suffix == ".xlsx":
                packed = zipfile.ZipFile(io.BytesIO(content))
                content = b"".join(packed.read(name) for name in packed.namelist())
            text = content.decode()
            assert all(name not in text for name in (*NAMES, "lopez", "Third")), path


def test_a_report_is_replaced_and_other_things_are_not(report: Report, tmp_path: Path) -> None:
    """An older report goes, with files that the new one does not have; a folder of something else stays."""
    out = tmp_path / "r"
    write(report, out, charts=False)
    (out / "tables/old.csv").write_text("x")
    write(report, out, charts=False)
    assert not (out / "tables/old.csv").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="other things in it"):
        write(report, other, charts=False)
    assert (other / "thesis.txt").read_text() == "years of work"
    write(report, other, charts=False, force=True)
    assert not (other / "thesis.txt").exists()


def test_a_file_in_the_way_is_refused(report: Report, tmp_path: Path) -> None:
    """Even by force: a folder cannot take the name of a file."""
    (tmp_path / "r").write_text("a file")
    with pytest.raises(InputError, match="there is a file of that name"):
        write(report, tmp_path / "r", charts=False, force=True)


def test_a_failure_leaves_the_old_report(report: Report, tmp_path: Path) -> None:
    """What was there is there still, and nothing half done beside it: a table whose file cannot be written fails."""
    out = tmp_path / "r"
    write(report, out, charts=False)
    before = (out / MANIFEST).read_text()
    bad = Section("bad", "Bad", (Table("no/such/folder", "Bad", (), ()),))
    with pytest.raises(InputError, match="No such file"):
        write(attrs.evolve(report, sections=(*report.sections, bad)), out, charts=False)
    assert (out / MANIFEST).read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
