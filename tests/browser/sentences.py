"""Items of real length for every protocol: sentences of 40 to 60 words, with three marked words where one is shared."""

from __future__ import annotations

from rubrica.core.study import Item
from rubrica.protocols.catalog import load_shipped, shipped

PROTOCOLS = sorted(shipped())
OF_EVERY_KIND = ["adequacy_fluency", "breve", "lexical_simplification", "split_patterns", "split_rate", "split_rewrite"]
"""Together they have every kind of question about a text, and conditions that open."""

OPENINGS = (
    "In the autumn of that year",
    "After a long and dry summer",
    "Two weeks before the vote",
    "On the last market day",
)
LONG = (
    "{opening}, the council of the harbour town, which had debated the matter for months without any result, "
    "reluctantly decided that the old lighthouse, although it was dilapidated and expensive to maintain, should be "
    "preserved as a monument, because the fishermen and their families regarded it as an indispensable part of "
    "local history, number {number}."
)
SIMPLER = (
    "{opening}, the town council made a decision about the old lighthouse at the harbour, after many months of talk "
    "that had led to nothing. It will stay as a monument, even though it is in bad shape and costs a lot of money. "
    "The fishermen and their families feel that it belongs to the history of the place, number {number}."
)
TARGETS = ("reluctantly", "dilapidated", "indispensable")


def texts(number: int) -> tuple[str, str]:
    """A sentence and its rewrite, of 50 to 60 words each."""
    words = {"opening": OPENINGS[number % len(OPENINGS)], "number": number}
    return LONG.format(**words), SIMPLER.format(**words)


def long_items(protocol: str, count: int) -> list[Item]:
    """So many pages of items for a shipped protocol."""
    return [item for number in range(1, count + 1) for item in _page(protocol, number)]


def _page(protocol: str, number: int) -> list[Item]:
    long, simple = texts(number)
    fields = [field.id for field in load_shipped(protocol).protocol.fields]
    if "context" not in fields:
        return [Item(f"i{number}", dict(zip(fields, (long, simple), strict=False)))]
    if "substitute" in fields:
        return [Item(f"i{number}", {"context": long, "target": "dilapidated", "substitute": "run-down"})]
    group = f"g{number}"
    return [Item(f"{group}-{word}", {"context": long, "target": word}, group=group) for word in TARGETS]
