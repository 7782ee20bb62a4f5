"""`rubrica edits suggest` and `rubrica edits fates`: edits suggested to people, and what became of them.

`rubrica edits suggest`: edits of pairs, as somebody would mark them, for people to accept, adjust or reject.

`rubrica edits fates`: what became of the edits that were suggested to annotators.
"""

from __future__ import annotations

import json as json_text
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from rubrica.cli.options import Home, Json, input_file, open_studies, pairs
from rubrica.cli.output import count, output_stream, print_json, print_table, say, track
from rubrica.core.errors import wrong
from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    from rubrica.edits.suggesting.similarity import Meanings
    from rubrica.exchange.pairs import TextPair
    from rubrica.exchange.suggestions import Suggested


def suggest(
    file: Annotated[Path, typer.Argument(metavar="PAIRS", help="A table with source and rewrite, or Thresh JSON.")],
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where to: .jsonl, .json for Thresh; - is stdout.")
    ] = "-",
    mapped: Annotated[
        list[str] | None, typer.Option("--map", metavar="FIELD=COLUMN", help="Which column is source, which rewrite.")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of the texts.")] = "en",
    synonyms: Annotated[
        Path | None,
        typer.Option("--synonyms", metavar="FILE", help="A table without header: words of a row are alike."),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option("--vectors", metavar="FILE", help="Word vectors as text: a word and its numbers a line."),
    ] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Suggest the edits that made each rewrite from its source."""
    writer = _writer(out)
    if json and out == "-":
        raise wrong("--json would mix with the data on stdout", "option", "Name a file: -o FILE.", value="--json")
    from rubrica.core.signature import signature
    from rubrica.edits.suggesting.suggest import suggested_by
    from rubrica.exchange.decoding import digest_of
    from rubrica.exchange.pairs import read_pairs

    with input_file(file) as path:
        assert path is not None
        read = read_pairs(path, pairs(mapped or [], "--map"))
        digest = digest_of(path)
    say(f"{file}: {count(len(read.pairs), 'pair')}, {read.detected}")
    for remark in read.remarks:
        say(remark)
    meanings = _meanings(read.pairs, synonyms, vectors)
    version = suggested_by(meanings)
    counted: Counter[str] = Counter()
    with output_stream(out) as stream:
        writer(_suggested(read.pairs, lang, meanings, counted), stream)
    if json:
        signed = signature({"suggested_by": version, "language": lang, "pairs": digest})
        print_json(_summary(out, read.pairs, counted, version, lang, meanings is None) | {"signature": signed})
    elif out != "-":
        parts = ", ".join(f"{number} {name}" for name, number in sorted(counted.items()))
        say(f"{out}: {count(counted.total(), 'edit')}" + (f" ({parts})" if parts else ""))


def _writer(out: str) -> Callable[[Iterable[Suggested], BinaryIO], None]:
    from rubrica.exchange.suggestions import write_json_lines, write_thresh

    match Path(out).suffix.lower() if out != "-" else ".jsonl":
        case ".jsonl" | ".ndjson" | "":
            return write_json_lines
        case ".json":
            return write_thresh
        case other:
            what = f"suggestions are not written to files ending in {other}"
            raise wrong(what, "format", "Use .jsonl, or .json for Thresh.", file=out, value=other)


def _meanings(found: Sequence[TextPair], synonyms: Path | None, vectors: Path | None) -> Meanings | None:
    from rubrica.edits.suggesting.similarity import Several
    from rubrica.edits.suggesting.words import words_of
    from rubrica.exchange.word_meanings import read_synonyms, read_vectors

    sources: list[Meanings] = [read_synonyms(synonyms)] if synonyms else []
    if vectors:
        words = {word.key for pair in found for text in (pair.source, pair.rewrite) for word in words_of(text)}
        sources.append(read_vectors(vectors, words))
    return Several(sources) if sources else None


def _suggested(
    found: Sequence[TextPair], language: str, meanings: Meanings | None, counted: Counter[str]
) -> Iterator[Suggested]:
    from rubrica.edits.suggesting.suggest import suggest as suggest_edits
    from rubrica.edits.suggesting.suggest import suggested_by
    from rubrica.exchange.suggestions import Suggested

    for pair in track(found, "Suggesting", len(found)):
        edits = suggest_edits(pair.source, pair.rewrite, language, meanings)
        counted.update(edit.operation for edit in edits)
        yield Suggested(pair, edits, suggested_by(meanings), language)


def _summary(
    out: str, found: Sequence[TextPair], counted: Counter[str], version: str, language: str, nothing_known: bool
) -> dict[str, Any]:
    absent = Statistic(None, "neither --synonyms nor --vectors was given, and Rubrica ships none").as_json()
    return {
        "file": out,
        "pairs": len(found),
        "edits": counted.total(),
        "operations": {name: counted[name] for name in ("deletion", "insertion", "substitution", "reorder", "split")},
        "suggested_by": version,
        "language": language,
        "meanings": absent if nothing_known else {"value": version.partition("+")[2]},
    }


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
