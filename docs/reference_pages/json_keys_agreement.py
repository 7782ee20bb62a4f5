"""The keys that `rubrica agree --json` prints, and what they mean."""

from __future__ import annotations

_FILE = ("agree", "ratings/rewrites.csv", "--unit", "item,system", "--rater", "rater", "--value", "fluency")
RUNS: tuple[tuple[str, ...], ...] = (
    (*_FILE, "--measure", "icc", "--json"),
    (
        *(*_FILE, "--system", "system", "--dataset", "system", "--group", "native", "--disputed", "2"),
        *("--per", "rater,pair,system,dataset,group,kind", "--json"),
    ),
    (*_FILE, "--bootstrap", "0", "--json"),
)
CLOSED = ("disputed[].answers",)
"""Objects whose keys are data: names of raters."""

ROW = {
    "question": "the question's id, or the column",
    "measure": "the measure's name",
    "level": "the level at which answers were taken",
    "value": "the figure; null with a `reason` if it is undefined",
    "low": "lower end of its 95 % interval",
    "high": "upper end",
    "units": "units with at least one answer",
    "raters": "raters who gave at least one answer",
    "pairable": "answers to units that have two or more",
}
SAID = {
    "reason": "why there is no value",
    "interval": "how the interval was made, if not by bootstrap",
    "remark": "what was left out, or averaged over",
}
"""Keys that a row has only if there is something to say."""
PARTS = {
    "rater": "the rater who is compared with the rest",
    "pair": "two raters",
    "system": "the system",
    "dataset": "the data set",
    "group": "within which group, or across which two",
    "kind": "within which kind of raters, or across which two",
}
COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
BESIDE = {
    **COEFFICIENTS,
    "low": "lower end of the 95 % interval of Spearman's rho, by bootstrap over sources",
    "high": "upper end",
    "units": "units that both have",
}
MEANINGS = {
    "results": "one row for each question and measure",
    **{f"results[].{key}": text for key, text in (ROW | SAID).items()},
    **{f"per_{part}": f"with `--per {part}`" for part in PARTS},
    **{f"per_{part}[].{part}": text for part, text in PARTS.items()},
    **{f"per_{part}[].{key}": text for part in PARTS for key, text in ROW.items()},
    "per_rater[].without": "the figure of all others, without this rater",
    "fixed_left_out": "by question, how many answers a rule of the protocol fixed, which are left out",
    "disputed": "the most disputed units of each question, with `--disputed`",
    "disputed[].question": "the question",
    "disputed[].unit": "the unit",
    "disputed[].system": "its system, if known",
    "disputed[].disagreement": "0 where all agree, 1 where answers are as far apart as any two",
    "disputed[].answers": "by rater: the answer",
    "metrics": "in a study with registered metrics: one row for each question whose answers have a mean, and metric",
    "metrics[].question": "the question",
    "metrics[].metric": "the metric's name in the study",
    "metrics[].kind": "always metric",
    "metrics[].better": "which values are better: higher, lower or neither",
    "metrics[].pearson": "its correlation with the mean of the people",
    **{f"metrics[].{key}": text for key, text in BESIDE.items() if key != "pearson"},
    "metrics[].human": "systems that are left out as people's rewrites",
    "metrics[].settings": "everything that its values depend on",
    "metrics[].people": "what people reach with the mean of the other people",
    **{f"metrics[].people.{name}": f"mean over people of {text}" for name, text in COEFFICIENTS.items()},
    "metrics[].people.raters": "how many people",
    "metrics[].people.each": "every rater",
    "metrics[].people.each[].rater": "the rater",
    "metrics[].people.each[].kind": "person or model",
    "metrics[].people.each[].pearson": "the rater's correlation with the mean of the people other than themselves",
    **{f"metrics[].people.each[].{key}": text for key, text in BESIDE.items() if key != "pearson"},
}
