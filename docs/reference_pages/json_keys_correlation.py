"""The keys that `correlate` prints with `--json`, and what they mean."""

from __future__ import annotations

RUNS: tuple[tuple[str, ...], ...] = (
    (
        *("correlate", "--ratings", "systems/ratings.csv", "--scores", "systems/sentence_scores.csv"),
        *("--unit", "dataset,text,system", "--rater", "rater", "--system", "system", "--dataset", "dataset"),
        *("--protocol", "split_rate", "--value", "sensible", "--bootstrap", "200", "--permutations", "200", "--json"),
    ),
)

_COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
MEANINGS = {
    "statistic": "the coefficient that `p`, `low`, `high` and `significant` are of",
    "results": "every metric against every criterion: on all data together, then on each part of them",
    "results[].metric": "the metric",
    "results[].criterion": "the question or verdict, or the part of the edits' score",
    "results[].title": "how tables call it: *no …* where no counts as 1",
    "results[].level": "`sentence` (rewrites) or `system` (means of systems)",
    "results[].dataset": "the data set; null for all of them together",
    "results[].system": "the system; null for all of them together",
    **{f"results[].{name}": text for name, text in _COEFFICIENTS.items()},
    "results[].p": "two-sided p-value of the chosen coefficient if rewrites were independent, as papers have it",
    "results[].p_resampled": (
        "the one that decides: 1 less the level of the interval that has 0 at one end; without an interval `p`, and of "
        "eight or fewer that of all their orders"
    ),
    "results[].at_most": "which of the p-values are only upper bounds: no resample reached 0",
    "results[].n": "how many rewrites, or systems",
    "results[].low": "lower end of the 95 % interval of the chosen coefficient",
    "results[].high": "upper end",
    "results[].significant": "whether `p_resampled` is below `--alpha`",
    **{f"results[].{name}_p": f"two-sided p-value of {text}, as `p`" for name, text in _COEFFICIENTS.items()},
    **{f"results[].{name}_p_resampled": f"that of {text}, as `p_resampled`" for name, text in _COEFFICIENTS.items()},
    **{f"results[].{name}_low": f"lower end of the 95 % interval of {text}" for name, text in _COEFFICIENTS.items()},
    **{f"results[].{name}_high": "upper end" for name in _COEFFICIENTS},
    "results[].sources": "how many sources they are of",
    "results[].pairwise_accuracy": (
        "share of pairs in the order of people: of rewrites, with tie calibration, or of systems"
    ),
    "results[].epsilon": "differences of the metric up to this count as ties, at the level of sentences",
    "results[].pairs": "how many pairs",
    "results[].pairwise_accuracy_by_source": "the same over pairs of rewrites of one source, averaged over sources",
    "results[].epsilon_by_source": "its threshold of ties",
    "results[].pairs_by_source": "how many such pairs",
    "results[].soft_pairwise_accuracy": "1 less the mean difference of people's and the metric's p-values",
    "tests": "every pair of metrics on every criterion, sentences and systems",
    "tests[].level": "`sentence` or `system`",
    "tests[].criterion": "the question or verdict",
    "tests[].first": "the first metric",
    "tests[].second": "the second metric",
    "tests[].statistic": "the coefficient whose difference it is",
    "tests[].first_value": "the first metric's coefficient, turned round where less is better",
    "tests[].second_value": "the second's",
    "tests[].value": "their difference, first minus second",
    "tests[].low": "lower end of its 95 % interval",
    "tests[].high": "upper end",
    "tests[].permutation": "the permutation test of the difference",
    "tests[].permutation.p": "its p-value",
    "tests[].permutation.holm": "the same after Holm's correction",
    "tests[].permutation.at_most": "which of the two are only upper bounds: no exchange went as far",
    "tests[].williams": "Williams' test of the difference of Pearson's r",
    "tests[].williams.t": "its statistic, with n - 3 degrees of freedom",
    "tests[].williams.p": "its p-value",
    "tests[].williams.holm": "the same after Holm's correction",
    "tests[].williams.between": "Pearson's r of the two metrics",
    "tests[].significant": "whether the corrected permutation test is below `--alpha`",
    "tests[].n": "how many rewrites, or systems, that all metrics have scores of",
    "joined": "how scores and ratings were joined",
    "joined.columns": "the columns of the scores; none for lines and registered metrics",
    "joined.units": "units that have ratings and scores",
    "joined.human": "how many of them were left out as human",
    "joined.unscored": "rated units without scores",
    "joined.unrated": "rows of scores of nothing that was rated",
    "signature": "what made this",
}
