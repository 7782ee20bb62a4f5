"""`rubrica people` and joined studies: who is erased stays erased, writers are known again, devices are set free."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import two_studies
from tests.conftest import NOW, Ran
from tests.exchange.thresh.data import HERE, write_data
from tests.making import fill, write_pairs

pytestmark = pytest.mark.postgres

Rubrica = Callable[..., Ran]


@pytest.fixture
def read(rubrica: Rubrica, tmp_path: Path) -> Path:
    """A study named s in which ana and bob filled in a sheet each; ana's file."""
    assert rubrica("study", "new", "s", "--protocol", "breve", "--items", write_pairs(tmp_path / "i.csv", 2)).code == 0
    files = rubrica("sheets", "write", "s", "--annotators", "ana,bob", "--out", tmp_path, "--json").json["files"]
    for file in files:
        fill(Path(file))
    assert rubrica("sheets", "read", "s", *files).code == 0
    return Path(files[0])


def test_a_sheet_of_somebody_erased_is_not_read_again(rubrica: Rubrica, read: Path) -> None:
    """Erased, then read again: refused with the reason, and nothing comes back."""
    ran = rubrica("people", "erase", "s", "ana", "--yes", "--json")
    assert (ran.code, ran.json["erased"]) == (0, {"judgements": 2, "revisions": 2, "items": 0, "elsewhere": []})
    again = rubrica("sheets", "read", "s", read)
    assert again.code == 1
    assert f"{read}: whoever filled in this sheet was erased from this study on" in again.err
    assert "[erased]" in again.err
    exported = rubrica("export", "s", "--format", "jsonl")
    assert {json.loads(line)["annotator"] for line in exported.out.splitlines()} == {"bob"}


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_an_export_of_before_does_not_bring_them_back(rubrica: Rubrica, read: Path, tmp_path: Path, form: str) -> None:
    """All lines of theirs are named, and nothing is read; without them the rest is."""
    old = tmp_path / f"old.{form}"
    rubrica("export", "s", "--format", form, "-o", old)
    rubrica("people", "erase", "s", "ana", "--yes")
    ran = rubrica("import", "s", old, "--json")
    assert ran.code == 1
    assert [error["rule"] for error in ran.json["errors"]] == ["erased", "erased"]
    assert all(error["line"] and error["value"] == "ana" for error in ran.json["errors"])
    assert rubrica("sheets", "write", "s", "--annotators", "Ana", "--out", tmp_path).code == 1


def test_a_thresh_file_does_not_bring_them_back(rubrica: Rubrica, tmp_path: Path) -> None:
    """The one thing for which a Thresh file is refused."""
    template = tmp_path / "bakery.yaml"
    rubrica("protocols", "import-thresh", HERE / "bakery.yml", "-o", template)
    rubrica("study", "new", "s", "--protocol", template)
    file = write_data(tmp_path / "notes.json")
    assert rubrica("import", "s", file, "--annotator", "ana").code == 0
    rubrica("people", "erase", "s", "ana", "--yes")
    ran = rubrica("import", "s", file, "--annotator", "Ana")
    assert ran.code == 1
    assert "entry 1: 'Ana' was erased from this study" in ran.err


def test_it_asks_before_it_erases(rubrica: Rubrica, read: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a yes nothing is changed; somebody who is not there is named with those who are."""
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert rubrica("people", "erase", "s", "ana").code == 1
    ran = rubrica("people", "erase", "s", "anna", "--yes")
    assert (ran.code, "There are: ana, bob." in ran.err) == (1, True)


def test_a_study_is_made_from_what_people_wrote(rubrica: Rubrica, home: Path, tmp_path: Path) -> None:
    """--from takes texts and authors; a writer gets no sheet, whatever the spelling, and the study says so."""
    one = two_studies.writing()
    for name in ("wim", "eva"):
        two_studies.write(two_studies.call(one, name))
    ran = rubrica("study", "new", "rating", "--protocol", "split_rate", "--from", "writing", "--json")
    assert ran.code == 0, ran.err
    assert "writing: 4 texts by 2 people" in ran.err
    assert (ran.json["study"]["items"], ran.json["study"]["authors_from"]) == (4, "writing")
    refused = rubrica("sheets", "write", "rating", "--annotators", "WIM,rosa", "--out", tmp_path)
    assert (refused.code, "'WIM' wrote rewrites of this study" in refused.err) == (1, True)
    assert rubrica("sheets", "write", "rating", "--annotators", "rosa", "--out", tmp_path).code == 0
    assert "joined with writing, where the authors come from" in rubrica("study", "show", "rating").out


def test_an_export_carries_the_authors_to_the_next_study(rubrica: Rubrica, home: Path, tmp_path: Path) -> None:
    """Items made by hand of an export are found where they were written, and the two studies are joined."""
    one = two_studies.writing()
    two_studies.write(two_studies.come(two_studies.prolific(one), "p1"))
    rubrica("export", "writing", "--format", "csv", "-o", tmp_path / "texts.csv")
    with (tmp_path / "texts.csv").open() as texts, (tmp_path / "items.csv").open("w") as items:
        out = csv.DictWriter(items, ["source", "rewrite", "author"])
        out.writeheader()
        for row in csv.DictReader(texts):
            out.writerow({"source": row["source"], "rewrite": row["rewrite"], "author": row["annotator"]})
    made = rubrica("study", "new", "rating", "--protocol", "split_rate", "--items", tmp_path / "items.csv", "--json")
    assert "joined with the study 'writing'" in made.err
    assert made.json["study"]["authors_from"] == "writing"
    assert "p1" not in (tmp_path / "texts.csv").read_text()


def test_studies_are_joined_and_parted_by_command(rubrica: Rubrica, home: Path, tmp_path: Path) -> None:
    """The study that the authors come from is named later, or at once, and taken back."""
    one = two_studies.writing()
    two_studies.write(two_studies.come(two_studies.prolific(one), "p1"))
    items = tmp_path / "items.csv"
    items.write_text("source,rewrite,author\nOld and shut.,Old. Shut.,annotator-001\n")
    rubrica("study", "new", "two", "--protocol", "split_rate", "--items", items)
    ran = rubrica("study", "join", "two", "--authors-from", "writing", "--json")
    assert ran.json["study"]["authors_from"] == "writing"
    assert "1 author of its texts took part there" in ran.err
    assert rubrica("study", "join", "two", "--apart", "--json").json["study"]["authors_from"] == ""
    for wrong in (
        ["--authors-from", "writing", "--apart"],
        [],
        ["--authors-from", "nosuch"],
        ["--authors-from", "two"],
    ):
        assert rubrica("study", "join", "two", *wrong).code == 1
    named = ["--items", items, "--authors-from", "writing", "--json"]
    made = rubrica("study", "new", "three", "--protocol", "split_rate", *named)
    assert made.json["study"]["authors_from"] == "writing"
    assert rubrica("study", "new", "four", "--protocol", "split_rate", "--from", "writing", *named).code == 1


def test_erasing_says_what_it_does_in_joined_studies(rubrica: Rubrica, home: Path) -> None:
    """The command names each study, with how much gave way there."""
    one = two_studies.writing()
    for name in ("wim", "eva"):
        two_studies.write(two_studies.call(one, name))
    two_studies.rating(one)
    ran = rubrica("people", "erase", "writing", "wim", "--yes")
    assert ran.out.splitlines() == [
        "writing: 2 judgements erased, 2 revisions",
        "joined study rating: 0 judgements erased, 0 revisions, 2 texts that they wrote",
    ]


def test_a_place_is_reset_by_command(rubrica: Rubrica, home: Path) -> None:
    """The next device comes in; people with a personal link have no such place."""
    from rubrica.core.errors import InputError
    from rubrica.store.people.invitations import enter

    study = two_studies.writing()
    door = two_studies.prolific(study)
    enter(door, {"PROLIFIC_PID": "p1"}, NOW, device="first")
    with pytest.raises(InputError, match="another device"):
        enter(door, {"PROLIFIC_PID": "p1"}, NOW, device="second")
    assert rubrica("people", "reset", "writing", "annotator-001").code == 0
    enter(door, {"PROLIFIC_PID": "p1"}, NOW, device="second")
    two_studies.call(study, "ana")
    assert rubrica("people", "reset", "writing", "ana").code == 1


def test_a_lost_key_is_replaced_by_command(rubrica: Rubrica, home: Path) -> None:
    """Until then commands that must know people say what to do, and the others work."""
    two_studies.call(two_studies.writing(), "ana")
    (home / "secret.key").write_text("another key")
    refused = rubrica("sheets", "write", "writing", "--annotators", "bob", "--out", home / "sheets")
    assert (refused.code, "[identity_key]" in refused.err) == (1, True)
    assert rubrica("study", "show", "writing").code == 0
    assert rubrica("people", "rekey", "--yes").out.startswith("1 annotator and 0 authors known by the new key")
    assert rubrica("sheets", "write", "writing", "--annotators", "bob", "--out", home / "sheets").code == 0
