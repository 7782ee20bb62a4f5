"""The Results page in the browser: computed by the studio's own worker, the same as the command line, renewed."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Route, expect

from rubrica.core.ratings import VERDICT
from rubrica.core.study import Item
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from tests.browser.conftest import NOW, Studio
from tests.browser.walking import sign_in
from tests.making import pairs
from tests.studio.judging import judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Study

SOON = 60_000
"""Milliseconds to wait for a report; it takes a few seconds."""


@pytest.fixture
def study(studio: Studio, page: Page) -> Study:
    """A study that two people have judged, of whoever is signed in."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    study = studio.study(items=8, overlap=3)
    for name in ("ana", "ben"):
        judge(study, name)
    owner = User.objects.get(username=sign_in(page, studio.url))
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    return study


def test_results_come_by_themselves_and_are_renewed(studio: Studio, page: Page, study: Study, tmp_path: Path) -> None:
    """Opening the page is enough; its tables equal the command line's; a newer judgement is said and computed."""
    page.goto(f"{studio.url}/s/{study.pid}/results/")
    expect(page.locator(".report .glance")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("from 16 judgements")).to_be_visible()
    chart = page.locator(".report .chart img").first
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_js_property("complete", True)
    assert chart.evaluate("picture => picture.naturalWidth") > 0
    _stands_whole(page)
    page.get_by_role("heading", name="Agreement", exact=False).first.click()
    with page.expect_download() as fetched:
        page.locator("#table-agreement .files a", has_text="CSV").click()
    assert _alphas(fetched.value.path().read_text()) == _by_command(studio, study)
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Download the report").click()
    assert any(name.endswith("/report.html") for name in zipfile.ZipFile(fetched.value.path()).namelist())
    judge(study, "eva", plain_items(study, 2))
    page.reload()
    expect(page.get_by_text("2 are newer.")).to_be_visible()
    page.get_by_role("button", name="Compute again").click()
    expect(page.get_by_text("from 18 judgements")).to_be_visible(timeout=SOON)


def test_the_answer_has_the_width_of_the_page(studio: Studio, page: Page, study: Study) -> None:
    """Sentence, table, chart and what can be trusted stand one below the other, and the table is seen whole."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{studio.url}/s/{study.pid}/results/")
    opening = page.locator(".report .glance")
    expect(opening).to_be_visible(timeout=SOON)
    parts = opening.evaluate("one => [...one.children].map(part => part.getBoundingClientRect().toJSON())")
    assert all(below["top"] >= above["bottom"] - 1 for above, below in itertools.pairwise(parts))
    assert opening.locator(".scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_three_systems_stand_on_the_first_screen(studio: Studio, page: Page) -> None:
    """Table, chart and the last of the sentences fit 1280 by 900; a phone shows the whole table, with its intervals."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    rows = [
        Item(f"{pair.key}-{system}", pair.fields, system=system)
        for pair in pairs(6)
        for system in ("BART", "T5", "GPT-4")
    ]
    study = studio.study("quality", rows=rows, overlap=3)
    for name in ("ana", "ben"):
        judge(study, name)
    owner = User.objects.get(username=sign_in(page, studio.url))
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{studio.url}/s/{study.pid}/results/")
    opening = page.locator(".report .glance")
    expect(opening).to_be_visible(timeout=SOON)
    judge(study, "eva", plain_items(study, 2))
    page.reload()
    expect(page.get_by_role("button", name="Compute again")).to_be_in_viewport()
    expect(opening.locator("p.point")).to_have_count(3)
    last = opening.locator("p.point").last.bounding_box()
    assert last
    assert last["y"] + last["height"] <= 900
    page.set_viewport_size({"width": 390, "height": 844})
    assert opening.locator(".scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_metric_is_removed_by_keyboard_after_a_question(studio: Studio, page: Page, study: Study) -> None:
    """Cancel leaves it in place, Remove takes it away and says so; people are as before."""
    from rubrica.metrics.metric import Figure
    from rubrica.store.metric_annotators import register

    register(study, Figure("bleu", "BLEU"), "metric:bleu", {"p1": 0.5}, NOW)
    page.goto(f"{studio.url}/s/{study.pid}/people/")
    remove, row = page.get_by_role("button", name="Remove bleu"), page.get_by_role("row", name="BLEU")
    remove.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").press("Enter")
    expect(row).to_be_visible()
    remove.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Remove").press("Enter")
    expect(page.get_by_text("Removed: bleu.")).to_be_visible()
    expect(row).to_have_count(0)
    expect(page.get_by_role("link", name="ana")).to_be_visible()


def _stands_whole(page: Page) -> None:
    """At 1280 and 390 pixels the parts of the first screen stand below each other, the wide table whole."""
    for width, height in ((390, 844), (1280, 900)):
        page.set_viewport_size({"width": width, "height": height})
        parts = page.locator(".report .glance > *").all()
        boxes = [box for part in parts if (box := part.bounding_box()) and box["height"] > 0]
        assert all(below["y"] >= above["y"] + above["height"] for above, below in pairwise(boxes))
        charts = page.locator(".report .glance .chart img").all()
        assert all(chart.evaluate("img => img.clientWidth") >= 480 for chart in charts), "too small to read"
    table = page.locator(".report .glance .scroll").first
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")


def _alphas(table: str) -> dict[str, str]:
    """Krippendorff's alpha by question, as the table has it."""
    return {row["question"]: row["alpha"] for row in csv.DictReader(io.StringIO(table))}


def _by_command(studio: Studio, study: Study) -> dict[str, str]:
    """The same by `rubrica agree`, for the questions that the report has."""
    command = [str(Path(sys.executable).parent / "rubrica"), "agree", f"study:{study.name}", "--json"]
    ran = subprocess.run(
        command, env={**os.environ, "RUBRICA_HOME": str(studio.home)}, capture_output=True, text=True, check=True
    )
    found = {row["question"]: row["value"] for row in json.loads(ran.stdout)["results"]}
    asked = [one for one in criteria_of(load_shipped("breve").protocol) if one.comparable and one.kind != VERDICT]
    return {
        f"{one.label[0].upper()}{one.label[1:]}": "" if found[one.id] is None else str(found[one.id]) for one in asked
    }


def test_results_are_asked_for_again_when_the_studio_was_busy(studio: Studio, page: Page, study: Study) -> None:
    """What the page asks for when it is opened comes in the end, though at first the studio says that it is busy."""
    busy = []

    def answer(route: Route) -> None:
        if route.request.method != "POST" or busy:
            route.continue_()
        else:
            busy.append(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="")

    page.route("**/results/?seen=*", answer)
    page.goto(f"{studio.url}/s/{study.pid}/results/")
    expect(page.locator(".report .glance")).to_be_visible(timeout=SOON)
    assert len(busy) == 1
