"""What a documentation page asks a reader to do, as steps that a test can take.

Files: a fenced block with ``title="name"`` is a file of that name; with ``title="docs/…"`` it shows one that is there.
Commands: in ``console`` blocks, lines after ``$``; ``# exits 1`` below a command says that it fails; other lines are
output, in which ``…`` stands for anything.
Deeds of annotators: ``<!-- fill sheets/*.xlsx -->`` fills sheets, ``<!-- fill sheets/*.xlsx as other -->`` fills them
with other answers, ``<!-- cell FILE.xlsx Judgements!C2 = 7 -->`` changes one cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOT_PAGES = (DOCS / "reference", DOCS / "examples")
"""What is generated, and what examples consist of."""
_FENCE = re.compile(r"(?P<indent> *)```(?P<language>\w*)(?P<rest>.*)")
_TITLE = re.compile(r'title="([^"]+)"')
_FILL = re.compile(r"<!-- fill (?P<files>\S+)(?: as (?P<seed>\w+))? -->")
_CELL = re.compile(r"<!-- cell (?P<file>\S+) (?P<sheet>\w+)!(?P<cell>[A-Z]+\d+) = (?P<value>.*) -->")
_EXITS = re.compile(r"# exits (\d)")


class WriteFile(NamedTuple):
    """The page shows this file."""

    name: str
    text: str


class Fill(NamedTuple):
    """Annotators fill in these sheets."""

    files: str
    seed: str


class SetCell(NamedTuple):
    """Somebody types into one cell."""

    file: str
    sheet: str
    cell: str
    value: str


class Run(NamedTuple):
    """The reader runs a command and sees these lines, among others."""

    line: int
    command: str
    code: int
    shows: tuple[str, ...]


Step = WriteFile | Fill | SetCell | Run


class Block(NamedTuple):
    """A fenced block: where it starts, its language, its title, its lines."""

    line: int
    language: str
    title: str
    lines: list[str]


def written_pages() -> list[Path]:
    """The README and every page of the site that people write; generated ones are left out."""
    pages = (page for page in sorted(DOCS.rglob("*.md")) if not any(folder in page.parents for folder in NOT_PAGES))
    return [ROOT / "README.md", *pages]


def pages_with_commands() -> list[Path]:
    """Pages that show commands to run."""
    return [page for page in written_pages() if "```console" in page.read_text(encoding="utf-8")]


def steps(text: str) -> Iterator[Step]:
    """The steps of a page, in order; files come where they are shown."""
    for part in parts(text):
        if isinstance(part, Block):
            if part.language == "console":
                yield from _commands(part)
            elif part.title and not part.title.startswith("docs/"):
                yield WriteFile(part.title, "\n".join(part.lines) + "\n")
        elif fill := _FILL.fullmatch(part):
            yield Fill(fill["files"], fill["seed"] or "")
        elif cell := _CELL.fullmatch(part):
            yield SetCell(**cell.groupdict())


def parts(text: str) -> Iterator[Block | str]:
    """Fenced blocks, and the lines outside them."""
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        fence = _FENCE.fullmatch(line)
        if not fence:
            yield line.strip()
            continue
        indent, inside = len(fence["indent"]), []
        for _, other in lines:
            if other.strip() == "```":
                break
            inside.append(other[indent:])
        title = _TITLE.search(fence["rest"])
        yield Block(number, fence["language"], title[1] if title else "", inside)


def _commands(block: Block) -> Iterator[Run]:
    found: list[tuple[int, str, int, list[str]]] = []
    continued = False
    for number, line in enumerate(block.lines, start=block.line + 1):
        if continued:
            where, command, code, shows = found[-1]
            found[-1] = (where, command.rstrip("\\") + line.strip(), code, shows)
        elif line.startswith("$ "):
            found.append((number, line[2:], 0, []))
        elif exits := _EXITS.fullmatch(line):
            where, command, _, shows = found[-1]
            found[-1] = (where, command, int(exits[1]), shows)
        elif line.strip() and found:
            found[-1][3].append(line.rstrip())
        continued = bool(found) and (line.startswith("$ ") or continued) and line.endswith("\\")
    for where, command, code, shows in found:
        yield Run(where, command, code, tuple(shows))


def matches(shown: str, printed: str) -> bool:
    """Whether a line of the page stands in what was printed."""
    pattern = re.compile(".*".join(map(re.escape, shown.split("…"))))
    return any(pattern.fullmatch(line.rstrip()) for line in printed.splitlines())
