"""Practice: feedback after each answer, place kept, repeating, ways out, nothing counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.core.protocol import PracticeItem
    from rubrica.store.models import Invitation, Study


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study whose only step is practice."""
    return with_practice(make_study())


def with_practice(study: Study) -> Study:
    """Switch practice on."""
    study.options["steps"]["practice"] = True
    study.save()
    return study


def examples(protocol: str = "breve") -> list[PracticeItem]:
    """The practice items of a shipped protocol."""
    from rubrica.protocols.catalog import load_shipped

    return list(load_shipped(protocol).protocol.practice)


def post(client: Client, url: str, *said: dict[str, Any], outcome: str = "answered") -> Any:
    """Answer a page as its script does."""
    judgements = [
        {"lease": f"i{number}", "key": "", "answers": answers, "outcome": outcome}
        for number, answers in enumerate(said, start=1)
    ]
    return client.post(url, json.dumps({"judgements": judgements}), content_type="application/json")


def known(item: PracticeItem) -> dict[str, Any]:
    """The known answers as a page sends them: those that rules give are not sent."""
    from rubrica.core.answers import NotApplicable

    return {name: value for name, value in item.answers.items() if not isinstance(value, NotApplicable)}


def test_a_right_answer_is_told_so_with_the_explanation(client: Client, door: str, link: Invitation) -> None:
    """The lesson names each question, says "like ours" and explains; the attempt is kept with its score."""
    first = examples()[0]
    answer = post(client, f"{door}practice/1/1/", known(first)).json()
    assert answer["html"].count("Like ours") == len(known(first))
    assert "a mi juicio" in answer["html"]
    assert answer["next"] == f"{door}practice/1/2/"
    attempt = link.annotator.attempts.get()
    assert (attempt.kind, attempt.item, attempt.right, attempt.graded) == ("practice", first.id, 6, 6)


def test_a_different_answer_shows_ours_in_words(client: Client, door: str) -> None:
    """Where the answers differ, both stand in the lesson with the labels of the scale."""
    answer = post(client, f"{door}practice/1/1/", known(examples()[0]) | {"meaning": 1}).json()
    assert "Different" in answer["html"]
    assert "We:" in answer["html"]
    assert "3:" in answer["html"]


def test_a_lesson_asks_as_the_page_did(client: Client, door: str) -> None:
    """Where both sentences are the same, questions have other words, on the page and in what is told after it."""
    items = examples()
    same = next(item for item in items if item.fields["source"] == item.fields["rewrite"])
    presets = ("meaning", "fluency")
    given = {name: value for name, value in known(same).items() if name not in presets}
    answer = post(client, f"{door}practice/1/{items.index(same) + 1}/", given).json()
    assert "The sentence was not rewritten. Should it have been?" in answer["html"]
    assert "Did the source need rewriting" not in answer["html"]


def test_a_missing_answer_is_refused_with_its_question(client: Client, door: str, link: Invitation) -> None:
    """The script is told which question lacks an answer; nothing is kept."""
    response = post(client, f"{door}practice/1/1/", {"meaning": 3})
    assert response.status_code == 422
    errors = response.json()["errors"]
    assert {"i1"} == {error["lease"] for error in errors}
    assert "fluency" in {error["question"] for error in errors}
    assert not link.annotator.attempts.exists()


def test_a_form_without_script_works(client: Client, door: str, link: Invitation) -> None:
    """Sent as a form, the answer leads to a page with the lesson; with gaps, back to the form, problems marked."""
    fields = {f"i1.{name}": value for name, value in known(examples()[0]).items()}
    page = client.post(f"{door}practice/1/1/", fields)
    assert page.status_code == 200
    assert "What we would answer" in page.content.decode()
    assert f"{door}practice/1/2/" in page.content.decode()
    assert client.post(f"{door}practice/1/2/", {"i1.meaning": "3"}).status_code == 422
    assert link.annotator.attempts.count() == 1


def test_a_way_out_is_answered_too(client: Client, door: str) -> None:
    """Leaving an example is allowed and is told to be one's own choice."""
    answer = post(client, f"{door}practice/1/1/", {}, outcome="uncomfortable").json()
    assert "Yours to choose" in answer["html"]


def test_a_doubled_submit_is_one_attempt(client: Client, door: str, link: Invitation) -> None:
    """The same answer again is the same attempt; another answer is kept beside it."""
    said = known(examples()[0])
    for _ in range(2):
        assert post(client, f"{door}practice/1/1/", said).status_code == 200
    assert link.annotator.attempts.count() == 1
    post(client, f"{door}practice/1/1/", said | {"meaning": 1})
    assert link.annotator.attempts.count() == 2


def finish_round(client: Client, door: str, number: int = 1) -> None:
    """Answer every example."""
    for at, item in enumerate(examples(), start=1):
        assert post(client, f"{door}practice/{number}/{at}/", known(item)).status_code == 200


def test_the_place_is_kept_and_start_ends_it(client: Client, door: str) -> None:
    """The page goes on where one was; only when all is answered does "Start" lead on."""
    post(client, f"{door}practice/1/1/", known(examples()[0]))
    assert f"{door}practice/1/2/" in client.get(f"{door}practice/").content.decode()
    assert client.post(f"{door}practice/done/").headers["Location"] == f"{door}practice/"
    finish_round(client, door)
    assert b"You have finished the practice" in client.get(f"{door}practice/").content
    assert client.get(door).headers["Location"] == f"{door}practice/"
    assert client.post(f"{door}practice/done/").headers["Location"] == f"{door}work/"


def test_practice_can_be_repeated(client: Client, door: str, link: Invitation) -> None:
    """A second round starts from the first example and keeps the first round; a third cannot come before it."""
    finish_round(client, door)
    assert client.get(f"{door}practice/3/1/").status_code == 404
    post(client, f"{door}practice/2/1/", known(examples()[0]))
    assert set(link.annotator.attempts.values_list("round", flat=True)) == {1, 2}
    assert f"{door}practice/2/2/" in client.get(f"{door}practice/").content.decode()
    assert client.post(f"{door}practice/done/").headers["Location"] == f"{door}work/"


def test_earlier_answers_are_shown_again(client: Client, door: str) -> None:
    """Going back to an example shows what one had answered."""
    post(client, f"{door}practice/1/1/", known(examples()[0]))
    page = client.get(f"{door}practice/1/1/").content.decode()
    assert '"simplification": 3' in page


@pytest.mark.parametrize("address", ["1/0", "1/17", "0/1", "2/1", "99/99"])
def test_pages_that_do_not_exist(client: Client, door: str, address: str) -> None:
    """A number beyond the examples or the rounds is not found."""
    assert client.get(f"{door}practice/{address}/").status_code == 404


@pytest.mark.parametrize("body", ["", "{", "[]", '{"judgements": []}', '{"judgements": [{"lease": "i9"}]}'])
def test_what_no_page_sends_is_refused(client: Client, door: str, body: str, link: Invitation) -> None:
    """Garbage is refused, never an error of ours."""
    assert client.post(f"{door}practice/1/1/", body, content_type="application/json").status_code == 422
    assert not link.annotator.attempts.exists()


def test_words_of_one_context_are_practised_together(client: Client, make_study: Callable[..., Study]) -> None:
    """Three words of a context are one page, judged one by one."""
    from rubrica.core.study import Item
    from rubrica.store.people.invitations import invite, token

    rows = [Item("w1", {"context": "A dense fog lay there.", "target": "dense"}, group="c1")]
    study = with_practice(make_study("lexical_complexity", rows=rows))
    link = invite(study, ["ana"], NOW)[0]
    url = f"/w/{token(link)}/practice/1/1/"
    assert client.get(url).content.decode().count('class="item"') == 3
    answer = post(client, url, *({"complexity": value} for value in (1, 1, 2)))
    assert answer.status_code == 200
    assert answer.json()["html"].count("Like ours") == 3
    assert link.annotator.attempts.count() == 3


def test_practice_is_skipped_where_edits_are_marked(client: Client, make_study: Callable[..., Study]) -> None:
    """The span editor has practice of its own: here the step is left out, not broken."""
    from rubrica.store.people.invitations import invite, token

    there = f"/w/{token(invite(with_practice(make_study('salsa')), ['ana'], NOW)[0])}/"
    assert client.get(there).headers["Location"] == f"{there}work/"


GERMAN = "Die Fähre zur Insel fiel am Morgen wegen des dichten Nebels aus."


def contexts(client: Client, door: str, reads: str) -> str:
    """The first page of practice for somebody who reads this language."""
    from rubrica.store.models import Annotator

    Annotator.objects.update(language=reads)
    return client.get(f"{door}practice/1/1/").content.decode()


@pytest.mark.parametrize(
    ("told", "reads", "gets"),
    [
        ({"language": "German"}, "ja", "de"),
        ({"lang": "de-AT"}, "de", "de"),
        ({"language": "nl"}, "de", ""),
        ({}, "ja", "ja"),
        ({}, "pt-br", "pt"),
        ({}, "en", ""),
        ({}, "", ""),
    ],
)
def test_words_are_practised_in_the_language_of_the_texts(
    make_study: Callable[..., Study], client: Client, told: dict[str, str], reads: str, gets: str
) -> None:
    """As the items tell it, else in the one that somebody reads; in English where there is no practice in it."""
    from rubrica.core.study import Item
    from rubrica.store.people.invitations import invite, token

    rows = [Item("1", {"context": GERMAN, "target": "Nebels"}, metadata=told)]
    study = with_practice(make_study("lexical_complexity", name="words", rows=rows))
    door = f"/w/{token(invite(study, ['ana'], NOW)[0])}/"
    first = next(item for item in examples("lexical_complexity") if item.language == gets)
    page = contexts(client, door, reads)
    context = first.fields["context"]
    assert context[:6] in page or context[-6:] in page, "some of its words are marked"
    assert f'lang="{reads or "en"}"' in page


def test_another_language_gives_no_more_tries(make_study: Callable[..., Study]) -> None:
    """What was answered in one language counts in the qualification whichever is read afterwards."""
    from rubrica.core.study import Item, Judgement
    from rubrica.store.course import attempts
    from rubrica.store.models import Attempt
    from rubrica.store.options import options_of
    from rubrica.store.people.invitations import invite

    study = make_study("lexical_complexity", name="words", rows=[Item("1", {"context": GERMAN, "target": "Nebels"})])
    study.options["steps"]["qualification"] = True
    study.options["qualification"] = {"items": 2, "tries": 1}
    study.save()
    stage, options, annotator = study.stages.get(), options_of(study), invite(study, ["ana"], NOW)[0].annotator
    assert annotator is not None
    items = attempts.known_items(stage, options, "de").qualification
    wrong = [Judgement({"complexity": 5 if item.answers["complexity"] < 4 else 1}) for item in items]
    annotator.update(language="de")
    attempts.answer(annotator, stage, Attempt.Kind.QUALIFICATION, 1, tuple(items), wrong, NOW)
    assert attempts.exam(annotator, stage, options).failed
    annotator.update(language="ja")
    assert attempts.exam(annotator, stage, options).failed
