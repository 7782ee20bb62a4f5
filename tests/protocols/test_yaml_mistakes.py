"""A file that is not YAML says why, in words: the sign, the line, and the line as it should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.protocols.loader import check_text
from rubrica.protocols.yaml_source import read_yaml
from tests.conftest import Ran
from tests.docs.pages import DOCS

TONE = (DOCS / "examples" / "tone_2.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "line", "what", "fix"),
    [
        ("a: 1\nprompt: Meaning: the rewrite\n", 2, "a colon in a text", '`prompt: "Meaning: the rewrite"`'),
        ("prompt: Rate this:\n", 1, "a colon in a text", '`prompt: "Rate this:"`'),
        ("prompt: {en: Meaning: all of it, es: b}\n", 1, "a colon in a text", '`en: "Meaning: all of it"`'),
        ("prompt: “Meaning: all”\n", 1, "a colon in a text", "use straight ones"),
        ("prompt: How far does\n  the rewrite: keep it\n", 2, "goes on with the text of line 1", "whole text"),
        ("a:\n\tb: 1\n", 2, "a tab", "spaces"),
        ("a:\n\u00a0\u00a0b: 1\n", 2, "no-break space", "plain spaces"),
        ("label: @home\n", 1, "cannot begin with @", '`label: "@home"`'),
        ("a:\n  - {id: b, label: @home, c: 1}\n", 2, "cannot begin with @", '`label: "@home"`'),
        ("prompt: How simple #1 is it\n", 1, "'#1 is it' is not part of the text", "quotes if # belongs"),
        ('a: "How simple?\nb: of it\nc: |\n  the "other" word\n', 1, 'by the next ", on line 4', 'with " on this'),
        ("label: * much\n", 1, "cannot begin with *", '`label: "* much"`'),
        ("label: *much\n", 1, "cannot begin with *", '`label: "*much"`'),
        ("- %much\n", 1, "cannot begin with %", '`- "%much"`'),
        ("label: &more of it\n", 1, "&more is not part of the text", "quotes"),
        ("label: !much\n", 1, "tag", "quotes if ! belongs"),
        ("label: > 5 points\n", 1, "after > the text begins on the next line", '`label: "> 5 points"`'),
        ("label: - a\n", 1, "cannot begin with '- '", "A list begins on a line of its own"),
        ("label: [Optional] say why\n", 1, "text after the closing ]", '`label: "[Optional] say why"`'),
        ("label: [a, b\nc: d\n", 1, "the [ on line 1 is not closed", "]"),
        ("label: 'It's good'\n", 1, "ends at the second '", '`label: "It\'s good"`'),
        ('label: "Good" or bad\n', 1, 'ends at the second "', "`label: '\"Good\" or bad'`"),
        ('a: 1\nlabel: "Good\nb: c\n', 2, "never closed", 'Close it with "'),
        ('label: "a\\d"\n', 1, "backslash", "twice"),
        ("a: 1\nid:tone\nb: 2\n", 2, "no space after the colon of 'id'", "`id: tone`"),
        ("a:\n  - id:tone\n    b: 2\n", 2, "no space after the colon of 'id'", "`id: tone`"),
        ("a: 1\nid tone\nb: 2\n", 2, "there is no colon in 'id tone'", "key: value"),
        ("a:\n  -b: 1\n", 2, "no space after the dash", "`- b"),
        ("a:\n  b: 1\n   c: 2\n", 3, "goes on with the text of line 2", "column of the line above"),
        ("a:\n   b: 1\n  c: 2\n", 3, "indented by 2 spaces, the one above by 3", "same column"),
        ("a: 1\nb: 2\na: 3\n", 3, "a second time (first on line 1)", "Keep one"),
        ("a: 1\n---\nb: 2\n", 2, "second document", "---"),
    ],
)  # fmt: skip
def test_the_cause_is_named(text: str, line: int, what: str, fix: str) -> None:
    """Each of the usual mistakes is told by its line, its cause and what to write."""
    (problem,) = read_yaml(text).problems
    assert problem.line == line
    assert what in problem.what
    assert fix in problem.fix


@pytest.mark.parametrize(
    ("old", "new", "fix"),
    [
        ("title: Tone of rewritten messages", "title: #1 tone", "# begins a comment"),
        ("meaning: The receiver would like it better.", "meaning: Better, said all.", "a comma begins the next entry"),
        ("      - Judge the tone, not the length.", "      - Tone: judge it.", 'quotes: "Tone: judge it."'),
        ("id: lost, label", "id: no, label", "put it in quotes"),
        ('version: "0.2"', "version: 0.2", '"0.2"'),
    ],
)
def test_what_yaml_reads_otherwise_than_it_was_meant(old: str, new: str, fix: str) -> None:
    """A comment, a comma in braces, a colon in a list, `no` and a number are readable YAML; the fix says what to do."""
    assert old in TONE
    with pytest.raises(InputError) as caught:
        check_text(TONE.replace(old, new, 1), "tone.yaml")
    assert fix in " ".join(problem.fix for problem in caught.value.problems)


def test_the_command_says_it_too(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """`protocols check` names file, line, cause and fix for the colon of a newcomer, and ends with 1."""
    file = tmp_path / "mine.yaml"
    file.write_text(TONE.replace("prompt: Does it", "prompt: Meaning: does it", 1), encoding="utf-8")
    ran = rubrica("protocols", "check", file)
    assert ran.code == 1
    assert "mine.yaml:46: this is not YAML: there is a colon in a text without quotes" in ran.err
    assert 'prompt: "Meaning: does it still' in ran.err
