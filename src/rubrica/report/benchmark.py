"""A benchmark out of a study: the rewrites that are perfect, what was dropped and why, and a data card.

Gold standard are the rewrites whose first two ratings are *correct* (Zhang et al., Small but Mighty, 2020, section
4.2.2). The card is a README.md with a YAML head in the form that dataset hubs read.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import BinaryIO, NamedTuple

import attrs

from rubrica.core.handed_on import Collected
from rubrica.core.ratings import Rating, Ratings
from rubrica.core.verdicts import PERFECT
from rubrica.report.agreement import Asked, agreement
from rubrica.report.datasets import DataSet, describe
from rubrica.report.gold_verdicts import judged

BEST = 5
"""The highest mark of the two scales."""
MADE = (2000, 1, 1, 0, 0, 0)
"""When every file of an archive says it was made: equal studies make equal archives, to the byte."""
_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K"}


class Pair(NamedTuple):
    """A complex sentence and a rewrite of it, by the key of the item; without a rewrite ``simple`` is empty."""

    key: str
    complex: str
    simple: str
    reason: str = ""


class AskedAt(NamedTuple):
    """A stage of the study: its key, the protocol that was asked, by name, version and hash, of how many people."""

    stage: str
    protocol: str
    overlap: int


def steps_made(stages: Sequence[AskedAt], found: Collected | None) -> list[str]:
    """What was asked of whom, in the order of the stages; after the first, what became of what was written there."""
    lines = [f"Stage {one.stage}: protocol {one.protocol}, {one.overlap} people for each item." for one in stages]
    if found is not None:
        short = f", {len(found.short):,} ended with fewer than {found.places} rewrites" if found.short else ""
        lines.insert(
            1,
            f"Of {found.sentences:,} sentences {found.discarded:,} were discarded because enough writers flagged them, "
            f"{found.left_out:,} were left out by a researcher{short}; writers skipped {found.skips:,} times.",
        )
    return lines


@attrs.frozen(kw_only=True)
class Origin:
    """How a benchmark came to be: what the card says beside its figures."""

    name: str
    title: str
    licence: str
    sources: str
    languages: Sequence[str]
    """Of the texts; a study in which people may choose among several languages has texts in that of its protocol."""
    steps: Sequence[str]
    writers: int
    raters: int
    simulated: str
    signature: str
    left_out: Sequence[Pair] = ()


@attrs.frozen
class Benchmark:
    """The gold standard, what was dropped, and the card."""

    gold: tuple[Pair, ...]
    dropped: tuple[Pair, ...]
    card: str


def make(ratings: Ratings, texts: Sequence[Pair], origin: Origin) -> Benchmark:
    """What is gold of these rewrites (``texts``, by the keys of rated units), and why the others are not.

    One that comes with a reason was taken out of the study and is dropped for it.
    """
    said: dict[str, list[Rating]] = {}
    for rating in ratings.standing:
        if not rating.planted:
            said.setdefault(rating.unit, []).append(rating)
    gold: list[Pair] = []
    dropped: list[Pair] = []
    for pair in texts:
        reason = pair.reason or _reason(ratings, pair.key, said.get(pair.key, []))
        (dropped if reason else gold).append(pair._replace(reason=reason))
    dropped += origin.left_out
    return Benchmark(tuple(gold), tuple(dropped), _card(gold, dropped, ratings, origin))


def _reason(ratings: Ratings, key: str, said: Sequence[Rating]) -> str:
    """Why a rewrite is not gold; empty if it is."""
    if not said:
        return "nobody rated it"
    assert ratings.protocol is not None
    said = sorted(said, key=lambda one: one.came.timestamp() if one.came else 0.0)
    decided, _ = judged(ratings, ratings.units[key], said)
    value, undefined = decided[PERFECT]
    if value:
        return ""
    if value is None:
        return f"not decided: {undefined}"
    first = next(one.first for one in ratings.protocol.verdicts if one.id == PERFECT)
    faults = [fault for number, one in enumerate(said[:first], start=1) for fault in _faults(one, number)]
    return "not perfect: " + "; ".join(faults)


def _faults(rating: Rating, number: int) -> list[str]:
    """What keeps one rating from being correct: marks below the best, and problems that were found."""
    marks = {name: answer for name, answer in rating.answers.items() if isinstance(answer, int) and answer < BEST}
    found = {name: answer for name, answer in rating.answers.items() if answer == "yes" and name != "correct"}
    return [f"rating {number}: {name} {answer}" for name, answer in {**marks, **found}.items()]


def write(found: Benchmark, name: str, out: BinaryIO) -> None:
    """An archive of gold.tsv, dropped.tsv and README.md."""
    files = {
        "README.md": found.card,
        "gold.tsv": _table(("complex", "simple"), [(one.complex, one.simple) for one in found.gold]),
        "dropped.tsv": _table(
            ("id", "complex", "simple", "reason"),
            [(one.key, one.complex, one.simple, one.reason) for one in found.dropped],
        ),
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(f"{name}/{file}", MADE), text.encode(), zipfile.ZIP_DEFLATED)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def _card(gold: Sequence[Pair], dropped: Sequence[Pair], ratings: Ratings, origin: Origin) -> str:
    """The card: its head for programs, the rest for people."""
    size = next((words for most, words in _SIZES.items() if len(gold) < most), "100K<n<1M")
    by = made_by([origin.simulated])
    head: dict[str, str | list[str]] = {
        "pretty_name": origin.title,
        **hub_licence(origin.licence),
        "language": list(origin.languages),
        "multilinguality": ["monolingual" if len(origin.languages) == 1 else "multilingual"],
        "size_categories": [size],
        "task_categories": ["text-generation"],
        "task_ids": ["text-simplification"],
        "annotations_creators": by,
        "language_creators": by,
        "source_datasets": ["original"],
        "tags": ["split-and-rephrase"],
    }
    return CARD.format(
        head="\n".join(yaml_head(head)),
        title=origin.title,
        simulated="".join(f"\n{note}\n" for note in [simulated_note(origin.simulated)] if note),
        gold=f"{len(gold):,}",
        dropped=f"{len(dropped):,}",
        size=_size(gold, origin.languages[0]),
        steps="\n".join(f"- {step}" for step in origin.steps),
        writers=origin.writers,
        raters=origin.raters,
        agreement="\n".join(_agreement(ratings)),
        sources=origin.sources or "Where the sentences come from is not recorded.",
        licence=f"Licence: {origin.licence}."
        if origin.licence
        else "No licence is recorded: set one before you publish.",
        signature=origin.signature,
    )


CARD = """---
{head}
configs:
  - config_name: default
    data_files:
      - split: test
        path: gold.tsv
---

# {title}

Complex sentences and rewrites of each as several simple ones, written by some people and rated by others.
{simulated}
## Files

| file | rows | columns |
| --- | --- | --- |
| gold.tsv | {gold} | complex, simple: the rewrites that are perfect |
| dropped.tsv | {dropped} | id, complex, simple, reason: what is not gold, and why |
{size}
## How it was made

{steps}
- People: {writers} wrote and {raters} rated; nobody did both.
- A rewrite is gold if its first two ratings are both *correct*: it makes sense (5 of 5), is grammatical (5 of 5),
  misses no fact, adds none, and is split neither at a wrong place nor too little.

## Agreement

Krippendorff's alpha of all ratings:

| criterion | alpha | rewrites |
| --- | --- | --- |
{agreement}

## Sources and licence

{sources}

{licence}

Signature: `{signature}`
"""


def _size(gold: Sequence[Pair], language: str) -> str:
    if not gold:
        return ""
    found = describe(DataSet("gold", tuple((one.complex, one.simple) for one in gold)), "13a", language)
    return f"""
## Size

| | |
| --- | --- |
| complex sentences | {found.complex:,} |
| rewrites | {found.simple:,} |
| tokens per complex sentence (13a) | {found.tokens_per_complex:.1f} |
| sentences per rewrite | {found.sentences_per_simple:.2f} |
"""


def _agreement(ratings: Ratings) -> list[str]:
    rows = []
    for one in agreement(ratings, Asked(replicates=0)):
        value = f"{one.value.value:.2f}" if one.value.value is not None else f"– ({one.value.reason})"
        rows.append(f"| {one.label or one.question} | {value} | {one.units:,} |")
    return rows


_LICENCES = {
    "apache-2.0", "mit", "cc", "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0",
    "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0",
    "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cdla-sharing-1.0",
    "cdla-permissive-1.0", "cdla-permissive-2.0", "odc-by", "odbl", "pddl", "gfdl", "gpl-2.0", "gpl-3.0",
    "agpl-3.0", "lgpl-2.1", "lgpl-3.0", "mpl-2.0", "eupl-1.1", "eupl-1.2", "etalab-2.0", "bsd-2-clause",
    "bsd-3-clause", "unlicense",
}  # fmt: skip
"""Those that the largest hub takes; a card with another one is refused there."""


def simulated_note(among: str, task: str = "") -> str:
    """What is said of data where all or some annotators (of a task) are simulated; nothing where none is."""
    of = f" of {task}" if task else ""
    note = f"**{among.capitalize()} annotators{of} are simulated.** These figures show the form, and nothing else."
    return note if among else ""


def made_by(among: Sequence[str]) -> list[str]:
    """Who annotated, in the words of dataset hubs: some simulated annotators make it no data set of people."""
    return ["machine-generated" if any(among) else "crowdsourced"]


def hub_licence(licence: str) -> dict[str, str]:
    """A licence as the heads of cards name it: by its identifier where hubs know it, else by one made of its words."""
    known = re.sub(r"[\s_]+", "-", licence.strip()).lower()
    if not known:
        return {"license": "unknown"}
    if known in _LICENCES:
        return {"license": known}
    return {"license": "other", "license_name": re.sub(r"[^a-z0-9.]+", "-", known).strip("-.") or "other"}


def yaml_head(head: Mapping[str, str | list[str]]) -> list[str]:
    """The head; every text in double quotes, as JSON has them, so that nothing is taken for something else."""
    lines = []
    for key, value in head.items():
        if isinstance(value, str):
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
        else:
            lines += [f"{key}:", *(f"  - {json.dumps(one, ensure_ascii=False)}" for one in value)]
    return lines
