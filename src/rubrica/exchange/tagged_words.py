"""Tagged words as files: JSON lines, one pair a line, or a table with a row for each word."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rubrica.core.edits import SIDES
from rubrica.core.errors import wrong
from rubrica.core.json_text import parse_json
from rubrica.edits.tagging.linear import LinearTagger, from_json
from rubrica.edits.tagging.tags import TAGS, Pair, Tagged
from rubrica.exchange.decoding import decode

COLUMNS = ("id", "system", "side", "word", "start", "end", "tag", *TAGS)


def write_tags_as_json_lines(tagged: Iterable[tuple[Pair, Tagged]], made_by: str, out: BinaryIO) -> int:
    """A line for each pair, with its words on both sides. Returns how many words were written."""
    words = 0
    for pair, found in tagged:
        record: dict[str, Any] = {"id": pair.name, "system": pair.system, "tagged_by": made_by}
        for side in SIDES:
            record[side] = pair.text(side)
            record[f"{side}_words"] = list(_words(pair, found, side))
            words += len(found[side])
        line = {key: value for key, value in record.items() if value != ""}
        out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return words


def write_tags_as_table(tagged: Iterable[tuple[Pair, Tagged]], made_by: str, out: BinaryIO) -> int:
    """A row for each word, as CSV."""
    words = 0
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for pair, found in tagged:
        for side in SIDES:
            for word in _words(pair, found, side):
                writer.writerow({"id": pair.name, "system": pair.system, "side": side, **word})
                words += 1
    text.detach()
    return words


def _words(pair: Pair, found: Tagged, side: str) -> Iterator[dict[str, Any]]:
    text = pair.text(side)
    for token in found[side]:
        span = token.span
        yield {"word": span.of(text), "start": span.start, "end": span.end, "tag": token.tag, **token.likely}


def read_model(path: Path) -> LinearTagger:
    """A trained model. Raises InputError if the file is none."""
    if not path.is_file():
        fix = "Train one: rubrica edits tag train FILE|STUDY -o MODEL.json."
        raise wrong("there is no such model", "file", fix, file=str(path))
    try:
        return from_json(parse_json(decode(path)))
    except ValueError as error:
        fix = "Give a file that `rubrica edits tag train` wrote."
        raise wrong(f"this is no model: {error}", "model", fix, file=str(path)) from error
