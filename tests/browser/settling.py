"""A pair that three people have marked, and the fourth who settles what they marked, as tests drive one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from rubrica.core.edits import from_json
from rubrica.core.study import Item, Judgement
from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span

if TYPE_CHECKING:
    from rubrica.store.models import Study

OVERLAP = {"select": 3, "adjudicate": 1, "classify": 3}
NAMES = ("ana", "ben", "eva")


def gone(*words: str, id: str = "1", parent: str = "", text: str = SOURCE) -> dict[str, Any]:
    """A deletion of these words."""
    return {"id": id, "operation": "deletion", "source": span(text, *words)} | ({"parent": parent} if parent else {})


def new(words: str, id: str = "1", parent: str = "", text: str = REWRITE) -> dict[str, Any]:
    """An insertion of these words."""
    return {"id": id, "operation": "insertion", "rewrite": span(text, words)} | ({"parent": parent} if parent else {})


def swap(source: str, rewrite: str, information: str = "same", id: str = "1") -> dict[str, Any]:
    """A substitution."""
    spans = {"source": span(SOURCE, source), "rewrite": span(REWRITE, rewrite)}
    return {"id": id, "operation": "substitution", **spans, "answers": {"information": information}}


def marked(
    studio: Studio, several: Sequence[Sequence[dict[str, Any]] | Callable[[Item], Any]], rows: list[Item] | None = None
) -> Study:
    """A study of `salsa` of pairs that so many people have marked, each with these edits, or with those by pair."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.recording.judgements import Said, submit
    from rubrica.store.translate import item_from

    study = studio.study("salsa", rows=rows or pair(), overlap={**OVERLAP, "select": len(several)})
    stage = study.stages.select_related("study", "protocol_version").get(key="select")
    for number, edits in enumerate(several):
        person = studio.invite(study, f"person-{number}").annotator
        assert person is not None
        while leases := take(person, stage, timezone.now()).leases:
            for lease in leases:
                given = edits(item_from(lease.item)) if callable(edits) else edits
                judgement = Judgement({}, tuple(from_json(edit) for edit in given))
                submit([Said(lease, f"key-{lease.pk:06}", judgement)], timezone.now())
    return study


LENGTHS = (
    *((58, 397, 33, 188), (41, 276, 25, 140), (47, 294, 43, 258), (22, 150, 18, 116), (28, 184, 17, 118)),
    *((33, 215, 35, 209), (27, 184, 35, 227), (35, 232, 26, 176), (45, 335, 44, 293), (54, 354, 37, 241)),
    *((17, 112, 19, 119), (56, 331, 56, 304), (31, 190, 26, 154), (35, 223, 38, 209), (47, 301, 50, 293)),
    *((15, 86, 15, 99), (34, 213, 33, 196), (47, 314, 11, 70), (59, 359, 56, 299), (28, 178, 29, 174)),
    *((53, 305, 50, 285), (27, 153, 29, 160), (32, 215, 25, 178), (22, 143, 23, 134), (57, 315, 55, 276)),
)
"""Words and characters of source and rewrite of real pairs of SALSA."""
LETTERS = "etaoinshrdlu"


def pairs_of_real_lengths() -> list[Item]:
    """Pairs of made-up words as long as real ones; every third rewrite is split."""
    rows = []
    for number, (words, characters, new_words, new_characters) in enumerate(LENGTHS):
        rewrite = _of_length(new_words, new_characters, number + 1).split(" ")
        if number % 3 == 0:
            rewrite.insert(len(rewrite) // 2, "||")
        rows.append(Item(f"l{number}", {"source": _of_length(words, characters, number), "rewrite": " ".join(rewrite)}))
    return rows


def _of_length(words: int, characters: int, seed: int) -> str:
    """So many words, long and short ones by turns, of so many characters together with their spaces."""
    letters, found = characters - words + 1, []
    for place in range(words):
        left = letters - sum(map(len, found))
        size = max(1, round(left / (words - place) * (0.5, 1.5, 1)[(place + seed) % 3])) if place < words - 1 else left
        found.append("".join(LETTERS[(seed + place * 5 + n * 7) % len(LETTERS)] for n in range(size)))
    return " ".join(found)


def long_pairs(count: int = 12) -> list[Item]:
    """Pairs of sentences of 50 to 60 words each: those of the demonstration."""
    from rubrica.demo.items import items_of
    from rubrica.protocols.catalog import load_shipped

    return items_of(load_shipped("salsa"))[:count]


def busy(item: Item, person: int) -> list[dict[str, Any]]:
    """What one of three people marks in a pair: up to eight edits that overlap the others', and a split."""
    source, rewrite = (list(re.finditer(r"[^\s|]+", item.fields[side])) for side in ("source", "rewrite"))

    def stretch(words: list[re.Match[str]], place: int, width: int) -> list[list[int]]:
        last = words[min(place + width, len(words) - 1)]
        start, end = words[place].start(), last.end()
        bar = item.fields["rewrite"].find("||", start, end) if words is rewrite else -1
        return [[start, end if bar < 0 else words[place].end()]]

    edits: list[dict[str, Any]] = []
    for number in range(min(8, (min(len(source), len(rewrite)) + 5) // 6)):
        here, there = (
            stretch(source, number * 6, (number + person) % 3),
            stretch(rewrite, number * 6, (number * person) % 3),
        )
        kind = ("substitution", "deletion", "insertion", "reorder")[number % 4 if number + person < 8 else 0]
        spans = {"deletion": {"source": here}, "insertion": {"rewrite": there}}.get(
            kind, {"source": here, "rewrite": there}
        )
        answers = {"substitution": {"information": "same"}, "reorder": {"reorder_level": "word"}}.get(kind)
        edits.append({"id": str(number + 1), "operation": kind, **spans} | ({"answers": answers} if answers else {}))
    parts = [
        ("deletion", {"source": stretch(source, min(20, len(source) - 4) + person, 1)}),
        ("insertion", {"rewrite": stretch(rewrite, min(14, len(rewrite) - 3), person)}),
    ]
    edits.append({"id": "9", "operation": "split"})
    return edits + [
        {"id": str(10 + n), "operation": kind, **spans, "parent": "9"} for n, (kind, spans) in enumerate(parts)
    ]


class Settling(Marking):
    """The fourth person at the view that lays the others' edits over each other."""

    def __init__(self, studio: Studio, study: Study, page: Page) -> None:
        super().__init__(Work(studio, study, page, studio.door(studio.invite(study, "dora"))).open())

    @property
    def agreed(self) -> Locator:
        """What all agree on."""
        return self.page.locator(".laid-agreed")

    @property
    def differences(self) -> Locator:
        """What differs."""
        return self.page.locator(".laid-difference")

    def version(self, words: str, nth: int = 0) -> Locator:
        """The first version of an edit that shows these words."""
        return self.page.locator(".laid-version", has_text=words).nth(nth)

    def do(self, name: str, within: Locator) -> None:
        """Press the button of that name."""
        within.locator("button", has_text=name).first.click()

    def expect_count_line(self, text: str) -> None:
        """How many differences there are and how many are open."""
        expect(self.page.locator(".laid-count")).to_have_text(text)

    def spans(self) -> list[tuple[str, Any, Any]]:
        """Operation and spans of the edits as they would be sent."""
        return [(edit["operation"], edit.get("source"), edit.get("rewrite")) for edit in self.value()]
