"""What a comparison of systems shows of each criterion: shares and means, each a sum divided by a sum over rewrites.

The figures are those of Table 3 of Zhang, Zhu, Brahma and Li, Small but Mighty: New Benchmarks for Split and Rephrase,
2020: for a scale the share of its highest mark and the mean, for a yes or no the share of the good answer, for a
verdict the share of ratings that reach it (*correct*) and of rewrites all of whose ratings reach it (*perfect*).
Choices have a share for each class; that of the good one is tested, or of two without a good one that of the second,
which makes no ranks. *Not applicable* is no answer: it is a share of its own, of all ratings.

Answers that a rule fixed count: an unchanged output does keep its meaning. Where a figure would be another one without
them, that one stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import CHOICE, CHOICES, SCALE, VERDICT, YES_NO, Criterion, Rating, Ratings, given

NO_SYSTEM = "(no system)"
"""How ratings without a system are named."""
TOP, MEAN, SHARE, NOT_ASKED, EVERY = "top", "mean", "share", "not_applicable", "every"
IDENTICAL, CONCERN, MISSED, UNNEEDED = "identical", "concern", "missed", "unneeded"
"""Figures. The last four are those of reviews in which a rewrite may be the same as its source."""
CHOSEN = "_chosen"
"""How figures end that leave out answers which a rule fixed."""
PERFECT = {"correct": "perfect"}
"""What a rewrite is called all of whose ratings have this verdict, where no protocol says it; else all and its name."""
LEAST = 2
"""How many ratings a rewrite needs to be perfect, where no protocol says it."""
REPEATED = ("concerning", "needs_rewriting_one")
"""Verdicts that say the same as a question beside them."""
REVIEW = "review"
ACCEPTANCE, SEVERITY, NEEDED = "acceptance", "severity", "needed"
"""Questions of reviews: whether a rewrite is taken (not applicable if it is the same), whether it was needed."""

Counted = tuple[float, float]
"""What is added above and below the line for one rewrite."""


@attrs.frozen
class Measure:
    """One figure: of which criterion, what (TOP, MEAN, …), of which answer, how it is counted for a rewrite.

    ``main`` figures are tested between systems, one for each criterion; ``sign`` is 1 where more is better and
    0 where that is not said: such figures have no ranks. ``per`` is what the figure is a share of: ratings or rewrites.
    """

    criterion: str
    figure: str
    title: str
    count: Callable[[Sequence[Rating]], Counted] = attrs.field(eq=False, repr=False)
    answer: str = ""
    percent: bool = True
    per: str = "ratings"
    main: bool = False
    sign: int = 0

    @property
    def id(self) -> str:
        """A name for columns and scripts."""
        return ".".join(part for part in (self.criterion, self.figure, self.answer) if part)

    @property
    def chosen(self) -> bool:
        """Whether answers that a rule fixed are left out."""
        return self.figure.endswith(CHOSEN)


def measures_of(ratings: Ratings) -> list[Measure]:
    """The figures of all criteria that can be counted, in their order; then those of a review, if it is one."""
    found: list[Measure] = []
    for criterion in ratings.criteria:
        measures = list(_of_criterion(criterion, ratings.counted))
        found += [*measures, *_without_fixed(ratings, criterion, measures)]
    return [*found, *_of_rewrites(ratings), *_of_review(ratings)]


def _without_fixed(ratings: Ratings, criterion: Criterion, measures: Iterable[Measure]) -> Iterator[Measure]:
    """The figures of a criterion without answers that a rule fixed, if that changes any for a system."""
    name = criterion.id
    if name not in ratings.fixed_answers:
        return
    systems: dict[tuple[str, str], list[Rating]] = {}
    for rating in ratings.counted_on(name):
        unit = ratings.units[rating.unit]
        systems.setdefault((unit.dataset, unit.system), []).append(rating)
    for measure in measures:
        if measure.figure == NOT_ASKED:
            continue
        count = _chosen(name, measure.count)
        if any(_ratio(measure.count(group)) != _ratio(count(group)) for group in systems.values()):
            title, figure = f"{measure.title}, without fixed answers", f"{measure.figure}{CHOSEN}"
            yield attrs.evolve(measure, figure=figure, title=title, count=count, main=False, sign=0)


def _ratio(counted: Counted) -> float | None:
    above, below = counted
    return above / below if below else None


def _chosen(name: str, count: Callable[[Sequence[Rating]], Counted]) -> Callable[[Sequence[Rating]], Counted]:
    return lambda group: count([rating for rating in group if name not in rating.fixed])


def _of_rewrites(ratings: Ratings) -> Iterator[Measure]:
    """Verdicts that all ratings of a rewrite decide: those of the protocol; without one, that all give the verdict."""
    by_id = {criterion.id: criterion for criterion in ratings.criteria if criterion.kind == VERDICT}
    if ratings.protocol is None:
        for name, criterion in by_id.items():
            if criterion.good == "yes":
                title = PERFECT.get(name, f"all {criterion.label}")
                yield Measure(name, EVERY, title, _together(name, EVERY, LEAST), per="rewrites", main=True, sign=1)
        return
    for verdict in ratings.protocol.verdicts:
        if verdict.of_item and verdict.counts in by_id:
            sign = int(by_id[verdict.counts].good == "yes")
            count = _together(verdict.counts, verdict.share, verdict.at_least)
            title = _words(verdict.id)
            yield Measure(verdict.counts, verdict.share, title, count, per="rewrites", main=True, sign=sign)


def _of_criterion(criterion: Criterion, counted: Iterable[Rating]) -> Iterator[Measure]:
    name = criterion.id
    if criterion.kind == SCALE:
        yield from _of_scale(criterion)
    elif criterion.kind in (YES_NO, VERDICT) and name not in REPEATED:
        yield from _of_yes_no(criterion)
    elif criterion.kind == CHOICE:
        for value in criterion.values:
            good = value == criterion.good
            main = good or (criterion.good is None and criterion.values.index(value) == 1 == len(criterion.values) - 1)
            title = f"{criterion.label}: {_words(value)}"
            yield Measure(name, SHARE, title, _is(name, value), str(value), main=main, sign=int(good))
    elif criterion.kind == CHOICES:
        for value in criterion.values:
            title = f"{criterion.label}: {_words(value)}"
            yield Measure(name, SHARE, title, _has(name, value), str(value))
    else:
        return
    if any(rating.answers.get(name) is NOT_APPLICABLE for rating in counted):
        title = f"{criterion.label}: not applicable"
        yield Measure(name, NOT_ASKED, title, _not_asked(name))


def _of_scale(criterion: Criterion) -> Iterator[Measure]:
    """The share of the highest mark, and the mean; labels in an order have no mean."""
    name, top = criterion.id, criterion.good
    if top is not None and criterion.values:
        main = not criterion.numeric
        yield Measure(name, TOP, f"{criterion.label} = {top}", _is(name, top), str(top), main=main, sign=int(main))
    if not criterion.numeric:
        return
    sign = 0 if top is None else 1
    yield Measure(name, MEAN, f"{criterion.label}, mean", _sum(name), percent=False, main=True, sign=sign)


def _of_yes_no(criterion: Criterion) -> Iterator[Measure]:
    name, label = criterion.id, criterion.label
    wanted = criterion.good if criterion.good is not None else criterion.values[-1]
    sign = 0 if criterion.good is None else 1
    title = f"no {label.lower()}" if wanted == "no" else label
    yield Measure(name, SHARE, title, _is(name, wanted), str(wanted), main=True, sign=sign)


def _of_review(ratings: Ratings) -> Iterator[Measure]:
    """Only where it is asked whether rewriting was needed and acceptance may be not applicable: BrevE and CLaro."""
    asked = {criterion.id for criterion in ratings.criteria}
    if not {ACCEPTANCE, NEEDED} <= asked:
        return
    yield Measure(REVIEW, IDENTICAL, "identical pairs", lambda group: (_same(group), 1), per="rewrites")
    if CONCERN in asked:
        yield Measure(REVIEW, CONCERN, "concern rate", _is(CONCERN, "yes"))
    yield Measure(REVIEW, MISSED, "misses (identical, but needed)", _when(True, "yes"))
    yield Measure(REVIEW, UNNEEDED, "unneeded rewrites", _when(False, "no"))


def of_review(measures: Sequence[Measure]) -> list[Measure]:
    """The figures of a review in their order; none if it is no review."""
    own = [measure for measure in measures if measure.criterion == REVIEW]
    asked = [measure for measure in measures if measure.criterion in (ACCEPTANCE, SEVERITY)]
    shown = [measure for measure in asked if measure.criterion == ACCEPTANCE or measure.figure == MEAN]
    return [*own[:1], *shown, *own[1:]] if own else []


def _same(group: Sequence[Rating]) -> bool:
    """Whether the rewrite is the same as its source: then there is nothing to accept."""
    return any(rating.answers.get(ACCEPTANCE) is NOT_APPLICABLE for rating in group)


def _when(same: bool, wanted: str) -> Callable[[Sequence[Rating]], Counted]:
    count = _is(NEEDED, wanted)
    return lambda group: count(group) if _same(group) == same else (0, 0)


def _is(name: str, wanted: Answer) -> Callable[[Sequence[Rating]], Counted]:
    """Ratings with this answer, of those with any."""

    def count(group: Sequence[Rating]) -> Counted:
        answers = _answers(group, name)
        return sum(answer == wanted for answer in answers), len(answers)

    return count


def _has(name: str, wanted: Answer) -> Callable[[Sequence[Rating]], Counted]:
    """Ratings whose several answers include this one, of those with any."""

    def count(group: Sequence[Rating]) -> Counted:
        answers = _answers(group, name)
        return sum(isinstance(answer, tuple) and wanted in answer for answer in answers), len(answers)

    return count


def _sum(name: str) -> Callable[[Sequence[Rating]], Counted]:
    def count(group: Sequence[Rating]) -> Counted:
        numbers = [answer for answer in _answers(group, name) if isinstance(answer, int | float)]
        return sum(numbers), len(numbers)

    return count


def _not_asked(name: str) -> Callable[[Sequence[Rating]], Counted]:
    def count(group: Sequence[Rating]) -> Counted:
        return sum(rating.answers.get(name) is NOT_APPLICABLE for rating in group), len(group)

    return count


def _together(name: str, share: str, least: int) -> Callable[[Sequence[Rating]], Counted]:
    """Whether every rating of a rewrite, most or any have the verdict; a rewrite with fewer ratings is left out."""

    def count(group: Sequence[Rating]) -> Counted:
        votes = [answer == "yes" for answer in _answers(group, name)]
        if len(votes) < max(1, least):
            return 0, 0
        needed = {EVERY: len(votes), "any": 1, "most": len(votes) // 2 + 1}[share]
        return sum(votes) >= needed, 1

    return count


def _answers(group: Sequence[Rating], name: str) -> list[Answer]:
    return [answer for rating in group if (answer := given(rating, name)) is not None]


def _words(value: Answer) -> str:
    return str(value).replace("_", " ")
