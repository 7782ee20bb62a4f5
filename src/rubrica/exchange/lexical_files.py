"""Files of the lexical shared tasks: gold and submissions of TSAR 2022, MLSP 2024, LCP 2021 and CompLex.

Tab-separated, UTF-8, a line an instance, no quoting (a quotation mark is data), mostly no header. Which layout a file
has is told by its first line and said in words; every other line must have it too. Nothing is mended in silence: texts
stay as they are written, and whoever compares them says how.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import attrs

from rubrica.core import typed
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import first_of, shortened
from rubrica.exchange.decoding import LINE_END, decoded, digest_of
from rubrica.language.names import NAMES, language_code

COMBINED, LCP, LS, IDS, COMPLEX, GUIDELINE = "combined", "lcp", "ls", "id-score", "complex", "guideline"
UNLABELLED = "unlabelled"
LAYOUTS = {
    COMBINED: "MLSP combined: id, language, context, target, complexity, substitutes",
    LCP: "MLSP complexity: id, language, context, target, complexity",
    LS: "TSAR or MLSP substitutes: context, target, substitutes",
    IDS: "id and score",
    COMPLEX: "CompLex with its header: id, corpus, sentence, token, complexity",
    UNLABELLED: "MLSP without labels: id, language, context, target",
    GUIDELINE: "the guideline's own: token, context, mean from 1 to 5, substitutes",
}
HEADERS = {
    ("id", "corpus", "sentence", "token", "complexity"): COMPLEX,
    ("token", "context", "avg lcp"): GUIDELINE,
    ("id", "complexity"): IDS,
    ("id", "score"): IDS,
}
_ID = re.compile(r"[\w.:-]+", re.ASCII)
_WORDS_TOO = ("he", "id", "is", "la", "ms", "no")
"""Codes of languages that are rather words in the name of a file."""
SHOWN = 5
ENDINGS = (".tsv", ".csv", ".txt")


@attrs.frozen
class Row:
    """An instance as a file has it. ``score`` is None where the layout has none."""

    line: int
    id: str = ""
    language: str = ""
    context: str = ""
    target: str = ""
    score: float | None = None
    answers: tuple[str, ...] = ()
    file: str = ""


@attrs.frozen
class LexicalFile:
    """A file with its layout, its rows, and what is worth knowing about it."""

    path: Path
    layout: str
    rows: tuple[Row, ...]
    digest: str
    remarks: tuple[str, ...] = ()


def read(path: Path, *, scores: bool, layout: str = "", labelled: bool = True) -> LexicalFile:
    """Read a file of which ``scores`` (or else substitutes) are wanted. Raises InputError with all that is wrong.

    With ``labelled`` False only contexts and targets are wanted, and any layout that has them will do.
    """
    found, problems = read_so_far(path, scores=scores, layout=layout, labelled=labelled)
    if problems:
        raise InputError(*problems)
    return found


def read_so_far(
    path: Path, *, scores: bool, layout: str = "", labelled: bool = True
) -> tuple[LexicalFile, list[Problem]]:
    """The same with what is wrong by line beside the rows that can be read. Raises InputError where none can be."""
    if not path.is_file():
        what = "the link leads to no file" if path.is_symlink() else "there is no such file"
        raise wrong(what, "file", "Check the name and the folder.", file=str(path))
    found = decoded(path)
    lines = list(enumerate(LINE_END.split(found.text), start=1))
    filled = [(number, text) for number, text in lines if text.strip()]
    if not filled:
        what = "the file has no instances"
        raise InputError(*found.problems, Problem(what=what, rule="empty", fix="One instance a line.", file=str(path)))
    first = _cells(filled[0][1], path)
    header = next((kind for names, kind in HEADERS.items() if _names(first)[: len(names)] == names), "")
    kind = layout or header or _layout(first, scores)
    if kind not in LAYOUTS:
        columns = f"{len(first)} column{'s' * (len(first) != 1)}"
        what = f"line {filled[0][0]} has {columns}, which is none of the layouts that are known"
        fix = f"Part its cells with tabs. It may be one of: {'; '.join(LAYOUTS.values())}. Name it with --layout."
        raise InputError(*found.problems, Problem(what=what, rule="layout", fix=fix, file=str(path), line=filled[0][0]))
    rows: list[Row] = []
    problems = list(found.problems)
    for number, text in filled[bool(header) :]:
        row = _row(_cells(text, path), kind, partial(Row, number, file=str(path)))
        if isinstance(row, Problem):
            problems.append(row.at(file=str(path), line=number))
        else:
            rows.append(row)
    lacking = list(_lacking(kind, scores, path) if labelled else _targetless(kind, path))
    if found.problems or (lacking and not problems):
        raise InputError(*problems, *lacking)
    return LexicalFile(path, kind, tuple(rows), digest_of(path), tuple(_remarks(rows, kind))), problems


def _cells(text: str, path: Path) -> list[str]:
    """The cells of a line: at tabs, or at commas where there is no tab and the file is CSV or two cells wide."""
    if "\t" in text or (path.suffix.lower() != ".csv" and text.count(",") != 1):
        return text.split("\t")
    return [cell.strip().strip('"') for cell in text.split(",")]


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(re.sub(r"[<>_\s]+", " ", cell).strip().lower() for cell in cells)


def _number(text: str) -> float | None:
    found = typed.number(text)
    return None if isinstance(found, typed.Fault) else float(found)


def _layout(cells: Sequence[str], scores: bool) -> str:
    """The layout that the first line has, empty if none."""
    known = len(cells) >= 5 and bool(_ID.fullmatch(cells[0].strip())) and _number(cells[4]) is not None
    if known and " " not in cells[1].strip():
        return COMBINED if len(cells) > 5 else LCP
    if len(cells) == 4 and bool(re.fullmatch(r"[a-z]{2,3}_\d+", cells[0])):
        return UNLABELLED
    if len(cells) == 2 and (scores or (_ID.fullmatch(cells[0].strip()) and _number(cells[1]) is not None)):
        return IDS
    return LS if len(cells) >= 2 and (not scores or cells[1].strip() in cells[0]) else ""


def _row(cells: list[str], kind: str, make: Callable[..., Row]) -> Row | Problem:
    """A line as an instance, or what is wrong with it. Cells at the end that hold nothing are no answers."""
    if any("\0" in cell for cell in cells):
        return Problem(what="this line holds a NUL character", rule="characters", fix="Remove it.")
    while len(cells) > 2 and not cells[-1].strip():
        cells.pop()
    least = {COMBINED: 5, LCP: 5, LS: 2, IDS: 2, COMPLEX: 5, GUIDELINE: 3, UNLABELLED: 4}[kind]
    if len(cells) < least or (kind in (LCP, IDS, COMPLEX, UNLABELLED) and len(cells) > least):
        wanted = f"{least} columns" if kind != LS else "a context and a target"
        what = f"this line has {len(cells)} column{'s' * (len(cells) != 1)}, not {wanted}"
        return Problem(what=what, rule="columns", fix=_parted(kind), value=len(cells))
    if kind == IDS and ";" in cells[0]:
        return Problem(what="this line is parted by semicolons", rule="columns", fix=_parted(kind), value=cells[0])
    place = {COMBINED: 4, LCP: 4, IDS: 1, COMPLEX: 4, GUIDELINE: 2}.get(kind)
    score = None if place is None else _number(cells[place])
    if place is not None and score is None:
        what = f"{shortened(cells[place], 40)!r} is no number"
        return Problem(what=what, rule="number", fix="Write a number such as 0.25.", value=cells[place])
    match kind:
        case "unlabelled":
            return make(cells[0].strip(), cells[1].strip(), cells[2], cells[3])
        case "combined" | "lcp":
            return make(cells[0].strip(), cells[1].strip(), cells[2], cells[3], score, tuple(cells[5:]))
        case "ls":
            return make(context=cells[0], target=cells[1], answers=tuple(cells[2:]))
        case "id-score":
            return make(cells[0].strip(), score=score)
        case "complex":
            return make(cells[0].strip(), context=cells[2], target=cells[3], score=score)
    assert score is not None
    if not 1 <= score <= 5:
        fix = "The guideline's mean is of points from 1 to 5; released files are another layout."
        return Problem(what=f"{score:g} is not from 1 to 5", rule="number", fix=fix, value=score)
    return make(context=cells[1], target=cells[0], score=(score - 1) / 4, answers=tuple(cells[3:]))


def _parted(kind: str) -> str:
    return f"{LAYOUTS[kind]}, parted by tabs{' or commas, with a decimal point' * (kind == IDS)}."


def _targetless(kind: str, path: Path) -> Iterator[Problem]:
    if kind == IDS:
        fix = f"Give {LAYOUTS[UNLABELLED]}; or {LAYOUTS[LS]}."
        yield Problem(what="this file has no contexts and targets", rule="layout", fix=fix, file=str(path))


def _lacking(kind: str, scores: bool, path: Path) -> Iterator[Problem]:
    if kind == UNLABELLED:
        yield Problem(what="this file has no labels", rule="layout", fix="Give the file with labels.", file=str(path))
    if scores and kind == LS:
        fix = f"Give {LAYOUTS[LCP]}; or {LAYOUTS[IDS]}."
        yield Problem(what="this file has substitutes and no complexity", rule="layout", fix=fix, file=str(path))
    if not scores and kind in (LCP, IDS, COMPLEX):
        what = "this file has complexity and no substitutes"
        yield Problem(what=what, rule="layout", fix=f"Give {LAYOUTS[LS]}; or {LAYOUTS[COMBINED]}.", file=str(path))


def _remarks(rows: Sequence[Row], kind: str) -> Iterator[str]:
    if kind == GUIDELINE:
        yield "complexity is the mean of points from 1 to 5, taken as (mean - 1) / 4"
        return
    beyond = [row.line for row in rows if row.score is not None and not 0 <= row.score <= 1]
    if beyond:
        lines = f"line{'s' * (len(beyond) > 1)} {first_of(beyond, SHOWN)}"
        yield f"{len(beyond)} complexity values are not from 0 to 1 ({lines}); they are taken as they are"


def stripped(row: Row) -> Row:
    """The row as the official script has it, which strips a line before it cuts it."""
    target = row.target if row.answers else row.target.rstrip()
    if target == row.target and not row.context[:1].isspace():
        return row
    return attrs.evolve(row, context=row.context.lstrip(), target=target)


def exact_key(row: Row) -> str:
    """How the official script joins gold and submission."""
    return f"{row.context}__{row.target}"


def loose_key(row: Row) -> str:
    """The same without what programs change in passing: spaces, quotation marks, composed or parted letters."""
    texts = (unicodedata.normalize("NFC", text).replace('"', "") for text in (row.context, row.target))
    return "__".join(" ".join(text.split()) for text in texts)


class Joined(NamedTuple):
    """Which gold row each row of a submission is about (by their places), and how many were found by the loose key."""

    places: dict[int, int]
    loose: int
    problems: list[Problem]


class GoldIndex:
    """Gold rows by their keys, each way of joining prepared once for all submissions."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.ids = all(row.id for row in rows)

    @cached_property
    def by_id(self) -> Mapping[str, list[int]]:
        """Places of rows by id."""
        return _places(row.id for row in self.rows)

    @cached_property
    def exact(self) -> Mapping[str, list[int]]:
        """Places of rows by context and target as they are written."""
        return _places(map(exact_key, self.rows))

    @cached_property
    def loose(self) -> Mapping[str, list[int]]:
        """The same by the loose key."""
        return _places(map(loose_key, self.rows))


def join(gold: GoldIndex, submitted: Sequence[Row], *, repeated: bool = False) -> Joined:
    """Find the gold row of each row of a submission: by id where both have ids, else by context and target.

    A word that stands twice in the gold is joined in the order of the file. ``repeated`` rows are taken, the last one
    counts, as the official script does it; otherwise they are a problem, as rows that the gold does not have.
    """
    by_id = gold.ids and all(row.id for row in submitted)
    taken: set[int] = set()
    found: dict[int, int] = {}
    problems: list[Problem] = []
    loose = 0
    for place, row in enumerate(submitted):
        options = gold.by_id.get(row.id, []) if by_id else gold.exact.get(exact_key(row), [])
        if not options and not by_id:
            options = gold.loose.get(loose_key(row), [])
            loose += bool(options)
        free = next((one for one in options if one not in taken), None)
        if not options or (free is None and not repeated):
            problems.append(_twice(row, by_id) if options else _unknown(row, by_id))
            continue
        found[place] = options[-1] if repeated or free is None else free
        taken.add(found[place])
    return Joined(found, loose, problems)


def _places(keys: Iterable[str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        found[key].append(place)
    return dict(found)


def _called(row: Row, by_id: bool) -> str:
    return repr(row.id) if by_id or not row.target else f"{row.target.strip()!r} in {shortened(row.context, 50)!r}"


def _unknown(row: Row, by_id: bool) -> Problem:
    what = f"the gold has no {_called(row, by_id)}"
    fix = "Copy ids from the task's file." if by_id else "Copy context and target from the task's file, sign by sign."
    return Problem(what=what, rule="unknown_row", fix=fix, value=row.id or row.target, file=row.file, line=row.line)


def _twice(row: Row, by_id: bool) -> Problem:
    what = f"{_called(row, by_id)} is there more often than in the gold"
    return Problem(
        what=what, rule="repeated_row", fix="Keep one line.", value=row.id or row.target, file=row.file, line=row.line
    )


def language_of(path: Path, row: Row) -> str:
    """The language of an instance: its own, else that of the file's name (``tsar2022_en_test_gold``); empty if none."""
    if row.language:
        return told(row.language)
    parts = [part for part in name_parts(path.stem) if part.lower() not in _WORDS_TOO]
    return next((told(part) for part in reversed(parts) if told(part)), "")


def name_parts(name: str) -> list[str]:
    """The parts of a name between underscores, hyphens, points and spaces."""
    return [part for part in re.split(r"[_\-. ]+", name) if part]


def told(part: str) -> str:
    """The code of a language that is told by code or name; empty for any other word."""
    code = language_code(part)
    return code if code in NAMES else ""


def files_in(place: Path) -> list[Path]:
    """A file, or all files of a folder and its folders, in the order of their names. Raises InputError for none."""
    if not place.is_dir():
        return [place]
    found = [path for path in _all_in(place) if path.suffix.lower() in ENDINGS]
    if not found:
        fix = f"Put files there that end in {', '.join(ENDINGS)}."
        raise wrong("the folder has no files to read", "file", fix, file=str(place))
    return found


def passed_over(place: Path) -> list[Path]:
    """The files of a folder that are not read, because of how their names end."""
    return [path for path in _all_in(place) if path.suffix.lower() not in ENDINGS] if place.is_dir() else []


def _all_in(place: Path) -> list[Path]:
    """Its files, and links that lead to none: what is behind them is not read, so that they have to be told."""
    found = sorted(path for path in place.rglob("*") if path.is_file() or path.is_symlink())
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(place).parts)]
