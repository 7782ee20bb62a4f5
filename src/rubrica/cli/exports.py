"""`rubrica export` and `rubrica import`: judgements out and in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, cast

import typer

from rubrica.cli.options import Home, Json, choose, input_file, now, open_studies
from rubrica.cli.output import count, print_json, say, track
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.store.judgements import Saved
    from rubrica.store.models import Study

Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]


def export(
    name: Name,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="jsonl, csv, xlsx or parquet.")],
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - is stdout.")] = "-",
    stage: Annotated[str, typer.Option("--stage", metavar="ID", help="Only this stage; default: all.")] = "",
    revisions: Annotated[
        str, typer.Option("--revisions", metavar="current|all", help="The last word only, or the whole history.")
    ] = "current",
    excluded: Annotated[
        bool, typer.Option("--excluded", help="Take along the judgements of excluded annotators.")
    ] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Write the judgements of a study to a file."""
    choose(revisions, ["current", "all"], "choice of revisions")
    from rubrica.exchange.exports import WRITERS

    choose(form, WRITERS, "format")
    if json and out == "-":
        raise wrong("--json would mix with the data on stdout", "option", "Name a file: -o FILE.", value="--json")
    open_studies(home)
    from rubrica.store import studies
    from rubrica.store.exporting import Wanted, stages_of
    from rubrica.store.records import export_filters, iterate, revisions_of, study_signature
    from rubrica.store.translate import protocol_of

    study = studies.find(name)
    stages = stages_of(study, Wanted(form=form, stage=stage))
    protocol = protocol_of(stages[0])
    history = revisions == "all"
    total = revisions_of(stages, every_revision=history, excluded=excluded).count()
    records = track(iterate(study, stages, every_revision=history, excluded=excluded), "Exporting", total)
    if out == "-":
        WRITERS[form](records, protocol, cast(BinaryIO, sys.stdout.buffer))
        sys.stdout.buffer.flush()
        return
    target = Path(out)
    special = target.exists() and not target.is_file()
    part = target if special else target.with_name(f".{target.name}.part")
    try:
        with part.open("wb") as stream:
            written = WRITERS[form](records, protocol, cast(BinaryIO, stream))
        if not special:
            os.replace(part, target)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(target)) from error
    finally:
        if not special:
            part.unlink(missing_ok=True)
    if json:
        signed = study_signature(
            study, stages, protocol, **export_filters(study, every_revision=history, excluded=excluded)
        )
        print_json({"file": str(target), "judgements": written, "signature": signed})
    else:
        say(f"{target}: {count(written, 'judgement')}")


def import_(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file as `rubrica export` writes it.")],
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="jsonl, csv, xlsx or parquet.")] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Read judgements from a file into a study. A study without items takes the items from the file too."""
    if form:
        choose(form, ["jsonl", "csv", "xlsx", "parquet"], "format")
    open_studies(home)
    from rubrica.exchange.imports import read_records
    from rubrica.store import studies
    from rubrica.store.records import import_records, study_signature
    from rubrica.store.versions import all_questions

    study = studies.find(name)
    stages = list(study.stages.select_related("protocol_version"))
    protocol = all_questions(stages)
    with input_file(file) as source:
        assert source is not None
        saved = import_records(study, read_records(source, protocol, form), str(source), now())
    say_beyond_overlap(study)
    if json:
        print_json({"read": saved._asdict(), "signature": study_signature(study, stages[:1], protocol)})
    else:
        print(saved_text(saved))


def say_beyond_overlap(study: Study) -> None:
    """A remark when items have more judgements than they wanted: none is thrown away, but somebody should know."""
    from rubrica.store.arithmetic import beyond_overlap

    beyond = beyond_overlap(study)
    if beyond:
        say(f"{count(beyond, 'judgement is', 'judgements are')} beyond the overlap; none is thrown away.")


def saved_text(saved: Saved) -> str:
    """What was saved, in words."""
    return (
        f"{count(saved.judgements, 'judgement')}, {count(saved.revisions, 'correction')}, {saved.unchanged} unchanged"
    )
