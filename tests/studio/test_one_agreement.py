"""One percent agreement and one way to check, through every entrance: pages, API, `agree`, `check` and `report`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Item, Judgement
from tests.conftest import Ran
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Study

Rubrica = Callable[..., Ran]
SHARE, POOLED = 1 / 4, 10 / 13
"""Item 1 has five raters who agree on meaning (10 pairs of 10), items 2 to 4 have two each who do not (0 of 1)."""


@pytest.fixture
def uneven(study: Study) -> Study:
    """A study in which units have different numbers of raters, so that units and pairs weigh differently."""
    first, *others = plain_items(study, 4)
    for name in ("ana", "ben", "eva", "fay", "gus"):
        judge(study, name, [first], said=Judgement(GOOD))
    for name, meaning in (("ana", 3), ("ben", 1)):
        judge(study, name, others, said=Judgement({**GOOD, "meaning": meaning}))
    return study


def _row(study: Study, page: str, question: str) -> str:
    """The row of this question in the overview's table of agreement."""
    from rubrica.store.translate import protocol_of
    from rubrica.studio.wording import question_title

    title = re.escape(question_title(protocol_of(study.stages.get()), question))
    found = re.search(rf'<tr><th scope="row" dir="auto">{title}</th>(.*?)</tr>', page)
    assert found
    return found[1]


def test_percent_agreement_is_one_figure_everywhere(
    uneven: Study, as_: Callable[[str], Client], people: dict[str, Any], rubrica: Rubrica, tmp_path: Path
) -> None:
    """Each unit counts once, on the overview, in the API, in `agree` and in the report; pairs pooled are an option."""
    assert "25 %" in _row(uneven, as_("viewer").get(f"/s/{uneven.pid}/").content.decode(), "meaning")
    quality = ApiClient(people["viewer"]).get(f"/studies/{uneven.pid}/quality")
    [asked] = [row for row in quality["questions"] if row["question"] == "meaning"]
    assert (asked["share"], asked["same"], asked["pairs"], asked["items"]) == (pytest.approx(SHARE), 10, 13, 4)
    agree = ("agree", uneven.name, "--value", "meaning", "--bootstrap", 0, "--json", "--measure")
    for measure, expected in (("percent", SHARE), ("percent_pooled", POOLED)):
        [row] = rubrica(*agree, measure).json["results"]
        assert row["value"] == pytest.approx(expected), measure
    assert rubrica("report", uneven.name, "-o", tmp_path / "r", "--no-charts", "--bootstrap", 0).code == 0
    results = json.loads((tmp_path / "r" / "results.json").read_text())
    [row] = [
        row for row in results["agreement"]["results"] if (row["question"], row["measure"]) == ("meaning", "percent")
    ]
    assert row["value"] == pytest.approx(SHARE)


def test_figures_of_a_large_stage_are_from_a_sample_and_say_so(
    uneven: Study, as_: Callable[[str], Client], people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above a number of judgements whole items are drawn, always the same; the pages and the API say how many."""
    from rubrica.store.counting import trust

    quality, page = ApiClient(people["viewer"]), as_("viewer")
    assert quality.get(f"/studies/{uneven.pid}/quality")["sample"] is None
    assert "from a sample of" not in page.get(f"/s/{uneven.pid}/").content.decode()
    drawn = []
    for most in (7, 7, 2):
        monkeypatch.setattr(trust, "MOST", most)
        trust.trust.cache_clear()
        trust._figures.cache_clear()
        found = quality.get(f"/studies/{uneven.pid}/quality")
        drawn.append((found["sample"], [row["items"] for row in found["questions"]]))
        assert 0 < found["sample"] <= most
        person = uneven.annotators.get(name="ana").pid
        for address in ("", "people/", f"people/{person}/"):
            shown = page.get(f"/s/{uneven.pid}/{address}").content.decode()
            assert f"from a sample of {found['sample']} judgements" in shown, address
    trust.trust.cache_clear()
    trust._figures.cache_clear()
    assert drawn[0] == drawn[1]
    assert drawn[2][0] < drawn[0][0]


def test_agreement_with_the_others_is_one_figure_everywhere(
    uneven: Study, as_: Callable[[str], Client], people: dict[str, Any], rubrica: Rubrica
) -> None:
    """People page, person's page and API say of all questions together what `agree --per rater` says of each."""
    rows = rubrica("agree", uneven.name, "--measure", "percent", "--per", "rater", "--bootstrap", 0, "--json").json[
        "per_rater"
    ]
    mine = [row for row in rows if row["rater"] == "ana" and row["question"] in GOOD]
    # Ana agrees with all four others on item 1, and with Ben on items 2 to 4 in all but meaning: 1 of 4.
    assert {row["question"]: row["value"] for row in mine} == pytest.approx({**dict.fromkeys(GOOD, 1), "meaning": 0.25})
    expected = sum(row["value"] * row["units"] for row in mine) / sum(row["units"] for row in mine)
    quality = ApiClient(people["viewer"]).get(f"/studies/{uneven.pid}/quality")
    [ana] = [row for row in quality["annotators"] if row["name"] == "ana"]
    assert ana["agreement"]["share"] == pytest.approx(expected) == pytest.approx(21 / 24)
    assert ana["agreement"]["items"] == 4
    viewer = as_("viewer")
    for address in (f"/s/{uneven.pid}/people/", f"/s/{uneven.pid}/people/{ana['annotator']}/"):
        assert "88 %" in viewer.get(address).content.decode(), address


@pytest.fixture
def planted(study: Study) -> Study:
    """The study with a known answer and hidden duplicates, of which Ana answers one differently and leaves another."""
    from rubrica.store.setup.study_items import set_duplicates, set_gold

    known = Item("g", {"source": "A gold source.", "rewrite": "Gold."})
    study.stages.update(state="draft")
    set_gold(study, [(known, {"meaning": 3, "fluency": 1})], NOW, "owner")
    set_duplicates(study, 0.5, NOW, "owner")
    study.stages.update(state="open")
    twice = list(study.items.filter(planted__kind="duplicate").order_by("pk"))
    judge(study, "ana", said=Judgement(GOOD))
    judge(study, "ana", [study.items.get(planted__kind="gold"), twice[0]], said=Judgement(GOOD))
    judge(study, "ana", twice[1:2], said=Judgement({**GOOD, "fluency": 1}))
    judge(study, "ana", twice[2:], said=Judgement({}, (), "uncomfortable"))
    return study


def test_planted_items_are_judged_by_one_rule_everywhere(
    planted: Study, as_: Callable[[str], Client], people: dict[str, Any], rubrica: Rubrica
) -> None:
    """Overview, People page, API and `check` count the same; what was uncomfortable counts nowhere."""
    checks = rubrica("check", planted.name, "--json").json["results"]
    [gold] = [row for row in checks if row["check"] == "gold"]
    [again] = [row for row in checks if row["check"] == "consistency" and not row["question"]]
    assert (gold["evidence"]["right"], gold["n"]) == (1, 2)
    assert (again["evidence"]["consistent"], again["n"]) == (2 * len(GOOD) - 1, 2 * len(GOOD))
    quality = ApiClient(people["viewer"]).get(f"/studies/{planted.pid}/quality")
    counts = {"right": 1, "graded": 2, "same": 2 * len(GOOD) - 1, "compared": 2 * len(GOOD)}
    assert quality["checks"] == quality["annotators"][0]["checks"] == counts
    viewer, person = as_("viewer"), quality["annotators"][0]["annotator"]
    for page in ("", "people/", f"people/{person}/"):
        body = viewer.get(f"/s/{planted.pid}/{page}").content.decode()
        assert "1 / 2" in body, page
        assert f"{counts['same']} / {counts['compared']}" in body, page
