"""Boxes that begin with a text, as the guidelines of BrevE and CLaro say: filled, refused unchanged, asked about."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import expect

from rubrica.core.study import Item
from tests.browser.desks import Work
from tests.browser.saved import submitted
from tests.length import some_of

At = Callable[..., Work]
SOURCE = (
    "Con el fin de llevar a cabo la reunión anual de la asociación de vecinos, que desde hace años se celebra en el "
    "antiguo mercado, se procederá por parte de la junta directiva a realizar la reserva de una sala con capacidad "
    "suficiente para todas aquellas personas que hayan manifestado su intención de asistir."
)
REWRITE = (
    "Para la reunión anual de la asociación de vecinos, que se celebra en el antiguo mercado, la junta reservará una "
    "sala en la que quepan todas las personas que han dicho que asistirán."
)
RATED = {"meaning": 3, "fluency": 3, "concern": "no"}


@pytest.fixture(params=some_of([*product(["breve", "claro"], [1280, 390])], 0, 3), ids=str)
def work(request: pytest.FixtureRequest, at_work: At) -> Work:
    """An annotator before a pair of real length, with the ratings given, at a desk or on a phone."""
    protocol, width = request.param
    items = [Item(str(number), {"source": SOURCE, "rewrite": REWRITE}) for number in (1, 2)]
    work = at_work(protocol, rows=items)
    work.page.set_viewport_size({"width": width, "height": 900 if width > 400 else 844})
    asked = [name for name in work.order if name in (*RATED, "simplification", "needed", "clarity")]
    work.answer({name: RATED.get(name, "yes" if name == "needed" else 3) for name in asked})
    return work


def test_an_edit_starts_with_the_rewrite_and_must_change_it(work: Work) -> None:
    """The box holds the rewrite; sent unchanged it is refused in words, changed it is kept."""
    work.choose("acceptance", "accept_with_edit")
    box = work.page.locator("[data-question=edit] textarea")
    expect(box).to_have_value(REWRITE)
    expect(work.page.locator("[data-question=corrected]")).to_be_hidden()
    work.submit()
    expect(work.page.locator("[data-question=edit]")).to_contain_text("still the text that the box came with")
    box.click()
    work.submit()
    expect(work.page.locator("[data-question=edit]")).to_contain_text("Nothing was changed")
    expect(work.page.locator("details.ways-out[open]")).to_have_count(0)
    assert submitted(work) == []
    first = work.page.url
    box.fill(REWRITE.replace("quepan", "caben"))
    work.submit()
    work.page.wait_for_url(lambda url: url != first)
    (kept,) = submitted(work)
    assert kept.answers["edit"] == REWRITE.replace("quepan", "caben")


def test_a_correction_starts_with_the_source_and_is_asked_about(work: Work) -> None:
    """The box holds the source; the same as source or rejected rewrite is questioned once, and may be meant."""
    work.choose("acceptance", "reject")
    work.choose("severity", 2)
    box = work.page.locator("[data-question=corrected] textarea")
    expect(box).to_have_value(SOURCE)
    expect(work.page.locator("[data-question=edit]")).to_be_hidden()
    problem = work.page.locator("[data-question=corrected] .problem")
    first = work.page.url
    work.submit()
    expect(problem).to_contain_text("still the text that the box came with")
    for text, field in ((SOURCE, "Source"), (REWRITE, "Rewrite")):
        box.fill(text)
        work.submit()
        expect(problem).to_contain_text(f"word for word “{field}”")
        expect(work.page.get_by_text("word for word").locator("visible=true")).to_have_count(1)
    assert submitted(work) == []
    work.submit()
    work.page.wait_for_url(lambda url: url != first)
    (kept,) = submitted(work)
    assert kept.answers["corrected"] == REWRITE


def test_changing_ones_mind_fills_the_other_box_anew(work: Work) -> None:
    """From editing to rejecting and back each box starts as it should, and nothing of the other is sent."""
    edit, corrected = (work.page.locator(f"[data-question={name}] textarea") for name in ("edit", "corrected"))
    work.choose("acceptance", "accept_with_edit")
    edit.fill("Algo distinto.")
    work.choose("acceptance", "reject")
    expect(corrected).to_have_value(SOURCE)
    corrected.fill("Otra cosa.")
    work.choose("acceptance", "accept_with_edit")
    expect(edit).to_have_value(REWRITE)
    edit.fill("La junta reservará una sala.")
    first = work.page.url
    work.submit()
    work.page.wait_for_url(lambda url: url != first)
    (kept,) = submitted(work)
    assert kept.answers["edit"] == "La junta reservará una sala."
    assert "corrected" not in kept.answers
