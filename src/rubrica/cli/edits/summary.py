"""`rubrica edits summary`: how many edits of which type, per system, with ratings and coverage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.edits.given import Offsets, ProtocolOption, Source, StageOption, read_given
from rubrica.cli.options import Home, Json, choose
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubrica.edits.annotated import AnnotatedPair
    from rubrica.edits.summary import Ratings, Summary

GROUPS = {"system": "systems", "annotator": "annotators"}
"""What edits can be grouped by, and the key of the groups in JSON."""


def summary(
    source: Source,
    by: Annotated[str, typer.Option("--by", metavar="system|annotator", help="Count each of these apart, too.")] = "",
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Write charts of successful and failed edits here.")
    ] = None,
    stage: StageOption = "",
    protocol: ProtocolOption = "",
    offsets: Offsets = "utf16",
    home: Home = None,
    json: Json = False,
) -> None:
    """Count edits by type, family, side and operation, with ratings and how much of the texts they cover."""
    if by:
        choose(by, GROUPS, "grouping")
    from rubrica.edits.summary import summarise, summarise_by

    given = read_given([source], home, offsets, protocol)
    pairs = given.stage(stage)
    _say_odd(pairs)
    whole = summarise(pairs, given.typology)
    groups = summarise_by(pairs, given.typology, lambda pair: getattr(pair, by) or "(none)") if by else {}
    signed = given.sign(pairs[0].stage, edits="summary", by=by)
    files = []
    if charts:
        from rubrica.report.edit_comparison import write_charts

        systems = summarise_by(pairs, given.typology, lambda pair: pair.system or "(none)")
        files = write_charts(systems, charts, signed)
    if json:
        grouped = {GROUPS[by]: {name: _as_json(group) for name, group in groups.items()}} if by else {}
        written = {"files": [str(file) for file in files]} if charts else {}
        print_json({**_as_json(whole), **grouped, **written, "signature": signed})
        return
    _print(whole)
    if groups:
        print()
        _print_groups(by, groups)
    for file in files:
        say(str(file))


def _say_odd(pairs: Sequence[AnnotatedPair]) -> None:
    from rubrica.edits.annotated import outside

    beyond = outside(pairs)
    if beyond:
        say(f"{count(beyond, 'span')} outside the text; what lies outside covers nothing")


def _as_json(found: Summary) -> dict[str, Any]:
    families = dict.fromkeys(kind.family for kind in found.kinds)
    return {
        "annotations": found.annotations,
        "pairs": found.pairs,
        "edits": found.edits,
        "untyped": found.untyped,
        "constituents": found.constituents,
        "edits_per_sentence": _number(found.per_sentence(found.edits), "nothing was annotated"),
        "types": {kind.name: found.types[kind.name] for kind in found.kinds},
        "shares": {kind.name: _number(found.share(kind.name), "no edit has a type") for kind in found.kinds},
        "sides": {side: found.sides[side] for side in ("quality", "error")},
        "families": {
            family: {side: found.families[family, side] for side in ("quality", "error")} for family in families
        },
        "trivial_insertions": {cell: found.trivial_insertions[cell] for cell in ("helpful", "unhelpful")},
        "operations": _operations(found),
        "ratings": {name: _rated(ratings) for name, ratings in found.ratings.items()},
        "efficacy": _rated(found.side_ratings["quality"]),
        "severity": _rated(found.side_ratings["error"]),
        "coverage": {
            side: {
                "characters": _number(covered.of_characters, "there is no text"),
                "tokens": _number(covered.of_tokens, "there is no text"),
            }
            for side, covered in found.coverage.items()
        },
    }


def _operations(found: Summary) -> dict[str, int]:
    """Every operation of SALSA, then others that occur."""
    known = ("deletion", "insertion", "substitution", "reorder", "split", "structure")
    return {name: found.operations[name] for name in dict.fromkeys((*known, *sorted(found.operations)))}


def _rated(ratings: Ratings) -> dict[str, Any]:
    return {
        "mean": _number(ratings.mean, "nothing was rated"),
        "points": {str(point): ratings.points[point] for point in (1, 2, 3)},
        "unrated": ratings.unrated,
    }


def _number(value: float | None, otherwise: str) -> Any:
    return Statistic(value, otherwise).as_json()


def _shown(value: float | None, form: str = ".2f") -> str:
    return "-" if value is None else format(value, form)


def _print(found: Summary) -> None:
    from rubrica.edits.typology import name_on, placed

    sentences = f"{count(found.annotations, 'annotation')} of {count(found.pairs, 'pair')}"
    per_sentence = _shown(found.per_sentence(found.edits))
    print(f"{count(found.edits, 'edit')} in {sentences}, {per_sentence} per annotation")
    if found.untyped:
        print(f"{count(found.untyped, 'edit')} without a type: their questions are open")
    print()
    rows = []
    for kind, side in placed(found.kinds):
        number = found.placed[kind.name, side]
        share = number / found.typed if found.typed else None
        row = (side, kind.family, name_on(kind, side), number)
        rows.append((*row, _shown(share, ".1%"), _shown(found.placed_ratings[kind.name, side].mean)))
    print_table(["side", "family", "type", "edits", "share", "rating"], rows)
    helpful, unhelpful = (found.trivial_insertions[cell] for cell in ("helpful", "unhelpful"))
    if helpful or unhelpful:
        print(f"\nof the trivial changes, insertions: {helpful} helpful, {unhelpful} not helpful (an error)")
    print("\n" + ", ".join(f"{name} {number}" for name, number in _operations(found).items()))
    for side, covered in found.coverage.items():
        characters, tokens = _shown(covered.of_characters, ".1%"), _shown(covered.of_tokens, ".1%")
        print(f"edits cover {characters} of the characters and {tokens} of the tokens of the {side}s")


def _print_groups(by: str, groups: dict[str, Summary]) -> None:
    from rubrica.edits.typology import name_on, placed

    rows = [
        (
            name,
            group.annotations,
            group.edits,
            _shown(group.per_sentence(group.edits)),
            group.sides["quality"],
            group.sides["error"],
            _shown(group.side_ratings["quality"].mean),
            _shown(group.side_ratings["error"].mean),
        )
        for name, group in groups.items()
    ]
    print_table([by, "annotations", "edits", "each", "quality", "error", "efficacy", "severity"], rows)
    print()
    types = [
        (name, side, name_on(kind, side), number, _shown(number / group.typed if group.typed else None, ".1%"))
        for name, group in groups.items()
        for kind, side in placed(group.kinds)
        if (number := group.placed[kind.name, side])
    ]
    print_table([by, "side", "type", "edits", "share"], types)
