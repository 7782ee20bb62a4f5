"""How far annotators agree on edits: Table 2 of SALSA, and whether they found and judged the same edits.

``edits`` counts, ``stats`` computes; this is where the two meet. The percentages are the paper's: of the tokens that
have a label at all, those with exactly so many marks, each part cut to a whole number before parts are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs
import numpy as np

from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.selection import LABELS, Label, Selection, by_pair, select, usual_number
from rubrica.stats.agreement.kappas import fleiss_kappa, fleiss_kappas
from rubrica.stats.agreement.krippendorff_alpha import nominal_alpha
from rubrica.stats.agreement.tally import Units, tally_of
from rubrica.stats.bootstrap import Interval, Resampled, no_interval, sums_of, too_little
from rubrica.stats.statistic import Statistic

PAIRS = "pairs with the label"


@attrs.frozen
class LabelAgreement:
    """A row of Table 2. ``low`` and ``high`` are the ends of kappa's interval; ``tokens`` have the label at least once.

    ``three_agree`` and ``two_agree`` are whole per cents as the paper prints them, the shares the same without cutting.
    """

    label: Label
    kappa: Statistic
    alpha: Statistic
    interval: Interval
    three_agree: Statistic
    two_agree: Statistic
    three_share: Statistic
    two_share: Statistic
    tokens: int


@attrs.frozen
class SelectionAgreement:
    """Table 2: its rows, how many annotators each counted pair has, pairs and tokens counted, and what was left out."""

    rows: tuple[LabelAgreement, ...]
    annotators: int | None
    pairs: int
    tokens: int
    left_out: int
    skipped: Mapping[str, int]


def selection_agreement(
    pairs: Iterable[AnnotatedPair], *, annotators: int | None = None, replicates: int = 1000, seed: int = 0
) -> SelectionAgreement:
    """Agreement per token and label, over pairs that exactly ``annotators`` people annotated; default: three if any."""
    gathered = by_pair(pairs)
    wanted = annotators or usual_number(gathered)
    counted = [select(list(people.values())) for people in gathered.values() if len(people) == wanted]
    found = _kappa_intervals(counted, wanted or 0, replicates, seed)
    skipped = Counter[str]()
    for selection in counted:
        skipped.update(selection.skipped)
    return SelectionAgreement(
        rows=tuple(_label_agreement(label, counted, wanted, found[index]) for index, label in enumerate(LABELS)),
        annotators=wanted,
        pairs=len(counted),
        tokens=sum(selection.tokens for selection in counted),
        left_out=len(gathered) - len(counted),
        skipped=dict(skipped),
    )


def _row(selection: Selection) -> list[int]:
    """The sufficient statistics of a pair: for each label, tokens by how many annotators gave it."""
    return [count for label in LABELS for count in selection.labels[label.name].annotators]


def _kappa_intervals(counted: Sequence[Selection], annotators: int, replicates: int, seed: int) -> list[Interval]:
    """The interval of each label's kappa, all from the same resamples of pairs; pairs with the label bear on it."""
    if not counted:
        return [no_interval(too_little(0, replicates, PAIRS)) for _ in LABELS]
    rows = np.array([_row(selection) for selection in counted], dtype=float)
    sums = sums_of(rows, replicates, seed)[:2] if replicates else (rows[:0], rows[:0])
    patterns = tally_of(_units([1] * (annotators + 1)))
    by_label = (np.split(part, len(LABELS), axis=1) for part in (rows, *sums))
    found = []
    for own, drawn, left in zip(*by_label, strict=True):
        value = float(fleiss_kappas(patterns, own.sum(axis=0, keepdims=True))[0])
        bearing = int(own[:, 1:].any(axis=1).sum())
        resampled, left_out = (fleiss_kappas(patterns, part) for part in (drawn, left))
        found.append(Resampled(value, resampled, left_out, bearing, PAIRS).interval())
    return found


def _units(by_annotators: Sequence[int]) -> Units:
    """Tokens as units of two categories: how many annotators gave the label, and how many did not."""
    most = len(by_annotators) - 1
    return {(given, most - given): tokens for given, tokens in enumerate(by_annotators)}


def _label_agreement(
    label: Label, counted: Sequence[Selection], annotators: int | None, interval: Interval
) -> LabelAgreement:
    if annotators is None or not counted:
        nothing = Statistic(None, "no pair has so many annotators" if annotators else "no pair has two annotators")
        empty = Interval(nothing, nothing, 0)
        return LabelAgreement(label, nothing, nothing, empty, nothing, nothing, nothing, nothing, 0)
    counts = [selection.labels[label.name] for selection in counted]
    units = _units([sum(column) for column in zip(*(count.annotators for count in counts), strict=True)])
    marks = Counter[int]()
    for count in counts:
        marks.update(count.marks)
    three, two = (_agreeing(marks, least, annotators) for least in (3, 2))
    return LabelAgreement(
        label,
        kappa=fleiss_kappa(units),
        alpha=nominal_alpha(units),
        interval=interval,
        three_agree=three[0],
        two_agree=two[0],
        three_share=three[1],
        two_share=two[1],
        tokens=marks.total(),
    )


def _agreeing(marks: Counter[int], least: int, annotators: int) -> tuple[Statistic, Statistic]:
    """Tokens with at least so many marks, in whole per cents and as a share; more marks than annotators are neither."""
    if least > annotators:
        return (nothing := Statistic(None, f"there are only {annotators} annotators")), nothing
    total = marks.total()
    if not total:
        return (nothing := Statistic(None, "no token has this label")), nothing
    numbers = range(least, annotators + 1)
    whole = sum(100 * marks[number] // total for number in numbers)
    return Statistic(whole), Statistic(sum(marks[number] for number in numbers) / total)
