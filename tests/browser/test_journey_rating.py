"""A whole study of ratings in the browser: from a CSV file to the exported judgements, by mouse and by keyboard."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Studio
from tests.browser.walking import Hand, Keys, press_button, sign_in, walk_to_work, work_through
from tests.making import pairs, write_pairs

LIKED = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
BY_MOUSE: list[Mapping[str, object]] = [LIKED, {**LIKED, "meaning": 2}, {**LIKED, "fluency": 1}]
BY_KEYS: list[Mapping[str, object]] = [{**LIKED, "simplification": 2}, {**LIKED, "needed": "no"}, LIKED]


def test_study_from_file_to_export(studio: Studio, page: Page, browser: Browser, tmp_path: Path) -> None:
    """A study made from a CSV file by clicking alone, done by two annotators, is seen done and exported as answered."""
    sign_in(page, studio.url)
    _make_study(page, write_pairs(tmp_path / "pairs.csv", 3))
    links = _invite(page, ["ana", "bo"])
    given: dict[str, dict[str, Mapping[str, object]]] = {}
    for name, kind, answers in (("ana", Hand, BY_MOUSE), ("bo", Keys, BY_KEYS)):
        context = browser.new_context()
        hand = kind(context.new_page())
        assert walk_to_work(hand, links[name], LIKED) == 16
        given[name] = work_through(hand, answers)
        context.close()
    page.get_by_role("link", name="Overview", exact=True).click()
    expect(page.locator("#live .figure")).to_contain_text("6 of 6 judgements")
    rows = _exported(page, tmp_path / "judgements.csv")
    assert len(rows) == 6
    sources = {item.key: item.fields["source"] for item in pairs(3)}
    for row in rows:
        answers_given = given[row["annotator"]][sources[row["item"]]]
        assert {key: row[key] for key in LIKED} == {key: str(value) for key, value in answers_given.items()}


def _make_study(page: Page, file: Path) -> None:
    """New study, file, confirm, review, overlap, launch."""
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title", exact=True).fill("Shut gates")
    page.get_by_role("radio", name="BrevE: concise Spanish").check()
    press_button(page, "Make the draft and add items")
    page.get_by_label("Drop a file here, or choose one").set_input_files(file)
    press_button(page, "Use these 3 items")
    press_button(page, "Go on to the launch")
    page.get_by_role("link", name="What annotators see").click()
    for _ in range(2):
        press_button(page, "Save and go on")
    page.get_by_label("Judgements per item").fill("2")
    press_button(page, "Save and go on")
    press_button(page, "Save and go on")
    page.get_by_role("checkbox", name="The items were reviewed").check()
    page.get_by_role("checkbox", name="I know what is still open in the ethics record").check()
    page.get_by_text("Offer a further language: Español").click()
    page.get_by_role("checkbox", name="I have read the consent in Español").check()
    press_button(page, "Launch the study")
    expect(page.get_by_text("The study is running. Invite people to begin.")).to_be_visible()


def _invite(page: Page, names: list[str]) -> dict[str, str]:
    """The personal links that the page shows, by name."""
    page.get_by_label("Names", exact=True).fill("\n".join(names))
    page.get_by_text("Names instead of pseudonyms").click()
    page.get_by_label("No pseudonyms").check()
    press_button(page, "Make links")
    rows = {name: page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name)) for name in names}
    return {name: row.locator(".link-text").inner_text() for name, row in rows.items()}


def _exported(page: Page, path: Path) -> list[dict[str, str]]:
    """The rows of the CSV file that the export page gives."""
    page.get_by_role("link", name="Export", exact=True).click()
    page.get_by_role("radio", name="CSV The same table").check()
    press_button(page, "Export the judgements")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    download.value.save_as(path)
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))
