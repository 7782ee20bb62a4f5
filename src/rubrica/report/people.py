"""Who annotated, as a table may say it without pointing at anybody.

Answers of fewer than three people are not shown, categories that fewer than three people chose are put together, and
the ends of a range are answers that three people reach. What people said of themselves never stands beside their alias:
only counts, means, deviations and medians over a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from statistics import mean, median, stdev
from typing import NamedTuple

from rubrica.report.facts import PersonFacts, StudyFacts, Told

FEWEST = 3
"""Of fewer people than this nothing is said that they told about themselves."""
FEWEST_MEDIAN = 5
"""Of fewer, mean, deviation and median together would be nearly everybody's answer."""
FEWEST_RANGE = 8
"""Of fewer, mean, deviation and median together with a range would be."""
NUMBERS: Mapping[str, tuple[str, str]] = {
    "age": ("Age", "years"),
    "education_years": ("Education", "years"),
    "reading_hours": ("Reading per week", "hours"),
    "languages": ("Languages spoken", "number"),
}
WORDS: Mapping[str, str] = {
    "native_speaker": "Native speaker of the language of the texts",
    "first_language": "First language",
    "country": "Country of residence",
}
GROUPS = (
    f"Of answers that fewer than {FEWEST} people gave nothing is told; categories that fewer than {FEWEST} chose are "
    f"put together, with the next larger one if they are fewer than {FEWEST} still; a range leaves out the outermost "
    f"{FEWEST - 1} people at each end."
)
"""The rule, for whoever reads what is told of a group."""
HIDDEN = f"not shown: fewer than {FEWEST} people answered"
UNEVEN = f"not shown: fewer than {FEWEST} people answered otherwise than the rest"


class Trait(NamedTuple):
    """What a group told about one thing: in words, by how many people, and how many would rather not say.

    Numbers have their ``mean`` and ``deviation``, where the words say them.
    """

    id: str
    title: str
    told: str
    answered: int
    unsaid: int
    mean: float | None = None
    deviation: float | None = None


class Group(NamedTuple):
    """People of whom something is told together, and the stages at which they judged; no stages means all of them."""

    stages: tuple[str, ...]
    people: tuple[PersonFacts, ...]


def groups(facts: StudyFacts) -> list[Group]:
    """Stages with the same people together, or everybody at once.

    Everybody is one group, too, where two groups differ by fewer than three people: what is told of one group and not
    of the other would be told of those few.
    """
    sets = {stage.key: frozenset(stage.people) for stage in facts.stages if stage.people}
    different = list(dict.fromkeys(sets.values()))
    told = [members for members in different if len(members) >= FEWEST]
    if len(different) < 2 or any(_close(one, other) for one, other in combinations(told, 2)):
        return [Group((), facts.people)]
    return [
        Group(
            tuple(key for key, people in sets.items() if people == members),
            tuple(person for person in facts.people if person.alias in members),
        )
        for members in different
    ]


def _close(one: frozenset[str], other: frozenset[str]) -> bool:
    return 0 < len(one - other) < FEWEST or 0 < len(other - one) < FEWEST


def worked_in_studio(people: Sequence[PersonFacts]) -> bool:
    """Whether anybody came by a link; others worked on sheets or were imported, and took no steps before the work."""
    return any(person.came_by for person in people)


def traits(people: Sequence[PersonFacts], asked: Sequence[str]) -> list[Trait]:
    """What the group told, in the order in which it was asked; questions of the study's own are left out."""
    told = [person.profile for person in people if person.profile is not None]
    found = []
    for name in asked:
        values = [profile[name] for profile in told if name in profile]
        given = [value for value in values if value is not None]
        unsaid = len(values) - len(given)
        if name in NUMBERS:
            title, unit = NUMBERS[name]
            figures = _figures(given)
            found.append(Trait(name, f"{title} ({unit})", _range(given, figures), len(given), unsaid, *figures))
        elif name in WORDS:
            found.append(Trait(name, WORDS[name], _categories(given), len(given), unsaid))
    return found


def _figures(values: Sequence[Told]) -> tuple[float | None, float | None]:
    """Mean and deviation, of as many as may be told of."""
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    if len(numbers) < FEWEST:
        return None, None
    return mean(numbers), stdev(numbers) if len(set(numbers)) == 1 or len(numbers) >= FEWEST_MEDIAN else None


def _range(values: Sequence[Told], figures: tuple[float | None, float | None]) -> str:
    numbers = sorted(float(value) for value in values if isinstance(value, int | float))
    if len(numbers) < FEWEST:
        return HIDDEN
    if numbers[0] == numbers[-1]:
        return f"{numbers[0]:g} (all of them)"
    if figures[1] is None:
        return f"mean {figures[0]:.1f}"
    told = f"mean {figures[0]:.1f} (SD {figures[1]:.1f}), median {median(numbers):g}"
    if len(numbers) < FEWEST_RANGE:
        return told
    ends = f"between {numbers[FEWEST - 1]:g} and {numbers[-FEWEST]:g} but for {FEWEST - 1} people at each end"
    return f"{told}, {ends}"


def shared(counts: Mapping[str, int]) -> list[str]:
    """Categories that are told, the most frequent first: at least three people chose each, and none or three the rest.

    Otherwise a rest of one or two could be told from the number of those who answered.
    """
    kept = sorted((name for name, number in counts.items() if number >= FEWEST), key=lambda name: (-counts[name], name))
    while kept and 0 < sum(counts.values()) - sum(counts[name] for name in kept) < FEWEST:
        kept.pop()
    return kept


def _categories(values: Sequence[Told]) -> str:
    if len(values) < FEWEST:
        return HIDDEN
    counts = Counter(str(value).strip() for value in values)
    kept = shared(counts)
    rest = len(values) - sum(counts[name] for name in kept)
    if not kept:
        rare = max(counts.values()) < FEWEST
        return f"{len(counts)} different answers, each by fewer than {FEWEST} people" if rare else UNEVEN
    return ", ".join([*(f"{name} {counts[name]}" for name in kept), *([f"others {rest}"] if rest else [])])


class Pay(NamedTuple):
    """What work brought by the hour, over those whose time was measured for long enough; money in one currency."""

    people: int
    lowest: Decimal
    middle: Decimal
    highest: Decimal
    compared: int
    below: int


def pay_by_the_hour(people: Sequence[PersonFacts]) -> Pay | None:
    """Hourly pay and how often it is below the minimum wage of the annotator's own country; None if unknown."""
    known = [(person.hourly, person.minimum) for person in people if person.hourly is not None]
    if not known:
        return None
    rates = sorted(hourly for hourly, _ in known)
    with_minimum = [(hourly, least) for hourly, least in known if least is not None]
    below = sum(hourly < least for hourly, least in with_minimum)
    return Pay(len(known), rates[0], Decimal(median(rates)), rates[-1], len(with_minimum), below)
