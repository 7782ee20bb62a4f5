"""`rubrica edits agree`: how far annotators agree on which words were edited, how, and how well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.edits.given import Given, Offsets, ProtocolOption, Sources, StageOption, read_given
from rubrica.cli.options import Bootstrap, Home, Json
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.core.errors import wrong
from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubrica.edits.annotated import AnnotatedPair
    from rubrica.report.edit_agreement import (
        ErrorAgreement,
        JudgedAlike,
        LabelAgreement,
        SelectionAgreement,
        SpanAgreement,
    )
    from rubrica.stats.bootstrap import Interval


def agree(
    sources: Sources,
    annotators: Annotated[
        int,
        typer.Option("--annotators", metavar="N", min=0, help="Count pairs that exactly N people annotated."),
    ] = 0,
    overlap: Annotated[
        float,
        typer.Option("--overlap", metavar="SHARE", min=0.01, max=1.0, help="Edits that share this much are the same."),
    ] = 0.5,
    bootstrap: Bootstrap = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes the intervals repeatable.")] = 0,
    stage: StageOption = "",
    protocol: ProtocolOption = "",
    offsets: Offsets = "utf16",
    home: Home = None,
    json: Json = False,
) -> None:
    """Agreement per token as SALSA's Table 2 has it, span-level F1, and agreement on types and ratings."""
    from rubrica.report.edit_agreement import selection_agreement, span_agreement

    if annotators == 1:
        raise wrong("one annotator agrees with nobody", "option", "Give 2 or more.", value=annotators)
    given = read_given(sources, home, offsets, protocol)
    pairs = given.stage(stage, first=True)
    _say_odd(pairs)
    table = selection_agreement(pairs, annotators=annotators or None, replicates=bootstrap, seed=seed)
    spans = span_agreement(pairs, least=overlap, replicates=bootstrap, seed=seed)
    judged = _Judged(given, stage, overlap, table.annotators)
    signed = given.sign(
        pairs[0].stage, edits="agree", annotators=table.annotators, bootstrap=bootstrap, overlap=overlap, seed=seed
    )
    if json:
        print_json({**_as_json(table), **_spans_as_json(spans, overlap), **judged.as_json(), "signature": signed})
        return
    _print(table)
    _print_spans(spans, overlap)
    judged.print()


def _say_odd(pairs: Sequence[AnnotatedPair]) -> None:
    from rubrica.edits.annotated import outside
    from rubrica.edits.selection import by_pair, cut_spans

    for number, what in (
        (outside(pairs), "outside the text"),
        (cut_spans(pairs), "beginning or ending within a token, which does not count as marked"),
    ):
        if number:
            say(f"{count(number, 'span')} {what}")
    repeated = len(pairs) - sum(map(len, by_pair(pairs).values()))
    if repeated:
        say(f"{count(repeated, 'annotation')} of a pair that the same person had annotated already left out")


class _Judged:
    """Agreement on types, ratings and errors: at the last stage, where they are asked."""

    def __init__(self, given: Given, stage: str, overlap: float, annotators: int | None) -> None:
        from rubrica.report.edit_agreement import error_agreement, matched_edits, rating_agreement, type_agreement

        last = [pair for pair in given.pairs if pair.stage == (stage or given.pairs[-1].stage)]
        matches = matched_edits(last, overlap)
        self.types: JudgedAlike = type_agreement(matches, given.typology)
        self.ratings: JudgedAlike = rating_agreement(matches, given.typology)
        self.errors: list[ErrorAgreement] = error_agreement(last, given.typology, annotators) if annotators else []

    def as_json(self) -> dict[str, Any]:
        return {
            "matched": {
                "types": _alike(self.types),
                "ratings": {**_alike(self.ratings), "difference": self.ratings.difference.as_json()},
            },
            "error_types": [
                {
                    "type": row.name,
                    "kappa": row.kappa.as_json(),
                    "two_agree": row.two_agree.as_json(),
                    "frequency": row.frequency.as_json(),
                }
                for row in self.errors
            ],
        }

    def print(self) -> None:
        for what, found in (("type", self.types), ("rating", self.ratings)):
            if found.matched:
                share, alpha = _shown(found.share, ".1%"), _shown(found.alpha)
                print(f"same {what}: {share} of {count(found.matched, 'matched edit')}, alpha {alpha}")
        seen = [row for row in self.errors if row.frequency.value]
        if seen:
            print()
            print_table(
                ["error in the rewrite", "kappa", "two agree", "frequency"],
                [
                    (row.name, _shown(row.kappa), _shown(row.two_agree, ".0%"), _shown(row.frequency, ".0%"))
                    for row in seen
                ],
            )


def _alike(found: JudgedAlike) -> dict[str, Any]:
    return {"edits": found.matched, "share": found.share.as_json(), "alpha": found.alpha.as_json()}


def _as_json(table: SelectionAgreement) -> dict[str, Any]:
    return {
        "annotators": Statistic(table.annotators, "no pair has two annotators").as_json(),
        "pairs": table.pairs,
        "left_out": table.left_out,
        "tokens": table.tokens,
        "results": [_row_as_json(row) for row in table.rows],
        "skipped": dict(table.skipped),
    }


def _row_as_json(row: LabelAgreement) -> dict[str, Any]:
    return {
        "label": row.label.name,
        "edit": row.label.edit,
        "subtype": row.label.subtype,
        "kappa": row.kappa.as_json(),
        "alpha": row.alpha.as_json(),
        "three_agree": row.three_agree.as_json(),
        "two_agree": row.two_agree.as_json(),
        "low": row.interval.low.as_json(),
        "high": row.interval.high.as_json(),
        "three_share": row.three_share.as_json(),
        "two_share": row.two_share.as_json(),
        "tokens": row.tokens,
    }


def _spans_as_json(spans: SpanAgreement, overlap: float) -> dict[str, Any]:
    from rubrica.report.edit_agreement import exact_f1, overlapping_f1

    found = (("exact", spans.exact, spans.exact_interval), ("overlap", spans.overlapping, spans.overlapping_interval))
    return {
        "spans": {
            **{
                name: {"f1": f1.as_json(), "low": interval.low.as_json(), "high": interval.high.as_json()}
                for name, f1, interval in found
            },
            "least_overlap": overlap,
            "pairs": spans.pairs,
            "annotators": [
                {
                    "annotators": list(people),
                    "edits": counted.edits,
                    "exact": exact_f1(counted).as_json(),
                    "overlap": overlapping_f1(counted).as_json(),
                }
                for people, counted in sorted(spans.by_annotators.items())
            ],
        }
    }


def _shown(statistic: Statistic, form: str = ".2f") -> str:
    return "-" if statistic.value is None else format(statistic.value, form)


def _ends(interval: Interval) -> str:
    return "-" if interval.low.value is None else f"{_shown(interval.low)} to {_shown(interval.high)}"


def _print(table: SelectionAgreement) -> None:
    from rubrica.report.tables import Estimate, without_interval

    if table.annotators is None:
        print(f"no pair has two annotators: {count(table.left_out, 'pair')} of one each")
        return
    people = f"{table.annotators} annotators each"
    print(f"{count(table.pairs, 'pair')} of {people}, {count(table.tokens, 'token')}; {table.left_out} other pairs")
    print()
    rows = [
        (
            row.label.edit,
            row.label.subtype,
            _shown(row.kappa),
            _shown(row.alpha),
            _ends(row.interval),
            _shown(row.three_share, ".0%"),
            _shown(row.two_share, ".0%"),
        )
        for row in table.rows
    ]
    print_table(["edit", "sub-type", "kappa", "alpha", "95 % of kappa", "3 agree", "2 agree"], rows)
    for reason in without_interval(Estimate(row.kappa, row.interval.low, row.interval.high) for row in table.rows):
        print(reason)
    print()


def _print_spans(spans: SpanAgreement, overlap: float) -> None:
    if spans.pairs:
        share = f"{overlap:.0%} overlap"
        print(f"same edits, F1: {_shown(spans.exact)} exactly, {_shown(spans.overlapping)} with at least {share}")
