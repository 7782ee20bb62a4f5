"""Picked words that a person goes through: what the table says of them, and where they are after a change.

The columns are those that `rubrica words pick` writes; a study keeps them as metadata of its items. What the person may
take instead of a word, or of a whole context, came with the table, so that nothing need be tagged or counted again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, NamedTuple, Protocol

from rubrica.core.errors import Problem, refuse
from rubrica.core.marking import cut
from rubrica.core.study import pages
from rubrica.core.target_words import is_word, words_at
from rubrica.core.typed import whole
from rubrica.language import frequency
from rubrica.language.names import base_language
from rubrica.prepare.words import BANDS, facts, japanese_words, look_up

WHY, BAND, MAIN, LEMMA, ZIPF, PART = "why", "band", "main", "lemma", "zipf", "part_of_speech"
RESERVE, CANDIDATES, WANTED, INSTEAD = "reserve", "candidates", "wanted", "instead_of"
COMPLEXITY, SUBSTITUTES = "suggested_complexity", "suggested_substitutes"
"""What programs suggest of a word (``rewriting.lexical.suggested``)."""
OF_THE_WORD = (WHY, BAND, LEMMA, ZIPF, PART, COMPLEXITY, SUBSTITUTES)
"""What is known of a word and goes with it."""
USUAL_WANTED = 600
"""Instances that the guidelines of MLSP 2024 ask for."""


TOLD = {
    "source": "sources",
    "licence": "licence",
    "genre": "genre",
    "audience": "audience",
    "education_relation": "education_relation",
}
"""What a table says of its texts, and what a study's record calls it."""
NATIVE, TRANSLATED = "native_speakers", "translated"
ABOUT = (*TOLD, NATIVE, TRANSLATED)
"""What a release must be able to say of the texts."""


ACCEPTED, WAITING, REPLACED, DROPPED = STATES = ("accepted", "waiting", "replaced", "dropped")
REPLACED_BY = "replaced by the context of "
"""How the reason begins for which a replaced context is closed."""


class Word(NamedTuple):
    """A word of a context that may be a target; ``about`` is what is known of it, by the names of the columns."""

    text: str
    start: int
    about: Mapping[str, str]

    @property
    def band(self) -> int:
        """Its band of difficulty, 0 if it is not known."""
        return band_of(self.about)


class Placed(NamedTuple):
    """Where a word stands in a text, and how it is written there."""

    start: int
    text: str


class Picked(Protocol):
    """An item of a picked word as a study keeps it: reviewed when somebody accepted it, closed when it is left out."""

    @property
    def pid(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def group(self) -> str: ...

    @property
    def fields(self) -> Mapping[str, Any]: ...

    @property
    def metadata(self) -> Mapping[str, Any]: ...

    @property
    def reviewed_at(self) -> datetime | None: ...

    @property
    def closed_at(self) -> datetime | None: ...

    @property
    def closed_reason(self) -> str: ...


class WordCount(NamedTuple):
    """How far the review is, in words. ``replaced`` were replaced by others, alone or with their context."""

    contexts: int
    accepted: int
    waiting: int
    replaced: int
    dropped: int
    wanted: int
    bands: tuple[int, ...]
    reserve: int

    @property
    def instances(self) -> int:
        """Words that would be asked about."""
        return self.accepted + self.waiting


def counted(rows: Sequence[Picked], reserve: Iterable[Picked]) -> WordCount:
    """The counters, over all words of a study, and those that it has in reserve."""
    open_rows = [row for row in rows if row.closed_at is None]
    swapped = [row for row in rows if row.closed_at and row.closed_reason.startswith(REPLACED_BY)]
    bands = [band_of(row.metadata) for row in open_rows]
    wanted = next((said for row in rows if (said := whole(str(row.metadata.get(WANTED, ""))))), 0)
    return WordCount(
        contexts=len(pages(open_rows)),
        accepted=sum(row.reviewed_at is not None for row in open_rows),
        waiting=sum(row.reviewed_at is None for row in open_rows),
        replaced=len(swapped) + sum(bool(row.metadata.get(INSTEAD)) for row in open_rows),
        dropped=len(rows) - len(open_rows) - len(swapped),
        wanted=wanted or USUAL_WANTED,
        bands=tuple(bands.count(band) for band in range(1, BANDS + 1)),
        reserve=len(pages(reserve)),
    )


def state_of(items: Sequence[Picked]) -> str:
    """What a context of these words is: waiting while one of them waits; else accepted, unless all are closed."""
    open_items = [item for item in items if item.closed_at is None]
    if not open_items:
        return REPLACED if all(item.closed_reason.startswith(REPLACED_BY) for item in items) else DROPPED
    return ACCEPTED if all(item.reviewed_at for item in open_items) else WAITING


def free_candidates(items: Sequence[Picked], text: str) -> list[Word]:
    """What else could be picked in the context of these words."""
    listed = next((found for one in items if (found := candidates_of(one.metadata, text))), [])
    taken = {start_of(one) for one in items if one.closed_at is None}
    return [one for one in listed if one.start not in taken]


def start_of(item: Picked) -> int:
    """Where the word stands in its context; -1 if that is not known."""
    said = whole(str(item.metadata.get("start", "")))
    return -1 if said is None else said


def main_band(items: Sequence[Picked]) -> int:
    """How difficult the word is for which a context was taken."""
    main = next((one for one in items if one.metadata.get(MAIN) == "yes"), items[0])
    return band_of(main.metadata)


def as_metadata(item: Picked, word: Word, before: str) -> dict[str, str]:
    """What is known of a new word in place of what was known of the old one, which was ``before``."""
    kept = {name: value for name, value in item.metadata.items() if name not in (*OF_THE_WORD, "occurrence")}
    first = item.metadata.get(INSTEAD, before)
    return {**kept, **word.about, "start": str(word.start), INSTEAD: first}


class Edited(NamedTuple):
    """What an item is after its context was edited."""

    fields: dict[str, str]
    metadata: dict[str, str]


def edited(items: Sequence[Picked], candidates: Sequence[Word], text: str, field: str, target: str) -> list[Edited]:
    """The items of a context with another text, in their order: the places of its words and candidates follow.

    ``field`` and ``target`` are those of the text and of the word. Raises InputError if a word that is asked about is
    gone.
    """
    before = items[0].fields.get(field, "")
    words = [Placed(start_of(one), str(one.fields.get(target, "")).strip()) for one in items]
    places = follow(before, text, words)
    refuse(
        Problem(
            what=f"the word {word.text!r} is not in the context any more",
            rule="target",
            fix="Replace or drop the word first, or keep it in the text.",
            value=word.text,
        )
        for one, word, place in zip(items, words, places, strict=True)
        if place is None and one.closed_at is None
    )
    listed = follow(before, text, [Placed(one.start, one.text) for one in candidates])
    moved = [
        one._replace(text=place.text, start=place.start)
        for one, place in zip(candidates, listed, strict=True)
        if place is not None
    ]
    found = []
    for one, place in zip(items, places, strict=True):
        about = {**one.metadata, CANDIDATES: kept_candidates(moved)} if one.metadata.get(CANDIDATES) else one.metadata
        fields = {**one.fields, field: text, **({target: place.text} if place else {})}
        found.append(Edited(fields, {**about, "start": str(place.start)} if place else dict(about)))
    return found


def is_picked(metadata: Mapping[str, Any]) -> bool:
    """Whether an item comes from a table of picked words."""
    return bool(metadata.get(WHY)) and bool(metadata.get(BAND))


def in_reserve(metadata: Mapping[str, Any]) -> bool:
    """Whether an item is of a context that is only taken if another is not liked."""
    return is_picked(metadata) and str(metadata.get(RESERVE, "")).strip().lower() == "yes"


def told_of_texts(rows: Sequence[Mapping[str, Any]]) -> dict[str, str | bool]:
    """What picked items say of their texts, by the names of a study's record; several texts stand side by side.

    ``sources_attested`` is that all of them were written by native speakers, and none was translated.
    """
    picked = [row for row in rows if is_picked(row)]
    found: dict[str, str | bool] = {}
    for column, name in TOLD.items():
        said = dict.fromkeys(text for row in picked if (text := str(row.get(column, "")).strip()))
        if said:
            found[name] = "; ".join(said)
    if picked and all((_yes(row.get(NATIVE)), _yes(row.get(TRANSLATED))) == (True, False) for row in picked):
        found["sources_attested"] = True
    return found


def _yes(said: Any) -> bool | None:
    return {"yes": True, "true": True, "no": False, "false": False}.get(str(said or "").strip().lower())


def band_of(metadata: Mapping[str, Any]) -> int:
    """The band of difficulty, 5 the rarest; 0 if none is known."""
    return whole(str(metadata.get(BAND, "")), 1, BANDS) or 0


def candidates_of(metadata: Mapping[str, Any], text: str) -> list[Word]:
    """The words that could have been picked, as the table has them; those that do not stand there are passed over."""
    try:
        listed = json.loads(str(metadata.get(CANDIDATES, "") or "[]"))
    except ValueError:
        return []
    found = []
    for one in listed if isinstance(listed, list) else []:
        word, start = (one.get("word"), one.get("start")) if isinstance(one, dict) else (None, None)
        if isinstance(word, str) and isinstance(start, int) and text[start : start + len(word)] == word:
            found.append(Word(word, start, {name: str(one[name]) for name in OF_THE_WORD if one.get(name)}))
    return found


def kept_candidates(found: Sequence[Word]) -> str:
    """Candidates as the table has them."""
    return json.dumps([{"word": one.text, "start": one.start, **one.about} for one in found], ensure_ascii=False)


def words_of_context(text: str, language: str) -> list[Placed]:
    """Every word that a person may choose: between spaces and signs, in Japanese as far as it can be cut."""
    if base_language(language or "und") == "ja":
        return [Placed(start, word) for word, start in japanese_words(text)]
    return [Placed(start, word) for start, word in words_at(text)]


def chosen(text: str, start: int, candidates: Sequence[Word], language: str) -> Word | None:
    """The word that begins there: a candidate, or any other, with what the lists know of it. None if none does."""
    for one in candidates:
        if one.start == start:
            return one._replace(
                about={**one.about, WHY: f"a candidate, chosen in the review; {one.about.get(WHY, '')}"}
            )
    word = next((one.text for one in words_of_context(text, language) if one.start == start), "")
    if not word:
        return None
    known = look_up(word, start, language) if language else None
    if known is None:
        why = f"chosen in the review; its frequency is not known; {len(word)} letters"
        return Word(word, start, {WHY: why, LEMMA: word.casefold()})
    why = f"chosen in the review; {facts(known, '', frequency.list_version())}"
    about = {WHY: why, LEMMA: known.key, ZIPF: f"{known.frequency:.2f}", BAND: str(known.band)}
    return Word(word, start, about)


def follow(before: str, after: str, places: Sequence[Placed]) -> list[Placed | None]:
    """Where words are after their text was edited; None for one that is gone.

    A word that stands where it stood between what did not change is followed, also if its spelling was mended; one
    that became several words, or none, is gone.
    """
    old, new = cut(before), cut(after)
    old_starts, new_starts = _starts(old), _starts(new)
    index = {start: number for number, start in enumerate(old_starts)}
    to: dict[int, int] = {}
    for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        words, others = (
            [number for number in span if is_word(tokens[number])]
            for tokens, span in ((old, range(low, high)), (new, range(first, last)))
        )
        if kind == "equal":
            to.update(zip(range(low, high), range(first, last), strict=True))
        elif len(words) == len(others):
            to.update(zip(words, others, strict=True))
    ends = {start + len(token): number for number, (start, token) in enumerate(zip(old_starts, old, strict=True))}
    found: list[Placed | None] = []
    for place in places:
        first, last = index.get(place.start, -1), ends.get(place.start + len(place.text), -1)
        if first in to and last in to and to[last] - to[first] == last - first:
            found.append(Placed(new_starts[to[first]], "".join(new[to[first] : to[last] + 1])))
        else:
            found.append(None)
    return found


def _starts(tokens: Sequence[str]) -> list[int]:
    found, place = [], 0
    for token in tokens:
        found.append(place)
        place += len(token)
    return found
