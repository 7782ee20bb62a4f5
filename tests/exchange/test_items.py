"""From a table to items: columns are found by name, label or alias, and every bad row is reported at once."""

from __future__ import annotations

from pathlib import Path

import polars
import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.items import MAX_TEXT, Read, excel_length, read_items
from rubrica.exchange.tables import read_table
from tests.exchange.sheet_making import protocol_of


def items_of(tmp_path: Path, protocol_id: str, text: str, given: dict[str, str] | None = None) -> Read:
    """Items of a CSV file."""
    path = tmp_path / "items.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return read_items(read_table(path), protocol_of(protocol_id), given)


def refused(tmp_path: Path, protocol_id: str, text: str, given: dict[str, str] | None = None) -> list[Problem]:
    """The problems for which items are refused."""
    with pytest.raises(InputError) as caught:
        items_of(tmp_path, protocol_id, text, given)
    return list(caught.value.problems)


def test_items_have_their_fields_and_what_else_was_there(tmp_path: Path) -> None:
    """Fields, id, system, author and group are known columns; the others are kept as metadata, blanks left out."""
    read = items_of(
        tmp_path,
        "breve",
        "id,source,rewrite,system,author,group,domain,empty\nx1,Uno.,Dos.,gpt,ana,g,news,\n",
    )
    (item,) = read.items
    assert item.fields == {"source": "Uno.", "rewrite": "Dos."}
    assert (item.key, item.system, item.author, item.group) == ("x1", "gpt", "ana", "g")
    assert item.metadata == {"domain": "news"}
    assert read.matched.unused == ("domain", "empty")


@pytest.mark.parametrize(
    ("protocol_id", "header", "fields"),
    [
        ("breve", "SOURCE,Rewrite", ("source", "rewrite")),
        ("breve", " Original , Reescritura ", ("source", "rewrite")),
        ("breve", "oración original,Suggested Rewrite", ("source", "rewrite")),
        ("breve", "source-sentence,output", ("source", "rewrite")),
        ("adequacy_fluency", "original,prediction", ("reference", "hypothesis")),
        ("adequacy_fluency", "Referencia,Hipótesis", ("reference", "hypothesis")),
        ("lexical_complexity", "sentence,Palabra", ("context", "target")),
        ("salsa", "complex,simple", ("source", "rewrite")),
        ("split_rate", "Complex,Simple", ("source", "rewrite")),
    ],
)
def test_columns_are_found_by_id_label_or_alias_in_any_case(
    protocol_id: str, header: str, fields: tuple[str, str], tmp_path: Path
) -> None:
    """Spaces, hyphens and capital letters do not matter, nor the language of the label."""
    read = items_of(tmp_path, protocol_id, f"{header}\none two,two\n")
    assert read.items[0].fields == dict(zip(fields, ("one two", "two"), strict=True))


@pytest.mark.parametrize(
    ("protocol_id", "header", "fields"),
    [
        ("breve", "Original text,Rewritten text", ("source", "rewrite")),
        ("breve", "Texto original,Texto simplificado", ("source", "rewrite")),
        ("breve", "ORACION ORIGINAL (ES),Propuesta:", ("source", "rewrite")),
        ("breve", "sourceText,systemOutput", ("source", "rewrite")),
        ("breve", "Original sentence,Simplified text", ("source", "rewrite")),
        ("breve", "Orig. text,System output", ("source", "rewrite")),
        ("breve", "Original paragraph,Plain language version", ("source", "rewrite")),
        ("breve", "Original passage,LLM output", ("source", "rewrite")),
        ("claro", "Párrafo original,Lenguaje claro", ("source", "rewrite")),
        ("breve", "Texto de partida,Texto meta", ("source", "rewrite")),
        ("claro", "before,after", ("source", "rewrite")),
        ("salsa", "Sentence,Simplification", ("source", "rewrite")),
        ("split_rate", "Texto,Versión reescrita", ("source", "rewrite")),
        ("adequacy_fluency", "Gold,Traducción", ("reference", "hypothesis")),
        ("lexical_complexity", "Frase,Palabra objetivo", ("context", "target")),
        ("lexical_complexity", "සන්දර්භය,word", ("context", "target")),
    ],
)
def test_usual_names_are_found_whatever_their_accents_punctuation_and_order(
    protocol_id: str, header: str, fields: tuple[str, str], tmp_path: Path
) -> None:
    """Words like text, texto or sentence beside the one that matters do not hide it."""
    read = items_of(tmp_path, protocol_id, f"{header}\none two,two\n")
    assert read.items[0].fields == dict(zip(fields, ("one two", "two"), strict=True))


@pytest.mark.parametrize("name", ["Nr.", "Nº", "N.º", "N°", "No.", "№", "#", "Número", "Item-ID", "ID.", "Sentence ID"])
def test_numbers_of_rows_are_ids(name: str, tmp_path: Path) -> None:
    """However a column of numbers is headed, its numbers are the items' ids."""
    assert [item.key for item in items_of(tmp_path, "breve", f"{name},source,rewrite\n8,a,b\n9,c,d\n").items] == [
        "8",
        "9",
    ]


def test_numbers_that_repeat_are_no_ids(tmp_path: Path) -> None:
    """A number shared by rows numbers something else: it is kept as metadata."""
    read = items_of(tmp_path, "breve", "Nr.,Modelo,source,rewrite\n1,x,a,b\n1,y,a,c\n")
    assert [(item.key, item.system, item.metadata) for item in read.items] == [
        ("1", "x", {"Nr.": "1"}),
        ("2", "y", {"Nr.": "1"}),
    ]


@pytest.mark.parametrize("name", ["split", "Result", "New text", "Text B", "Reference sentence", "target"])
def test_names_that_may_mean_something_else_are_not_guessed(name: str, tmp_path: Path) -> None:
    """The part of a data set, a score or a reference would be judged in place of the rewrite: it is asked for."""
    with pytest.raises(InputError, match="no column for the field 'rewrite'"):
        items_of(tmp_path, "breve", f"Original text,{name}\none,two\n")


def test_the_better_name_wins(tmp_path: Path) -> None:
    """An alias goes before a name that only contains it, and a name that says little comes last."""
    read = items_of(tmp_path, "breve", "text,Original text,original,simplified\na,b,c,d\n")
    assert read.items[0].fields == {"source": "c", "rewrite": "d"}
    assert read.items[0].metadata == {"text": "a", "Original text": "b"}


def test_a_field_named_by_its_id_goes_before_another_with_that_alias(tmp_path: Path) -> None:
    """The column called rewrite is the rewrite, though output would do as well, and output is kept."""
    read = items_of(tmp_path, "breve", "output,source,rewrite\nc,a,b\n")
    assert read.items[0].fields == {"source": "a", "rewrite": "b"}
    assert read.items[0].metadata == {"output": "c"}


def test_columns_can_be_named(tmp_path: Path) -> None:
    """What is named wins over what would have been found."""
    given = {"rewrite": "b2", "id": "nr", "system": "who"}
    read = items_of(tmp_path, "breve", "nr,source,rewrite,b2,who\n7,a,b,c,m\n", given)
    (item,) = read.items
    assert (item.key, item.system, item.fields["rewrite"]) == ("7", "m", "c")
    assert item.metadata == {"rewrite": "b"}


def test_wrong_names_are_reported_together_with_the_nearest_right_one(tmp_path: Path) -> None:
    """A field or a column that does not exist is reported, each with a suggestion, and so is what is missing."""
    problems = refused(tmp_path, "breve", "sauce,rewrit\na,b\n", {"sorce": "sauce", "rewrite": "rewrite"})
    assert [(problem.rule, problem.value) for problem in problems] == [
        ("unknown_field", "sorce"),
        ("unknown_column", "rewrite"),
        ("columns", "source"),
    ]
    assert "'source'" in problems[0].fix
    assert "'rewrit'" in problems[1].fix
    assert "--map source=COLUMN" in problems[2].fix


def test_every_missing_column_is_reported_with_those_that_are_there(tmp_path: Path) -> None:
    """All missing fields at once, beside rows that are broken for other reasons."""
    problems = refused(tmp_path, "breve", "one,two\na,b\nc\n")
    assert [(problem.rule, problem.line) for problem in problems] == [("columns", 1), ("columns", 1), ("width", 3)]
    assert "'one', 'two'" in problems[0].fix


def test_a_file_that_is_no_json_is_not_told_which_columns_it_lacks(tmp_path: Path) -> None:
    """Where nothing could be read, only that is said, line by line."""
    path = tmp_path / "items.jsonl"
    path.write_text("source;rewrite\nHola.;Hola.\n")
    with pytest.raises(InputError) as caught:
        read_items(read_table(path), protocol_of("breve"))
    assert [(problem.rule, problem.line) for problem in caught.value.problems] == [("json", 1), ("json", 2)]


def test_all_problems_of_all_rows_come_at_once_in_their_order(tmp_path: Path) -> None:
    """Empty fields, doubled ids, uneven rows and texts too long are each reported by line."""
    long = "x" * (MAX_TEXT + 1)
    text = f"id,source,rewrite\n1,a,b\n1,c,d\n2,,e\n3,f\n4,{long},g\n{'k' * 201},h,i\n5,  ,j\n"
    problems = refused(tmp_path, "breve", text)
    assert [(problem.rule, problem.line) for problem in problems] == [
        ("duplicate_id", 3),
        ("required", 4),
        ("width", 5),
        ("length", 6),
        ("length", 7),
        ("required", 8),
    ]
    assert all(problem.file.endswith("items.csv") for problem in problems)


def test_text_is_as_long_as_excel_takes_it_to_be(tmp_path: Path) -> None:
    """An emoji is two characters to Excel: what would not fit into a cell is refused before it is on a sheet."""
    assert excel_length("é👍") == 3
    fits, too_long = "👍" * (MAX_TEXT // 2), "👍" * (MAX_TEXT // 2 + 1)
    assert len(items_of(tmp_path, "breve", f"source,rewrite\n{fits},b\n").items) == 1
    assert [problem.rule for problem in refused(tmp_path, "breve", f"source,rewrite\n{too_long},b\n")] == ["length"]


def test_items_without_an_id_are_numbered(tmp_path: Path) -> None:
    """The number of the row is its id, and a given id that is the same number is a doubled one."""
    assert [item.key for item in items_of(tmp_path, "breve", "source,rewrite\na,b\nc,d\n").items] == ["1", "2"]
    assert [p.rule for p in refused(tmp_path, "breve", "id,source,rewrite\n2,a,b\n,c,d\n")] == ["duplicate_id"]


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    """A header alone makes no study."""
    assert [problem.rule for problem in refused(tmp_path, "breve", "source,rewrite\n")] == ["empty"]


def test_words_of_one_context_are_one_group(tmp_path: Path) -> None:
    """Items with the same context belong together; a long context is named by its beginning and a digest."""
    long = "word " * 60
    text = f"context,target\nThe big cat.,big\nThe big cat.,cat\n{long},word\n{long}x,word\n"
    groups = [item.group for item in items_of(tmp_path, "lexical_complexity", text).items]
    assert groups[0] == groups[1] == "The big cat."
    assert groups[2] != groups[3]
    assert all(len(group) <= 100 for group in groups)


def test_text_is_taken_as_it_stands(tmp_path: Path) -> None:
    """Leading signs, quotes, line breaks, spaces and other alphabets are part of the text."""
    text = 'source,rewrite\n"=1+1, ""so""\nyes","  @home 👍 e\u0301 "\n'
    assert items_of(tmp_path, "breve", text).items[0].fields == {
        "source": '=1+1, "so"\nyes',
        "rewrite": "  @home 👍 e\u0301 ",
    }


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "jsonl", "tsv"])
def test_items_come_from_every_format(ending: str, tmp_path: Path) -> None:
    """The same table in another format gives the same items."""
    frame = polars.DataFrame({"id": [1, 2], "source": ["=a", "é"], "rewrite": ["b", "d\ne"], "score": [0.5, None]})
    path = tmp_path / f"items.{ending}"
    match ending:
        case "parquet":
            frame.write_parquet(path)
        case "xlsx":
            import xlsxwriter

            with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
                page = book.add_worksheet()
                for row, values in enumerate([frame.columns, *frame.rows()]):
                    page.write_row(row, 0, values)
        case "jsonl":
            frame.write_ndjson(path)
        case _:
            frame.write_csv(path, separator="\t")
    items = read_items(read_table(path), protocol_of("breve")).items
    assert [(item.key, dict(item.fields), dict(item.metadata)) for item in items] == [
        ("1", {"source": "=a", "rewrite": "b"}, {"score": "0.5"}),
        ("2", {"source": "é", "rewrite": "d\ne"}, {}),
    ]
