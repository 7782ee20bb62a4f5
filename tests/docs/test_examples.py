"""The examples of the README and of every page are run as a reader would run them, top to bottom in one folder."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rubrica.cli.main import main
from tests.docs import filling
from tests.docs.pages import (
    DOCS,
    ROOT,
    Block,
    Fill,
    Run,
    SetCell,
    Step,
    WriteFile,
    matches,
    pages_with_commands,
    parts,
    steps,
    written_pages,
)


@pytest.fixture
def folder(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like the one in which a reader stands: the examples are there, and an empty home."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("RUBRICA_HOME", raising=False)
    shutil.copytree(migrated, tmp_path / "rubrica-data")
    shutil.copytree(DOCS / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", pages_with_commands(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_a_page_run(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command ends as the page says and prints what the page shows."""
    for step in steps(page.read_text(encoding="utf-8")):
        take(step, folder, capsys, page.name)


def take(step: Step, folder: Path, capsys: pytest.CaptureFixture[str], page: str) -> None:
    """Do what one step says."""
    match step:
        case WriteFile(name, text):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        case Fill(files, seed):
            found = sorted(folder.glob(files))
            assert found, f"{page}: no file is called {files}"
            for path in found:
                filling.fill(path, seed)
        case SetCell(file, sheet, cell, value):
            filling.set_cell(folder / file, sheet, cell, value)
        case Run():
            _check(step, folder, capsys, page)


def _check(step: Run, folder: Path, capsys: pytest.CaptureFixture[str], page: str) -> None:
    code, printed = _run(step.command, folder, capsys)
    where = f"{page}:{step.line}: {step.command}"
    assert code == step.code, f"{where}\nended with {code}, not {step.code}:\n{printed}"
    for line in step.shows:
        assert matches(line, printed), f"{where}\ndid not print: {line}\nbut:\n{printed}"


def _run(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    program, *words = shlex.split(command)
    arguments = [path for word in words for path in _expanded(word, folder)]
    if program == "python":
        done = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    assert program == "rubrica", f"only rubrica and python can be run: {command}"
    capsys.readouterr()
    code = main(arguments)
    return code, "".join(capsys.readouterr())


def _expanded(word: str, folder: Path) -> list[str]:
    """A pattern as a shell expands it."""
    if "*" not in word:
        return [word]
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(word))
    return found or [word]


def test_files_that_pages_show_are_there_as_they_are_shown() -> None:
    """Whoever reads a page as a file sees the example itself, the one that is checked; no page includes one."""
    shown = 0
    for page in written_pages():
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"-\s*-\s*8\s*<", text), page
        for part in parts(text):
            if isinstance(part, Block) and part.title.startswith("docs/"):
                file = (ROOT / part.title).read_text(encoding="utf-8")
                assert "\n".join(part.lines).rstrip() == file.rstrip(), (
                    f"{page.name}:{part.line}: copy {part.title} anew"
                )
                shown += 1
    assert shown >= 8


def test_no_formatter_rewrites_pages() -> None:
    """Ruff, which formats what stands in fenced blocks of Python, leaves pages as they were written."""
    page = '```python\n--8<-- "docs/examples/file.py"\nx = {  1 }\n```\n'
    command = [sys.executable, "-m", "ruff", "format", "--force-exclude", "--stdin-filename", "docs/page.md", "-"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, input=page, cwd=ROOT)
    assert done.stdout == page


def test_no_page_promises_what_is_there() -> None:
    """Nothing is said to come later: what there is not is said plainly, and what there is is described."""
    words = r"not part of Rubrica yet|comes? later\b|planned but not|will be added|in a future version|not yet built"
    promises = re.compile(words, re.IGNORECASE)
    said = [
        f"{page.name}: {found[0]}"
        for page in [*written_pages(), *(ROOT / "src/rubrica/protocols").glob("*/README.md")]
        if (found := promises.search(page.read_text(encoding="utf-8")))
    ]
    assert said == []
