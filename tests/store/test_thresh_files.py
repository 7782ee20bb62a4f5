"""Thresh files in a study: what was imported comes out the same, what was corrected shows, what was erased is gone."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.exports import Wanted
from rubrica.exchange.thresh.files import read_file
from rubrica.exchange.thresh.json_layout import COMPACT
from rubrica.exchange.thresh.template_protocol import convert_template
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.loader import Loaded, check_text
from tests.conftest import NOW
from tests.exchange.thresh.data import ENTRIES, HERE, write_data

if TYPE_CHECKING:
    from rubrica.core.study import Item, Judgement
    from rubrica.store.models import Study
    from rubrica.store.recording.thresh import Imported

pytestmark = pytest.mark.postgres

Bring = Callable[..., "Imported"]


def bakery_loaded() -> Loaded:
    """The protocol of our template."""
    text = (HERE / "bakery.yml").read_text(encoding="utf-8")
    return check_text(convert_template(text, "bakery.yml").text, "bakery.yaml")


def make_study(loaded: Loaded, name: str = "s", items: tuple[Item, ...] = ()) -> Study:
    """A study of a protocol."""
    from rubrica.store import studies

    return studies.create(studies.Plan(name=name, loaded=loaded, items=items), NOW)


@pytest.fixture
def study(home: Path) -> Study:
    """An empty study of our template."""
    return make_study(bakery_loaded())


@pytest.fixture
def bring(study: Study, tmp_path: Path) -> Bring:
    """Imports entries into the study: ``bring(entries, name="file.json", annotator=…)``."""

    def run(entries: list[dict[str, Any]] | None = None, name: str = "notes.json", **choices: Any) -> Imported:
        from rubrica.exchange.thresh.matching import Choices
        from rubrica.store.recording.thresh import import_entries

        return import_entries(study, read_file(write_data(tmp_path / name, entries)), Choices(**choices), NOW)

    return run


def exported(study: Study, **wanted: Any) -> str:
    """The study as a Thresh file."""
    from rubrica.store.jobs import exporting

    out = io.BytesIO()
    exporting.write(study, Wanted(form="thresh", **wanted), out)
    return out.getvalue().decode()


def correct(study: Study, annotator: str, item: str, change: Callable[[Judgement], Judgement]) -> None:
    """Somebody submits a correction of a judgement, or a first one."""
    from django.db import transaction

    from rubrica.core.study import Judgement
    from rubrica.store.models import Assignment
    from rubrica.store.people.annotators import named
    from rubrica.store.recording.judgements import Said, record
    from rubrica.store.translate import judgement_from

    stage = study.stages.get()
    head = stage.judgements.filter(annotator__name=annotator, item__key=item).first()
    before = judgement_from(head.current) if head and head.current else Judgement()
    person = named(study, [annotator], NOW)[annotator]
    said = Said(
        Assignment(stage=stage, item=study.items.get(key=item), annotator=person), f"key-{uuid4().hex}", change(before)
    )
    with transaction.atomic():
        record(stage, [said], "page", NOW)


@pytest.mark.parametrize(
    "layout",
    [
        {"indent": 4},
        {"indent": 4, "ensure_ascii": False},
        {"indent": 2},
        {"indent": None, "separators": (",", ":"), "ensure_ascii": False},
        {"indent": None},
    ],
)
def test_a_file_comes_out_byte_for_byte(study: Study, tmp_path: Path, layout: dict[str, Any]) -> None:
    """With every oddity, in every layout, without an option: the same bytes."""
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.recording.thresh import import_entries

    path = write_data(tmp_path / "notes.json", **layout)
    done = import_entries(study, read_file(path), Choices(), NOW)
    assert exported(study) == path.read_text(encoding="utf-8")
    # Six entries: two are not annotated; three of the four others are by the file's name.
    assert done.saved == (4, 0, 0)
    assert (done.items, done.unannotated) == (6, 2)
    names = set(study.annotators.values_list("name", flat=True))
    assert names == {"ana", "notes"}


def test_the_layout_can_be_chosen(study: Study, bring: Bring) -> None:
    """Options win over what the file had; offsets in code points are one less after the emoji."""
    bring()
    assert exported(study, indent=COMPACT, ascii=False, newline=True) == (
        json.dumps(ENTRIES, separators=(",", ":"), ensure_ascii=False) + "\n"
    )
    points = json.loads(exported(study, offsets="codepoints"))
    expected = copy.deepcopy(ENTRIES)
    expected[0]["edits"][2]["output_idx"] = [[46, 56]]
    assert points == expected


def test_importing_again_changes_nothing(study: Study, bring: Bring) -> None:
    """The same file once more is no correction and adds no item."""
    bring()
    before = exported(study)
    done = bring()
    assert done.saved == (0, 0, 4)
    assert done.items == 0
    assert exported(study) == before
    assert study.imported_files.count() == 1


def test_others_can_write_while_a_large_file_comes_in(study: Study, bring: Bring) -> None:
    """No transaction holds more than some hundred entries or judgements, and the same file again changes nothing."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from rubrica.store.models import ImportedEntry, Judgement

    several = [{"id": number, "source": f"{number} loaves", "target": "Loaves.", "edits": []} for number in range(1101)]
    with CaptureQueriesContext(connection) as asked:
        first = bring(several, annotator="ana")
    commits = [one["sql"] for one in asked.captured_queries if one["sql"].startswith("COMMIT")]
    assert len(commits) >= 6
    before = (Judgement.objects.count(), ImportedEntry.objects.count())
    assert before[1] == 1101
    again = bring(several, annotator="ana")
    assert again.saved == (0, 0, sum(first.saved))
    assert (Judgement.objects.count(), ImportedEntry.objects.count()) == before


def test_a_corrected_file_is_a_correction(study: Study, bring: Bring) -> None:
    """Another answer in the same place makes a second revision, and the export has it."""
    bring()
    entries = copy.deepcopy(ENTRIES)
    entries[0]["edits"][0]["annotation"]["grammar_eror"] = "yes"
    assert bring(entries).saved == (0, 1, 3)
    assert json.loads(exported(study)) == entries


def test_a_correction_made_here_shows(study: Study, bring: Bring) -> None:
    """Only the corrected edit changes in the export; order and oddities of the others stay."""
    bring()

    def spare(judgement: Judgement) -> Judgement:
        first = attrs.evolve(judgement.edits[0], answers={"left_out_loss": "spare", "grammar_eror": "no"})
        return attrs.evolve(judgement, edits=(first, *judgement.edits[1:]))

    correct(study, "ana", "1", spare)
    expected = copy.deepcopy(ENTRIES)
    expected[0]["edits"][0]["annotation"]["loss"] = {"val": "spare"}
    assert exported(study) == json.dumps(expected, indent=4)


def test_a_judgement_of_a_bare_entry_takes_its_place(study: Study, bring: Bring) -> None:
    """An entry without annotation becomes the annotated ones, with who made them; others stay as they are."""
    bring()
    correct(study, "eva", "3", lambda judgement: judgement)
    correct(study, "bea", "3", lambda judgement: judgement)
    correct(study, "eva", "1", lambda judgement: judgement)
    found = json.loads(exported(study))
    bare = {"source": "Let it cool.", "target": "Let it cool."}
    assert found[:2] == ENTRIES[:2]
    assert found[2:4] == [bare | {"metadata": {"annotator": name}, "edits": []} for name in ("bea", "eva")]
    assert found[4:7] == ENTRIES[3:]
    assert found[7]["metadata"] == {
        "score": "1.5",
        "tags": '["a", {"b": null}]',
        "system": "mill-2",
        "annotator": "eva",
    }
    assert len(found) == 8


def test_a_second_annotator_of_the_same_pairs(study: Study, bring: Bring) -> None:
    """A file by somebody else is about the same items; both files come out one after the other."""
    bring()
    theirs = [copy.deepcopy(ENTRIES[0]), copy.deepcopy(ENTRIES[1])]
    theirs[0]["metadata"]["annotator"] = "zoe"
    done = bring(theirs, "zoe.json")
    assert done.items == 0
    assert done.saved == (2, 0, 0)
    assert json.loads(exported(study)) == [*ENTRIES, *theirs]
    assert study.items.count() == 6


def test_the_annotated_file_of_bare_entries(study: Study, bring: Bring) -> None:
    """Pairs go out without annotation and come back annotated: the export has them once."""
    bare = [{"source": "One.", "target": "Two."}, {"source": "Three.", "target": "Four."}]
    bring(bare)
    assert json.loads(exported(study)) == bare
    done = [{**bare[1], "edits": []}]
    assert bring(done, "kim.json").saved == (1, 0, 0)
    assert json.loads(exported(study)) == [bare[0], done[0]]


def test_items_are_matched_or_asked_for(home: Path, tmp_path: Path) -> None:
    """A study with items takes entries about them; others are refused by number, or added if asked for."""
    from rubrica.core.study import Item
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.recording.thresh import import_entries

    item = Item("mine", {"source": "Bake it for an hour.", "rewrite": "Bake it."})
    study = make_study(bakery_loaded(), items=(item,))
    data = read_file(write_data(tmp_path / "notes.json", ENTRIES[:2]))
    with pytest.raises(InputError) as refused:
        import_entries(study, data, Choices(), NOW)
    assert [(problem.rule, problem.what[:8]) for problem in refused.value.problems] == [("unknown_item", "entry 1:")]
    assert not study.annotators.exists()
    done = import_entries(study, data, Choices(add_items=True, annotator="pat"), NOW)
    assert done.items == 1
    assert set(study.items.values_list("key", flat=True)) == {"mine", "1"}
    assert list(study.annotators.values_list("name", flat=True)) == ["pat"]


def test_one_annotator_may_judge_the_same_texts_twice(study: Study, bring: Bring) -> None:
    """Two entries with the same texts by the same person are two items; other systems are other items."""
    same = {"source": "One.", "target": "Two.", "edits": []}
    entries = [same, same, {**same, "metadata": {"system": "b"}}, {**same, "metadata": {"annotator": "bo"}}]
    done = bring(entries)
    assert done.items == 3
    assert json.loads(exported(study)) == entries


def test_erasure_deletes_the_imported_entry(study: Study, bring: Bring) -> None:
    """After erasure nothing of what the annotator said is left, in the export or in the database."""
    from rubrica.store.models import ImportedEntry
    from rubrica.store.people.erasure import erase

    bring()
    erase(study.annotators.get(name="ana"), NOW)
    assert json.loads(exported(study)) == ENTRIES[1:]
    assert not ImportedEntry.objects.filter(text__contains="ana").exists()


def test_excluded_annotators_are_left_out(study: Study, bring: Bring) -> None:
    """Unless they are asked for."""
    from rubrica.store.people.annotators import exclude

    bring()
    exclude(study.annotators.get(name="ana"), "a reason", NOW)
    assert json.loads(exported(study)) == ENTRIES[1:]
    assert json.loads(exported(study, excluded=True)) == ENTRIES


def test_flags_say_where(study: Study, bring: Bring) -> None:
    """Each flag names file, line, entry and edit."""
    flags = bring().flags
    outside = [flag for flag in flags if "marks [12, 99)" in flag.what]
    assert len(outside) == 1
    assert outside[0].what.startswith("entry 2: edit left_out-1 marks [12, 99) in the source, which has 20 characters")
    assert outside[0].file.endswith("notes.json")
    assert outside[0].line is not None
    assert outside[0].line > 1


def test_a_file_of_another_template_is_refused(study: Study, bring: Bring) -> None:
    """When not one of its categories is known."""
    with pytest.raises(InputError, match="none of its categories"):
        bring([{"source": "a", "target": "b", "edits": [{"category": "Typo", "id": 1}]}])
    assert not study.items.exists()


def test_impossible_names_are_refused(study: Study, bring: Bring) -> None:
    """An annotator's name that cannot be one is told, with what to do."""
    entry = {"source": "a", "target": "b", "edits": [], "metadata": {"annotator": "a/b"}}
    with pytest.raises(InputError) as refused:
        bring([entry])
    assert "--annotator" in refused.value.problems[0].fix
    assert bring([entry], annotator="ab").saved == (1, 0, 0)


def test_only_edit_protocols(home: Path, tmp_path: Path) -> None:
    """A study without edits has no Thresh file, in or out, and no tables of edits."""
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.jobs import exporting
    from rubrica.store.recording.thresh import import_entries

    study = make_study(load_shipped("breve"))
    with pytest.raises(InputError, match="has no edits"):
        import_entries(study, read_file(write_data(tmp_path / "notes.json")), Choices(), NOW)
    for form in ("thresh", "edits-csv", "edits-jsonl", "words"):
        with pytest.raises(InputError, match="no edits"):
            exporting.stages_of(study, Wanted(form=form))


def test_a_thresh_file_has_the_last_word_only(study: Study, bring: Bring) -> None:
    """Earlier revisions have no place in it."""
    bring()
    with pytest.raises(InputError, match="last word"):
        exported(study, every_revision=True)


def test_salsa_files_and_our_own_salsa(home: Path, tmp_path: Path) -> None:
    """A SALSA file goes into the stage that asks the most and comes out the same, extra answers included."""
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.recording.thresh import import_entries

    study = make_study(load_shipped("salsa"))
    entries = [
        {
            "source": "He perambulated home, being tired.",
            "target": "He walked home.",
            "metadata": {"annotator": "ana", "system": "x"},
            "edits": [
                {
                    "id": 2,
                    "category": "deletion",
                    "input_idx": [[21, 34]],
                    "annotation": {
                        "deletion_type": {"val": "good_deletion", "good_deletion": "minor"},
                        "coreference": "no",
                        "grammar_error": "no",
                    },
                },
                {
                    "id": 1,
                    "category": "insertion",
                    "output_idx": [[0, 2]],
                    "annotation": {"insertion_type": {"val": "trivial_insertion", "trivial_insertion": "no"}},
                },
            ],
        }
    ]
    path = write_data(tmp_path / "salsa.json", entries)
    done = import_entries(study, read_file(path), Choices(), NOW)
    assert study.stages.get(key="classify").judgements.count() == 1
    # Grammar is asked of every edit; coreference is not asked of a good deletion.
    assert {(flag.rule, flag.question) for flag in done.flags} == {
        ("required", "grammar_error"),
        ("not_shown", "coreference"),
    }
    assert exported(study) == path.read_text(encoding="utf-8")
    import_entries(study, read_file(path), Choices(stage="select"), NOW)
    assert study.stages.get(key="select").judgements.count() == 1
    assert exported(study, stage="select") == path.read_text(encoding="utf-8")
