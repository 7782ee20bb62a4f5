"""Practice items: in their own file, line by line, and valid judgements themselves."""

from pathlib import Path

import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.protocols.loader import load
from rubrica.protocols.practice import read_practice
from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes

GOOD = '{"id": "p1", "fields": {"source": "a", "rewrite": "b"}, "outcome": "skip", "explanation": "x"}'


def in_folder(folder: Path, *lines: str, yaml: str = SAMPLE) -> list[Problem]:
    """What is wrong with a protocol folder that has these practice items."""
    (folder / "protocol.yaml").write_text(yaml[: yaml.index("practice:")], encoding="utf-8")
    (folder / "practice.jsonl").write_text("\n".join(lines), encoding="utf-8")
    try:
        load(folder)
    except InputError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("{not json}", "json"),
        ('{"id": "p2"', "json"),
        ("null", "json"),
        ('{"id": "p2", "id": "p3"}', "json"),
        ('{"id": NaN}', "json"),
        ('{"id": "\\ud800"}', "json"),
        ('{"id": "a\\u0000"}', "json"),
        ("[" * 100_000, "json"),
        ("[" * 50 + "]" * 50, "json"),
        ('{"a": ' + "9" * 5000 + "}", "json"),
        ("[1]", "type"),
        ('"word"', "type"),
        (GOOD.replace('"p1"', '"P-2"'), "value"),
        (GOOD, "duplicate_id"),
        (GOOD.replace("p1", "p2").replace("explanation", "why"), "missing_key"),
        (GOOD.replace("p1", "p2").replace('"x"', "null"), "empty"),
        (GOOD.replace("p1", "p2").replace('"skip"', '"bored"'), "way_out"),
        (GOOD.replace("p1", "p2").replace('"rewrite": "b"', '"rewrite": " "'), "required"),
        (GOOD.replace("p1", "p2").replace('"source": "a", ', ""), "required"),
        (GOOD.replace("p1", "p2").replace('"rewrite"', '"rewrites"'), "unknown_field"),
        (GOOD.replace("p1", "p2").replace('"outcome"', '"stage": "nowhere", "outcome"'), "unknown_stage"),
        (GOOD.replace("p1", "p2").replace('"skip"', '"skip", "answers": {"quality": 9}'), "way_out"),
        (GOOD.replace("p1", "p2").replace('"outcome": "skip"', '"stage": "mark", "answers": {"quality": 9}'), "scale"),
        (GOOD.replace("p1", "p2").replace('"outcome": "skip"', '"stage": "mark"'), "required"),
    ],
)
def test_problems_name_the_file_and_the_line(tmp_path: Path, line: str, rule: str) -> None:
    """A bad practice item is reported in practice.jsonl at its own line, blank lines counted."""
    found = in_folder(tmp_path, GOOD, "", line, GOOD.replace("p1", "p9"))
    assert {(problem.file, problem.line, problem.rule) for problem in found} >= {
        (str(tmp_path / "practice.jsonl"), 3, rule)
    }
    assert all(problem.line == 3 for problem in found)


def test_good_items_load(tmp_path: Path) -> None:
    """Items with blank lines between them, Windows line ends and a byte order mark are read in order."""
    assert in_folder(tmp_path, GOOD, " ", GOOD.replace("p1", "p2")) == []
    (tmp_path / "practice.jsonl").write_bytes(f"\ufeff{GOOD}\r\n\r\n".encode())
    assert [item.id for item in load(tmp_path).protocol.practice] == ["p1"]


def test_every_bad_line_is_reported(tmp_path: Path) -> None:
    """Three bad lines give three problems in order."""
    found = in_folder(tmp_path, "{", GOOD, "}", "null")
    assert [(problem.line, problem.rule) for problem in found] == [(1, "json"), (3, "json"), (4, "json")]


def test_practice_stands_in_one_place(tmp_path: Path) -> None:
    """Practice items both in the YAML and beside it are a contradiction, not a choice."""
    (tmp_path / "protocol.yaml").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "practice.jsonl").write_text(GOOD, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert [problem.rule for problem in caught.value.problems] == ["contradiction"]


def test_lines_keep_their_numbers() -> None:
    """The reader gives each item with its line."""
    assert read_practice('\n{"a": 1}\n\n{"b": 2}\n') == ([(2, {"a": 1}), (4, {"b": 2})], [])


@mistakes(
    Mistake('["cat#1"]', '["dog"]', "quote"),
    Mistake('["cat#1"]', '["cat"]', "quote"),
    Mistake('["cat#1"]', '["cat#3"]', "quote"),
    Mistake('["cat#1"]', '["cat#²"]', "quote"),
)
def test_quoted_words_are_in_the_text(mistake: Mistake) -> None:
    """Words that are not there, or of which there are several, are reported with how often they stand there."""
    assert "times in the source" in check_one(mistake).what


@mistakes(
    Mistake("stage: mark\n", "stage: marks\n", "unknown_stage", "stage: marks"),
    Mistake('rewrite: "A cat ran."}', 'rewrite: "A cat ran.", target: cat}', "unknown_field"),
    Mistake("answers: {quality: 2}", "answers: {quality: 2, speed: 1}", "unknown_question"),
    Mistake("operation: deletion,", "operation: delete,", "operation"),
)
def test_practice_in_the_yaml_is_checked_too(mistake: Mistake) -> None:
    """Practice items in the protocol file are held to the same rules."""
    check_one(mistake)


@mistakes(
    Mistake("answers: {quality: 2}\n", "answers:\n      quality: 9\n", "scale", "quality: 9"),
    Mistake("operation: deletion,", "operation: deletion,\n         answers: {change: more},", "operation",
            "answers: {change: more}"),
    Mistake('    answers: {quality: 2}\n    edits:\n      - {id: "1", operation: deletion, source: ["cat#1"]}\n',
            "    outcome: bored\n", "way_out", "outcome: bored"),
)  # fmt: skip
def test_problems_stand_at_their_part(mistake: Mistake) -> None:
    """In the YAML, a wrong answer, edit or outcome of a practice item is reported at its own line."""
    check_one(mistake)


ABOUT_TEXTS = """\
id: sample
version: "1"
title: {en: T, es: T, de: T}
summary: {en: S, es: S, de: S}
document: Nobody
family: testing
languages: [en, es, de]
audience: {en: a, es: a, de: a}
fields:
  - {id: source, role: source, label: {en: S, es: S, de: S}}
scales:
  good: {type: ordinal, points: [{value: 1, label: {en: L, es: L, de: L}}, {value: 2, label: {en: H, es: H, de: H}}]}
questions:
  - {id: quality, scale: good, prompt: {en: Q, es: Q, de: Q}}
stages:
  - {id: rate, label: {en: R, es: R, de: R}}
guidelines: {en: G, es: G, de: G}
"""


def item(name: str, *languages: str) -> str:
    """A practice item that is explained in these languages."""
    why = ", ".join(f'"{code}": "why"' for code in languages)
    return f'{{"id": "{name}", "fields": {{"source": "a"}}, "answers": {{"quality": 1}}, "explanation": {{{why}}}}}'


def test_a_language_may_have_items_of_its_own(tmp_path: Path) -> None:
    """Explained in it and in the fallback; those for all languages then need no word of it."""
    (tmp_path / "protocol.yaml").write_text(ABOUT_TEXTS, encoding="utf-8")
    (tmp_path / "practice.jsonl").write_text(item("p1", "en", "es"), encoding="utf-8")
    (tmp_path / "practice.de.jsonl").write_text(item("d1", "en", "de"), encoding="utf-8")
    protocol = load(tmp_path).protocol
    found = {language: [one.id for one in protocol.practice_at("rate", language)] for language in ("de", "es", "")}
    assert found == {"de": ["d1"], "es": ["p1"], "": ["p1"]}


@pytest.mark.parametrize(
    ("own", "rule"),
    [
        (item("d1", "en"), "translation"),
        (item("d1", "de"), "translation"),
        (item("p1", "en", "de"), "duplicate_id"),
        ("[1]", "type"),
    ],
)
def test_items_of_a_language_are_checked_where_they_stand(tmp_path: Path, own: str, rule: str) -> None:
    """The problem names the file of that language and the line."""
    (tmp_path / "protocol.yaml").write_text(ABOUT_TEXTS, encoding="utf-8")
    (tmp_path / "practice.jsonl").write_text(item("p1", "en", "es", "de"), encoding="utf-8")
    (tmp_path / "practice.de.jsonl").write_text(f"\n{own}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    told = {(problem.file, problem.line, problem.rule) for problem in caught.value.problems}
    assert (str(tmp_path / "practice.de.jsonl"), 2, rule) in told


def test_a_language_of_items_that_nobody_announced(tmp_path: Path) -> None:
    """Is refused by name."""
    (tmp_path / "protocol.yaml").write_text(ABOUT_TEXTS, encoding="utf-8")
    (tmp_path / "practice.fr.jsonl").write_text(item("f1", "en"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert [problem.rule for problem in caught.value.problems] == ["unknown_language"]
