"""The editor's small parts in a browser: what a selection snaps to, how offsets are counted, which lanes marks take."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from rubrica.core.edit_marks import lanes
from rubrica.core.edits import Span
from tests.browser.conftest import Studio


@pytest.fixture
def call(studio: Studio, page: Page) -> Any:
    """Calls a function of one of the editor's modules: ``call("model", "words", text)``."""
    page.goto(f"{studio.url}/sign-in/")

    def run(module: str, function: str, *given: Any) -> Any:
        script = """async ([module, name, given]) => {
          const found = await import(`/static/rubrica/edits/${module}.js`);
          const made = /^[A-Z]/.test(name) ? new found[name](given[0]) : null;
          return made ? made[given[1]](given[2]) : found[name](...given);
        }"""
        return page.evaluate(script, [module, function, list(given)])

    return run


def _cut(text: str, spans: list[list[int]]) -> list[str]:
    """What spans of UTF-16 units cover; all of these texts are of the basic plane."""
    return [text[start:end] for start, end in spans]


def test_words_have_their_punctuation_and_split_points_are_none(call: Any) -> None:
    """From white space to white space; || between spaces is left out, || inside a word is not."""
    text = "“Cold,” he said. || Well-known a||b"
    assert _cut(text, call("model", "units", text, "words", "")) == ["“Cold,”", "he", "said.", "Well-known", "a||b"]


def test_words_without_spaces_are_found(call: Any) -> None:
    """Japanese is cut into words, with the full stop at the last."""
    text = "私は学生です。"
    found = _cut(text, call("model", "units", text, "words", ""))
    assert len(found) > 2
    assert "".join(found) == text
    assert found[-1].endswith("。")
    assert len(found[-1]) > 1


def test_characters_are_graphemes(call: Any) -> None:
    """A letter with combining marks is one."""
    text = "e\u0301\u0323a ||b"
    assert _cut(text, call("model", "units", text, "characters", "")) == ["e\u0301\u0323", "a", " ", "|", "|", "b"]


def test_given_tokens_are_found_in_order(call: Any) -> None:
    """Tokens as a list of strings; one that is not there makes the list useless, and words are taken."""
    text = "don't go, go"
    assert _cut(text, call("model", "units", text, "tokens", '["do", "n\'t", "go", ",", "go"]')) == [
        "do",
        "n't",
        "go",
        ",",
        "go",
    ]
    assert _cut(text, call("model", "units", text, "tokens", '["stay"]')) == ["don't", "go,", "go"]
    assert _cut(text, call("model", "units", text, "tokens", "{broken")) == ["don't", "go,", "go"]


def test_stretch_is_cut_at_split_points_and_trimmed(call: Any) -> None:
    """Pieces have no white space at their ends; of nothing but space there is no piece."""
    text = "One two || three "
    assert _cut(text, call("model", "pieces", text, 3, len(text))) == ["two", "three"]
    assert call("model", "pieces", text, 7, 11) == []


def test_offsets_are_code_points_outside(call: Any) -> None:
    """An astral character is two units inside and one outside; back again it is the same."""
    text = "a😀b\U0001d52f"
    # Units: a 0, emoji 1 to 2, b 3, letter 4 to 5. Code points: 0, 1, 2, 3.
    assert call("model", "Offsets", text, "toPoints", [[0, 3], [3, 6]]) == [[0, 2], [2, 4]]
    assert call("model", "Offsets", text, "toUnits", [[0, 2], [2, 4]]) == [[0, 3], [3, 6]]
    assert call("model", "Offsets", "plain", "toPoints", [[1, 4]]) == [[1, 4]]


def test_lanes_are_those_of_the_server(studio: Studio, page: Page) -> None:
    """The page and core/edit_marks.py give the same lanes to the same spans."""
    given = {"a": [[0, 9]], "b": [[2, 4], [20, 30]], "c": [[4, 22]], "d": [[9, 12]], "e": [[0, 3]], "f": [[30, 31]]}
    page.goto(f"{studio.url}/sign-in/")
    script = """async (given) => {
      const { lanes } = await import("/static/rubrica/edits/drawing.js");
      const { found } = lanes(Object.entries(given).map(([key, spans]) => ({ key, spans })));
      return Object.fromEntries([...found].map(([mark, lane]) => [mark.key, lane]));
    }"""
    expected = lanes({name: [Span(*span) for span in spans] for name, spans in given.items()})
    assert page.evaluate(script, given) == expected
