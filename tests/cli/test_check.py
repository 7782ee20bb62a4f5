"""`rubrica check`: on a table with planted columns, on a study with planted items, and what is refused."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill, type_into

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
EXAMPLE = DOCS / "examples" / "ratings" / "planted.csv"
COLUMNS = ("--unit", "sentence,system", "--rater", "rater", "--value", "fluency,same_meaning", "--system", "system")
PLANTED = ("--gold", "known_fluency,known_meaning", "--duplicate", "repeats", "--seconds", "seconds")


def test_a_table_with_planted_units(rubrica: Rubrica) -> None:
    """eva answers at random and fast, hugo always the same; honest people are not named."""
    found = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--json").json
    unusual = {(row["rater"], row["check"]) for row in found["results"] if row["unusual"]}
    assert unusual >= {("eva", "fast"), ("eva", "with_others"), ("hugo", "one_label")}
    assert {rater for rater, _ in unusual} == {"eva", "hugo"}
    gold = {row["rater"]: row for row in found["results"] if row["check"] == "gold"}
    # Counted by eye in the file: five known units of two questions each.
    assert (gold["ana"]["n"], gold["ana"]["value"]) == (10, 1.0)
    assert found["annotators"] == 8
    assert "gold:known_fluency+known_meaning" in found["signature"]


def test_a_table_is_read_once(rubrica: Rubrica, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings and planted units come from one reading, so that a pipe will do, which can be read only once."""
    whole = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--json").json["results"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(EXAMPLE).read_bytes())))
    assert rubrica("check", "-", *COLUMNS, *PLANTED, "--json").json["results"] == whole


def test_with_and_without(rubrica: Rubrica) -> None:
    """Excluding is one flag, and what it changes stands beside what was."""
    ran = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--exclude", "eva,hugo", "--json")
    assert ran.json["excluded"] == ["eva", "hugo"]
    [alpha] = [row for row in ran.json["without"] if row["question"] == "fluency" and row["measure"] == "alpha"]
    assert alpha["everybody"] < alpha["without"]
    shown = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--exclude", "eva,hugo")
    assert "With and without eva, hugo" in shown.out


def test_forms(rubrica: Rubrica) -> None:
    """Text shows what is unusual and everybody's place, --all and CSV everything."""
    unusual, ranking = rubrica("check", EXAMPLE, *COLUMNS).out.split("Everybody, by the probability")
    assert "hugo" in unusual
    assert "gil" not in unusual
    assert "gil" in ranking
    assert "gil" in rubrica("check", EXAMPLE, *COLUMNS, "--all").out.split("Everybody, by the probability")[0]
    rows = rubrica("check", EXAMPLE, *COLUMNS, "--format", "csv").out.splitlines()
    assert rows[0].startswith("rater,check,question,value,peers,n,p,p_adjusted,probability,evidence,signature")


def test_a_study_with_planted_items(rubrica: Rubrica, tmp_path: Path) -> None:
    """Planted items of a study are graded as the studio grades them; an export says the same; few cannot be told."""
    from rubrica.store.counting.submitted import picture
    from rubrica.store.counting.trust import trust
    from rubrica.store.studies import find

    items, known = tmp_path / "items.csv", tmp_path / "known.csv"
    rows = [f"i{number},The shop opens at {number}.,It opens at {number}.\n" for number in range(8)]
    items.write_text("id,reference,hypothesis\n" + "".join(rows))
    known.write_text(
        "id,reference,hypothesis,content_preservation,fluency\n"
        "g1,He sold his boat.,He sold his boat.,5,5\ng2,It is late.,Bread late is.,1,1\ng3,We ate.,We ate.,5,5\n"
    )
    planted = ("--checks", f"duplicates=50%,gold={known}")
    assert rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", items, *planted).code == 0
    written = rubrica("sheets", "write", "s", "--annotators", "ana,ben", "--out", tmp_path / "sheets", "--json")
    for file in written.json["files"]:
        fill(Path(file))
    assert rubrica("sheets", "read", "s", *written.json["files"]).code == 0
    ran = rubrica("check", "s", "--json")
    found = {(row["rater"], row["check"], row["question"]): row for row in ran.json["results"]}
    seen = picture(find("s"))
    figures = trust(seen)
    for person in seen.people.values():
        checks = figures.checks_of(person.name)
        gold, again = found[person.name, "gold", ""], found[person.name, "consistency", ""]
        assert (gold["evidence"]["right"], gold["n"]) == (checks.right, checks.graded) != (0, 0)
        assert (again["evidence"]["consistent"], again["n"]) == (checks.same, checks.compared) != (0, 0)
    assert any("cannot be told for ana, ben (one_label" in reason for reason in ran.json["untold"])
    exported = tmp_path / "s.jsonl"
    assert rubrica("export", "s", "--format", "jsonl", "-o", exported).code == 0
    for row in rubrica("check", exported, "--json").json["results"]:
        # Rows of a sheet have one time, and an export another order: runs may differ.
        if row["check"] != "long_run":
            assert row["value"] == found[row["rater"], row["check"], row["question"]]["value"]


def test_what_is_refused(rubrica: Rubrica, tmp_path: Path) -> None:
    """Planted columns of a study, more known columns than questions, and an unknown rater: each with its fix."""
    ran = rubrica("check", EXAMPLE, *COLUMNS, "--gold", "a,b,c")
    assert ran.code == 1
    assert "Give one column for each question: fluency, same_meaning." in ran.err
    ran = rubrica("check", EXAMPLE, *COLUMNS, "--exclude", "nobody")
    assert (ran.code, "nobody is called 'nobody'" in ran.err) == (1, True)
    ran = rubrica("check", tmp_path / "none.csv", *COLUMNS)
    assert ran.code == 1


def test_every_missing_column_is_named_at_once(rubrica: Rubrica) -> None:
    """Those of the ratings and those of planted units, in one go."""
    ran = rubrica("check", EXAMPLE, *COLUMNS, "--seconds", "time", "--gold", "truth", "--duplicate", "again")
    assert ran.code == 1
    assert [name for name in ("time", "truth", "again") if f"no column '{name}'" in ran.err] == [
        "time",
        "truth",
        "again",
    ]


def test_nobody_unusual_is_a_sentence(rubrica: Rubrica, tmp_path: Path) -> None:
    """Where it could have been found out: who was looked at, and how often; the signature is there."""
    file = tmp_path / "two.csv"
    file.write_text("unit,rater,score\n" + "".join(f"{n},{r},{n % 5}\n" for n in range(40) for r in "ab"))
    ran = rubrica("check", file, "--unit", "unit", "--rater", "rater", "--value", "score")
    assert ran.out.startswith("nobody is unusual: 2 annotators, 6 tests\n")
    assert "cannot be told" not in ran.out
    assert "sha256:" in ran.out + ran.err


def test_nobody_is_cleared_who_cannot_be_told(rubrica: Rubrica, tmp_path: Path) -> None:
    """Six answers each: it is said of whom it cannot be told and why, and not that nobody is unusual."""
    file = tmp_path / "few.csv"
    file.write_text("unit,rater,score\n" + "".join(f"{n},{r},{n % 5}\n" for n in range(6) for r in "ab"))
    ran = rubrica("check", file, "--unit", "unit", "--rater", "rater", "--value", "score")
    assert "nobody is unusual" not in ran.out + ran.err
    assert "cannot be told for a, b (one_label), because 6 answers, and it takes 10" in ran.out


def always_five(people: str, items: int) -> str:
    """A table of ratings from 1 to 5 in which the first person always says 5, and the others see a quality."""
    draw = random.Random(12)
    quality = {unit: draw.gauss(3.4, 1) for unit in range(items)}
    rows = [
        f"{unit},{person},{5 if person == people[0] else max(1, min(5, round(quality[unit] + draw.gauss(0, 0.6))))}"
        for unit in range(items)
        for person in people
    ]
    return "\n".join(["unit,rater,score", *rows, ""])


@pytest.mark.parametrize("people", ["a", "ab", "abc"])
def test_five_to_everything_is_named_however_few_others_there_are(
    rubrica: Rubrica, tmp_path: Path, people: str
) -> None:
    """260 times 5 of 260 by one person alone, one of two, and one of three, as five protocols have it by default."""
    file = tmp_path / "five.csv"
    file.write_text(always_five(people, 260))
    ran = rubrica("check", file, "--unit", "unit", "--rater", "rater", "--value", "score")
    assert "nobody is unusual" not in ran.out
    assert "“5” 260 times" in ran.out
    found = rubrica("check", file, "--unit", "unit", "--rater", "rater", "--value", "score", "--json").json
    assert {row["rater"] for row in found["results"] if row["unusual"]} == {"a"}


def test_within_one_point_is_consistent_on_five_points(rubrica: Rubrica, tmp_path: Path) -> None:
    """Of 25 hidden duplicates, 23 within one point: nobody's case. Who always says 5 is named, for what they do."""
    draw = random.Random(5)
    rows = ["unit,rater,score,repeats"]
    for person in "abcde":
        seen = {}
        for unit in range(60):
            quality = 1 + unit % 5
            seen[unit] = 5 if person == "e" else max(1, min(5, quality + draw.choice((-1, 0, 0, 1))))
            rows.append(f"{unit},{person},{seen[unit]},")
        for unit in range(25):
            wide = 2 if person == "a" and unit < 2 else draw.choice((-1, 0, 1))
            near = seen[unit] + wide if 1 <= seen[unit] + wide <= 5 else seen[unit] - wide
            rows.append(f"again-{unit},{person},{5 if person == 'e' else near},{unit}")
    file = tmp_path / "twice.csv"
    file.write_text("\n".join([*rows, ""]))
    given = ("--unit", "unit", "--rater", "rater", "--value", "score", "--duplicate", "repeats", "--json")
    found = rubrica("check", file, *given).json["results"]
    again = {row["rater"]: row for row in found if row["check"] == "consistency"}
    assert (again["a"]["value"], again["a"]["n"]) == (23 / 25, 25)
    assert {row["rater"] for row in found if row["unusual"]} == {"e"}


def test_sheets_that_are_read_are_checked_by_the_same_rule(rubrica: Rubrica, tmp_path: Path) -> None:
    """Reading a sheet full of 5s says what `check` says of whoever filled it, and of whom it cannot be told."""
    items = tmp_path / "items.csv"
    rows = [f"i{number},The shop opens at {number}.,It opens at {number}.\n" for number in range(100)]
    items.write_text("id,reference,hypothesis\n" + "".join(rows))
    assert rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", items, "--overlap", "1").code == 0
    out = tmp_path / "sheets"
    written = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", out, "--json").json["files"]
    for file in written:
        for column in ("Content Preservation", "Fluency"):
            type_into(Path(file), column, [5] * 100)
    ran = rubrica("sheets", "read", "s", *written, "--json")
    [first, *_] = [row for row in ran.json["unusual"] if row["check"] == "one_label"]
    assert (first["rater"], first["value"], first["basis"]) == ("ana", 1.0, "alone")
    assert "look at ana: one answer too often" in ran.err
    checked = rubrica("check", "s", "--json").json["results"]
    assert [row for row in checked if row["unusual"]] == ran.json["unusual"]
