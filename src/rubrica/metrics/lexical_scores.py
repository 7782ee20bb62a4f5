"""Scores of the shared tasks on words: predicted complexity, and ranked substitutes.

Scores of predicted complexity against people's mean, as the shared tasks on lexical complexity have them. Shardlow et
al., SemEval-2021 Task 1: Lexical Complexity Prediction, 2021, and MLSP 2024. Pearson's r and Spearman's rho are
scipy's, the others equal scikit-learn's to the last digit. Resamples of systems are drawn together.

Scores of ranked substitutes against those that people gave, as the shared tasks on lexical simplification have them.
Štajner et al., Lexical Simplification Benchmarks for English, Portuguese, and Spanish, Frontiers in AI 5, 2022;
Saggion et al., Findings of the TSAR-2022 Shared Task, 2022; Shardlow et al., The BEA 2024 Shared Task on the MLSP,
2024. Each instance becomes a row of numbers once; every figure follows from sums of rows, those of a resample too.

``OFFICIAL`` is what the tasks' script computes: sums in its order, values cut off after four digits, and its traps.
``CAREFUL`` is the same without them. What differs is said in docs/researchers/lexical-scoring.md and counted by
``report.leaderboard``.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import resample
from rubrica.stats.correlation.coefficients import COEFFICIENTS, PEARSON, SPEARMAN
from rubrica.stats.correlation.resamples import resampled
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
FIGURES = (PEARSON, SPEARMAN, "mae", "mse", "r2")
LOWER = ("mae", "mse")
"""Of these less is better."""
NO_SPREAD = "the gold values do not vary"


def values(gold: Real, predicted: Real) -> dict[str, Statistic]:
    """The five figures. Correlations and R2 are undefined where the values that they rest on do not vary."""
    off = gold - predicted
    spread = float(((gold - np.average(gold)) ** 2).sum())
    found = {name: COEFFICIENTS[name](gold, predicted).value for name in (PEARSON, SPEARMAN)}
    found["mae"] = Statistic(float(np.average(np.abs(predicted - gold))))
    found["mse"] = Statistic(float(np.average(off**2)))
    found["r2"] = Statistic(1 - float((off**2).sum()) / spread) if spread else Statistic(None, NO_SPREAD)
    return found


def resamples(gold: Real, predicted: Real, replicates: int, seed: int) -> Mapping[str, tuple[Real, Real]]:
    """Each figure in resamples of instances and without each: by draw and system (a row of ``predicted`` each)."""
    units = np.arange(len(gold))
    found: dict[str, tuple[Real, Real]] = {}
    for name in (PEARSON, SPEARMAN):
        cells = resampled(name, gold[None], predicted, units, replicates, seed)
        found[name] = cells.drawn[:, 0], cells.left_out[:, 0]
    table = np.concatenate([np.abs(predicted - gold), (predicted - gold) ** 2, gold[None], gold[None] ** 2]).T
    table = np.column_stack([table, np.ones(len(gold))])
    sums = resample(lambda weights: weights @ table, np.ones(len(gold)), replicates, np.random.default_rng(seed))
    systems = len(predicted)
    parts = [_of_sums(side, systems) for side in (sums.drawn, sums.left_out)]
    return found | {name: (parts[0][name], parts[1][name]) for name in ("mae", "mse", "r2")}


def _of_sums(sums: Real, systems: int) -> dict[str, Real]:
    many = np.maximum(sums[:, -1:], 1.0)
    squares = sums[:, systems : 2 * systems]
    spread = sums[:, -2:-1] - sums[:, -3:-2] ** 2 / many
    varied = spread > 1e-12
    rest = np.where(varied, 1 - squares / np.where(varied, spread, 1.0), np.nan)
    return {"mae": sums[:, :systems] / many, "mse": squares / many, "r2": rest}


AT = (1, 2, 3, 5, 10)
"""Usual numbers of first substitutes that are looked at."""
MAIN = (
    *("ACC@1", "ACC@1@Top1", "ACC@2@Top1", "ACC@3@Top1", "MAP@3", "MAP@5", "MAP@10"),
    *("Potential@3", "Potential@5", "Potential@10"),
)
"""What the shared tasks publish: these have intervals."""
FLOOR = 10_000
NO_GOLD = "the official script stops where the only gold answer is the target (IndexError)"
NO_KEY = "the official script stops at a sentence or word with two underscores in a row (ValueError)"


class Gold(NamedTuple):
    """A word in its context and the substitutes that people gave, with repetitions."""

    context: str
    target: str
    answers: Sequence[str]


@attrs.frozen
class Rules:
    """How texts are compared. ``target_counts``: a gold answer that is the target itself stays among the answers.

    ``official``: with the script's traps. Targets keep the spaces around them, and empty cells are answers.
    """

    official: bool = False
    target_counts: bool = False
    at: tuple[int, ...] = AT

    def names(self) -> list[str]:
        """Every figure."""
        names, table = columns(rows_of([], [], self), self)
        return list(figures(names, table.sum(axis=0), self))

    def written(self, text: str) -> str:
        """An answer as it is compared."""
        plain = text.strip()
        return plain if self.official or plain.isascii() else unicodedata.normalize("NFC", plain)

    def target(self, text: str) -> str:
        """The target as it is compared with answers."""
        return text if self.official else self.written(text)


def gold_answers(gold: Gold, rules: Rules) -> Counter[str]:
    """The answers that count with their votes; none where people gave the target only and it does not count."""
    target = rules.target(gold.target)
    found = Counter(map(rules.written, gold.answers))
    if not rules.target_counts:
        del found[target]
    if not rules.official:
        del found[""]
    return found


def ranked(target: str, answers: Sequence[str], rules: Rules) -> list[str]:
    """A system's answers in their order, without repetitions and without the target."""
    own = rules.target(target)
    found = dict.fromkeys(map(rules.written, answers))
    found.pop(own, None)
    if not rules.official:
        found.pop("", None)
    return list(found)


class Rows(NamedTuple):
    """One system's instances. By instance and place among the first answers: right, top, votes of the answer.

    ``labels`` is how many answers there are, ``gold`` how many distinct right ones, ``votes`` how many people's.
    """

    right: Real
    top: Real
    voted: Real
    labels: Real
    gold: Real
    votes: Real


def rows_of(golds: Sequence[Counter[str]], answers: Sequence[Sequence[str]], rules: Rules) -> Rows:
    """What each instance adds to the figures."""
    deep = max(rules.at)
    shape = (len(golds), deep)
    right, top, voted = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for place, (gold, own) in enumerate(zip(golds, answers, strict=True)):
        most = max(gold.values(), default=0)
        for rank, word in enumerate(own[:deep]):
            votes = gold.get(word, 0)
            if votes:
                right[place, rank] = 1
                top[place, rank] = votes == most
                voted[place, rank] = votes
    counts = [[len(own) for own in answers], [len(gold) for gold in golds], [gold.total() for gold in golds]]
    return Rows(right, top, voted, *(np.array(one, dtype=float) for one in counts))


def columns(rows: Rows, rules: Rules) -> tuple[list[str], Real]:
    """What is added up, by instance: names of the columns and the table."""
    deep = rows.right.shape[1]
    hits = np.cumsum(rows.right, axis=1)
    precision = np.cumsum(rows.right * hits / np.arange(1, deep + 1), axis=1)
    known = np.maximum(rows.gold, 1), np.maximum(rows.votes, 1)
    found: dict[str, Real] = {"instances": np.ones(len(rows.gold)), "gold": rows.gold, "ACC@1": rows.right[:, 0]}
    for k in rules.at:
        labels = np.minimum(rows.labels, k)
        hit = hits[:, k - 1]
        found[f"ACC@{k}@Top1"] = rows.top[:, :k].max(axis=1)
        found[f"Potential@{k}"] = (hit > 0).astype(float)
        found[f"MAP@{k}"] = precision[:, k - 1] / k
        found[f"P@{k}"] = hit / np.maximum(labels, 1)
        found[f"R@{k}"] = hit / known[0]
        found[f"votes R@{k}"] = rows.voted[:, :k].sum(axis=1) / known[1]
        found[f"labels@{k}"], found[f"hits@{k}"] = labels, hit
    return list(found), np.stack(list(found.values()), axis=1)


MEANS = ("ACC@{k}@Top1", "Potential@{k}", "MAP@{k}", "P@{k}", "R@{k}", "votes R@{k}")


def figures(names: Sequence[str], sums: Real, rules: Rules) -> dict[str, Real]:
    """Every figure from sums, along the last axis; NaN without instances, 0 where a share is of nothing."""
    part = {name: sums[..., place] for place, name in enumerate(names)}
    many = part["instances"]
    found = {"ACC@1": _over(part["ACC@1"], many)}
    for k in rules.at:
        found |= {name: _over(part[name], many) for name in (form.format(k=k) for form in MEANS)}
        found[f"F1@{k}"] = _f1(found[f"P@{k}"], found[f"R@{k}"])
        # The script divides the gold answers that were found by the number of labels, so that both are the same.
        below = part[f"labels@{k}"] if rules.official else part["gold"]
        precision, recall = _share(part[f"hits@{k}"], part[f"labels@{k}"]), _share(part[f"hits@{k}"], below)
        found[f"micro P@{k}"], found[f"micro R@{k}"] = precision, recall
        found[f"micro F1@{k}"] = _f1(precision, recall)
    return found


def _over(above: Real, below: Real) -> Real:
    found: Real = np.where(below > 0, above / np.where(below > 0, below, 1.0), np.nan)
    return found


def _share(above: Real, below: Real) -> Real:
    found: Real = np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0)
    return found


def _f1(precision: Real, recall: Real) -> Real:
    both = precision + recall
    found: Real = np.where(both > 0, 2 * precision * recall / np.where(both > 0, both, 1.0), both * 0)
    return found


def values_of_substitution(rows: Rows, rules: Rules) -> dict[str, float]:
    """The figures of a system over all its instances; officially, summed in order and cut off after four digits."""
    names, table = columns(rows, rules)
    if not rules.official:
        return {name: float(value) for name, value in figures(names, table.sum(axis=0), rules).items()}
    whole = figures(names, np.cumsum(table, axis=0)[-1], rules)
    return {name: math.floor(float(value) * FLOOR) / FLOOR for name, value in whole.items()}


class Stops(NamedTuple):
    """Why the official script has no figure of a kind: its first answers', MAP's, or of any other; empty if it has."""

    first: str
    precision: str
    others: str

    def reason(self, figure: str) -> str:
        """The same of a figure by its name."""
        return self.precision if figure.startswith("MAP@") else self.first if figure == "ACC@1" else self.others


def stopped(keys: Sequence[str], golds: Sequence[Counter[str]], answers: Sequence[Sequence[str]]) -> Stops:
    """Why the official script stops on these rows before it has all figures.

    It takes keys apart, and looks at the gold, where there are answers; for MAP it takes all keys apart, and gold that
    is missing is no match.
    """
    parted = [len(key.split("__")) == 2 for key in keys]
    first = NO_KEY if any(own and not good for own, good in zip(answers, parted, strict=True)) else ""
    gold = NO_GOLD if any(own and not gold for own, gold in zip(answers, golds, strict=True)) else ""
    return Stops(first, "" if all(parted) else NO_KEY, first or gold)
