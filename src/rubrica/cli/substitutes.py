"""`rubrica substitutes`: a baseline that finds simpler words in a thesaurus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Home, Json
from rubrica.cli.output import count, output_stream, print_json, say, track
from rubrica.cli.splitting import ParserName
from rubrica.core.errors import wrong


def substitutes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Contexts and targets, in any layout that has them.")],
    language: Annotated[
        str, typer.Option("--lang", metavar="CODE", help="Language, if the file does not say it.")
    ] = "",
    thesaurus: Annotated[
        list[Path] | None,
        typer.Option("--thesaurus", metavar="PATH", help="WordNet's folder or a .dat of MyThes (default: installed)."),
    ] = None,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="Substitutes of a word.")] = 10,
    phrases: Annotated[bool, typer.Option("--phrases", help="Also several words for one.")] = False,
    parser: ParserName = "",
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - is stdout.")] = "-",
    home: Home = None,
    json: Json = False,
) -> None:
    """Find simpler words for targets in a thesaurus: a file as `rubrica evaluate ls` takes it."""
    from rubrica.core.signature import signature
    from rubrica.exchange.lexical_files import language_of, read
    from rubrica.language.names import language_code
    from rubrica.rewriting.lexical.substitutes import Finder
    from rubrica.rewriting.lexical.thesaurus import thesauri

    found = read(file, scores=False, labelled=False)
    told = {language_of(file, row) for row in found.rows} - {""}
    if not language and len(told) != 1:
        what = f"the language is not clear: {', '.join(sorted(told)) or 'the file does not say it'}"
        raise wrong(what, "language", "Name it with --lang.", file=str(file))
    code = language_code(language) if language else told.pop()
    source = thesauri(language or code, thesaurus or [])[0]
    finder = Finder(code, source, parser, single=not phrases)
    rows = [
        (row, finder.find(row.context, row.target, most=most)) for row in track(found.rows, "Words", len(found.rows))
    ]
    parts = {"substitutes": source.name, "language": code, "most": most, "parser": finder.parser}
    signed = signature({**parts, "data": found.digest})
    without = list(finder.without())
    if json:
        items = [
            {
                "context": row.context,
                "target": row.target,
                "substitutes": [{"word": one.word, "score": one.score, "why": one.why()} for one in own],
            }
            for row, own in rows
        ]
        print_json({"items": items, "without": without, "signature": signed})
        return
    lines = ("\t".join([row.context, row.target, *(one.word for one in own)]) for row, own in rows)
    with output_stream(out) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    none = [row.target.strip() for row, own in rows if not own]
    say(f"{source.name}: {count(len(rows), 'word')}, {len(none):,} without a substitute")
    for text in without:
        say(f"done without: {text}")
