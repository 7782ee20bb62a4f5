"""One style for the undefined in `--json`: `{"value": null, "reason": "…"}`, whatever command computed the figure.

A row that is about one figure is such an object itself. The data here leave something undefined in every command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import write_pairs

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
NO_FIGURES = ("dataset", "system")
"""Keys of `correlate` whose null says that a row is about all of them together."""
ONE_RATER = "unit,rater,who,sys,set,score,label\n1,a,x,s,d,3,yes\n2,a,x,t,d,3,yes\n3,a,x,t,e,4,yes\n"
NO_VARIATION = "unit,rater,who,sys,set,score,label\n" + "".join(
    f"{unit},{rater},{'xy'[place]},{'st'[unit % 2]},d,3,yes\n" for unit in range(6) for place, rater in enumerate("ab")
)
NOTHING_SHARED = "unit,rater,who,sys,set,score,label\n1,a,x,s,d,3,yes\n2,b,y,t,d,4,no\n"
TABLES = {"one rater": ONE_RATER, "no variation": NO_VARIATION, "nothing shared": NOTHING_SHARED}
LAYOUT = ("--unit", "unit", "--rater", "rater", "--value", "score,label", "--system", "sys", "--dataset", "set")
SCORES = "unit,bleu,length\n1,20,5\n2,20,4\n3,20,3\n"


def bare(value: Any, path: str = "", key: str = "") -> Iterator[str]:
    """Where a null stands without its reason."""
    if isinstance(value, dict):
        for name, part in value.items():
            told = name == "value" and bool(value.get("reason"))
            if part is None and not told and name not in NO_FIGURES:
                yield f"{path}.{name}"
            yield from bare(part, f"{path}.{name}", name)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([f"{path}[{place}]"] if part is None else bare(part, f"{path}[{place}]", key))


def undefined(value: Any) -> int:
    """How many figures are undefined, in the one style."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = isinstance(value, dict) and "value" in value and value["value"] is None
    return own + sum(map(undefined, parts))


def no_number(text: str) -> NoReturn:
    """Refuse NaN and infinity, which are no JSON."""
    raise AssertionError(f"{text} is no JSON")


def walked(ran: Ran) -> Any:
    """What a command printed, after every null in it was found to have its reason."""
    assert ran.code == 0, ran.err
    printed = json.loads(ran.out, parse_constant=no_number)
    assert list(bare(printed)) == []
    return printed


PARTS = ("--per", "rater,pair,system,dataset,group,kind", "--group", "who", "--disputed", "2")
COMMANDS: dict[str, tuple[str, ...]] = {
    "agree": ("agree", "{}", *LAYOUT, "--measure", "all", *PARTS),
    "agree without resamples": ("agree", "{}", *LAYOUT, "--bootstrap", "0"),
    "agree over raters": ("agree", "{}", *LAYOUT, "--measure", "alpha,icc", "--over", "raters"),
    "check": ("check", "{}", *LAYOUT, "--gold", "score,label"),
    "aggregate": ("aggregate", "{}", *LAYOUT),
    "aggregate by median": ("aggregate", "{}", *LAYOUT, "--method", "median"),
    "aggregate by z-scores": ("aggregate", "{}", *LAYOUT, "--method", "zscore"),
    "aggregate by majority": ("aggregate", "{}", *LAYOUT, "--method", "majority"),
    "aggregate by a model": ("aggregate", "{}", *LAYOUT, "--method", "dawid_skene"),
    "compare": ("compare", "{}", *LAYOUT, "--bootstrap", "50", "--mixed"),
    "compare without resamples": ("compare", "{}", *LAYOUT, "--bootstrap", "0"),
    "plan": ("plan", "{}", *LAYOUT, "--simulations", "20", "--items", "4", "--raters", "2"),
    "correlate": ("correlate", "--ratings", "{}", *LAYOUT, "--scores", "scores.csv", "--bootstrap", "20"),
}
DEFINED = ("aggregate by majority",)
"""Where nothing is undefined after all."""


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_undefined_figure_has_its_reason(
    rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, table: str
) -> None:
    """With too little to compute from, each command prints figures without a value, each with its reason."""
    monkeypatch.chdir(tmp_path)
    Path("ratings.csv").write_text(TABLES[table])
    Path("scores.csv").write_text(SCORES)
    printed = walked(rubrica(*(part.format("ratings.csv") for part in COMMANDS[command]), "--json"))
    assert undefined(printed) or command in DEFINED


def test_rows_of_agreement(rubrica: Rubrica, tmp_path: Path) -> None:
    """A row's own figure is null with its reason beside it; the ends of its interval are objects with theirs."""
    (tmp_path / "r.csv").write_text(NO_VARIATION)
    ran = rubrica("agree", tmp_path / "r.csv", *LAYOUT, "--measure", "alpha,percent", "--per", "rater", "--json")
    alpha, percent = [row for row in ran.json["results"] if row["question"] == "label"]
    assert list(alpha) == [
        *("question", "measure", "level", "value", "reason", "low", "high", "units", "raters", "pairable")
    ]
    why = {"value": None, "reason": alpha["reason"]}
    assert (alpha["value"], alpha["low"], alpha["high"]) == (None, why, why)
    assert (percent["value"], "reason" in percent) == (1.0, False)
    assert ran.json["per_rater"][0]["without"] == {"value": None, "reason": "there is one rater only"}


def test_reliability_without_an_expert(rubrica: Rubrica) -> None:
    """Nobody is named as the expert: every share is undefined, with the reason."""
    layout = ("--unit", "dataset,text,system", "--rater", "rater", "--system", "system", "--dataset", "dataset")
    file = DOCS / "examples" / "systems" / "ratings.csv"
    printed = walked(rubrica("reliability", file, *layout, "--protocol", "split_rate", "--value", "correct", "--json"))
    assert undefined(printed)


@pytest.mark.parametrize("judged", [0, 1])
def test_the_numbers_of_a_report(rubrica: Rubrica, tmp_path: Path, judged: int) -> None:
    """results.json, which the API hands out as well, keeps the style with nothing judged, and with one judgement."""
    items = write_pairs(tmp_path / "i.csv", 2)
    rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", items, "--map", "reference=source")
    if judged:
        said = {"item": "p1", "annotator": "ana", "answers": {"content_preservation": 5, "fluency": 5}}
        (tmp_path / "j.jsonl").write_text(json.dumps(said) + "\n")
        assert rubrica("import", "s", tmp_path / "j.jsonl").code == 0
    walked(rubrica("report", "s", "-o", tmp_path / "report", "--no-charts", "--bootstrap", "20", "--json"))
    numbers = json.loads((tmp_path / "report" / "results.json").read_text(), parse_constant=no_number)
    assert list(bare(numbers)) == []
    assert undefined(numbers)


def test_metrics_and_edits(rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`score` and what there is about edits keep the style, too: one sentence, one annotator, no edit."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "src": "One cat sat.\n",
        "out": "A cat sat.\n",
        "other": "A cat.\n",
        "ref": "A cat sat.\n",
    }.items():
        Path(f"{name}.txt").write_text(text)
    files = ("--source", "src.txt", "--rewrite", "out.txt", "--rewrite", "other.txt", "--references", "ref.txt")
    walked(rubrica("score", *files, "--metrics", "sari,bleu,fkgl", "--json"))
    Path("e.json").write_text('[{"source": "One cat sat.", "target": "A cat sat.", "edits": []}]')
    for command in ("summary", "agree", "score"):
        walked(rubrica("edits", command, "e.json", "--json"))
    annotated = DOCS / "examples" / "edits" / "annotated.json"
    walked(rubrica("edits", "tag", "evaluate", annotated, "--folds", "3", "--bootstrap", "0", "--json"))
    walked(rubrica("edits", "summary", annotated, "--by", "system", "--json"))
