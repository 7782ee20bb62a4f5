"""A report as a folder: the page, every table in three forms, every chart in three, figures, datasheet, signatures.

It is written beside its place and put there whole, so that an interrupted run leaves nothing half done. A folder that
is there already is only replaced if it is a report of ours, or by force.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from rubrica import __version__
from rubrica.core.errors import wrong
from rubrica.report.archive import FIGURES
from rubrica.report.charts import as_png, as_svg
from rubrica.report.html import as_html
from rubrica.report.report import Report
from rubrica.report.sections.datasheet import ID as DATASHEET
from rubrica.report.sections.datasheet import as_markdown as datasheet_markdown
from rubrica.report.tables import FORMS, as_xlsx

MANIFEST = "signatures.json"
MOST_IN_EXCEL = 10_000
"""Longer tables are for programs, which read CSV."""
ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}


def write(
    report: Report,
    folder: Path,
    *,
    charts: bool = True,
    force: bool = False,
    tell: Callable[[int], None] | None = None,
    page: Callable[[Report, Mapping[str, str]], str] = as_html,
) -> list[str]:
    """Write the report; returns the files, relative to the folder. Raises InputError if the folder is in the way.

    ``page`` makes report.html of the report and its charts as SVG, by their id.
    """
    check_place(folder, force)
    parent = folder.resolve().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
        try:
            made.chmod(0o755)
            files = _fill(report, made, charts, tell, page)
            _put(made, folder.resolve())
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(folder)) from error
    return files


def check_place(folder: Path, force: bool) -> None:
    """Raises InputError if something is there that is no report of ours."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise wrong("there is a file of that name", "folder", "Name a folder.", file=str(folder))
    if force or not any(folder.iterdir()) or _is_ours(folder):
        return
    raise wrong(
        "the folder has other things in it, and a report would replace them",
        "folder",
        "Name a new folder, or replace what is there with --force.",
        file=str(folder),
    )


def _is_ours(folder: Path) -> bool:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "report" in found and "rubrica" in found


def _fill(
    report: Report,
    folder: Path,
    charts: bool,
    tell: Callable[[int], None] | None,
    page: Callable[[Report, Mapping[str, str]], str],
) -> list[str]:
    pictures: dict[str, str] = {}
    if charts:
        (folder / "charts").mkdir()
        for done, chart in enumerate(report.charts, start=1):
            pictures[chart.id] = as_svg(chart.spec)
            (folder / f"charts/{chart.id}.svg").write_text(pictures[chart.id], encoding="utf-8")
            (folder / f"charts/{chart.id}.png").write_bytes(as_png(pictures[chart.id]))
            text = json.dumps(chart.spec, ensure_ascii=False, indent=1)
            (folder / f"charts/{chart.id}.vl.json").write_text(text + "\n", encoding="utf-8")
            if tell:
                tell(done)
    (folder / "report.html").write_text(page(report, pictures), encoding="utf-8")
    (folder / "tables").mkdir()
    for table in report.tables:
        for form, ending in ENDINGS.items():
            (folder / f"tables/{table.id}.{ending}").write_text(FORMS[form](table), encoding="utf-8", newline="")
        if len(table.rows) <= MOST_IN_EXCEL:
            (folder / f"tables/{table.id}.xlsx").write_bytes(as_xlsx(table))
    if report.numbers:
        text = json.dumps(report.numbers, ensure_ascii=False, allow_nan=False, indent=1)
        (folder / FIGURES).write_text(text + "\n", encoding="utf-8")
    if any(section.id == DATASHEET for section in report.sections):
        (folder / "datasheet.md").write_text(datasheet_markdown(report), encoding="utf-8")
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files}
    text = json.dumps(_manifest(report, digests), ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return [*files, MANIFEST]


def _manifest(report: Report, digests: Mapping[str, str]) -> dict[str, object]:
    """What was written: the signature of every table and chart, and the SHA-256 of every file."""
    return {
        "report": report.name,
        "rubrica": __version__,
        "made": report.made.isoformat(timespec="seconds"),
        "signature": report.origin,
        "tables": {table.id: {"title": table.title, "signature": table.signature} for table in report.tables},
        "charts": {
            chart.id: {"title": chart.title, "table": chart.table, "signature": chart.signature}
            for chart in report.charts
        },
        "files": dict(digests),
    }


def _put(made: Path, folder: Path) -> None:
    """Put the folder in its place; what was there is moved away first and removed last."""
    if not folder.exists():
        os.rename(made, folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.old.", dir=folder.parent))
    os.rename(folder, old / "report")
    try:
        os.rename(made, folder)
    except OSError:
        os.rename(old / "report", folder)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
