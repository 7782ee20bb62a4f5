"""`rubrica sheets`: dealing and reading back, on a real database."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from rubrica.report.prose import counted
from tests.conftest import Ran
from tests.making import fill, stored_sheet, type_into, write_pairs

Rubrica = Callable[..., Ran]


def new(rubrica: Rubrica, tmp_path: Path, count: int, *more: object, protocol: str = "breve") -> None:
    """A study named s."""
    made = rubrica(
        "study", "new", "s", "--protocol", protocol, "--items", write_pairs(tmp_path / "i.csv", count), *more
    )
    assert made.code == 0, made.err


def write(rubrica: Rubrica, out: Path, people: str, *more: object) -> list[Path]:
    """Deal sheets; the files that were written."""
    ran = rubrica("sheets", "write", "s", "--annotators", people, "--out", out, "--json", *more)
    assert ran.code == 0, ran.err
    return [Path(name) for name in ran.json["files"]]


def keys(files: list[Path]) -> list[str]:
    """Items on these sheets, in order."""
    return [row.item.key for file in files for row in stored_sheet(file).rows]


def test_overlap_is_respected_and_load_is_even(rubrica: Rubrica, tmp_path: Path) -> None:
    """Every item goes to as many people as the overlap says, and people get about the same number."""
    new(rubrica, tmp_path, 30, "--overlap", 2)
    files = write(rubrica, tmp_path, "ana,bob,eva")
    assert set(Counter(keys(files)).values()) == {2}
    assert [len(keys([file])) for file in files] == [20, 20, 20]


def test_size_cuts_into_several_sheets(rubrica: Rubrica, tmp_path: Path) -> None:
    """--size is the most rows of one sheet."""
    new(rubrica, tmp_path, 25)
    files = write(rubrica, tmp_path, "ana", "--size", 10)
    assert [len(keys([file])) for file in files] == [10, 10, 5]


def test_a_file_that_may_hold_answers_is_never_overwritten(rubrica: Rubrica, tmp_path: Path) -> None:
    """Writing again keeps what is on disk, and writes a lost file anew with the same rows."""
    new(rubrica, tmp_path, 5)
    (file,) = write(rubrica, tmp_path, "ana")
    before, content = keys([file]), file.read_bytes()
    assert write(rubrica, tmp_path, "ana") == []
    assert file.read_bytes() == content
    file.unlink()
    assert write(rubrica, tmp_path, "ana") == [file]
    assert keys([file]) == before


def test_one_sheet_at_a_time(rubrica: Rubrica, tmp_path: Path) -> None:
    """adequacy_fluency deals the next sheet when the last is read back."""
    items = tmp_path / "i.csv"
    items.write_text("reference,hypothesis\n" + "".join(f"Line {n}.,Row {n}.\n" for n in range(25)))
    rubrica(
        "study",
        "new",
        "s",
        "--protocol",
        "adequacy_fluency",
        "--items",
        items,
        "--overlap",
        1,
        "--checks",
        "duplicates=0%",
    )
    (first,) = write(rubrica, tmp_path, "ana", "--size", 10)
    assert write(rubrica, tmp_path, "ana", "--size", 10) == []
    fill(first)
    assert rubrica("sheets", "read", "s", first).code == 0
    (second,) = write(rubrica, tmp_path, "ana", "--size", 10)
    assert len(keys([first])) == len(keys([second])) == 10
    assert not set(keys([first])) & set(keys([second]))


def test_duplicates_follow_their_original_and_are_not_adjacent(rubrica: Rubrica, tmp_path: Path) -> None:
    """Whoever judges an original also judges its hidden duplicate, elsewhere in the sheet."""
    new(rubrica, tmp_path, 20, "--overlap", 2, "--checks", "duplicates=20%", "--seed", 5)
    files = write(rubrica, tmp_path, "ana,bob,eva")
    found = 0
    for file in files:
        order = keys([file])
        for place, key in enumerate(order):
            if key.endswith("~2"):
                found += 1
                assert abs(order.index(key.removesuffix("~2")) - place) > 1
    assert found == 4 * 2


def test_gold_goes_to_everyone(rubrica: Rubrica, tmp_path: Path) -> None:
    """Items with known answers are on everybody's sheet and look like the others."""
    gold = tmp_path / "gold.csv"
    gold.write_text("source,rewrite,meaning\nThe gate is old.,The gate is new.,1\n")
    new(rubrica, tmp_path, 6, "--overlap", 1, "--checks", f"gold={gold}")
    files = write(rubrica, tmp_path, "ana,bob")
    assert Counter(keys(files))["gold-1"] == 2
    text = openpyxl.load_workbook(files[0])["Judgements"]
    assert "gold" not in str([[cell.value for cell in row] for row in text.iter_rows()])


def test_groups_stay_together(rubrica: Rubrica, tmp_path: Path) -> None:
    """The words of one context stand on neighbouring rows of one sheet."""
    items = tmp_path / "i.csv"
    lines = [f"The arid steppe number {n} expands.,{word}" for n in range(5) for word in ("arid", "steppe", "expands")]
    items.write_text("context,target\n" + "\n".join(lines) + "\n")
    rubrica("study", "new", "s", "--protocol", "lexical_complexity", "--items", items)
    for file in write(rubrica, tmp_path, "ana,bob", "--size", 7):
        groups = [row.item.group for row in stored_sheet(file).rows]
        assert len(groups) == len(list(filter(None, groups)))
        assert sum(one != two for one, two in itertools.pairwise(groups)) == len(set(groups)) - 1


def test_writers_cannot_rate(rubrica: Rubrica, tmp_path: Path) -> None:
    """Nobody who wrote any rewrite of the study rates, not even the rewrites of others."""
    items = tmp_path / "i.csv"
    items.write_text("source,rewrite,author\na b.,A. B.,wim\nc d.,C. D.,wanda\n")
    rubrica("study", "new", "s", "--protocol", "split_rate", "--items", items)
    ran = rubrica("sheets", "write", "s", "--annotators", "wim,rob", "--out", tmp_path / "out")
    assert ran.code == 1
    assert "'wim' wrote rewrites" in ran.err
    assert "rob" not in ran.err
    assert rubrica("sheets", "write", "s", "--annotators", "rob", "--out", tmp_path / "out").code == 0


def test_salsa_people(rubrica: Rubrica, tmp_path: Path) -> None:
    """A fourth person adjudicates what three selected; then the same three classify."""
    new(rubrica, tmp_path, 2, protocol="salsa")
    for file in write(rubrica, tmp_path, "ana,bob,eva"):
        fill(file)
        assert rubrica("sheets", "read", "s", file).code == 0
    refused = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path, "--stage", "adjudicate")
    assert refused.code == 1
    assert "other people" in refused.err
    for file in write(rubrica, tmp_path, "dan", "--stage", "adjudicate"):
        fill(file)
        assert rubrica("sheets", "read", "s", file).code == 0
    assert write(rubrica, tmp_path, "dan,fay", "--stage", "classify") == []
    files = write(rubrica, tmp_path, "ana,bob,eva,fay", "--stage", "classify")
    assert sorted({stored_sheet(file).annotator for file in files}) == ["ana", "bob", "eva"]


def test_a_correction_is_a_new_revision(rubrica: Rubrica, tmp_path: Path) -> None:
    """Reading twice changes nothing; a changed cell becomes revision 2 and revision 1 is kept."""
    new(rubrica, tmp_path, 3, "--overlap", 1)
    (file,) = write(rubrica, tmp_path, "ana")
    fill(file)
    assert rubrica("sheets", "read", "s", file, "--json").json["read"]["judgements"] == 3
    assert rubrica("sheets", "read", "s", file, "--json").json["read"]["unchanged"] == 3
    type_into(file, "comment", ["I changed my mind."])
    assert rubrica("sheets", "read", "s", file, "--json").json["read"] == {
        "judgements": 0,
        "revisions": 1,
        "unchanged": 2,
    }
    rubrica("export", "s", "--format", "jsonl", "--revisions", "all", "-o", tmp_path / "all.jsonl")
    rubrica("export", "s", "--format", "jsonl", "-o", tmp_path / "now.jsonl")
    assert (tmp_path / "all.jsonl").read_text().count("\n") == 4
    assert (tmp_path / "now.jsonl").read_text().count("I changed my mind.") == 1


@pytest.mark.postgres
def test_a_spoilt_file_changes_nothing_and_does_not_stop_the_others(rubrica: Rubrica, tmp_path: Path) -> None:
    """Each file is all or nothing."""
    new(rubrica, tmp_path, 4, "--overlap", 2)
    one, two = write(rubrica, tmp_path, "ana,bob")
    fill(one)
    fill(two)
    type_into(two, "Fluency", [7, 2, 2, 2])
    ran = rubrica("sheets", "read", "s", one, two, "--json")
    assert ran.code == 1
    (error,) = ran.json["errors"]
    assert (error["sheet"], error["cell"][1:], error["rule"], error["value"]) == ("Judgements", "2", "scale", 7)
    done = rubrica("study", "show", "s", "--json").json["study"]["stages"][0]["annotators"]
    assert (done["ana"]["done"], done["bob"]["done"]) == (4, 0)


def test_another_studys_sheet_is_refused(rubrica: Rubrica, tmp_path: Path) -> None:
    """A sheet knows its study; the message says where it belongs."""
    new(rubrica, tmp_path, 2)
    (file,) = write(rubrica, tmp_path, "ana")
    rubrica("study", "new", "t", "--protocol", "breve", "--items", tmp_path / "i.csv")
    ran = rubrica("sheets", "read", "t", file)
    assert ran.code == 1
    assert "rubrica sheets read s" in ran.err


def test_skipped_items_go_to_somebody_else(rubrica: Rubrica, tmp_path: Path) -> None:
    """An item passed on is free again, but not for the one who passed it on."""
    new(rubrica, tmp_path, 3, "--overlap", 1)
    (file,) = write(rubrica, tmp_path, "ana")
    fill(file)
    book = openpyxl.load_workbook(file)
    page = book["Judgements"]
    for cell in page[2][2:-1]:
        cell.value = None
    page.cell(2, next(cell.column for cell in page[1] if cell.value == "Instead of answering")).value = "uncomfortable"
    book.save(file)
    assert rubrica("sheets", "read", "s", file).code == 0
    assert rubrica("study", "show", "s", "--json").json["study"]["stages"][0]["done"] == 2
    assert write(rubrica, tmp_path, "ana") == []
    (other,) = write(rubrica, tmp_path, "bob")
    assert keys([other]) == [keys([file])[0]]


@pytest.mark.parametrize("people", ["a/b", " , ", "ana,ana"])
def test_bad_names_are_refused(rubrica: Rubrica, tmp_path: Path, people: str) -> None:
    """Names of annotators become file names and must differ."""
    new(rubrica, tmp_path, 2)
    ran = rubrica("sheets", "write", "s", "--annotators", people, "--out", tmp_path / "out")
    assert ran.code == 1
    assert "annotator_name" in ran.err


def test_recalled_rows_go_to_others(rubrica: Rubrica, tmp_path: Path) -> None:
    """What somebody holds and has not judged can be taken back and dealt to another; judged rows stay."""
    new(rubrica, tmp_path, 4, "--overlap", 1)
    (file,) = write(rubrica, tmp_path, "ana")
    sheet = stored_sheet(file)
    fill(file)
    book = openpyxl.load_workbook(file)
    for cell in book["Judgements"][2][2:-1]:
        cell.value = None
    book.save(file)
    assert rubrica("sheets", "read", "s", file).code == 0
    assert rubrica("sheets", "recall", "s", "--annotators", "ana", "--json").json["recalled"] == {"ana": 1}
    (other,) = write(rubrica, tmp_path, "bob")
    assert keys([other]) == [sheet.rows[0].item.key]
    assert rubrica("sheets", "recall", "s", "--annotators", "nobody").code == 1


@pytest.mark.parametrize(
    ("stage", "people", "reason"),
    [("adjudicate", "dan", "waits for the stage 'select'"), ("classify", "dan", "waits for the stage 'adjudicate'")],
)
def test_nothing_to_deal_says_why(rubrica: Rubrica, tmp_path: Path, stage: str, people: str, reason: str) -> None:
    """Whoever gets no sheet is told the reason."""
    new(rubrica, tmp_path, 2, protocol="salsa")
    ran = rubrica("sheets", "write", "s", "--annotators", people, "--stage", stage, "--out", tmp_path)
    assert ran.code == 0
    assert reason in ran.err


def test_every_annotator_has_a_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """Names that look alike once cleaned, or are very long, still get files of their own."""
    new(rubrica, tmp_path, 2)
    files = write(rubrica, tmp_path / "out", f"a b,a_b,{'ñ' * 200}")
    assert len(set(files)) == 3
    assert sorted(stored_sheet(file).annotator for file in files) == sorted(["a b", "a_b", "ñ" * 200])


def test_a_file_of_another_study_is_left_alone(rubrica: Rubrica, tmp_path: Path) -> None:
    """A sheet of a deleted study with the same name keeps its file; the new study's sheet goes beside it."""
    new(rubrica, tmp_path, 2)
    (old,) = write(rubrica, tmp_path / "out", "ana")
    rubrica("study", "delete", "s", "-y")
    new(rubrica, tmp_path, 2)
    (fresh,) = write(rubrica, tmp_path / "out", "ana")
    assert fresh != old
    assert old.exists()
    refused = rubrica("sheets", "read", "s", old)
    assert "rubrica study restore s --as NEW" in refused.err


def test_a_folder_that_cannot_be_written_deals_nothing(rubrica: Rubrica, tmp_path: Path) -> None:
    """Where no file can be written, the message says so and no item is handed out."""
    new(rubrica, tmp_path, 2)
    (tmp_path / "file").write_text("not a folder")
    ran = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path / "file")
    assert ran.code == 1
    assert rubrica("study", "show", "s", "--json").json["study"]["stages"][0]["handed_out"] == 0


def test_single_sheets_hold_planted_rows_too(rubrica: Rubrica, tmp_path: Path) -> None:
    """A single sheet has no more rows than asked, with gold and duplicates among them, none beside its original."""
    items, gold = tmp_path / "i.csv", tmp_path / "gold.csv"
    items.write_text("id,reference,hypothesis\n" + "".join(f"r{n},Line {n}.,Row {n}.\n" for n in range(60)))
    gold.write_text("reference,hypothesis,fluency\nIt rains.,It rains.,5\n")
    checks = f"duplicates=50%,gold={gold}"
    rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", items, "--checks", checks)
    order = keys(write(rubrica, tmp_path, "ana", "--size", 10))
    assert len(order) <= 10
    assert "gold-1" in order
    doubled = [key for key in order if key.endswith("~2")]
    assert doubled
    assert all(abs(order.index(key) - order.index(key.removesuffix("~2"))) > 1 for key in doubled)


@pytest.mark.parametrize("seed", [2, 3])
def test_a_duplicate_that_does_not_fit_comes_on_the_next_sheet(rubrica: Rubrica, tmp_path: Path, seed: int) -> None:
    """Of 30 pairs half come again: whatever sheet is full, in the end all 15 were dealt, announced and reported."""
    items = tmp_path / "i.csv"
    items.write_text("id,reference,hypothesis\n" + "".join(f"r{n},Line {n}.,Row {n}.\n" for n in range(30)))
    made = ("--protocol", "adequacy_fluency", "--items", items, "--checks", "duplicates=50%", "--overlap", 1)
    rubrica("study", "new", "s", *made, "--seed", seed)
    assert rubrica("study", "show", "s", "--json").json["study"]["duplicates"] == 15
    dealt: list[str] = []
    waited = 0
    while True:
        ran = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path, "--size", 10, "--json")
        files = [Path(name) for name in ran.json["files"]]
        waited += ran.json["waiting"].get("ana", 0)
        assert bool(ran.json["waiting"]) == ("ana's next sheet" in ran.err)
        if not files:
            break
        rows = keys(files)
        assert (len(files), len(rows) <= 10) == (1, True)
        doubled = [key for key in rows if key.endswith("~2")]
        assert all(key.removesuffix("~2") in [*dealt, *rows] for key in doubled)
        dealt += rows
        fill(files[0])
        assert rubrica("sheets", "read", "s", files[0]).code == 0
    assert waited
    assert len(dealt) == len(set(dealt)) == 45
    assert not any(one.removesuffix("~2") == two.removesuffix("~2") for one, two in itertools.pairwise(dealt))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("items", "size", "limit"), [(4, 3, None), (6, 5, None), (7, 4, 6), (3, 1, None), (5, 2, 5)])
def test_the_next_sheet_has_just_the_duplicates_that_were_announced(
    rubrica: Rubrica, tmp_path: Path, items: int, size: int, limit: int | None, seed: int
) -> None:
    """What `sheets write` says will be on the next sheet is there, even if nothing else is left or a limit is near."""
    from rubrica.store.models import Study
    from rubrica.store.options import change

    file = tmp_path / "i.csv"
    file.write_text("id,reference,hypothesis\n" + "".join(f"r{n},Line {n}.,Row {n}.\n" for n in range(items)))
    made = ("--protocol", "adequacy_fluency", "--items", file, "--checks", "duplicates=100%", "--overlap", 1)
    rubrica("study", "new", "s", *made, "--seed", seed)
    if limit:
        change(Study.objects.get(), limit_per_annotator=limit)
    announced, dealt = 0, []
    while True:
        ran = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path, "--size", size, "--json")
        files = [Path(name) for name in ran.json["files"]]
        earlier = [key for key in keys(files) if key.endswith("~2") and key.removesuffix("~2") in dealt]
        assert len(earlier) >= announced
        if not files:
            break
        dealt += keys(files)
        announced = ran.json["waiting"].get("ana", 0)
        for one in files:
            fill(one)
            assert rubrica("sheets", "read", "s", one).code == 0
    assert len(dealt) == len(set(dealt))
    assert not any(one.removesuffix("~2") == two.removesuffix("~2") for one, two in itertools.pairwise(dealt))
    # Only a single row cannot have its duplicate: nothing ever stood between.
    whole = min(2 * items, limit or 2 * items)
    assert len(dealt) >= whole - (size == 1)


def test_the_report_counts_the_duplicates_that_were_dealt(rubrica: Rubrica, tmp_path: Path) -> None:
    """Of six hidden duplicates only those of the one sheet that was written are reported."""
    items = tmp_path / "i.csv"
    items.write_text("id,reference,hypothesis\n" + "".join(f"r{n},Line {n}.,Row {n}.\n" for n in range(12)))
    made = ("--protocol", "adequacy_fluency", "--items", items, "--checks", "duplicates=50%", "--overlap", 1)
    rubrica("study", "new", "s", *made)
    (file,) = write(rubrica, tmp_path, "ana", "--size", 9)
    fill(file)
    rubrica("sheets", "read", "s", file)
    dealt = sum(key.endswith("~2") for key in keys([file]))
    assert 1 < dealt < 6
    assert rubrica("report", "s", "-o", tmp_path / "r", "--no-charts", "--bootstrap", 0).code == 0
    sheet = (tmp_path / "r" / "datasheet.md").read_text()
    assert counted(dealt, "hidden duplicate").capitalize() + " handed out" in sheet


def test_gold_words_of_one_context_stay_together(rubrica: Rubrica, tmp_path: Path) -> None:
    """Gold items are grouped like any others."""
    items, gold = tmp_path / "i.csv", tmp_path / "gold.csv"
    items.write_text("context,target\n" + "".join(f"The arid land {n}.,arid\n" for n in range(8)))
    gold.write_text("context,target,complexity\nOld cold sea.,Old,1\nOld cold sea.,cold,1\nOld cold sea.,sea,1\n")
    rubrica("study", "new", "s", "--protocol", "lexical_complexity", "--items", items, "--checks", f"gold={gold}")
    order = keys(write(rubrica, tmp_path, "ana", "--size", 4))
    places = [order.index(f"gold-{number}") for number in (1, 2, 3)]
    assert max(places) - min(places) == 2


def test_an_adjudicator_does_not_select(rubrica: Rubrica, tmp_path: Path) -> None:
    """Stages with other people exclude each other, whichever comes first."""
    new(rubrica, tmp_path, 2, "--overlap", "select=1", protocol="salsa")
    (file,) = write(rubrica, tmp_path, "ana")
    fill(file)
    rubrica("sheets", "read", "s", file)
    write(rubrica, tmp_path, "dan", "--stage", "adjudicate")
    ran = rubrica("sheets", "write", "s", "--annotators", "dan", "--stage", "select", "--out", tmp_path)
    assert ran.code == 1
    assert "'dan' took part in the stage 'adjudicate'" in ran.err


def test_a_renamed_sheet_hides_nothing_else(rubrica: Rubrica, tmp_path: Path) -> None:
    """The rename is told together with a value off the scale and an error value, each at its cell."""
    new(rubrica, tmp_path, 3, "--overlap", 1)
    (file,) = write(rubrica, tmp_path, "ana")
    fill(file)
    book = openpyxl.load_workbook(file)
    page = book["Judgements"]
    places = {cell.value: cell.column for cell in page[1]}
    page.cell(2, places["Fluency"]).value = 7
    page.cell(3, places["Comment"]).value = "#REF!"
    page.cell(3, places["Comment"]).data_type = "e"
    page.title = "Mine"
    book.save(file)
    errors = rubrica("sheets", "read", "s", file, "--json").json["errors"]
    assert [(error["rule"], error["sheet"]) for error in errors] == [
        ("sheet", "Judgements"),
        ("error", "Mine"),
        ("scale", "Mine"),
    ]
    assert rubrica("study", "show", "s", "--json").json["study"]["stages"][0]["done"] == 0


def test_a_late_sheet_is_kept_and_said_to_be_beyond_the_overlap(rubrica: Rubrica, tmp_path: Path) -> None:
    """A recalled sheet that comes back after all loses nothing, and the command says what it did to the overlap."""
    new(rubrica, tmp_path, 3, "--overlap", 1)
    (late,) = write(rubrica, tmp_path, "ana")
    rubrica("sheets", "recall", "s", "--annotators", "ana")
    (prompt,) = write(rubrica, tmp_path, "bob")
    fill(late)
    fill(prompt)
    assert "beyond" not in rubrica("sheets", "read", "s", prompt).err
    ran = rubrica("sheets", "read", "s", late)
    assert ran.code == 0
    assert "3 judgements are beyond the overlap" in ran.err
