"""A study that was imported from a Thresh file, oddities included, in the studio: looked at, and exported again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.exchange.thresh.files import read_file
from rubrica.exchange.thresh.template_protocol import convert_template
from rubrica.protocols.loader import check_text
from tests.exchange.thresh.data import ENTRIES, HERE, write_data
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Study

KEY = "k" * 16


@pytest.fixture
def imported(home: Path, people: dict[str, Any], tmp_path: Path) -> Study:
    """A study of our template with the entries of our file; the standing people are its members."""
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store import studies
    from rubrica.store.models import Member
    from rubrica.store.recording.thresh import import_entries

    text = convert_template((HERE / "bakery.yml").read_text(encoding="utf-8"), "bakery.yml").text
    made = studies.create(studies.Plan(name="bread", loaded=check_text(text, "bakery.yaml")), NOW)
    import_entries(made, read_file(write_data(tmp_path / "notes.json")), Choices(), NOW)
    for role in ("owner", "viewer"):
        Member.objects.create(study=made, user=people[role], role=role, since=NOW)
    return made


def test_every_page_can_be_looked_at(imported: Study, as_: Callable[[str], Client]) -> None:
    """Spans outside their text and edits without answers break no page."""
    client = as_("owner")
    root = f"/s/{imported.pid}/"
    pages = [root, *(f"{root}{part}/" for part in ("people", "items", "attention", "export"))]
    pages += [f"{root}judgements/{row.pid}/" for row in imported.stages.get().judgements.all()]
    pages += [f"{root}people/{row.pid}/" for row in imported.annotators.all()]
    for page in pages:
        assert client.get(page).status_code == 200, page


def test_the_export_page_offers_formats_of_edits(imported: Study, study: Study, as_: Callable[[str], Client]) -> None:
    """Where the protocol asks for edits, and only there; the file is the one that was imported."""
    client = as_("viewer")
    forms = ("edits-csv", "edits-jsonl", "words", "thresh")
    page = client.get(f"/s/{imported.pid}/export/").content.decode()
    assert all(f'value="{form}"' in page for form in forms)
    assert 'value="thresh"' not in client.get(f"/s/{study.pid}/export/").content.decode()
    answer = client.post(f"/s/{imported.pid}/export/", {"format": "thresh", "key": KEY})
    assert answer.status_code == 302
    file = client.get(f"/s/{imported.pid}/export/{KEY}/file/")
    assert file["Content-Type"] == "application/json"
    assert "bread-thresh-" in file["Content-Disposition"]
    assert file.getvalue().decode() == json.dumps(ENTRIES, indent=4)


@pytest.mark.parametrize(
    ("form", "kind"), [("words", "text/csv"), ("edits-csv", "text/csv"), ("edits-jsonl", "application/jsonl")]
)
def test_tables_of_edits_by_the_api(imported: Study, people: dict[str, Any], form: str, kind: str) -> None:
    """The same formats by the API, with their own kind of file."""
    from rubrica.store.people import tokens

    token = tokens.make(people["owner"], "script", NOW).token
    client = Client(headers={"Authorization": f"Bearer {token}"})
    address = f"/api/v1/studies/{imported.pid}/exports"
    made = client.post(address, {"format": form}, content_type="application/json").json()
    assert made["state"] == "done"
    assert made["judgements"] == 4
    assert client.get(f"{address}/{made['id']}/file")["Content-Type"].startswith(kind)


def test_a_study_without_edits_is_told(study: Study, as_: Callable[[str], Client]) -> None:
    """A format of edits for a protocol without edits is refused with the others."""
    answer = as_("owner").post(f"/s/{study.pid}/export/", {"format": "words"})
    assert answer.status_code == 422
    assert "has no edits" in answer.content.decode()
