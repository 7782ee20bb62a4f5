"""Reading records back, and what is wrong with them beside the study that they are imported into.

Reading records back from JSON lines, CSV, Excel or Parquet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.names import annotator_name_problems
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.typed import storable_json
from rubrica.core.validation import Validator
from rubrica.engine.limits import limits
from rubrica.exchange.decoding import decode
from rubrica.exchange.records import Record, RecordReader
from rubrica.exchange.tables import JsonLine, Table, json_lines, read_table

FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv", ".xlsx": "xlsx", ".parquet": "parquet"}


def read_records(path: Path, protocol: Protocol, form: str = "") -> list[tuple[int, Record]]:
    """Records with their lines. Raises InputError with every line that cannot be understood."""
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    by_name = FORMATS.get(path.suffix.lower(), "")
    if form and by_name and form != by_name:
        fix = "Leave --format out, or rename the file."
        raise wrong(f"its name says {by_name}, --format says {form}", "format", fix, file=str(path), value=form)
    form = form or by_name
    if not form:
        known = ", ".join(FORMATS)
        raise wrong(f"files ending in {path.suffix!r} are not imported", "format", f"Use {known}.", file=str(path))
    if form != "jsonl":
        return records_of(read_table(path), protocol)
    reader, bounds = RecordReader(protocol), limits()
    found: list[tuple[int, Record | None]] = []
    for line in json_lines(decode(path)):
        found.append((line.number, _json_line(reader, line)))
        bounds.check_shape(len(found), 1, file=str(path), line=line.number)
    return _whole(str(path), reader, found)


def records_of(table: Table, protocol: Protocol) -> list[tuple[int, Record]]:
    """The same of a table that was read already."""
    lacking = [column for column in ("item", "annotator") if column not in table.columns]
    if lacking:
        fix = "Start from a file that `rubrica export` wrote."
        raise wrong(f"no column {' or '.join(lacking)}", "columns", fix, file=table.file, line=1)
    reader = RecordReader(protocol)
    reader.problems += table.problems
    return _whole(table.file, reader, [(row.line, reader.from_row(row.values, row.line)) for row in table.rows])


def _whole(file: str, reader: RecordReader, found: list[tuple[int, Record | None]]) -> list[tuple[int, Record]]:
    if not found and not reader.problems:
        reader.problems.append(Problem(what="there are no judgements", rule="empty", fix="Add some.", line=1))
    if reader.problems:
        placed = [problem.at(file=file) for problem in reader.problems]
        raise InputError(*sorted(placed, key=lambda problem: problem.line or 0))
    return [(line, record) for line, record in found if record is not None]


def _json_line(reader: RecordReader, line: JsonLine) -> Record | None:
    number, text, data, broken = line
    if broken:
        reader.problems.append(broken)
        return None
    if "\\u" in text and not storable_json(data):
        what = "this line holds a NUL character or half of a surrogate pair"
        fix = "Remove the broken character."
        reader.problems.append(Problem(what=what, rule="characters", fix=fix, line=number))
        return None
    return reader.from_json(data, number)


Line = tuple[int, Record]
"""A record with its line in the file."""


def unusable(records: Sequence[Line], protocol: Protocol) -> list[Problem]:
    """Names that nobody can have, and what no study of this protocol could have written."""
    names = {name: annotator_name_problems([name]) for name in {one.annotator for _, one in records}}
    return [
        problem.at(line=line) for line, one in records for problem in names[one.annotator] + _misfits(one, protocol)
    ]


def _misfits(record: Record, protocol: Protocol) -> list[Problem]:
    """What no study of this protocol could have written: names that are too long, another protocol."""
    item = record.item
    names = {"item": item.key, "group": item.group, "system": item.system, "author": item.author}
    found = []
    theirs = record.protocol.partition("@")[0]
    if theirs and theirs != protocol.id:
        what = f"this judgement is of the protocol {theirs!r}, the study runs {protocol.id!r}"
        fix = "Import it into a study of that protocol."
        found.append(Problem(what=what, rule="protocol", value=record.protocol, fix=fix))
    if record.planted not in ("", "gold", "duplicate"):
        fix = "Use gold, duplicate or nothing."
        found.append(Problem(what=f"planted is {record.planted!r}", rule="form", value=record.planted, fix=fix))
    return found + [
        Problem(
            what=f"the {kind} has {len(name):,} characters",
            rule="length",
            value=len(name),
            fix="Shorten it to 200.",
        )
        for kind, name in names.items()
        if len(name) > 200
    ]


def gaps(records: Sequence[Line], protocol: Protocol) -> list[Problem]:
    """Texts that items must have before anybody can have judged them."""
    required = [field.id for field in protocol.fields if field.required]
    fix = "The study has no items yet: give the texts with the judgements, or make it with --items."
    return [
        Problem(what=f"item {one.item.key}: the field {field!r} is missing", rule="required", fix=fix, line=line)
        for line, one in records
        for field in required
        if not one.item.fields.get(field, "").strip()
    ]


def settled(
    records: Sequence[Line], items: Mapping[str, Item], validators: Mapping[str, Validator]
) -> tuple[list[Judgement], list[Problem], list[Problem]]:
    """The judgements as they are kept, all that is wrong with them, and answers to ask about.

    Items by key, validators by stage.
    """
    judgements, problems, questions = [], [], list[Problem]()
    for line, one in records:
        item, validator = items.get(one.item.key), validators.get(one.stage)
        if validator is None:
            fix = f"Stages: {', '.join(validators)}."
            problems.append(Problem(what=f"no stage {one.stage!r}", rule="unknown_stage", fix=fix, line=line))
        elif item is None:
            fix = "Import into a study made from the same items, or into one without items."
            what = f"the study has no item {one.item.key!r}"
            problems.append(Problem(what=what, rule="unknown_item", fix=fix, line=line, value=one.item.key))
        else:
            judgement = validator.settle(item, one.judgement)
            found = _other_texts(item, one.item) or validator.problems(item, judgement)
            for those, told in ((problems, found), (questions, validator.questions(item, judgement))):
                those += [each.at(line=line, what=f"item {item.key}, {one.annotator}: {each.what}") for each in told]
            judgements.append(judgement)
    return judgements, problems, questions


def _other_texts(known: Item, given: Item) -> list[Problem]:
    """Texts of a record that differ from those of the study's item."""
    return [
        Problem(
            what=f"the field {name!r} is not the text that the study has",
            rule="other_text",
            value=text[:200],
            fix="The judgement is about another text: give the item another id.",
        )
        for name, text in given.fields.items()
        if name in known.fields and known.fields[name] != text
    ]
