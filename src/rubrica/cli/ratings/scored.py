"""Scores that are to stand beside ratings: from a file, from the ratings' own table, or registered in a study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rubrica.cli.options import input_file, listed
from rubrica.cli.output import count, say
from rubrica.cli.ratings.given import Given
from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings, Unit
    from rubrica.exchange.scores import ScoreTable
    from rubrica.report.correlation import Scored


class Asked(NamedTuple):
    """What was asked for: a file, columns of scores, units and metrics' names, metrics of which less is better.

    ``human`` are systems that are left out, whose scores nobody misses.
    """

    file: str
    scores: Sequence[str]
    unit: Sequence[str]
    metric: str
    lower: Sequence[str]
    human: Sequence[str] = ()


def scored(given: Given, ratings: Ratings, rated: Sequence[Unit], asked: Asked) -> Scored:
    """The scores of the units that were rated. Says how they were joined; raises InputError if nothing was."""
    if not asked.file and ratings.metrics:
        found = _registered(ratings, rated, asked.scores)
    else:
        found = _from_table(given, ratings, rated, asked)
    _say_gaps(found, rated, asked.human)
    _refuse_unknown(asked.lower, found.metrics, "there is no metric {!r}", f"Metrics: {', '.join(found.metrics)}.")
    return found._replace(lower=found.lower | frozenset(asked.lower))


def score_problems(given: Given, asked: Asked) -> tuple[Problem, ...]:
    """What is wrong with the file of scores, so that it can be said together with what is wrong with the ratings."""
    if not asked.file or asked.file == given.source:
        return ()
    try:
        _table(given, asked)
    except InputError as error:
        return error.problems
    return ()


def _refuse_unknown(wanted: Sequence[str], known: Sequence[str], what: str, fix: str) -> None:
    """Raises InputError with every name that is not known; ``what`` has a place for the name."""
    problems = [
        Problem(what=what.format(name), rule="metric", fix=fix, value=name) for name in wanted if name not in known
    ]
    if problems:
        raise InputError(*problems)


def _registered(ratings: Ratings, rated: Sequence[Unit], wanted: Sequence[str]) -> Scored:
    """Metrics that are annotators of the study; those that are wanted, or all."""
    from rubrica.report.correlation import registered_scores

    names = [one.name for one in ratings.metrics]
    fix = f"Registered: {', '.join(names)}; scores of others need --scores FILE."
    _refuse_unknown(wanted, names, "no metric {!r} is registered", fix)
    found = registered_scores(ratings, rated, wanted)
    if not found.joined.scores:
        fix = "Register them again: rubrica score STUDY --register; or give --scores FILE."
        raise wrong("no registered metric has a score of what was rated", "join", fix)
    return found


def _from_table(given: Given, ratings: Ratings, rated: Sequence[Unit], asked: Asked) -> Scored:
    from rubrica.exchange.score_units import join_scores
    from rubrica.report.correlation import Scored, lower_is_better

    table = _table(given, asked)
    own = [part for value in given.unit for part in listed(value)]
    joined = join_scores(ratings, table, rated, own, asked.unit, same=not asked.file)
    if joined.unrated:
        rows = count(len(table.rows), "row")
        say(f"of {rows} of scores, {joined.unrated:,} belong to nothing that was rated, first in line {joined.stray}")
    return Scored(table.metrics, joined, lower_is_better(table.metrics), f"{Path(table.file).name}@{table.digest}")


def _table(given: Given, asked: Asked) -> ScoreTable:
    from rubrica.exchange.scores import sentence_scores
    from rubrica.exchange.tables import read_table

    named = given.unit or given.values or asked.scores
    if not asked.file and (given.is_study or given.source.endswith(".json") or not named):
        fix = "Give them: --scores FILE, such as what rubrica score --per-sentence FILE wrote."
        raise wrong("there are no scores to correlate with", "scores", fix)
    taken = [*_listed(given.unit), *([] if asked.file else _columns(given))]
    own = None if asked.file else given.table
    if own is not None:
        return sentence_scores(own, wanted=asked.scores, metric=asked.metric, unit=asked.unit, taken=taken)
    with input_file(Path(asked.file or given.source)) as path:
        assert path is not None
        table = read_table(path)
        return sentence_scores(table, wanted=asked.scores, metric=asked.metric, unit=asked.unit, taken=taken)


def _listed(values: Sequence[str]) -> list[str]:
    return [part for value in values for part in listed(value)]


def _columns(given: Given) -> list[str]:
    """Columns of the ratings that are named for something else than scores."""
    several = (given.value, given.values, given.pair, given.text)
    single = [given.rater, given.question, given.system, given.dataset, given.group, given.seconds]
    return [*(column for columns in several for column in _listed(columns)), *filter(None, single)]


def _say_gaps(found: Scored, rated: Sequence[Unit], human: Sequence[str]) -> None:
    """How scores and units were joined, and which have none; of systems that are left out nobody misses any."""
    by = f"joined by {', '.join(found.joined.columns)}" if found.joined.columns else "scores"
    say(f"{by}: {len(rated) - found.joined.unscored:,} of {len(rated):,} rated units")
    wanted = [unit for unit in rated if unit.system not in human]
    missing = [unit for unit in wanted if unit.key not in found.joined.scores]
    if missing:
        there = {unit.system for unit in wanted if unit.key in found.joined.scores}
        whole = dict.fromkeys(unit.system for unit in missing if unit.system and unit.system not in there)
        systems = f"; {', '.join(whole)}: nothing is scored" if whole else ""
        say(f"{count(len(missing), 'rated unit')} without a score, such as {missing[0].key!r}{systems}")
    for name in found.metrics:
        gaps = sum(name not in own for own in found.joined.scores.values())
        if gaps:
            say(f"{name}: {gaps:,} of them without a score")
