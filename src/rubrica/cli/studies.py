"""`rubrica study`: new, list, show, join, delete, restore."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, Json, input_file, now, open_studies, pairs
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.core.answers import Answers
    from rubrica.core.protocol import Protocol
    from rubrica.core.study import Item
    from rubrica.exchange.items import Read
    from rubrica.store.models import Study

app = typer.Typer(help="Studies: new, list, show, join, delete, restore.", no_args_is_help=True, rich_markup_mode=None)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]


@app.command()
def new(
    name: Name,
    protocol: Annotated[str, typer.Option("--protocol", metavar="ID|FILE", help="A shipped protocol, or your file.")],
    items: Annotated[
        Path | None, typer.Option("--items", metavar="FILE", help="CSV, TSV, JSONL, XLSX or Parquet, one row an item.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="FIELD=COLUMN",
            help="Which column a field is in; repeatable. rewrite=A,B,C: one column for each system.",
        ),
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="The file has no header; columns are named 1, 2, 3, …")
    ] = False,
    leave_out: Annotated[
        str,
        typer.Option(
            "--leave-out", metavar="ROWS", help="Rows whose target word is not found: 7,12, or unmarked for all such."
        ),
    ] = "",
    overlap: Annotated[
        list[str] | None,
        typer.Option("--overlap", metavar="N|STAGE=N", help="Judgements per item; default: the protocol's."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=-(2**62), max=2**62, help="Makes the deal repeatable.")
    ] = 0,
    checks: Annotated[
        str, typer.Option("--checks", metavar="LIST", help="Planted items: duplicates=5%,gold=FILE.")
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="A parameter of the protocol; repeatable."),
    ] = None,
    audience: Annotated[str, typer.Option("--audience", metavar="TEXT", help="Whom the texts are for.")] = "",
    genre: Annotated[str, typer.Option("--genre", metavar="TEXT", help="What kind of texts they are.")] = "",
    education_level: Annotated[
        str, typer.Option("--education-level", metavar="TEXT", help="At which level of education its readers are.")
    ] = "",
    education_relation: Annotated[
        str, typer.Option("--education-relation", metavar="TEXT", help="How the texts are related to education.")
    ] = "",
    from_: Annotated[
        str, typer.Option("--from", metavar="STUDY", help="Instead of a file: what people wrote in that study.")
    ] = "",
    authors_from: Annotated[
        str, typer.Option("--authors-from", metavar="STUDY", help="The study in which the items' texts were written.")
    ] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Make a study from a protocol and a file of items, or from what people wrote in another study."""
    from rubrica.protocols.catalog import find

    if from_ and (items or authors_from):
        fix = "Leave out --items and --authors-from: the items and their authors come from that study."
        raise wrong("--from is given with another source", "option", fix, value=from_)
    loaded = find(protocol)
    chosen = loaded.protocol
    planted = _checks(checks, chosen)
    with input_file(items) as file:
        read = _read(file, chosen, column or [], not no_header, leave_out)
    open_studies(home)
    from rubrica.store import studies
    from rubrica.store.people.joining import authors_by_name_only

    source = studies.find(from_ or authors_from) if from_ or authors_from else None
    taken = _taken(source, chosen) if source and from_ else ()
    plan = studies.Plan(
        name=name,
        loaded=loaded,
        items=read.items if read else taken,
        authors_from=source,
        overlap=_overlap(overlap or [], chosen),
        settings=pairs(setting or [], "--set"),
        about={
            "audience": audience,
            "genre": genre,
            "education_level": education_level,
            "education_relation": education_relation,
        },
        seed=seed,
        duplicates=planted[0],
        gold=planted[1],
    )
    study = studies.create(plan, now())
    if study.authors_from is not None and source is None:
        say(f"  joined with the study {study.authors_from.name!r}: these authors wrote these texts there")
    elif authors_by_name_only(study):
        say("  note: authors are known by name only; if they wrote in a study here: rubrica study join --authors-from")
    _show(study, json)


def _taken(source: Study, protocol: Protocol) -> list[Item]:
    """What people wrote in another study, or its items, and how many of each."""
    from rubrica.store.people.joining import items_from

    found = items_from(source, protocol)
    wrote = f" by {count(found.people, 'person', 'people')}" if found.people else ""
    say(f"{source.name}: {count(len(found.items), 'text' if found.people else 'item')}{wrote}")
    if found.discarded:
        say(f"  discarded because enough people flagged them: {count(found.discarded, 'item')}")
    if found.without:
        say(f"  without any text: {count(found.without, 'item')}")
    return found.items


def _read(items: Path | None, protocol: Protocol, given: list[str], header: bool, left_out: str) -> Read | None:
    if items is None:
        return None
    from rubrica.exchange.items import read_items_file
    from rubrica.exchange.target_places import leave_out

    decided = leave_out(left_out.split(","))
    detected, read = read_items_file(items, protocol, pairs(given, "--map"), header, decided)
    say(f"{items}: {count(read.rows, 'row')}, {detected}")
    say(f"  columns: {read.matched.told()}")
    if read.arithmetic:
        _show_wide(read, protocol)
    if read.matched.unused:
        say(f"  kept as metadata: {', '.join(map(repr, read.matched.unused))}")
    for remark in read.remarks:
        say(f"  note: {remark}")
    return read


SHOWN_ROWS = 3
"""Rows of a table with systems side by side that are shown whole, to see whether they are what was meant."""


def _show_wide(read: Read, protocol: Protocol) -> None:
    """The arithmetic of systems in columns of their own, and the first rows."""
    from itertools import groupby

    say(f"  {read.arithmetic}")
    sources = [field.id for field in protocol.fields if not read.matched.spread(field.id)]
    rows = groupby(read.items, key=lambda item: [item.fields.get(field, "") for field in sources])
    for number, (texts, items) in enumerate(rows, start=1):
        if number > SHOWN_ROWS:
            break
        for field, text in zip(sources, texts, strict=True):
            say(f"    {number} {field}: {text}")
        for item in items:
            say(f"      {item.system}: {next(item.fields[one] for one in item.fields if one not in sources)}")
    others = [one.column for one in read.matched.offered if not one.taken and one.column in read.matched.unused]
    if others:
        say(f"  not taken for a system: {', '.join(map(repr, others))}; --map names all that are")


def _overlap(values: list[str], protocol: Protocol) -> dict[str, int]:
    """``3`` for every stage of annotators (adjudication stays with one), ``stage=3`` for one stage."""
    found: dict[str, int] = {}
    for value in values:
        stage, equals, number = value.rpartition("=")
        if not re.fullmatch(r"\d+", number):
            raise wrong(f"--overlap {value!r}", "option", "Write --overlap 3 or --overlap rate=3.", value=value)
        stages = [stage] if equals else [known.id for known in protocol.stages if known.role != "adjudicator"]
        found |= dict.fromkeys(stages, int(number))
    return found


def _checks(text: str, protocol: Protocol) -> tuple[float | None, list[tuple[Item, Answers]]]:
    """The share of hidden duplicates (None: the protocol's own) and the items with known answers."""
    share, gold = None, []
    problems: list[Problem] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = part.partition("=")
        percent = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", value)
        if key == "duplicates" and percent and float(percent[1]) <= 100:
            share = float(percent[1]) / 100
        elif key == "gold" and value:
            gold = _gold(Path(value), protocol)
        else:
            problems.append(
                Problem(
                    what=f"--checks {part!r}",
                    rule="option",
                    value=part,
                    fix="Write duplicates=5% (at most 100) and gold=FILE, joined by a comma.",
                )
            )
    if problems:
        raise InputError(*problems)
    return share, gold


def _gold(file: Path, protocol: Protocol) -> list[tuple[Item, Answers]]:
    from rubrica.exchange.gold import read_gold

    gold = read_gold(file, protocol)
    say(f"{file}: {count(len(gold), 'item')} with known answers")
    return gold


@app.command("list")
def list_studies(home: Home = None, json: Json = False) -> None:
    """List the studies."""
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.store.studies import living

    studies = [_study_json(study) for study in living().order_by("name")]
    if json:
        print_json({"studies": studies, "signature": signature({})})
    elif not studies:
        say("There is no study yet. Make one: rubrica study new NAME --protocol ID --items FILE")
    else:
        print_table(
            ["study", "protocol", "items", "stage", "done", "wanted"],
            [
                [study["name"], study["protocol"], study["items"], stage["id"], stage["done"], stage["wanted"]]
                for study in studies
                for stage in study["stages"]
            ],
        )


@app.command()
def show(name: Name, home: Home = None, json: Json = False) -> None:
    """Show a study and its arithmetic: items x overlap = judgements, per annotator, remaining."""
    open_studies(home)
    from rubrica.store.studies import find

    _show(find(name), json)


def _study_json(study: Study) -> dict[str, Any]:
    from django.db.models import Count

    from rubrica.store import models
    from rubrica.store.counting import progress
    from rubrica.store.options import options_of
    from rubrica.store.parts import current_stages
    from rubrica.store.setup.study_items import unreviewed
    from rubrica.store.translate import protocol_of, rules_of

    protocol = protocol_of(current_stages(study)[0])
    names = dict(study.annotators.values_list("pk", "name"))
    work = progress.at_stages(study)
    plain = study.items.unplanted()
    planted = dict(models.Planted.objects.filter(item__study=study).values_list("kind").annotate(Count("pk")))

    def stage_json(count: progress.StageCount) -> dict[str, Any]:
        people = sorted((names[pk], did) for pk, did in work.get(count.stage.pk, {}).items())
        return {
            "id": count.stage.key,
            "role": rules_of(count.stage, protocol_of(count.stage)).role,
            "overlap": count.stage.overlap,
            "items": count.items,
            "closed": count.closed,
            "wanted": count.wanted,
            "done": count.done,
            "extra": count.extra,
            "handed_out": count.out,
            "remaining": count.remaining,
            "annotators": {name: did._asdict() for name, did in people},
        }

    stages = study.stages.select_related("protocol_version", "study")
    return {
        "name": study.name,
        "protocol": protocol.id,
        "version": protocol.version,
        "hash": protocol.hash,
        "seed": study.seed,
        "authors_from": study.authors_from.name if study.authors_from else "",
        "about": options_of(study).about.model_dump(),
        "items": plain.count(),
        "groups": plain.exclude(group="").values("group").distinct().count(),
        "gold": planted.get(models.Planted.Kind.GOLD, 0),
        "duplicates": planted.get(models.Planted.Kind.DUPLICATE, 0),
        "unreviewed": unreviewed(study),
        "stages": [stage_json(count) for count in progress.of_stages(stages)],
    }


def _show(study: Study, json: bool) -> None:
    from rubrica.core.signature import protocol_parts, signature
    from rubrica.store.parts import current_stages
    from rubrica.store.translate import protocol_of

    shown = _study_json(study)
    if json:
        parts = protocol_parts(protocol_of(current_stages(study)[0]))
        print_json({"study": shown, "signature": signature({**parts, "study": study.name, "seed": study.seed})})
        return
    print(f"{study.name}: {shown['protocol']} {shown['version']} ({shown['hash'][:12]})")
    if study.authors_from is not None:
        print(f"  joined with {study.authors_from.name}, where the authors come from")
    for name, text in shown["about"].items():
        if text:
            print(f"  {name.replace('_', ' ')}: {text}")
    for stage in shown["stages"]:
        _show_stage(stage)
    if shown["groups"]:
        print(f"  {count(shown['items'], 'item')} in {count(shown['groups'], 'group')}, shown together")
    if shown["gold"] or shown["duplicates"]:
        print(
            f"  on top, hidden duplicates: {shown['duplicates']} (for those who have the original); "
            f"gold items: {shown['gold']} (for everyone)"
        )
    if shown["unreviewed"]:
        said = f"{count(shown['unreviewed'], 'item')} for sensitive material"
        print(f"  nobody has reviewed {said}: see the review of the items in the studio")


def _show_stage(stage: dict[str, Any]) -> None:
    less = stage["items"] * stage["overlap"] - stage["wanted"]
    why = f", less {less} for closed items" if less and stage["closed"] else ""
    beyond = f", {stage['extra']} beyond the overlap" if stage["extra"] else ""
    print(
        f"  {stage['id']}: {count(stage['items'], 'item')} x {stage['overlap']}{why} = "
        f"{count(stage['wanted'], 'judgement')}; {stage['done']} done{beyond}, {stage['handed_out']} handed out, "
        f"{stage['remaining']} remaining"
    )
    for name, did in stage["annotators"].items():
        more = "".join(
            f", {did[key]} {words}" for key, words in (("extra", "extra"), ("passed_on", "passed on")) if did[key]
        )
        print(f"    {name}: {did['done']} of {did['done'] + did['open']} done{more}")


@app.command()
def join(
    name: Name,
    authors_from: Annotated[
        str, typer.Option("--authors-from", metavar="STUDY", help="The study in which the items' texts were written.")
    ] = "",
    apart: Annotated[bool, typer.Option("--apart", help="Take it back, as long as nothing was handed out.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Join a study with the one that its authors come from: a name is one person in both, for rules and erasure."""
    if bool(authors_from) == apart:
        raise wrong("one of two is needed", "option", "Write --authors-from STUDY, or --apart.", value=authors_from)
    open_studies(home)
    from rubrica.store import studies
    from rubrica.store.people import joining

    study = studies.find(name)
    if apart:
        joining.leave(study, now())
        say(f"{name} is joined with no other study by its authors.")
    else:
        joined = joining.join(study, studies.find(authors_from), now())
        say(f"{name} is joined with {authors_from}: {count(joined.authors, 'author')} of its texts took part there.")
        if joined.erased:
            say(f"Their author was erased there, so they are erased here: {count(joined.erased, 'text')}.")
        if joined.already:
            say(f"These judged here although they wrote there: {', '.join(joined.already)}.")
    _show(study, json)


@app.command()
def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Move a study to the trash; `rubrica study restore NAME` undoes it."""
    open_studies(home)
    from rubrica.store import studies

    study = studies.find(name)
    if not yes and not typer.confirm(f"Move the study {name!r} to the trash?", err=True):
        say("Nothing was changed.")
        raise typer.Exit(1)
    studies.delete(name, now())
    if json:
        _show(study, json=True)
    say(f"{name} is in the trash. `rubrica study restore {name}` brings it back.")


@app.command()
def restore(
    name: Name,
    as_: Annotated[str, typer.Option("--as", metavar="NEW", help="Another name, if the old one is taken.")] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Bring a deleted study back from the trash."""
    open_studies(home)
    from rubrica.store import studies

    study = studies.restore(name, now(), as_)
    if json:
        _show(study, json=True)
    say(f"{study.name} is back.")
