"""A lexical shared task: gold and submissions from files, joined, scored, and what differs from the scripts counted.

A submission may be a file or several (one a language, in a folder of its system). Everything that is wrong with any of
them is said at once. In files of several languages a system that answered nothing in one of them has no place there,
and none overall.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import numpy as np

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import first_of
from rubrica.exchange.lexical_files import (
    ENDINGS,
    LAYOUTS,
    GoldIndex,
    LexicalFile,
    Row,
    exact_key,
    files_in,
    join,
    language_of,
    name_parts,
    passed_over,
    read,
    read_so_far,
    stripped,
    told,
)
from rubrica.language.names import language_name
from rubrica.metrics import lexical_scores
from rubrica.metrics.lexical_scores import Gold, Rules, gold_answers, ranked, rows_of
from rubrica.report.leaderboard import Board, Choices, complexity_board, official_board, substitution_board
from rubrica.report.prose import counted
from rubrica.stats.statistic import Statistic

SHOWN = 5


@attrs.frozen
class Submission:
    """What a system handed in, joined with the gold: its row for each gold instance that it has one for."""

    name: str
    files: tuple[LexicalFile, ...]
    rows: Mapping[int, Row]
    loose: int = 0


@attrs.frozen(eq=False)
class Contest:
    """The gold instances with their languages, and the submissions to be scored."""

    gold: tuple[Row, ...]
    languages: tuple[str, ...]
    files: tuple[LexicalFile, ...]
    submissions: tuple[Submission, ...]
    broken: tuple[Problem, ...] = ()

    def last_gold(self, place: int, rules: Rules) -> Counter[str]:
        """What the official script holds an instance against: of the same context and target, the last row."""
        return self._last(rules)[exact_key(stripped(self.gold[place]))]

    @cache  # noqa: B019 (a contest lives as long as its command)
    def _last(self, rules: Rules) -> Mapping[str, Counter[str]]:
        return {exact_key(row): gold_answers(_gold(row), rules) for row in map(stripped, self.gold)}

    def places(self, language: str = "") -> list[int]:
        """The instances of a language, or all."""
        return [place for place, own in enumerate(self.languages) if not language or own == language]

    def several(self) -> list[str]:
        """The languages, where there are several."""
        found = list(dict.fromkeys(self.languages))
        return found if len(found) > 1 else []

    def entrants(self, language: str = "") -> list[Submission]:
        """Those that have answers in this language, or in all."""
        wanted = [language] if language else list(dict.fromkeys(self.languages))
        has = {one.name: {self.languages[place] for place in one.rows} for one in self.submissions}
        return [one for one in self.submissions if has[one.name].issuperset(wanted)]


class Difference(NamedTuple):
    """Something in which a score here differs from the official script's; ``system`` is empty if it is in the gold."""

    system: str
    kind: str
    instances: int
    text: str

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return self._asdict()


@attrs.frozen
class Scored:
    """The boards, overall first, then each language; and what differs from the official scripts."""

    boards: tuple[Board, ...]
    differences: tuple[Difference, ...]
    official: Mapping[str, Mapping[str, Statistic]]


def assemble(
    gold: Path,
    submissions: Sequence[Path],
    *,
    scores: bool,
    official: bool = False,
    gold_layout: str = "",
    layout: str = "",
    skip_broken: bool = False,
) -> Contest:
    """Read everything. Raises InputError with every problem of every file; ``skip_broken`` leaves those files out."""
    files = [read(path, scores=scores, layout=gold_layout) for path in files_in(gold)]
    rows = [(one, row) for one in files for row in one.rows]
    if not scores and not any(row.answers for _, row in rows):
        raise wrong("the gold has no substitutes", "gold", "Give the file with labels.", file=str(gold))
    known = [stripped(row) if official else row for _, row in rows]
    languages = tuple(language_of(one.path, row) or (one.path.stem if len(files) > 1 else "") for one, row in rows)
    index, found, problems = GoldIndex(known), [], []
    for name, paths in _systems(submissions, languages).items():
        own: list[LexicalFile] = []
        wrongs: list[Problem] = []
        for path in paths:
            try:
                file, broken = read_so_far(path, scores=scores, layout=layout)
            except InputError as error:
                wrongs += error.problems
            else:
                own.append(file)
                wrongs += broken
        made = _joined(name, own, wrongs, index, languages, scores=scores, official=official)
        if isinstance(made, Submission):
            found.append(made)
        else:
            problems += made
    if problems and not (skip_broken and found):
        raise InputError(*problems)
    return Contest(tuple(known), languages, tuple(files), tuple(found), tuple(problems))


def _joined(
    name: str,
    files: Sequence[LexicalFile],
    wrongs: Sequence[Problem],
    index: GoldIndex,
    languages: Sequence[str],
    *,
    scores: bool,
    official: bool,
) -> Submission | list[Problem]:
    """A submission, or what is wrong with it, ``wrongs`` of its lines included, in the order of files and lines."""
    rows = [stripped(row) if official else row for one in files for row in one.rows]
    joined = join(index, rows, repeated=official and not scores)
    problems = sorted([*wrongs, *joined.problems], key=lambda one: (one.file, one.line or 0))
    found = {gold_place: rows[place] for place, gold_place in joined.places.items()}
    if scores:
        tried = {languages[place] for place in found}
        gaps = [place for place, language in enumerate(languages) if place not in found and language in tried]
        missing = [index.rows[place].id or index.rows[place].target for place in gaps]
        if missing and not problems:
            what = f"{counted(len(missing), 'instance')} without a line: {first_of(missing, SHOWN)}"
            fix = "Predict every instance: a correlation has no place for a gap."
            problems.append(Problem(what=what, rule="missing_row", fix=fix, value=missing, file=str(files[0].path)))
    return problems or Submission(name, tuple(files), found, joined.loose)


def _systems(places: Sequence[Path], languages: Sequence[str]) -> dict[str, list[Path]]:
    """The files of each system by its name: those that differ in the language only belong together.

    Where a file is called as its language only, its folder is the system.
    """
    several = len(set(languages)) > 1
    named: list[tuple[str, str, Path]] = []
    for place in places:
        if not place.exists():
            fix = "Check the name and the folder."
            raise wrong("there is no such file or folder", "file", fix, file=str(place))
        for path in files_in(place):
            inside = path.relative_to(place).parts if place.is_dir() else (path.name,)
            base = _without_language(path.stem, set(languages)) if several else path.stem
            named.append((inside[0] if len(inside) > 1 else "" if base else path.parent.name, base, path))
    bases: dict[str, set[str]] = defaultdict(set)
    for top, base, _ in named:
        bases[top].add(base)
    found: dict[str, list[Path]] = defaultdict(list)
    for top, base, path in named:
        name = (top if len(bases[top]) == 1 or not base else f"{top}/{base}") if top else base or path.stem
        found[name].append(path)
    return dict(found) if several else dict(_apart(found))


def _apart(found: Mapping[str, Sequence[Path]]) -> Iterator[tuple[str, list[Path]]]:
    """Each file by itself; those of the same name are told apart by their folders."""
    for name, paths in found.items():
        for path in paths:
            yield (f"{path.parent.name}/{path.stem}" if len(paths) > 1 else name), [path]


def _without_language(stem: str, languages: set[str]) -> str:
    parts = [part for part in name_parts(stem) if told(part) not in languages]
    return "_".join(parts)


def score_complexity(contest: Contest, choices: Choices) -> Scored:
    """Boards of predicted complexity, overall and by language."""
    boards = []
    for language in ["", *contest.several()]:
        places = contest.places(language)
        gold = np.array([_score(contest.gold[place]) for place in places])
        own = {one.name: np.array([_score(one.rows[place]) for place in places]) for one in contest.entrants(language)}
        boards.append(complexity_board(gold, own, language, choices))
    differences = [*_loose(contest), *_absent(contest)]
    return Scored(tuple(boards), tuple(differences), {})


def _score(row: Row) -> float:
    assert row.score is not None, "files without scores are refused"
    return row.score


def score_substitutes(contest: Contest, rules: Rules, choices: Choices) -> Scored:
    """Boards of substitutes, overall and by language."""
    if rules.official:
        boards = [_official(contest, language, rules, choices) for language in ["", *contest.several()]]
        return Scored(tuple(boards), (*_unjoined(contest, rules), *_absent(contest)), {})
    golds = [gold_answers(_gold(row), rules) for row in contest.gold]
    boards = []
    for language in ["", *contest.several()]:
        places = [place for place in contest.places(language) if golds[place]]
        rows = {
            one.name: rows_of(
                [golds[place] for place in places],
                [ranked_answers(contest, one, place, rules) for place in places],
                rules,
            )
            for one in contest.entrants(language)
        }
        boards.append(substitution_board(rows, rules, language, choices, len(places)))
    theirs = attrs.evolve(rules, official=True)
    official = {one.name: _official_values(contest, one, "", theirs) for one in contest.entrants()}
    return Scored(tuple(boards), tuple(_differences(contest, golds, rules)), official)


def _gold(row: Row) -> Gold:
    return Gold(row.context, row.target, row.answers)


def ranked_answers(contest: Contest, one: Submission, place: int, rules: Rules) -> list[str]:
    """What a system gave for an instance, in its order, without repetitions and without the target."""
    row = one.rows.get(place)
    return ranked(contest.gold[place].target, row.answers, rules) if row else []


def _official(contest: Contest, language: str, rules: Rules, choices: Choices) -> Board:
    values = {one.name: _official_values(contest, one, language, rules) for one in contest.entrants(language)}
    return official_board(values, language, choices, len(contest.places(language)))


def _official_values(contest: Contest, one: Submission, language: str, rules: Rules) -> dict[str, Statistic]:
    """As the script: the rows of the submission only, in their order; of the same key the last one counts, in the
    place of the first."""
    rows = one.rows.items()
    kept = [(place, stripped(row)) for place, row in rows if not language or contest.languages[place] == language]
    golds = [contest.last_gold(place, rules) for place, _ in kept]
    answers = [ranked(row.target, row.answers, rules) for _, row in kept]
    stops = lexical_scores.stopped([exact_key(row) for _, row in kept], golds, answers)
    found = lexical_scores.values_of_substitution(rows_of(golds, answers, rules), rules)
    why = {name: stops.reason(name) for name in found}
    return {name: Statistic(None, why[name]) if why[name] else Statistic(value) for name, value in found.items()}


def _differences(contest: Contest, golds: Sequence[Counter[str]], rules: Rules) -> Iterator[Difference]:
    """What makes scores differ from the official script's, counted."""
    only = [place for place, gold in enumerate(golds) if not gold]
    if only:
        names = first_of([contest.gold[place].id or contest.gold[place].target.strip() for place in only], SHOWN)
        text = f"left out, since the only gold answer is the target: {counted(len(only), 'instance')} ({names})"
        yield Difference("", "target_only", len(only), text)
    padded = sum(row.target != row.target.strip() for row in contest.gold)
    if padded:
        text = f"{counted(padded, 'gold target')} with spaces around; answers are compared without these"
        yield Difference("", "padded_target", padded, text)
    empty = sum(not answer.strip() for row in contest.gold for answer in row.answers)
    if empty:
        yield Difference(
            "", "empty_answer", empty, f"{counted(empty, 'empty cell')} among the gold answers, taken for no answer"
        )
    for one in contest.submissions:
        tried = {contest.languages[place] for place in one.rows}
        missing = sum(
            place not in one.rows and language in tried and bool(golds[place])
            for place, language in enumerate(contest.languages)
        )
        if missing:
            text = f"{counted(missing, 'instance')} without a line, counted as not found"
            yield Difference(one.name, "missing_row", missing, text)
        repeats = sum(_repeats_target(contest.gold[place], row) for place, row in one.rows.items())
        if repeats:
            text = f"left out, since they are the target but for spaces or signs: {counted(repeats, 'answer')}"
            yield Difference(one.name, "padded_target", repeats, text)
    yield from _loose(contest)
    yield from _absent(contest)
    text = "micro recall is of the gold answers; the official script divides by the number of the system's answers"
    yield Difference("", "micro_recall", len(golds), text)


def _repeats_target(gold: Row, row: Row) -> int:
    careful, theirs = Rules(), Rules(official=True)
    target = careful.target(gold.target)
    if target == row.target and all(map(str.isascii, row.answers)):
        return 0
    return sum(careful.written(one) == target and theirs.written(one) != row.target for one in row.answers)


def _loose(contest: Contest) -> Iterator[Difference]:
    for one in contest.submissions:
        if one.loose:
            text = f"{counted(one.loose, 'line')} with other spaces, quotation marks or signs than in the gold"
            yield Difference(one.name, "loose_row", one.loose, text)


def _unjoined(contest: Contest, rules: Rules) -> Iterator[Difference]:
    """Lines that are scored although the official script would stop at them: it joins by what is written.

    That of MLSP takes quotation marks and spaces at the ends for nothing.
    """

    def key(row: Row) -> str:
        parts = (row.context, row.target)
        return "__".join(part.replace('"', "").strip() for part in parts) if rules.target_counts else exact_key(row)

    for one in contest.submissions:
        other = sum(
            not row.id and key(stripped(row)) != key(stripped(contest.gold[place])) for place, row in one.rows.items()
        )
        if other:
            text = f"{counted(other, 'line')} with other signs than in the gold; the official script stops (KeyError)"
            yield Difference(one.name, "loose_row", other, text)


def _absent(contest: Contest) -> Iterator[Difference]:
    for one in contest.submissions:
        has = {contest.languages[place] for place in one.rows}
        absent = [language for language in contest.several() if language not in has]
        if absent:
            text = f"no answers in {first_of([language_name(code) for code in absent], 10)}, so none overall"
            yield Difference(one.name, "no_language", len(absent), text)


def not_read(places: Iterable[Path]) -> Iterator[str]:
    """The files of folders that are no submissions by their names, in words: one may be somebody's."""
    for place in places:
        over = [str(path.relative_to(place)) for path in passed_over(place)]
        if over:
            name = f"{place}: {counted(len(over), 'file')} not read: {first_of(over, SHOWN)}"
            yield f"{name}; submissions end in {', '.join(ENDINGS)}"


def described(files: Iterable[LexicalFile]) -> Iterator[str]:
    """What was read, in words: the layout of each file, and what is worth knowing."""
    for one in files:
        yield f"{one.path}: {len(one.rows):,} instance{'s' * (len(one.rows) != 1)}; {LAYOUTS[one.layout]}"
        yield from (f"{one.path}: {remark}" for remark in one.remarks)
