"""The keys that `rubrica check` and `rubrica aggregate` print with `--json`, and what they mean."""

from __future__ import annotations

_FILE = (
    *("ratings/planted.csv", "--unit", "sentence,system", "--rater", "rater"),
    *("--value", "fluency,same_meaning", "--system", "system"),
)
RUNS: tuple[tuple[str, ...], ...] = (
    ("check", *_FILE, "--duplicate", "repeats", "--exclude", "eva", "--json"),
    ("aggregate", *_FILE, "--method", "zscore", "--json"),
    ("aggregate", *_FILE, "--json"),
)
CLOSED = ("results[].evidence",)
"""Objects whose keys are data: evidence differs from check to check."""

CHECK = {
    "results": "every annotator at every check and question, unusual ones first",
    "results[].rater": "the annotator",
    "results[].check": "gold, consistency, one_label, long_run, with_others, fast, none_simpler, pasted or unchanged",
    "results[].question": "the question; empty where it is about whole judgements or all questions",
    "results[].value": "the annotator's figure; null with a `reason` if there is none",
    "results[].peers": "the median of the others' figures",
    "results[].n": "how many answers, units or judgements are behind it",
    "results[].p": "the chance that one of the others is as extreme",
    "results[].p_adjusted": "the same, adjusted for all tests after Benjamini and Hochberg",
    "results[].unusual": "whether it is below `alpha`",
    "results[].evidence": "counts, answers and examples of units, by check",
    "results[].reason": "why there is no figure",
    "annotators": "how many people were checked",
    "tests": "how many p-values were adjusted together",
    "correction": "how: `benjamini_hochberg`",
    "alpha": "adjusted p-values below this are unusual",
    "untold": "what could not be told, and why",
    "excluded": "who is left out, with `--exclude`",
    "without": "results with everybody and without those",
    "without[].question": "the question",
    "without[].system": "the system; empty for agreement",
    "without[].measure": "`alpha`, `mean`, or `share of` the good answer",
    "without[].everybody": "with everybody",
    "without[].without": "without those left out",
    "without[].n_everybody": "of how many answers",
    "without[].n_without": "of how many answers, without them",
}
AGGREGATE = {
    "results": "a row for each question and unit",
    "results[].unit": "the unit",
    "results[].system": "its system, if there are several",
    "results[].question": "the question or verdict",
    "results[].method": "how answers were put together",
    "results[].value": "the gold answer: a number, a label, a list (`counts`), yes or no; null if undefined",
    "results[].reason": "why it is undefined, such as `tie`",
    "results[].raters": "how many raters it rests on",
    "results[].support": "how many of them gave this answer; null for means",
    "results[].probability": "the share of the support; of models, their belief in the answer",
    "results[].low": "lower end of a 95 % interval: of the value if it is a mean or median, else of the share",
    "results[].high": "upper end",
    "results[].uncertainty": "how unsure the gold is",
    "results[].measure": "what uncertainty is: a standard error, a mean deviation, or entropy in bits",
    "raters": "raters as the method sees them; empty for most methods",
    "raters[].question": "the question",
    "raters[].rater": "the rater",
    "raters[].weight": "their weight",
    "raters[].meaning": "what the weight is",
    "raters[].answers": "how many answers they gave",
    "remarks": "what was decided or left out",
}
