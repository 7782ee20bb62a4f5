"""The site builds without a warning, asks nothing of other hosts, and says only what is so."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from rubrica.protocols.loader import load
from rubrica.protocols.schema import ConditionFile, ProtocolFile
from rubrica.protocols.yaml_source import read_yaml
from tests.docs.pages import DOCS, ROOT, Block, parts, written_pages

_LOADED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//""")
_PATH = re.compile(r"`((?:src|tests|docs|design|tools|requirements|changelog\.d|benchmarks|\.ci)/[\w./-]+)`")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, reference: Path) -> Path:
    """The site, built strictly from a copy, so that the working tree stays as it is."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("reference", "__pycache__"))
    shutil.copytree(reference, folder / "docs" / "reference")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", "out"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "out"


def test_the_site_builds_strictly(site: Path) -> None:
    """Every page is there, and no link or anchor is broken."""
    assert (site / "index.html").is_file()
    assert (site / "reference" / "protocols" / "breve.html").is_file()


def test_the_site_loads_nothing_from_other_hosts(site: Path) -> None:
    """No page loads a script, style, font or picture from elsewhere."""
    guilty = [page.name for page in site.rglob("*.html") if _LOADED.search(page.read_text(encoding="utf-8"))]
    assert guilty == []


def test_pictures_are_small_and_used() -> None:
    """A picture has at most 200 kB and stands on a page."""
    together = "\n".join(page.read_text(encoding="utf-8") for page in written_pages())
    for picture in (DOCS / "images").iterdir():
        assert picture.stat().st_size <= 200_000, picture.name
        assert picture.name in together, picture.name


@pytest.mark.parametrize("page", [*written_pages(), ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_paths_that_a_page_mentions_exist(page: Path) -> None:
    """A path of the project in the text of a page is a path of the project."""
    text = page.read_text(encoding="utf-8")
    assert [path for path in _PATH.findall(text) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", ["tone_1.yaml", "tone_2.yaml", "tone"])
def test_example_protocols_are_fine(name: str) -> None:
    """The worked example loads at each of its steps."""
    assert load(DOCS / "examples" / name).protocol.id == "tone"


def fragments() -> list[tuple[str, Any]]:
    """Pieces of protocol files that the guide for authors shows, with where they stand."""
    found = []
    for page in sorted((DOCS / "authors").glob("*.md")):
        for block in parts(page.read_text(encoding="utf-8")):
            if isinstance(block, Block) and block.language == "yaml" and not block.title:
                source = read_yaml("\n".join(block.lines))
                assert not source.problems, f"{page.name}:{block.line}: {source.problems[0]}"
                found.append((f"{page.name}:{block.line}", source.data))
    return found


@pytest.mark.parametrize(("place", "data"), fragments(), ids=[place for place, _ in fragments()])
def test_fragments_of_protocols_have_the_right_keys(place: str, data: Any) -> None:
    """What the guide for authors shows would be accepted in a protocol file."""
    for key, value in data.items():
        kind = ConditionFile if key == "when" else ProtocolFile.model_fields[key].rebuild_annotation()
        TypeAdapter(kind).validate_python(value, context={"fallback": "en"})
