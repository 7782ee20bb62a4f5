"""How probable it is that somebody does not look at what they judge: a model of bias, noise and attention.

Every rater is attentive, or answers without a look: always, three times of four, or always to one of the questions.
Who is attentive sees what the others see of a unit, with a leniency (bias), a carefulness (noise) and a use of the
scale of their own.
Answers without a look have nothing to do with the unit: they are nearly always one answer, spread evenly, or as
frequent as everybody's. What somebody is follows from how probable each of these makes all of their answers;
leniency, carefulness and use of the scale are integrated out over what is usual, so that a harsh rater is no case.

Points of a scale, and the answers yes and no, are intervals of a normal variable (Samejima, Estimation of Latent
Ability Using a Response Pattern of Graded Scores, 1969); its cuts follow from how often each answer is given. What the
others see is the mean of their answers, shrunk by how far raters agree at all. Labels without an order are predicted
from the others' labels by a Dirichlet distribution. How far raters agree and how much their leniency varies is
estimated from all of them, each weighted with the probability of being attentive (EM: Dempster, Laird and Rubin,
Maximum Likelihood from Incomplete Data, 1977), as MACE does for labels (Hovy and others, Learning Whom to Trust, 2013).

Where raters hardly agree, or somebody shares few units with others, all explanations are equally good, and the
probability stays near what it is beforehand. Nothing is drawn: the same answers give the same probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from rubrica.stats.coded import Real, Whole

BEFOREHAND = 0.15
"""How probable it is of anybody, before looking at their answers, that they do not look."""
BEFOREHAND_PEERS = 20
"""That counts as much as so many raters do; the more there are, the more they say themselves how many do not look."""
ONE_ONLY = 0.25
"""Share of these who look, but not for one of several questions."""
GLANCE = 0.75
"""Share of answers without a look, of those who look at some."""
RARE = 0.3
"""Share of those who do not look and answer unlike others: half of them nearly always one thing, half evenly."""
ONE_ANSWER = 0.3
"""What a Dirichlet distribution has in all of shares of which nearly all is one answer's."""
SLIP = 0.03
"""Share of an attentive rater's answers that may be anything: a slip must not decide."""
USUAL_BIAS, BIAS_PEERS = 0.5, 4
"""How much leniency varies, in standard deviations of all answers; it counts as much as so many raters do."""
NOISE_SPREAD, SCALE_SPREAD = 0.35, 0.3
"""How much raters differ in carefulness and in their use of the scale: standard deviations of the logarithms."""
BIASES, NOISES, SCALES = np.linspace(-2.4, 2.4, 13), np.linspace(-1.5, 1.5, 5), np.linspace(-1.0, 1.0, 3)
"""Where these distributions are looked at, in their standard deviations."""
HABITS = np.array([0.0, 0.15, 0.3])
"""Of labels without an order, the share of answers that follow the rater's own habit."""
LEAST_NOISE = 0.015
"""Where nobody's answers vary, the noise is not nought: the next answer may still be another one."""
STEP, FARTHEST, SURE_STEP = 0.15, 3.0, 0.2
"""What the others see, in standard deviations, and the logarithm of its variance are rounded, for few rows."""
DOUBT = 0.5
"""By so many of its standard errors raters are held to agree less than it seems: agreement by chance must not tell."""
WARY = 3
ROUNDS, SETTLED = 30, 1e-3
LIKELY, OTHERWISE = 0.25, 0.5
"""From this probability on, answers deserve a look: one costs less than answers that nobody thought about.

Where even answers at random would mostly go unnoticed, from the second on: little evidence is often there by chance.
"""
ORDERS = 8
"""In so many other orders the answers of a rater are looked at, to see whether random ones would have been noticed."""
MOST_REORDERED = 200
"""Answers of a rater that are looked at in other orders; who can be told from these can be told from more."""


Flags = npt.NDArray[np.bool_]


class Question(NamedTuple):
    """Answers to one question: which unit, which rater, which of so many possible ``labels``, in an order or not."""

    unit: Whole
    rater: Whole
    code: Whole
    labels: int
    ordered: bool


class Attention(NamedTuple):
    """By rater: the probability of answering without a look, how they seem to answer, whether it could be told.

    ``questions`` has the probability for each question (rows) by itself. ``bias`` is in standard deviations of all
    answers (above 0: higher points) and ``noise`` is 1 where it is usual, both over questions with an order and NaN
    without one; ``attention`` is the share of answers that were looked at.
    ``told`` is whether their own answers in another order would have been noticed, more often than not.
    """

    probability: Real
    questions: Real
    bias: Real
    noise: Real
    attention: Real
    told: Flags

    @property
    def unusual(self) -> Flags:
        """Whether the probability is high enough, by what can be told."""
        found: Flags = self.probability >= np.where(self.told, LIKELY, OTHERWISE)
        return found


def attention(questions: Sequence[Question], raters: int, units: int) -> Attention:
    """Fit the model to all questions at once: most who do not look do so whatever is asked."""
    weight, before = np.full((len(questions), raters), 1 - BEFOREHAND), BEFOREHAND
    present = np.zeros(raters, dtype=bool)
    for question in questions:
        present[question.rater] = True
    share = _independent(questions, raters) / len(questions)
    for round_ in range(ROUNDS):
        views = [
            (_Scale if question.ordered else _Labels)(question, weight[place], raters, units)
            for place, question in enumerate(questions)
        ]
        likely = [view.likely(view.whole) for view in views]
        classes = _classes(likely, share, before)
        looking = _looking(classes)
        heard = looking**WARY
        if np.abs(heard - weight).max() < SETTLED:
            break
        weight = np.maximum(heard if round_ < 3 else (heard + weight) / 2, 1e-3)
        known = float((1 - classes[0])[present].sum())
        before = (BEFOREHAND * BEFOREHAND_PEERS + known) / (BEFOREHAND_PEERS + int(present.sum()))
    return Attention(
        1 - classes[0],
        1 - looking,
        _mean([one.bias for one in likely]),
        _mean([one.noise for one in likely]),
        looking.mean(axis=0) + (1 - GLANCE) * classes[2],
        _told(views, share, before, raters),
    )


class _Likely(NamedTuple):
    """By rater, log-likelihoods of the answers: attentive, without a look, with some looks."""

    attentive: Real
    without: Real
    some: Real
    bias: Real
    noise: Real


class _Said(NamedTuple):
    """Answers of raters from 0: who gave which answer, to which of the places at which the others were seen."""

    rater: Whole
    code: Whole
    place: Whole
    raters: int


class _View(Protocol):
    """What the others see of every unit, and how probable it makes answers."""

    @property
    def whole(self) -> _Said:
        """All answers to the question."""

    def likely(self, said: _Said) -> _Likely:
        """How probable these answers are."""


def _classes(likely: Sequence[_Likely], share: float, before: float) -> Real:
    """By class (attentive, without a look, with some looks, then without for each one question) and rater."""
    many = len(likely)
    attentive = np.sum([one.attentive for one in likely], axis=0)
    rows = [attentive, np.sum([one.without for one in likely], axis=0), np.sum([one.some for one in likely], axis=0)]
    always = before / 2 if many == 1 else before * (1 - ONE_ONLY) / 2
    logs = share * np.array(rows) + np.log([1 - before, always, always])[:, None]
    if many > 1:
        # Of one question alone nothing is counted twice, so that its answers count in full.
        single = [share * attentive + one.without - one.attentive for one in likely]
        logs = np.vstack([logs, np.array(single) + math.log(before * ONE_ONLY / many)])
    found: Real = np.exp(logs - _log_sum(logs, 0))
    return found


def _looking(classes: Real) -> Real:
    """By question and rater, the probability that answers to it are looked at."""
    single = classes[3:]
    found: Real = classes[0] + single.sum(axis=0) - single if len(single) else classes[:1]
    return found


def _told(views: Sequence[_View], share: float, before: float, raters: int) -> Flags:
    """Whether the answers of each rater, moved on to the rater's next units, would be noticed in most orders."""
    likely = [view.likely(_reordered(view.whole)) for view in views]
    found: Flags = (1 - _classes(likely, share, before)[0] >= LIKELY).reshape(raters, ORDERS).mean(axis=1) >= 0.5
    return found


def _reordered(said: _Said) -> _Said:
    """For each rater as many raters as there are orders, whose answers stand a part of the way round farther on."""
    order = np.argsort(said.rater, kind="stable")
    first = np.searchsorted(said.rater[order], np.arange(said.raters + 1))
    rank = np.arange(len(order)) - first[said.rater[order]]
    order = order[rank < MOST_REORDERED]
    rater = said.rater[order]
    first = np.searchsorted(rater, np.arange(said.raters + 1))
    number, rank = np.diff(first)[rater], np.arange(len(order)) - first[rater]
    parts = []
    for turn in range(ORDERS):
        moved = first[rater] + (rank + np.maximum(1, (turn + 1) * number // (ORDERS + 1))) % number
        parts.append((rater * ORDERS + turn, said.code[order][moved], said.place[order]))
    who, code, place = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Said(who, code, place, said.raters * ORDERS)


def _log_sum(logs: Real, axis: int) -> Real:
    most = logs.max(axis=axis, keepdims=True)
    found: Real = np.squeeze(most, axis) + np.log(np.exp(logs - most).sum(axis=axis))
    return found


def _mean(rows: Sequence[Real]) -> Real:
    """Means of what is known, by rater; NaN where nothing is."""
    values = np.array(rows)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        found: Real = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    return found


def _usual(question: Question, weight: Real) -> Real:
    """How often each answer is given, by whom one listens to."""
    counts = np.bincount(question.code, weight[question.rater], minlength=question.labels) + 0.3
    found: Real = counts / counts.sum()
    return found


def _without_a_look(said: _Said, labels: int, blind: Real) -> Real:
    """Without a look: as likely as units are, evenly, or nearly always one answer (over all shares, by Dirichlet).

    ``blind`` is how likely the answers are if the rater is like others, but the units are any.
    """
    from scipy.special import gammaln

    times = np.bincount(said.rater * labels + said.code, minlength=said.raters * labels).reshape(said.raters, labels)
    number, few = times.sum(axis=1), ONE_ANSWER / labels
    one = gammaln(ONE_ANSWER) - gammaln(ONE_ANSWER + number) + (gammaln(few + times) - gammaln(few)).sum(axis=1)
    even = -number * math.log(labels)
    logs = np.array([blind, one, even]) + np.log([1 - RARE, RARE / 2, RARE / 2])[:, None]
    return _log_sum(logs, 0)


class _Scale:
    """Points of a scale, or no and yes: an answer is an interval of a normal variable about what the others see."""

    def __init__(self, question: Question, weight: Real, raters: int, units: int) -> None:
        self.question, self.raters = question, raters
        self.usual = _usual(question, weight)
        self.limits, middle = self._cuts()
        unit, rater, own = question.unit, question.rater, weight[question.rater]
        number = np.bincount(rater, minlength=raters)
        score = middle[question.code]
        mean = np.bincount(rater, score, minlength=raters) / np.maximum(number, 1)
        left = score - mean[rater]
        total, sums = np.bincount(unit, own, minlength=units), np.bincount(unit, own * left, minlength=units)
        each = float((number[rater] * own).sum() / own.sum())
        freedom = each / max(each - 1, 0.5)
        within = freedom * float((own * left**2).sum() / own.sum())
        pairs = float((total**2).sum() - (own**2).sum())
        common = float((sums**2).sum() - ((own * left) ** 2).sum())
        between = freedom * common / pairs - DOUBT * within * math.sqrt(2 / pairs) if pairs > 1e-9 else 0.0
        grouped = float((self.usual * middle**2).sum())
        self.bias = self._leniency(weight * (number > 0), mean, within / each) / grouped
        self._see(min(max(between, 0.0), 0.95 * within), within, sums[unit] - own * left, total[unit] - own)

    def _cuts(self) -> tuple[Real, Real]:
        """The limits of the intervals, and the mean of the normal variable within each."""
        from scipy.special import ndtri

        limits = ndtri(np.concatenate([[0.0], np.minimum(np.cumsum(self.usual), 1.0)]))
        limits[-1] = np.inf
        density = np.exp(-np.square(np.clip(limits, -9, 9)) / 2) / math.sqrt(2 * math.pi)
        density[[0, -1]] = 0.0
        return limits, (density[:-1] - density[1:]) / self.usual

    def _leniency(self, present: Real, mean: Real, chance: float) -> float:
        """How much the means of raters vary beyond chance, averaged with what is usual."""
        freedom = max(float(present.sum()) - 1, 0.0)
        centre = float((present * mean).sum() / present.sum())
        spread = float((present * (mean - centre) ** 2).sum()) / max(freedom, 0.5) - chance
        return (freedom * max(spread, 0.0) + BIAS_PEERS * USUAL_BIAS**2) / (freedom + BIAS_PEERS)

    def _see(self, between: float, within: float, others: Real, size: Real) -> None:
        """What the others see of each unit, shrunk towards the mean, and the variance of what it may be."""
        rest = max(1 - self.bias, 0.3) / max(within, 1e-9)
        unit, self.noise = between * rest, max(max(within - between, 0.05 * within) * rest, LEAST_NOISE)
        seen = unit * others * math.sqrt(rest) / (unit * size + self.noise)
        variance = unit * self.noise / (unit * size + self.noise)
        most = math.sqrt(max(unit, 1e-9))
        near = np.rint(np.clip(seen / most, -FARTHEST, FARTHEST) / STEP).astype(np.int64)
        sure = np.rint(np.log(np.maximum(variance, 1e-9)) / SURE_STEP).astype(np.int64)
        spread = near.max() - near.min() + 1 if len(near) else 1
        keys, self.place = np.unique((sure - sure.min()) * spread + near - near.min(), return_inverse=True)
        self.seen = (keys % spread + near.min()) * STEP * most
        self.variance = np.exp((keys // spread + sure.min()) * SURE_STEP)
        self.unit = unit

    @property
    def whole(self) -> _Said:
        """All answers."""
        return _Said(self.question.rater, self.question.code, self.place, self.raters)

    def likely(self, said: _Said) -> _Likely:
        """The chance of each answer at each leniency, carefulness and use of the scale; then over all of these."""
        from scipy.sparse import csr_matrix

        labels = self.question.labels
        rows, place = np.unique(said.place * labels + said.code, return_inverse=True)
        code, at = rows % labels, rows // labels
        times = csr_matrix((np.ones(len(place)), (said.rater, place)), shape=(said.raters, len(rows)))
        chance = self._chance(code, self.seen[at], self.variance[at])
        blind = self._chance(np.arange(labels), np.zeros(labels), np.full(labels, self.unit))[code]

        def together(chances: Real) -> Real:
            found: Real = times @ np.log((1 - SLIP) * chances + SLIP / labels) + PRIOR
            return found

        attentive = together(chance)
        whole = _log_sum(attentive, 1)
        after = np.exp(attentive - whole[:, None]).reshape(said.raters, len(BIASES), len(NOISES), len(SCALES))
        own = np.bincount(said.rater, minlength=said.raters) > 0
        return _Likely(
            whole,
            _without_a_look(said, labels, _log_sum(together(blind), 1)),
            _some_looks(chance, blind, labels, together),
            np.where(own, (after.sum((2, 3)) * BIASES).sum(1) * math.sqrt(self.bias), np.nan),
            np.where(own, (after.sum((1, 3)) * np.exp(NOISES * NOISE_SPREAD)).sum(1), np.nan),
        )

    def _chance(self, code: Whole, seen: Real, variance: Real) -> Real:
        """The chance of answers at every leniency, carefulness and use of the scale (columns)."""
        from scipy.special import ndtr

        bias, noise, scale = BIASES * math.sqrt(self.bias), np.exp(NOISES * NOISE_SPREAD), np.exp(SCALES * SCALE_SPREAD)
        middle = bias[:, None, None] + scale * seen[:, None, None, None]
        width = scale * np.sqrt(variance[:, None] + self.noise * noise**2)[:, None, :, None]
        upper, lower = self.limits[code + 1, None, None, None], self.limits[code, None, None, None]
        found: Real = (ndtr((upper - middle) / width) - ndtr((lower - middle) / width)).reshape(len(code), -1)
        return found


def _normal(places: Real) -> Real:
    """Logarithms of what a normal distribution has at these places, as shares."""
    found: Real = -places * places / 2 - math.log(float(np.exp(-places * places / 2).sum()))
    return found


PRIOR = np.add.outer(np.add.outer(_normal(BIASES), _normal(NOISES)), _normal(SCALES)).ravel()
"""How usual every leniency, carefulness and use of the scale is, as logarithms."""


class _Together(Protocol):
    """Adds the logarithms of chances up by rater, in every case that is looked at."""

    def __call__(self, chances: Real) -> Real:
        """Sums by rater and case."""


def _some_looks(chance: Real, blind: Real, labels: int, together: _Together) -> Real:
    """The same where most of the answers are given to any unit, or evenly."""
    parts = [_log_sum(together((1 - GLANCE) * chance + GLANCE * other), 1) for other in (blind, 1 / labels)]
    return _log_sum(np.array(parts) + np.log([1 - RARE / 2, RARE / 2])[:, None], 0)


class _Labels:
    """Labels without an order: predicted from those of the others, and from the rater's own habit."""

    def __init__(self, question: Question, weight: Real, raters: int, units: int) -> None:
        self.question, self.raters = question, raters
        labels, unit, own = question.labels, question.unit, weight[question.rater]
        self.usual = _usual(question, weight)
        said: Real = np.zeros((units, labels))
        np.add.at(said, (unit, question.code), own)
        pairs = float((said.sum(axis=1) ** 2).sum() - (own**2).sum())
        same, chance = float((said**2).sum() - (own**2).sum()), float((self.usual**2).sum())
        agreed = (same / pairs - chance) / (1 - chance) if pairs > 1e-9 else 0.0
        pull = 1 / min(max(agreed, 1e-3), 0.95) - 1
        others = said[unit]
        others[np.arange(len(unit)), question.code] -= own
        self.seen = (pull * self.usual + others) / (pull + others.sum(axis=1, keepdims=True))

    @property
    def whole(self) -> _Said:
        """All answers."""
        return _Said(self.question.rater, self.question.code, np.arange(len(self.question.code)), self.raters)

    def likely(self, said: _Said) -> _Likely:
        """The chance of each answer by what the others say, and by how much the rater follows a habit."""
        labels = self.question.labels
        times = np.bincount(said.rater * labels + said.code, minlength=said.raters * labels)
        times = times.reshape(said.raters, labels)
        habit = ((times + 2 * self.usual) / (times.sum(axis=1, keepdims=True) + 2))[said.rater, said.code, None]
        chance = (1 - HABITS) * self.seen[said.place, said.code, None] + HABITS * habit
        blind = (1 - HABITS) * self.usual[said.code, None] + HABITS * habit

        def together(chances: Real) -> Real:
            logs = np.log((1 - SLIP) * chances + SLIP / labels)
            sums = [np.bincount(said.rater, column, minlength=said.raters) for column in logs.T]
            found: Real = np.array(sums, dtype=float).T - math.log(len(HABITS))
            return found

        nothing = np.full(said.raters, np.nan)
        return _Likely(
            _log_sum(together(chance), 1),
            _without_a_look(said, labels, _log_sum(together(blind), 1)),
            _some_looks(chance, blind, labels, together),
            nothing,
            nothing,
        )


def _independent(questions: Sequence[Question], raters: int) -> float:
    """How many questions these are worth: answers of one judgement hang together.

    (sum of eigenvalues)^2 / sum of their squares, of the correlations between questions within raters: as many as there
    are questions if these are unrelated, 1 if they say the same. Few common judgements: the root of their number.
    """
    if len(questions) == 1:
        return 1.0
    keys = [question.unit * raters + question.rater for question in questions]
    common = keys[0]
    for key in keys[1:]:
        common = np.intersect1d(common, key)
    if len(common) < 4 * len(questions):
        return math.sqrt(len(questions))
    rows = []
    for question, key in zip(questions, keys, strict=True):
        codes = question.code.astype(float)
        number = np.bincount(question.rater, minlength=raters)
        left = codes - (np.bincount(question.rater, codes, minlength=raters) / np.maximum(number, 1))[question.rater]
        order = np.argsort(key, kind="stable")
        rows.append(left[order][np.searchsorted(key[order], common)])
    kept = [row for row in rows if row.std() > 1e-9]
    if len(kept) < 2:
        return 1.0
    values = np.linalg.eigvalsh(np.corrcoef(np.array(kept)))
    return float(values.sum() ** 2 / (values**2).sum()) * len(questions) / len(kept)
