"""`rubrica protocols`: list, show, check and convert protocols."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, Json, Lang, input_file
from rubrica.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from rubrica.core.errors import Problem
    from rubrica.core.protocol import Protocol

app = typer.Typer(help="The published protocols, and your own.", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_protocols(context: typer.Context, home: Home = None, json: Json = False) -> None:
    """List the protocols that ship with Rubrica. They are the same in every home."""
    if context.invoked_subcommand:
        return
    from rubrica.core.signature import signature
    from rubrica.core.texts import shown
    from rubrica.protocols.catalog import load_shipped, shipped

    known = [load_shipped(name).protocol.resolve({}) for name in shipped()]
    if json:
        print_json({"protocols": [_entry(protocol) for protocol in known], "signature": signature({})})
        return
    print_table(
        ["id", "version", "hash", "languages", "title"],
        [
            [
                protocol.id,
                protocol.version,
                protocol.hash[:12],
                f"{'+'.join(protocol.languages)}"
                + (f" (+{len(protocol.partly_translated)})" if protocol.partly_translated else ""),
                shown(protocol.title, "en"),
            ]
            for protocol in known
        ],
    )
    say("`rubrica protocols show ID` shows one; `rubrica protocols check FILE.yaml` checks your own.")


def _entry(protocol: Protocol) -> dict[str, Any]:
    from rubrica.core.texts import shown

    return {
        "id": protocol.id,
        "version": protocol.version,
        "hash": protocol.hash,
        "title": shown(protocol.title, "en"),
        "family": protocol.family,
        "languages": [*protocol.languages, *protocol.partly_translated],
    }


@app.command()
def show(
    protocol: Annotated[str, typer.Argument(metavar="ID|FILE", help="A protocol's id, or its file.")],
    lang: Lang = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Show what a protocol asks: fields, questions, scales, rules, ways out, verdicts, stages."""
    from rubrica.cli.protocol_text import describe
    from rubrica.core.errors import wrong
    from rubrica.core.signature import protocol_parts, signature
    from rubrica.protocols.catalog import find

    loaded = find(protocol)
    known = [*loaded.protocol.languages, *loaded.protocol.partly_translated]
    if lang and lang.split("-")[0] not in known:
        raise wrong(
            f"{loaded.protocol.id} is not translated into {lang!r}",
            "language",
            f"It has {', '.join(known)}.",
            value=lang,
        )
    if json:
        import json as json_module

        print_json(
            {
                "protocol": json_module.loads(loaded.canonical),
                "hash": loaded.protocol.hash,
                "signature": signature(protocol_parts(loaded.protocol)),
            }
        )
        return
    for line in describe(loaded.protocol.by_default(), lang or loaded.protocol.fallback):
        print(line)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.yaml", help="Protocol files, or folders.")],
    home: Home = None,
    json: Json = False,
) -> None:
    """Check protocol files: every problem as FILE:LINE: message; exit code 1 if there is any."""
    from rubrica.core.errors import InputError
    from rubrica.core.signature import signature
    from rubrica.protocols.loader import load

    problems: list[Problem] = []
    fine: list[Protocol] = []
    for file in files:
        try:
            with input_file(file, ".yaml") as source:
                fine.append(load(source or file).protocol)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    if json:
        print_json({"protocols": [_entry(protocol.resolve({})) for protocol in fine], "signature": signature({})})
        return
    for file, protocol in zip(files, fine, strict=True):
        print(f"{file}: {protocol.id} {protocol.version} is fine ({protocol.hash[:12]})")


@app.command("import-thresh")
def import_thresh(
    template: Annotated[Path, typer.Argument(metavar="TEMPLATE.yml", help="A template of thresh.tools; - is stdin.")],
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE.yaml", help="Where to; - is stdout.")] = "-",
    protocol_id: Annotated[
        str, typer.Option("--id", metavar="ID", help="The protocol's id; default: thresh_ and the template's name.")
    ] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Convert a Thresh template to a protocol file. What it has no place for is kept in the file and named."""
    from rubrica.core.errors import wrong
    from rubrica.core.signature import protocol_parts, signature
    from rubrica.exchange.decoding import decode
    from rubrica.exchange.thresh.template_protocol import convert_template
    from rubrica.protocols.loader import check_text
    from rubrica.protocols.values import ID, MAX_ID

    if json and out == "-":
        raise wrong("--json would mix with the protocol on stdout", "option", "Name a file: -o FILE.", value="--json")
    if protocol_id and not (ID.fullmatch(protocol_id) and len(protocol_id) <= MAX_ID):
        fix = "Use a lower-case letter followed by lower-case letters, digits and _."
        raise wrong(f"{protocol_id!r} cannot be an id", "option", fix, value=protocol_id)
    with input_file(template, ".yml") as source:
        assert source is not None
        if not source.is_file():
            raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(source))
        converted = convert_template(decode(source).replace("\r\n", "\n"), str(source), protocol_id)
    for remark in converted.remarks:
        say(str(remark))
    if out == "-":
        print(converted.text, end="")
        return
    try:
        Path(out).write_text(converted.text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=out) from error
    protocol = check_text(converted.text, out).protocol
    if json:
        remarks = [remark.as_json() for remark in converted.remarks]
        signed = signature(protocol_parts(protocol))
        print_json({"file": out, "protocols": [_entry(protocol)], "remarks": remarks, "signature": signed})
    else:
        say(f"{out}: {protocol.id} {protocol.version} ({protocol.hash[:12]})")
