"""`rubrica protocols`: list, show, check."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.protocols.catalog import shipped
from tests.conftest import Ran

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_list_as_json(rubrica: Rubrica) -> None:
    """The list has the promised keys for the ten protocols."""
    listed = rubrica("protocols", "--json").json
    assert [protocol["id"] for protocol in listed["protocols"]] == shipped()
    assert len(shipped()) == 11
    for protocol in listed["protocols"]:
        assert protocol.keys() >= {"id", "version", "hash", "title", "languages"}
    assert "rubrica:" in listed["signature"]


@pytest.mark.parametrize("protocol_id", shipped())
@pytest.mark.parametrize("lang", ["en", "es"])
def test_show_in_both_languages(rubrica: Rubrica, protocol_id: str, lang: str) -> None:
    """Every question of a protocol is shown, in English and in Spanish."""
    ran = rubrica("protocols", "show", protocol_id, "--lang", lang)
    data = rubrica("protocols", "show", protocol_id, "--json").json["protocol"]
    assert ran.code == 0
    for question in data.get("questions", []):
        assert f"  {question['id']}" in ran.out
        if isinstance(question["prompt"].get(lang), str):
            assert question["prompt"][lang].split()[0] in ran.out


def test_show_in_a_language_that_is_not_there(rubrica: Rubrica) -> None:
    """An unknown language is refused with those that exist."""
    ran = rubrica("protocols", "show", "breve", "--lang", "fr")
    assert ran.code == 1
    assert "en, es" in ran.err


def test_unknown_protocol_names_the_nearest(rubrica: Rubrica) -> None:
    """A misspelt id is answered with the nearest one."""
    ran = rubrica("protocols", "show", "brevo")
    assert ran.code == 1
    assert "Did you mean 'breve'?" in ran.err


def test_check_reports_every_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """Problems of several files come together, each with file and line, and exit code 1."""
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("id: One\n")
    two.write_text("id: [\n")
    ran = rubrica("protocols", "check", one, two, "--json")
    assert ran.code == 1
    assert f"{one}:1: " in ran.err
    assert {error["file"] for error in ran.json["errors"]} == {str(one), str(two)}
    assert all(error.keys() >= {"file", "line", "rule", "value", "fix"} for error in ran.json["errors"])


def test_check_of_a_good_file(rubrica: Rubrica) -> None:
    """A shipped protocol passes its own check."""
    from rubrica.protocols.catalog import FOLDER

    ran = rubrica("protocols", "check", FOLDER / "salsa")
    assert ran.code == 0
    assert "is fine" in ran.out


def test_check_of_a_missing_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """A missing file is a problem of the input, not a traceback."""
    ran = rubrica("protocols", "check", tmp_path / "none.yaml")
    assert ran.code == 1
    assert "none.yaml: cannot be read" in ran.err


TEMPLATE = """template_name: notes
font_size: 12
edits:
  - name: Left out
    enable_input: true
    annotation:
      - {name: needed, question: Was it needed?, options: binary}
"""


def test_a_thresh_template_becomes_a_protocol(rubrica: Rubrica, tmp_path: Path) -> None:
    """The file passes the check, and what has no place here is named on stderr with its line."""
    template, out = tmp_path / "notes.yml", tmp_path / "notes.yaml"
    template.write_text(TEMPLATE)
    ran = rubrica("protocols", "import-thresh", template, "-o", out)
    assert ran.code == 0
    assert f"{template}:2: 'font_size' is kept" in ran.err
    assert "thresh_notes 1.0" in rubrica("protocols", "check", out).out
    assert rubrica("protocols", "import-thresh", template, "-o", "-").out == out.read_text()
    named = rubrica("protocols", "import-thresh", template, "-o", out, "--id", "mine", "--json").json
    assert named["protocols"][0]["id"] == "mine"
    assert [remark["rule"] for remark in named["remarks"]] == ["kept"]


def test_a_bad_thresh_template_is_refused(rubrica: Rubrica, tmp_path: Path) -> None:
    """Every problem with its line, exit code 1, and no file."""
    template, out = tmp_path / "notes.yml", tmp_path / "notes.yaml"
    template.write_text(TEMPLATE.replace("name: needed, ", "").replace("  - name: Left out", "  - label: x"))
    ran = rubrica("protocols", "import-thresh", template, "-o", out, "--json")
    assert ran.code == 1
    assert [(error["line"], error["rule"]) for error in ran.json["errors"]] == [(4, "name")]
    assert not out.exists()
    for arguments in ((tmp_path / "none.yml",), (template, "--id", "Bad Id"), (template, "--json")):
        assert rubrica("protocols", "import-thresh", *arguments).code == 1


def test_check_looks_into_the_course(rubrica: Rubrica, tmp_path: Path) -> None:
    """A mistake in a stage of the course is told with its file and line, and `show` counts what is right."""
    folder = tmp_path / "tone"
    shutil.copytree(EXAMPLES / "tone", folder)
    assert "Course: 1 stage with 2 examples and exercises" in rubrica("protocols", "show", folder).out
    stage = folder / "course" / "1_requests.yaml"
    text = stage.read_text(encoding="utf-8").replace('["by noon."]', '["by night."]')
    stage.write_text(text, encoding="utf-8")
    line = text[: text.index("by night")].count("\n") + 1
    ran = rubrica("protocols", "check", folder)
    assert ran.code == 1
    assert f"{stage}:{line}: the words 'by night.' stand 0 times in the source" in ran.err


@pytest.mark.parametrize("language", ["en", "es"])
def test_show_tells_of_tests_as_annotators_read_it(rubrica: Rubrica, language: str) -> None:
    """What is said where items are planted is shown for a protocol that plants some, without the marks around it."""
    shown = rubrica("protocols", "show", "adequacy_fluency", "--lang", language).out
    told = {"en": "The data holds tests of consistency.", "es": "Los datos contienen pruebas de coherencia."}
    assert told[language] in " ".join(shown.split())
    assert "<!--" not in shown
    assert "Hidden duplicates: 5% of the items" in shown
    assert "Hidden duplicates" not in rubrica("protocols", "show", "breve", "--lang", language).out
