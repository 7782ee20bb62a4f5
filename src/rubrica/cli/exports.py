"""`rubrica export` and `rubrica import`: judgements out and in.

Thresh data files on the command line: how one is written, and what is said of one that was read.
"""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from rubrica.cli.options import Home, Json, choose, input_file, now, open_studies
from rubrica.cli.output import (
    count,
    output_stream,
    print_json,
    progress,
    saved_text,
    say,
    say_beyond_overlap,
    say_questions,
)
from rubrica.core.errors import Problem, first_problems, wrong

if TYPE_CHECKING:
    from rubrica.exchange.exports import Wanted
    from rubrica.store.jobs.exporting import Progress
    from rubrica.store.models import Study


Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]
Offsets = Annotated[
    str, typer.Option("--offsets", metavar="utf16|codepoints", help="thresh: how offsets count; default: utf16.")
]
FORMS = (
    "jsonl, csv, xlsx, parquet, edits-csv, edits-jsonl, words, corrections, thresh, profiles, benchmark, mlsp, tsar "
    "or guideline."
)


def export(
    name: Name,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FORMS)],
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - is stdout.")] = "-",
    stage: Annotated[str, typer.Option("--stage", metavar="ID", help="Only this stage; default: all.")] = "",
    revisions: Annotated[
        str, typer.Option("--revisions", metavar="current|all", help="The last word only, or the whole history.")
    ] = "current",
    excluded: Annotated[
        bool, typer.Option("--excluded", help="Take along the judgements of excluded annotators.")
    ] = False,
    safe_cells: Annotated[
        bool, typer.Option("--safe-cells", help="Tables: an apostrophe before texts that would be run as formulas.")
    ] = False,
    indent: Annotated[
        str,
        typer.Option(
            "--indent", metavar="N|none|spaced", help="thresh: indentation or one line; default: as imported, or 4."
        ),
    ] = "",
    ascii_: Annotated[
        bool | None,
        typer.Option("--ascii/--no-ascii", help="thresh: escape what is not ASCII; default: as imported."),
    ] = None,
    newline: Annotated[
        bool | None, typer.Option("--newline/--no-newline", help="thresh: end with a line break; default: as imported.")
    ] = None,
    offsets: Offsets = "",
    joined: Annotated[
        str, typer.Option("--with", metavar="STUDY", help="Words: the study of the other task on the same instances.")
    ] = "",
    part: Annotated[
        str, typer.Option("--part", metavar="NAME", help="mlsp: combined, lcp, ls, unlabelled or archive.")
    ] = "",
    ties: Annotated[
        str, typer.Option("--ties", metavar="RULE", help="Words: first (seen), ascending or descending.")
    ] = "first",
    none_simpler: Annotated[
        str, typer.Option("--none-simpler", metavar="HOW", help="Words: released as the target, or omit.")
    ] = "target",
    trial: Annotated[int, typer.Option("--trial", metavar="N", min=0, help="mlsp: contexts of the trial part.")] = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Words: refuse fewer than ten annotations.")] = False,
    unattested: Annotated[
        bool, typer.Option("--unattested", help="mlsp: release texts of which the study does not say enough.")
    ] = False,
    unaggregated: Annotated[
        bool, typer.Option("--unaggregated", help="mlsp: put every annotator's answers into the archive.")
    ] = False,
    annotators: Annotated[
        bool, typer.Option("--annotators", help="mlsp: put in what annotators told, where consent covers it.")
    ] = False,
    same_people: Annotated[
        bool, typer.Option("--same-people", help="mlsp: a person has one id in both tasks.")
    ] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Write the judgements of a study to a file."""
    choose(revisions, ["current", "all"], "choice of revisions")
    from rubrica.exchange.exports import FORMATS, Wanted

    choose(form, list(FORMATS), "format")
    layout = layout_options(form, indent, ascii_, newline, offsets)
    about_words = joined or part or trial or strict or unattested or unaggregated or annotators or same_people
    if FORMATS[form].asks != "words" and (about_words or (ties, none_simpler) != ("first", "target")):
        what = (
            "--with, --part, --ties, --none-simpler, --trial, --strict, --unattested, --unaggregated, --annotators and "
            "--same-people are for words"
        )
        raise wrong(what, "option", "Leave it out, or use --format mlsp, tsar or guideline.", value=form)
    if json and out == "-":
        raise wrong("--json would mix with the data on stdout", "option", "Name a file: -o FILE.", value="--json")
    open_studies(home)
    from rubrica.store import models, studies
    from rubrica.store.jobs import exporting

    study = studies.find(name)
    wanted = Wanted(
        form=form,
        stage=stage,
        every_revision=revisions == "all",
        excluded=excluded,
        safe_cells=safe_cells,
        joined=joined,
        part=part or _part(form, out),
        ties=ties,
        none_simpler=none_simpler,
        trial=trial,
        strict=strict,
        unattested=unattested,
        unaggregated=unaggregated,
        annotators=annotators,
        same_people=same_people,
        **layout,
    )
    exporting.stages_of(study, wanted)
    with output_stream(out) as stream:
        done = _write(study, wanted, stream)
    if out == "-":
        return
    unit = FORMATS[form].unit
    units = "entries" if unit == "entry" else f"{unit}s"
    if json:
        counted = {} if unit == "judgement" else {units.replace(" ", "_"): done.written}
        signed = exporting.signed(study, wanted)
        print_json({"file": str(Path(out)), "judgements": done.judgements, **counted, "signature": signed})
    else:
        say(f"{Path(out)}: {count(done.written, unit, units)}")
        judged = models.Judgement.objects.filter(stage__study=study)
        if unit == "judgement" and judged.exclude(item__planted=None).exists():
            say("  those of planted items are among them and marked; they are in no result")


def _part(form: str, out: str) -> str:
    """What of an MLSP release is written: everything to an archive, else the file that the study has."""
    if form != "mlsp":
        return ""
    return "archive" if out.lower().endswith(".zip") else "usual"


def _write(study: Study, wanted: Wanted, out: BinaryIO) -> Progress:
    from rubrica.store.jobs import exporting

    with progress("Exporting", exporting.count(study, wanted)) as tell:
        return exporting.write(study, wanted, out, tell, say)


def import_(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file as `rubrica export` writes it.")],
    form: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="jsonl, csv, xlsx, parquet or thresh; default: by name."),
    ] = "",
    stage: Annotated[
        str, typer.Option("--stage", metavar="ID", help="thresh: into this stage; default: the last of annotators.")
    ] = "",
    annotator: Annotated[
        str, typer.Option("--annotator", metavar="NAME", help="thresh: who annotated; default: metadata, or file name.")
    ] = "",
    add_items: Annotated[
        bool, typer.Option("--add-items", help="thresh: texts that the study does not have become new items.")
    ] = False,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="thresh: its edits are suggestions to annotators, nobody's judgements.")
    ] = False,
    offsets: Offsets = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Read judgements from a file into a study. A study without items takes the items from the file too."""
    if form:
        choose(form, ["jsonl", "csv", "xlsx", "parquet", "thresh"], "format")
    thresh = form == "thresh" or (not form and file.suffix.lower() == ".json")
    if not thresh and (stage or annotator or add_items or suggest or offsets):
        what = "--stage, --annotator, --add-items, --suggest and --offsets are for Thresh files"
        raise wrong(what, "option", "Leave it out, or use --format thresh.", value=form)
    open_studies(home)
    from rubrica.core.stage_settings import all_questions
    from rubrica.exchange.imports import read_records
    from rubrica.store import studies
    from rubrica.store.recording.exports import study_signature
    from rubrica.store.recording.imports import import_records
    from rubrica.store.translate import protocol_of

    study = studies.find(name)
    if thresh:
        choices = {"stage": stage, "annotator": annotator, "add_items": add_items, "suggest": suggest}
        import_thresh(study, file, choices, offsets, json)
        return
    stages = list(study.stages.select_related("protocol_version"))
    protocol = all_questions([protocol_of(stage) for stage in stages])
    with input_file(file) as source:
        assert source is not None
        records = read_records(source, protocol, form)
        gc.freeze()  # what was read stays to the end: the collector need not look through it after each chunk
        saved, questions = import_records(study, records, str(source), now())
    say_beyond_overlap(study)
    say_questions(questions)
    if json:
        told = [one.as_json() for one in first_problems(questions)]
        print_json(
            {"read": saved._asdict(), "questions": told, "signature": study_signature(study, stages[:1], protocol)}
        )
    else:
        print(saved_text(saved))


SHOWN = 3
"""Flags of one kind that are shown one by one."""


def layout_options(form: str, indent: str, ascii_: bool | None, newline: bool | None, offsets: str) -> dict[str, Any]:
    """The options of a Thresh file, checked."""
    from rubrica.exchange.thresh.json_layout import COMPACT, SPACED

    given = {"--indent": indent, "--ascii": ascii_, "--newline": newline, "--offsets": offsets}
    stray = [option for option, value in given.items() if value not in ("", None)]
    if stray and form != "thresh":
        fix = "Leave it out, or use --format thresh."
        raise wrong(f"{stray[0]} says how a Thresh file is written", "option", fix, value=form)
    if offsets:
        choose(offsets, ["utf16", "codepoints"], "way to count offsets")
    words = {"none": COMPACT, "spaced": SPACED}
    if indent and indent not in words and not (indent.isascii() and indent.isdigit() and int(indent) <= 16):
        raise wrong(f"--indent {indent!r}", "option", "Use a number of spaces, none or spaced.", value=indent)
    wide = words.get(indent, int(indent) if indent.isdigit() else None)
    return {"indent": wide, "ascii": ascii_, "newline": newline, "offsets": offsets}


def import_thresh(study: Study, file: Path, choices: dict[str, Any], offsets: str, json: bool) -> None:
    """Import a Thresh file, and say what it held and what is odd about it."""
    from rubrica.exchange.thresh.files import read_file
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.recording.exports import study_signature
    from rubrica.store.recording.thresh import import_entries, stage_for, suggesting_stage
    from rubrica.store.translate import protocol_of

    offsets = choose(offsets or "utf16", ["utf16", "codepoints"], "way to count offsets")
    with input_file(file, ".json") as source:
        assert source is not None
        done = import_entries(study, read_file(source), Choices(**choices, offsets=offsets), now())
    for remark in done.remarks:
        say(f"{file}: {remark}")
    _say_flags([flag.at(file=str(file)) for flag in done.flags])
    say_beyond_overlap(study)
    if json:
        stage = (suggesting_stage if choices["suggest"] else stage_for)(study, choices["stage"])
        print_json(
            {
                "read": done.saved._asdict(),
                "items": done.items,
                "unannotated": done.unannotated,
                **({"suggested": done.suggested} if choices["suggest"] else {}),
                "flags": [flag.at(file=str(file)).as_json() for flag in done.flags],
                "signature": study_signature(study, [stage], protocol_of(stage)),
            }
        )
        return
    without = f", {count(done.unannotated, 'entry', 'entries')} without annotation" if done.unannotated else ""
    read = count(done.suggested, "suggestion") if choices["suggest"] else saved_text(done.saved)
    print(f"{read}{without}; {count(done.items, 'new item')}")


def _say_flags(flags: list[Problem]) -> None:
    """What was kept but is odd: each kind with how often it occurs and its first places."""
    kinds = Counter((flag.rule, flag.question) for flag in flags)
    for (rule, question), times in kinds.most_common():
        found = [flag for flag in flags if (flag.rule, flag.question) == (rule, question)]
        about = f" ({question})" if question else ""
        say(f"kept and flagged: {times} x {rule}{about}")
        for flag in found[:SHOWN]:
            say(f"  {flag.place}: {flag.what}")
