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
    ("aggregate", *_FILE, "--method", "dawid_skene", "--json"),
    (
        *("aggregate", "words.csv", "--unit", "item", "--rater", "rater", "--value", "substitutes"),
        *("--protocol", "lexical_simplification", "--json"),
    ),
)
WORDS = """item,word,rater,substitutes
1,vast,ana,big;large
1,vast,ben,Big
1,vast,eva,vast
"""
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
    "results[].p": "the chance that one of the others, or a careful annotator alone, is as extreme",
    "results[].p_adjusted": "the same, adjusted for all tests after Benjamini and Hochberg (alone: times five)",
    "results[].probability": "the probability that answers are given without a look (with_others)",
    "results[].basis": "what decides: `alone`, `others`, or `model` (the probability); empty if nothing could",
    "results[].unusual": "whether it is below `alpha`, or the probability is high",
    "results[].evidence": "counts, answers and examples of units, by check",
    "results[].reason": "why there is no figure",
    "annotators": "how many people were checked",
    "tests": "how many p-values were adjusted together",
    "correction": "how: `benjamini_hochberg`",
    "alpha": "adjusted p-values below this are unusual",
    "ranking": "everybody, by the probability of answers without a look, the highest first",
    "ranking[].rater": "the annotator",
    "ranking[].probability": "the probability",
    "ranking[].attention": "the share of answers that seem to be looked at",
    "ranking[].bias": "how much higher they answer, in standard deviations of all answers",
    "ranking[].noise": "how much they waver; 1 is usual",
    "ranking[].units": "units that others rated, too",
    "fixed_left_out": "by question, how many answers a rule of the protocol fixed, which are left out",
    "told": "of whom it would have been found out if they answered one thing only, or without a look",
    "untold": "what could not be told of whom, and why",
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
    "results[].support": "how many of them gave this answer; undefined for means",
    "results[].probability": "the share of the support; of models, their belief in the answer",
    "results[].low": "lower end of a 95 % interval: of the value if it is a mean or median, else of the share",
    "results[].high": "upper end",
    "results[].uncertainty": "how unsure the gold is",
    "results[].measure": "what uncertainty is: a standard error, a mean deviation, or entropy in bits",
    "results[].counts": "of sets and words: every answer, the most frequent first",
    "results[].counts[].answer": "the answer, as most wrote it",
    "results[].counts[].raters": "how many gave it",
    "results[].none_simpler": "of words: how many found none simpler, by a blank or by the word itself",
    "results[].converged": "of models: whether the fit has converged",
    "models": "of models: how each was fitted",
    "models[].question": "the question",
    "models[].method": "the model",
    "models[].converged": "whether it has converged",
    "models[].iterations": "in how many rounds, or after how many it was stopped",
    "models[].parameters": "how many parameters it has",
    "models[].answers": "of how many answers they were learnt",
    "models[].warnings": "that it has not converged, or that the answers cannot carry it",
    "raters": "raters as the method sees them; empty for most methods",
    "raters[].question": "the question",
    "raters[].rater": "the rater",
    "raters[].weight": "their weight",
    "raters[].meaning": "what the weight is",
    "raters[].answers": "how many answers they gave",
    "remarks": "what was decided or left out",
}
