"""Seeded commands beyond those of the reference: every resampling, every random choice, and a study of our own."""

from __future__ import annotations

import json

_SYSTEMS = (
    *("systems/ratings.csv", "--unit", "dataset,text,system", "--rater", "rater", "--system", "system"),
    *("--dataset", "dataset", "--protocol", "split_rate"),
)
_RATINGS = ("ratings/rewrites.csv", "--unit", "item,system", "--rater", "rater", "--value", "meaning,fluency")
_SCORED = (
    *("score", "--source", "score/news.orig", "--rewrite", "score/plain.txt", "--rewrite", "score/cautious.txt"),
    *("--references", "score/news.simp.*"),
)
_SEED = ("--seed", "7", "--json")
_STUDY = (
    *("study", "new", "pinned", "--protocol", "adequacy_fluency", "--items", "pinned.csv", "--overlap", "3"),
    *("--checks", "duplicates=20%", *_SEED),
)

RUNS: tuple[tuple[str, ...], ...] = (
    ("agree", *_RATINGS, "--measure", "all", "--bootstrap", "200", *_SEED),
    ("agree", *_RATINGS, "--measure", "alpha,percent", "--over", "raters", "--bootstrap", "200", *_SEED),
    ("agree", *_SYSTEMS, "--value", "correct,sensible", "--bootstrap", "100", *_SEED),
    *(("aggregate", *_RATINGS, "--method", method, *_SEED) for method in ("mace", "glad", "median")),
    ("aggregate", *_RATINGS, "--method", "majority", "--ties", "random", *_SEED),
    ("compare", *_SYSTEMS, "--value", "correct,sensible", "--bootstrap", "200", "--permutations", "500", *_SEED),
    (*_SCORED, "--metrics", "sari,bleu,chrf,ter,fkgl", "--bootstrap", "200", *_SEED),
    ("plan", *_SYSTEMS, "--value", "sensible", "--simulations", "100", "--items", "20", "--raters", "1,3", *_SEED),
    _STUDY,
    ("import", "pinned", "pinned.jsonl", "--json"),
    ("study", "show", "pinned", "--json"),
    ("check", "study:pinned", "--json"),
    ("agree", "study:pinned", "--measure", "all", "--bootstrap", "100", *_SEED),
    ("aggregate", "study:pinned", "--json"),
    ("compare", "study:pinned", "--bootstrap", "100", "--permutations", "300", *_SEED),
    ("report", "study:pinned", "-o", "report-pinned", "--no-charts", "--bootstrap", "100", *_SEED),
)


def files() -> dict[str, str]:
    """The study: twelve sentences by two systems, and what three people say of each."""
    keys = [f"{system}{number}" for number in range(1, 13) for system in ("plain", "brief")]
    items = [f'{key},"Gate {key[5:]} is old.","The gate {key[5:]} is {key[:5]}.",{key[:5]}' for key in keys]
    said = [
        {
            "item": key,
            "annotator": name,
            "answers": {"content_preservation": _mark(place, rater), "fluency": _mark(place * 3 + 1, rater)},
        }
        for place, key in enumerate(keys)
        for rater, name in enumerate(("ana", "ben", "eva"))
    ]
    return {
        "pinned.csv": "\n".join(["id,reference,hypothesis,system", *items]) + "\n",
        "pinned.jsonl": "".join(json.dumps(row) + "\n" for row in said),
    }


def _mark(place: int, rater: int) -> int:
    """A mark from 1 to 5: the same for most raters, higher for the first system."""
    return 1 + (place * 7 + (rater if place % 3 == 0 else 0)) % 4 + (place + 1) % 2
