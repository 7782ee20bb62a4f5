"""The desk: what one page of judging shows, for every protocol and type of question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.http import QueryDict

from rubrica.core.answers import Answer
from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped, shipped

if TYPE_CHECKING:
    from rubrica.studio.annotate.desk import Desk
    from rubrica.studio.annotate.desk_questions import ShownQuestion

PAIR = Item("a", {"source": "The old gate is shut today.", "rewrite": "The gate is shut."})
SAME = Item("b", {"source": "It rains.", "rewrite": "It  rains. "})
RATED = [name for name in shipped() if name != "salsa"]


def desk_of(protocol: str, *items: Item, answers: Mapping[str, Answer] | None = None, **more: Any) -> Desk:
    """A desk with these items, in English unless told otherwise; ``answers`` are those of the first."""
    from rubrica.studio.annotate.desk import Addresses, Entry, build_desk

    resolved = load_shipped(protocol).protocol.resolve(more.pop("settings", {}))
    validator = Validator(resolved, resolved.stages[0])
    entries = [
        Entry(
            lease=f"lease{number}",
            item=item,
            answers=(answers or {}) if not number else {},
            problems=more.get("problems", ()) if not number else (),
        )
        for number, item in enumerate(items)
    ]
    return build_desk(
        validator,
        entries,
        mode=more.get("mode", "work"),
        addresses=Addresses(form="/form/", submit="/submit/"),
        language=more.get("language", "en"),
        title="A study",
    )


def question_of(desk: Desk, name: str) -> ShownQuestion:
    """A question of the first block."""
    return next(question for question in desk.blocks[0].questions if question.id == name)


def practice(protocol: str) -> Item:
    """The first practice item."""
    found = load_shipped(protocol).protocol.practice[0]
    return Item(found.id, found.fields)


def drawn(desk: Desk) -> str:
    """The desk as HTML."""
    from django.template.loader import render_to_string

    return render_to_string("annotate/desk.html", {"desk": desk})


@pytest.mark.any_database
@pytest.mark.parametrize("protocol", RATED)
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_protocol(home: Path, protocol: str, language: str) -> None:
    """Each protocol is drawn with every question that its stage asks, and each input has its lease and question."""
    desk = desk_of(protocol, practice(protocol), language=language)
    html = drawn(desk)
    for question in load_shipped(protocol).protocol.questions:
        assert f'id="q-lease0-{question.id}"' in html
        assert f'name="lease0.{question.id}"' in html
    assert "style=" not in html
    assert "onclick" not in html


def test_meanings_stand_at_the_points(home: Path) -> None:
    """Each point of a scale shows its label, its meaning and the digit that chooses it."""
    points = question_of(desk_of("breve", PAIR), "meaning").options
    assert [(point.value, point.label, point.key) for point in points] == [
        ("1", "Different", "1"),
        ("2", "Partly the same", "2"),
        ("3", "The same", "3"),
    ]
    assert points[2].meaning == "The two sentences mean the same."


def test_conditions_are_data(home: Path) -> None:
    """A question with a condition carries it as JSON and is hidden until it holds."""
    desk = desk_of("breve", PAIR)
    edit = question_of(desk, "edit")
    assert json.loads(edit.when) == {"question": "acceptance", "is": ["accept_with_edit"]}
    assert not edit.visible
    assert question_of(desk_of("breve", PAIR, answers={"acceptance": "accept_with_edit"}), "edit").visible


def test_every_kind_of_condition(home: Path) -> None:
    """All tests of answers have a form for the script; tests of the item have none."""
    from rubrica.core.conditions import AllOf, Answered, AnswerIncludes, AnswerIs, AnyOf, FieldIs, Not
    from rubrica.studio.annotate.desk_questions import condition_data, condition_json

    parts = (AnswerIncludes("q", ("a",)), AnyOf((Not(Answered("r")), AnswerIs("s", (1, 2)))))
    assert condition_data(AllOf(parts)) == {
        "all": [
            {"question": "q", "includes": ["a"]},
            {"any": [{"not": {"question": "r", "answered": True}}, {"question": "s", "is": [1, 2]}]},
        ]
    }
    assert condition_json(None) == ""
    with pytest.raises(TypeError):
        condition_data(FieldIs("source", ("x",)))


def test_rules_lock_drop_and_reword(home: Path) -> None:
    """Identical texts: the note is shown, two answers are locked, accepting is not applicable, prompts are reworded."""
    desk = desk_of("breve", SAME)
    block = desk.blocks[0]
    assert block.rule_notes[0].startswith("Source and rewrite are the same.")
    assert question_of(desk, "meaning").locked
    assert question_of(desk, "meaning").answer == "3: The same"
    assert block.not_applicable == ("Should this rewrite be accepted or rejected?",)
    assert "left as it is" in question_of(desk, "simplification").prompt
    assert desk.data["answers"]["lease0"] == {"meaning": 3, "fluency": 3}
    assert not desk.has_differences
    assert 'name="lease0.meaning"' not in drawn(desk)


def test_differences(home: Path) -> None:
    """What is gone from the source and new in the rewrite is marked; joined, the pieces are the text."""
    desk = desk_of("breve", PAIR)
    source, rewrite = desk.texts
    assert source.plain == PAIR.fields["source"]
    assert [piece.text for piece in source.pieces if piece.kind == "gone"] == ["old", "today"]
    assert rewrite.plain == PAIR.fields["rewrite"]
    assert desk.has_pair


def test_a_group_shares_its_context(home: Path) -> None:
    """Words of one context: the context once with numbered marks, the words in reading order, one block each."""
    context = "The taciturn archivist catalogued the old lamp, the lamp of his father."
    words = [
        Item("2", {"context": context, "target": "lamp"}, group="g", metadata={"occurrence": "2"}),
        Item("1", {"context": context, "target": "taciturn"}, group="g"),
    ]
    desk = desk_of("lexical_complexity", *words)
    assert [text.field for text in desk.texts] == ["context"]
    marks = [(piece.text, piece.number) for piece in desk.texts[0].pieces if piece.kind == "target"]
    assert marks == [("taciturn", 1), ("lamp", 2)]
    assert [(block.name, block.lease) for block in desk.blocks] == [("taciturn", "lease1"), ("lamp", "lease0")]
    before = "".join(piece.text for piece in desk.texts[0].pieces[:3])
    assert before.endswith("the old lamp, the ")


def test_an_item_alone_has_its_texts_on_top(home: Path) -> None:
    """A single word is marked in its context, without a number; below it the sentence has the substitute in place."""
    desk = desk_of("lexical_posthoc", practice("lexical_posthoc"))
    assert [text.field for text in desk.texts] == ["context", "substitute"]
    marked = [[(piece.text, piece.number) for piece in text.pieces if piece.kind == "target"] for text in desk.texts]
    assert marked == [[("inaugurate", None)], [("open", None)]]
    assert desk.texts[1].plain == "The mayor will open the new library on Sunday."
    assert not desk.has_pair


def test_sliders_are_unset_until_touched(home: Path) -> None:
    """An untouched slider says nothing, and 0 is an answer."""
    item = practice("split_rate")
    untouched = question_of(desk_of("split_rate", item), "sensible").track
    zero = question_of(desk_of("split_rate", item, answers={"sensible": 0}), "sensible")
    assert untouched is not None
    assert untouched.unset
    assert zero.track is not None
    assert (zero.track.unset, zero.track.value, zero.answered) == (False, "0", True)


def test_short_answers_have_their_fields(home: Path) -> None:
    """There is a field for each answer that may be given; what blank means is said; the language is the item's."""
    item = Item("a", {"context": "Ein Haus.", "target": "Haus"}, metadata={"language": "de"})
    question = question_of(desk_of("lexical_simplification", item, answers={"substitutes": ("Bau",)}), "substitutes")
    assert question.texts == ("Bau", "", "")
    assert (question.none, question.target, question.chose_none) == ("No simpler word", "Haus", False)
    assert question.lang == "de"


def test_rewrites_start_empty(home: Path) -> None:
    """The editor is empty, with the text to start from at hand."""
    item = practice("split_rewrite")
    question = question_of(desk_of("split_rewrite", item), "rewrite")
    assert question.text == ""
    assert question.starts_from == item.fields["source"]


def test_ways_out(home: Path) -> None:
    """The protocol's ways out come first; the one at no loss is always there."""
    ways = desk_of("split_rewrite", practice("split_rewrite")).ways_out
    assert [way.id for way in ways] == ["too_simple", "too_problematic", "skip", "uncomfortable"]
    assert [way.id for way in desk_of("breve", PAIR).ways_out] == ["uncomfortable"]
    assert "You lose nothing" in ways[-1].meaning


def test_problems_are_told_in_place(home: Path) -> None:
    """A problem stands at its question in the reader's words; one without a visible question stands on top."""
    problems = [
        Problem(what="x", rule="required", fix="y", question="meaning"),
        Problem(what="there is no way out 'x'", rule="way_out", fix="Use another."),
    ]
    desk = desk_of("breve", PAIR, answers={"meaning": 2}, problems=problems)
    assert question_of(desk, "meaning").problem == "This question is not answered yet."
    assert not question_of(desk, "meaning").answered
    assert desk.problem_count == 2
    assert "2 things are missing" in drawn(desk)


def test_texts_cannot_break_out(home: Path) -> None:
    """Texts of items and answers are escaped in the page and in the data for the script."""
    nasty = "</script><script>alert(1)</script>"
    desk = desk_of("breve", Item("a", {"source": nasty, "rewrite": "x"}), answers={"comment": nasty})
    html = drawn(desk)
    assert nasty not in html
    assert "<script>alert" not in html
    data = html.partition('class="desk-data">')[2].partition("</script>")[0]
    assert json.loads(data)["answers"]["lease0"]["comment"] == nasty


def test_languages_fall_back(home: Path) -> None:
    """A language that the protocol has not shows its own; a regional one shows the wider."""
    assert desk_of("breve", PAIR, language="ja").language == "en"
    assert desk_of("breve", PAIR, language="es-mx").language == "es"
    assert question_of(desk_of("breve", PAIR, language="es"), "meaning").options[2].label == "Igual"


def test_only_known_modes(home: Path) -> None:
    """A desk is used in one of five ways."""
    with pytest.raises(ValueError, match="no mode"):
        desk_of("breve", PAIR, mode="other")


def posted(protocol: str, query: str) -> Any:
    """What a form says about one lease."""
    from rubrica.studio.annotate.desk_form import said_from_post

    resolved = load_shipped(protocol).protocol.resolve({})
    return said_from_post(QueryDict(query), Validator(resolved, resolved.stages[0]), ["a"])[0]


def test_a_form_becomes_answers(home: Path) -> None:
    """Numbers, options, lists and texts come back as the protocol has them; what was left open is left out."""
    said = posted(
        "breve",
        "a.meaning=3&a.concern=yes&a.concern_kinds=hate&a.concern_kinds=offensive&a.comment=Two%0D%0Alines&a.edit="
        "&a.key=0123456789&a.seconds=2.5&a.base=4&a.visit=v1",
    )
    assert said.answers == {
        "meaning": 3,
        "concern": "yes",
        "concern_kinds": ("offensive", "hate"),
        "comment": "Two\nlines",
    }
    assert (said.key, said.seconds, said.base, said.visit, said.outcome) == ("0123456789", 2.5, 4, "v1", "answered")


def test_sliders_without_script(home: Path) -> None:
    """A number box beside the track decides; a track that nobody moved is no answer; 0 is one."""
    assert posted("split_rate", "a.sensible=2&a.sensible=").answers == {}
    assert posted("split_rate", "a.sensible=2&a.sensible=0").answers == {"sensible": 0}
    assert posted("split_rate", "a.sensible=2").answers == {}
    assert posted("split_rate", "a.sensible=5").answers == {"sensible": 5}


def test_that_there_is_none_must_be_said(home: Path) -> None:
    """Fields left blank are no answer; their choice, or the button that answers when the page asks, says "none"."""
    blank = "a.substitutes=&a.substitutes="
    assert posted("lexical_simplification", blank).answers == {}
    assert posted("lexical_simplification", f"{blank}&a.substitutes.none=none").answers == {"substitutes": ()}
    assert posted("lexical_simplification", f"{blank}&none=yes").answers == {"substitutes": ()}
    assert posted("lexical_simplification", "a.substitutes=big&none=yes").answers == {"substitutes": ("big",)}
    both = posted("lexical_simplification", "a.substitutes=big&a.substitutes.none=none")
    item = Item("a", {"context": "A vast hall.", "target": "vast"})
    resolved = load_shipped("lexical_simplification").protocol.resolve({})
    [problem] = Validator(resolved, resolved.stages[0]).problems(item, Judgement(both.answers))
    assert problem.rule == "scale", "words and the choice contradict each other"


def test_odd_forms_do_no_harm(home: Path) -> None:
    """Nonsense in hidden fields is dropped; a value off the scale is kept for the validator to refuse."""
    said = posted("breve", "a.meaning=many&a.seconds=nan&a.base=-3&a.visit=%00&outcome=uncomfortable")
    assert (said.seconds, said.base, said.visit) == (0.0, 0, "")
    assert said.answers == {"meaning": "many"}
    assert said.outcome == "uncomfortable"


def test_json_judgements(home: Path) -> None:
    """The script's JSON gives one judgement for each lease, in the page's order; anything else is refused."""
    from rubrica.studio.annotate.desk_form import said_from_json

    data = {"judgements": [{"lease": "b", "answers": {"q": ["x"]}}, {"lease": "a", "seconds": float("inf")}]}
    one, other = said_from_json(data, ["a", "b"])
    assert (one.lease, one.seconds) == ("a", 0.0)
    assert other.answers == {"q": ("x",)}
    wrong: list[Any] = [None, [], {}, {"judgements": [1]}, {"judgements": [{"lease": "a"}]}]
    wrong += [{"judgements": [{"lease": "a", "answers": 3}, {"lease": "b"}]}]
    for bad in wrong:
        with pytest.raises(InputError):
            said_from_json(bad, ["a", "b"])


def test_substitutes_that_share_a_page_keep_their_sentences(home: Path) -> None:
    """In a group, each item is named by its word and shows its own sentence, also where the substitute is the same."""
    fields = {"context": "An arid plain and a torrid summer.", "substitute": "dry"}
    desk = desk_of("lexical_posthoc", *(Item(word, {**fields, "target": word}) for word in ("arid", "torrid")))
    assert [text.field for text in desk.texts] == ["context"]
    assert [[text.plain for text in block.texts] for block in desk.blocks] == [
        ["arid", "An dry plain and a torrid summer."],
        ["torrid", "An arid plain and a dry summer."],
    ]
