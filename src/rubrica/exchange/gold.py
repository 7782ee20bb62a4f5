"""Items with known answers, which measure the annotator: read from a table and checked like judgements."""

from __future__ import annotations

from pathlib import Path

from rubrica.core.answers import Answers
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.items import read_items
from rubrica.exchange.records import RecordReader
from rubrica.exchange.tables import read_table


def read_gold(file: Path, protocol: Protocol) -> list[tuple[Item, Answers]]:
    """Items with known answers: a table with the fields and, in columns named like questions, the answers.

    Raises InputError with every problem; an item needs at least one known answer.
    """
    table = read_table(file)
    read = read_items(table, protocol)
    reader, validator = RecordReader(protocol), Validator(protocol)
    gold: list[tuple[Item, Answers]] = []
    problems: list[Problem] = []
    for item, row in zip(read.items, table.rows, strict=True):
        record = reader.from_row({**row.values, "item": item.key, "annotator": "gold"}, row.line)
        answers = record.judgement.answers if record else {}
        found = validator.problems(item, Judgement(answers), complete=False)
        if not answers:
            questions = ", ".join(question.id for question in protocol.questions)
            found.append(Problem(what="no known answer", rule="gold", fix=f"Fill in one of the columns {questions}."))
        problems += [problem.at(file=str(file), line=row.line) for problem in found]
        gold.append((item, answers))
    problems += [problem.at(file=str(file)) for problem in reader.problems]
    if problems:
        raise InputError(*problems)
    return gold
