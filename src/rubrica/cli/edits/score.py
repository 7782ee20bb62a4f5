"""`rubrica edits score`: a score of every rewrite from its edits."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from rubrica.cli.edits.given import Offsets, ProtocolOption, Source, StageOption, read_given
from rubrica.cli.options import Home, Json, choose
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubrica.edits.annotated import AnnotatedPair
    from rubrica.edits.score import Scores

WEIGHTS = ["rubrica", "published"]


def score(
    source: Source,
    weights: Annotated[
        str, typer.Option("--weights", metavar="rubrica|published", help="Our weights, or those of SALSA's authors.")
    ] = "rubrica",
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE.csv", help="Write a row for each sentence; - is stdout.")
    ] = "",
    stage: StageOption = "",
    protocol: ProtocolOption = "",
    offsets: Offsets = "utf16",
    home: Home = None,
    json: Json = False,
) -> None:
    """Score each rewrite by its edits: in total, by family, and quality apart from error."""
    choose(weights, WEIGHTS, "set of weights")
    if json and out == "-":
        raise wrong("--json would mix with the data on stdout", "option", "Name a file: -o FILE.csv.", value="--json")
    from rubrica.edits import score
    from rubrica.edits import score as own

    given = read_given([source], home, offsets, protocol)
    pairs = given.stage(stage)
    scoring = own.score if weights == "rubrica" else score.published_score
    scores = [scoring(pair, given.typology) for pair in pairs]
    systems = _by_system(pairs, scores)
    rows = [_row(pair, one) for pair, one in zip(pairs, scores, strict=True)]
    if out == "-":
        _write(rows, sys.stdout)
        return
    if out:
        _write_file(rows, Path(out))
    unscored = sum(one.unscored for one in scores)
    if unscored:
        say(f"{count(unscored, 'edit')} without type or rating counted as 0")
    if json:
        mean = own.mean_scores(scores)
        assert mean is not None
        print_json(
            {
                "weights": weights,
                "sentences": rows,
                "mean": _parts(mean),
                "systems": {name: {**_parts(found), "sentences": number} for name, (number, found) in systems.items()},
                "signature": given.sign(pairs[0].stage, edits="score", weights=weights),
            }
        )
    elif out:
        say(f"{out}: {count(len(rows), 'sentence')}")
    else:
        _print(systems)


def _by_system(pairs: Sequence[AnnotatedPair], scores: Sequence[Scores]) -> dict[str, tuple[int, Scores]]:
    from rubrica.edits.score import mean_scores

    groups: dict[str, list[Scores]] = {}
    for pair, one in zip(pairs, scores, strict=True):
        groups.setdefault(pair.system or "(none)", []).append(one)
    means = {name: (len(groups[name]), mean_scores(groups[name])) for name in sorted(groups)}
    return {name: (number, mean) for name, (number, mean) in means.items() if mean is not None}


def _parts(one: Scores) -> dict[str, Any]:
    families = {family.lower(): value for family, value in one.families.items()}
    return {"total": one.total, "quality": one.quality, "error": one.error, **families}


def _row(pair: AnnotatedPair, one: Scores) -> dict[str, Any]:
    who = {"item": pair.name, "system": pair.system, "annotator": pair.annotator}
    return {**who, **_parts(one), "edits": one.edits, "unscored": one.unscored}


def _write(rows: Sequence[Mapping[str, Any]], stream: TextIO) -> None:
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)


def _write_file(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            _write(rows, stream)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(path)) from error


def _print(systems: Mapping[str, tuple[int, Scores]]) -> None:
    parts = [(name, number, _parts(mean)) for name, (number, mean) in systems.items()]
    header = ["system", "sentences", *parts[0][2]]
    print_table(
        header, [(name, number, *(f"{value:.2f}" for value in found.values())) for name, number, found in parts]
    )
