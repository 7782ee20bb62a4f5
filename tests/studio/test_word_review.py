"""Picked words are looked at before people are asked: on the page, through the API and by the command alike."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.cli.main import main
from tests.docs.pages import DOCS
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.drafting import text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Item, Study

pytestmark = pytest.mark.postgres
SCHOOL = DOCS / "examples/lexical/school.txt"

CONSENTS = "es,ca,fil,fr,de,it,ja,pt,si"
"""Languages in which nobody has reviewed our consent."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four contexts with three words each, and two in reserve."""
    out = tmp_path_factory.mktemp("words") / "words.csv"
    made = ["words", "pick", str(SCHOOL), "--lang", "en", "--contexts", "4", "--reserve", "2", "-o", str(out)]
    assert main(made) == 0
    return out


@pytest.fixture
def draft(as_: Callable[[str], Client], table: Path) -> Study:
    """A study made on the page New study, and its items by the file."""
    from rubrica.store.models import Study

    owner = as_("owner")
    made = owner.post("/studies/new/", {"title": "Hard words", "protocol": "lexical_complexity"})
    address = made.headers["Location"]
    owner.post(address, {"action": "upload", "file": upload(table.read_bytes(), "words.csv")})
    used = owner.post(address, {"action": "confirm"}, follow=True)
    assert "12 items are in the study" in text_of(used)
    return Study.objects.get(pid=address.split("/")[2])


def words(study: Study) -> list[Item]:
    """The words that would be asked about."""
    return list(study.items.given().unplanted().open().order_by("position", "pk"))


def count(study: Study) -> Any:
    """The counters."""
    from rubrica.store.setup.target_words import counted

    return counted(study)


@pytest.mark.any_database
def test_the_page_shows_contexts_with_targets_and_reasons(as_: Callable[[str], Client], draft: Study) -> None:
    """Each word marked where it stands, with why it was picked; the reserve is no item of the study."""
    page = as_("owner").get(f"/s/{draft.pid}/setup/review/")
    html = page.content.decode()
    assert html.count('<li class="card word-card') == 4
    assert re.findall(r"<mark>([^<]+)</mark>", html) == [row.fields["target"] for row in words(draft)]
    assert "main target: its band was next; Zipf" in text_of(page)
    assert "12 of 12 wanted" in text_of(page)
    assert "2 contexts in reserve" in text_of(page)
    assert draft.items.count() == 18


def test_accept_replace_drop_and_edit_move_the_counters(as_: Callable[[str], Client], draft: Study) -> None:
    """Who did it and when stands with each word and in the audit."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.setup.target_words import contexts

    manager, address = as_("owner"), f"/s/{draft.pid}/setup/review/"
    one, two, three, four = contexts(draft)
    manager.post(address, {"action": "accept", "context": one.pid})
    assert (count(draft).accepted, count(draft).waiting) == (3, 9)
    assert {item.reviewed_by for item in words(draft)[:3]} == {"owner"}

    candidate = two.candidates[0]
    manager.post(address, {"context": two.pid, "word": f"{two.items[1].pid}:{candidate.start}"})
    changed = draft.items.get(pk=two.items[1].pk)
    assert (changed.fields["target"], changed.metadata["start"]) == (candidate.text, str(candidate.start))
    assert changed.metadata["instead_of"] == two.items[1].fields["target"]
    assert changed.metadata["why"].startswith("a candidate, chosen in the review; Zipf")
    assert changed.digest != two.items[1].digest
    assert (count(draft).accepted, count(draft).replaced) == (4, 1)

    manager.post(address, {"action": "edit", "context": two.pid, "text": f"Then {two.text[0].lower()}{two.text[1:]}"})
    for item in draft.items.filter(pk__in=[item.pk for item in two.items]):
        text, start = item.fields["context"], int(item.metadata["start"])
        assert text.startswith("Then ")
        assert text[start : start + len(item.fields["target"])] == item.fields["target"]

    manager.post(address, {"action": "context", "context": three.pid})
    assert (count(draft).replaced, count(draft).reserve, count(draft).instances) == (4, 1, 12)
    assert draft.items.get(pk=three.items[0].pk).closed_reason.startswith("replaced by the context of en_1")

    manager.post(address, {"action": "drop", "context": four.pid, "reason": "a name"})
    assert (count(draft).dropped, count(draft).instances) == (3, 9)
    assert draft.items.get(pk=four.items[0].pk).closed_reason == "a name"
    manager.post(address, {"action": "accept", "context": four.pid})
    assert (count(draft).dropped, count(draft).instances) == (0, 12)
    done = set(AuditEvent.objects.filter(study=draft.pid).values_list("action", "actor"))
    assert {("word replaced", "owner"), ("context replaced", "owner"), ("context edited", "owner")} <= done


@pytest.mark.any_database
def test_any_word_and_a_single_drop(as_: Callable[[str], Client], draft: Study) -> None:
    """A word that no rule would pick may be chosen; one word may go while its context stays."""
    from rubrica.store.setup.target_words import contexts

    owner, address = as_("owner"), f"/s/{draft.pid}/setup/review/"
    one = contexts(draft)[0]
    owner.post(address, {"context": one.pid, "word": f"{one.items[0].pid}:0"})
    assert draft.items.get(pk=one.items[0].pk).fields["target"] == one.text.split()[0]
    owner.post(address, {"context": one.pid, "word": one.items[1].pid})
    assert count(draft).dropped == 1
    assert contexts(draft)[0].state == "waiting"


@pytest.mark.any_database
def test_what_cannot_be_done_is_said_and_changes_nothing(as_: Callable[[str], Client], draft: Study) -> None:
    """A target twice, a word that is gone, an empty context, a context that is there already."""
    from rubrica.store.setup.target_words import contexts

    owner, address = as_("owner"), f"/s/{draft.pid}/setup/review/"
    one, two, *_ = contexts(draft)
    before = list(draft.items.order_by("pk").values_list("fields", "metadata"))
    other = one.items[1].metadata["start"]
    for said, words_said in (
        ({"word": f"{one.items[0].pid}:{other}"}, "This word is a target already"),
        ({"word": f"{one.items[0].pid}:1"}, "No word begins at 1"),
        ({"action": "edit", "text": "Something else."}, "is not in the context any more"),
        ({"action": "edit", "text": "  "}, "The context is empty"),
        ({"action": "edit", "text": two.text}, "Another context of the study reads the same"),
    ):
        answer = owner.post(address, {"context": one.pid, **said})
        assert answer.status_code == 422
        assert words_said in text_of(answer)
    assert list(draft.items.order_by("pk").values_list("fields", "metadata")) == before
    assert owner.post(address, {"context": "nothing", "action": "accept"}).status_code == 404
    assert as_("stranger").post(address, {"context": one.pid, "action": "accept"}).status_code == 404


@pytest.mark.any_database
def test_the_script_gets_the_card_alone(as_: Callable[[str], Client], draft: Study) -> None:
    """With the counters beside it, to be put in their places."""
    from rubrica.store.setup.target_words import contexts

    one = contexts(draft)[0]
    sent = {"action": "accept", "context": one.pid}
    answer = as_("owner").post(f"/s/{draft.pid}/setup/review/", sent, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert html.startswith(f'<li class="card word-card is-accepted" id="c-{one.pid}"')
    assert 'id="word-count"' in html
    assert "<html" not in html


def test_only_accepted_words_are_handed_out(as_: Callable[[str], Client], draft: Study) -> None:
    """While words wait the launch is refused; on a recorded decision what waits is left out; duplicates follow."""
    from rubrica.store.setup import study_items
    from rubrica.store.setup.target_words import contexts

    owner, launch, address = as_("owner"), f"/s/{draft.pid}/setup/launch/", f"/s/{draft.pid}/setup/review/"
    study_items.set_duplicates(draft, 0.5, NOW, "owner")
    one, two, *_ = contexts(draft)
    for each in (one, two):
        owner.post(address, {"action": "accept", "context": each.pid})
    owner.post(address, {"context": one.pid, "word": f"{one.items[0].pid}:{one.candidates[0].start}"})
    refused = owner.post(launch, {"review": "yes", "ethics": "yes", "consent": CONSENTS.split(",")})
    assert refused.status_code == 422
    assert "6 picked words wait" in text_of(refused)
    owner.post(address, {"action": "require"})
    owner.post(launch, {"review": "yes", "ethics": "yes", "consent": CONSENTS.split(",")})
    assert draft.stages.get().state == "open"
    out = words(draft)
    assert len(out) == 6
    assert all(item.reviewed_at and "candidates" not in item.metadata for item in out)
    copies = draft.items.planted().select_related("planted__original")
    assert all(copy.fields == copy.planted.original.fields for copy in copies)
    again = owner.post(address, {"context": one.pid, "word": f"{one.items[0].pid}:0"})
    assert again.status_code == 422
    assert "a launched study cannot be replaced" in text_of(again).lower()


def test_the_api_does_the_same(people: dict[str, Any], draft: Study) -> None:
    """Replace, edit, another context, counters; a study without words in contexts says so."""
    from rubrica.store.setup.target_words import contexts

    api, where = ApiClient(people["owner"]), f"/studies/{draft.pid}/items"
    one, two, *_ = contexts(draft)
    start = one.candidates[0].start
    found = api.send("post", f"{where}/{one.items[0].pid}/word", {"start": start})
    assert one.candidates[0].text in [item["fields"]["target"] for item in found["items"]]
    found = api.send("post", f"{where}/{one.items[0].pid}/context", {"text": f"Often {one.text}"})
    assert found["text"] == f"Often {one.text}"
    assert api.send("post", f"{where}/{two.items[0].pid}/another-context")["state"] == "waiting"
    numbers = api.get(f"{where}/words")
    assert (numbers["accepted"], numbers["replaced"], numbers["reserve"]) == (1, 4, 1)
    assert api.call("post", f"{where}/{one.items[0].pid}/word", {"start": 1})[0] == 422


@pytest.mark.any_database
def test_other_studies_have_no_words_to_replace(people: dict[str, Any], study: Study) -> None:
    """Refused, not broken."""
    study.stages.update(state="draft")
    api = ApiClient(people["owner"])
    item = study.items.first()
    assert item is not None
    status, found = api.call("post", f"/studies/{study.pid}/items/{item.pid}/word", {"start": 0})
    assert status == 422
    assert "marks no words in contexts" in found["errors"][0]["what"]


def test_the_command_makes_a_draft_and_launches_it(home: Path, table: Path, rubrica: Callable[..., Any]) -> None:
    """Sheets are not dealt before; accepting and launching are recorded with the name of whoever runs it."""
    from rubrica.store.models import AuditEvent, Study

    made = rubrica("study", "new", "hard", "--protocol", "lexical_complexity", "--items", table)
    assert "a draft: look at the words in the studio" in made.out
    sheets = rubrica("sheets", "write", "hard", "--annotators", "ana", "--out", home / "sheets")
    assert "the stage is not released" in sheets.err
    refused = rubrica("study", "launch", "hard", "--attest", "review,ethics")
    assert refused.code == 1
    assert "12 picked words wait" in refused.err
    with table.open(encoding="utf-8") as file:
        first = next(csv.DictReader(file))["id"]
    assert "1 of 12 words accepted" in rubrica("words", "accept", "hard", first).err
    assert rubrica("words", "accept", "hard", "nothing").code == 1
    assert rubrica("words", "accept", "hard").code == 1
    assert "12 of 12 words accepted" in rubrica("words", "accept", "hard", "--all").err
    launch = ("study", "launch", "hard", "--attest", "review,ethics", "--consents-read")
    assert "there is no language 'jp'" in rubrica(*launch, f"{CONSENTS},jp").err
    assert rubrica(*launch, CONSENTS).code == 0
    assert Study.objects.get(name="hard").stages.get().state == "open"
    assert AuditEvent.objects.get(action="study launched").actor.startswith("command line")
    assert rubrica("sheets", "write", "hard", "--annotators", "ana", "--out", home / "sheets").code == 0


ABOUT = {
    "source": "a school garden",
    "licence": "CC0",
    "genre": "reports",
    "audience": "pupils",
    "education_relation": "read in school",
    "native_speakers": "yes",
    "translated": "no",
}


@pytest.fixture
def described(tmp_path: Path) -> Path:
    """A table that says everything of its texts."""
    out = tmp_path / "described.csv"
    about = [part for key, text in ABOUT.items() for part in ("--about", f"{key}={text}")]
    assert main(["words", "pick", str(SCHOOL), "--lang", "en", "--contexts", "2", *about, "-o", str(out)]) == 0
    return out


def told(study: Study) -> dict[str, Any]:
    """What the study's record says of its texts."""
    from rubrica.store.options import options_of

    study.refresh_from_db()
    options = options_of(study)
    return {**options.about.model_dump(), **options.ethics.model_dump()}


@pytest.mark.any_database
@pytest.mark.parametrize("entrance", ["command", "page", "api", "api file"])
def test_what_a_table_says_of_its_texts_is_in_the_record(
    entrance: str, described: Path, people: dict[str, Any], as_: Callable[[str], Client], rubrica: Callable[..., Any]
) -> None:
    """By every entrance, so that a release need not be told again; and the question is asked for the audience."""
    from rubrica.store.models import Study

    if entrance == "command":
        rubrica("study", "new", "hard", "--protocol", "lexical_complexity", "--items", described)
        made = Study.objects.get(name="hard")
    elif entrance == "page":
        owner = as_("owner")
        sent = {"title": "Hard", "protocol": "lexical_complexity", "lexical_complexity.wording": "audience"}
        address = owner.post("/studies/new/", sent).headers["Location"]
        owner.post(address, {"action": "upload", "file": upload(described.read_bytes(), "words.csv")})
        owner.post(address, {"action": "confirm"})
        made = Study.objects.get(pid=address.split("/")[2])
    else:
        api = ApiClient(people["owner"])
        made = Study.objects.get(
            pid=api.send("post", "/studies", {"title": "Hard", "protocol": "lexical_complexity"})["id"]
        )
        if entrance == "api file":
            api.upload(f"/studies/{made.pid}/items/file", "words.csv", described.read_bytes())
        else:
            with described.open(encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            fields = ("context", "target")
            items = [
                {
                    "id": row["id"],
                    "fields": {name: row[name] for name in fields},
                    "metadata": {name: text for name, text in row.items() if text and name not in ("id", *fields)},
                }
                for row in rows
            ]
            api.send("put", f"/studies/{made.pid}/items", {"items": items})
    found = told(made)
    assert (found["sources"], found["licence"], found["genre"]) == ("a school garden", "CC0", "reports")
    assert (found["audience"], found["education_relation"]) == ("pupils", "read in school")
    assert found["sources_attested"] is True
    if entrance == "page":
        assert made.stages.get().settings["audience"] == "pupils"


@pytest.mark.any_database
def test_what_the_researcher_said_stays_and_translations_are_not_attested(
    described: Path, rubrica: Callable[..., Any], home: Path
) -> None:
    """A table does not overrule a person; one translated text is enough for no."""
    from rubrica.store.models import Study

    text = described.read_text(encoding="utf-8").replace(",yes,no\n", ",yes,yes\n", 1)
    described.write_text(text, encoding="utf-8")
    made = ("study", "new", "hard", "--protocol", "lexical_complexity", "--items", described, "--genre", "fables")
    assert rubrica(*made).code == 0
    found = told(Study.objects.get(name="hard"))
    assert (found["genre"], found["licence"], found["sources_attested"]) == ("fables", "CC0", False)


@pytest.mark.any_database
def test_yes_or_no_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Whether texts were translated has two answers."""
    assert main(["words", "pick", str(SCHOOL), "--lang", "en", "--about", "translated=partly"]) == 1
    assert "there is no answer about translated 'partly'" in capsys.readouterr().err


@pytest.mark.any_database
def test_suggestions_are_marked_as_such(as_: Callable[[str], Client], draft: Study) -> None:
    """Beside the reasons, and gone with a word that is replaced."""
    item = words(draft)[0]
    item.update(metadata={**item.metadata, "suggested_complexity": "3.1", "suggested_substitutes": "2: delay, defer"})
    owner, address = as_("owner"), f"/s/{draft.pid}/setup/review/"
    shown = text_of(owner.get(address))
    assert "suggestion of a program complexity about 3.1 of 5; a thesaurus has: 2: delay, defer" in shown
    owner.post(address, {"context": item.pid, "word": f"{item.pid}:0"})
    assert "suggestion of a program complexity" not in text_of(owner.get(address))
