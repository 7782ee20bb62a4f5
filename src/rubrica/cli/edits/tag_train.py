"""`rubrica edits tag train` and `rubrica edits tag evaluate`: a light model, and how good its tags are.

Which tagger `--model` names: LENS-SALSA, or a model that was trained here.

`rubrica edits tag evaluate`: how good tags are on sentences and systems that training did not see.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.edits.given import Offsets, ProtocolOption, Source, StageOption, TextLang, read_given
from rubrica.cli.options import Bootstrap, Home, Json
from rubrica.cli.output import count, output_stream, print_json, print_table, say
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubrica.edits.tagging.evaluation import Learn
    from rubrica.edits.tagging.tags import Tagger
    from rubrica.report.tag_evaluation import TagQuality
    from rubrica.stats.bootstrap import Interval
    from rubrica.stats.statistic import Statistic


LENS = "lens-salsa"


def tagger_of(model: str, checkpoint: Path | None) -> Tagger:
    """The tagger of that name or file. Raises InputError if it is not here."""
    if model == LENS:
        from rubrica.edits.tagging.lens_salsa import load_lens_salsa

        return load_lens_salsa(checkpoint)
    if checkpoint:
        raise wrong("--checkpoint is for LENS-SALSA", "option", f"Add --model {LENS}.", value=str(checkpoint))
    from rubrica.exchange.tagged_words import read_model

    return read_model(Path(model))


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


BASELINE = "diff"
"""What the others must beat."""


def evaluate(
    source: Source,
    model: Annotated[
        str,
        typer.Option("--model", metavar="MODEL|lens-salsa", help="Test this model as it is, instead of training anew."),
    ] = "",
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="The weights of LENS-SALSA.")
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", metavar="N", min=2, help="Parts into which sentences are divided.")
    ] = 10,
    bootstrap: Bootstrap = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes parts and intervals repeatable.")] = 0,
    lang: TextLang = "en",
    stage: StageOption = "",
    protocol: ProtocolOption = "",
    offsets: Offsets = "utf16",
    home: Home = None,
    json: Json = False,
) -> None:
    """Token F1 of the light model on held-out sentences and systems, next to a majority and a diff baseline."""
    from rubrica.edits.tagging.evaluation import hold_out, sentence_folds, system_folds
    from rubrica.edits.tagging.tags import examples
    from rubrica.report.tag_evaluation import tag_quality

    given = read_given([source], home, offsets, protocol)
    pairs = given.stage(stage)
    known = examples(pairs, given.typology, lang)
    if len({example.pair.source for example in known}) < 2:
        fix = "Give more sentences: some are trained on, the others tested."
        raise wrong("there is only one sentence", "evaluation", fix, value=1)
    ways = _ways(model, checkpoint)
    found: dict[str, list[TagQuality]] = {}
    for held_out, parts in (("sentences", sentence_folds(known, folds, seed)), ("systems", system_folds(known))):
        counted = {name: hold_out(name, learn, parts) for name, learn in ways.items()} if len(parts) > 1 else {}
        found[held_out] = [
            tag_quality(one, counted[BASELINE], replicates=bootstrap, seed=seed) for one in counted.values()
        ]
    signed = given.sign(
        pairs[0].stage, edits="tag evaluate", language=lang, model=model, folds=folds, bootstrap=bootstrap, seed=seed
    )
    if json:
        results = [_as_json(held_out, row) for held_out, rows in found.items() for row in rows]
        print_json({"results": results, "signature": signed})
        return
    for held_out, rows in found.items():
        if rows:
            print(f"on {held_out} that training did not see: {rows[0].pairs} pairs, {rows[0].words:,} words")
            _print(rows)


def _ways(model: str, checkpoint: Path | None) -> dict[str, Learn]:
    """Ways of tagging: the two baselines and the light model, or the model that was named."""
    from rubrica.edits.tagging.evaluation import diff, majority, predicting

    baselines: dict[str, Learn] = {"majority": majority, "diff": diff}
    if not model:
        from rubrica.edits.tagging.training import train

        return {**baselines, "light model": lambda seen: predicting(train(seen))}
    tagger = tagger_of(model, checkpoint)
    return {**baselines, tagger.name: lambda seen: predicting(tagger)}


def _as_json(held_out: str, row: TagQuality) -> dict[str, Any]:
    return {
        "held_out": held_out,
        "tagger": row.name,
        "f1": {tag: row.f1[tag].as_json() for tag in ("good", "ok", "bad")},
        "macro_f1": row.macro_f1.as_json(),
        "low": row.interval.low.as_json(),
        "high": row.interval.high.as_json(),
        "over_diff": {
            "macro_f1": row.gain.as_json(),
            "low": row.gain_interval.low.as_json(),
            "high": row.gain_interval.high.as_json(),
        },
        "pairs": row.pairs,
        "words": row.words,
    }


def _print(rows: Sequence[TagQuality]) -> None:
    shown = [
        (
            row.name,
            *(_shown(row.f1[tag]) for tag in ("good", "ok", "bad")),
            _shown(row.macro_f1),
            _range(row.interval),
            "" if row.name == BASELINE else _shown(row.gain, "+.3f"),
            "" if row.name == BASELINE else _range(row.gain_interval),
        )
        for row in rows
    ]
    print_table(["F1 of words", "good", "ok", "bad", "mean", "95 %", "over diff", "95 %"], shown)
    print()


def _range(interval: Interval) -> str:
    return f"{_shown(interval.low)} to {_shown(interval.high)}"


def _shown(statistic: Statistic, form: str = ".3f") -> str:
    return "-" if statistic.value is None else format(statistic.value, form)
