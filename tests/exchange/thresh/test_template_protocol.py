"""Thresh templates as protocols: both dialects, every oddity kept or named, and whatever is wrong named at its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubrica.core.errors import InputError
from rubrica.core.protocol import Protocol
from rubrica.exchange.thresh.template_protocol import Converted, convert_template
from rubrica.protocols.loader import check_text

HERE = Path(__file__).parent


def converted(name: str) -> Converted:
    """One of our own templates, converted."""
    return convert_template((HERE / name).read_text(encoding="utf-8"), name)


def protocol_of(name: str) -> Protocol:
    """The protocol that it becomes, read as a researcher's file is."""
    return check_text(converted(name).text, "imported.yaml").protocol


def prompts(protocol: Protocol) -> dict[str, str]:
    """The wording of every question on edits."""
    assert protocol.edits is not None
    return {question.id: str(question.prompt.get("en")) for question in protocol.edits.questions}  # type: ignore[union-attr]


def test_edits_become_operations() -> None:
    """Sides, several spans, composites and breaks are what the template says; each has a letter of its own."""
    scheme = protocol_of("bakery.yml").edits
    assert scheme is not None
    assert scheme.snap == "characters"
    found = {
        operation.id: (operation.sides, operation.several, operation.constituents) for operation in scheme.operations
    }
    simple = ("left_out", "put_in", "swapped", "break")
    assert found == {
        "left_out": (("source",), False, ()),
        "put_in": (("rewrite",), False, ()),
        "swapped": (("source", "rewrite"), True, ()),
        "rebuilt": ((), False, simple),
        "break": (("rewrite",), False, ()),
    }
    # left_out and put_in take l and p; swapped s; rebuilt r; break b.
    assert [operation.key for operation in scheme.operations] == ["l", "p", "s", "r", "b"]


def test_trees_become_flat_questions() -> None:
    """A follow-up is asked when its option was chosen; the same question of two edits is one, another one is not."""
    protocol = protocol_of("bakery.yml")
    scheme = protocol.edits
    assert scheme is not None
    asked = {question.id: question for question in scheme.questions}
    assert list(asked) == [
        "left_out_loss",
        "left_out_loss_needed",
        "left_out_loss_half_needed",
        "helps",
        "helps_yes",
        "why",
        "grammar_eror",
        "swapped_loss",
        "seen",
        "rebuilt_source",
    ]
    assert asked["grammar_eror"].operations == ("left_out", "put_in")
    assert asked["grammar_eror"].header == "Grammar"
    assert not asked["why"].required
    assert [type(protocol.scale_of(question)).__name__ for question in scheme.questions] == [
        "Choice",
        "Ordinal",
        "FreeText",
        "Choice",
        "Ordinal",
        "FreeText",
        "YesNo",
        "YesNo",
        "YesNo",
        "FreeText",
    ]
    assert prompts(protocol)["left_out_loss_half_needed"] == "Which half?"


def test_options_called_yes_and_no_are_words() -> None:
    """They are options like others, with follow-ups, and likert-5 has five points."""
    protocol = protocol_of("bakery.yml")
    assert protocol.scales["helps"].values() == ["yes", "no"]
    assert protocol.scales["likert_5"].values() == [1, 2, 3, 4, 5]
    question = protocol.questions_by_id["helps_yes"]
    assert question.when is not None
    assert question.when.values == ("yes",)  # type: ignore[union-attr]


def test_names_lead_back() -> None:
    """Every name of the template stands in the dictionary, misspelt and unusual ones as they are."""
    names = protocol_of("bakery.yml").thresh
    assert names is not None
    left_out = names.by_name["Left out"]
    assert left_out == names.by_operation["left_out"]
    assert (left_out.color, left_out.icon) == ("red", "fa-eraser")
    assert [(answer.name, answer.question, answer.form) for answer in left_out.answers] == [
        ("loss", "left_out_loss", ""),
        ("grammar_eror", "grammar_eror", "binary"),
    ]
    assert [(option.name, option.means) for option in left_out.answers[0].options] == [
        ("needed", "needed"),
        ("spare", "spare"),
        ("half-needed", "half_needed"),
    ]
    assert [option.means for option in names.by_name["swapped"].answers[1].options] == ["yes"]


def test_texts_are_taken_over() -> None:
    """Title, summary, instructions and the labels of the texts; braces, which mean something here, become round."""
    protocol = protocol_of("bakery.yml")
    assert protocol.id == "thresh_bakery_notes"
    assert protocol.title.get("en") == "Bakery notes (draft) 🥖"  # type: ignore[union-attr]
    assert protocol.guidelines.get("en") == "## Read both notes\n\nMark **every** change."
    labels = {field.id: field.label.get("en") for field in protocol.fields}  # type: ignore[union-attr]
    assert (labels["source"], labels["rewrite"], labels["context"]) == ("First note", "Later note", "The recipe")


def test_what_has_no_place_is_kept_and_named() -> None:
    """Keys without a counterpart stand in the protocol and in a remark with their line."""
    done = converted("bakery.yml")
    kept = done.data["thresh"]["kept"]
    assert kept["font_size"] == {"source": 14, "target": 18}
    assert kept["display"] == ["text-side-by-side"]
    assert "title={Bread}" in kept["citation"]
    assert done.data["thresh"]["categories"][1]["kept"] == {"hover": "New words"}
    named = [(remark.rule, remark.line) for remark in done.remarks]
    assert named == [
        ("braces", 3),
        ("kept", 11),  # interface_text, for its buttons
        ("kept", 18),  # display
        ("kept", 19),  # font_size
        ("kept", 20),  # citation
        ("duplicate_label", 40),  # "spare", which is another option's label
        ("misspelt", 41),  # questions
        ("kept", 51),  # hover
    ]
    assert all(remark.file == "bakery.yml" for remark in done.remarks)


def test_the_other_dialect() -> None:
    """Without types, with merge keys and with names that no id can be: all of it becomes a protocol."""
    protocol = protocol_of("river.yml")
    scheme, names = protocol.edits, protocol.thresh
    assert scheme is not None
    assert names is not None
    assert [(operation.id, operation.several) for operation in scheme.operations] == [
        ("wrong_fact", False),
        ("edit_2", False),
        ("says_it_twice", True),
    ]
    assert names.by_operation["edit_2"].name == "难懂"
    assert [question.operations for question in scheme.questions] == [("wrong_fact", "edit_2", "says_it_twice")]
    required = {field.id: field.required for field in protocol.fields}
    assert not required["source"]
    assert required["rewrite"]
    assert "Wrong fact" in str(protocol.guidelines.get("en"))


def test_older_labels_of_the_texts() -> None:
    """Templates that name the texts at the top are heard too."""
    done = convert_template(f"input_label: Before\noutput_label: After\n{EDIT}", "old.yml")
    assert [field["label"] for field in done.data["fields"] if field["id"] in ("source", "rewrite")] == [
        "Before",
        "After",
    ]
    assert done.remarks == []


def test_the_same_template_gives_the_same_protocol() -> None:
    """Converting twice gives the same bytes, and so the same hash."""
    assert converted("bakery.yml").text == converted("bakery.yml").text


EDIT = "template_name: t\nedits:\n  - name: a\n    enable_input: true\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("shape", 1)]),
        ("- one", [("shape", 1)]),
        ("template_name: x", [("edits", 1)]),
        ("edits: []", [("edits", 1)]),
        ("edits: {a: 1}", [("edits", 1)]),
        ("edits:\n  - label: x\n  - word\n", [("name", 2), ("shape", 3)]),
        (f"{EDIT}  - name: a\n    enable_input: true\n", [("duplicate_name", 5)]),
        ("edits:\n  - {name: a, type: composite}\n", [("composite", 1)]),
        (f"{EDIT}    annotation: quality\n", [("annotation", 5)]),
        (f"{EDIT}    annotation:\n      - {{name: q, options: []}}\n", [("options", 6)]),
        (f"{EDIT}    annotation:\n      - {{name: q, options: {{a: 1}}}}\n", [("options", 6)]),
        (f"{EDIT}    annotation:\n      - name: q\n        options: [{{name: val}}, {{name: b}}]\n", [("reserved", 7)]),
        (
            f"{EDIT}    annotation:\n      - name: q\n        options: [{{name: b}}, {{name: b}}, c, {{label: d}}]\n",
            [("duplicate_name", 7), ("shape", 7), ("name", 7)],
        ),
        (f"{EDIT}    name: b\n", [("duplicate_key", 5)]),
        (f"{EDIT}    color: !!str red\n", [("tag", 5)]),
        ("edits: [", [("yaml", 1)]),
    ],
)
def test_bad_templates_are_refused(text: str, expected: list[tuple[str, int]]) -> None:
    """Every problem is named at its line, with a fix."""
    with pytest.raises(InputError) as refused:
        convert_template(text, "bad.yml")
    assert [(problem.rule, problem.line) for problem in refused.value.problems] == expected
    assert all(problem.file == "bad.yml" and problem.fix for problem in refused.value.problems)


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ("    type: sideways\n", "type"),
        ("    annotation: [{name: q}]\n", "options"),
        ("    annotation: [{name: q, options: stars}]\n", "options"),
        ("tokenization: syllable\n", "tokenization"),
        ("language: nobody knows\n", "language"),
        ("  - {name: both, type: composite, enable_input: true}\n", "composite"),
    ],
)
def test_odd_templates_pass_with_a_remark(more: str, rule: str) -> None:
    """What Thresh ignores or does not know does not stop the import, but is said."""
    assert [remark.rule for remark in convert_template(EDIT + more, "odd.yml").remarks] == [rule]


def test_an_edit_without_spans_is_about_the_pair() -> None:
    """What marks neither text, such as a missing fact, is an operation without sides, and no part of a composite."""
    text = (
        "edits:\n  - {name: gone, enable_input: true}\n  - name: missing_info\n    annotation:\n"
        "      - {name: how_bad, question: How bad is it?, options: likert-3}\n  - {name: both, type: composite}\n"
    )
    done = convert_template(text, "frank.yml")
    assert done.remarks == []
    scheme = check_text(done.text, "frank.yml").protocol.edits
    assert scheme is not None
    missing = scheme.by_id["missing_info"]
    assert missing.whole
    assert missing.sides == ()
    assert not scheme.by_id["gone"].whole
    assert scheme.by_id["both"].constituents == ("gone",)


def test_every_edit_asks_in_the_order_of_the_template() -> None:
    """A shared question moves behind what comes first in either edit; where it cannot, it is asked apart."""
    question = "{{name: {0}, question: '{0}?', options: binary}}"

    def asked(*edits: str) -> dict[str, list[str]]:
        text = "edits:\n"
        for number, names in enumerate(edits):
            text += f"  - name: e{number}\n    enable_input: true\n    annotation:\n"
            text += "".join(f"      - {question.format(name)}\n" for name in names)
        scheme = check_text(convert_template(text, "order.yml").text, "order.yml").protocol.edits
        assert scheme is not None
        found = {edit.id: scheme.questions_for(edit.id) for edit in scheme.operations}
        return {edit: [str(one.prompt.get("en")) for one in own] for edit, own in found.items()}  # type: ignore[union-attr]

    for edits in (("ag", "bg"), ("ag", "ga"), ("agc", "bg"), ("gab", "abg", "bga"), ("a", "ba", "cba")):
        assert asked(*edits) == {f"e{number}": [f"{name}?" for name in names] for number, names in enumerate(edits)}


def test_more_edits_than_letters() -> None:
    """The twenty-seventh edit has no letter left, and says so."""
    text = "edits:\n" + "".join(f"  - {{name: kind {number}, enable_output: true}}\n" for number in range(27))
    done = convert_template(text, "many.yml")
    keys = [operation.get("key") for operation in done.data["edits"]["operations"]]
    assert len({key for key in keys if key}) == 26
    assert keys[26] is None
    assert [remark.rule for remark in done.remarks] == ["key"]


def test_any_names_become_different_ids() -> None:
    """Names that fold to the same id, reserved words and very long names stay apart."""
    names: list[Any] = ["Item", "item ", "ITEM", "true", "2nd", "é", "e", "x" * 90, "x" * 91, "comment", "source"]
    questions = "".join(f"      - {{name: {str(name)!r}, options: binary}}\n" for name in names)
    done = convert_template(f"{EDIT}    annotation:\n{questions}", "names.yml")
    ids = [question["id"] for question in done.data["edits"]["questions"]]
    assert len(set(ids)) == len(names)
    assert ids[:7] == ["a_item", "a_item_2", "a_item_3", "true", "n2nd", "e", "a_e"]
    written = check_text(done.text, "x").protocol.thresh
    assert written is not None
    assert [answer.name for answer in written.categories[0].answers] == names
