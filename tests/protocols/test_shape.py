"""The shape of a protocol file: each mistake once, at its line, with what to do."""

import pytest

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil


@mistakes(
    Mistake("audience: readers", "audiense: readers", "unknown_key"),
    Mistake("    header: Quality", "    heading: Quality", "unknown_key"),
    Mistake("    question: comment\n", "    question: comment\n    whem: x\n", "unknown_key", "whem"),
    Mistake("step: 0.5}", "steps: 0.5}", "unknown_key"),
    Mistake("role: context, label: Remark", "role: context, label: Remark, 5: x", "unknown_key"),
    Mistake("share: most", "sharing: most", "unknown_key"),
)
def test_unknown_keys_are_errors(mistake: Mistake) -> None:
    """A key that is not in the schema is refused by name."""
    assert "unknown key" in check_one(mistake).what


@pytest.mark.parametrize(
    ("old", "new", "nearest"),
    [
        ("    header: Quality", "    heder: Quality", "header"),
        ("when: {outcome: too_simple}", "when: {outcom: too_simple}", "outcome"),
        ("several: true", "severl: true", "several"),
        ("family: testing", "family: testing\nverdict: []", "verdicts"),
        ("{type: text}", "{type: text, maximun: 3}", None),
        ("step: 0.5}", "step: 0.5, maxmum: 9}", "maximum"),
        ("{id: keep, label: Keep}", "{id: keep, label: Keep, meening: x}", "meaning"),
        ("if: {field: source, same_as: rewrite}", "if: {field: source, same_as: rewrite, iss: x}", "is"),
    ],
)
def test_the_nearest_key_is_named(old: str, new: str, nearest: str | None) -> None:
    """The fix names the nearest key that is allowed at that very place, or all of them if none is near."""
    (found, *_) = [
        problem for problem in problems_of(spoil(SAMPLE, Mistake(old, new, ""))) if problem.rule == "unknown_key"
    ]
    assert found.fix == (f"Did you mean {nearest!r}?" if nearest else "Known keys: type.")


@mistakes(
    Mistake('document: "Nobody, Nothing, 2026"\n', "", "missing_key", "id: sample"),
    Mistake("    question: comment\n", "", "missing_key", "- id: say_more"),
    Mistake("{id: too_simple, label: Too simple, keyword: SIMPLE}", "{id: too_simple, keyword: SIMPLE}", "missing_key"),
    Mistake("{good: true, shows: A fine text,", "{shows: A fine text,", "missing_key"),
    Mistake("guidelines: Read everything first.\n", "", "missing_key", "id: sample"),
)
def test_missing_keys_are_named(mistake: Mistake) -> None:
    """A key that must be there is named, at the line of what lacks it."""
    found = check_one(mistake)
    assert found.fix == f"Add `{found.value}:`."


@mistakes(
    Mistake("    prompt: Which?", "    prompt:", "empty", "prompt:\n    required"),
    Mistake("    header: Quality", "    header:", "empty"),
    Mistake("    when: {question: change, is: less}", "    when:", "empty", "when:\n  types"),
    Mistake("- Read both texts.", "-", "empty", "-\n    examples"),
    Mistake("sides: [source], preset: {change: less}", "sides: [source], preset: {change: ~}", "empty"),
    Mistake("same_people_as: mark", "same_people_as: null", "empty"),
)
def test_keys_without_a_value_are_errors(mistake: Mistake) -> None:
    """A key that was left empty is a slip, also where the key itself may be left out."""
    assert "has no value" in check_one(mistake).what


@mistakes(
    Mistake('version: "1.0"', "version: 1.0", "type"),
    Mistake('version: "1.0"', 'version: "one"', "type"),
    Mistake("languages: [en]", "languages: en", "type"),
    Mistake("family: testing", "family: testing\nunreviewed: [English]", "type", "unreviewed"),
    Mistake("    required: false\n", "    required: no\n", "type", "required: no"),
    Mistake("    overlap: 3\n    edits", "    overlap: 0\n    edits", "type", "overlap: 0"),
    Mistake("    overlap: 3\n    edits", '    overlap: "3"\n    edits', "type", 'overlap: "3"'),
    Mistake("role: source, label", "role: origin, label", "type"),
    Mistake("    side: error", "    side: bad", "type"),
    Mistake("half: {type: slider,", "half: {type: slidr,", "type"),
    Mistake("half: {type: slider,", "half: {", "type"),
    Mistake("  words: {type: text}", "  words: text", "type"),
    Mistake("step: 0.5}", "step: 0}", "type"),
    Mistake("    notes:\n      - Read both texts.", "    notes: {}", "type"),
    Mistake("      - {id: reject, label: Reject}\n", "", "type", "options:\n      - {id: keep"),
    Mistake("key: s,", "key: ss,", "type"),
    Mistake("    maximum: 2\n", "    maximum: 0\n", "type", "maximum: 0"),
    Mistake('edits:\n      - {id: "1",', "edits:\n      - {id: 1,", "type", "{id: 1,"),
    Mistake("drop: [decision, better]", "drop: {decision: better}", "type"),
    Mistake("at_least: 2", "at_least: 0", "type"),
    Mistake("family: form\n", "family: [form]\n", "type", "family: [form]"),
    Mistake("passes_on: true", "passes_on: 1", "type"),
    Mistake('document: "Nobody, Nothing, 2026"', 'document: " "', "type"),
)
def test_values_have_their_type(mistake: Mistake) -> None:
    """A value of the wrong type or beyond its limits is refused, with the value that was received."""
    found = check_one(mistake)
    assert any(words in found.what for words in ("which is not", "must be text", "unknown type"))
    assert "Input should" not in str(found)
    assert str(found.value).lower() in str(found).lower().replace('"', "'") or isinstance(found.value, list)


@mistakes(
    Mistake("id: keep, label", "id: yes, label", "value"),
    Mistake("{id: skip,", "{id: off,", "value"),
    Mistake("- id: say_more", "- id: true", "value"),
    Mistake("  words: {type: text}", "  words: {type: text}\n  off: {type: text}", "value", "off: {type"),
    Mistake("options: [you, others]", "options: [you, others, y]", "value"),
    Mistake("- id: say_more", "- id: Say-More", "value"),
    Mistake("- id: say_more", "- id: 5", "value"),
    Mistake("answer: 3}", "answer: true}", "value"),
    Mistake("answer: 3}", "answer: {a: 1}}", "value"),
    Mistake("when: {outcome: too_simple}", "when: {outcome: 5}", "value"),
    Mistake("operation: [deletion, swap]", "operation: []", "value"),
    Mistake("minimum: 0, maximum: 5,", "minimum: low, maximum: 5,", "value"),
    Mistake("minimum: 0, maximum: 5,", "minimum: true, maximum: 5,", "value"),
    Mistake("answers: {quality: 2}", "answers: {quality: [[1]]}", "value"),
)
def test_ids_and_answers_are_what_they_say(mistake: Mistake) -> None:
    """Ids, answers, names and numbers of the wrong kind get one message each."""
    assert check_one(mistake).what


def test_booleans_as_ids_are_refused_by_name() -> None:
    """The message says which word it is and what to do; in quotes the same word is an id like any other."""
    found = check_one(Mistake("id: keep, label", "id: yes, label", "value"))
    assert "`yes` is a YAML boolean" in found.what
    assert "quotes" in found.fix
    assert problems_of(spoil(SAMPLE, Mistake("id: keep, label", 'id: "yes", label', ""))) == []


@mistakes(
    Mistake("title: Sample", 'title: "  "', "text"),
    Mistake("title: Sample", "title: {en: Sample, english: Sample}", "text"),
    Mistake("title: Sample", "title:\n  en: Sample\n  1: x", "text", "1: x"),
    Mistake("title: Sample", "title:\n  en:\n    - Sample", "text", "en:\n    - Sample"),
    Mistake("title: Sample", "title: []", "text"),
    Mistake("title: Sample", "title: {}", "text"),
    Mistake("audience: readers", "audience: 5", "text"),
    Mistake("text: A word on it would help.", "text: true", "text"),
    Mistake("      you: How good is it for you?", "      you: 5", "text"),
    Mistake("      you: How good is it for you?", '      you:\n        en: ""', "text", 'en: ""'),
    Mistake("guidelines: Read everything first.", "guidelines: {wording_by: wording, you: a, others: b}", "value"),
    Mistake("    default: a child", "    default: {wording_by: wording, you: a, others: b}", "value"),
)
def test_texts_are_texts(mistake: Mistake) -> None:
    """A text that is blank, a number, or in something that is no language is refused at its own line."""
    check_one(mistake)


def test_each_language_of_a_text_is_checked() -> None:
    """Two blank translations of one text are two problems, each at its line."""
    text = spoil(SAMPLE, Mistake("title: Sample", 'title:\n  en: ""\n  es: " "', ""))
    assert [(found.line, found.rule) for found in problems_of(text) if found.rule == "text"] == [
        (4, "text"),
        (5, "text"),
    ]


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n", "5\n", "", "# nothing\n", "[]"])
def test_a_protocol_is_a_mapping(text: str) -> None:
    """A file that holds a list, a word or nothing is refused with one message that shows how to start."""
    (found,) = problems_of(text)
    assert (found.rule, found.line) == ("shape", 1)
    assert "id: my_protocol" in found.fix


@pytest.mark.parametrize(
    ("old", "new", "what", "fix"),
    [
        (
            "role: source, label",
            "role: sorce, label",
            "fields.0.role is 'sorce', which is not one of source, rewrite, reference, context, target",
            "Did you mean 'source'?",
        ),
        (
            "key: s,",
            "key: 1,",
            "edits.operations.1.key is '1', which is not one lower-case letter",
            "Write one lower-case letter.",
        ),
        ("at_least: 2", "at_least: 0", "verdicts.2.at_least is 0, which is not 1 or more", "Write 1 or more."),
        (
            'version: "1.0"',
            'version: "one"',
            "version is 'one', which is not numbers with points between them, in quotes",
            "Write numbers with points between them, in quotes.",
        ),
    ],
)
def test_messages_are_in_our_words(old: str, new: str, what: str, fix: str) -> None:
    """A message names the key, the value received and what could stand there."""
    (found,) = problems_of(spoil(SAMPLE, Mistake(old, new, "")))
    assert (found.what, found.fix) == (what, fix)


def test_a_practice_item_is_a_mapping() -> None:
    """The message on a practice item of another kind names no class of ours."""
    text = SAMPLE[: SAMPLE.index("practice:")] + "practice: [word]\n"
    (found,) = problems_of(text)
    assert found.what == "practice.0 is 'word', which is not a mapping, lines of `key: value`"


def test_names_have_a_limit() -> None:
    """A header or an id of more than sixty characters is refused."""
    long = "x" * 61
    assert "60 characters" in check_one(Mistake("header: Quality", f"header: {long}", "type")).what
    assert check_one(Mistake("- id: say_more", f"- id: {long}", "value")).fix == "Use at most 60."
    assert problems_of(spoil(SAMPLE, Mistake("- id: say_more", f"- id: {long[1:]}", ""))) == []
