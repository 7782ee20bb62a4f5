"""An .xlsx file as the parts it is made of: looked through once by a streaming parser, then handed to the fast reader.

The fast reader allocates a grid as large as the furthest cell says, and believes what an archive says of itself. So it
gets a plain copy of the parts that it needs, which were unpacked and parsed here and found within bounds. What it does
not tell is noted on the way: merged cells, formulas, error values, where the first column stands.
"""

from __future__ import annotations

import io
import zipfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from xml.parsers import expat

from rubrica.core.errors import InputError, wrong
from rubrica.engine.limits import LONGEST_LINE, limits
from rubrica.exchange.sheets.addresses import index_of, letter
from rubrica.exchange.sheets.archive import Archive, BrokenError, not_excel

WORKBOOK, RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_OFFICE = "http://schemas.openxmlformats.org"
_ROOT = (
    f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
"""The part that says where the workbook is."""
_DIGITS = "0123456789"
MOST_NOTED = 100_000
"""Merged ranges, formulas and errors of a sheet that are noted one by one."""
_ROWS, _COLUMNS = 1_048_576, 16_384


Part = TypeVar("Part", bound="_Xml")


class Oddities(NamedTuple):
    """What a table for answers should not have: merged ranges, cells with formulas, error values such as #REF!.

    ``texts`` are those formulas whose result is a text, which may be an empty one.
    """

    merged: list[str]
    formulas: list[str]
    errors: list[str]
    texts: Sequence[str] = ()


class Package:
    """An .xlsx file whose parts were all unpacked once, parsed, and found whole and within bounds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
        self._bounds = limits()
        self._bounds.check_file(path)
        try:
            parts = {name: b"".join(pieces) for name, pieces in Archive(path, self._bounds).unpacked()}
            self._sheets, self._copy = self._looked_through(parts)
        except BrokenError as error:
            raise not_excel(path) from error
        self._book: Any = None

    def _looked_through(self, parts: dict[str, bytes]) -> tuple[dict[str, _Sheet], bytes]:
        """The sheets by their names, and what the fast reader needs as a plain archive."""
        named = {name.replace("\\", "/").casefold(): name for name in parts}
        kept: dict[str, bytes] = {}

        def read(part: str, xml: Part) -> Part:
            if part.casefold() not in named:
                raise BrokenError(part)
            kept[part] = parts[named[part.casefold()]]
            try:
                xml.read(kept[part])
            except _XmlError as error:
                raise self._refused(part, str(error)) from error
            return xml

        relations = read(RELATIONS, _Relations())
        book, strings = read(WORKBOOK, _Workbook()), _Strings()
        for kind, xml in (("sharedStrings", strings), ("styles", _Xml())):
            part = relations.by_kind.get(kind, f"xl/{kind}.xml")
            if part.casefold() in named:
                read(part, xml)
        sheets = {
            name: read(relations.by_id.get(relation, ""), _Sheet(strings.lengths)) for name, relation in book.sheets
        }
        return sheets, _plain(kept)

    def _refused(self, part: str, why: str) -> InputError:
        if why == _TYPES:
            what, fix = "this file declares XML entities", "Spreadsheets never do: save it again with one."
            return wrong(what, "xml", fix, file=str(self.path), value=part)
        what, fix = f"this Excel file cannot be read: {part}: {why}", "Open it with a spreadsheet and save it as .xlsx."
        return wrong(what, "xlsx", fix, file=str(self.path), value=part)

    @property
    def sheets(self) -> list[str]:
        """The names of the sheets, in their order."""
        return list(self._sheets)

    def oddities(self, sheet: str) -> Oddities:
        """Merged ranges and cells with formulas on a sheet."""
        found = self._sheets[sheet]
        return Oddities(found.merged, found.formulas, found.errors, found.texts)

    def first_column(self, sheet: str) -> int:
        """Where the first column that holds anything stands, from 0; rows start there."""
        return self._sheets[sheet].left

    def rows(self, sheet: str) -> list[tuple[str | None, ...]]:
        """The cells of a sheet as text, row by row from the first. Raises InputError if there are too many."""
        import fastexcel

        self._check_size(sheet)
        try:
            if self._book is None:
                self._book = fastexcel.read_excel(self._copy)
            page = self._book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string")
            rows: list[tuple[str | None, ...]] = page.to_polars().rows()
        except fastexcel.FastExcelError as error:
            raise self._refused(f"sheet {sheet!r}", str(error).splitlines()[0]) from error
        except BaseException as error:
            # Rust gave up, as over a date of the year -1e300. Its error is no Exception and has no other name.
            if type(error).__name__ != "PanicException":
                raise
            raise self._refused(f"sheet {sheet!r}", str(error)) from error
        return rows

    def _check_size(self, sheet: str) -> None:
        """Refuse a sheet whose cells lie too far apart, or that repeats more text than is read."""
        found = self._sheets[sheet]
        place = {"file": str(self.path), "sheet": sheet, "cell": f"{letter(found.right)}{found.bottom}"}
        try:
            self._bounds.check_shape(found.bottom - 1, found.right - found.left + 1, **place)
        except InputError as error:
            fix = f"The furthest cell that holds anything is {place['cell']}: empty it if it is there by mistake. "
            raise InputError(*(problem.at(fix=fix + problem.fix) for problem in error.problems)) from error
        if found.characters > self._bounds.bytes:
            what = f"the texts of this sheet have {found.characters:,} characters, many of them in several cells"
            raise self._bounds.beyond("megabytes", what, value=found.characters, file=str(self.path), sheet=sheet)


def _plain(parts: dict[str, bytes]) -> bytes:
    """An archive of these parts, nothing packed."""
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("_rels/.rels", _ROOT)
        for name, data in parts.items():
            archive.writestr(name, data)
    return copy.getvalue()


class _XmlError(Exception):
    """A part that no spreadsheet writes; the message says why."""


_TYPES, _ENCODING = "it declares XML entities", "it is not UTF-8"
_PIECE = 1 << 18


class _Xml:
    """A part of the file as the parser goes through it; this one only sees whether it is XML without entities."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._types
        self.parser.XmlDeclHandler = self._encoding

    def _types(self, *_: object) -> None:
        raise _XmlError(_TYPES)

    def _encoding(self, version: str, encoding: str | None, standalone: int) -> None:
        """The fast reader knows UTF-8 alone: in any other encoding it would see other cells than we do."""
        if (encoding or "utf-8").lower() not in ("utf-8", "us-ascii", "ascii"):
            raise _XmlError(_ENCODING)

    def read(self, data: bytes) -> None:
        """Go through the whole part. Raises _XmlError."""
        if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:100]:
            raise _XmlError(_ENCODING)
        view = memoryview(data)
        try:
            for start in range(0, len(data), _PIECE):
                self.parser.Parse(view[start : start + _PIECE])
                # A token that does not end is looked at again with every piece, which old versions of expat do in full.
                if start - self.parser.CurrentByteIndex > LONGEST_LINE:
                    raise _XmlError("a tag does not end")
            self.parser.Parse(b"", True)
        except LookupError as error:
            raise _XmlError(_ENCODING) from error
        except expat.ExpatError as error:
            raise _XmlError(f"{expat.ErrorString(error.code)}, line {error.lineno:,}") from error


class _Workbook(_Xml):
    """The names of the sheets and the relations that lead to them."""

    def __init__(self) -> None:
        super().__init__()
        self.parser.StartElementHandler = self._start
        self.sheets: list[tuple[str, str]] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            self.sheets.append((attributes.get("name", ""), relation))


class _Relations(_Xml):
    """The parts to which relations of the workbook lead, by their ids and by what they are."""

    def __init__(self) -> None:
        super().__init__()
        self.parser.StartElementHandler = self._start
        self.by_id: dict[str, str] = {}
        self.by_kind: dict[str, str] = {}

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] != "Relationship":
            return
        target = attributes.get("Target", "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        self.by_id[attributes.get("Id", "")] = part
        self.by_kind.setdefault(attributes.get("Type", "").rpartition("/")[2], part)


class _Strings(_Xml):
    """How long each text is that cells refer to by its number."""

    def __init__(self) -> None:
        super().__init__()
        self.parser.StartElementHandler, self.parser.CharacterDataHandler = self._start, self._text
        self.lengths = array("L")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "si":
            self.lengths.append(0)

    def _text(self, data: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(data)


class _Sheet(_Xml):
    """Where the cells of a sheet lie, how much text they show, and what is odd about them.

    ``left`` and ``right`` are columns from 0, ``bottom`` is a row from 1; of a sheet without cells it is 0. A cell
    without an address comes after the one before it, in the row that the element around it says, whatever row that one
    named: so the fast reader counts. Rows within rows and cells outside of them, which it counts otherwise, are
    refused. A large sheet has a million cells: an address is looked at only if it may reach further.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        super().__init__()
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.left, self.right, self.bottom, self.characters = 0, 0, 0, 0
        self.merged: list[str] = []
        self.formulas: list[str] = []
        self.errors: list[str] = []
        self.texts: list[str] = []
        self._lengths = lengths
        self._row, self._column = 0, -1
        self._line, self._in_row = 0, False
        self._kind, self._reference, self._formula = "", "", False
        self._number: str | None = None
        self._reached_row, self._reached_columns = "", set[str]()

    def read(self, data: bytes) -> None:
        super().read(data)
        self._count()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._number is not None:
            self._count()
        if ":" in name:
            name = name.rpartition(":")[2]
        if name == "c":
            self._kind, self._formula = attributes.get("t", ""), False
            reference = attributes.get("r", "")
            if not self._in_row:
                raise _XmlError("a cell is outside of the rows")
            if not reference:
                self._go()
                self._row, self._column = self._line, self._column + 1
            self._reference = reference
        elif name in ("v", "is"):
            self._fill()
        elif name == "f":
            self._formula = True
            self._note(self.formulas)
            if self._kind == "str":
                self._note(self.texts)
        elif name == "row":
            if self._in_row:
                raise _XmlError("a row is within another")
            self._line = _row(attributes["r"]) if "r" in attributes else self._line + 1
            self._row, self._column, self._reference, self._in_row = self._line, -1, "", True
        elif name == "mergeCell" and len(self.merged) < MOST_NOTED:
            self.merged.append(attributes.get("ref", ""))

    def _end(self, name: str) -> None:
        if name == "row" or name.endswith(":row"):
            self._in_row = False

    def _go(self) -> None:
        """To the cell that was named last, if it has an address."""
        if self._reference:
            letters = self._reference.rstrip(_DIGITS)
            self._row, self._column = _row(self._reference[len(letters) :]), _column(letters)
            self._reference = ""

    def _fill(self) -> None:
        """A cell that holds something: the table reaches as far."""
        letters = self._reference.rstrip(_DIGITS)
        row = self._reference[len(letters) :]
        if not row or row != self._reached_row or letters not in self._reached_columns:
            self._go()
            self._reach()
            self._reached_row = row
            self._reached_columns.add(letters)
        if self._kind == "s":
            self._number, self.parser.CharacterDataHandler = "", self._text
        elif self._kind == "e" and not self._formula:
            self._note(self.errors)

    def _reach(self) -> None:
        row, column = self._row, self._column
        if not 0 < row <= _ROWS or not 0 <= column < _COLUMNS:
            raise _XmlError(f"there is no cell in row {row}, column {column + 1}")
        if not self.bottom:
            self.left = self.right = column
        self.bottom = max(self.bottom, row)
        self.left, self.right = min(self.left, column), max(self.right, column)

    def _text(self, data: str) -> None:
        # Longer than any number it is none, whatever follows, and adding to it again and again would take the square.
        if self._number is not None and len(self._number) < 1_000:
            self._number += data

    def _count(self) -> None:
        """Add the length of the text whose number the last cell holds."""
        if self._number is None:
            return
        number = self._number.strip()
        self._number, self.parser.CharacterDataHandler = None, None
        if not (number.isdecimal() and len(number) < 10 and int(number) < len(self._lengths)):
            self._go()
            raise _XmlError(f"the cell {letter(self._column)}{self._row} names a text that is not there")
        self.characters += self._lengths[int(number)]

    def _note(self, found: list[str]) -> None:
        self._go()
        if len(found) < MOST_NOTED:
            found.append(f"{letter(self._column)}{self._row}")


def _column(letters: str) -> int:
    if not (letters.isalpha() and letters.isascii() and len(letters) <= 3):
        raise _XmlError(f"{letters[:30]!r} is no column")
    return index_of(letters.upper())


def _row(number: str) -> int:
    if not (number.isdecimal() and number.isascii() and len(number) < 8):
        raise _XmlError(f"{number[:30]!r} is no row")
    return int(number)
