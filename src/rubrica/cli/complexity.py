"""`rubrica complexity`: a baseline that learns from a released file how complex words are, and says why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Bootstrap, Home, Json
from rubrica.cli.output import count, output_stream, print_json, say
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.exchange.lexical_files import LexicalFile
    from rubrica.rewriting.lexical.complexity import Instance, Model

app = typer.Typer(help="How complex words are: a baseline.", no_args_is_help=True, rich_markup_mode=None)
Labelled = Annotated[
    Path, typer.Argument(metavar="FILE", help="Words with their complexity: a file of MLSP or CompLex.")
]
Language = Annotated[str, typer.Option("--lang", metavar="CODE", help="Language, if the file does not say it.")]


@app.callback()
def complexity() -> None:
    """Train a baseline of lexical complexity, use it, and see how good it is."""


@app.command("train")
def train(
    file: Labelled,
    out: Annotated[str, typer.Option("-o", "--output", metavar="MODEL", help="Where the model goes.")],
    language: Language = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Train on words with their complexity, and save the model as JSON."""
    from rubrica.rewriting.lexical.complexity import FEATURES
    from rubrica.rewriting.lexical.complexity import train as trained

    found = _read(file, language)
    model = trained(found.instances, found.values, found.language, data=found.file.digest)
    with output_stream(out) as stream:
        stream.write(model.dumps().encode())
    weights = dict(sorted(zip(model.names, model.weights, strict=True), key=lambda one: -abs(one[1])))
    if json:
        print_json({"file": out, "weights": weights, "instances": model.instances, "signature": _signed(model)})
        return
    say(f"{out}: {count(model.instances, 'word')} of {found.language}, penalty {model.penalty:g}")
    for name, weight in weights.items():
        say(f"  {weight:+.3f} {name}: {FEATURES[name]}")
    if not model.frequencies:
        say("done without: there are no word frequencies for this language")


@app.command("predict")
def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What `rubrica complexity train` wrote.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Contexts and targets, in any layout that has them.")],
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - is stdout.")] = "-",
    explain: Annotated[bool, typer.Option("--explain", help="What each feature adds, on stderr or in JSON.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Predict the complexity of words: a file as `rubrica evaluate lcp` takes it."""
    from rubrica.exchange.decoding import decode
    from rubrica.exchange.lexical_files import language_of, read
    from rubrica.rewriting.lexical.complexity import Instance, loads

    if not model.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(model))
    known = loads(decode(model), str(model))
    rows = read(file, scores=False, labelled=False).rows
    for language in sorted({language_of(file, row) for row in rows} - {""}):
        known.check_language(language)
    found = [known.explain(Instance(row.context, row.target)) for row in rows]
    names = [row.id or f"{known.language}_{number}" for number, row in enumerate(rows, start=1)]
    if json:
        items = [
            {
                "id": name,
                "target": row.target,
                "complexity": one.value,
                "mean": one.mean,
                "adds": {part.feature: part.adds for part in one.parts},
            }
            for name, row, one in zip(names, rows, found, strict=True)
        ]
        print_json({"items": items, "signature": _signed(known)})
        return
    lines = [
        "\t".join([name, row.language or known.language, row.context, row.target, repr(round(one.value, 6))])
        for name, row, one in zip(names, rows, found, strict=True)
    ]
    with output_stream(out) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    if explain:
        for row, one in zip(rows, found, strict=True):
            parts = ", ".join(f"{part.feature} {part.adds:+.3f} ({part.value:.2f})" for part in one.parts[:4])
            say(f"{row.target.strip()}: {one.value:.3f} = mean {one.mean:.3f}, {parts}, …")


@app.command("evaluate")
def evaluate(
    file: Labelled,
    language: Language = "",
    folds: Annotated[int, typer.Option("--folds", metavar="N", min=2, help="Parts, by context.")] = 10,
    bootstrap: Bootstrap = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the resamples.")] = 0,
    home: Home = None,
    json: Json = False,
    form: Format = "text",
) -> None:
    """Cross-validate the baseline beside the plain frequency of words, with intervals."""
    import numpy as np

    from rubrica.core.signature import signature
    from rubrica.report.leaderboard import Choices, board_table, complexity_board
    from rubrica.rewriting.lexical.complexity import FREQUENCY_ONLY, MANY, cross_validated

    check_form(form)
    found = _read(file, language)
    given = (found.instances, found.values, found.language, folds)
    own = {"baseline": np.array(cross_validated(*given))}
    if found.has_frequencies:
        own["frequency only"] = np.array(cross_validated(*given, only=FREQUENCY_ONLY))
    board = complexity_board(
        np.array(found.values), own, found.language, Choices(by="pearson", replicates=bootstrap, seed=seed)
    )
    parts = {"complexity": "cross-validated", "folds": folds, "bootstrap": bootstrap, "seed": seed}
    signed = signature({**parts, "data": found.file.digest})
    if json:
        print_json({**board.as_json(), "signature": signed})
        return
    print_tables([board_table(board, f"Cross-validated on {file.name}", signed)], form)
    if len(found.values) < MANY:
        say(f"{len(found.values)} words can tell what works at all from what does not; they rarely rank two methods")
    spread = float(np.std(found.values))
    for name, predicted in own.items():
        if np.std(predicted) < spread / 4:
            what = "its predictions hardly differ, so that it learned next to nothing and its correlation is of chance"
            say(f"{name}: {what}, which is often below 0 where words are left out in turn")


class _Read:
    """Words with their complexity, of one language."""

    def __init__(self, file: LexicalFile, language: str, instances: list[Instance], values: list[float]) -> None:
        self.file, self.language, self.instances, self.values = file, language, instances, values

    @property
    def has_frequencies(self) -> bool:
        """Whether the language has a list."""
        from rubrica.language.frequency import table

        return table(self.language) is not None


def _read(path: Path, language: str) -> _Read:
    from rubrica.exchange.lexical_files import language_of, read
    from rubrica.language.names import language_code
    from rubrica.rewriting.lexical.complexity import Instance

    file = read(path, scores=True)
    rows = [row for row in file.rows if row.target]
    if not rows:
        raise wrong("this file has no words, only scores", "layout", "Give one with contexts.", file=str(path))
    asked = language_code(language) if language else ""
    languages = {language_of(path, row) or asked for row in rows}
    if asked in languages:
        rows = [row for row in rows if (language_of(path, row) or asked) == asked]
    elif len(languages) != 1 or asked or "" in languages:
        told = ", ".join(sorted(filter(None, languages))) or "none that is told"
        what = f"the file has {told}, and the model is for one language"
        raise wrong(what, "language", "Name the language with --lang.", file=str(path), value=language)
    code = asked or languages.pop()
    values = [row.score for row in rows if row.score is not None]
    return _Read(file, code, [Instance(row.context, row.target) for row in rows], values)


def _signed(model: Model) -> str:
    from rubrica.core.signature import signature

    parts: dict[str, Any] = {"complexity": "ridge", "language": model.language, "frequencies": model.frequencies}
    return signature({**parts, "data": model.data, "instances": model.instances, "penalty": model.penalty})
