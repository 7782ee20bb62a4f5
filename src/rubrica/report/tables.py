"""Tables of results: the same numbers on a terminal, as CSV, Markdown, LaTeX (booktabs), JSON and on a page.

A cell is a text, a number, an estimate with its interval, or a statistic that may have no value; the column says how
numbers are written. Nothing is rounded but in what people read: CSV and JSON have every digit.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import attrs

from rubrica.stats.statistic import Statistic

TEXT, WHOLE, DECIMAL, PERCENT, PROBABILITY = "text", "whole", "decimal", "percent", "probability"
FIGURES = "figures"
"""Kinds of columns. Figures are written out already, as ``55.4%/4.22``, and stand under each other like numbers."""
UNDEFINED = "–"
SYSTEMS = "system."
"""How the ids of columns begin whose title is the name of a system."""


class Estimate(NamedTuple):
    """A statistic with the ends of its interval."""

    value: Statistic
    low: Statistic
    high: Statistic


@attrs.frozen
class Column:
    """A column: the name that scripts use, the title that people read, what is in it, digits after the point."""

    id: str
    title: str
    kind: str = TEXT
    digits: int = 2


class Measured(NamedTuple):
    """A number in a column whose rows are different figures: it is written as ``form`` says, not as the column does."""

    value: Statistic | Estimate
    form: Column


Cell = str | int | float | None | Statistic | Estimate | Measured


@attrs.frozen
class Table:
    """A table with what it shows (``title``), how to read it (``note``) and what reproduces it (``signature``).

    ``best`` are cells to be set in bold, by row and column.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    signature: str = ""
    best: frozenset[tuple[int, int]] = frozenset()

    def reasons(self) -> list[str]:
        """Why cells are empty, each reason once."""
        cells = [_bare(cell) for row in self.rows for cell in row]
        found = [_statistic(cell).reason for cell in cells if isinstance(cell, Statistic | Estimate)]
        return list(dict.fromkeys(reason for reason in found if reason))

    def notes(self) -> list[str]:
        """What is to be read below the table: its note, and what dashes mean."""
        return [text for text in (self.note, *(f"–: {reason}" for reason in self.reasons())) if text]


def shown(cell: Cell, column: Column) -> str:
    """A cell as people read it: rounded, with its interval."""
    if isinstance(cell, Measured):
        return shown(cell.value, cell.form)
    if isinstance(cell, Estimate):
        value = _number(cell.value, column)
        if cell.value.value is None or cell.low.value is None or cell.high.value is None:
            return value
        return f"{value} [{_number(cell.low, column)}, {_number(cell.high, column)}]"
    if isinstance(cell, str):
        return cell
    return _number(cell, column)


def without_interval(estimates: Iterable[Estimate]) -> list[str]:
    """Why figures that have a value have no interval, each reason as a sentence once."""
    reasons = [one.low.reason for one in estimates if one.value.value is not None and one.low.value is None]
    return [f"No interval: {reason}." for reason in dict.fromkeys(reasons) if reason]


def with_intervals(what: str, how: str, estimates: Iterable[Estimate]) -> str:
    """What figures are and how their intervals were made; only why there are none where none has any."""
    given = [one for one in estimates if one.value.value is not None]
    why = without_interval(given)
    if why and all(one.low.value is None for one in given):
        return f"{what}, without intervals: {'; '.join(text.removeprefix('No interval: ') for text in why)}"
    return " ".join([f"{what} {how}.", *why])


def _number(cell: int | float | Statistic | None, column: Column) -> str:
    value = cell.value if isinstance(cell, Statistic) else cell
    if value is None:
        return UNDEFINED
    match column.kind:
        case "whole":
            return f"{value:,.0f}"
        case "percent":
            return f"{100 * value:.{column.digits}f}"
        case "probability":
            least = 10**-column.digits
            if value < least:
                return f"< {least:.{column.digits}f}"
            bound = "≤ " if isinstance(cell, Statistic) and cell.at_most else ""
            return f"{bound}{value:.{column.digits}f}"
        case "decimal":
            text = f"{value:.{column.digits}f}"
            return text.removeprefix("-") if not float(text) else text
    return str(value)


def _statistic(cell: Statistic | Estimate) -> Statistic:
    return cell.value if isinstance(cell, Estimate) else cell


def _bare(cell: Cell) -> str | int | float | Statistic | Estimate | None:
    return cell.value if isinstance(cell, Measured) else cell


def sort_key(cell: Cell) -> str:
    """What a cell is sorted by: every digit of its number; nothing where there is no value."""
    bare = _bare(cell)
    value = _plain(_statistic(bare)) if isinstance(bare, Statistic | Estimate) else bare
    return "" if value is None or value == UNDEFINED else str(value)


def flat_columns(table: Table) -> list[str]:
    """Columns of a table for programs: an estimate has three, and a number that may be only a bound says so."""
    names = []
    for index, column in enumerate(table.columns):
        names.append(column.id)
        if any(isinstance(_bare(row[index]), Estimate) for row in table.rows):
            names += [f"{column.id}_low", f"{column.id}_high"]
        if _may_be_bound(table, index):
            names.append(f"{column.id}_at_most")
    return names


def flat_rows(table: Table) -> list[dict[str, Any]]:
    """Rows for programs, by :func:`flat_columns`, unrounded; None where there is no value."""
    wide = {index for row in table.rows for index, cell in enumerate(row) if isinstance(_bare(cell), Estimate)}
    bounded = {index for index in range(len(table.columns)) if _may_be_bound(table, index)}
    found = []
    for row in table.rows:
        flat: dict[str, Any] = {}
        for index, (column, cell) in enumerate(zip(table.columns, map(_bare, row), strict=True)):
            estimate = cell if isinstance(cell, Estimate) else None
            flat[column.id] = _plain(estimate.value if estimate else cell)
            if index in bounded:
                flat[f"{column.id}_at_most"] = isinstance(cell, Statistic) and cell.at_most
            if index in wide:
                flat[f"{column.id}_low"] = _plain(estimate.low) if estimate else None
                flat[f"{column.id}_high"] = _plain(estimate.high) if estimate else None
        found.append(flat)
    return found


def _may_be_bound(table: Table, index: int) -> bool:
    return any(isinstance(cell, Statistic) and cell.at_most for row in table.rows for cell in row[index : index + 1])


def _plain(cell: Cell) -> Any:
    return cell.value if isinstance(cell, Statistic) else cell


def as_csv(table: Table) -> str:
    """The table with every digit; its signature is the last column."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*flat_columns(table), "signature"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "signature": table.signature} for row in flat_rows(table))
    return out.getvalue()


def as_markdown(table: Table) -> str:
    """The table for a README or a notebook, with title, note, reasons of empty cells and signature."""
    lines = [f"**{table.title}**", "", _markdown_row([column.title for column in table.columns])]
    lines.append("|" + "|".join(" --- " if column.kind == TEXT else " ---: " for column in table.columns) + "|")
    for number, row in enumerate(table.rows):
        cells = [shown(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        bold = [f"**{text}**" if (number, index) in table.best else text for index, text in enumerate(cells)]
        lines.append(_markdown_row(bold))
    signed = [f"`{table.signature}`"] if table.signature else []
    lines += [text for note in [*table.notes(), *signed] for text in ("", note)]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    "≤": r"$\leq$",
    ">": r"$>$",
    "–": "--",
    "−": "$-$",
    "†": r"$\dagger$",
    "×": r"$\times$",
    "\n": " ",
}


def latex_text(text: str) -> str:
    """A text with LaTeX's own signs written so that they print; a minus before a number is a minus."""
    plain = "".join(_LATEX.get(sign, sign) for sign in text)
    return f"${plain}$" if _is_negative(text) else plain


def _is_negative(text: str) -> bool:
    try:
        return float(text) < 0
    except ValueError:
        return False


LONG = 40
"""Characters from which on the texts of a column are set in lines, so that the table fits a page."""
WIDEST = 0.6
"""The share of a line's width that such columns have together."""


def _latex_columns(table: Table) -> list[str]:
    """Texts to the left, numbers to the right, long texts in paragraphs."""
    long = [
        column.kind == TEXT and any(len(shown(row[place], column)) > LONG for row in table.rows)
        for place, column in enumerate(table.columns)
    ]
    width = WIDEST / max(1, sum(long))
    forms = [rf"p{{{width:.2f}\linewidth}}" if wide else "" for wide in long]
    return [form or ("l" if column.kind == TEXT else "r") for form, column in zip(forms, table.columns, strict=True)]


def _latex_cell(text: str, column: Column) -> str:
    """A cell; in a column of numbers every hyphen before a digit is a minus, those of intervals too."""
    plain = latex_text(text)
    return plain if column.kind == TEXT or plain.startswith("$-") else _MINUS.sub("$-$", plain)


def _latex_prose(text: str) -> str:
    """Prose: what stands between backquotes is code."""
    parts = [latex_text(part) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return latex_text(text)
    return "".join(rf"\texttt{{{part}}}" if place % 2 else part for place, part in enumerate(parts))


def as_latex(table: Table) -> str:
    """The table in the form of booktabs, to be put into a paper; the signature is a comment."""
    form = "".join(_latex_columns(table))
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{form}}}", r"\toprule"]
    lines += [" & ".join(latex_text(column.title) for column in table.columns) + r" \\", r"\midrule"]
    for number, row in enumerate(table.rows):
        cells = [_latex_cell(shown(cell, column), column) for cell, column in zip(row, table.columns, strict=True)]
        bold = [rf"\textbf{{{text}}}" if (number, index) in table.best else text for index, text in enumerate(cells)]
        # After the end of a row, a bracket or a star would be taken for an option of that end.
        start = "{}" if bold and bold[0].startswith(("[", "*")) else ""
        lines.append(start + " & ".join(bold) + r" \\")
    caption = _latex_prose(f"{table.title}. {_sentences(table)}".strip())
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{caption}}}", rf"\label{{tab:{table.id}}}", r"\end{table}"]
    return f"% {table.signature}\n" * bool(table.signature) + "\n".join(lines) + "\n"


def _sentences(table: Table) -> str:
    """The note, and what dashes mean as one sentence."""
    reasons = "; ".join(table.reasons())
    return " ".join(text for text in (table.note, f"–: {reasons}." if reasons else "") if text)


def retitled(table: Table) -> Table:
    """The table with titles as on a page: each begins with a capital letter, none is empty; names of systems stay."""
    columns = (one if one.id.startswith(SYSTEMS) else attrs.evolve(one, title=_capital(one)) for one in table.columns)
    return attrs.evolve(table, columns=tuple(columns))


def _capital(column: Column) -> str:
    """Signs of statistics, such as n and p, stay small."""
    title = column.title or column.id
    return title if title[1:2] in ("", " ", ",") else title[:1].upper() + title[1:]


def as_xlsx(table: Table) -> bytes:
    """The table for a spreadsheet: as people read it, and on a second sheet every digit with the ends of intervals."""
    from xlsxwriter import Workbook

    out = io.BytesIO()
    with Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"title": table.title, "comments": table.signature, "created": datetime(2000, 1, 1)})
        bold = book.add_format({"bold": True})
        read, numbers = book.add_worksheet("Table"), book.add_worksheet("Numbers")
        read.write_row(0, 0, [column.title for column in table.columns], bold)
        for place, row in enumerate(table.rows):
            for index, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
                marked = bold if (place, index) in table.best else None
                plain = cell if isinstance(cell, int | float) else shown(cell, column)
                read.write(place + 1, index, plain, marked)
        for place, text in enumerate([table.title, *table.notes(), table.signature]):
            read.write(len(table.rows) + 2 + place, 0, text)
        numbers.write_row(0, 0, flat_columns(table), bold)
        for place, flat in enumerate(flat_rows(table), start=1):
            numbers.write_row(place, 0, ["" if value is None else value for value in flat.values()])
        read.freeze_panes(1, 1)
        read.autofit(300)
    return out.getvalue()


FORMS = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}
"""Ways of writing a table to a file."""
