"""Blind readings of the splitters: items for readers who know no system, and their ratings as a study.

    RUBRICA_DATA=… python -m benchmarks.split_reading make FOLDER
    RUBRICA_DATA=… python -m benchmarks.split_reading fresh FOLDER CLAUSES NUMBER SEED
    python -m benchmarks.split_reading count FOLDER

``make`` writes items.jsonl (id, source, rewrite, shuffled) and key.json (which systems wrote each) for the sentences
that split_last_reading.tsv names: the three models, the source as it stands, and for Wiki-BM one human rewrite drawn
by a seed. ``fresh`` does so for NUMBER sentences of WikiSplit, drawn from the last quarter of those that no model was
trained on, with the editors' rewrites, and for the clauses in the file CLAUSES, one a line. Equal outputs are one
item. The answers of readers go into ratings-NAME.jsonl, one line an item: id, sensible and grammatical (0 to 5),
missing, new, wrong_split and not_enough (true or false). ``count`` makes a `split_rate` study of them in FOLDER/home,
imports ratings-*.jsonl (one file a reader), and lets `rubrica compare` and `rubrica report` make the tables. Nothing
of the sentences is kept here.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.prepare.sentences import AS_PAPER, choose
from rubrica.rewriting.split.models import MODELS, split

SEED = 20261118
KEPT = Path(__file__).with_name("split_last_reading.tsv")
WIKI, CONTRACTS, EDITORS = "wiki_bm_dev.tsv", "contract_clauses_200.txt", "wikisplit_10000.tsv"
UNREAD = 250
"""The last lines of WikiSplit, not trained on, of whose outputs those who changed the splitter saw none."""
ANSWERS = {"missing": "missing_facts", "new": "new_facts", "wrong_split": "wrong_split", "not_enough": "further_split"}
"""How readers' files name the questions, and how the protocol does."""


class Source(NamedTuple):
    """A sentence that was kept for the last reading, and what people made of it."""

    name: str
    dataset: str
    text: str
    human: str = ""


def kept(folder: Path, drawn: Path = KEPT) -> list[Source]:
    """The sentences that were drawn, each with a human rewrite if it has one. Raises ValueError if a line differs."""
    rng = random.Random(SEED)
    wiki = [line.split("\t") for line in (folder / WIKI).read_text(encoding="utf-8").splitlines()]
    clauses = (folder / CONTRACTS).read_text(encoding="utf-8").splitlines()
    found = []
    for row in csv.DictReader(drawn.open(encoding="ascii"), delimiter="\t"):
        line = int(row["line"])
        text = wiki[line - 1][0] if row["file"] == WIKI else clauses[line - 1]
        if hashlib.sha256(text.encode()).hexdigest()[:12] != row["sha256"]:
            raise ValueError(f"{row['file']}, line {line}: not the sentence that was drawn")
        if row["file"] == WIKI:
            rewrites = [" ".join(each[1].split()) for each in wiki[1:] if each[0] == text]
            found.append(Source(f"wiki-{line}", "wikipedia", text, rng.choice(rewrites)))
        else:
            found.append(Source(f"clause-{line}", "contracts", text))
    return found


def fresh(folder: Path, clauses: Path, number: int, seed: int) -> list[Source]:
    """Sentences of WikiSplit that pass the paper's filter, with what the editor made of each, and all given clauses."""
    lines = (folder / EDITORS).read_text(encoding="utf-8").splitlines()[-UNREAD:]
    pairs = [[_closed(text) for text in line.split("\t")[:2]] for line in lines]
    drawn = choose(enumerate(pair[0] for pair in pairs), AS_PAPER, number, seed).sample
    found = [Source(f"wikisplit-{line}", "wikipedia", text, pairs[line][1]) for line, text in drawn]
    legal = [line.strip() for line in clauses.read_text(encoding="utf-8").splitlines() if line.strip()]
    return found + [Source(f"clause-{number}", "contracts", text) for number, text in enumerate(legal)]


def _closed(text: str) -> str:
    """A line of WikiSplit with its signs close to the words, the mark between sentences taken out."""
    return re.sub(r" ([,.;:!?)])", r"\1", " ".join(text.replace("<::::>", " ").split()))


def make(folder: Path, sources: Sequence[Source]) -> int:
    """Write the items and the key; how many items there are."""
    outputs = {model: [done.text for done in split([one.text for one in sources], model)] for model in MODELS}
    outputs["source"] = [one.text for one in sources]
    outputs["human"] = [one.human for one in sources]
    items: list[tuple[Source, str, list[str]]] = []
    for at, source in enumerate(sources):
        said: dict[str, list[str]] = {}
        for system, texts in outputs.items():
            if texts[at]:
                said.setdefault(texts[at], []).append(system)
        items += [(source, text, systems) for text, systems in said.items()]
    random.Random(SEED).shuffle(items)
    folder.mkdir(parents=True, exist_ok=True)
    key = {}
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        for number, (source, text, systems) in enumerate(items):
            name = f"i{number:03}"
            key[name] = {"sentence": source.name, "dataset": source.dataset, "systems": systems}
            file.write(json.dumps({"id": name, "source": source.text, "rewrite": text}, ensure_ascii=False) + "\n")
    (folder / "key.json").write_text(json.dumps(key, indent=0), encoding="utf-8")
    return len(items)


def count(folder: Path) -> None:
    """Make the study, import the ratings, print and write the tables."""
    key = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    items = {row["id"]: row for row in _lines(folder / "items.jsonl")}
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "group", "source", "rewrite", "system", "dataset"])
        for name, one in key.items():
            for system in one["systems"]:
                text = items[name]
                names = [f"{one['sentence']}-{system}", one["sentence"]]
                table.writerow([*names, text["source"], text["rewrite"], system, one["dataset"]])
    readers = sorted(folder.glob("ratings-*.jsonl"))
    with (folder / "judgements.jsonl").open("w", encoding="utf-8") as file:
        for reader in readers:
            for rating in _lines(reader):
                for system in key[rating["id"]]["systems"]:
                    item = f"{key[rating['id']]['sentence']}-{system}"
                    said = {"item": item, "annotator": reader.stem, "answers": _answers(rating)}
                    file.write(json.dumps(said) + "\n")
    study = ["study", "new", "last", "--protocol", "split_rate", "--items", "items.csv"]
    for command in (
        [*study, "--overlap", str(len(readers))],
        ["import", "last", "judgements.jsonl"],
        ["compare", "last"],
        ["report", "last", "-o", "report", "--force"],
    ):
        rubrica = Path(sys.executable).with_name("rubrica")
        subprocess.run([str(rubrica), *command, "--home", "home"], cwd=folder, check=True)


def _answers(rating: dict[str, object]) -> dict[str, object]:
    """A reader's ratings as answers of the protocol."""
    scales = {name: int(str(rating[name])) for name in ("sensible", "grammatical")}
    yes = {name: str(rating[short]).lower() in {"true", "yes", "1"} for short, name in ANSWERS.items()}
    return scales | {name: "yes" if said else "no" for name, said in yes.items()}


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder] if "RUBRICA_DATA" in os.environ:
            print(make(Path(folder), kept(Path(os.environ["RUBRICA_DATA"]) / "split")), "items")
        case ["fresh", folder, clauses, number, seed] if "RUBRICA_DATA" in os.environ:
            data = Path(os.environ["RUBRICA_DATA"]) / "split"
            print(make(Path(folder), fresh(data, Path(clauses), int(number), int(seed))), "items")
        case ["count", folder]:
            count(Path(folder))
        case _:
            sys.exit(__doc__)
