"""`rubrica edits tag train`: a light model from the edits of a study or a file."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from rubrica.cli.edits.given import Offsets, ProtocolOption, Source, StageOption, TextLang, read_given
from rubrica.cli.options import Home, Json
from rubrica.cli.output import count, print_json, say
from rubrica.cli.writing import output_stream


def train(
    source: Source,
    out: Annotated[str, typer.Option("-o", "--output", metavar="MODEL.json", help="Where to write the model.")],
    lang: TextLang = "en",
    stage: StageOption = "",
    protocol: ProtocolOption = "",
    offsets: Offsets = "utf16",
    home: Home = None,
    json: Json = False,
) -> None:
    """Train a light model on people's edits; it is saved as JSON."""
    from rubrica.edits.tagging.linear import to_json
    from rubrica.edits.tagging.tags import TAGS, examples
    from rubrica.edits.tagging.training import train as fit

    given = read_given([source], home, offsets, protocol)
    pairs = given.stage(stage)
    known = examples(pairs, given.typology, lang)
    tags = Counter(tag for example in known for side in example.tags.values() for tag in side)
    counted = {tag: tags[tag] for tag in reversed(TAGS)}
    signed = given.sign(pairs[0].stage, edits="tag train", language=lang)
    model = fit(known, {"pairs": len(known), "tags": counted, "language": lang, "signature": signed})
    with output_stream(out) as stream:
        stream.write(to_json(model).encode())
    if json:
        result = {"file": out, "pairs": len(known), "words": tags.total(), "tags": counted, "model": model.name}
        print_json({**result, "bad": model.trained["bad"], "signature": signed})
    else:
        parts = ", ".join(f"{number} {tag}" for tag, number in counted.items())
        say(f"{out}: trained on {count(tags.total(), 'word')} of {count(len(known), 'pair')} ({parts})")
        say(f"  {model.on_bad_words}")
