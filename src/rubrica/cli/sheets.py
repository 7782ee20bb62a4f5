"""`rubrica sheets`: Excel files for annotators, out and in."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Home, Json, Lang, listed, now, open_studies
from rubrica.cli.output import count, print_json, saved_text, say, say_beyond_overlap, say_questions, say_unusual, track
from rubrica.core.errors import InputError, Problem, first_problems, wrong

app = typer.Typer(help="Excel sheets for annotators: write and read.", no_args_is_help=True, rich_markup_mode=None)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]


@app.command()
def write(
    name: Name,
    annotators: Annotated[
        list[str], typer.Option("--annotators", metavar="A,B,…", help="Who gets a sheet; repeatable or a comma list.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go.")],
    size: Annotated[int, typer.Option("--size", metavar="N", min=1, help="Most rows in one sheet.")] = 100,
    stage: Annotated[str, typer.Option("--stage", metavar="ID", help="Default: the first with open work.")] = "",
    lang: Lang = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Deal items to annotators and write an Excel file for each. A file that exists is never overwritten."""
    open_studies(home)
    from rubrica.exchange.sheets.layout import sheet_language
    from rubrica.exchange.sheets.write import write_sheet
    from rubrica.store import studies
    from rubrica.store.allocation.sheets import Request, deal_sheets, default_stage
    from rubrica.store.recording.exports import study_signature
    from rubrica.store.translate import protocol_of

    study = studies.find(name)
    step = studies.find_stage(study, stage) if stage else default_stage(study)
    protocol = protocol_of(step)
    language = sheet_language(protocol, lang)
    _make_folder(out)
    names = [part for value in annotators for part in listed(value)]
    dealt = deal_sheets(step, Request(names, size, language), now())
    written, kept = [], []
    for file in track(dealt.files, "Writing", len(dealt.files)):
        path = _path(out, file.file_name, file.pid)
        if path.exists():
            kept.append(path)
            continue
        try:
            write_sheet(file, path)
        except OSError as error:
            fix = "Nothing is lost: make room or choose another --out, and run the command again."
            raise wrong(f"cannot be written: {error.strerror}", "file", fix, file=str(path)) from error
        written.append(path)
    for path in kept:
        say(f"{path} is there already and was kept: it may hold answers. Remove it to have it written again.")
    for person, reason in dealt.empty_handed.items():
        say(f"Nothing for {person} at the stage {step.key!r}: {reason}.")
    for person, left in dealt.waiting.items():
        say(f"{count(left, 'hidden duplicate')} for {person} did not fit and will be on {person}'s next sheet.")
    if json:
        files = {"files": [str(path) for path in written], "kept": [str(path) for path in kept]}
        print_json({**files, "waiting": dealt.waiting, "signature": study_signature(study, [step], protocol)})
        return
    for path in written:
        print(path)


def _make_folder(out: Path) -> None:
    """Make the folder and try it, before anything is dealt."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise wrong(
            f"cannot be written to: {error.strerror}", "file", "Choose another --out.", file=str(out)
        ) from error


def _path(out: Path, stem: str, sheet: str) -> Path:
    """Where a sheet goes: a file of that name that is not this sheet is left alone and another name taken."""
    from rubrica.exchange.sheets.read import OpenedSheet

    path = out / f"{stem}.xlsx"
    number = 1
    while path.exists():
        try:
            if OpenedSheet(path).meta.get("sheet") == sheet:
                break
        except InputError:
            say(f"{path} is something else and was left alone.")
        number += 1
        path = out / f"{stem}.{number}.xlsx"
    return path


@app.command()
def recall(
    name: Name,
    annotators: Annotated[
        list[str], typer.Option("--annotators", metavar="A,B,…", help="Whose unread rows go back; repeatable.")
    ],
    stage: Annotated[str, typer.Option("--stage", metavar="ID", help="Only this stage; default: all.")] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Take back what annotators hold and have not judged, so that it can be dealt to others. Answers are kept."""
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.store import studies
    from rubrica.store.allocation.sheets import recall as take_back

    study = studies.find(name)
    stages = [studies.find_stage(study, stage)] if stage else list(study.stages.all())
    returned = take_back(study, stages, [part for value in annotators for part in listed(value)], now())
    if json:
        print_json({"recalled": returned, "signature": signature({"study": study.name})})
        return
    for person, number in returned.items():
        print(f"{person}: {count(number, 'row')} taken back")


@app.command()
def read(
    name: Name,
    files: Annotated[list[Path], typer.Argument(metavar="FILE.xlsx", help="Files that came back.")],
    blank: Annotated[
        str, typer.Option("--blank", metavar="open|none", help="Blank rows at the end, where blank is an answer.")
    ] = "open",
    home: Home = None,
    json: Json = False,
) -> None:
    """Read filled sheets into the study: each file all or nothing, every problem with sheet and cell."""
    if blank not in ("open", "none"):
        raise wrong(f"--blank {blank!r}", "option", "Write --blank open or --blank none.", value=blank)
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.core.study import Saved
    from rubrica.exchange.sheets.read import OpenedSheet
    from rubrica.store import studies
    from rubrica.store.allocation.sheets import read_file

    study = studies.find(name)
    problems: list[Problem] = []
    asked: list[Problem] = []
    total = Saved(0, 0, 0)
    done: list[str] = []
    people: dict[str, list[str]] = {}
    for path in track(files, "Reading", len(files)):
        try:
            result = read_file(study, OpenedSheet(path), now(), blank_is_answer=blank == "none")
        except InputError as error:
            problems += error.problems
            continue
        total += result.saved
        done.append(str(path))
        people.setdefault(result.stage, []).append(result.annotator)
        saved = result.saved
        parts = [f"{saved.judgements} new, {saved.revisions} corrected, {saved.unchanged} unchanged"]
        parts += [f"{count(result.open, 'row')} still open"] if result.open else []
        parts += [f"{count(result.blanks, 'blank row')} taken as an answer"] if result.blanks else []
        say(f"{path}: {', '.join(parts)}")
        asked += result.questions
    say_questions(asked)
    if problems:
        if done:
            say(f"{count(len(done), 'file was', 'files were')} read; the others changed nothing.")
        raise InputError(*problems)
    say_beyond_overlap(study)
    checked = [say_unusual(study, stage, names) for stage, names in people.items()]
    if json:
        noticed = {name: [row for one in checked for row in one[name]] for name in ("unusual", "untold")}
        signed = signature({"study": study.name})
        questions = [one.as_json() for one in first_problems(asked)]
        print_json({"files": done, "read": total._asdict(), "questions": questions, **noticed, "signature": signed})
    else:
        print(saved_text(total))
