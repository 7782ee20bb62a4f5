"""A new version of the protocol under a running study: compared, started as a further stage, and used everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rubrica.core.simulation import Simulator
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.protocols.loader import Loaded
    from rubrica.store.models import Stage, Study
    from tests.conftest import Ran

pytestmark = pytest.mark.postgres

As = Callable[[str], Client]


def page(study: Study, version: str = "") -> str:
    """The address of the page, with the version to compare."""
    return f"/s/{study.pid}/new-version/" + (f"?version={version}" if version else "")


def changed(protocol: str = "breve", version: str = "2.0", **more: Any) -> Loaded:
    """A shipped protocol with another version number, another wording and a question more."""
    from rubrica.protocols.catalog import load_shipped
    from rubrica.protocols.loader import from_data

    data = json.loads(load_shipped(protocol).canonical)
    data |= {"version": version, **more}
    data["questions"][0]["prompt"] = {"en": "Worded anew?"}
    if protocol == "breve":
        data["questions"].append({"id": "extra", "scale": data["questions"][0]["scale"], "prompt": {"en": "And this?"}})
    return from_data(data)


def judge_all(study: Study, stage: Stage, names: list[str]) -> None:
    """These annotators judge whatever they are given."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named
    from rubrica.store.recording.judgements import Said, submit
    from rubrica.store.translate import item_from, protocol_of, rules_of

    for name, person in named(study, names, NOW).items():
        simulator = Simulator(protocol_of(stage), rules_of(stage, protocol_of(stage)), name)
        while leases := take(person, stage, NOW).leases:
            for lease in leases:
                said = simulator.judge(item_from(lease.item), None, ())
                submit([Said(lease, f"key-{lease.pid}", said)], NOW)


def test_a_stage_without_judgements_takes_the_new_version(study: Study) -> None:
    """Before anything was judged the version is replaced in place."""
    from rubrica.store.setup.versions import start

    started = start(study, changed(), NOW, "owner")
    stage = study.stages.get()
    assert [one.pk for one in started] == [stage.pk]
    assert (stage.key, stage.protocol_version.version) == ("rate", "2.0")


def test_a_begun_stage_is_closed_and_a_further_one_starts(study: Study) -> None:
    """Judgements keep the version they were made with; every item is asked again at the new stage."""
    from rubrica.store.setup.versions import start
    from rubrica.store.translate import validator_of

    old = study.stages.get()
    judge_all(study, old, ["ana"])
    start(study, changed(), NOW, "owner")
    old, new = study.stages.order_by("position")
    assert (old.key, old.state, old.protocol_version.version) == ("rate", "closed", "1.1")
    assert (new.key, new.part, new.state, new.overlap) == ("rate-2", "rate", "open", old.overlap)
    assert new.protocol_version.version == "2.0"
    assert validator_of(new).protocol.questions_by_id["extra"]
    judge_all(study, new, ["ana", "bo", "cy"])
    assert new.assignments.filter(state="done").count() == 12
    assert old.judgements.count() == 6
    start(study, changed(version="3.0"), NOW, "owner")
    assert [stage.key for stage in study.stages.all()] == ["rate", "rate-2", "rate-3"]


def test_open_leases_go_back_and_late_answers_are_kept(study: Study, link: Any) -> None:
    """Who holds an item of the old stage gets no more of it; what is submitted late stays with the old stage."""
    from rubrica.core.study import Judgement
    from rubrica.store.allocation.leases import take
    from rubrica.store.recording.drafts import save_draft
    from rubrica.store.recording.judgements import Said, submit
    from rubrica.store.setup.versions import start

    stage = study.stages.get()
    lease = take(link.annotator, stage, NOW).leases[0]
    save_draft(Said(lease, "key-draft", Judgement({"meaning": 3})), NOW)
    start(study, changed(), NOW, "owner")
    lease.refresh_from_db()
    assert lease.state == "returned"
    assert take(link.annotator, stage, NOW).reason == "closed"
    submit([Said(lease, "key-late", Judgement({}, (), "uncomfortable"))], NOW)
    assert stage.judgements.get().state == "submitted"


def test_prices_follow_to_the_new_stage(make_study: Callable[..., Study]) -> None:
    """What was paid at the old stage is paid at the new one."""
    from rubrica.store.options import options_of
    from rubrica.store.setup.versions import start

    study = make_study(name="paid", payment={"per_task": {"rate": "0.25"}})
    judge_all(study, study.stages.get(), ["ana"])
    start(study, changed(), NOW, "owner")
    study.refresh_from_db()
    assert str(options_of(study).payment.per_task["rate-2"]) == "0.25"


def test_stages_that_build_on_others_follow(make_study: Callable[..., Study]) -> None:
    """In a protocol of several steps each begun stage gets a follower, in the order of the steps."""
    from rubrica.store.setup.versions import start
    from rubrica.store.stages import current_stages, part_of

    study = make_study("salsa", items=3, overlap=1)
    select = study.stages.get(key="select")
    judge_all(study, select, ["ana"])
    start(study, changed("salsa"), NOW, "owner")
    assert [stage.key for stage in study.stages.all()] == ["select", "select-2", "adjudicate", "classify"]
    assert [part_of(stage) for stage in current_stages(study)] == ["select", "adjudicate", "classify"]
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named

    others = named(study, ["ana", "dan"], NOW)
    adjudicate = study.stages.get(key="adjudicate")
    assert take(others["ana"], adjudicate, NOW).reason == "not_eligible"
    assert take(others["dan"], adjudicate, NOW).leases


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"id": "other"}, "protocol"),
        ({"version": "1.1"}, "version"),
        ({"stages": [{"id": "judge", "label": {"en": "J"}, "role": "annotator", "overlap": 1}]}, "stage"),
        ({"fields": [{"id": "source", "role": "source", "label": {"en": "S"}}]}, ""),
    ],
)
def test_versions_that_do_not_fit(study: Study, more: dict[str, Any], rule: str) -> None:
    """Another protocol, an unchanged number, other stages are refused; a field less is not."""
    from rubrica.store.setup.versions import preview

    judge_all(study, study.stages.get(), ["ana"])
    version = more.pop("version", "2.0")
    data = changed(version=version)
    if more:
        from rubrica.protocols.loader import from_data

        raw = json.loads(data.canonical) | more
        if "fields" in more:
            raw["rules"] = []
            raw = {key: value for key, value in raw.items() if key != "rules"}
        data = from_data(raw)
    assert [problem.rule for problem in preview(study, data).problems] == ([rule] if rule else [])


def test_items_must_have_the_fields(study: Study) -> None:
    """A field that the items do not have is told with how many lack it."""
    from rubrica.protocols.loader import from_data
    from rubrica.store.setup.versions import preview

    raw = json.loads(changed().canonical)
    raw["fields"].append({"id": "context", "role": "context", "label": {"en": "Context"}})
    (problem,) = preview(study, from_data(raw)).problems
    assert (problem.rule, problem.value) == ("fields", "context")
    assert "6 of 6" in problem.what


@pytest.mark.own_process
def test_page_compares_and_starts(study: Study, as_: As) -> None:
    """An uploaded file is compared in plain words; the confirmation starts it once."""
    from rubrica.protocols.catalog import FOLDER

    judge_all(study, study.stages.get(), ["ana"])
    yaml = (FOLDER / "breve" / "protocol.yaml").read_text().replace('version: "1.1"', 'version: "1.2"', 1)
    yaml += '\nguidelines:\n  en: "Read carefully."\n  es: "Lee con cuidado."\n'
    client = as_("manager")
    answer = client.post(page(study), {"action": "upload", "file": SimpleUploadedFile("new.yaml", yaml.encode())})
    assert answer.status_code == 302, answer.content.decode()
    compared = client.get(answer.headers["Location"]).content.decode()
    assert "The guidelines" in compared
    assert "rate-2" in compared
    version = answer.headers["Location"].partition("version=")[2]
    assert client.post(page(study), {"action": "start", "version": version}).status_code == 302
    assert client.post(page(study), {"action": "start", "version": version}).status_code == 422
    assert [stage.key for stage in study.stages.all()] == ["rate", "rate-2"]
    assert "rate-2" in client.get(page(study)).content.decode()


def test_the_export_page_begins_with_what_can_be_exported(study: Study, as_: As) -> None:
    """One version: Excel with all stages. Two: a table has the columns of one, so the last stage judged is chosen."""
    from rubrica.store.setup.versions import start

    client, address = as_("owner"), f"/s/{study.pid}/export/"
    judge_all(study, study.stages.get(), ["ana"])
    assert "selected" not in client.get(address).content.decode()
    start(study, changed(), NOW, "owner")
    assert '<option value="rate" selected>' in client.get(address).content.decode()
    judge_all(study, study.stages.get(key="rate-2"), ["ben"])
    assert '<option value="rate-2" selected>' in client.get(address).content.decode()
    assert client.post(address, {"format": "xlsx", "stage": "rate-2", "key": "k" * 16}).status_code == 302


def test_differences_in_plain_words(study: Study, as_: As) -> None:
    """A new question, another wording, another scale: each is named with before and after."""
    from rubrica.protocols.loader import from_data
    from rubrica.store.translate import version_row

    raw = json.loads(changed().canonical)
    scale = raw["questions"][0]["scale"]
    raw["scales"][scale]["points"].append({"value": 4, "label": {"en": "Four"}})
    version = version_row(from_data(raw))
    shown = as_("manager").get(page(study, version.hash)).content.decode()
    assert "New question <strong>extra</strong>" in shown
    assert "Worded anew?" in shown
    assert f"Scale <strong>{scale}</strong> takes other answers" in shown
    assert "one of 1, 2, 3, 4" in shown


def test_broken_files_are_told_with_their_lines(study: Study, as_: As) -> None:
    """A file that is no protocol is refused with every problem, under the name that the researcher gave it."""
    file = SimpleUploadedFile("mine.yaml", b"id: Breve\nquestions: 3\n")
    answer = as_("manager").post(page(study), {"action": "upload", "file": file})
    assert answer.status_code == 422
    assert "mine.yaml:1" in answer.content.decode()
    for content in (b"", b"\xff\xfe\x00", b"&a [*a]"):
        odd = SimpleUploadedFile("odd.yaml", content)
        assert as_("manager").post(page(study), {"action": "upload", "file": odd}).status_code == 422
    assert as_("manager").post(page(study), {"action": "upload"}).status_code == 422
    assert as_("manager").post(page(study), {"action": "start", "version": "none"}).status_code == 422


def test_roles(study: Study, as_: As) -> None:
    """Only managers may start a version; strangers find nothing; other methods are refused."""
    assert as_("viewer").get(page(study)).status_code == 403
    assert as_("viewer").post(page(study), {"action": "start"}).status_code == 403
    assert as_("stranger").get(page(study)).status_code == 404
    assert as_("manager").get("/s/nothing/new-version/").status_code == 404
    assert as_("manager").delete(page(study)).status_code == 405
    assert as_("manager").get(page(study, "0" * 64)).status_code == 200


def test_command_line_works_with_two_versions(study: Study, rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Show, list, export, deal and import work on a study with a further stage."""
    from rubrica.store.allocation.sheets import default_stage
    from rubrica.store.setup.versions import start

    judge_all(study, study.stages.get(), ["ana"])
    start(study, changed(), NOW, "owner")
    new = study.stages.get(key="rate-2")
    judge_all(study, new, ["bo"])
    shown = rubrica("study", "show", study.name, "--json").json["study"]["stages"]
    assert [(stage["id"], stage["role"], stage["done"]) for stage in shown] == [
        ("rate", "annotator", 6),
        ("rate-2", "annotator", 6),
    ]
    assert [stage["remaining"] for stage in shown] == [0, 6]
    assert rubrica("study", "list").code == 0
    assert default_stage(study) == new
    everything = tmp_path / "all.jsonl"
    assert rubrica("export", study.name, "--format", "jsonl", "-o", everything).code == 0
    records = [json.loads(line) for line in everything.read_text().splitlines()]
    assert {(record["stage"], record["protocol"]) for record in records} == {
        ("rate", "breve@1.1"),
        ("rate-2", "breve@2.0"),
    }
    assert rubrica("export", study.name, "--format", "csv", "-o", tmp_path / "all.csv").code != 0
    one = tmp_path / "one.csv"
    assert rubrica("export", study.name, "--format", "csv", "--stage", "rate-2", "-o", one).code == 0
    assert ",extra," in one.read_text().splitlines()[0]
    again = rubrica("import", study.name, everything)
    assert again.code == 0, again.err
    again = rubrica("import", study.name, one)
    assert again.code == 0, again.err
    dealt = rubrica("sheets", "write", study.name, "--annotators", "cy", "--out", tmp_path / "sheets")
    assert dealt.code == 0, dealt.err


@pytest.mark.any_database
def test_a_draft_with_a_replaced_stage_is_a_draft_everywhere(
    study: Study, as_: As, rubrica: Callable[..., Ran]
) -> None:
    """Judgements were imported before the launch, then questions changed: pages, command and launch know a draft."""
    from rubrica.core.errors import InputError
    from rubrica.store.setup.running import launch
    from rubrica.store.setup.versions import start

    judge_all(study, study.stages.get(), ["ana"])
    study.stages.update(state="draft")
    start(study, changed(), NOW, "owner")
    assert list(study.stages.values_list("state", flat=True)) == ["closed", "draft"]
    [listed] = rubrica("study", "list", "--json").json["studies"]
    assert listed["state"] == "draft"
    owner = as_("owner")
    for address in ("invite/", "sheets/"):
        assert "not launched yet" in owner.get(f"/s/{study.pid}/{address}").content.decode(), address
    items = f"/s/{study.pid}/setup/items/"
    assert items in owner.get(f"/s/{study.pid}/items/").content.decode()
    assert owner.get(f"/s/{study.pid}/items/add/").headers["Location"] == items
    with pytest.raises(InputError) as refused:
        launch(study, NOW, "owner", consents_read=["es"])
    assert {"review", "ethics"} <= {problem.value for problem in refused.value.problems}
