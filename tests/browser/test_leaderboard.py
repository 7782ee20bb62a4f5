"""The leaderboard of a shared task in a real browser, from the disk: wide tables on narrow screens."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from rubrica.cli.main import main
from tests.browser.looks import no_fault
from tests.length import some_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "lexical"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the documentation's example, one of its systems under a long name."""
    folder = tmp_path_factory.mktemp("leaderboard")
    (folder / "systems").mkdir()
    for name, called in (("plain", "a_team_with_a_long_name_run_2"), ("learned", "learned")):
        (folder / "systems" / f"{called}.tsv").write_bytes((EXAMPLES / "systems" / f"{name}.tsv").read_bytes())
    scored = ["evaluate", "ls", str(EXAMPLES / "gold_ls.tsv"), str(folder / "systems"), "--bootstrap", "50"]
    assert main([*scored, "--report", str(folder / "board"), "--no-charts"]) == 0
    return (folder / "board" / "report.html").as_uri()


@pytest.mark.parametrize(("width", "scheme"), some_of([*product([1280, 390], ["light", "dark"])], 0, 3))
def test_names_and_the_first_figure_are_in_view(browser: Browser, address: str, width: int, scheme: str) -> None:
    """The figure that orders systems stands beside their names; scrolled to the last one, the names are still there."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address)
    no_fault(page)
    row = page.locator("tbody tr").first
    name, figure = row.locator("th, td").first, row.locator("th, td").nth(1)
    before, beside = name.bounding_box(), figure.bounding_box()
    assert before is not None
    assert beside is not None
    assert before["x"] >= 0
    assert before["height"] < 120
    assert beside["x"] + beside["width"] <= width
    row.locator("th, td").last.scroll_into_view_if_needed()
    after = name.bounding_box()
    assert after is not None
    assert abs(after["x"] - before["x"]) < 1
    page.close()
