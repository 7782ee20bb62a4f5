"""`rubrica study`: new, list, show, change, launch, simulate, targets, join, delete, restore."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, Json, choose, input_file, now, open_studies, pairs
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.core import typed
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import first_of

if TYPE_CHECKING:
    from rubrica.core.answers import Answers
    from rubrica.core.protocol import Protocol
    from rubrica.core.study import Item
    from rubrica.exchange.items import Read
    from rubrica.store.models import Study

app = typer.Typer(
    help="Studies: new, list, show, change, launch, simulate, targets, join, delete, restore.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]
Audience = Annotated[str | None, typer.Option("--audience", metavar="TEXT", help="Whom the texts are for.")]
Genre = Annotated[str | None, typer.Option("--genre", metavar="TEXT", help="What kind of texts they are.")]
EducationLevel = Annotated[
    str | None,
    typer.Option("--education-level", metavar="TEXT", help="At which level of education its readers are."),
]
EducationRelation = Annotated[
    str | None, typer.Option("--education-relation", metavar="TEXT", help="How the texts are related to education.")
]
Team = Annotated[
    list[str] | None,
    typer.Option(
        "--team", metavar="SYSTEM=NAME,NAME", help="Who is part of a system and does not judge it; repeatable."
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="WHO",
        help="Who may take part, by the profile; repeatable: native_speaker, age=18-65, education_years=12-, "
        "country=ES,MX.",
    ),
]


@app.command()
def new(
    name: Name,
    protocol: Annotated[
        list[str],
        typer.Option(
            "--protocol",
            metavar="ID|FILE",
            help="A shipped protocol, or your file. A second one judges what people write by the first.",
        ),
    ],
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
    audience: Audience = None,
    genre: Genre = None,
    education_level: EducationLevel = None,
    education_relation: EducationRelation = None,
    require: Require = None,
    from_: Annotated[
        str, typer.Option("--from", metavar="STUDY", help="Instead of a file: what people wrote in that study.")
    ] = "",
    authors_from: Annotated[
        str, typer.Option("--authors-from", metavar="STUDY", help="The study in which the items' texts were written.")
    ] = "",
    team: Team = None,
    hand_on: Annotated[
        str,
        typer.Option(
            "--hand-on",
            metavar="settled|as-they-come",
            help="Two protocols: when texts reach those who judge them; default: when their item is settled.",
        ),
    ] = "settled",
    home: Home = None,
    json: Json = False,
) -> None:
    """Make a study from a protocol and a file of items, or from what people wrote in another study.

    With two protocols it has two stages: people write by the first, and other people judge by the second what they
    wrote.
    """
    from rubrica.exchange.thresh.template_protocol import load_any
    from rubrica.protocols.catalog import find

    if from_ and (items or authors_from):
        fix = "Leave out --items and --authors-from: the items and their authors come from that study."
        raise wrong("--from is given with another source", "option", fix, value=from_)
    if len(protocol) > 2:
        fix = "Name one, or one for writers and one for those who judge."
        raise wrong(f"{len(protocol)} protocols are named", "protocols", fix, value=", ".join(protocol))
    choose(hand_on, ["settled", "as-they-come"], "way to hand on")
    loaded, *more = (find(one, load_any) for one in protocol)
    chosen = loaded.protocol
    planted = _checks(checks, chosen)
    with input_file(items) as file:
        read = _read(file, chosen, column or [], not no_header, leave_out)
    open_studies(home)
    from rubrica.exchange.study_options import Requirements, required, teams_said
    from rubrica.exchange.study_plan import Plan
    from rubrica.store import studies
    from rubrica.store.people.joining import authors_by_name_only

    source = studies.find(from_ or authors_from) if from_ or authors_from else None
    taken = _taken(source, chosen) if source and from_ else ()
    plan = Plan(
        name=name,
        loaded=loaded,
        items=read.items if read else taken,
        teams=teams_said(team or [], {}),
        overlap=_overlap(overlap or [], [one.protocol for one in (loaded, *more)]),
        then=more[0] if more else None,
        hand_on=hand_on.replace("-", "_"),
        settings=pairs(setting or [], "--set"),
        about=_about(audience, genre, education_level, education_relation),
        required=required(require or [], Requirements()),
        seed=seed,
        duplicates=planted[0],
        gold=planted[1],
    )
    study = studies.create(plan, now(), authors_from=source)
    if study.authors_from is not None and source is None:
        say(f"  joined with the study {study.authors_from.name!r}: these authors wrote these texts there")
    elif authors_by_name_only(study):
        say("  note: authors are known by name only; if they wrote in a study here: rubrica study join --authors-from")
    _show(study, json)


def _about(*said: str | None) -> dict[str, str]:
    """What is said of the texts, in the order of the options; what is not said is left out."""
    names = ("audience", "genre", "education_level", "education_relation")
    return {name: text.strip() for name, text in zip(names, said, strict=True) if text is not None}


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
    _show_untaken(read, protocol)
    if read.matched.unused:
        say(f"  kept as metadata: {', '.join(map(repr, read.matched.unused))}")
    for remark in read.remarks:
        say(f"  note: {remark}")
    return read


SHOWN_SHORT = 10
"""How many sentences with too few texts are named; JSON has them all."""
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


def _show_untaken(read: Read, protocol: Protocol) -> None:
    """The columns that may be a system's as well, and how they are taken."""
    from rubrica.exchange.wide_columns import joined_columns, wide_field

    others = [one for one in read.matched.offered if one.column in read.matched.unused]
    if not others:
        return
    field = wide_field(protocol)
    taken = read.matched.systems or (read.matched.columns[field],)
    every = joined_columns([*taken, *(one.column for one in others if not one.against)])
    say(f"  not taken for a system: {', '.join(f'{one.column!r} ({one.why})' for one in others)}")
    if every != joined_columns(taken):
        say(f"  to take what nothing speaks against: --map {shlex.quote(f'{field}={every}')}")


def _overlap(values: list[str], protocols: list[Protocol]) -> dict[str, int]:
    """``3`` for every stage of annotators (adjudication stays with one), ``stage=3`` for one stage."""
    found: dict[str, int] = {}
    for value in values:
        stage, equals, text = value.rpartition("=")
        number = typed.whole(text)
        if number is None:
            raise wrong(f"--overlap {value!r}", "option", "Write --overlap 3 or --overlap rate=3.", value=value)
        every = [known for protocol in protocols for known in protocol.stages]
        stages = [stage] if equals else [known.id for known in every if known.role != "adjudicator"]
        found |= dict.fromkeys(stages, number)
    return found


def _checks(text: str, protocol: Protocol) -> tuple[float | None, list[tuple[Item, Answers]]]:
    """The share of hidden duplicates (None: the protocol's own) and the items with known answers."""
    share, gold = None, []
    problems: list[Problem] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = part.partition("=")
        percent = typed.number(value.strip().removesuffix("%")) if value.strip().endswith("%") else None
        if key == "duplicates" and isinstance(percent, int | float) and 0 <= percent <= 100:
            share = percent / 100
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
    from rubrica.exchange.planted import read_gold

    gold = read_gold(file, protocol)
    say(f"{file}: {count(len(gold), 'item')} with known answers")
    return gold


@app.command("list")
def list_studies(home: Home = None, json: Json = False) -> None:
    """List the studies."""
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.store.models import Study

    studies = [_study_json(study) for study in Study.objects.living().order_by("name")]
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


@app.command()
def change(
    name: Name,
    audience: Audience = None,
    genre: Genre = None,
    education_level: EducationLevel = None,
    education_relation: EducationRelation = None,
    require: Require = None,
    pay: Annotated[
        list[str] | None,
        typer.Option("--pay", metavar="STAGE=AMOUNT", help="For a task; STAGE/DATASET=AMOUNT for those of a data set."),
    ] = None,
    bonus: Annotated[
        list[str] | None, typer.Option("--bonus", metavar="STAGE=AMOUNT", help="For a judgement that deserves one.")
    ] = None,
    currency: Annotated[str, typer.Option("--currency", metavar="CODE", help="Three letters, such as EUR.")] = "",
    team: Team = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Change what a study says of its texts, who may take part and what is paid; what is not named stays."""
    about = _about(audience, genre, education_level, education_relation)
    if not (about or require or pay or bonus or currency or team):
        raise wrong("nothing is to be changed", "option", "Name what is, for instance --require age=18-.", value="")
    open_studies(home)
    from rubrica.exchange.study_options import required, teams_said
    from rubrica.store.options import options_of
    from rubrica.store.setup.setting_up import change_options
    from rubrica.store.studies import find

    study = find(name)
    options = options_of(study)
    profile = {**options.profile.model_dump(), "required": required(require or [], options.profile.required)}
    changes: dict[str, Any] = {"about": {**options.about.model_dump(), **about}, "profile": profile}
    if pay or bonus or currency:
        changes["payment"] = _payment(study, pairs(pay or [], "--pay"), pairs(bonus or [], "--bonus"), currency)
    if team:
        changes["teams"] = teams_said(team, options.teams)
    change_options(study, changes, now(), "")
    _show(study, json)


def _payment(study: Study, pay: dict[str, str], bonus: dict[str, str], currency: str) -> dict[str, Any]:
    """The terms of payment with these changed. Raises InputError for a stage that the study does not have."""
    from rubrica.store.options import options_of
    from rubrica.store.studies import find_stage

    for key in (*pay, *bonus):
        find_stage(study, key.partition("/")[0])
    terms = options_of(study).payment.model_dump()
    terms["per_task"] |= pay
    terms["bonus"] |= bonus
    return {**terms, "currency": currency.upper() or terms["currency"]}


def _study_json(study: Study) -> dict[str, Any]:
    from django.db.models import Count

    from rubrica.store import models
    from rubrica.store.counting import progress
    from rubrica.store.counting.progress import collected
    from rubrica.store.options import options_of
    from rubrica.store.setup.running import state_of
    from rubrica.store.setup.study_items import unreviewed
    from rubrica.store.setup.target_words import counted, is_of_picked_words, unmarked
    from rubrica.store.stages import current_stages
    from rubrica.store.translate import protocol_of, rules_of

    protocol = protocol_of(current_stages(study)[0])
    options = options_of(study)
    names = dict(study.annotators.values_list("pk", "name"))
    work = progress.at_stages(study)
    plain = study.items.given().unplanted()
    planted = dict(models.Planted.objects.filter(item__study=study).values_list("kind").annotate(Count("pk")))

    def stage_json(count: progress.StageCount) -> dict[str, Any]:
        people = sorted((names[pk], did) for pk, did in work.get(count.stage.pk, {}).items())
        return {
            "id": count.stage.key,
            "protocol": protocol_of(count.stage).id,
            "takes": count.stage.takes,
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
    collecting = collected(study)
    words = counted(study) if is_of_picked_words(study) else None
    return {
        "name": study.name,
        "state": state_of(study.stages.all()),
        "protocol": protocol.id,
        "version": protocol.version,
        "hash": protocol.hash,
        "seed": study.seed,
        "authors_from": study.authors_from.name if study.authors_from else "",
        "about": options.about.model_dump(),
        "required": options.profile.required.model_dump(),
        "teams": options.teams,
        "items": plain.count(),
        "groups": plain.exclude(group="").values("group").distinct().count(),
        "gold": planted.get(models.Planted.Kind.GOLD, 0),
        "duplicates": planted.get(models.Planted.Kind.DUPLICATE, 0),
        "unreviewed": unreviewed(study),
        "unmarked": unmarked(study),
        "stages": [stage_json(count) for count in progress.of_stages(stages)],
        **({"collected": collecting._asdict()} if collecting else {}),
        **({"words": {**words._asdict(), "instances": words.instances}} if words else {}),
    }


def _show(study: Study, json: bool) -> None:
    from rubrica.core.signature import protocol_parts, signature
    from rubrica.store.stages import current_stages
    from rubrica.store.translate import protocol_of

    shown = _study_json(study)
    if json:
        parts = protocol_parts(protocol_of(current_stages(study)[0]))
        print_json({"study": shown, "signature": signature({**parts, "study": study.name, "seed": study.seed})})
        return
    print(f"{study.name}: {shown['protocol']} {shown['version']} ({shown['hash'][:12]})")
    for version in dict.fromkeys(stage.protocol_version for stage in current_stages(study) if stage.takes):
        print(
            f"  then {version.protocol_id} {version.version} ({version.hash[:12]}): other people judge what is written"
        )
    if study.authors_from is not None:
        print(f"  joined with {study.authors_from.name}, where the authors come from")
    for name, text in shown["about"].items():
        if text:
            print(f"  {name.replace('_', ' ')}: {text}")
    for system, names in shown["teams"].items():
        print(f"  {system} is judged by others than {', '.join(names)}")
    if who := _who_may(shown["required"]):
        print(f"  who may take part: {who}")
    for stage in shown["stages"]:
        _show_stage(stage)
    if "collected" in shown:
        _show_collected(shown["collected"])
    if shown["groups"]:
        print(f"  {count(shown['items'], 'item')} in {count(shown['groups'], 'group')}, shown together")
    if shown["gold"] or shown["duplicates"]:
        print(
            f"  on top, hidden duplicates: {shown['duplicates']} (for those who have the original); "
            f"gold items: {shown['gold']} (for everyone)"
        )
    if "words" in shown:
        _show_words(shown)
    elif shown["unreviewed"]:
        said = f"{count(shown['unreviewed'], 'item')} for sensitive material"
        print(f"  nobody has reviewed {said}: see the review of the items in the studio")
    if shown["unmarked"]:
        said = f"{count(shown['unmarked'], 'item')} without a mark on the target word"
        print(f"  {said}: rubrica study targets {study.name}")


def _who_may(required: dict[str, Any]) -> str:
    """The requirements as they are written in the command; "" if everybody may take part."""
    said = ["native_speaker"] if required["native_speaker"] else []
    for name, ends in (("age", ("youngest", "oldest")), ("education_years", ("least_education", "most_education"))):
        low, high = ("" if required[end] is None else f"{required[end]:g}" for end in ends)
        said += [f"{name}={low}-{high}"] if low or high else []
    if required["countries"]:
        said.append(f"country={','.join(required['countries'])}")
    return ", ".join(said)


def _show_words(shown: dict[str, Any]) -> None:
    """How far the review of picked words is, and what to do next."""
    words = shown["words"]
    print(
        f"  {count(words['instances'], 'picked word')} of {words['wanted']:,} wanted: {words['accepted']:,} accepted, "
        f"{words['waiting']:,} to look at, {words['replaced']:,} replaced, {words['dropped']:,} dropped; "
        f"{count(words['reserve'], 'context')} in reserve"
    )
    if shown["state"] == "draft":
        print("  a draft: look at the words in the studio (Setup, Review of the items), then launch it there")
        print(f"  or with rubrica study launch {shown['name']}")


def _show_collected(found: dict[str, Any]) -> None:
    """What waits, was handed on and was discarded between those who write and those who judge."""
    skips = f", skipped {count(found['skips'], 'time')}" if found["skips"] else ""
    left = f", {found['left_out']:,} left out by a researcher" if found["left_out"] else ""
    print(
        f"  {count(found['sentences'], 'sentence')}: {found['handed_on']:,} handed on with "
        f"{count(found['texts'], 'text')}, {found['discarded']:,} discarded by writers{left}, "
        f"{found['waiting']:,} waiting{skips}"
    )
    if found["short"]:
        few = f"  fewer than {found['places']} texts: {count(len(found['short']), 'sentence')}: "
        print(few + first_of(found["short"], SHOWN_SHORT))


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
def launch(
    name: Name,
    attest: Annotated[
        list[str] | None,
        typer.Option(
            "--attest",
            metavar="WHAT",
            help="What you say, and is recorded: review (items looked at for sensitive material), ethics; repeatable.",
        ),
    ] = None,
    leave_open: Annotated[bool, typer.Option("--leave-open", help="Launch without saying so, on the record.")] = False,
    consents_read: Annotated[
        list[str] | None,
        typer.Option(
            "--consents-read",
            metavar="LANGUAGES",
            help="Where nobody has reviewed our consent: you read it in these beside the original and answer for it.",
        ),
    ] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Launch a draft: from then on its work is handed out. Of picked words only those that were accepted."""
    open_studies(home)
    from rubrica.exchange.launch import ATTESTED
    from rubrica.exchange.translations import languages
    from rubrica.store.setup import running
    from rubrica.store.studies import find

    said = [one.strip() for text in attest or [] for one in text.split(",")]
    for one in said:
        choose(one, list(ATTESTED), "statement")
    study = find(name)
    read = [one.strip() for text in consents_read or [] for one in text.split(",")]
    for one in read:
        choose(one, languages(), "language")
    if not running.is_draft(study):
        say(f"{name} is no draft: it was launched already, and nothing is changed")
    running.launch(study, now(), "", attested=said, leave_open=leave_open, consents_read=read)
    _show(study, json)


@app.command()
def simulate(
    name: Name,
    annotators: Annotated[int, typer.Option("--annotators", metavar="N", min=1, max=100, help="How many.")] = 10,
    home: Home = None,
    json: Json = False,
) -> None:
    """Let simulated annotators do the work of a launched study, to see what becomes of it. They are marked as such."""
    open_studies(home)
    from rubrica.demo.demonstration import simulate as work
    from rubrica.store.studies import find

    study = find(name)
    made = work(study, annotators, now())
    people = count(annotators, "simulated annotator")
    say(f"{name}: {count(made, 'judgement')} of {people}; they say nothing about the items")
    _show(study, json)


@app.command()
def targets(
    name: Name,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--start", metavar="ROW=N", help="Where the target of a row begins, in characters from 0; repeatable."
        ),
    ] = None,
    leave_out: Annotated[
        str, typer.Option("--leave-out", metavar="ROWS", help="Rows to hand out no more: 7,12, or unmarked for all.")
    ] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Find the target words of a study from before their places were kept; new studies do this by themselves."""
    from rubrica.exchange.target_places import leave_out as left_out

    decided = {**pairs(start or [], "--start"), **left_out(leave_out.split(","))}
    open_studies(home)
    from rubrica.store.setup.target_words import place_again
    from rubrica.store.studies import find

    study = find(name)
    try:
        found = place_again(study, decided, now())
    except InputError as error:
        raise InputError(*(problem.at(file=f"study:{name}") for problem in error.problems)) from error
    say(f"{count(found.placed, 'item')} with a new place, {found.left_out} left out")
    for remark in found.remarks:
        say(f"  note: {remark}")
    _show(study, json)


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
