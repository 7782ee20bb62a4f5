"""`rubrica edits fates`: what became of the edits that were suggested to annotators."""

from __future__ import annotations

import json as json_text
from collections import Counter
from typing import Annotated

import typer

from rubrica.cli.options import Home, Json, open_studies
from rubrica.cli.output import count, print_json, print_table, say
from rubrica.cli.writing import output_stream


def fates(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The study.")],
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Write every suggestion here, one JSON object a line.")
    ] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Count suggested edits that annotators accepted, adjusted, rejected or ignored, by operation."""
    open_studies(home)
    from rubrica.store import studies
    from rubrica.store.models import SuggestionFate
    from rubrica.store.recording import suggestions

    fates = SuggestionFate.Fate.values
    found = list(suggestions.fates(studies.find(name)))
    if out:
        with output_stream(out) as stream:
            for one in found:
                stream.write(json_text.dumps(one._asdict(), ensure_ascii=False).encode() + b"\n")
    counted = Counter((one.operation, one.fate) for one in found)
    operations = list(dict.fromkeys(one.operation for one in found))
    together = Counter(one.operation for one in found if one.together)
    table = {
        operation: {fate: counted[operation, fate] for fate in fates} | {"together": together[operation]}
        for operation in operations
    }
    engines = sorted({one.engine for one in found})
    if json:
        print_json({"suggestions": len(found), "operations": table, "suggested_by": engines})
        return
    if not found:
        say(f"{name}: no edits were suggested in a submitted judgement")
        return
    rows = [[operation, *table[operation].values()] for operation in operations]
    print_table(["operation", *fates, "together"], rows)
    say(f"{count(len(found), 'suggestion')} by {', '.join(engines)}")
    if out and out != "-":
        say(out)
