"""Systems side by side: told by their texts whatever the headers are, shown with a reason, never a text for a name."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.items import Read, read_items_file
from rubrica.exchange.wide_columns import joined_columns, split_columns
from rubrica.protocols.catalog import load_shipped
from tests.conftest import Ran

ENGLISH = [
    "The committee recommended that no permits be issued until the dykes had been raised.",
    "The botanist kept meticulous records of flowering dates for several decades.",
    "Passengers whose service has been cancelled are entitled to accommodation.",
    "The excavation yielded a well preserved set of weaving tools.",
    "The archive was relocated to a former mine during the war.",
]
GERMAN = [
    "Die Kommission empfahl, keine weiteren Genehmigungen zu erteilen, bis die Deiche erhöht sind.",
    "Die Botanikerin führte jahrzehntelang sorgfältige Aufzeichnungen über die Blütezeiten.",
    "Fahrgäste, deren Verbindung ausgefallen ist, haben Anspruch auf eine Unterkunft.",
    "Bei der Ausgrabung wurden gut erhaltene Webwerkzeuge gefunden.",
    "Das Archiv wurde während des Krieges in ein ehemaliges Bergwerk verlegt.",
]
SPANISH = [
    "La comisión recomendó que no se concedieran permisos hasta que se elevaran los diques.",
    "La botánica llevó durante décadas registros minuciosos de las fechas de floración.",
    "Los pasajeros cuyo servicio se haya cancelado tienen derecho a alojamiento.",
    "La excavación proporcionó un conjunto bien conservado de herramientas de tejer.",
    "El archivo se trasladó a una antigua mina durante la guerra.",
]


def cut(text: str, words: int) -> str:
    """A rewrite: the first words, and a full stop."""
    return " ".join(text.split()[:words]).rstrip(".,") + "."


def rows_of(sentences: Sequence[str], systems: int) -> list[list[str]]:
    """Each sentence with this many rewrites of it."""
    return [[text, *(cut(text, 8 - place) for place in range(systems))] for text in sentences]


def written(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    """A table as CSV, or as Excel if the path ends so."""
    if path.suffix == ".xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for row in [header, *rows]:
            book.active.append(list(row))
        book.save(path)
        return path
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def read(path: Path, given: dict[str, str] | None = None, protocol: str = "quality") -> Read:
    """The items of a file."""
    return read_items_file(path, load_shipped(protocol).protocol, given or {}, True).read


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("header", "sentences"),
    [
        (["Original", "GPT-4", "T5", "Llama 2"], ENGLISH),
        (["Source sentence", "System A", "System B", "System C"], ENGLISH),
        (["source", "system", "model 2", "model 3"], ENGLISH),
        (["Sentence", "output_a", "output_b", "output_c"], ENGLISH),
        (["Text", "Simplification (GPT)", "Simplification (T5)", "Simplification (ours)"], ENGLISH),
        (["complex", "simplified_1", "simplified_2", "simplified_3"], ENGLISH),
        (["ORIGINAL TEXT", "Model", "Writer", "Group X"], ENGLISH),
        (["Originalsatz", "Modell A", "Modell B", "Vereinfachung Ö"], GERMAN),
        (["Satz", "Ausgabe 1", "Ausgabe 2", "Ausgabe 3"], GERMAN),
        (["Oración original", "Sistema 1", "Sistema 2", "Sistema 3"], SPANISH),
        (["Texto", "MUSS", "Claro, v2", "Salida\nfinal"], SPANISH),
    ],
)
def test_columns_of_systems_are_recognised(
    header: list[str], sentences: list[str], ending: str, tmp_path: Path
) -> None:
    """Whatever they are called, in three languages: one item for each sentence and system, named by its header."""
    found = read(written(tmp_path / f"wide.{ending}", header, rows_of(sentences, 3)))
    names = [" ".join(name.split()) for name in header[1:]]
    assert found.arithmetic == "5 sentences × 3 systems = 15 items"
    assert [item.system for item in found.items] == names * 5
    assert [item.fields["rewrite"] for item in found.items[:3]] == rows_of(sentences, 3)[0][1:]
    assert {item.fields["source"] for item in found.items} == set(sentences)
    assert "resemble" in found.matched.why["rewrite"]
    assert len({item.key for item in found.items}) == 15


def test_what_stands_beside_is_not_taken_for_a_system(tmp_path: Path) -> None:
    """Ids, a reference, a genre, a score, a remark and a copy of the source are no systems; ids go into the keys."""
    header = ["Nr.", "Genre", "Original", "GPT-4", "T5", "Reference", "Length", "Note", "Original (tokenised)"]
    rows = [
        [f"s{place}", "news", text, one, two, cut(text, 5), str(len(text)), "please check this one again", text]
        for place, (text, one, two) in enumerate(rows_of(ENGLISH, 2), start=1)
    ]
    found = read(written(tmp_path / "wide.xlsx", header, rows))
    assert found.matched.systems == ("GPT-4", "T5")
    assert [item.key for item in found.items[:3]] == ["s1-GPT-4", "s1-T5", "s2-GPT-4"]
    assert {one.column: one.taken for one in found.matched.offered} == {
        "GPT-4": True, "T5": True, "Reference": False, "Original (tokenised)": False,
    }  # fmt: skip
    assert set(found.items[0].metadata) == {"Genre", "Reference", "Length", "Note", "Original (tokenised)"}


def test_a_long_table_stays_what_it_is(tmp_path: Path) -> None:
    """With a column that names systems, or one that is called rewrite, a row is an item."""
    long = [[text, one, "gpt", two] for text, one, two in rows_of(ENGLISH, 2)]
    found = read(written(tmp_path / "a.csv", ["source", "output", "system", "earlier output"], long))
    assert (found.matched.systems, len(found.items), found.items[0].system) == ((), 5, "gpt")
    found = read(written(tmp_path / "b.csv", ["source", "rewrite", "second opinion"], rows_of(ENGLISH, 2)))
    assert (found.matched.systems, len(found.items)) == ((), 5)
    assert found.items[0].metadata.keys() == {"second opinion"}


def test_a_system_without_a_text_is_said_with_its_row(tmp_path: Path) -> None:
    """Rows in which a system lacks an output are named and have no item for it; a column without any is refused."""
    rows = rows_of(ENGLISH, 3)
    rows[1][2] = rows[3][2] = "  "
    path = written(tmp_path / "wide.csv", ["source", "A", "B", "C"], rows)
    found = read(path, {"rewrite": "A,B,C"})
    assert found.remarks == ["B has no text in row 3, 5: left out"]
    assert found.arithmetic == "5 sentences × 3 systems, less 2 without a text, = 13 items"
    for row in rows:
        row[2] = ""
    with pytest.raises(InputError) as caught:
        read(written(path, ["source", "A", "B", "C"], rows), {"rewrite": "A,B,C"})
    assert [problem.what for problem in caught.value.problems] == ["the column 'B' has no text"]


@pytest.mark.parametrize(
    ("given", "rules"),
    [
        ({"rewrite": "A,B,Z"}, ["unknown_column"]),
        ({"rewrite": "A,B", "source": "A"}, ["one_field"]),
        ({"rewrite": "A", "source": "A"}, ["one_field"]),
        ({"rewrite": "A", "system": "B"}, ["system"]),
        ({"rewrite": "A,B", "system": "Who"}, ["system"]),
    ],
)
def test_columns_that_cannot_be_are_refused(given: dict[str, str], rules: list[str], tmp_path: Path) -> None:
    """An unknown column, one for two fields, a text as a system's name, systems named in two ways."""
    rows = [[*row, "gpt"] for row in rows_of(ENGLISH, 2)]
    with pytest.raises(InputError) as caught:
        read(written(tmp_path / "wide.csv", ["source", "A", "B", "Who"], rows), given)
    assert [problem.rule for problem in caught.value.problems] == rules


def test_columns_that_are_called_the_same_are_told_apart(tmp_path: Path) -> None:
    """Systems get a number behind their name, with a word; counts of words beside each text disturb nobody."""
    header, counted = ["source", "words", "Simplified", "words", "Simplified", "words"], rows_of(ENGLISH, 2)
    rows = [[one for text in row for one in (text, str(len(text.split())))] for row in counted]
    found = read(written(tmp_path / "wide.xlsx", header, rows))
    assert found.matched.systems == ("Simplified", "Simplified (2)")
    assert found.matched.unused == ("words", "words (2)", "words (3)")
    assert "several columns are called 'Simplified': all but the first have a number behind it" in found.remarks


def test_a_field_whose_column_stands_twice_is_refused(tmp_path: Path) -> None:
    """Which of two sources is meant cannot be told; the one that is named is taken."""
    path = written(tmp_path / "long.csv", ["source", "rewrite", "source"], rows_of(ENGLISH, 2))
    with pytest.raises(InputError) as caught:
        read(path)
    assert "'source' stands twice" in caught.value.problems[0].what
    assert caught.value.problems[0].fix.endswith("if the file has no header: --no-header.")
    assert read(path, {"source": "source (2)"}).items[0].fields["source"] == cut(ENGLISH[0], 7)


@pytest.mark.parametrize(
    "above",
    [
        [["Our sentences", "", "", ""]],
        [["Sentences", "", "", "Systems"]],
        [["Sentences", "", "Systems", ""]],
        [["Project", "Simple words", "", ""], ["Date", "2026", "", ""], ["", "", "", ""]],
    ],
    ids=["a title", "names at both ends", "names that span", "facts"],
)
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_stands_above_the_header_is_left_out(above: list[list[str]], ending: str, tmp_path: Path) -> None:
    """A title, merged names, facts of the project: the row that names all columns is the header, and it is said."""
    rows = [[str(number), *row] for number, row in enumerate(rows_of(ENGLISH, 2), start=1)]
    path = written(tmp_path / f"titled.{ending}", above[0], [*above[1:], ["Nr", "Original", "A", "B"], *rows])
    detected, found = read_items_file(path, load_shipped("quality").protocol, {}, True)
    assert found.matched.systems == ("A", "B")
    assert (len(found.items), found.items[0].fields["source"]) == (10, ENGLISH[0])
    assert detected.endswith(f"header in row {len(above) + 1}: what stands above is not read")


def test_a_header_in_two_rows_is_joined(tmp_path: Path) -> None:
    """Names of systems stand below a word that spans them; the other names may be merged with the row below."""
    from openpyxl import Workbook, load_workbook

    book = Workbook()
    rows = [[str(number), *row, "fine"] for number, row in enumerate(rows_of(ENGLISH, 2), start=1)]
    for row in [["Nr", "Original", "Systems", "", "Remark"], ["", "", "A", "B", ""], *rows]:
        book.active.append(row)
    book.active.merge_cells("C1:D1")
    book.save(tmp_path / "plain.xlsx")
    for place in ("A1:A2", "B1:B2", "E1:E2"):
        book.active.merge_cells(place)
    book.save(tmp_path / "merged.xlsx")
    assert load_workbook(tmp_path / "merged.xlsx").active["A2"].value is None
    for name in ("plain", "merged"):
        found = read(tmp_path / f"{name}.xlsx")
        assert (found.matched.systems, found.matched.unused) == (("A", "B"), ("Remark",))
        assert [item.key for item in found.items[:2]] == ["1-A", "1-B"]


def test_titles_above_columns_without_names_are_one_problem(tmp_path: Path) -> None:
    """Where no row names all columns, it is said once, with what to do in Excel, not as a fault of every row."""
    rows = [[str(number), *row] for number, row in enumerate(rows_of(ENGLISH, 2), start=1)]
    path = written(tmp_path / "titled.xlsx", ["Our sentences", "", "", ""], [["Nr", "Original", "", "B"], *rows])
    with pytest.raises(InputError) as caught:
        read(path)
    [problem] = caught.value.problems
    assert (problem.rule, problem.line) == ("title", 1)
    assert "of the 4 columns that are filled in below it" in problem.what
    assert "delete rows above the real one, part merged cells" in problem.fix


def test_a_sentence_merged_over_the_rows_of_its_systems_is_that_of_each(tmp_path: Path) -> None:
    """A row for each system, and beside them one cell for the sentence."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["Sentence", "System", "Output"])
    for source, *rewrites in rows_of(ENGLISH, 3):
        top = book.active.max_row + 1
        for place, text in enumerate(rewrites):
            book.active.append([source if place == 0 else None, "ABC"[place], text])
        book.active.merge_cells(f"A{top}:A{top + 2}")
    book.save(tmp_path / "long.xlsx")
    found = read(tmp_path / "long.xlsx")
    assert [item.fields["source"] for item in found.items] == [text for text in ENGLISH for _ in "ABC"]
    assert [item.system for item in found.items] == list("ABC") * 5


def test_a_word_for_a_missing_text_is_named(tmp_path: Path) -> None:
    """Nobody should judge n/a, or a dash, as a rewrite without the researcher knowing."""
    rows = rows_of(ENGLISH, 2)
    rows[1][2], rows[3][1] = "n/a", " – "
    found = read(written(tmp_path / "wide.csv", ["source", "A", "B"], rows))
    assert any("'n/a' in row 3 (B), '–' in row 5 (A) as a text" in remark for remark in found.remarks)


def test_formulas_that_were_never_computed_are_named(tmp_path: Path) -> None:
    """Programs write formulas without their results: such a column looks empty, and would be missed in silence."""
    rows = [[*row, f"=A{number}"] for number, row in enumerate(rows_of(ENGLISH, 2), start=2)]
    told = "formulas were never computed in 'C' (5): they are read as empty, so open the file with a spreadsheet"
    path = written(tmp_path / "wide.xlsx", ["source", "A", "B", "C"], rows)
    assert any(remark.startswith(told) for remark in read(path).remarks)
    with pytest.raises(InputError) as caught:
        read(written(tmp_path / "all.xlsx", ["source", "C"], [[row[0], row[3]] for row in rows]))
    assert told in caught.value.problems[0].what


def test_the_line_by_which_excel_knows_the_sign_is_no_header(tmp_path: Path) -> None:
    """``sep=;`` says what parts the fields; rows keep their lines."""
    path = tmp_path / "told.csv"
    lines = ["sep=;", "source;A;B", *(";".join(f'"{text}"' for text in row) for row in rows_of(ENGLISH, 2))]
    path.write_text("\r\n".join(lines), encoding="utf-8")
    assert len(read(path).items) == 10
    path.write_text("\r\n".join([*lines, "one;two"]), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.problems[0].line == 8


def test_systems_with_the_same_texts_are_named(tmp_path: Path) -> None:
    """A copied column is taken as it was given, with a word: everything of it would be judged twice."""
    rows = [[*row, row[1]] for row in rows_of(ENGLISH, 2)]
    found = read(written(tmp_path / "copied.xlsx", ["Original", "T5", "BART", "t5"], rows))
    assert "'T5' and 't5' have the same text in every row: is one of them a copy?" in found.remarks


def test_a_column_without_a_name_is_no_title(tmp_path: Path) -> None:
    """Programs write numbers of rows into a first column without a name, and people remarks beside the table."""
    rows = [[str(number), *row] for number, row in enumerate(rows_of(ENGLISH, 2), start=1)]
    assert len(read(written(tmp_path / "numbered.xlsx", ["", "Original", "A", "B"], rows)).items) == 2 * len(rows)
    rows[1].append("look again")
    with pytest.raises(InputError) as caught:
        read(written(tmp_path / "remark.xlsx", ["Nr", "Original", "A", "B"], rows))
    assert caught.value.problems[0].fix == "Name the column in the header, or empty the cells beside the table."


def test_names_with_commas_can_be_given(tmp_path: Path) -> None:
    """A list of columns reads back as it was written, quoted where a name has a comma."""
    path = written(tmp_path / "wide.csv", ["source", "Claro, v2", "B"], rows_of(ENGLISH, 2))
    given = joined_columns(["Claro, v2", "B"])
    assert [item.system for item in read(path, {"rewrite": given}).items[:2]] == ["Claro, v2", "B"]
    assert read(path, {"rewrite": "Claro, v2"}).matched.systems == ()
    from rubrica.exchange.tables import read_table

    assert split_columns(given, read_table(path)) == ["Claro, v2", "B"]


def test_the_command_shows_what_it_makes_of_it(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Sentences times systems and three whole rows; `--map rewrite=A,B` takes some of the columns."""
    path = written(tmp_path / "wide.xlsx", ["Original", "GPT-4", "T5", "Ours"], rows_of(ENGLISH, 3))
    made = rubrica("study", "new", "all", "--protocol", "quality", "--items", path)
    assert made.code == 0, made.err
    assert "rewrite <- 'GPT-4', 'T5', 'Ours' (their texts resemble those of 'Original' row by row)" in made.err
    assert "5 sentences × 3 systems = 15 items" in made.err
    assert made.err.count(" source: ") == 3
    assert ENGLISH[0] in made.err
    assert "rate: 15 items x 3 = 45 judgements" in made.out
    some = rubrica("study", "new", "two", "--protocol", "quality", "--items", path, "--map", "rewrite=GPT-4,Ours")
    assert "5 sentences × 2 systems = 10 items" in some.err
    assert "kept as metadata: 'T5'" in some.err
    wrong = rubrica("study", "new", "no", "--protocol", "quality", "--items", path, "--map", "rewrite=GPT-4,Our")
    assert wrong.code == 1
    assert "there is no column 'Our'" in wrong.err
    assert "Did you mean 'Ours'?" in wrong.err


def test_labels_are_not_taken_for_texts(tmp_path: Path) -> None:
    """A column Source that says where texts come from is kept as metadata; the texts are found elsewhere."""
    kinds = ["news", "report", "Wikipedia article"]
    for header in ("Source", "Source of the text", "source"):
        rows = [[kinds[at % 3], *row] for at, row in enumerate(rows_of(ENGLISH * 3, 3))]
        rows = [[label, *(f"{text} {at}" for text in texts)] for at, (label, *texts) in enumerate(rows)]
        columns = [header, "Complex sentence", "BART (2024)", "T5", "GPT v3"]
        file = written(tmp_path / "labels.xlsx", columns, rows)
        _, read = read_items_file(file, load_shipped("quality").protocol, {}, True)
        assert read.matched.columns["source"] == "Complex sentence"
        assert read.matched.systems == ("BART (2024)", "T5", "GPT v3")
        assert read.items[0].metadata == {header: "news"}


def test_substitutes_may_be_few(tmp_path: Path) -> None:
    """A substitute is a word, so that the same ones in many rows are no reason to overlook their column."""
    rows = [[text, text.split()[-1].strip("."), ("plan", "thing")[at % 2]] for at, text in enumerate(ENGLISH * 3)]
    file = written(tmp_path / "few.csv", ["context", "target", "substitute"], rows)
    _, read = read_items_file(file, load_shipped("lexical_posthoc").protocol, {}, True)
    assert read.matched.columns["substitute"] == "substitute"


def test_a_source_of_any_name_is_told_by_the_texts_beside_it(tmp_path: Path) -> None:
    """Where no header says which column is the original, it is the leftmost that several others resemble."""
    file = written(tmp_path / "odd.csv", ["Stimulus (A)", "B", "C", "Bemerkung"], _remarked())
    _, read = read_items_file(file, load_shipped("quality").protocol, {}, True)
    assert read.matched.columns["source"] == "Stimulus (A)"
    assert read.matched.why["source"] == "texts of other columns resemble it row by row"
    assert read.matched.systems == ("B", "C")
    with pytest.raises(InputError):
        read_items_file(file, load_shipped("quality").protocol, {"source": ""}, True)


def _remarked() -> list[list[str]]:
    return [[*row, f"Das ist eine längere Bemerkung zu Zeile {at}."] for at, row in enumerate(rows_of(GERMAN, 2))]


def test_equal_texts_are_counted(tmp_path: Path) -> None:
    """Rewrites that are their original, and sentences that two systems rewrote alike, are said with what it means."""
    rows = rows_of(ENGLISH, 3)
    rows[0][1] = f" {rows[0][0]}"
    rows[1][2] = rows[1][0]
    rows[2][3] = rows[2][1]
    found = read(written(tmp_path / "equal.xlsx", ["Original", "A", "B", "C"], rows))
    total = 3 * len(rows)
    assert f"2 of {total} rewrites equal their original: people judge them like any other" in found.remarks
    assert "1 sentence has the same rewrite by two systems: people judge it once for each of them" in found.remarks


TOWNS = ["Bergen", "Odense", "Tartu", "Gdynia", "Lahti", "Turku", "Malmö", "Visby", "Narva", "Aarhus"]
YEARLY = (
    "Although the council of {town} had announced in {year} that its harbour would be renewed, lengthy procedures and "
    "a shortage of skilled workers have meant that only a small part of the funds was spent."
)


def _sentences_alike() -> list[list[str]]:
    """Sentences that differ in two words, a close rewrite, a free one that shares next to nothing, and one between."""
    return [
        [
            YEARLY.format(town=town, year=1990 + at),
            f"The council of {town} announced in {1990 + at} that its harbour would be renewed. Little was spent.",
            f"Ships still dock as they always did there, says somebody who lives by the sea, at number {at}.",
            f"In {1990 + at} {town} wanted a better harbour. There were too few skilled workers.",
        ]
        for at, town in enumerate(TOWNS)
    ]


def test_sentences_that_are_alike_are_told_apart_row_by_row(tmp_path: Path) -> None:
    """Where all originals share most of their words, it counts in how many rows the own one is the nearer."""
    path = written(tmp_path / "alike.xlsx", ["Satz", "GPT-4o", "System 1", "T5"], _sentences_alike())
    found = read(path)
    assert found.matched.systems == ("GPT-4o", "T5")
    [free] = [one for one in found.matched.offered if one.column == "System 1"]
    assert (free.taken, free.against, free.why) == (False, "", "it has a text in every row")


def test_free_rewrites_are_taken_where_nothing_else_is(tmp_path: Path) -> None:
    """Texts of fitting length in every row are the rewrites if none resembles the original; remarks are not."""
    rows = [[row[0], row[2], row[2].upper(), f"I have to ask somebody about the harbour here, again: {row[0][:90]}"]
            for row in _sentences_alike()]  # fmt: skip
    found = read(written(tmp_path / "free.xlsx", ["Original", "A", "B", "My remarks"], rows))
    assert (found.matched.systems, found.matched.why["rewrite"]) == (("A", "B"), "they have a text in every row")
    assert next(one.against for one in found.matched.offered if one.column == "My remarks") == (
        "its name is that of remarks"
    )
    found = read(written(tmp_path / "one.xlsx", ["Original", "Ours"], [row[:2] for row in rows]))
    assert (found.matched.columns["rewrite"], found.matched.systems) == ("Ours", ())


def test_words_out_of_the_original_are_no_rewrites(tmp_path: Path) -> None:
    """A column of short quotations resembles its original in every row, and is offered, not taken."""
    rows = [[*row, " ".join(row[0].split()[2:4])] for row in rows_of(ENGLISH, 2)]
    found = read(written(tmp_path / "words.xlsx", ["Original", "A", "B", "Hard phrase"], rows))
    assert found.matched.systems == ("A", "B")
    assert "much shorter" in next(one.why for one in found.matched.offered if one.column == "Hard phrase")


@pytest.mark.parametrize(
    "header",
    [["N°", "Phrase originale"], ["Identifiant", "Texte source"], ["Numero", "Frase originale"],
     ["Número", "Texto original"], ["Linha", "Oração complexa"]],
)  # fmt: skip
def test_french_italian_and_portuguese_headers_are_usual_names(header: list[str], tmp_path: Path) -> None:
    """The original and its number are known by their names, also where no texts could tell them."""
    rows = [[str(at), *row] for at, row in enumerate(rows_of(ENGLISH, 1), start=1)]
    matched = read(written(tmp_path / "names.csv", [*header, "T5"], rows)).matched
    assert (matched.columns["id"], matched.columns["source"]) == tuple(header)
    assert matched.why["source"] == "a usual name for it"


@pytest.mark.parametrize("beside", [[], ["look again"]], ids=["texts alone", "a remark beside some rows"])
def test_a_file_without_a_header_is_one_problem(beside: list[str], tmp_path: Path) -> None:
    """The first sentence is never taken for a name, nor lost, nor is every row a fault; without a header it is read."""
    rows = [[str(at), *row] for at, row in enumerate(rows_of(ENGLISH, 3), start=1)]
    rows[2] += beside
    path = written(tmp_path / "bare.xlsx", rows[0], rows[1:])
    with pytest.raises(InputError) as caught:
        read(path)
    [problem] = caught.value.problems
    assert (problem.rule, problem.line) == ("header", 1)
    assert problem.fix.startswith("If the file has no header: --no-header.")
    found = read_items_file(path, load_shipped("quality").protocol, {}, False).read
    assert (len(found.items), found.matched.columns["source"]) == (15, "2")
    assert "the systems are called 3, 4, 5 in tables" in found.remarks[0]


def test_columns_can_be_given_on_one_line(tmp_path: Path) -> None:
    """Line breaks in headers of a workbook need not be typed."""
    path = written(tmp_path / "wide.xlsx", ["The original\nsentence", "GPT-4o\n(2024)", "T5"], rows_of(ENGLISH, 2))
    found = read(path, {"source": "The original sentence", "rewrite": "T5,GPT-4o (2024)"})
    assert [item.system for item in found.items[:2]] == ["T5", "GPT-4o (2024)"]


def test_an_id_that_stands_twice_is_said_once(tmp_path: Path) -> None:
    """Not once for every system of its row."""
    rows = [["7", *row] for row in rows_of(ENGLISH, 3)[:2]]
    with pytest.raises(InputError) as caught:
        read(written(tmp_path / "ids.csv", ["id", "source", "A", "B", "C"], rows), {"rewrite": "A,B,C"})
    assert [problem.what for problem in caught.value.problems] == ["the id '7' was already used on line 2"]


def test_the_sheet_that_has_the_columns_is_read(tmp_path: Path) -> None:
    """A cover or an empty sheet before it does not matter; sheets that are not read are named."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["About these data"])
    page = book.create_sheet("Sentences")
    page.append(["Original", "A", "B"])
    book.create_sheet("Notes")
    book.save(tmp_path / "two.xlsx")
    with pytest.raises(InputError) as caught:
        read(tmp_path / "two.xlsx")
    assert "nor has the sheet 'Sentences', 'Notes' columns for all of it" in caught.value.problems[0].what
    for row in rows_of(ENGLISH, 2):
        page.append(row)
    book.save(tmp_path / "two.xlsx")
    detected, found = read_items_file(tmp_path / "two.xlsx", load_shipped("quality").protocol, {}, True)
    assert (detected, len(found.items)) == ("Excel, sheet 'Sentences'", 10)
    assert "only this sheet is read, not 'Sheet', 'Notes'" in found.remarks
    book.active["A1"] = None
    book.save(tmp_path / "empty.xlsx")
    assert len(read(tmp_path / "empty.xlsx").items) == 10


def test_the_command_names_what_it_did_not_take(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Columns that may be a system's too are said with the reason and the option that takes them."""
    path = written(tmp_path / "wide.csv", ["source", "rewrite", "GPT-4o"], rows_of(ENGLISH, 2))
    made = rubrica("study", "new", "one", "--protocol", "quality", "--items", path)
    assert "not taken for a system: 'GPT-4o' (its texts resemble those of 'source' row by row)" in made.err
    assert "--map rewrite=rewrite,GPT-4o" in made.err
