"""Edits and corrections: an unchanged text is none by any entrance, a doubtful one is asked about; all are a corpus."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Judgement
from rubrica.exchange.tables import read_table
from tests.conftest import Ran
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.entrances import Entrances

if TYPE_CHECKING:
    from rubrica.store.models import Study

ENTRANCES = ("page", "api", "sheet", "import")
SOURCE, REWRITE = "The 1 old gates stay shut.", "Gate 1 is shut."
PLAIN = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "needed": "yes"}


def accepted(edit: str) -> Judgement:
    """Accepted, with this edit."""
    return Judgement({**PLAIN, "acceptance": "accept_with_edit", "edit": edit})


def rejected(corrected: str) -> Judgement:
    """Rejected, with this correction."""
    return Judgement({**PLAIN, "acceptance": "reject", "severity": 2, "corrected": corrected})


def kept() -> int:
    """How many judgements were kept."""
    from rubrica.store.models import Judgement as Head

    return Head.objects.submitted().count()


@pytest.mark.parametrize("way", ENTRANCES)
@pytest.mark.parametrize(
    ("protocol", "judgement"),
    [
        ("breve", accepted(REWRITE)),
        ("breve", accepted("  Gate 1   is shut. ")),
        ("split_rewrite", Judgement({"rewrite": "The old gates stay shut. Nobody comes."})),
    ],
    ids=["edit", "edit with other spaces", "split into what it was"],
)
def test_a_text_that_nobody_changed_is_refused(
    way: str, protocol: str, judgement: Judgement, make_study: Callable[..., Study], tmp_path: Path
) -> None:
    """An edit that is the rewrite, and a rewrite that is the source of two sentences, are none, by every entrance."""
    from rubrica.core.study import Item

    rows = [Item("p1", {"source": "The old gates stay shut. Nobody comes."})] if protocol == "split_rewrite" else None
    entrances = Entrances(make_study(protocol, items=1, rows=rows), tmp_path)
    with pytest.raises(AssertionError):
        entrances.all[way]({"p1": judgement})
    assert kept() == 0


@pytest.mark.parametrize("way", ["api", "sheet", "import"])
@pytest.mark.parametrize("text", [SOURCE, REWRITE], ids=["source", "rewrite"])
def test_a_doubtful_correction_is_taken(way: str, text: str, make_study: Callable[..., Study], tmp_path: Path) -> None:
    """The source may have been right, so a correction that is word for word one of the two texts is kept."""
    Entrances(make_study(items=1), tmp_path).all[way]({"p1": rejected(text)})
    assert kept() == 1


@pytest.mark.parametrize("way", ["sheet", "import"])
@pytest.mark.parametrize("text", [SOURCE, REWRITE], ids=["source", "rewrite"])
def test_files_ask_about_a_doubtful_correction(
    way: str, text: str, make_study: Callable[..., Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading a sheet or a file says where a correction is word for word one of the two texts, in words and JSON."""
    Entrances(make_study(items=1), tmp_path).all[way]({"p1": rejected(text)})
    told = capsys.readouterr()
    assert "look at" in told.err
    asked = json.loads(told.out[told.out.index("{") :])["questions"]
    assert [one["rule"] for one in asked] == ["same_text"]


def test_the_page_asks_about_a_doubtful_correction(make_study: Callable[..., Study], tmp_path: Path) -> None:
    """The live remark asks; without script the page comes back once with the question, then takes it."""
    entrances = Entrances(make_study(items=1), tmp_path)
    lease, token = entrances.leases()["p1"], entrances.token()
    answers = dict(rejected(SOURCE).answers)
    body = json.dumps({"lease": lease.pid, "answers": answers})
    headers = {"Authorization": f"Bearer {token}"}
    told = Client().post("/api/v1/work/hints", body, content_type="application/json", headers=headers).json()["hints"]
    asked = {"question": "corrected", "text": "This is word for word “Source”. Is that what you mean?", "asks": True}
    assert [one for one in told if one["asks"]] == [asked]
    form = {f"{lease.pid}.{name}": value for name, value in answers.items()} | {f"{lease.pid}.key": "key-00000001"}
    again = Client().post(f"/w/{token}/work/{lease.pid}/", form)
    assert again.status_code == 200
    assert "Is that what you mean?" in again.content.decode()
    assert 'name="asked"' in again.content.decode()
    assert kept() == 0
    assert Client().post(f"/w/{token}/work/{lease.pid}/", {**form, "asked": "once"}).status_code == 302
    assert kept() == 1


def test_the_boxes_start_as_the_guidelines_say(make_study: Callable[..., Study], tmp_path: Path) -> None:
    """The box of an edit holds the rewrite, that of a correction the source."""
    entrances = Entrances(make_study(items=1), tmp_path)
    lease, token = entrances.leases()["p1"], entrances.token()
    page = Client().get(f"/w/{token}/work/{lease.pid}/").content.decode()
    edit, corrected = (page.partition(f'name="{lease.pid}.{name}"')[2] for name in ("edit", "corrected"))
    assert edit.partition(">")[2].startswith(f"\n{REWRITE}</textarea>")
    assert corrected.partition(">")[2].startswith(f"\n{SOURCE}</textarea>")


def test_corrections_are_a_corpus(
    make_study: Callable[..., Study],
    people: dict[str, Any],
    as_: Callable[[str], Client],
    rubrica: Callable[..., Ran],
    tmp_path: Path,
) -> None:
    """Command, page and API give source, rewrite, correction, kind and who, one row for each text that was written."""
    from rubrica.store.models import Member

    study = make_study(items=3, name="corrected")
    Member.objects.create(study=study, user=people["viewer"], role="viewer", since=NOW)
    said = {"p1": accepted("Gate one is shut."), "p2": rejected("All gates stay shut.")}
    said["p3"] = Judgement({**PLAIN, "acceptance": "accept"})
    Entrances(study, tmp_path).by_import(said)
    out = tmp_path / "c.csv"
    ran = rubrica("export", study.name, "--format", "corrections", "-o", out, "--json")
    assert (ran.code, ran.json["corrections"]) == (0, 2)
    rows = list(csv.DictReader(out.open(encoding="utf-8", newline="")))
    wanted = ("source", "rewrite", "correction", "kind", "who")
    assert [tuple(row[name] for name in wanted) for row in rows] == [
        (SOURCE, REWRITE, "Gate one is shut.", "edit", "ana"),
        ("The 2 old gates stay shut.", "Gate 2 is shut.", "All gates stay shut.", "corrected", "ana"),
    ]
    key = "k" * 16
    assert "Corrections as CSV" in as_("viewer").get(f"/s/{study.pid}/export/").content.decode()
    as_("viewer").post(f"/s/{study.pid}/export/", {"format": "corrections", "key": key})
    assert as_("viewer").get(f"/s/{study.pid}/export/{key}/file/").getvalue() == out.read_bytes()
    made = ApiClient(people["viewer"]).send("post", f"/studies/{study.pid}/exports", {"format": "corrections"})
    assert made["state"] == "done"


def test_every_export_says_whom_the_texts_are_for(
    make_study: Callable[..., Study], rubrica: Callable[..., Ran], tmp_path: Path
) -> None:
    """What the study says of its texts stands with every judgement and correction, and is no obstacle to an import."""
    study = make_study(items=1, name="told")
    Entrances(study, tmp_path).by_import({"p1": accepted("Gate one is shut.")})
    assert rubrica("study", "change", "told", "--audience", "pupils", "--genre", "notices").code == 0
    about = {"audience": "pupils", "genre": "notices"}
    for form in ("jsonl", "csv", "xlsx", "parquet", "corrections"):
        file = tmp_path / f"told.{'csv' if form == 'corrections' else form}"
        assert rubrica("export", "told", "--format", form, "-o", file).code == 0
        (row,) = read_table(file).rows
        assert json.loads(row.values["about_texts"]) == about, form
        if form != "corrections":
            assert rubrica("import", "told", file).out.endswith("1 unchanged\n"), form


def test_a_study_without_texts_to_write_has_no_corrections(
    make_study: Callable[..., Study], rubrica: Callable[..., Ran]
) -> None:
    """The command says so, and exits with 1."""
    make_study("lexical_complexity", items=1, name="rated")
    ran = rubrica("export", "rated", "--format", "corrections")
    assert ran.code == 1
    assert "has no rewrites to export" in ran.err
