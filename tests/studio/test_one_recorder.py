"""What somebody said is the same by whatever entrance it came: one reading of it, one rule for what changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Judgement
from tests.studio.conftest import NOW
from tests.studio.entrances import NAME, Entrances, settled

if TYPE_CHECKING:
    from rubrica.store.models import Study

ENTRANCES = ("page", "api", "sheet", "import")
TYPED = {"rewrite": " Simple. "}
"""What a writer types in place of a rewrite."""


def heads() -> list[tuple[str, Any, int]]:
    """Of each judgement, how it ended, its answers, and how many revisions it took."""
    from rubrica.store.models import Judgement as Head

    rows = Head.objects.select_related("current").order_by("item__position")
    return [(row.current.outcome, row.current.answers, row.revisions.count()) for row in rows if row.current]


@pytest.mark.parametrize("way", ENTRANCES)
def test_a_typed_keyword_is_a_way_out(way: str, make_study: Callable[..., Study], tmp_path: Path) -> None:
    """SIMPLE in place of a rewrite ends the item as too simple, by page, API, sheet and import."""
    entrances = Entrances(make_study("split_rewrite", items=1), tmp_path)
    entrances.all[way]({"p1": Judgement(TYPED)})
    assert heads() == [("too_simple", {}, 1)]


@pytest.mark.parametrize("step", ["practice", "qualification"])
def test_a_typed_keyword_is_a_way_out_before_work(step: str, make_study: Callable[..., Study]) -> None:
    """Practice and qualification take the keyword as work does."""
    from rubrica.store.people.invitations import invite, token

    study = make_study("split_rewrite")
    study.options["steps"][step] = True
    study.save()
    link = invite(study, [NAME], NOW)[0]
    said = [{"lease": "i1", "key": "", "answers": TYPED, "outcome": "answered"}]
    address = f"/w/{token(link)}/{step}/1/1/"
    response = Client().post(address, json.dumps({"judgements": said}), content_type="application/json")
    assert response.status_code == 200, response.content
    attempt = link.annotator.attempts.get()  # type: ignore[union-attr]
    assert (attempt.outcome, attempt.answers) == ("too_simple", {})


@pytest.mark.parametrize("script", [True, False], ids=["script", "form"])
def test_a_typed_keyword_is_a_way_out_in_a_trial(
    script: bool, make_study: Callable[..., Study], as_: Callable[[str], Client], people: dict[str, Any]
) -> None:
    """A researcher who tries the study may type the keyword as an annotator may."""
    from rubrica.store.models import Member

    study = make_study("split_rewrite")
    Member.objects.create(study=study, user=people["owner"], role="owner", since=NOW)
    if script:
        said = [{"lease": "t1i1", "key": "", "answers": TYPED, "outcome": "answered"}]
        body = json.dumps({"judgements": said})
        response = as_("owner").post(f"/s/{study.pid}/try/1/submit", body, content_type="application/json")
        assert response.json() == {"next": f"/s/{study.pid}/try/2/"}
    else:
        response = as_("owner").post(f"/s/{study.pid}/try/1/", {"t1i1.rewrite": TYPED["rewrite"]})
        assert response.status_code == 302


def test_a_typed_keyword_is_a_way_out_in_a_preview(as_: Callable[[str], Client]) -> None:
    """So it is in the preview of a protocol."""
    said = [{"lease": "t1i1", "key": "", "answers": TYPED, "outcome": "answered"}]
    body = json.dumps({"judgements": said})
    response = as_("owner").post("/protocols/split_rewrite/preview/1/submit", body, content_type="application/json")
    assert response.status_code == 200, response.content


@pytest.mark.parametrize(("first", "second"), list(product(ENTRANCES, repeat=2)))
def test_the_same_answers_again_change_nothing(
    first: str, second: str, make_study: Callable[..., Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever says the same again, by the same entrance or another, has corrected nothing."""
    study = make_study(items=4, overlap=1)
    entrances, said = Entrances(study, tmp_path), settled(study)
    entrances.all[first](said)
    capsys.readouterr()
    receipts = entrances.all[second](said)
    assert [revisions for _, _, revisions in heads()] == [1] * 4
    if second == "api":
        assert [one["repeated"] for one in receipts] == [True] * 4
    if second in ("sheet", "import"):
        told = json.loads(capsys.readouterr().out)
        read = told["read"]
        assert (read["judgements"], read["revisions"], read["unchanged"]) == (0, 0, 4)


@pytest.mark.parametrize(("first", "second"), list(product(ENTRANCES[1:], repeat=2)))
@pytest.mark.parametrize("protocol", ["lexical_simplification", "lexical_complexity", "salsa", "split_rewrite"])
def test_lists_numbers_texts_and_edits_are_compared_by_what_they_say(
    protocol: str, first: str, second: str, make_study: Callable[..., Study], tmp_path: Path
) -> None:
    """Answers in words, numbers on a slider, written texts and edits that come again are no correction."""
    study = make_study(protocol, items=2, overlap=1, rows=_rows(protocol))
    entrances, said = Entrances(study, tmp_path), settled(study)
    entrances.all[first](said)
    entrances.all[second](said)
    assert [revisions for _, _, revisions in heads()] == [1, 1]


@pytest.mark.parametrize("first", ENTRANCES)
def test_words_and_texts_are_kept_alike_however_they_were_typed(
    first: str, make_study: Callable[..., Study], tmp_path: Path
) -> None:
    """Spaces around a word, a word typed twice and line ends of Windows are no other answer, by whatever entrance."""
    study = make_study("lexical_simplification", items=2, overlap=1, rows=_rows("lexical_simplification"))
    entrances = Entrances(study, tmp_path)
    typed = Judgement({"substitutes": (" doors", "Doors ", "barriers"), "comment": "a\r\nb"})
    said = {"p1": typed, "p2": typed}
    entrances.all[first](said)
    for entrance in entrances.all.values():
        entrance(said)
    (kept,) = {(tuple(answers["substitutes"]), answers["comment"], count) for _, answers, count in heads()}
    assert kept == (("doors", "barriers"), "a\nb", 1)


@pytest.mark.parametrize(("first", "second"), list(product(ENTRANCES, repeat=2)))
def test_other_answers_are_a_correction(
    first: str, second: str, make_study: Callable[..., Study], tmp_path: Path
) -> None:
    """Whoever says something else has corrected it, by whatever entrance; the first answer is kept."""
    study = make_study(items=2, overlap=1)
    entrances = Entrances(study, tmp_path)
    entrances.all[first](settled(study, "one"))
    other = settled(study, "two")
    entrances.all[second](other)
    assert [(outcome, revisions) for outcome, _, revisions in heads()] == [(one.outcome, 2) for one in other.values()]


def _rows(protocol: str) -> Any:
    from rubrica.core.study import Item
    from tests.making import pairs

    if not protocol.startswith("lexical"):
        return pairs(2)
    texts = ("The gates stay shut in winter.", "A keeper opens the gates at dawn.")
    return [Item(f"p{number}", {"context": text, "word": "gates"}) for number, text in enumerate(texts, start=1)]
