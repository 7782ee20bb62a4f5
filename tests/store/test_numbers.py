"""One rule for numbers, through every entrance that reads one."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import pytest
import typer
from django.core.exceptions import ValidationError

from rubrica.cli.options import read_numbers
from rubrica.core.errors import InputError
from rubrica.core.scales import Ordinal
from rubrica.core.typed import Fault, number, whole, with_point
from rubrica.exchange.imports import read_records
from rubrica.exchange.rating_values import Cell, Reading, parse_column
from rubrica.exchange.scores import read_scores, sentence_scores
from rubrica.exchange.sheets.cells import CellReader
from rubrica.exchange.tables import read_table
from tests.conftest import Ran
from tests.exchange.sheet_making import protocol_of

PROTOCOL = protocol_of("adequacy_fluency")
QUESTION = next(question for question in PROTOCOL.questions if isinstance(PROTOCOL.scale_of(question), Ordinal))


def table(folder: Path, *rows: tuple[str, ...]) -> Path:
    """A file of these rows."""
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(rows)
    return folder / "rows.csv"


def in_a_sheet(text: str, _: Path) -> object:
    """What a cell of a sheet says."""
    return CellReader(PROTOCOL, "en").value(QUESTION.scale, text)


def in_ratings(text: str, _: Path) -> object:
    """What a cell of a ratings file says."""
    found = parse_column("score", [Cell("1", 2), Cell("2", 3), Cell(text, 4)], Reading())
    return found.problems[0].value if found.problems else found.answers[-1]


def in_an_import(text: str, folder: Path) -> object:
    """What an imported row says."""
    fields = [field.id for field in PROTOCOL.fields]
    header = ("item", "annotator", *fields, QUESTION.id)
    file = table(folder, header, ("1", "ana", *("A short text." for _ in fields), text))
    ((_, record),) = read_records(file, PROTOCOL)
    return record.judgement.answers[QUESTION.id]


def in_scores_of_sentences(text: str, folder: Path) -> object:
    """What a table of scores by sentence says."""
    file = table(folder, ("item", "m"), ("1", "1"), ("2", "2"), ("3", text))
    try:
        return sentence_scores(read_table(file)).scores[-1]["m"]
    except InputError as error:
        return error.problems[0].value


def in_scores_of_systems(text: str, folder: Path) -> object:
    """What a table of scores by system says."""
    try:
        return read_scores(table(folder, ("system", "m"), ("A", text)))[0].value
    except InputError as error:
        return error.problems[0].value


def in_a_profile(text: str, _: Path) -> object:
    """What somebody wrote about themselves."""
    from rubrica.core.profile import Asked, checked

    try:
        return checked([Asked("hours", "number", -1e6, 1e6, whole=False)], {"hours": text})["hours"]
    except InputError as error:
        return error.problems[0].value


def in_an_option(text: str, _: Path) -> object:
    """What an option of a command says: the command line reads all of them as it reads this one."""
    app, found = typer.Typer(), []

    @app.command()
    def command(least: Annotated[float, typer.Option("--least")] = 0.0) -> None:
        found.append(least)

    read = typer.main.get_command(app)
    read_numbers(read)
    read(args=["--least", text], standalone_mode=False)
    return found[0]


def in_a_form(text: str, _: Path) -> object:
    """What a form of the setup says."""
    from rubrica.studio.studies.setup_steps import FloatField

    return FloatField().clean(text)


def on_a_page_without_script(text: str, _: Path) -> object:
    """What the page's form says where its script does not run."""
    from django.http import QueryDict

    from rubrica.core.validation import Validator
    from rubrica.studio.annotate.desk_form import said_from_post

    post = QueryDict(mutable=True)
    post[f"lease.{QUESTION.id}"] = text
    [said] = said_from_post(post, Validator(PROTOCOL, PROTOCOL.stages[0]), ["lease"])
    return said.answers[QUESTION.id]


REFUSING: tuple[Callable[[str, Path], object], ...] = (in_an_option, in_a_form)
"""Those that end with a message of their own instead of keeping the text."""
ENTRANCES = [
    in_a_sheet,
    in_ratings,
    in_an_import,
    in_scores_of_sentences,
    in_scores_of_systems,
    in_a_profile,
    on_a_page_without_script,
    *REFUSING,
]


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("2.5", 2.5),
        ("2,5", 2.5),
        ("0,125", 0.125),
        ("2,50", 2.5),
        ("−1", -1),
        ("1,234", "1,234"),
        ("12,345", "12,345"),
        ("1,2,3", "1,2,3"),
        ("1_000", "1_000"),
        ("2026-03-05", "2026-03-05"),
    ],
)
def test_a_text_is_the_same_number_everywhere(
    entrance: Callable[[str, Path], object], text: str, value: object, tmp_path: Path, home: Path
) -> None:
    """A decimal comma is one where it can be nothing else; what could be thousands is refused, whoever reads it."""
    if entrance in REFUSING and isinstance(value, str):
        with pytest.raises((typer.BadParameter, ValidationError)):
            entrance(text, tmp_path)
    else:
        assert entrance(text, tmp_path) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), (" 5 ", 5), ("5.0", 5), ("٥", 5), ("²", None), ("1_0", None), ("2,5", None), ("10", None)],
)
def test_a_whole_number_is_one_wherever_one_is_typed(text: str, value: int | None, rubrica: Callable[..., Ran]) -> None:
    """Forms, addresses and lists in options read whole numbers alike; what only looks like a digit is none."""
    from django.http import QueryDict

    from rubrica.studio.studies.arithmetic import people_from
    from rubrica.studio.studies.setup_steps import WholeField

    assert whole(text, 1, 9) == value
    query = QueryDict(mutable=True)
    query["annotators"] = text
    assert people_from(query).number == (10 if text == "10" else value)
    try:
        cleaned = WholeField(max_value=9).clean(text)
    except ValidationError:
        cleaned = None
    assert cleaned == value
    made = rubrica("study", "new", "t", "--protocol", "breve", "--overlap", text)
    assert (made.code == 0) == (value is not None or text == "10")
    if value is not None:
        assert rubrica("study", "show", "t", "--json").json["study"]["stages"][0]["overlap"] == value


@pytest.mark.parametrize("text", ["1,234", "1.234,5", "1,234.5", "1 234", "1'234"])
def test_thousands_have_a_reason(text: str) -> None:
    """What may stand between thousands is refused with that reason and an example."""
    found = number(text)
    assert isinstance(found, Fault)
    assert (found.rule, "1234.5" in found.fix) == ("decimal", True)


def test_every_digit_is_kept() -> None:
    """Money is read from the text itself, with the digits that were given."""
    assert with_point(" 12,50 ") == "12.50"
