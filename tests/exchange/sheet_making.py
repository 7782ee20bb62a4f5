"""Sheets of every protocol for tests, and an annotator's hands: typing into them with another program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from rubrica.core.edits import Edit
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol, Stage
from rubrica.core.simulation import Simulator
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet, ReadBack, read_sheet
from rubrica.protocols.catalog import load_shipped, shipped
from tests.length import either

LANGUAGES = ("en", "es")
SPANISH = {"Source": "Original", "Rewrite": "Reescritura", "Original sentence": "Oración original"}
"""What headers of texts are called on Spanish sheets."""
STAGES = [(name, stage.id) for name in shipped() for stage in load_shipped(name).protocol.stages]
"""Every stage of every protocol that ships with Rubrica."""


def stages_and_languages(but: str = "") -> pytest.MarkDecorator:
    """Every stage of protocols other than ``but`` in one language or the other; in `make test-all` in each."""
    stages = [stage for stage in STAGES if stage[0] != but]
    in_turn = [(*stage, LANGUAGES[place % len(LANGUAGES)]) for place, stage in enumerate(stages)]
    every = [(*stage, language) for stage in stages for language in LANGUAGES]
    return pytest.mark.parametrize(("protocol_id", "stage_id", "language"), either(in_turn, every))


def protocol_of(protocol_id: str) -> Protocol:
    """A shipped protocol as annotators see it."""
    return load_shipped(protocol_id).protocol.resolve({})


def practice_items(protocol: Protocol) -> list[Item]:
    """The protocol's practice items, those of one group side by side."""
    items = [
        Item(practice.id, practice.fields, group=practice.fields.get(protocol.group_by, "")[:100])
        for practice in protocol.practice
    ]
    return sorted(items, key=lambda item: item.group)


def make_sheet(
    protocol_id: str, stage_id: str = "", language: str = "en", *, items: Sequence[Item] = (), filled: bool = False
) -> SheetFile:
    """A sheet of a protocol at a stage, with practice items unless others are given; with answers if ``filled``."""
    protocol = protocol_of(protocol_id)
    stage = protocol.stage(stage_id) if stage_id else protocol.stages[0]
    simulator = Simulator(protocol, stage, f"{protocol_id}:{stage.id}:{language}")
    rows = []
    for number, item in enumerate(items or practice_items(protocol), start=1):
        edits = handed_out(protocol, stage, item)
        judgement = simulator.judge(item, None, edits) if filled else None
        rows.append(SheetRow(f"lease{number:04d}", item, judgement, edits))
    return SheetFile("A study", "study-pid", "sheet-pid", stage, "ana", 1, protocol, language, rows)


def handed_out(protocol: Protocol, stage: Stage, item: Item) -> tuple[Edit, ...]:
    """The edits that a pair comes with at a later stage: those of its practice item, else simulated ones."""
    if not stage.items_from or protocol.edits is None:
        return ()
    first = protocol.stages[0]
    right = [practice.edits for practice in protocol.practice if practice.id == item.key and practice.edits]
    edits = right[0] if right else Simulator(protocol, first, f"before:{item.key}").judge(item).edits
    kept = [
        attrs.evolve(edit, answers={name: value for name, value in edit.answers.items() if name in (first.asks or ())})
        for edit in edits
    ]
    return Validator(protocol, first).settle(item, Judgement({}, tuple(kept))).edits


def without_answers(sheet: SheetFile) -> SheetFile:
    """The sheet as it was before anybody filled it in."""
    return attrs.evolve(sheet, rows=[attrs.evolve(row, judgement=None) for row in sheet.rows])


def answers_of(sheet: SheetFile) -> dict[str, Judgement]:
    """The judgements that a filled sheet holds, by row."""
    return {row.id: row.judgement for row in sheet.rows if row.judgement is not None}


def read_back(path: Path, sheet: SheetFile, **options: Any) -> ReadBack:
    """Open and read a file that was written as ``sheet``."""
    return read_sheet(OpenedSheet(path), sheet, **options)


def refused(path: Path, sheet: SheetFile) -> list[Problem]:
    """The problems for which a file is refused."""
    with pytest.raises(InputError) as caught:
        read_back(path, sheet)
    return list(caught.value.problems)


def rules_and_cells(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Which rule was broken where, in the order of the sheet."""
    return sorted((problem.rule, problem.cell) for problem in problems)


class Desk:
    """A file opened in another program. Rows count from 1, below the header."""

    def __init__(self, path: Path) -> None:
        self.book = openpyxl.load_workbook(path, rich_text=True)

    @property
    def page(self) -> Worksheet:
        """The first sheet, where judgements go."""
        return self.book.worksheets[0]

    @property
    def edits(self) -> Worksheet:
        """The second sheet, where edits go."""
        return self.book.worksheets[1]

    def column(self, name: str, page: Worksheet | None = None) -> int:
        """The column of a question (by its id), of an option (question: option), or of a header."""
        cells = (page or self.page)[1]
        known = {row[0].value: row[1].value for row in self.book["_rubrica"].iter_rows(max_col=2) if row[0].value}
        wanted = {
            name,
            SPANISH.get(name),
            known.get(f"column:{name}"),
            known.get(f"column:{page.title if page else ''}:{name}"),
        }
        return next(int(cell.column) for cell in cells if cell.value in wanted - {None})

    def letter(self, name: str, page: Worksheet | None = None) -> str:
        """The same as letters."""
        return openpyxl.utils.get_column_letter(self.column(name, page))

    def type(self, row: int, name: str, value: Any, page: Worksheet | None = None) -> str:
        """Type into a cell. Returns its address."""
        cell = (page or self.page).cell(row + 1, self.column(name, page))
        cell.value = value
        return str(cell.coordinate)


@contextmanager
def at_desk(path: Path) -> Iterator[Desk]:
    """Open a file, do something to it, save it."""
    desk = Desk(path)
    yield desk
    desk.book.save(path)


def type_answers(desk: Desk, sheet: SheetFile, judgements: Sequence[Judgement], row: int = 1) -> None:
    """Type judgements as an annotator would: what the drop-down lists offer, a mark for each chosen option."""
    from rubrica.exchange.sheets.cells import CellWriter
    from rubrica.exchange.sheets.layout import columns, way_out_labels

    listed = columns(sheet)
    for number, judgement in enumerate(judgements, start=row):
        preset = Validator(sheet.protocol, sheet.stage).plan(sheet.rows[number - 1].item)
        for column in listed:
            if column.kind == "answer" and column.name not in {**preset.preset, **preset.dropped}:
                value = CellWriter(column, sheet.language).cell(judgement.answers.get(column.name))
                desk.page.cell(number + 1, desk.column(column.header)).value = value
        if judgement.outcome != "answered":
            desk.type(number, "way_out", way_out_labels(sheet)[judgement.outcome])
        elif sheet.has_edits:
            desk.type(number, "done", "x")
