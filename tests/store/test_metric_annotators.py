"""Metrics as annotators: their numbers are kept, told apart from judgements, and never mixed with what people said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Item
from rubrica.exchange.exports import Wanted
from rubrica.metrics.metric import Figure
from tests.conftest import NOW
from tests.store.conftest import person, take
from tests.studio.judging import judge

if TYPE_CHECKING:
    from rubrica.store.models import Stage

SHORT = Figure("short", "Shortness")


@pytest.fixture
def judged(make_stage: Callable[..., Stage]) -> Stage:
    """Six items, two of them planted again, that two people judged."""
    stage = make_stage(duplicates=0.34)
    for name in ("ana", "ben"):
        judge(stage.study, name, list(stage.study.items.all()))
    return stage


def numbers(stage: Stage, **changed: float | None) -> dict[str, float | None]:
    """A number for every plain item."""
    keys = stage.study.items.filter(planted=None).values_list("key", flat=True)
    return {key: float(place) for place, key in enumerate(keys)} | changed


@pytest.mark.postgres
def test_numbers_are_kept_and_read(judged: Stage) -> None:
    """What is registered is read again as it was; undefined items have no number instead of a zero."""
    from rubrica.store.metric_annotators import register, registered
    from rubrica.store.ratings import ratings_of

    given = numbers(judged, p2=None, p3=float("nan"))
    done = register(judged.study, SHORT, "a:1", given, NOW)
    assert done == ("short", "short", "registered", 4)
    (found,) = ratings_of(judged.study).metrics
    assert (found.name, found.title, found.better, found.signature) == ("short", "Shortness", "higher", "a:1")
    assert found.values == {"p1": 0.0, "p4": 3.0, "p5": 4.0, "p6": 5.0}
    assert registered(judged.study)[0].items == 4


def test_nothing_is_replaced(judged: Stage) -> None:
    """The same again changes nothing, new items are added, other numbers are refused, other settings stand beside."""
    from rubrica.store.metric_annotators import register, registered
    from rubrica.store.models import AuditEvent, MetricScore

    register(judged.study, SHORT, "a:1", numbers(judged, p6=None), NOW)
    assert register(judged.study, SHORT, "a:1", numbers(judged, p6=None), NOW).state == "unchanged"
    assert register(judged.study, SHORT, "a:1", numbers(judged, p1=1e-12), NOW) == ("short", "short", "extended", 6)
    with pytest.raises(InputError, match=r"other values for 1 of 6 items \(p2: 1, now 9\).*--unregister short"):
        register(judged.study, SHORT, "a:1", numbers(judged, p2=9.0), NOW)
    assert register(judged.study, SHORT, "a:2", numbers(judged, p2=9.0), NOW).name == "short-2"
    assert [(one.name, one.signature, one.items) for one in registered(judged.study)] == [
        ("short", "a:1", 6),
        ("short-2", "a:2", 6),
    ]
    assert MetricScore.objects.get(annotator__name="metric:short", item__key="p2").value == 1
    said = AuditEvent.objects.filter(action__startswith="metric").values_list("action", "detail__metric")
    assert list(said) == [
        ("metric registered", "short"),
        ("metric extended", "short"),
        ("metric registered", "short-2"),
    ]


def test_removing(judged: Stage) -> None:
    """A metric goes with its numbers, by its name or its figure; the others stay, and so does every judgement."""
    from rubrica.store.counting.submitted import picture
    from rubrica.store.metric_annotators import register, registered, unregister
    from rubrica.store.models import Annotator, AuditEvent, MetricScore

    for settings in ("a:1", "a:2", "a:3"):
        register(judged.study, SHORT, settings, numbers(judged), NOW)
    said = len(picture(judged.study).every)
    assert unregister(judged.study, "short", NOW, actor="mia") == ("short", "short", "removed", 6)
    with pytest.raises(InputError, match=r"short is registered under 2 settings.*short-2 \(a:2\); short-3"):
        unregister(judged.study, "short", NOW)
    unregister(judged.study, "metric:short-3", NOW)
    assert unregister(judged.study, "short", NOW).name == "short-2"
    with pytest.raises(InputError, match=r"has no metric 'short'.*--register"):
        unregister(judged.study, "short", NOW)
    assert not registered(judged.study)
    assert not MetricScore.objects.exists()
    assert Annotator.everybody.count() == 2
    assert len(picture(judged.study).every) == said
    removed = AuditEvent.objects.filter(action="metric removed").order_by("pk")
    assert [row.detail["metric"] for row in removed] == ["short", "short-3", "short-2"]
    assert removed[0].actor == "mia"


@pytest.mark.parametrize("key", ["p1~2", "nowhere"])
def test_only_plain_items(make_stage: Callable[..., Stage], key: str) -> None:
    """Planted and unknown items are refused, and nothing is written."""
    from rubrica.store.metric_annotators import register
    from rubrica.store.models import Annotator

    stage = make_stage(duplicates=1.0)
    with pytest.raises(InputError, match=f"no item '{key}'"):
        register(stage.study, SHORT, "a:1", {"p1": 1.0, key: 2.0}, NOW)
    with pytest.raises(InputError, match="no value for any item"):
        register(stage.study, SHORT, "a:1", {"p1": None}, NOW)
    assert not Annotator.everybody.exists()


def test_people_are_counted_without_metrics(judged: Stage, tmp_path: Path) -> None:
    """Progress, checks, agreement, pay, exports, leases and cards are the same with and without a metric."""
    from rubrica.store.counting.progress import cards, of_people
    from rubrica.store.counting.submitted import picture
    from rubrica.store.counting.trust import trust
    from rubrica.store.jobs.exporting import write
    from rubrica.store.metric_annotators import register
    from rubrica.store.models import Study
    from rubrica.store.money import payments
    from rubrica.store.ratings import ratings_of

    study = judged.study

    def everything() -> list[object]:
        known = picture(study)
        found = ratings_of(study)
        file = tmp_path / "out.jsonl"
        with file.open("wb") as stream:
            write(study, Wanted(form="jsonl"), stream)
        checks = trust(known)
        return [
            sorted(person.name for person in known.people.values()),
            of_people(study),
            (checks.with_others, checks.findings, checks.fixed),
            (found.every, found.units, dict(found.raters), found.sign()),
            [(account.annotator.name, account.earned) for account in payments.accounts(study)],
            [(card.annotators, card.done, card.wanted) for card in cards(Study.objects.all())],
            file.read_bytes(),
        ]

    before = everything()
    register(study, SHORT, "a:1", numbers(judged), NOW)
    assert everything() == before


def test_a_metric_and_a_person_of_its_name(stage: Stage) -> None:
    """Somebody may be called as a metric is; the names of metrics themselves are not for people."""
    from rubrica.core.names import annotator_name_problems
    from rubrica.store.metric_annotators import register

    register(stage.study, SHORT, "a:1", numbers(stage), NOW)
    assert person(stage, "short").kind == "person"
    assert take(stage, "short")
    (problem,) = annotator_name_problems(["metric:short"])
    assert problem.rule == "annotator_name"


def test_pages_know_that_numbers_changed(judged: Stage) -> None:
    """A report from before a metric was registered, or removed, is an old one."""
    from rubrica.store.counting.submitted import version_of
    from rubrica.store.metric_annotators import register, unregister

    versions = [version_of(judged.study)]
    register(judged.study, SHORT, "a:1", numbers(judged), NOW)
    versions.append(version_of(judged.study))
    unregister(judged.study, "short", NOW)
    versions.append(version_of(judged.study))
    assert versions[0] == versions[2] != versions[1]


def test_erased_texts_have_no_numbers(make_stage: Callable[..., Stage]) -> None:
    """What a metric made of an erased text goes with it, and the text is scored no more."""
    from rubrica.store.metric_annotators import register
    from rubrica.store.models import MetricScore
    from rubrica.store.people.erasure import erase
    from rubrica.store.ratings import study_corpus

    rows = [
        Item(f"r{place}", {"source": f"It is {place}.", "rewrite": "One. Two."}, author=author)
        for place, author in enumerate(("mia", "leo", "mia"))
    ]
    stage = make_stage("split_rate", rows=rows)
    register(stage.study, SHORT, "a:1", numbers(stage), NOW)
    erase(person(stage, "mia"), NOW)
    assert list(MetricScore.objects.values_list("item__key", flat=True)) == ["r1"]
    assert [row.id for row in study_corpus(stage.study)] == ["r1"]


def test_a_deleted_study_comes_back_with_its_metrics(judged: Stage) -> None:
    """The trash keeps them."""
    from rubrica.store import studies
    from rubrica.store.metric_annotators import register, registered

    register(judged.study, SHORT, "a:1", numbers(judged), NOW)
    studies.delete("s", NOW)
    back = studies.restore("s", NOW, "t")
    assert [one.name for one in registered(back)] == ["short"]


@pytest.mark.postgres
def test_all_or_none(judged: Stage) -> None:
    """Of several figures none is registered if one of them cannot be."""
    from rubrica.metrics.catalog import Measured
    from rubrica.store.metric_annotators import register_all, registered

    one, other = Measured(SHORT, "a:1", numbers(judged)), Measured(Figure("long", "Length"), "a:1", {"p1": None})
    with pytest.raises(InputError, match="long has no value for any item"):
        register_all(judged.study, [one, other], NOW)
    assert not registered(judged.study)
    assert [done.state for done in register_all(judged.study, [one], NOW)] == ["registered"]
