"""Substitutes have one normalisation: blank and the word itself are one answer, order and capitals do not matter.

It is tried through the entrances: sheets and imports in, `agree`, `aggregate`, the report, exports and tables out.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.making import stored_sheet, type_into

Rubrica = Callable[..., Ran]
WORDS = {"w1": "commence", "w2": "vast", "w3": "bread"}
CONTEXTS = {"w1": "They commence work at nine.", "w2": "A vast field lay there.", "w3": "We bought bread."}
FULL_AGREEMENT: dict[str, dict[str, list[str]]] = {
    "ana": {"w1": ["start", "begin"], "w2": ["big", "large"], "w3": []},
    "bob": {"w1": ["Begin", "start"], "w2": ["Large", "big "], "w3": ["Bread"]},
}
"""Two people who mean the same everywhere, each in their own way of writing it."""


@pytest.fixture
def study(rubrica: Rubrica, tmp_path: Path) -> Callable[[Mapping[str, Mapping[str, Sequence[str]]]], None]:
    """Makes the study called words of what people answered, by importing it."""
    items = tmp_path / "words.csv"
    items.write_text("id,context,target\n" + "".join(f"{key},{CONTEXTS[key]},{word}\n" for key, word in WORDS.items()))
    made = rubrica("study", "new", "words", "--protocol", "lexical_simplification", "--items", items, "--overlap", 5)
    assert made.code == 0, made.err

    def judged(said: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        records = [
            {"item": item, "annotator": who, "answers": {"substitutes": list(words)}}
            for who, answers in said.items()
            for item, words in answers.items()
        ]
        file = tmp_path / "said.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        read = rubrica("import", "words", file)
        assert read.code == 0, read.err

    return judged


def agreement(ran: Ran) -> dict[str, float]:
    """Each measure of the question about substitutes."""
    assert ran.code == 0, ran.err
    return {row["measure"]: row["value"] for row in ran.json["results"] if row["question"] == "substitutes"}


def test_full_agreement_is_one(rubrica: Rubrica, study: Callable[..., None]) -> None:
    """Blank and the word itself, {big, large} and {Large, big} agree: alpha and percent agreement are 1."""
    study(FULL_AGREEMENT)
    found = agreement(rubrica("agree", "words", "--measure", "alpha,percent,fleiss,cohen", "--json"))
    assert found == pytest.approx({"alpha": 1, "percent": 1, "fleiss": 1, "cohen": 1})


def test_none_simpler_is_an_answer_of_its_own(rubrica: Rubrica, study: Callable[..., None]) -> None:
    """Two who both find none simpler have no variation, one who does and one who gives a word disagree."""
    study({"ana": {"w1": [], "w3": []}, "bob": {"w1": ["COMMENCE"], "w3": ["bread"]}})
    [row] = rubrica("agree", "words", "--json").json["results"]
    assert (row["value"], row["pairable"]) == (None, 4)
    assert row["reason"].startswith("no variation")
    study({"cleo": {"w1": ["begin"], "w3": ["loaf"]}})
    found = agreement(rubrica("agree", "words", "--measure", "percent", "--json"))
    assert found == pytest.approx({"percent": 1 / 3})


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_an_export_has_the_same_answers(
    rubrica: Rubrica, study: Callable[..., None], tmp_path: Path, form: str
) -> None:
    """An export keeps what was written, says what it is compared as, and gives the same figures as the study."""
    study(FULL_AGREEMENT)
    out = tmp_path / f"out.{form}"
    assert rubrica("export", "words", "--format", form, "-o", out).code == 0
    if form == "jsonl":
        records = {(one["item"], one["annotator"]): one for one in map(json.loads, out.read_text().splitlines())}
        assert records["w3", "bob"]["answers"] == {"substitutes": ["Bread"]}
        expected = {"w1": ["begin", "start"], "w2": ["big", "large"], "w3": []}
        assert all(one["compared"] == {"substitutes": expected[item]} for (item, _), one in records.items())
    if form == "csv":
        with out.open(encoding="utf-8", newline="") as stream:
            cells = {(row["item"], row["annotator"]): row["substitutes_compared"] for row in csv.DictReader(stream)}
        assert cells["w3", "ana"] == cells["w3", "bob"] == "[]"
    assert agreement(rubrica("agree", out, "--json")) == agreement(rubrica("agree", "words", "--json"))
    if form in ("jsonl", "csv"):
        again = rubrica("import", "words", out, "--format", form, "--json")
        assert again.json["read"] == {"judgements": 0, "revisions": 0, "unchanged": 6}


def test_gold_counts_none_simpler_beside_words(rubrica: Rubrica, study: Callable[..., None]) -> None:
    """`aggregate` has how many found none simpler also where others gave words, in JSON and in the table."""
    more = {"cleo": {"w1": ["commence"], "w2": ["Large"], "w3": ["loaf"]}, "dan": {"w1": []}, "eva": {"w1": ["begin"]}}
    study({**FULL_AGREEMENT, **more})
    rows = {row["unit"]: row for row in rubrica("aggregate", "words", "--json").json["results"]}
    assert {unit: row["none_simpler"] for unit, row in rows.items()} == {"w1": 2, "w2": 0, "w3": 2}
    assert rows["w1"]["value"] == ["begin", "start"]
    assert rows["w2"]["counts"] == [{"answer": "Large", "raters": 3}, {"answer": "big", "raters": 2}]
    assert (rows["w3"]["value"], rows["w3"]["raters"]) == (["loaf"], 3)
    table = rubrica("aggregate", "words").out
    assert "loaf (1); none simpler (2)" in table


def test_the_report_counts_none_simpler(rubrica: Rubrica, study: Callable[..., None], tmp_path: Path) -> None:
    """The report's table of words has a column for it, and its sentence the number of such answers."""
    study({**FULL_AGREEMENT, "cleo": {"w1": ["commence"], "w2": ["large"], "w3": ["loaf"]}})
    assert rubrica("report", "words", "-o", tmp_path / "report").code == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "3 of 9 answers say that no word is simpler" in page
    assert "None simpler" in page


@pytest.mark.usefixtures("study")
def test_a_sheet_says_it_in_both_ways(rubrica: Rubrica, tmp_path: Path) -> None:
    """Blank in one sheet, the word itself in the other and capitals in both: full agreement."""
    files = rubrica("sheets", "write", "words", "--annotators", "ana,bob", "--out", tmp_path, "--json").json["files"]
    said = ({"commence": "start", "vast": "big"}, {"commence": "Start", "vast": "BIG", "bread": "bread"})
    for file, answers in zip(files, said, strict=True):
        words = [row.item.fields["target"] for row in stored_sheet(Path(file)).rows]
        type_into(Path(file), "substitutes_1", [answers.get(word) for word in words])
    read = rubrica("sheets", "read", "words", *files, "--blank", "none")
    assert read.code == 0, read.err
    assert agreement(rubrica("agree", "words", "--measure", "alpha,percent", "--json")) == {"alpha": 1, "percent": 1}


def test_a_table_of_somebody_else(rubrica: Rubrica, tmp_path: Path) -> None:
    """With the protocol named, a blank cell and the word in the column *word* say the same in any table."""
    rows = ["u,word,who,substitutes", "1,vast,a,big;large", "1,vast,b,Large;BIG", "2,bread,a,", "2,bread,b,bread "]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(rows) + "\n")
    columns = ("--unit", "u", "--rater", "who", "--value", "substitutes", "--protocol", "lexical_simplification")
    ran = rubrica("agree", file, *columns, "--json")
    assert agreement(ran) == {"alpha": 1}
    assert "the word itself is in the column 'word'" in ran.err
    gold = rubrica("aggregate", file, *columns, "--json").json["results"]
    assert [(row["value"], row["none_simpler"]) for row in gold] == [(["big", "large"], 0), ([], 2)]
