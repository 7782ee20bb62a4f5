"""Texts of a protocol: complete in its languages, with parameters and wordings that exist."""

import pytest

from tests.protocols.sample import SAMPLE, Mistake, check_one, line_of, mistakes, problems_of, spoil

BOTH = """\
id: sample
version: "1"
title: {en: Title, es: Título}
summary: {en: Summary, es: Resumen}
document: Nobody
family: testing
languages: [en, es]
partly_translated: [ja]
unreviewed: [es]
audience: {en: readers, es: lectores}
fields:
  - id: source
    role: source
    label: {en: Source, es: Original, ja: 原文}
scales:
  meaning:
    type: ordinal
    points:
      - {value: 1, label: {en: Low, es: Baja}}
      - {value: 2, label: {en: High, es: Alta}}
  text:
    type: choice
    options:
      - {id: one, label: {en: One, es: Uno}, meaning: {en: The one, es: El uno}}
      - {id: two, label: {en: Two, es: Dos}}
questions:
  - id: quality
    scale: meaning
    prompt: {en: How good?, es: ¿Qué tal?}
    notes:
      - {en: Read., es: Lee.}
  - {id: choice, scale: text, prompt: {en: Which one, es: Cuál}}
rules:
  - id: short
    if: {field: source, is: x}
    note: {en: Short, es: Corto}
    reword:
      quality: {en: How short?, es: ¿Qué tan corto?}
stages:
  - {id: rate, label: {en: Rate, es: Calificar}}
guidelines: {en: Read., es: Lee.}
practice:
  - id: p1
    fields: {source: text}
    answers: {quality: 1, choice: one}
    explanation: {en: Why, es: Por qué}
"""


def test_a_translated_protocol_loads() -> None:
    """Texts in all languages, with some in a language that is only partly there, are fine."""
    assert problems_of(BOTH) == []


@pytest.mark.parametrize(
    "text",
    [
        "es: Título", "es: Resumen", "es: lectores", "es: Original", "es: Baja", "es: Uno", "es: El uno",
        "es: ¿Qué tal?", "es: Cuál", "es: Corto", "es: ¿Qué tan corto?", "es: Calificar", "es: Por qué",
    ],
)  # fmt: skip
def test_every_text_is_in_every_language(text: str) -> None:
    """Wherever a translation is missing, also in scales named like a kind of text, it is asked for at its line."""
    line = line_of(BOTH, text)
    spoilt = BOTH.replace(f", {text}", "", 1)
    (found,) = problems_of(spoilt)
    assert (found.line, found.rule, found.value) == (line, "translation", ["es"])


@pytest.mark.parametrize(
    ("old", "line"), [("title: {en: Title, es: Título}", 3), ("      - {en: Read., es: Lee.}", 31)]
)
def test_a_plain_text_is_in_the_fallback_language_only(old: str, line: int) -> None:
    """Words without a language are in the fallback language, so the others are missing."""
    new = old.replace("{en: Title, es: Título}", "Title").replace("{en: Read., es: Lee.}", "Read.")
    (found,) = problems_of(BOTH.replace(old, new))
    assert (found.line, found.rule) == (line, "translation")


def test_a_language_must_be_announced() -> None:
    """A text in a language that the protocol does not name is refused at that text."""
    (found,) = problems_of(BOTH.replace("es: Corto}", "es: Corto, fr: Court}"))
    assert (found.line, found.rule, found.value) == (line_of(BOTH, "es: Corto"), "language", "fr")


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("partly_translated: [ja]", "partly_translated: [ja, es]", "contradiction"),
        ("unreviewed: [es]", "unreviewed: [es, de]", "unknown_language"),
        ("partly_translated: [ja]", "partly_translated: [ja]\nfallback: ja", "fallback"),
    ],
)
def test_languages_are_announced_once(old: str, new: str, rule: str) -> None:
    """A language is translated wholly or in part, and the fallback is one of those that are there wholly."""
    text = BOTH.replace(old, new)
    found = problems_of(text)
    assert [(problem.line, problem.rule) for problem in found][:1] == [(line_of(text, new.rpartition("\n")[2]), rule)]


@mistakes(
    Mistake("{reader}?", "{readers}?", "unknown_parameter"),
    Mistake("title: Sample", "title: Sample for {nobody}", "unknown_parameter"),
    Mistake("guidelines: Read everything first.", "guidelines: Read {everything} first.", "unknown_parameter"),
    Mistake("    default: a child", "    default: a child of {reader}", "default"),
    Mistake("    default: you", "    default: me", "default"),
    Mistake("    default: you", "    default: {en: you}", "default"),
    Mistake("    default: you", "    default: 5", "default"),
)
def test_parameters_exist(mistake: Mistake) -> None:
    """A name in braces is a parameter, and a default is one of the options or plain words."""
    check_one(mistake)


@mistakes(
    Mistake("wording_by: wording", "wording_by: words", "unknown_parameter"),
    Mistake("      others: How good is it for {reader}?\n", "", "wording", "prompt:\n      wording_by"),
    Mistake(
        "      you: How good is it for you?", "      me: Good?\n      you: Good for you?", "unknown_option", "me: Good?"
    ),
)
def test_wordings_are_the_options_of_their_parameter(mistake: Mistake) -> None:
    """A wording for an unknown parameter or option is refused, and so is one that is missing."""
    check_one(mistake)


@mistakes(
    Mistake("      you: How good is it for you?\n      others: How good is it for {reader}?\n", "", "text",
            "wording_by"),
    Mistake("wording_by: wording", "wording_by: [wording]", "text"),
)  # fmt: skip
def test_wordings_choose_something(mistake: Mistake) -> None:
    """Wordings without any wording, or by something that is no name, are refused."""
    assert mistake.rule in [found.rule for found in problems_of(spoil(SAMPLE, mistake))]


def test_a_text_parameter_chooses_no_wording() -> None:
    """Only a parameter with options can choose between wordings."""
    found = problems_of(spoil(SAMPLE, Mistake("wording_by: wording", "wording_by: reader", "")))
    assert [problem.rule for problem in found] == ["unknown_option", "unknown_option"]


@mistakes(
    Mistake("audience: readers", "audience: '{Reader} reads'", "unknown_parameter"),
    Mistake("audience: readers", "audience: 'all { readers'", "unknown_parameter"),
    Mistake("audience: readers", "audience: 'all} readers'", "unknown_parameter"),
    Mistake("audience: readers", "audience: '`{x y}`'", "unknown_parameter"),
    Mistake("audience: readers", "audience: 'a {#b}'", "unknown_parameter"),
    Mistake("header: Quality", "header: 'Quality {reader}'", "unknown_parameter"),
    Mistake("guidelines: Read everything first.", "guidelines: 'Read {every thing}.'", "unknown_parameter"),
)
def test_braces_hold_parameters(mistake: Mistake) -> None:
    """A brace that belongs to no parameter is refused, and so is any in a header, which fills in none."""
    check_one(mistake)


def test_guidelines_may_hold_anchors_and_code() -> None:
    """Anchors of headings and braces between backticks are fine in guidelines."""
    new = "guidelines: |\n  # Read {#quality}\n  Type `{x}` for {reader}.\n  ```\n  {a: 1}\n  ```"
    assert problems_of(spoil(SAMPLE, Mistake("guidelines: Read everything first.", new, ""))) == []


def test_parameters_are_used() -> None:
    """A parameter that no text fills in and no wording follows is refused; a verdict's share may follow it."""
    found = check_one(Mistake("it for {reader}?", "it for them?", "unused", "- id: reader"))
    assert found.value == "reader"
    followed = "  - {id: enough, label: How many, options: [most, any], default: most}\nfields:\n"
    made = [Mistake("share: most", "share_by: enough", ""), Mistake("\nfields:\n", f"\n{followed}", "")]
    assert problems_of(spoil(SAMPLE, *made)) == []


@mistakes(
    Mistake("languages: [en]", "languages: [en, English]", "type"),
    Mistake("languages: [en]", "languages: [en]\nfallback: English", "type", "fallback: English"),
)
def test_a_wrong_language_is_one_problem(mistake: Mistake) -> None:
    """An invalid code is not looked for in every text."""
    check_one(mistake)
