"""The keys that `rubrica score --json` prints, and what they mean."""

from __future__ import annotations

TABLE = """dataset,source,rewrite,system,reference
boats,He purchased a boat.,He bought a boat.,plain,He bought a boat.
boats,He purchased a boat.,He had a boat.,brief,He bought a boat.
days,They commenced at dawn.,They began at dawn.,plain,They started at dawn.
days,They commenced at dawn.,They began.,brief,They started at dawn.
"""
RUNS: tuple[tuple[str, ...], ...] = (
    ("score", "--table", "scored.csv", "--metrics", "sari", "--per-sentence", "sentences.csv", "--json"),
    ("score", "study:demo", "--metrics", "compression_ratio,sentence_splits", "--register", "--json"),
    ("agree", "study:demo", "--value", "fluency", "--bootstrap", "10", "--json"),
    ("score", "study:demo", "--unregister", "sentence_splits", "--json"),
)
"""On the study of the reference: what is registered is seen by `rubrica agree`."""
CLOSED = ("systems", "intervals", "datasets", "references.left_out", "references.unreferenced")
"""Objects whose keys are data: names of systems and data sets, and of figures within."""

MEANINGS = {
    "systems": "by system: `sentences`, how many it rewrote, and every figure by its key",
    "intervals": "by system and figure: `low` and `high`, the ends of the 95 % interval over sentences, or why none",
    "tests": "every two systems on every figure",
    "tests[].metric": "the figure",
    "tests[].systems": "the two systems",
    "tests[].difference": "the first minus the second",
    "tests[].low": "lower end of its 95 % interval",
    "tests[].high": "upper end",
    "tests[].p_bootstrap": "two-sided, by paired bootstrap over sentences",
    "tests[].p_permutation": "two-sided, by paired permutation",
    "tests[].p_holm": "the same, corrected for all pairs of systems on this figure",
    "tests[].at_most": "which of these p-values are only upper bounds: no random trial went as far",
    "datasets": "by data set: `systems`, `intervals`, `tests` and `signature` of its sentences alone",
    "references": "what rewrites were held against",
    "references.human": "systems whose rewrites are taken for people's, which are never their own reference",
    "references.left_out": "by system: references that were left out because they are the rewrite itself",
    "references.unreferenced": "by system: rewrites without a reference, in no figure of a metric that needs one",
    "registered": "metrics of a study that stand beside its people now, with `--register`",
    "registered[].name": "what the metric is called in the study",
    "registered[].figure": "the figure",
    "registered[].state": "registered, extended (to items that had no value), or unchanged",
    "registered[].items": "items with a value",
    "removed": "the metric that was removed, with `--unregister`",
    "removed.name": "its name",
    "removed.items": "how many values went with it",
}
