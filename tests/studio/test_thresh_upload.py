"""A Thresh data file sent as the items of a draft: its texts only, or with its edits, by the rules of the import."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.drafting import text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Study

SOURCE, TARGET = "The very old gate was purchased.", "The gate was bought."


def _entry(annotator: str, *edits: dict[str, Any]) -> dict[str, Any]:
    return {"source": SOURCE, "target": TARGET, "metadata": {"annotator": annotator}, "edits": list(edits)}


GONE = {"id": 1, "category": "deletion", "input_idx": [[4, 12]], "annotation": None}
SWAP = {"id": 1, "category": "substitution", "input_idx": [[22, 31]], "output_idx": [[13, 19]], "annotation": None}
BEYOND = {"id": 2, "category": "deletion", "input_idx": [[4, 400]], "annotation": None}
FILE = json.dumps([_entry("ana", GONE, BEYOND), _entry("ben", SWAP), {"source": "A.", "target": "B."}])


@pytest.fixture
def draft(people: dict[str, Any], request: pytest.FixtureRequest) -> Study:
    """A draft of `salsa`, which shows suggestions if the test says so."""
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies
    from rubrica.store.setup import setting_up

    settings = {"suggestions": getattr(request, "param", "hidden")}
    plan = studies.Plan(title="Gates", name="gates", loaded=load_shipped("salsa"), settings=settings)
    return setting_up.begin(plan, people["owner"], NOW)


def _send(client: Client, study: Study, edits: str, file: str = FILE) -> str:
    """Send the file, look at the page, use it so; what the next page says."""
    address = f"/s/{study.pid}/setup/items/"
    client.post(address, {"action": "upload", "file": upload(file, "pairs.json")})
    shown = text_of(client.get(address))
    client.post(address, {"action": "confirm", "edits": edits})
    return shown


def test_the_page_offers_what_the_study_can_take(as_: Callable[[str], Client], draft: Study) -> None:
    """Texts only, or judgements; suggestions only where some are shown. Without edits nothing is asked."""
    shown = _send(as_("owner"), draft, "")
    assert "2 entries of this file have edits" in shown
    assert "as judgements of the people" in shown
    assert "as suggestions to" not in shown
    assert draft.items.count() == 3
    assert "have edits" not in _send(as_("owner"), draft, "", json.dumps([{"source": "A.", "target": "B."}]))


@pytest.mark.own_process
def test_edits_become_judgements_of_the_people_named(as_: Callable[[str], Client], draft: Study) -> None:
    """A pair that two people annotated is one item; their edits are what the import makes of them; they then stay."""
    from rubrica.store.models import Edit, Judgement

    owner = as_("owner")
    _send(owner, draft, "judgements")
    assert draft.items.count() == 2
    heads = Judgement.objects.filter(stage__study=draft)
    assert sorted(heads.values_list("annotator__name", flat=True)) == ["ana", "ben"]
    assert sorted(Edit.objects.filter(revision__judgement__in=heads).values_list("operation", flat=True)) == [
        *("deletion", "deletion", "substitution")
    ]
    said = text_of(owner.get(f"/s/{draft.pid}/setup/review/"))
    assert "2 judgements came with them." in said
    assert "marks [4, 400)" in said
    _send(owner, draft, "")
    assert draft.items.count() == 2
    assert heads.count() == 2


@pytest.mark.parametrize("draft", ["shown"], indirect=True)
def test_edits_become_suggestions(as_: Callable[[str], Client], draft: Study) -> None:
    """Of each pair the first entry's, named by the file; what lies beyond the text is left out; nobody judged."""
    from rubrica.store.models import EditSuggestion, Judgement

    assert "as suggestions to" in _send(as_("owner"), draft, "suggestions")
    rows = EditSuggestion.objects.filter(stage__study=draft)
    assert list(rows.values_list("stage__key", "operation", "source_spans", "engine")) == [
        ("select", "deletion", [[4, 12]], "thresh:pairs.json")
    ]
    assert not Judgement.objects.filter(stage__study=draft).exists()
    assert not draft.annotators.exists()


def test_a_file_of_another_template_changes_nothing(as_: Callable[[str], Client], draft: Study) -> None:
    """None of its categories is known: it is refused with the reason, and the items of before stay."""
    owner = as_("owner")
    _send(owner, draft, "", json.dumps([{"source": "A.", "target": "B."}]))
    other = json.dumps([_entry("ana", {**GONE, "category": "hallucination"})])
    address = f"/s/{draft.pid}/setup/items/"
    owner.post(address, {"action": "upload", "file": upload(other, "pairs.json")})
    refused = owner.post(address, {"action": "confirm", "edits": "judgements"})
    assert refused.status_code == 422
    assert "none of its categories (hallucination)" in text_of(refused)
    assert [item.fields["source"] for item in draft.items.all()] == ["A."]


def test_a_file_that_is_no_table_is_taken_with_its_edits(as_: Callable[[str], Client], draft: Study) -> None:
    """Ids that come twice and texts that are there once for each annotator hinder a table, and no file of Thresh."""
    others = [{"id": number, "source": f"Gate {number}.", "target": f"{number}."} for number in (2, 3)]
    entries = [{"id": 1, **_entry("ana", GONE)}, {"id": 1, **_entry("ben", SWAP)}, *others]
    owner = as_("owner")
    shown = _send(owner, draft, "judgements", json.dumps(entries))
    assert "As a table, without its edits, this file cannot be used" in shown
    assert "Take the texts only" not in shown
    assert "Use the file with its edits" in shown
    assert draft.items.count() == 3
    assert "2 judgements came with them." in text_of(owner.get(f"/s/{draft.pid}/setup/review/"))


def test_a_file_that_nobody_annotated_goes_out_as_it_came(as_: Callable[[str], Client]) -> None:
    """Template and data file through the pages of a new study; a second file takes the place of the first."""
    from rubrica.store.models import Study

    template = "template_name: marks\nedits:\n  - {name: odd, label: Odd, enable_output: true}\n"
    owner = as_("owner")
    file = upload(template, "marks.yml")
    owner.post("/studies/new/", {"title": "Odd words", "protocol": "own", "file": file})
    study = Study.objects.get(title="Odd words")
    for at, data in enumerate(([{"source": SOURCE, "target": TARGET}], [{"target": "B.", "source": "A.", "n": 1.50}])):
        sent, key = json.dumps(data, indent=3) + "\n", f"{at}" * 16
        _send(owner, study, "", sent)
        assert study.items.count() == 1
        owner.post(f"/s/{study.pid}/export/", {"format": "thresh", "key": key})
        assert owner.get(f"/s/{study.pid}/export/{key}/file/").getvalue().decode() == sent
