"""The options of `rubrica score`, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StudyName = Annotated[str, typer.Argument(metavar="[STUDY]", help="A study whose rewrites are scored.")]
Source = Annotated[
    Path | None, typer.Option("--source", metavar="FILE", help="The sources, one a line; or a test set's folder.")
]
Rewrites = Annotated[
    list[str] | None,
    typer.Option("--rewrite", metavar="[NAME=]FILE", help="A system's rewrites, one a line; - is stdin. Repeat it."),
]
References = Annotated[
    list[str] | None,
    typer.Option("--references", metavar="FILE", help="References, one a line, or a table. Repeat it, or a pattern."),
]
TestSet = Annotated[
    str, typer.Option("--test-set", metavar="DIR[/NAME]", help="A folder with X.orig and X.simp.0, X.simp.1, …")
]
TableFile = Annotated[
    Path | None, typer.Option("--table", metavar="FILE", help="A table: CSV, TSV, JSONL, XLSX, Parquet.")
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN",
        help="Where source, rewrite, reference, system, id, author, dataset stand; several with commas or *.",
    ),
]
Dataset = Annotated[
    str, typer.Option("--dataset", metavar="COLUMN", help="Which data set it is from (a study: metadata).")
]
Human = Annotated[
    list[str] | None,
    typer.Option("--human", metavar="SYSTEM", help="Rewrites by people, never their own reference; none for none."),
]
Metrics = Annotated[
    str, typer.Option("--metrics", metavar="NAMES", help="Which metrics, with commas; all for every light one.")
]
Uneven = Annotated[
    bool, typer.Option("--uneven", help="A missing reference is no mistake: an empty line, or a row without any.")
]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="Score empty rewrites instead of refusing them.")]
Lowercase = Annotated[
    bool | None, typer.Option("--lowercase/--cased", help="For all metrics; otherwise as each one's reference does.")
]
Tokenizer = Annotated[
    str, typer.Option("--tokenizer", metavar="NAME", help="13a, intl, char, zh or none; otherwise 13a.")
]
Smoothing = Annotated[str, typer.Option("--smoothing", metavar="HOW", help="Of BLEU: exp, floor, add-k, none.")]
Deletion = Annotated[str, typer.Option("--sari-deletion", metavar="f1|precision", help="How SARI scores deletions.")]
Averaging = Annotated[
    str, typer.Option("--sari-averaging", metavar="orders|operations", help="As EASSE, or as in the paper on SARI.")
]
Language = Annotated[str, typer.Option("--lang", metavar="CODE", help="The language of the texts.")]
Parser = Annotated[
    str, typer.Option("--parser", metavar="NAME", help="A spaCy pipeline instead of ours, for dependency_depth.")
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="METRIC=WHERE", help="The model of a learned metric: a name or a path. Repeat it."),
]
LensPython = Annotated[
    str,
    typer.Option("--lens-python", metavar="FILE", help="The Python that has lens-metric (else RUBRICA_LENS_PYTHON)."),
]
Bootstrap = Annotated[
    int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for intervals and tests; 0 for none.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Makes intervals and tests repeatable.")]
PerSentence = Annotated[
    Path | None,
    typer.Option("--per-sentence", metavar="FILE", help="Also write figures of every sentence: .csv, .tsv, .jsonl."),
]
PerSystem = Annotated[
    Path | None,
    typer.Option("--per-system", metavar="FILE.csv", help="Also write figures of systems, for compare --metrics."),
]
ReportFolder = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="Also write a page that compares the systems.")
]
Charts = Annotated[
    bool | None,
    typer.Option("--charts/--no-charts", help="Draw charts on the page, or not; otherwise if they can be drawn."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a folder that is no report of ours.")]
Register = Annotated[
    bool, typer.Option("--register", help="Show the metrics beside the people of the study from now on.")
]
Unregister = Annotated[
    str, typer.Option("--unregister", metavar="NAME", help="Remove a registered metric from the study.")
]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=0, help="Processes; 0 for all cores on large files.")
]
Cluster = Annotated[
    str, typer.Option("--cluster", metavar="ADDRESS", help="A dask scheduler, such as tcp://host:8786.")
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Forget what an interrupted run of the same command has finished.")
]
