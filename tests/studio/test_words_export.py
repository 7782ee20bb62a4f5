"""Releases of words: what the command can, the page and the API can, by the same function."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Item, Judgement
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.drafting import text_of

if TYPE_CHECKING:
    from rubrica.store.models import Study

ITEMS = [
    Item("w1", {"context": "They commence work at nine.", "target": "commence"}, metadata={"language": "en"}),
    Item("w2", {"context": "A vast field lay there.", "target": "vast"}, metadata={"language": "en"}),
]
SAID: dict[str, dict[str, list[Any]]] = {
    "complexity": {"w1": [3, 4, 2], "w2": [1, 1, 2]},
    "substitutes": {"w1": [("start", "begin"), ("begin",), ()], "w2": [("huge",), ("big", "huge"), ()]},
}
RECORD = {
    "about": {"audience": "pupils", "genre": "fables", "education_relation": "read in school"},
    "ethics": {"licence": "CC0", "sources": "ours", "sources_attested": True},
}


@pytest.fixture
def both(make_study: Callable[..., Study], people: dict[str, Any]) -> dict[str, Study]:
    """The two studies of the same words, three people each; everybody who is a member sees both."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Member
    from rubrica.store.people.invitations import invite
    from rubrica.store.people.profiles import save
    from rubrica.store.recording import judgements

    found = {}
    for question, protocol in (("complexity", "lexical_complexity"), ("substitutes", "lexical_simplification")):
        study = make_study(protocol, rows=ITEMS, overlap=3, name=question, **RECORD)
        for name in ("owner", "viewer"):
            Member.objects.create(study=study, user=people[name], role=name, since=NOW)
        for place, link in enumerate(invite(study, ["ana", "ben", "eva"], NOW)):
            save(link.annotator, {"age": 30 + place, "native_speaker": True}, NOW)
            for _ in ITEMS:
                for lease in leases.take(link.annotator, study.stages.get(), NOW).leases:
                    answer = SAID[question][lease.item.key][place]
                    said = judgements.Said(
                        lease, f"{study.pid}{link.pid}{lease.item.key}", Judgement({question: answer})
                    )
                    judgements.submit([said], NOW)
        found[question] = study
    return found


CHOICES = {"part": "combined", "ties": "descending", "none_simpler": "omit"}


def test_page_api_and_command_join_two_studies_alike(
    both: dict[str, Study], as_: Callable[[str], Client], people: Any, rubrica: Callable[..., Any], tmp_path: Path
) -> None:
    """The combined file with its tie rule and without "none simpler", byte by byte."""
    one, other = both["complexity"], both["substitutes"]
    expected = (
        "en_1\tenglish\tThey commence work at nine.\tcommence\t0.5\tbegin\tbegin\tstart\n"
        "en_2\tenglish\tA vast field lay there.\tvast\t0.08333333333333333\thuge\thuge\tbig\n"
    )
    address, key = f"/s/{one.pid}/export/", "w" * 16
    viewer = as_("viewer")
    assert "Join with the study of the other task" in text_of(viewer.get(address))
    viewer.post(address, {"format": "mlsp", "other": other.pid, "key": key, **CHOICES})
    by_page = viewer.get(f"{address}{key}/file/")
    assert by_page["Content-Type"].startswith("text/tab-separated-values")
    assert by_page.getvalue().decode() == expected
    assert "instances with fewer than 10 annotations of a task" in text_of(viewer.get(address))
    api = ApiClient(people["viewer"])
    made = api.send("post", f"/studies/{one.pid}/exports", {"format": "mlsp", "words": {"other": other.pid, **CHOICES}})
    assert made["name"].endswith(".tsv")
    assert made["remarks"]
    assert "ties:descending" in made["signature"]
    assert api.client.get(made["file"].removeprefix("http://testserver")).getvalue().decode() == expected
    file = tmp_path / "out.tsv"
    options = ("--with", other.name, "--part", "combined", "--ties", "descending", "--none-simpler", "omit")
    assert rubrica("export", one.name, "--format", "mlsp", *options, "-o", file).code == 0
    assert file.read_text(encoding="utf-8") == expected


def test_what_refuses_a_release_refuses_it_everywhere(
    both: dict[str, Study], as_: Callable[[str], Client], people: Any
) -> None:
    """Too few annotations under strict, texts of which nothing is said, a study that one may not see."""
    from rubrica.store.models import Job, Member

    one, other = both["complexity"], both["substitutes"]
    address, api = f"/s/{one.pid}/export/", ApiClient(people["viewer"])
    strict = as_("viewer").post(address, {"format": "mlsp", "part": "lcp", "strict": "on"})
    assert strict.status_code == 422
    assert "3 annotations of complexity" in text_of(strict)
    status, found = api.call("post", f"/studies/{one.pid}/exports", {"format": "mlsp", "words": {"strict": True}})
    assert (status, len(found["errors"])) == (422, 2)
    one.update(options={})
    refused = as_("viewer").post(address, {"format": "mlsp"})
    assert refused.status_code == 422
    assert "under which licence they may be given away" in text_of(refused)
    assert api.call("post", f"/studies/{one.pid}/exports", {"format": "mlsp"})[0] == 422
    assert api.call("post", f"/studies/{one.pid}/exports", {"format": "csv", "words": {"strict": True}})[0] == 422
    Member.objects.filter(study=other, user=people["viewer"]).delete()
    body = {"format": "mlsp", "words": {"other": other.pid, "unattested": True}}
    assert api.call("post", f"/studies/{one.pid}/exports", body)[0] == 404
    assert not Job.objects.exists()
    assert api.call("post", f"/studies/{one.pid}/exports", {"format": "mlsp", "words": {"unattested": True}})[0] == 202


def test_annotators_are_told_of_where_consent_covers_it(both: dict[str, Study], people: Any) -> None:
    """Refused without; with it under numbers, in ranges; the rule and the overlap stand in the card."""
    from rubrica.store.options import options_of
    from rubrica.store.people.consents import decide, digest

    one, other = both["complexity"], both["substitutes"]
    api = ApiClient(people["owner"])
    words = {"other": other.pid, "annotators": True, "unaggregated": True, "same_people": True}
    body = {"format": "mlsp", "words": words}
    assert api.call("post", f"/studies/{one.pid}/exports", body)[0] == 422
    for study in (one, other):
        study.update(options={**study.options, "steps": {**study.options["steps"], "consent": True, "profile": True}})
        for person in study.annotators.all():
            decide(person, digest(options_of(study).consent_wording()), agrees=True, now=NOW)
    made = api.send("post", f"/studies/{one.pid}/exports", body)
    archive = zipfile.ZipFile(io.BytesIO(api.client.get(made["file"].removeprefix("http://testserver")).getvalue()))
    files = {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}
    assert "lcp,p-1,30-32," in files["annotators.csv"]
    assert "ls,p-1,30-32," in files["annotators.csv"]
    assert "p-3" in files["unaggregated.csv"]
    assert not any(name in text for text in files.values() for name in ("ana,", "ben,", "eva,"))
    assert "so that each is shared by at least 3 people" in files["README.md"]
    assert "two annotators have a substitute in common: 33.3% of pairs" in files["README.md"]
