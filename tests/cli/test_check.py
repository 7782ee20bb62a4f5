"""`rubrica check`: on a table with planted columns, on a study with planted items, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill

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


def test_with_and_without(rubrica: Rubrica) -> None:
    """Excluding is one flag, and what it changes stands beside what was."""
    ran = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--exclude", "eva,hugo", "--json")
    assert ran.json["excluded"] == ["eva", "hugo"]
    [alpha] = [row for row in ran.json["without"] if row["question"] == "fluency" and row["measure"] == "alpha"]
    assert alpha["everybody"] < alpha["without"]
    shown = rubrica("check", EXAMPLE, *COLUMNS, *PLANTED, "--exclude", "eva,hugo")
    assert "With and without eva, hugo" in shown.out


def test_forms(rubrica: Rubrica) -> None:
    """Text shows what is unusual, --all and CSV everything."""
    text = rubrica("check", EXAMPLE, *COLUMNS)
    assert "hugo" in text.out
    assert "gil" not in text.out
    assert "gil" in rubrica("check", EXAMPLE, *COLUMNS, "--all").out
    rows = rubrica("check", EXAMPLE, *COLUMNS, "--format", "csv").out.splitlines()
    assert rows[0].startswith("rater,check,question,value,peers,n,p,p_adjusted,evidence,signature")


def test_a_study_with_planted_items(rubrica: Rubrica, tmp_path: Path) -> None:
    """Planted items of a study are graded as the studio grades them; an export says the same; few cannot be told."""
    from rubrica.store.studies import find
    from rubrica.store.submitted import picture
    from rubrica.store.trust import trust

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
    for pk, person in seen.people.items():
        checks = figures.checks_of(pk)
        gold, again = found[person.name, "gold", ""], found[person.name, "consistency", ""]
        assert (gold["evidence"]["right"], gold["n"]) == (checks.right, checks.graded) != (0, 0)
        assert (again["evidence"]["same"], again["n"]) == (checks.same, checks.compared) != (0, 0)
    assert not any(row["unusual"] for row in ran.json["results"])
    assert any("others to compare with" in reason for reason in ran.json["untold"])
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
    """No empty table: who was looked at, and how often; the signature is there."""
    file = tmp_path / "two.csv"
    file.write_text("unit,rater,score\n" + "".join(f"{n},{r},{n % 5}\n" for n in range(12) for r in "ab"))
    ran = rubrica("check", file, "--unit", "unit", "--rater", "rater", "--value", "score")
    assert ran.out == "nobody is unusual: 2 annotators, 2 tests\n"
    assert "with_others: fewer than 2 others to compare with" in ran.err
    assert "sha256:" in ran.err
