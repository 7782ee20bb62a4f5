"""How often `rubrica check` finds somebody who answers badly, and how often it calls an honest person unusual.

Three kinds of simulated studies. Mixed ones: units have a quality, honest people see it with a leniency and a
carefulness of their own that vary a lot, on scales of 1 to 5 and a yes or no; one person answers at random, gives
nearly always one answer, or hurries. Small ones: eight people with thirty items each on one scale, one of whom is
constant, random or careless (six of ten answers without a look). Honest ones: nobody is bad, in each of the nine
protocols, with the shares of answers that its document reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.report import Figure
from rubrica.core.answers import Answer
from rubrica.core.ratings import (
    NOMINAL,
    ORDINAL,
    SCALE,
    TEXT,
    VERDICT,
    WORDS,
    YES_NO,
    Criterion,
    Rater,
    Rating,
    Ratings,
    Unit,
)
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from rubrica.report.checks import check

SEED, STUDIES, UNITS, SHARE = 20261116, 40, 60, 0.7
CRITERIA = (
    Criterion("meaning", "meaning", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("fluency", "fluency", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("problem", "problem", YES_NO, NOMINAL, ("no", "yes"), "no"),
)
HONEST, RANDOM, ONE_ANSWER, HURRIED = "honest", "random", "one answer", "hurried"
PEOPLE, EACH, SMALL = 8, 30, 15
CONSTANT, CARELESS = "constant", "careless"
WITHOUT_A_LOOK, LOW_CORRELATION = 0.6, 0.2
LEAST_FOUND, MOST_FLAGGED = 100 * 11 / 15, 2.0
"""Of small studies with a bad person, percent that must be found; of honest people, percent that may be flagged."""
LENIENCY, NOISE = 0.4, 0.7
SIZES = ((1, 100, 40), (3, 100, 12), (8, 40, 12))
"""Honest studies: people, items (everybody has all) and how many studies."""

Numbers = npt.NDArray[np.float64]


class Setting(NamedTuple):
    """Of a protocol, by question, the shares of its answers from the lowest; ``source`` says where they come from."""

    protocol: str
    source: str
    shares: Mapping[str, Sequence[float]]


def _split_rate(source: str, fives: tuple[float, float], noes: tuple[float, float, float, float]) -> Setting:
    """Table 3: shares of 5 (the rest falls by half from point to point), and of no to the four yes-no questions."""
    tail = np.array([1, 2, 4, 8, 16]) / 31
    scales = {name: [*((1 - five) * tail), five] for name, five in zip(("sensible", "grammatical"), fives, strict=True)}
    asked = ("missing_facts", "new_facts", "wrong_split", "further_split")
    return Setting("split_rate", source, scales | {name: (no, 1 - no) for name, no in zip(asked, noes, strict=True)})


_REVIEW = {
    "simplification": (0.05, 0.25, 0.7),
    "meaning": (0.06, 0.14, 0.8),
    "fluency": (0.05, 0.15, 0.8),
    "concern": (0.98, 0.02),
    "acceptance": (0.7, 0.15, 0.15),
    "needed": (0.3, 0.7),
}
SETTINGS = (
    _split_rate("Table 3, human, Wiki-BM", (0.849, 0.768), (0.95, 0.937, 0.883, 0.88)),
    _split_rate("Table 3, rule, Wiki-BM", (0.598, 0.542), (0.943, 0.943, 0.787, 0.477)),
    _split_rate("Table 3, seq2seq, Cont-BM", (0.294, 0.25), (0.927, 0.99, 0.523, 0.63)),
    Setting("breve", "no rates reported: most rewrites good", _REVIEW),
    Setting("claro", "no rates reported: most rewrites good", _REVIEW),
    Setting(
        "adequacy_fluency",
        "no rates reported: skewed to the top",
        {"content_preservation": (0.05, 0.08, 0.15, 0.27, 0.45), "fluency": (0.03, 0.06, 0.11, 0.25, 0.55)},
    ),
    Setting("lexical_complexity", "most words easy", {"complexity": (0.35, 0.33, 0.2, 0.09, 0.03)}),
    Setting(
        "lexical_posthoc",
        "no rates reported: top systems",
        {
            "simplicity": (0.05, 0.1, 0.2, 0.3, 0.35),
            "fluency": (0.03, 0.05, 0.12, 0.3, 0.5),
            "meaning": (0.08, 0.1, 0.17, 0.25, 0.4),
        },
    ),
    Setting("lexical_simplification", "the vast majority has a simpler word", {"substitutes": (0.1, 0.9)}),
    Setting("split_rewrite", "texts", {}),
    Setting("salsa", "edits", {}),
)


def run() -> Iterator[Figure]:
    """By kind of study: how often bad people are found, and how often others are called unusual."""
    rng = np.random.default_rng(SEED)
    for people in (6, 8, 11):
        for last in (HONEST, RANDOM, ONE_ANSWER, HURRIED):
            found = others = 0
            for _ in range(STUDIES):
                unusual = {finding.rater for finding in check(_study(rng, people, last)).unusual}
                found += f"p{people - 1}" in unusual
                others += len(unusual - {f"p{people - 1}"})
            honest = STUDIES * (people - 1)
            detail = f"{people} people, {STUDIES} studies; {others} of {honest} honest ones called unusual"
            yield Figure(f"found: {last}", 100 * found / STUDIES, "%", None, detail=detail)
    for overlap in (PEOPLE, 3):
        yield from _small(overlap)
    for setting in SETTINGS:
        yield _honest(setting)


def _study(rng: np.random.Generator, people: int, last: str) -> Ratings:
    """A mixed study in which the last person is of that kind."""
    quality = rng.normal(3.4, 1.0, (UNITS, 2))
    ratings = []
    for person in range(people):
        kind = last if person == people - 1 else HONEST
        lenient, careful = rng.normal(0, 0.5), rng.gamma(9, 0.09)
        pace = 30 * rng.lognormal(0, 0.35) * (0.15 if kind == HURRIED else 1)
        for unit in np.flatnonzero(rng.random(UNITS) < SHARE):
            seen = np.clip(np.rint(quality[unit] + lenient + rng.normal(0, careful, 2)), 1, 5).astype(int)
            problem = bool(rng.random() < (0.85 if quality[unit].mean() < 2.8 else 0.1))
            if kind == RANDOM:
                seen, problem = rng.integers(1, 6, 2), bool(rng.random() < 0.5)
            elif kind == ONE_ANSWER and rng.random() < 0.9:
                seen, problem = np.array([4, 4]), False
            answers = {"meaning": int(seen[0]), "fluency": int(seen[1]), "problem": "yes" if problem else "no"}
            seconds = float(pace * rng.lognormal(0, 0.5))
            ratings.append(Rating(f"u{unit}", f"p{person}", answers, seconds=seconds))
    return _ratings(CRITERIA, ratings, {f"u{unit}": Unit(f"u{unit}") for unit in range(UNITS)}, people)


def _ratings(criteria: Sequence[Criterion], every: Sequence[Rating], units: Mapping[str, Unit], people: int) -> Ratings:
    raters = {f"p{person}": Rater(f"p{person}") for person in range(people)}
    return Ratings("simulated", tuple(criteria), tuple(every), dict(units), raters)


def _small(overlap: int) -> Iterator[Figure]:
    """Small studies: how many of the bad are found, beside a plain correlation with the others below .2."""
    rng = np.random.default_rng(SEED)
    found = others = plain = plain_others = 0
    for kind in (CONSTANT, RANDOM, CARELESS):
        for _ in range(SMALL):
            table = _table(rng, overlap, kind)
            unit, person = np.nonzero(~np.isnan(table))
            every = [
                Rating(f"u{one}", f"p{who}", {"meaning": int(table[one, who])})
                for one, who in zip(unit.tolist(), person.tolist(), strict=True)
            ]
            units = {f"u{one}": Unit(f"u{one}") for one in range(len(table))}
            unusual = {finding.rater for finding in check(_ratings(CRITERIA[:1], every, units, PEOPLE)).unusual}
            low = [_correlation(table, who) < LOW_CORRELATION for who in range(PEOPLE)]
            found, others = found + ("p7" in unusual), others + len(unusual - {"p7"})
            plain, plain_others = plain + low[-1], plain_others + sum(low[:-1])
    number, honest = 3 * SMALL, 3 * SMALL * (PEOPLE - 1)
    detail = (
        f"{PEOPLE} people, {EACH} items each, {overlap} to an item, {number} studies; {others} of {honest} honest ones "
        f"called unusual; a correlation below {LOW_CORRELATION}: {100 * plain / number:.0f} %, {plain_others} honest"
    )
    yield Figure("found in small studies", 100 * found / number, "%", LEAST_FOUND, at_least=True, detail=detail)


def _table(rng: np.random.Generator, overlap: int, kind: str) -> Numbers:
    """Points from 1 to 5 by unit and person, of whom the last is bad; NaN where somebody has not the unit."""
    units = PEOPLE * EACH // overlap
    seen = rng.normal(3.4, 1.0, (units, 1)) + rng.normal(0, LENIENCY, PEOPLE)
    table = seen + rng.normal(0, 1, (units, PEOPLE)) * rng.uniform(0.5, 1.0, PEOPLE)
    blind = rng.uniform(0.5, 5.5, units)
    if kind == CONSTANT:
        table[:, -1] = rng.integers(3, 6)
    else:
        share = 1.0 if kind == RANDOM else WITHOUT_A_LOOK
        table[:, -1] = np.where(rng.random(units) < share, blind, table[:, -1])
    table = np.clip(np.rint(table), 1, 5)
    if overlap < PEOPLE:
        turn = (np.arange(units)[:, None] * overlap + np.arange(overlap)) % PEOPLE
        away = np.ones(table.shape, dtype=bool)
        np.put_along_axis(away, turn, values=False, axis=1)
        table[away] = np.nan
    return table


def _correlation(table: Numbers, who: int) -> float:
    """With the mean of the others; -1 without variation."""
    own, rest = table[:, who], np.delete(table, who, axis=1)
    both = ~np.isnan(own) & ~np.isnan(rest).all(axis=1)
    mean = np.nanmean(rest[both], axis=1)
    return -1.0 if own[both].std() == 0 else float(np.corrcoef(own[both], mean)[0, 1])


def _honest(setting: Setting) -> Figure:
    """Of honest people in studies of several sizes, how many are called unusual at all."""
    rng = np.random.default_rng(SEED)
    flagged = total = 0
    for people, items, studies in SIZES:
        for _ in range(studies):
            flagged += len({finding.rater for finding in check(_of_protocol(rng, setting, people, items)).unusual})
        total += people * studies
    detail = f"{setting.source}; {flagged} of {total} people, alone, of three and of eight"
    return Figure(f"honest people flagged: {setting.protocol}", 100 * flagged / total, "%", MOST_FLAGGED, detail=detail)


def _of_protocol(rng: np.random.Generator, setting: Setting, people: int, items: int) -> Ratings:
    """Honest people: what they see of a unit is a quality, their leniency, and noise that its questions share."""
    protocol = load_shipped(setting.protocol).protocol.resolve({})
    criteria = criteria_of(protocol)
    words = rng.integers(12, 40, items)
    texts = {f"u{unit}": " ".join(f"w{unit}n{place}" for place in range(words[unit])) for unit in range(items)}
    quality = rng.normal(0, 1, (items, len(criteria))) * np.sqrt(0.5) + rng.normal(0, np.sqrt(0.5), (items, 1))
    every = []
    for person in range(people):
        lenient, pace = rng.normal(0, LENIENCY, len(criteria)), rng.lognormal(0, 0.3)
        for unit in rng.permutation(items).tolist():
            noise = NOISE * (np.sqrt(0.3) * rng.normal() + np.sqrt(0.7) * rng.normal(0, 1, len(criteria)))
            seen = (quality[unit] + lenient + noise) / np.sqrt(1 + LENIENCY**2 + NOISE**2)
            answers: dict[str, Answer] = {}
            for place, criterion in enumerate(criteria):
                answer = _answer(rng, criterion, setting, float(seen[place]), f"{unit}")
                answers |= {} if answer is None else {criterion.id: answer}
            seconds = float(pace * rng.lognormal(0, 0.4) * (words[unit] / 4 + 2 * len(answers)))
            every.append(Rating(f"u{unit}", f"p{person}", answers, seconds=seconds))
    units = {name: Unit(name, texts={"source": text}, target="target") for name, text in texts.items()}
    return _ratings(criteria, every, units, people)


def _answer(rng: np.random.Generator, criterion: Criterion, setting: Setting, seen: float, unit: str) -> Answer | None:
    """What somebody says who sees so much; of an unasked question nothing, of texts words of their own."""
    from scipy.special import ndtri

    shares = setting.shares.get(criterion.id)
    if criterion.kind == WORDS and shares:
        known = [f"simpler{unit}x{number}" for number in rng.choice(5, 2, p=(0.4, 0.25, 0.2, 0.1, 0.05)).tolist()]
        return tuple(dict.fromkeys(known)) if rng.random() < shares[1] else ()
    if criterion.id == "rewrite" and criterion.kind == TEXT:
        return " ".join(f"own{number}" for number in rng.integers(0, 10_000, 20).tolist())
    if not shares or criterion.kind == VERDICT:
        return None
    cuts = ndtri(np.cumsum(shares)[:-1])
    return criterion.values[int(np.searchsorted(cuts, seen))]
