"""`rubrica edits tag`: good, ok or bad for every word of new pairs; commands below it train and test a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from rubrica.cli.edits import tag_train
from rubrica.cli.edits.given import TextLang
from rubrica.cli.edits.tag_train import tagger_of
from rubrica.cli.options import Json, input_file, pairs
from rubrica.cli.output import count, output_stream, print_json, say, track
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubrica.edits.tagging.tags import Pair, Tagged, Tagger

DEFAULT = "run"


class TagGroup(TyperGroup):
    """`edits tag PAIRS` means `edits tag run PAIRS`; a file that is called like a command is written ./train."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] != "--help" and args[0] not in self.commands:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    help="Tag words as good, ok or bad: edits tag PAIRS --model MODEL.",
    cls=TagGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("train")(tag_train.train)
app.command("evaluate")(tag_train.evaluate)


@app.command(DEFAULT)
def run(
    file: Annotated[Path, typer.Argument(metavar="PAIRS", help="A table with source and rewrite, or Thresh JSON.")],
    model: Annotated[
        str, typer.Option("--model", metavar="MODEL|lens-salsa", help="A model that was trained, or LENS-SALSA.")
    ],
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where to: .jsonl or .csv; - is stdout.")
    ] = "-",
    mapped: Annotated[
        list[str] | None, typer.Option("--map", metavar="FIELD=COLUMN", help="Which column is source, which rewrite.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="The weights of LENS-SALSA.")
    ] = None,
    lang: TextLang = "en",
    json: Json = False,
) -> None:
    """Tag every word of new pairs as good, ok or bad."""
    writer = _writer(out)
    if json and out == "-":
        raise wrong("--json would mix with the data on stdout", "option", "Name a file: -o FILE.", value="--json")
    tagger = tagger_of(model, checkpoint)
    from rubrica.core.signature import signature
    from rubrica.edits.tagging.tags import TAGS, Pair
    from rubrica.exchange.decoding import digest_of
    from rubrica.exchange.pairs import read_pairs

    with input_file(file) as path:
        assert path is not None
        read = read_pairs(path, pairs(mapped or [], "--map"))
        digest = digest_of(path)
    given = [
        Pair(name=one.id, source=one.source, rewrite=one.rewrite, system=one.system, language=lang)
        for one in read.pairs
    ]
    counted = dict.fromkeys(reversed(TAGS), 0)
    with output_stream(out) as stream:
        words = writer(_counted(tagger, given, counted), tagger.name, stream)
    if json:
        signed = signature({"edits": "tag", "language": lang, "model": tagger.name, "pairs": digest})
        print_json({"file": out, "pairs": len(given), "words": words, "tags": counted, "signature": signed})
    elif out != "-":
        parts = ", ".join(f"{number} {tag}" for tag, number in counted.items())
        say(f"{out}: {count(words, 'word')} of {count(len(given), 'pair')} ({parts})")
    on_bad_words = getattr(tagger, "on_bad_words", "")
    if on_bad_words:
        say(f"{tagger.name}: {on_bad_words}")


def _counted(tagger: Tagger, given: Sequence[Pair], counted: dict[str, int]) -> Iterator[tuple[Pair, Tagged]]:
    found = track(tagger.tag(given), "Tagging", len(given))
    for pair, tagged in zip(given, found, strict=True):
        for tokens in tagged.values():
            for token in tokens:
                counted[token.tag] += 1
        yield pair, tagged


def _writer(out: str) -> Any:
    from rubrica.exchange.tagged_words import write_tags_as_json_lines, write_tags_as_table

    match Path(out).suffix.lower() if out != "-" else ".jsonl":
        case ".jsonl" | ".ndjson":
            return write_tags_as_json_lines
        case ".csv":
            return write_tags_as_table
        case other:
            what = f"tags are not written to files ending in {other or 'nothing'}"
            raise wrong(what, "format", "Use .jsonl or .csv.", file=out, value=other)
