"""What tests of files share: sheets written to a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.write import write_sheet


@pytest.fixture
def write(tmp_path: Path) -> Callable[[SheetFile], Path]:
    """Writes a sheet into the test's folder and says where."""

    def write_to_folder(sheet: SheetFile) -> Path:
        path = tmp_path / f"{sheet.protocol.id}-{sheet.stage.id}-{sheet.annotator}.xlsx"
        write_sheet(sheet, path)
        return path

    return write_to_folder
