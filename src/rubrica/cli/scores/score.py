"""`rubrica score`: metrics of one system or many, with intervals and tests, to be read beside people's judgements.

Metrics as annotators of a study: put beside its people, and taken away again.
"""

from __future__ import annotations

import csv
import math
import os
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rubrica.cli.options import FORCED, Home, Json, chosen_home, find_study, listed, now, pairs
from rubrica.cli.output import count, output_stream, print_json, progress, say
from rubrica.cli.scores import options as given
from rubrica.cli.scores.corpora import Pipes, Texts
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.exchange.whole_files import Encoded

if TYPE_CHECKING:
    from rubrica.exchange.corpus import Corpus, SentenceCorpus
    from rubrica.metrics.metric import Metric, Options
    from rubrica.metrics.results import Score, Scores, SentenceScores
    from rubrica.metrics.scoring import Scorer
    from rubrica.report.scored_corpus import Place


STDOUT = Path("-")
LARGE = 20_000
"""From so many sentences on, all cores are used, and finished blocks are kept until the end."""
WIDE = 8
"""Up to so many figures are columns, more are rows."""
LONG = 40
"""More rows of tests than this are not printed on a terminal."""


def score(
    study: given.StudyName = "",
    source: given.Source = None,
    rewrite: given.Rewrites = None,
    references: given.References = None,
    test_set: given.TestSet = "",
    table: given.TableFile = None,
    columns: given.Columns = None,
    dataset: given.Dataset = "",
    human: given.Human = None,
    metrics: given.Metrics = "",
    uneven: given.Uneven = False,
    allow_empty: given.AllowEmpty = False,
    lowercase: given.Lowercase = None,
    tokenizer: given.Tokenizer = "",
    smoothing: given.Smoothing = "",
    deletion: given.Deletion = "f1",
    averaging: given.Averaging = "orders",
    language: given.Language = "en",
    parser: given.Parser = "",
    model: given.Models = None,
    lens_python: given.LensPython = "",
    bootstrap: given.Bootstrap = 1000,
    seed: given.Seed = 0,
    per_sentence: given.PerSentence = None,
    per_system: given.PerSystem = None,
    report: given.ReportFolder = None,
    charts: given.Charts = None,
    force: given.Force = False,
    register: given.Register = False,
    unregister: given.Unregister = "",
    workers: given.Workers = 0,
    cluster: given.Cluster = "",
    fresh: given.Fresh = False,
    home: Home = None,
    json: Json = False,
    form: Format = "text",
) -> None:
    """Automatic metrics of systems, with intervals and tests.

    From files, one sentence a line: --source S --rewrite SYSTEM.txt --references R0 --references R1; from a table:
    --table FILE --map rewrite=COLUMN; or the rewrites of a study. A metric alone misleads: see `rubrica correlate`.
    """
    from rubrica.metrics.metric import Options
    from rubrica.metrics.scoring import Resampling, Scorer

    check_form(form)
    if register and not study:
        raise wrong("only metrics of a study can be registered", "register", "Name the study.")
    if unregister:
        remove(study, unregister, home, json)
        return
    options = Options(
        tokenizer or None,
        lowercase,
        smoothing or None,
        deletion,
        averaging,
        language,
        parser,
        models=pairs(model or [], "--model"),
        lens_python=lens_python,
    )
    _one_stdout(json, per_sentence, per_system)
    with Pipes() as pipes:
        texts = Texts(
            study=study,
            source=source,
            rewrites=rewrite or [],
            references=references or [],
            test_set=test_set,
            table=table,
            columns=columns or [],
            dataset=dataset,
            human=human or [],
            uneven=uneven,
            allow_empty=allow_empty,
            home=home,
            pipes=pipes,
        )
        corpus, chosen = _read(texts, listed(metrics), options)
        scorer = Scorer(chosen, Resampling(bootstrap, seed))
        place = _place(corpus, workers, cluster, home, fresh)
        outputs = _Outputs(per_sentence, report, force, study if register else "", options)
        scores = outputs.scored(corpus, scorer, place, charts)
    if per_system:
        outputs.files.append(_write_systems(scores, per_system))
    if json:
        print_json(_as_json(scores, outputs))
        return
    if STDOUT in (per_sentence, per_system):
        say(scores.signature)
    else:
        _print(scores, form)
    for file in outputs.files:
        if file != str(STDOUT):
            say(file)


def _one_stdout(json: bool, *files: Path | None) -> None:
    """Only one thing can be printed: the object of --json, or one of the files."""
    if files.count(STDOUT) + json > 1:
        raise wrong("two things would be mixed on stdout", "option", "Name a file instead of -.", value=str(STDOUT))


class _Read(NamedTuple):
    """What is to be scored, and with which metrics."""

    corpus: Corpus
    metrics: list[Metric]


def _read(texts: Texts, names: list[str], options: Options) -> _Read:
    """The texts and the metrics, by name or the usual ones. Raises InputError with all that is wrong with either.

    Where some sentences have references, the usual metrics need them for all.
    """
    from rubrica.metrics.catalog import metrics_of, usual

    problems: list[Problem] = []
    wanted: list[Metric] = []
    try:
        wanted = metrics_of(names, options)
    except InputError as error:
        problems += error.problems
    try:
        corpus = texts.read()
    except InputError as error:
        raise InputError(*problems, *error.problems) from error
    if problems:
        raise InputError(*problems)
    known = usual(options.language, corpus.has_sources, corpus.references[1] > 0 and not corpus.by_people)
    chosen = wanted or metrics_of(known, options)
    texts.check(corpus, chosen)
    return _Read(corpus, chosen)


def _write_systems(scores: Scores, path: Path) -> str:
    """A row for each system and a column for each figure, with every digit; first by data set, then of all of them."""
    with output_stream(str(path)) as stream:
        table = csv.writer(Encoded(stream), lineterminator="\n")
        keys = [figure.key for figure in scores.figures]
        named = ["dataset"] if scores.datasets else []
        table.writerow([*named, "system", *keys, "signature"])
        for dataset, part in (*scores.datasets.items(), ("", scores)):
            first = [dataset] if scores.datasets else []
            for system in part.systems:
                table.writerow([*first, system.name, *(system.scores[key].value.value for key in keys), part.signature])
    return str(path)


def _print(scores: Scores, form: str) -> None:
    """Tables of figures and tests; on a terminal without tests of parts, and without any if they were too many."""
    import attrs

    from rubrica.report.system_comparison_tables import differences_table, figures_table, systems_table

    main = {figure.key for figure in scores.figures if not figure.part}

    def shown(one: Scores) -> Scores:
        tests = (test for test in one.differences if form != "text" or test.figure in main)
        parts = {name: shown(part) for name, part in one.datasets.items()}
        return attrs.evolve(one, differences=tuple(tests), datasets=parts)

    tables = [systems_table(scores) if len(scores.figures) <= WIDE else figures_table(scores)]
    tests = differences_table(shown(scores))
    if tests.rows and (form != "text" or len(tests.rows) <= LONG):
        tables.append(tests)
    print_tables(tables, form)
    if len(tables) == 1 and tests.rows:
        say(f"{len(tests.rows)} tests between systems are in --json, --format csv and --report")


def _place(corpus: Corpus, workers: int, cluster: str, home: Path | None, fresh: bool) -> Place:
    """All cores and kept blocks for large corpora; one process for small ones, which end sooner than others start."""
    from rubrica.report.scored_corpus import Place

    large = corpus.sentences >= LARGE
    unfinished = chosen_home(home) / "unfinished" if large else None
    cores = len(os.sched_getaffinity(0)) if large else 1
    return Place(workers=workers or cores, cluster=cluster, unfinished=unfinished, fresh=fresh)


class _Outputs:
    """What is made besides the scores: a file of sentences, a page, numbers in a study."""

    def __init__(
        self, per_sentence: Path | None, report: Path | None, force: bool, registered: str, options: Options
    ) -> None:
        from rubrica.exchange.scores import check_format
        from rubrica.report.folder import check_place

        self.per_sentence, self.report, self.force, self.study = per_sentence, report, force, registered
        self.options = options
        self.files: list[str] = []
        self.registered: list[dict[str, Any]] = []
        if per_sentence and per_sentence != STDOUT:
            check_format(per_sentence)
        if report:
            check_place(report, force)

    def scored(self, corpus: Corpus, scorer: Scorer, place: Place, charts: bool | None) -> Scores:
        """The scores, with everything written that was asked for; nothing is written if anything goes wrong."""
        import attrs

        from rubrica.exchange.corpus import SentenceCorpus
        from rubrica.exchange.scores import sentence_writer
        from rubrica.report.scored_corpus import Watcher, score_corpus
        from rubrica.report.system_comparison import Choices, write_comparison

        choices = Choices(language=self.options.language, charts=charts, force=self.force, seed=scorer.resampling.seed)
        choice, collected = choices.choice(), Collected()
        scorer = attrs.evolve(scorer, each_row=bool(self.study))
        watchers: list[Watcher] = [choice.add] if self.report else []
        watchers += [collected.add] if self.study else []
        with ExitStack() as files:
            if self.per_sentence:
                stream = files.enter_context(output_stream(str(self.per_sentence)))
                named = any(corpus.datasets)
                watchers.append(sentence_writer(Encoded(stream), self.per_sentence, scorer.figures, datasets=named))
                self.files.append(str(self.per_sentence))
            with progress("Scoring", corpus.sentences) as tell:
                scores = score_corpus(corpus, scorer, place, watchers, tell, say)
            if self.study:
                assert isinstance(corpus, SentenceCorpus)
                self.registered = collected.register(self.study, scorer.metrics, self.options, corpus)
        if self.report:
            written = write_comparison(self.report, scores, choice.chosen(), now(), choices)
            self.files += [str(self.report / name) for name in written if name.endswith(".html")]
        return scores


def _as_json(scores: Scores, outputs: _Outputs) -> dict[str, Any]:
    """Figures by system, of all and of each data set; what was left out of references, and by whom."""
    people = {"human": list(scores.human)}
    counts = {
        name: {one.name: getattr(one, name) for one in scores.systems if getattr(one, name)}
        for name in ("left_out", "unreferenced")
    }
    parts = {name: {**_figures(part), "signature": part.signature} for name, part in scores.datasets.items()}
    more = {"datasets": parts, "files": outputs.files, "registered": outputs.registered}
    found = {**_figures(scores), "references": people | counts, "signature": scores.signature}
    return found | {name: value for name, value in more.items() if value}


def _figures(scores: Scores) -> dict[str, Any]:
    """Intervals and tests stand apart, so that scripts find numbers where they expect them."""
    from rubrica.stats.bootstrap import NO_RESAMPLES
    from rubrica.stats.statistic import bounds

    systems = {
        one.name: {"sentences": one.sentences, **{key: found.value.as_json() for key, found in one.scores.items()}}
        for one in scores.systems
    }
    intervals = {
        one.name: {key: _ends(found) for key, found in one.scores.items() if found.low.reason != NO_RESAMPLES}
        for one in scores.systems
    }
    tests = [
        {
            "metric": one.figure,
            "systems": [one.one, one.other],
            "difference": one.difference.value.as_json(),
            **_ends(one.difference),
            "p_bootstrap": one.p_bootstrap.as_json(),
            "p_permutation": one.p_permutation.as_json(),
            "p_holm": one.p_holm.as_json(),
            "at_most": bounds(
                {"p_bootstrap": one.p_bootstrap, "p_permutation": one.p_permutation, "p_holm": one.p_holm}
            ),
        }
        for one in scores.differences
    ]
    return {"systems": systems, "intervals": intervals, "tests": tests}


def _ends(score: Score) -> dict[str, Any]:
    return {"low": score.low.as_json(), "high": score.high.as_json()}


class Collected:
    """The figures of every item of a study, by figure and item, as blocks pass by."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, float | None]] = defaultdict(dict)
        self.rows: dict[int, dict[str, list[float]]] = defaultdict(dict)

    def add(self, scored: SentenceScores) -> None:
        """Take the figures of a block."""
        for system, rows in scored.systems.items():
            for place, (key, row) in enumerate(zip(scored.block.keys[system], rows, strict=True)):
                if not key:
                    continue
                for number, own in enumerate(scored.rows[system]):
                    self.rows[number][key] = own[place].tolist()
                for figure, value in zip(scored.figures, map(float, row), strict=True):
                    self.values[figure.key][key] = None if math.isnan(value) else value

    def register(
        self, study: str, metrics: Sequence[Metric], options: Options, corpus: SentenceCorpus
    ) -> list[dict[str, Any]]:
        """Register the figures of the metrics, parts left out, each with the settings that made it; all or none."""
        from rubrica.metrics.catalog import Counts, Measured
        from rubrica.metrics.scoring import settings_of
        from rubrica.store import studies
        from rubrica.store.metric_annotators import register_all

        left_out = {own.id: own.left_out for one in corpus.entries for own in one.rewrites.values()}
        measured = [
            Measured(
                figure,
                settings_of(metric, corpus.called_human if metric.needs_references else ()),
                self.values[figure.key],
                Counts(metric.name, options.chosen(), self.rows[number], left_out if metric.needs_references else {}),
            )
            for number, metric in enumerate(metrics)
            for figure in metric.figures
            if not figure.part
        ]
        done = register_all(studies.find(study.removeprefix(FORCED)), measured, now())
        for found in done:
            say(f"{found.name}: {found.state}, {count(found.items, 'item')}")
        return [found._asdict() for found in done]


def remove(study: str, name: str, home: Path | None, as_json: bool) -> None:
    """Remove a registered metric from a study."""
    from rubrica.core.signature import signature

    if not study:
        raise wrong("no study is named", "register", "Name the study whose metric is to be removed.")
    row = find_study(study, home)
    from rubrica.store.metric_annotators import unregister

    found = unregister(row, name, now())
    if as_json:
        print_json({"removed": {"name": found.name, "items": found.items}, "signature": signature({"study": study})})
        return
    say(f"{found.name}: removed, {count(found.items, 'item')}")
