"""Edits in the browser from selection to rating: one pair, three stages, four people, and the export in the end."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rubrica.exchange.exports import Wanted
from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span
from tests.browser.settling import NAMES, OVERLAP, Settling

if TYPE_CHECKING:
    from rubrica.store.models import Study

LONG, SHORT = "which the ministry announced on Monday.", "on Monday."
RATED = {
    "ana": {"deletion_type": "good_deletion", "efficacy": "2"},
    "ben": {"deletion_type": "trivial_deletion"},
    "eva": {"deletion_type": "bad_deletion", "severity": "3", "coreference": "no"},
}


@pytest.fixture
def tab(browser: Browser) -> Iterator[Any]:
    """Opens a browser of one's own for each person."""
    opened = []

    def fresh() -> Page:
        opened.append(browser.new_context(service_workers="block"))
        return opened[-1].new_page()

    yield fresh
    for context in opened:
        context.close()


def test_one_pair_through_three_stages_with_four_people(studio: Studio, tab: Any) -> None:
    """Three select and disagree once, the fourth settles it, the three classify and rate; the export has it all."""
    study = studio.study("salsa", rows=pair(), overlap=OVERLAP)
    people = {name: Work(studio, study, tab(), studio.door(studio.invite(study, name))) for name in NAMES}
    for name, work in people.items():
        _select(Marking(work.open()), SHORT if name == "ben" else LONG)
        expect(work.page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    _settle(Settling(studio, study, tab()))
    _stranger_gets_nothing(studio, study, tab())
    for name, work in people.items():
        _classify(Marking(work.open()), RATED[name])
        expect(work.page.get_by_role("heading", level=1)).to_have_text("Thank you!")
        assert work.errors == []
    lines = _exported(study)
    assert [line["stage"] for line in lines] == ["select"] * 3 + ["adjudicate"] + ["classify"] * 3
    by = {(line["stage"], line["annotator"]): line["edits"] for line in lines}
    assert by["select", "ben"][1]["source"] == span(SOURCE, SHORT)
    settled = by["adjudicate", "dora"]
    assert [(edit["operation"], edit["source"]) for edit in settled] == [
        ("substitution", span(SOURCE, "Numerous")),
        ("deletion", span(SOURCE, LONG)),
    ]
    fixed = [(edit["id"], edit["operation"], edit.get("source"), edit.get("rewrite")) for edit in settled]
    for name, rated in RATED.items():
        edits = by["classify", name]
        assert [(edit["id"], edit["operation"], edit.get("source"), edit.get("rewrite")) for edit in edits] == fixed
        swapped = {"information": "same", "paraphrase_impact": "no_impact", "grammar_error": "no"}
        assert edits[0]["answers"] == swapped
        numbers = {key: int(value) if value.isdigit() else value for key, value in rated.items()}
        assert edits[1]["answers"] == {"information": "less", "grammar_error": "no", **numbers}


def _select(marking: Marking, deleted: str) -> None:
    """Mark the substitution that all see, and this deletion."""
    marking.drag("source", "Numerous")
    marking.drag("rewrite", "Many")
    marking.press("s", "2", "Escape", "Escape")
    marking.drag("source", deleted)
    marking.press("d")
    marking.expect_count(2)
    assert marking.value()[0]["rewrite"] == span(REWRITE, "Many")
    marking.submit()


def _settle(dora: Settling) -> None:
    """What all marked is there; of the two deletions the longer one is accepted."""
    expect(dora.agreed).to_have_count(1)
    expect(dora.differences).to_have_count(1)
    dora.do("Accept", dora.version(LONG))
    dora.submit()
    expect(dora.page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert dora.work.errors == []


def _stranger_gets_nothing(studio: Studio, study: Study, page: Page) -> None:
    """A fifth person finds no work: all places of the first two stages are taken, and the third is not for them."""
    page.goto(studio.door(studio.invite(study, "fay")) + "work/")
    expect(page.locator("rubrica-desk")).to_have_count(0)


def _classify(marking: Marking, rated: dict[str, str]) -> None:
    """Answer the questions about both edits, whose words cannot be changed."""
    expect(marking.page.locator(".edit-tools")).to_have_count(0)
    marking.expect_count(2)
    marking.expect_open(0)
    marking.work.answer({"paraphrase_impact": "no_impact", "grammar_error": "no"})
    marking.entry(1).locator(".edit-head").click()
    marking.work.answer({**rated, "grammar_error": "no"})
    marking.submit()


def _exported(study: Study) -> list[dict[str, Any]]:
    """The judgements of the study as JSONL, by stage and annotator."""
    from rubrica.store.jobs.exporting import write

    file = io.BytesIO()
    write(study, Wanted(form="jsonl"), file)
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    stages = list(OVERLAP)
    return sorted(lines, key=lambda line: (stages.index(line["stage"]), line["annotator"]))
