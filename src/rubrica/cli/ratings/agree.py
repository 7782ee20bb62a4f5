"""`rubrica agree`: how far raters agree, on any file of ratings or on a study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Bootstrap, choose
from rubrica.cli.output import print_json, track
from rubrica.cli.ratings.given import FixedOption, Given, takes_ratings
from rubrica.cli.tables import Format, print_tables
from rubrica.core.errors import wrong
from rubrica.core.human_rewrites import joined

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.report.agreement import Asked
    from rubrica.report.tables import Table

TITLES = {
    "pair": "Every two raters",
    "system": "Agreement by system",
    "dataset": "Agreement by data set",
    "group": "Agreement within and across groups",
    "kind": "Agreement within and across kinds of raters",
}


@takes_ratings
def agree(
    given: Given,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="alpha (default), fleiss, cohen, ac1, ac2, icc, percent, pearson, spearman, kendall, or all.",
        ),
    ] = None,
    per: Annotated[
        list[str] | None,
        typer.Option("--per", metavar="PART", help="Also per rater, pair, system, dataset, group (--group) or kind."),
    ] = None,
    disputed: Annotated[
        int, typer.Option("--disputed", metavar="N", min=0, help="Also the N most disputed units of each question.")
    ] = 0,
    bootstrap: Bootstrap = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Makes the intervals repeatable.")] = 0,
    over: Annotated[
        list[str] | None, typer.Option("--over", metavar="WHAT", help="What is resampled: units (default), raters.")
    ] = None,
    human: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="SYSTEM", help="Rewrites by people, left out beside metrics; none keeps them."),
    ] = None,
    fixed: FixedOption = False,
    form: Format = "text",
) -> None:
    """How far raters agree on each question: Krippendorff's alpha, kappas and more, each with an interval."""
    from rubrica.report.agreement import Asked
    from rubrica.report.agreement_parts import PARTS
    from rubrica.stats.agreement.measures import ALL, FAMILIES, MEASURES, RATERS, UNITS

    known = [*FAMILIES, *(name for name in MEASURES if name not in FAMILIES), ALL]
    names = _chosen(measure, known, "measure") or ["alpha"]
    if "item" in (per or []) or "unit" in (per or []):
        raise wrong("single units have no agreement of their own", "part", "Use --disputed N.", value="unit")
    parts = _chosen(per, list(PARTS), "part")
    drawn = _chosen(over, [UNITS, RATERS], "thing to resample") or [UNITS]
    asked = Asked(measures=tuple(names), replicates=bootstrap, seed=seed, over=tuple(sorted(drawn, reverse=True)))
    ratings = _comparable(given.read())
    found = _Found(given, ratings.with_fixed() if fixed else ratings, asked)
    found.agreement()
    for part in track(parts, "agreement of parts", len(parts)):
        found.part(part)
    if disputed:
        found.disputed(disputed)
    found.metrics(human or [], each="rater" in parts)
    if given.json:
        whole = found.signature(
            per="+".join(parts),
            group=given.group if "group" in parts else "",
            disputed=disputed or "",
            metrics=found.metric_names,
            human=joined(found.human),
        )
        print_json({**found.json, "fixed_left_out": found.ratings.fixed_answers, "signature": whole})
        return
    print_tables(found.tables, form)


def _comparable(ratings: Ratings) -> Ratings:
    """The ratings. Raises InputError if nothing in them can agree."""
    if any(criterion.comparable for criterion in ratings.criteria):
        return ratings
    edits = ratings.protocol is not None and ratings.protocol.edits is not None
    what = "its answers are edits" if edits else "its answers are free texts, which cannot be compared"
    fix = "Use rubrica edits agree." if edits else "Give ratings, choices or short answers."
    raise wrong(f"{ratings.name}: {what}", "question", fix, value=ratings.name)


def _chosen(values: list[str] | None, known: list[str], what: str) -> list[str]:
    """Values of an option that is repeated or a comma list; a measure's name may hold a comma in brackets."""
    from rubrica.exchange.rating_layout import names_in

    names = [name for value in values or [] for name in names_in(value, known)]
    return list(dict.fromkeys(choose(name, known, what) for name in names))


class _Found:
    """What was computed so far: rows for scripts, and tables for people."""

    def __init__(self, given: Given, ratings: Ratings, asked: Asked) -> None:
        self.given, self.ratings, self.asked = given, ratings, asked
        self.human: tuple[str, ...] = ()
        self.json: dict[str, Any] = {}
        self.tables: list[Table] = []

    def signature(self, **more: object) -> str:
        return self.ratings.sign_chosen(agree="questions", level=self.given.level, **self.asked.parts(), **more)

    @property
    def metric_names(self) -> str:
        return "+".join(metric.name for metric in self.ratings.metrics)

    def agreement(self) -> None:
        from rubrica.report.agreement import agreement_steps, agreement_table, fixed_left_out

        steps = agreement_steps(self.ratings, self.asked)
        rows = [step() for step in track(steps, "agreement", len(steps))]
        self.json["results"] = [row.as_json() for row in rows]
        fixed = f"{said} --fixed counts them." if (said := fixed_left_out(self.ratings)) else ""
        self.tables.append(agreement_table(rows, self.signature(), over=self.asked.over, fixed=fixed))

    def part(self, name: str) -> None:
        from rubrica.report import agreement_parts as parts
        from rubrica.report.agreement import agreement_table

        signed = self.signature(per=name, group=self.given.group if name == parts.GROUP else "")
        if name == parts.RATER:
            raters = parts.per_rater(self.ratings, self.asked)
            self.json["per_rater"] = [row.as_json() for row in raters]
            self.tables.append(parts.per_rater_table(raters, signed))
            return
        if name in (parts.SYSTEM, parts.DATASET):
            self._need(name)
        if name in (parts.GROUP, parts.KIND):
            rows = parts.per_group(self.ratings, self.asked, self._trait() if name == parts.GROUP else "")
        else:
            rows = {parts.PAIR: parts.per_pair, parts.SYSTEM: parts.per_system, parts.DATASET: parts.per_dataset}[name](
                self.ratings, self.asked
            )
        self.json[f"per_{name}"] = [{name: row.part, **row.as_json()} for row in rows]
        self.tables.append(agreement_table(rows, signed, part=name, title=TITLES[name]))

    def metrics(self, human: list[str], *, each: bool) -> None:
        """Metrics that are registered in a study, beside its people; nothing where there are none."""
        if not self.ratings.metrics:
            return
        self.human = self.ratings.human(human).left_out
        from rubrica.report.metrics_beside_people import beside_people, beside_table

        rows = beside_people(self.ratings, human=self.human, replicates=self.asked.replicates, seed=self.asked.seed)
        self.json["metrics"] = [line for row in rows for line in row.as_json()]
        signed = self.signature(per="metric", metrics=self.metric_names, human=joined(self.human))
        self.tables.append(beside_table(rows, signed, each=each))

    def _need(self, name: str) -> None:
        """Raises InputError where no unit says its system, or its data set."""
        what = {"system": "system", "dataset": "data set"}[name]
        if any(self.ratings.systems if name == "system" else self.ratings.datasets) or not self.ratings.counted:
            return
        fix = "Its items have none." if self.given.is_study and name == "system" else f"Add --{name} COLUMN."
        raise wrong(f"--per {name} needs to know the {what} of units", "option", fix, value=name)

    def _trait(self) -> str:
        if not self.given.group:
            raise wrong("--per group needs to know the groups", "option", "Add --group COLUMN.", value="group")
        return self.given.group

    def disputed(self, most: int) -> None:
        from rubrica.report.agreement_parts import disputed, disputed_table

        rows = disputed(self.ratings, most)
        self.json["disputed"] = [row.as_json() for row in rows]
        self.tables.append(disputed_table(rows, self.signature(disputed=most)))
