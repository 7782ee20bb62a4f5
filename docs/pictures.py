"""Makes the pictures of sheets again: writes real sheets, half filled in, and lets LibreOffice print them.

Run it by hand when the look of sheets changes, and look at what it made. It needs `soffice` (LibreOffice Calc) and
`pdftoppm` (poppler); without them it says so and leaves the pictures as they are.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import openpyxl

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement
from rubrica.exchange.items import read_items
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.write import write_sheet
from rubrica.exchange.tables import read_table
from rubrica.home.database import open_home
from rubrica.protocols.catalog import load_shipped

HERE = Path(__file__).parent
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DPI = 110
MOST_BYTES = 200_000

RATED: dict[str, Judgement] = {
    "1": Judgement(
        {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
    ),
    "2": Judgement(
        {"simplification": 2, "meaning": 1, "fluency": 3, "acceptance": "reject", "edit": "La directora lo presentó."}
    ),
}
"""A finished row; a row with open cells and an edit that contradicts the rejection. The third pair is identical."""


class Picture(NamedTuple):
    """One picture: which protocol and stage, which sheet of the workbook, which columns go, how wide and high."""

    file: str
    protocol: str
    stage: str
    sheet: str
    hidden: Sequence[str]
    widths: Mapping[str, float]
    heights: Sequence[float]
    judgements: Mapping[str, Judgement]


def _marked(item: Item) -> Judgement:
    """Edits of the first SALSA example, as an annotator would mark them."""
    source, rewrite = item.fields["source"], item.fields["rewrite"]

    def at(text: str, words: str) -> tuple[Span, ...]:
        start = text.index(words)
        return (Span(start, start + len(words)),)

    return Judgement(
        edits=(
            Edit("1", "substitution", at(source, "Numerous"), at(rewrite, "Many"), {"information": "same"}),
            Edit("2", "substitution", at(source, "subsidy,"), at(rewrite, "financial help.")),
            Edit("3", "deletion", at(source, "which the ministry announced on Monday.")),
        )
    )


def pictures() -> list[Picture]:
    """The pictures that the pages show."""
    first = read_items(read_table(HERE / "examples/items/salsa.csv"), load_shipped("salsa").protocol).items[0]
    return [
        Picture(
            "breve-sheet.png",
            "breve",
            "rate",
            "Judgements",
            ["G", "H", "I", "J", "K", "L", "R", "T"],
            {"A": 27, "B": 22, "C": 14, "D": 13, "E": 9, "F": 12, "M": 11, "N": 16, "O": 9, "P": 12, "Q": 8, "S": 10},
            [32, 48, 48, 32],
            RATED,
        ),
        Picture(
            "salsa-edits-sheet.png",
            "salsa",
            "select",
            "Edits",
            [],
            {"A": 5, "B": 30, "C": 22, "D": 5, "E": 12, "F": 24, "G": 11, "H": 15, "I": 12, "J": 8, "K": 12, "L": 13},
            [32, 48, 32, 32, 18, 18],
            {first.key: _marked(first)},
        ),
    ]


def _sheet(picture: Picture) -> SheetFile:
    """The sheet of one annotator, with the answers of the picture in it."""
    from rubrica.store import studies
    from rubrica.store.allocation.sheets import Request, deal_sheets

    loaded = load_shipped(picture.protocol)
    items = read_items(read_table(HERE / f"examples/items/{picture.protocol}.csv"), loaded.protocol).items
    study = studies.create(studies.Plan(name=picture.protocol, loaded=loaded, items=items), NOW)
    stage = study.stages.get(key=picture.stage)
    dealt = deal_sheets(stage, Request(["ana"], 100, "en"), NOW).files[0]
    rows = sorted(dealt.rows, key=lambda row: int(row.item.key))
    filled = [attrs.evolve(row, judgement=picture.judgements.get(row.item.key)) for row in rows]
    return attrs.evolve(dealt, rows=filled)


def _for_print(path: Path, picture: Picture) -> None:
    """Leave one sheet, on one wide page, with the letters of columns and the numbers of rows."""
    book = openpyxl.load_workbook(path)
    page = book[picture.sheet]
    book.active = book.index(page)
    for other in book.worksheets:
        if other is not page:
            other.sheet_state = "hidden"
    _ungroup(page)
    for column in picture.hidden:
        page.column_dimensions[column].hidden = True
    for column, width in picture.widths.items():
        page.column_dimensions[column].width = width
    for row, height in enumerate(picture.heights, start=1):
        page.row_dimensions[row].height = height
    page.print_area = f"A1:{openpyxl.utils.get_column_letter(page.max_column)}{len(picture.heights)}"
    page.page_setup.orientation = "landscape"
    page.page_setup.paperSize = page.PAPERSIZE_A3
    page.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
    page.page_setup.fitToWidth, page.page_setup.fitToHeight = 1, 1
    page.print_options.headings = True
    page.oddHeader.center.text = page.oddFooter.center.text = ""
    book.save(path)


def _ungroup(page: Any) -> None:
    """Columns of equal width are written as one range: give each its own entry, so that it can be changed alone."""
    for first in list(page.column_dimensions.values()):
        width, last = first.width, first.max
        for index in range(first.min, last + 1):
            column = page.column_dimensions[openpyxl.utils.get_column_letter(index)]
            column.min = column.max = index
            column.width = width


def _print(path: Path, target: Path, folder: Path) -> None:
    """Excel to PDF to PNG, cropped to what is not white."""
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True)
    pdf = path.with_suffix(".pdf")
    grey = subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-l", "1", str(pdf)], check=True, capture_output=True)
    left, top, right, bottom = _inked(grey.stdout)
    crop = ["-x", str(left - 6), "-y", str(top - 6), "-W", str(right - left + 12), "-H", str(bottom - top + 12)]
    png = ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", *crop, str(pdf), str(target.with_suffix(""))]
    subprocess.run(png, check=True)


def _inked(pgm: bytes) -> tuple[int, int, int, int]:
    """The box around everything that is not white, in a binary grey map."""
    _, size, _, pixels = pgm.split(b"\n", 3)
    width, height = map(int, size.split())
    lines = [pixels[row * width : (row + 1) * width] for row in range(height)]
    rows = [number for number, line in enumerate(lines) if min(line) < 250]
    columns = [number for number in range(width) if any(lines[row][number] < 250 for row in rows)]
    return columns[0], rows[0], columns[-1], rows[-1]


def main() -> int:
    """Make every picture, or say what is missing."""
    missing = [name for name in ("soffice", "pdftoppm") if shutil.which(name) is None]
    if missing:
        print(f"The pictures were left as they are: install {' and '.join(missing)} to make them again.")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        open_home(folder / "home")
        for picture in pictures():
            path = folder / f"{picture.protocol}.xlsx"
            write_sheet(_sheet(picture), path)
            _for_print(path, picture)
            target = HERE / "images" / picture.file
            _print(path, target, folder)
            size = target.stat().st_size
            print(f"{target.relative_to(HERE)}: {size // 1000} kB")
            if size > MOST_BYTES:
                print(f"{picture.file} is larger than {MOST_BYTES // 1000} kB: lower the DPI.")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
