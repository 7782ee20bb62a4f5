"""Scripts and styles as they are sent: leaner than they are written, and the same."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

import rubrica.studio
from rubrica.studio.static_files import lean, page_style

pytestmark = pytest.mark.any_database

FOLDER = Path(rubrica.studio.__file__).parent / "static" / "rubrica"
SCRIPTS = sorted(FOLDER.rglob("*.js"))


def test_comments_and_indentation_are_left_out() -> None:
    """Lines that are comments, empty lines and leading blanks go; what stands after code stays."""
    script = '// Why.\nexport function one() {\n\n  // How.\n  return "//"; // here\n}\n'
    assert lean(script, "a.js") == 'export function one() {\nreturn "//"; // here\n}\n'
    assert lean("/* A\n   b */\np { color: red; } /* c */\n", "a.css") == "p{color:red;}\n"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_runs_over_several_lines(path: Path) -> None:
    """A template literal over several lines would lose its indentation: each line has an even number of backticks."""
    lines = [re.sub(r"\\`", "", line) for line in path.read_text().splitlines() if not line.strip().startswith("//")]
    assert [line for line in lines if line.count("`") % 2] == []


@pytest.mark.parametrize("path", [*FOLDER.rglob("*.css")], ids=lambda path: path.name)
def test_braces_of_styles_stay_balanced(path: Path) -> None:
    """Leaving comments out takes nothing else away."""
    text = lean(path.read_text(), path.name)
    assert text.count("{") == text.count("}")
    assert "*/" not in text
    written = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    assert re.findall(r'"[^"]*"', text) == re.findall(r'"[^"]*"', written)


def test_styles_of_a_page_are_all_of_them_and_named_by_their_hash(home: Path) -> None:
    """What stands in a page is what would be sent, one file after the other; its hash is that of this very text."""
    style = page_style("base", "desk")
    assert style.text == "".join(lean((FOLDER / f"{name}.css").read_text(), f"{name}.css") for name in ("base", "desk"))
    assert "</style" not in style.text
    assert style.source == f"'sha256-{b64encode(sha256(style.text.encode()).digest()).decode()}'"


def _sent(*patterns: str) -> int:
    """Bytes of these files as they are sent."""
    found = [path for pattern in patterns for path in FOLDER.glob(pattern)]
    assert found
    return sum(len(lean(path.read_text(), path.name).encode()) for path in found)


def test_script_of_the_desk_is_light() -> None:
    """Script of the desk stays under its share (61 kB) of what the page may weigh."""
    assert _sent("desk/*.js") < 61_000


def test_work_page_with_the_editor_is_light() -> None:
    """Script and style of a work page on which edits are marked stay under 177 kB before compression.

    Most is the editor itself: it draws both texts whole, with a box for each edit and a strip that follows the reader.
    """
    styles = [f"{name}.css" for name in ("base", "desk", "menu", "marks", "edits")]
    assert _sent("desk/*.js", "edits/*.js", "journey.js", *styles) < 177_000


def test_settling_adds_little_to_the_editor() -> None:
    """What only those load who settle other people's edits; on their page the editor is there as well."""
    assert _sent("settling/*.js", "settling.css") < 27_000
