"""What commands about ratings are given: a file of ratings and where they stand in it, or a study.

All these commands take the same argument and the same options; :func:`takes_ratings` adds them.

`--good`: which answer of a file is the good one, for commands that compare systems.

What a rating costs: as it was given, else as the study pays.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, Json, choose, find_study, input_file, is_study, listed, pairs, sharing
from rubrica.cli.output import say
from rubrica.core.errors import InputError, wrong

if TYPE_CHECKING:
    from rubrica.core.metric_values import MetricValues
    from rubrica.core.ratings import Ratings
    from rubrica.exchange.planted import Planted
    from rubrica.exchange.scores import SystemScore
    from rubrica.exchange.tables import Table
    from rubrica.report.crowd_reliability import Price


OF_FILES = ("unit", "rater", "values", "question", "scale", "missing", "repeated", "seconds")
"""Options that say how a file is to be read."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Given:
    """The argument and the options that all commands about ratings share. ``read`` makes ratings of them."""

    source: str
    unit: list[str]
    rater: str
    value: list[str]
    values: list[str]
    question: str
    system: str
    pair: list[str]
    dataset: str
    group: str
    seconds: str
    text: list[str]
    level: str
    scale: str
    missing: list[str]
    separator: str
    repeated: str
    exclude: list[str]
    protocol: str
    stage: str
    home: Path | None
    json: bool
    _tables: list[Table] = dataclasses.field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def table(self) -> Table | None:
        """The table of the file, where the ratings were read from one: it may hold other things, such as scores."""
        return self._tables[0] if self._tables else None

    def read(self, planted: Planted | None = None, *, verdicts: bool = False) -> Ratings:
        """The ratings of the file or study, without excluded raters. Raises InputError with every problem.

        ``planted`` are the columns of a table that mark its planted units. With ``verdicts`` a value may name what all
        judgements of an item decide (:meth:`item_verdicts`), which is no question.
        """
        import attrs

        self._check()
        ratings = self._study() if self.is_study else self._file(planted)
        if self.level:
            ratings = attrs.evolve(ratings, criteria=tuple(self._at_level(one) for one in ratings.criteria))
        if self.is_study:
            ratings = self._chosen(ratings, verdicts=verdicts)
        for remark in ratings.remarks:
            say(remark)
        return ratings.without(_all(self.exclude)) if self.exclude else ratings

    def _check(self) -> None:
        from rubrica.core.ratings import LEVELS
        from rubrica.exchange.ratings import REPEATED

        if self.level:
            choose(self.level, list(LEVELS), "level")
        if self.repeated:
            choose(self.repeated, list(REPEATED[1:]), "rule for repeated answers")

    def _at_level(self, criterion: Any) -> Any:
        import attrs

        return attrs.evolve(criterion, level=self.level) if criterion.comparable else criterion

    @property
    def is_study(self) -> bool:
        """Whether the source is a study and no file."""
        return is_study(self.source)

    def _study(self) -> Ratings:
        unused = [f"--{name}" for name in OF_FILES if getattr(self, name)]
        if unused:
            say(f"{', '.join(unused)}: not used, a study knows this itself")
        study = find_study(self.source, self.home)
        from rubrica.store.ratings import ratings_of

        return ratings_of(study, self.stage, self.dataset)

    def registered(self) -> tuple[MetricValues, ...]:
        """The metrics that are annotators of the study; none of a file."""
        if not self.is_study:
            return ()
        study = find_study(self.source, self.home)
        from rubrica.store.metric_annotators import values_of_metrics

        return tuple(values_of_metrics(study))

    def registered_scores(self) -> list[SystemScore]:
        """What those metrics give each system on each data set."""
        if not self.is_study:
            return []
        study = find_study(self.source, self.home)
        from rubrica.store.metric_annotators import scores_of_systems

        return scores_of_systems(study, self.dataset)

    def _file(self, planted: Planted | None) -> Ratings:
        """The file is parsed once, whatever it turns out to be."""
        from rubrica.exchange.judged_ratings import exported_protocol
        from rubrica.exchange.tables import first_json_line, read_table

        named = self.unit or self.rater or self.values
        with input_file(Path(self.source)) as path:
            assert path is not None
            line = None if named else first_json_line(path)
            if line and (protocol := exported_protocol(line, line)):
                return self._exported(path, protocol)
            table = read_table(path, whatever=bool(named))
            self._tables[:] = [table]
            first = None if named or line else next(iter(table.rows), None)
            if first and (protocol := exported_protocol(table.columns, first.values)):
                return self._exported(path, protocol, table)
            return self._table(table, planted)

    def _chosen(self, ratings: Ratings, *, verdicts: bool = False) -> Ratings:
        """Only the questions that are named, where questions are known: in a study and in an export."""
        import attrs

        if not self.value:
            return ratings
        others = self.item_verdicts(ratings) if verdicts else []
        wanted = [name for name in _all(self.value) if name not in others]
        return attrs.evolve(ratings, criteria=tuple(map(ratings.criterion, wanted)))

    def item_verdicts(self, ratings: Ratings) -> list[str]:
        """Those of the values that all judgements of an item decide together, such as *perfect*."""
        known = {one.id for one in ratings.protocol.verdicts if one.of_item} if ratings.protocol else set()
        return [name for name in _all(self.value) if name in known]

    def _exported(self, path: Path, name: str, table: Table | None = None) -> Ratings:
        """The judgements of an export, whose columns are known; ``table`` is what it was read as, if it was."""
        from rubrica.exchange.imports import read_records, records_of
        from rubrica.exchange.judged_ratings import answer_problems, ratings_of_records
        from rubrica.exchange.rating_problems import at_most
        from rubrica.protocols.catalog import find

        protocol = find(self.protocol or name).protocol.resolve({})
        records = records_of(table, protocol) if table else read_records(path, protocol)
        problems = answer_problems(path, records, protocol)
        if problems:
            raise InputError(*at_most(problems))
        judged = (record for _, record in records)
        return self._chosen(ratings_of_records(path, judged, protocol, stage=self.stage, dataset=self.dataset))

    def _table(self, table: Table, planted: Planted | None) -> Ratings:
        from rubrica.exchange.judged_ratings import text_columns, with_verdicts
        from rubrica.exchange.planted import missing_columns, with_planted
        from rubrica.exchange.rating_values import MISSING, Reading
        from rubrica.exchange.ratings import Layout, ratings_of_table
        from rubrica.protocols.catalog import find

        protocol = find(self.protocol).protocol.resolve({}) if self.protocol else None
        ruled = protocol is not None and any(rule.preset for rule in protocol.rules)
        fields = text_columns(table, protocol) if protocol and ruled else {}
        layout = Layout(
            unit=tuple(self.unit),
            rater=self.rater,
            value=tuple(self.value),
            question=self.question,
            values=tuple((one,) for one in self.values),
            system=self.system,
            source=tuple(self.pair),
            dataset=self.dataset,
            group=self.group,
            seconds=self.seconds,
            texts=(*self.text, *(column for column in fields.values() if column not in _all(self.text))),
        )
        points = listed(self.scale)
        twice = [point for point in dict.fromkeys(points) if points.count(point) > 1]
        if twice:
            raise wrong(f"the scale has {twice[0]!r} twice", "scale", "Name each answer once.", value=self.scale)
        missing = _all(self.missing) if self.missing else list(MISSING)
        reading = Reading(self.level, tuple(points), missing, self.separator)
        try:
            ratings = ratings_of_table(table, layout, reading, repeated=self.repeated, protocol=protocol)
        except InputError as error:
            raise InputError(*error.problems, *(missing_columns(table, planted) if planted else ())) from error
        ratings = with_verdicts(ratings, protocol, fields) if protocol else ratings
        return with_planted(ratings, table, planted, reading) if planted else ratings


def _all(values: list[str]) -> list[str]:
    return [part for value in values for part in listed(value)]


FixedOption = Annotated[
    bool, typer.Option("--fixed", help="Count answers that a rule of the protocol fixed, too (identical pairs).")
]
"""For commands that leave such answers out: nobody had to agree on them."""


def _shared(
    source: Annotated[
        str, typer.Argument(metavar="FILE|STUDY", help="A table of ratings, an export, or a study (study:NAME).")
    ],
    unit: Annotated[
        list[str] | None, typer.Option("--unit", metavar="COLUMN", help="What was rated; several make one name.")
    ] = None,
    rater: Annotated[str, typer.Option("--rater", metavar="COLUMN", help="Who rated it.")] = "",
    value: Annotated[
        list[str] | None, typer.Option("--value", metavar="COLUMN", help="The rating; several are several questions.")
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--values", metavar="COLUMNS", help="A column for each rater instead; again for each question."),
    ] = None,
    question: Annotated[
        str, typer.Option("--question", metavar="COLUMN", help="Which question a row answers, if rows do.")
    ] = "",
    system: Annotated[str, typer.Option("--system", metavar="COLUMN", help="Which system made it.")] = "",
    pair: Annotated[
        list[str] | None,
        typer.Option("--pair", metavar="COLUMN", help="The same for rewrites of one text (default: the unit's other)."),
    ] = None,
    dataset: Annotated[
        str, typer.Option("--dataset", metavar="COLUMN", help="Which data set it is from (a study: metadata).")
    ] = "",
    group: Annotated[
        str, typer.Option("--group", metavar="COLUMN", help="Which group the rater is of (a study: profile).")
    ] = "",
    seconds: Annotated[str, typer.Option("--seconds", metavar="COLUMN", help="Time on task in seconds.")] = "",
    text: Annotated[
        list[str] | None, typer.Option("--text", metavar="COLUMN", help="A text to be shown with the unit.")
    ] = None,
    level: Annotated[
        str,
        typer.Option("--level", metavar="LEVEL", help="nominal, ordinal, interval, ratio; of sets masi or jaccard."),
    ] = "",
    scale: Annotated[
        str, typer.Option("--scale", metavar="LOW,…,HIGH", help="The answers in order; others are refused.")
    ] = "",
    missing: Annotated[
        list[str] | None, typer.Option("--missing", metavar="WORD", help="Words for no answer (default NA, NaN, …).")
    ] = None,
    separator: Annotated[str, typer.Option("--separator", metavar="SIGN", help="What parts the answers of a set.")] = (
        ";"
    ),
    repeated: Annotated[
        str, typer.Option("--repeated", metavar="last|mean", help="Which of repeated ratings counts.")
    ] = "",
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="RATER", help="Leave out what these raters said.")
    ] = None,
    protocol: Annotated[
        str, typer.Option("--protocol", metavar="ID|FILE", help="Columns are named after its questions.")
    ] = "",
    stage: Annotated[str, typer.Option("--stage", metavar="ID", help="The stage of a study that is read.")] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """The options themselves; only their signature is used."""


def given_by(source: str, home: Path | None) -> Given:
    """A study or an export that is named beside other things, with every option as usual."""
    usual = {one.name: one.default for one in inspect.signature(_shared).parameters.values()}
    return Given(**usual | {name: [] for name in LISTS} | {"source": source, "home": home})


RatingsOption = Annotated[
    str, typer.Option("--ratings", metavar="FILE|STUDY", help="A table of ratings, an export, or a study (study:NAME).")
]


def takes_ratings(command: Callable[..., None]) -> Callable[..., None]:
    """Add the shared argument and options to a command, which gets them as its first argument, a :class:`Given`."""
    return _taking(command, list(inspect.signature(_shared, eval_str=True).parameters.values()))


def takes_ratings_option(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that is given two things: the ratings are the option ``--ratings``, no argument."""
    source, *others = inspect.signature(_shared, eval_str=True).parameters.values()
    return _taking(command, [source.replace(annotation=RatingsOption), *others])


def _taking(command: Callable[..., None], shared: list[inspect.Parameter]) -> Callable[..., None]:
    def made(**said: Any) -> Given:
        return Given(**said | {name: said[name] or [] for name in LISTS})

    return sharing(command, shared, made)


LISTS = ("unit", "value", "values", "pair", "text", "missing", "exclude")


GoodOption = Annotated[
    list[str] | None,
    typer.Option("--good", metavar="QUESTION=ANSWER", help="The answer of which more is better, of labels in a file."),
]


def read_with_good(given: Given, good: list[str] | None) -> Ratings:
    """The ratings, with the good answers that were named. Raises InputError with every problem."""
    from rubrica.report.comparison import with_good

    named = pairs(good or [], "--good")
    return with_good(given.read(), named)


PriceOption = Annotated[
    float | None, typer.Option("--price", metavar="X", min=0, help="What a rating costs (a study: as it pays).")
]
FeeOption = Annotated[
    float | None, typer.Option("--fee", metavar="PERCENT", min=0, help="The platform's percentage on top.")
]


def price_of_rating(ratings: Ratings, price: float | None, fee: float | None) -> Price | None:
    """As it was given, else as the study pays."""
    from rubrica.report.crowd_reliability import Price

    own = None
    if "study" in ratings.origin:
        from rubrica.store import studies
        from rubrica.store.money.costs import rating_price

        own = rating_price(studies.find(str(ratings.origin["study"])), str(ratings.origin["stage"]))
    if price is None and own is None:
        return None
    known = own or Price(rating=Decimal(0))
    return Price(
        rating=known.rating if price is None else Decimal(str(price)),
        fee_percent=known.fee_percent if fee is None else Decimal(str(fee)),
        currency=known.currency,
    )
