"""What is to be exported, as pages, the API and the command ask for it."""

from __future__ import annotations

from typing import Any

import attrs

from rubrica.core.errors import wrong
from rubrica.exchange.exports import FORMATS, Format


@attrs.frozen(kw_only=True)
class Wanted:
    """The format, one stage or all, the last word or all of them, excluded people or not.

    ``safe_cells``: in a table, no text is taken for a formula (see ``safe_cells.py``).
    ``indent``, ``ascii``, ``newline`` and ``offsets`` are for Thresh files; what is not said of them is as in the files
    that the entries came from.
    """

    form: str = "jsonl"
    stage: str = ""
    every_revision: bool = False
    excluded: bool = False
    safe_cells: bool = False
    indent: int | None = None
    ascii: bool | None = None
    newline: bool | None = None
    offsets: str = ""

    @property
    def layout(self) -> dict[str, Any]:
        """How a Thresh file is to be laid out, as far as that is said."""
        said = {"indent": self.indent, "ascii": self.ascii, "newline": self.newline}
        return {name: value for name, value in said.items() if value is not None}

    @property
    def format(self) -> Format:
        """The format. Raises InputError if there is none of that name, or it cannot have what is wanted."""
        if self.form not in FORMATS:
            fix = f"Use one of {', '.join(FORMATS)}."
            raise wrong(f"there is no format {self.form!r}", "format", fix, value=self.form)
        found = FORMATS[self.form]
        if self.safe_cells and not found.cells:
            tables = ", ".join(form for form, format in FORMATS.items() if format.cells)
            fix = f"Leave safe cells out, or use one of {tables}."
            raise wrong(f"{self.form} has no cells that a spreadsheet runs", "safe_cells", fix, value=self.form)
        if self.form == "thresh" and self.every_revision:
            fix = "Leave out the earlier revisions, or export as edits-jsonl."
            raise wrong("a Thresh file has the last word only", "revisions", fix, value=self.form)
        return found

    def file_name(self, study: str, day: str) -> str:
        """What a browser is told to call the file."""
        kind = self.form if self.format.asks else "judgements"
        return f"{study}-{self.stage or kind}-{day}.{self.format.ending}"


USUAL = Wanted()
"""The last word of everybody who is not excluded."""
