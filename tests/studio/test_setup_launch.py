"""From a file to a running study: items, review, arithmetic, launch."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.drafting import CSV, fields, text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Study


MAPPED = {"column.source": "original", "column.rewrite": "suggestion", "column.id": "id"}


@pytest.fixture
def draft(study: Study) -> Study:
    """The standing study as a draft without items."""
    study.stages.update(state="draft")
    study.items.all().delete()
    return study


@pytest.fixture
def uploads() -> Path:
    """Where files wait, empty at first."""
    from rubrica.studio.studies.uploads import folder

    for file in folder().iterdir():
        file.unlink()
    return folder()


def send(client: Client, study: Study, text: str | bytes = CSV, name: str = "items.csv") -> Any:
    """Send a file of items."""
    address = f"/s/{study.pid}/setup/items/"
    return client.post(address, {"action": "upload", "file": upload(text, name)}, follow=True)


def chosen(page: Any) -> dict[str, str]:
    """Which column the page has chosen for each field, those in none left out."""
    found = {}
    for name, options in re.findall(r'name="column\.(\w+)">(.*?)</select>', page.content.decode(), re.DOTALL):
        column = re.search(r'value="([^"]+)" selected', options)
        if column:
            found[name] = column[1]
    ticked = re.findall(r'name="column\.(\w+)" value="([^"]+)" checked', page.content.decode())
    return found | {name: ",".join(column for one, column in ticked if one == name) for name, _ in ticked}


def keys(page: Any) -> list[str]:
    """The items on a page of the review."""
    return re.findall(r'class="item-key"><bdi>([^<]+)', page.content.decode())


def test_a_file_is_matched_shown_and_used(as_: Callable[[str], Client], draft: Study, uploads: Path) -> None:
    """Nothing enters the study before it is confirmed; then the file is gone."""
    owner = as_("owner")
    page = send(owner, draft)
    assert chosen(page) == {"source": "original", "rewrite": "suggestion", "id": "id"}
    assert "The 1 old gates stay shut." in text_of(page)
    assert "corpus" in text_of(page)
    assert draft.items.count() == 0
    assert len(list(uploads.iterdir())) == 1
    done = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **MAPPED})
    assert done.headers["Location"].endswith("/setup/review/")
    assert [item.key for item in draft.items.all()] == ["p1", "p2", "p3", "p4"]
    assert draft.items.all()[0].metadata == {"corpus": "news"}
    assert list(uploads.iterdir()) == []


@pytest.mark.postgres
def test_confirming_twice_is_once(as_: Callable[[str], Client], draft: Study) -> None:
    """The second click finds no file and changes nothing."""
    owner = as_("owner")
    send(owner, draft)
    for _ in range(2):
        assert owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **MAPPED}).status_code == 302
    assert draft.items.count() == 4


def test_columns_are_corrected_on_the_page(as_: Callable[[str], Client], draft: Study) -> None:
    """A column chosen by hand wins, and a field can be said not to be in the file."""
    owner = as_("owner")
    send(owner, draft, CSV.replace("suggestion", "blue"))
    page = owner.get(f"/s/{draft.pid}/setup/items/")
    assert "Use these" not in text_of(page)
    assert "no column for the field" in text_of(page)
    assert "--map" not in text_of(page)
    mapped = {**MAPPED, "column.rewrite": "blue", "column.id": ""}
    page = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "match", **mapped}, follow=True)
    assert chosen(page) == {"source": "original", "rewrite": "blue"}
    assert "Use these 4 items" in text_of(page)
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **mapped})
    assert [item.key for item in draft.items.all()] == ["1", "2", "3", "4"]


def test_systems_side_by_side_are_ticked(as_: Callable[[str], Client], draft: Study) -> None:
    """Columns of rewrites are ticked with the arithmetic and whole rows; one that is unticked is kept as metadata."""
    owner = as_("owner")
    rows = [
        f"The {word} was closed to the public for some weeks,The {word} was shut to the public,The {word} was closed"
        for word in ("old bridge", "harbour wall", "swimming pool", "museum")
    ]
    page = send(owner, draft, "\n".join(["Original text,GPT-4,Ours", *rows, ""]))
    assert chosen(page) == {"source": "Original text", "rewrite": "GPT-4,Ours"}
    assert "4 sentences × 2 systems = 8 items" in text_of(page)
    assert "its texts resemble the other text" in text_of(page)
    assert "a usual name for it" in text_of(page)
    assert text_of(page).count("was shut to the public") == 3
    same = send(owner, draft, "\n".join(["Original text,GPT-4,Ours", *rows[:3], "A sign,A sign,A sign", ""]))
    assert "2 of 8 rewrites equal their original: people judge them like any other" in text_of(same)
    assert "1 sentence has the same rewrite by two systems" in text_of(same)
    send(owner, draft, "\n".join(["Original text,GPT-4,Ours", *rows, ""]))
    mapped = {"column.source": "Original text", "column.rewrite": ["", "GPT-4", "Ours"], "column.system": ""}
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **mapped})
    assert [item.system for item in draft.items.all()[:3]] == ["GPT-4", "Ours", "GPT-4"]
    assert draft.items.count() == 8


def test_what_was_ticked_by_mistake_is_said(as_: Callable[[str], Client], draft: Study) -> None:
    """One column for two fields, or texts as names of systems, is refused on the page, in its words."""
    owner = as_("owner")
    send(owner, draft, CSV)
    mapped = {"column.source": "original", "column.rewrite": ["", "original", "suggestion"], "column.id": "id"}
    page = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "match", **mapped}, follow=True)
    assert "is given for" in text_of(page)
    assert "One column serves one field" in text_of(page)
    assert "Use these" not in text_of(page)
    none = {**mapped, "column.rewrite": ""}
    page = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "match", **none}, follow=True)
    assert "no column for the field" in text_of(page)


def test_a_file_without_a_header_is_read(as_: Callable[[str], Client], draft: Study) -> None:
    """Its columns are numbered; that the first line holds texts is said with the box to tick."""
    owner = as_("owner")
    page = send(owner, draft, CSV.split("\n", 1)[1])
    assert "this line holds texts, not the names of columns" in text_of(page)
    assert "Tick that the file has no header; or put a line with a name" in text_of(page)
    page = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "match", "no_header": "on"}, follow=True)
    assert '<option value="4">' in page.content.decode()
    mapped = {"column.source": "2", "column.rewrite": "3", "column.id": "1", "no_header": "on"}
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **mapped})
    assert draft.items.count() == 4


def test_texts_that_repeat_in_the_first_row_do_not_hide_the_way_out(as_: Callable[[str], Client], draft: Study) -> None:
    """A file of a shared task has no header and the same word twice in a row: the page still offers to say so."""
    owner = as_("owner")
    page = send(
        owner, draft, "The arid hills.\tThe dry hills.\tdry\tdry\nA vast plain.\tA wide plain.\twide\n", "x.tsv"
    )
    assert "or tick that the file has no header" in text_of(page)
    assert 'name="no_header"' in page.content.decode()
    mapped = {"column.source": "1", "column.rewrite": "2", "no_header": "on"}
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "match", "no_header": "on"})
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **mapped})
    assert draft.items.count() == 2


def test_bad_rows_are_all_listed_and_nothing_is_used(as_: Callable[[str], Client], draft: Study) -> None:
    """Each with the file's own name and its line."""
    owner = as_("owner")
    page = send(owner, draft, CSV + "p1,Again.,Again.,x\np9,,Empty.,x\n", "mine.csv")
    assert "mine.csv:6" in text_of(page)
    assert "mine.csv:7" in text_of(page)
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **MAPPED})
    assert draft.items.count() == 0


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"x", "items.exe"), (b"", "items.csv"), (b"\xff\xfea", "items.csv"), (b"no", "items.xlsx"), (b"a", "x.parquet")],
)
def test_files_that_cannot_be_read_say_why(
    as_: Callable[[str], Client], draft: Study, content: bytes, name: str
) -> None:
    """Whatever is sent, the answer is a page with the reason."""
    page = send(as_("owner"), draft, content, name)
    assert page.status_code in (200, 422)
    assert 'class="notice error"' in page.content.decode()
    assert draft.items.count() == 0


def test_a_file_of_uneven_rows_shows_no_empty_table(as_: Callable[[str], Client], draft: Study) -> None:
    """Where no row can be read there is nothing to match, and the page says so beside what is wrong."""
    page = send(as_("owner"), draft, "source,rewrite\nOne, two,three\nFour\n")
    words = text_of(page)
    assert "items.csv:2 this row has 3 fields, the header has 2" in words
    assert "items.csv:3 this row has 1 field, the header has 2" in words
    assert "No row of this file can be read" in words
    assert "Column of the file" not in words


def test_a_file_that_is_no_json_says_only_that(as_: Callable[[str], Client], draft: Study) -> None:
    """No column is missed where no line could be read."""
    words = text_of(send(as_("owner"), draft, CSV, "items.jsonl"))
    assert "items.jsonl:1 not JSON" in words
    assert "no column for" not in words
    assert "Column of the file" not in words


def test_no_file_and_no_action_are_no_error(as_: Callable[[str], Client], draft: Study) -> None:
    """A form sent empty says so; an unknown action changes nothing."""
    owner = as_("owner")
    assert owner.post(f"/s/{draft.pid}/setup/items/", {"action": "upload"}).status_code == 422
    assert owner.post(f"/s/{draft.pid}/setup/items/", {"action": "dance"}).status_code == 302


def test_a_waiting_file_can_be_thrown_away(as_: Callable[[str], Client], draft: Study, uploads: Path) -> None:
    """Then the page asks for a file again."""
    owner = as_("owner")
    send(owner, draft)
    page = owner.post(f"/s/{draft.pid}/setup/items/", {"action": "discard"}, follow=True)
    assert "items.csv" not in text_of(page)
    assert list(uploads.iterdir()) == []


def test_a_waiting_file_is_its_senders_alone(as_: Callable[[str], Client], draft: Study) -> None:
    """Another member sees no file, and confirms nothing."""
    send(as_("owner"), draft)
    manager = as_("manager")
    assert "items.csv" not in text_of(manager.get(f"/s/{draft.pid}/setup/items/"))
    manager.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **MAPPED})
    assert draft.items.count() == 0


def test_a_running_study_takes_no_new_file_here(as_: Callable[[str], Client], study: Study) -> None:
    """Its items cannot be replaced."""
    owner = as_("owner")
    send(owner, study)
    assert owner.post(f"/s/{study.pid}/setup/items/", {"action": "confirm", **MAPPED}).status_code == 422
    assert study.items.count() == 6


def test_files_beyond_the_limit_are_refused(
    as_: Callable[[str], Client], draft: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is kept; the limit is the setting for all tables."""
    monkeypatch.setenv("RUBRICA_MAX_MB", "20")
    page = as_("owner").post(
        f"/s/{draft.pid}/setup/quality/",
        {"action": "gold", "gold": upload(b"x" * 20_200_000, "gold.csv")},
    )
    assert page.status_code == 422
    assert "gold.csv this file is too large: at most 20 MB" in text_of(page)


def test_the_review_marks_items(as_: Callable[[str], Client], study: Study) -> None:
    """Fine, left out with a reason, all others fine; counts follow."""
    owner = as_("owner")
    address = f"/s/{study.pid}/setup/review/"
    pids = list(study.items.values_list("pid", flat=True))
    first = {"item": pids, f"decision.{pids[0]}": "out", f"reason.{pids[0]}": "A name"}
    owner.post(address, {**first, "action": "save"})
    assert "1 of 6 reviewed, 1 left out" in text_of(owner.get(address))
    owner.post(address, {**first, "action": "all_fine"})
    assert "6 of 6 reviewed, 1 left out" in text_of(owner.get(address))
    assert study.items.get(pid=pids[0]).closed_reason == "A name"
    owner.post(address, {"item": pids[:1], f"decision.{pids[0]}": "fine"})
    assert "6 of 6 reviewed, 0 left out" in text_of(owner.get(address))


def test_the_review_finds_items(as_: Callable[[str], Client], make_study: Any, people: Any) -> None:
    """By their words, also beyond ASCII, and by what was decided; 25 on a page."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member

    rows = [Item(f"k{n}", {"source": f"Ñandú {n} corre.", "rewrite": "Corre."}) for n in range(30)]
    study = make_study(rows=rows, name="birds")
    Member.objects.create(study=study, user=people["viewer"], role="viewer", since=NOW)
    viewer = as_("viewer")
    address = f"/s/{study.pid}/setup/review/"
    assert len(keys(viewer.get(address))) == 25
    assert len(keys(viewer.get(address, {"page": "2"}))) == 5
    assert viewer.get(address, {"page": "x"}).status_code == 200
    assert keys(viewer.get(address, {"q": "Ñandú 7"})) == ["k7"]
    assert viewer.get(address, {"q": "a\0b"}).status_code == 200
    assert keys(viewer.get(address, {"show": "left_out"})) == []


def test_the_review_shows_a_source_once_for_its_rewrites(
    as_: Callable[[str], Client], make_study: Any, people: Any
) -> None:
    """Where the item before has the same original, it is said to be as above; a new one is shown."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member

    texts = [("One bird.", "Bird A."), ("One bird.", "Bird B."), ("Two birds.", "Birds.")]
    rows = [Item(f"k{n}", {"source": source, "rewrite": text}) for n, (source, text) in enumerate(texts)]
    study = make_study(rows=rows, name="birds")
    Member.objects.create(study=study, user=people["viewer"], role="viewer", since=NOW)
    html = as_("viewer").get(f"/s/{study.pid}/setup/review/").content.decode()
    assert html.count('<dd dir="auto">One bird.') == 1
    assert html.count("as above") == 1
    assert html.count('<dd dir="auto">Two birds.') == 1


def test_a_review_that_is_not_required_has_one_way_on(as_: Callable[[str], Client], study: Study) -> None:
    """Items are only left out or taken back; every button keeps the marks, and the launch does the rest."""
    from rubrica.store.models import AuditEvent

    study.stages.update(state="draft")
    owner, address = as_("owner"), f"/s/{study.pid}/setup/review/"
    page = owner.get(address).content.decode()
    assert re.findall(r'name="action" value="(\w+)"', page) == ["launch", "require"]
    assert "Fine" not in text_of(owner.get(address))
    pids = list(study.items.values_list("pid", flat=True))
    marks = {"item": pids, f"decision.{pids[1]}": "out", f"reason.{pids[1]}": "A name"}
    assert owner.post(address, {**marks, "action": "launch"}).headers["Location"] == f"/s/{study.pid}/setup/launch/"
    assert study.items.get(pid=pids[1]).closed_reason == "A name"
    assert study.items.filter(reviewed_at=None).count() == 5
    assert "1 of 6 left out" in text_of(owner.get(address))
    assert f'type="hidden" name="decision.{pids[1]}" value="fine"' in owner.get(address).content.decode()
    owner.post(address, {"item": pids, f"decision.{pids[1]}": "fine", "action": "next"})
    assert study.items.get(pid=pids[1]).closed_at is None
    kept = AuditEvent.objects.filter(action="items reviewed").count()
    owner.post(address, {"item": pids, "action": "launch"})
    assert AuditEvent.objects.filter(action="items reviewed").count() == kept


def test_the_pages_of_a_review_keep_what_was_marked(as_: Callable[[str], Client], make_study: Any, people: Any) -> None:
    """Next and Previous save, and stay within a search."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member

    rows = [Item(f"k{n:02d}", {"source": f"Ñandú {n} corre.", "rewrite": "Corre."}) for n in range(60)]
    study = make_study(rows=rows, name="birds")
    study.stages.update(state="draft")
    Member.objects.create(study=study, user=people["owner"], role="owner", since=NOW)
    owner, address = as_("owner"), f"/s/{study.pid}/setup/review/"
    first = study.items.get(key="k00").pid
    sent = {"item": [first], f"decision.{first}": "out", "page": "1", "show": "all", "q": "corre"}
    onward = owner.post(address, {**sent, "action": "next"}).headers["Location"]
    assert onward == f"{address}?q=corre&show=all&page=2"
    assert study.items.get(key="k00").closed_at is not None
    back = owner.post(address, {**sent, "page": "2", "action": "previous"}).headers["Location"]
    assert back.endswith("page=1")
    assert keys(owner.get(onward)) == [f"k{n:02d}" for n in range(25, 50)]


def test_the_arithmetic_is_shown_plainly(as_: Callable[[str], Client], study: Study) -> None:
    """6 items x 2 = 12 judgements; at 60 s 0.2 h; at 0.10 each 1.20 and 6.00 an hour, below 9.26."""
    from rubrica.store.setup.setting_up import change_options

    payment = {
        "currency": "EUR",
        "per_task": {"rate": "0.10"},
        "median_seconds": {"rate": 60},
        "platform_fee": 50,
        "minimum_wages": {"Spain": "9.26", "Nowhere": "1"},
    }
    change_options(study, {"payment": payment}, NOW, "owner")
    page = text_of(as_("viewer").get(f"/s/{study.pid}/setup/launch/", {"annotators": "4"}))
    for words in (
        "6 items × 2 per item 12",
        "12 tasks × 60 s 0.2 h",
        "12 tasks × 0.10 1.20 EUR",
        "6.00 EUR",
        "Each of 4 annotators about 3 tasks",
        "50 % 0.60 EUR",
        "Total 1.80 EUR",
        "Spain 9.26 6.00 below 0.16 EUR per task would do",
        "Nowhere 1.00 6.00 enough",
    ):
        assert words in page


def test_the_arithmetic_follows_what_is_typed(as_: Callable[[str], Client], study: Study) -> None:
    """Without saving anything; what cannot be read leaves the saved numbers."""
    from rubrica.store.options import options_of

    owner = as_("owner")
    sent = fields(owner.get(f"/s/{study.pid}/setup/payment/"))
    address = f"/s/{study.pid}/setup/payment/arithmetic/"
    before = options_of(study)
    assert "24.00 USD" in text_of(owner.post(address, {**sent, "per_task_0": "2", "annotators": "3"}))
    assert "cannot be read" in text_of(owner.post(address, {**sent, "per_task_0": "two"}))
    study.refresh_from_db()
    assert options_of(study) == before
    assert owner.get(address, {"annotators": "99999999999"}).status_code == 200
    assert as_("stranger").get(address).status_code == 404
    assert owner.put(address).status_code == 405


@pytest.mark.parametrize("typed", ["many", "0", "-3", "2.5", "99999999999"])
def test_a_number_of_annotators_that_is_none_is_said_to_be_none(
    as_: Callable[[str], Client], study: Study, typed: str
) -> None:
    """It stays in the field, and the page says with which number it was worked out instead."""
    page = as_("viewer").get(f"/s/{study.pid}/setup/launch/", {"annotators": typed})
    assert f"“{typed}” is not a number of annotators: use 1 to 1,000,000. Below it is worked out for 2" in text_of(page)
    assert f'value="{typed}" aria-invalid="true"' in page.content.decode()
    assert "is not a number" not in text_of(as_("viewer").get(f"/s/{study.pid}/setup/launch/", {"annotators": "3"}))


def test_a_draft_is_launched_once(as_: Callable[[str], Client], draft: Study) -> None:
    """Not without items; then by the button, and a second click changes nothing."""
    from rubrica.store.models import AuditEvent

    owner = as_("owner")
    address = f"/s/{draft.pid}/setup/launch/"
    response = owner.post(address)
    assert response.status_code == 422
    assert "cannot be launched yet" in text_of(response)
    send(owner, draft)
    owner.post(f"/s/{draft.pid}/setup/items/", {"action": "confirm", **MAPPED})
    for _ in range(2):
        page = owner.post(address, {"review": "yes", "ethics": "yes", "consent": ["es"]}, follow=True)
        assert "The study is running" in text_of(page)
    assert {stage.state for stage in draft.stages.all()} == {"open"}
    assert AuditEvent.objects.filter(action="study launched").count() == 1


def test_launching_asks_for_a_look_at_consents_that_nobody_reviewed(as_: Callable[[str], Client], study: Study) -> None:
    """A language is offered once its consent was read; the last one must be; so must a further one while it runs."""
    study.stages.update(state="draft")
    study.update(options={**study.options, "steps": {**study.options["steps"], "consent": True}})
    owner, address = as_("owner"), f"/s/{study.pid}/setup/launch/"
    shown = text_of(owner.get(address))
    assert "Annotators read everything in: English" in shown
    assert "Offer a further language: Español" in shown
    assert "Taking part is voluntary" in shown
    assert "voluntari" in shown.split("Translation")[1]
    assert owner.post(address, {"ethics": "yes", "consent": ["es"]}).status_code == 422
    assert owner.post(address, {"ethics": "yes"}).status_code == 422
    study.refresh_from_db()
    assert study.options.get("languages", []) == [], "nothing changes where nothing was launched"
    owner.post(address, {"ethics": "yes", "review": "yes"})
    study.refresh_from_db()
    assert study.options["languages"] == ["en"]
    assert study.stages.get().state == "open"
    assert not study.consent_readings.exists()
    study.stages.update(state="draft")
    study.update(options={**study.options, "languages": ["es"]})
    refused = owner.post(address, {"ethics": "yes", "review": "yes", "without": "yes"})
    assert (refused.status_code, study.stages.get().state) == (422, "draft"), "no language would be left"
    assert 'name="consent" value="es" required' in refused.content.decode()
    study.update(options={**study.options, "languages": []})
    owner.post(address, {"ethics": "yes", "review": "yes", "consent": ["es"]})
    assert study.stages.get().state == "open"
    assert [(one.language, one.by) for one in study.consent_readings.all()] == [("es", "owner")]
    study.consent_readings.all().delete()
    assert "Consent in further languages" in text_of(owner.get(address))
    owner.post(address, {"answer_for": "yes", "consent": ["es"]})
    assert study.consent_readings.count() == 1
    assert "Consent in further languages" not in text_of(owner.get(address))


def test_launching_asks_for_both_sentences(as_: Callable[[str], Client], study: Study) -> None:
    """One tick is not enough; it stays, the other is asked for; going on without is a button of its own."""
    from rubrica.store.models import AuditEvent

    study.stages.update(state="draft")
    owner, address = as_("owner"), f"/s/{study.pid}/setup/launch/"
    response = owner.post(address, {"ethics": "yes", "consent": ["es"]})
    assert response.status_code == 422
    assert "Not launched: tick the sentences" in text_of(response)
    assert 'name="ethics" value="yes" required checked' in response.content.decode()
    assert study.stages.get().state == "draft"
    owner.post(address, {"ethics": "yes", "without": "yes", "consent": ["es"]})
    assert study.stages.get().state == "open"
    recorded = AuditEvent.objects.get(action="study launched")
    assert (recorded.actor, recorded.detail["attested"]) == ("owner", ["ethics"])
    assert recorded.detail["left_open"] == ["review", "consent", "payment"]


def test_a_required_review_holds_the_launch_back(as_: Callable[[str], Client], study: Study) -> None:
    """The page says how many items wait, offers no way around, and lets the decision be changed on the record."""
    from rubrica.store.models import AuditEvent

    study.stages.update(state="draft")
    owner, review, launch = as_("owner"), f"/s/{study.pid}/setup/review/", f"/s/{study.pid}/setup/launch/"
    assert "Mark the rest of this page as fine" not in text_of(owner.get(review))
    owner.post(review, {"action": "require", "required": "on"})
    assert "Mark the rest of this page as fine" in text_of(owner.get(review))
    assert "Review of the items needs you" in text_of(owner.get(launch))
    refused = owner.post(launch, {"review": "yes", "ethics": "yes", "without": "yes", "consent": ["es"]})
    assert refused.status_code == 422
    assert "6 items were not reviewed for sensitive material" in text_of(refused)
    assert study.stages.get().state == "draft"
    assert "can be launched when every item has been reviewed" in text_of(owner.get(review))
    owner.post(review, {"action": "require"})
    owner.post(launch, {"review": "yes", "ethics": "yes", "consent": ["es"]})
    assert study.stages.get().state == "open"
    assert AuditEvent.objects.filter(action="review of all items not required", actor="owner").count() == 1
    owner.post(review, {"action": "require", "required": "on"})
    after = text_of(owner.get(review))
    assert "can be launched when" not in after
    assert "must be reviewed before the launch" not in after


def test_the_launch_names_what_is_open_and_comes_back(as_: Callable[[str], Client], study: Study) -> None:
    """Only the box that is empty is named; its link opens the record, which leads back to the launch when saved."""
    study.stages.update(state="draft")
    owner, launch, ethics = (as_("owner"), f"/s/{study.pid}/setup/launch/", f"/s/{study.pid}/setup/ethics/")
    assert "In the ethics record: Approval , Contact for annotators , your attestation" in text_of(owner.get(launch))
    opened = owner.get(f"{ethics}?back=launch")
    assert "Save and go back to the launch" in text_of(opened)
    sent = {**fields(opened), "approval": "None needed.", "contact": "Maria", "go": "next"}
    assert owner.post(f"{ethics}?back=launch", sent).headers["Location"] == launch
    page = owner.get(launch)
    assert "In the ethics record: your attestation about the texts" in text_of(page)
    assert f'href="{ethics}?back=launch#id_sources_attested"' in page.content.decode()
    assert owner.post(ethics, sent).headers["Location"].endswith("/setup/quality/")


def test_ticks_at_the_launch_settle_the_steps(as_: Callable[[str], Client], study: Study) -> None:
    """Items that waited are reviewed by whoever launched; the record was checked by them; a later item waits again."""
    from rubrica.core.study import Item
    from rubrica.store.setup.study_items import add_items, unreviewed

    study.stages.update(state="draft")
    owner, review = as_("owner"), f"/s/{study.pid}/setup/review/"
    owner.post(f"/s/{study.pid}/setup/launch/", {"review": "yes", "ethics": "yes", "consent": ["es"]})
    assert set(study.items.values_list("reviewed_by", flat=True)) == {"owner"}
    assert unreviewed(study) == 0
    page = text_of(owner.get(review))
    assert "Review of the items done" in page
    assert "Ethics and sources checked by owner at the launch" in page
    assert "for sensitive material" not in text_of(owner.get(f"/s/{study.pid}/live/"))
    add_items(study, [Item("late", {"source": "A late text.", "rewrite": "Late."})], NOW)
    assert unreviewed(study) == 1


def test_what_was_not_ticked_stays_open(as_: Callable[[str], Client], study: Study) -> None:
    """A launch without the ticks leaves both steps as they were."""
    study.stages.update(state="draft")
    owner = as_("owner")
    owner.post(f"/s/{study.pid}/setup/launch/", {"without": "yes"})
    page = text_of(owner.get(f"/s/{study.pid}/setup/review/"))
    assert "Review of the items needs you" in page
    assert "Ethics and sources needs you" in page


def test_the_way_of_an_annotator_is_told_before_the_launch(
    as_: Callable[[str], Client], make_study: Any, people: Any
) -> None:
    """Steps with counts and times and how much each person judges; one click leaves out what colleagues need not do."""
    from rubrica.store.models import Member
    from rubrica.store.options import options_of

    study = make_study("quality", overlap=2, name="way", steps=True)
    study.stages.update(state="draft")
    Member.objects.create(study=study, user=people["owner"], role="owner", since=NOW)
    owner, launch = as_("owner"), f"/s/{study.pid}/setup/launch/"
    page = text_of(owner.get(launch))
    assert "What annotators see usual settings" in page
    assert "About you 7 questions about the person 1 min" in page
    assert "Practice 11 items with the answer explained" in page
    assert "Review of the items a tick at the launch" in page
    assert "Ethics and sources a tick at the launch" in page
    assert re.search(r"each of the 2 people judges all 6 items, about \d+ s each", page)
    assert "The arithmetic: 12 tasks" in page
    assert "each of the 4 people judges about 3 of the 6 items" in text_of(owner.get(launch, {"annotators": "4"}))
    shorter = text_of(owner.post(launch, {"action": "shorten"}, follow=True))
    assert "About you" not in shorter
    assert "Practice" not in shorter
    assert "What annotators see done" in shorter
    study.refresh_from_db()
    assert options_of(study).steps.model_dump() == {
        **dict.fromkeys(("welcome", "consent", "guidelines", "course"), True),
        **dict.fromkeys(("profile", "practice", "qualification"), False),
    }
    assert "7 questions" in text_of(owner.post(launch, {"action": "lengthen"}, follow=True))
    assert as_("viewer").post(launch, {"action": "shorten"}).status_code in (403, 404)
