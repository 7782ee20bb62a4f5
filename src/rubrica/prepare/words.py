"""Target words and their contexts for studies of lexical complexity and simplification, picked from texts.

MLSP 2024's guidelines ask for 200 words that are hard enough and likely to have simpler substitutes, each in a context
from texts of native speakers, and two more content words of each context. What they leave to the provider ("appropriate
heuristic criteria") is decided here, and said for each word: how frequent it is, whether it is a name, which part of
speech, a lemma once. Texts stream by: of each word a few contexts are kept, drawn by a seeded hash, so that neither the
order of files nor their size matters. What a language has no tool for is done without, and said.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import attrs

from rubrica.core.marking import is_unspaced
from rubrica.language import frequency, japanese
from rubrica.language.lemmas import function_words, is_foreign, lemmas_of
from rubrica.language.names import base_language, language_name
from rubrica.language.parsing import ENGLISH, parse
from rubrica.prepare.contexts import Cutter, context_problem, cutter_of, sentences_of
from rubrica.prepare.sentences import Limits, alike, words_of

WORDS_FIRST, CONTEXTS_FIRST = "words", "contexts"
BANDS = 5
KEPT = 8
"""Contexts that are kept of each word while texts stream by."""
SPARE = 20
"""Contexts that are kept for each that is wanted, where contexts come first."""
CONTENT = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb"}
CAPITAL_NOUNS = ("de", "lb")
"""Languages that write nouns with capital letters, by which names cannot be told."""
REASONS: Mapping[str, str] = {
    "markup": "leftover markup",
    "brackets": "brackets or quotation marks that do not close",
    "signs": "too few letters",
    "start": "does not begin as a sentence does",
    "end": "does not end as a sentence does",
    "punctuation": "punctuation stands doubled, apart, or at the beginning",
    "one_sentence": "more than one sentence, or it is not clear where one ends",
    "short": "too short",
    "long": "too long",
    "language": "in another language, or mostly in letters of another",
    "words": "too few words that could be targets",
    "duplicate": "nearly the same as another context",
    "part_of_speech": "too few content words, or no verb, by the tagger",
}
"""Why a context is left out, in the order in which it is asked."""


@attrs.frozen(kw_only=True)
class Wanted:
    """What is asked for. Frequencies are Zipf's: log10 of occurrences in a thousand million words.

    ``easiest`` bounds main targets, ``easiest_other`` the others of a context; nothing rarer than ``hardest``. Where
    only the text's own counts are known, ``covered`` is the share of running words that are more frequent than any
    target. ``given`` are words to be used, in their order, ``without`` words that never are. ``reserve`` are further
    contexts, for the person who goes through them and does not like one.
    """

    language: str
    contexts: int = 200
    targets: int = 3
    order: str = WORDS_FIRST
    easiest: float = 4.5
    easiest_other: float = 5.2
    hardest: float = 1.5
    covered: float = 0.5
    shortest: int = 5
    least_words: int = 8
    most_words: int = 45
    alike: float = 0.6
    parser: str = ""
    own_counts: bool = False
    seed: int = 0
    reserve: int = 0
    given: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()


class Passage(NamedTuple):
    """A stretch of text with its place: a line or a paragraph of a file."""

    file: str
    line: int
    text: str


class Found(NamedTuple):
    """A word in a context that may be a target: its place in code points, its frequency, whether it may be the main."""

    text: str
    start: int
    key: str
    frequency: float
    band: int
    main: bool


class Context(NamedTuple):
    """A sentence that may be a context, with the words in it that may be targets."""

    file: str
    line: int
    text: str
    words: tuple[Found, ...]


@attrs.frozen
class Target:
    """A word that was picked, with the reason."""

    context: int
    found: Found
    main: bool
    part_of_speech: str
    why: str


@attrs.frozen
class Picked:
    """Contexts with their targets, what contexts were left out for, and what the language has no tool for.

    Those from ``wanted`` on are in reserve. ``candidates`` are, for each context, the words of it that could have been
    picked and were not.
    """

    contexts: tuple[Context, ...]
    targets: tuple[Target, ...]
    candidates: tuple[tuple[Target, ...], ...]
    wanted: int
    left_out: Mapping[str, int]
    without: tuple[str, ...]
    not_found: tuple[str, ...]
    sentences: int


class Difficulty(NamedTuple):
    """How frequent words are and which band of the wanted range that is; ``name`` says from where."""

    name: str
    of: Callable[[str], float]
    band: Callable[[float], int]
    main: Callable[[float], bool]
    other: Callable[[float], bool]


def pick(passages: Callable[[], Iterable[Passage]], wanted: Wanted) -> Picked:
    """Pick targets and contexts. ``passages`` is called for each time the texts are gone through, once or twice."""
    cutter = cutter_of(wanted.language)
    lemmas = _lemmas(wanted.language)
    tagger = _tagger(wanted)
    without = list(_missing(wanted, cutter, lemmas is not None, bool(tagger)))
    listed = None if wanted.own_counts else _listed(wanted)
    difficulty = listed or _own(passages(), wanted, cutter)
    if listed is None:
        without.append(difficulty.name)
    stream = _Stream(wanted, cutter, difficulty, _key(lemmas), bool(tagger))
    for passage in passages():
        stream.take(passage)
    chooser = _Chooser(wanted, tagger, difficulty.name, stream.left_out)
    not_found = (
        chooser.words_first(stream) if wanted.given or wanted.order == WORDS_FIRST else chooser.contexts_first(stream)
    )
    return Picked(
        tuple(chooser.contexts),
        tuple(chooser.targets),
        tuple(chooser.candidates),
        wanted.contexts,
        chooser.counted(),
        tuple(without),
        tuple(not_found),
        stream.sentences,
    )


def _missing(wanted: Wanted, cutter: Cutter, lemmas: bool, tagger: bool) -> Iterator[str]:
    name = language_name(wanted.language)
    if cutter.remark:
        yield cutter.remark
    if not lemmas:
        yield f"no lemmatiser for {name}: a form, not a lemma, is picked at most once"
    if not tagger:
        code = base_language(wanted.language)
        how = "names are told by their capital letters, and no word that begins a sentence is picked"
        if code in CAPITAL_NOUNS:
            how = "nouns have capital letters too, so that names could not be told apart: look for them"
        elif code in ("ja", "si", "zh", "th", "ko", "hi", "ta", "ur", "ar", "fa", "he"):
            how = "the script has no capital letters, so that names could not be told apart: look for them"
        told = "a list of function words is all that tells" if function_words(wanted.language) else "nothing tells"
        yield f"no tagger for {name} was named: {told} parts of speech; {how}"


def _lemmas(language: str) -> Callable[[str], frozenset[str]] | None:
    if _is_cut(language):
        return lambda word: frozenset({japanese.word_alone(word).base})
    return lemmas_of(language)


def _is_cut(language: str) -> bool:
    """Whether it is Japanese and what cuts and tags it is installed."""
    return base_language(language) == "ja" and japanese.is_there()


def _key(lemmas: Callable[[str], frozenset[str]] | None) -> Callable[[str], str]:
    """What words have in common that are picked once: the shortest of their base forms, or the form itself."""

    @lru_cache(maxsize=200_000)
    def key(word: str) -> str:
        return min(lemmas(word), key=lambda base: (len(base), base)) if lemmas else word.casefold()

    return key


def _listed(wanted: Wanted) -> Difficulty | None:
    """By the lists of wordfreq; None for a language that they do not have."""
    table = frequency.table(wanted.language)
    if table is None:
        return None

    def of(word: str) -> float:
        if cut:
            # The list has pieces of words: the dictionary form or the stem, whichever is written more.
            alone = japanese.word_alone(word)
            return max(frequency.listed_zipf(table, one) for one in (word, alone.base, alone.stem))
        return frequency.listed_zipf(table, word)

    cut = _is_cut(wanted.language)
    width = (wanted.easiest - wanted.hardest) / BANDS

    def band(value: float) -> int:
        return min(BANDS, max(1, 1 + int((wanted.easiest - value) / width)))

    return Difficulty(
        frequency.list_version(),
        of,
        band,
        lambda value: wanted.hardest <= value <= wanted.easiest,
        lambda value: wanted.hardest <= value <= wanted.easiest_other,
    )


def _own(passages: Iterable[Passage], wanted: Wanted, cutter: Cutter) -> Difficulty:
    """By the counts of the texts themselves: bands are fifths of the words that are rare enough."""
    counts: Counter[str] = Counter()
    for passage in passages:
        counts.update(word.lower() for word, _ in cutter.words(passage.text))
    total = counts.total()
    # Of the most frequent words so many are too easy as make up the wanted share of the running text.
    running, limit = 0, 0
    for _, times in counts.most_common():
        if running >= wanted.covered * total:
            limit = times
            break
        running += times
    rare = sorted({times for times in counts.values() if times <= limit}, reverse=True)

    def of(word: str) -> float:
        return 9 + math.log10((counts[word.lower()] + 1) / (total + len(counts)))

    zipfs = [9 + math.log10((times + 1) / (total + len(counts))) for times in rare]

    def band(value: float) -> int:
        place = bisect_left([-one for one in zipfs], -value - 1e-9)
        # Counted from below, so that what is written once is of the last band, however short the texts are.
        return BANDS - max(0, len(zipfs) - 1 - place) * BANDS // max(1, len(zipfs))

    def hard(value: float) -> bool:
        return bool(zipfs) and value <= zipfs[0] + 1e-9

    name = f"frequencies are the texts' own counts ({total:,} words): " + (
        "as asked for" if wanted.own_counts else f"wordfreq has no list for {language_name(wanted.language)}"
    )
    return Difficulty(name, of, band, hard, hard)


def _tagger(wanted: Wanted) -> Callable[[str], dict[int, str]] | None:
    """What gives the part of speech of each word of a sentence by its place; None without a tagger."""
    if not wanted.parser and _is_cut(wanted.language):
        return lambda text: {word.start: word.upos for word in japanese.words_of(text)}
    name = wanted.parser or (ENGLISH if base_language(wanted.language) == "en" else "")
    if not name:
        return None

    def tags(text: str) -> dict[int, str]:
        return {word.start: word.upos for word in next(iter(parse([text], name, one_sentence=True))).words}

    return tags


def hashed(seed: int, text: str) -> int:
    """A number that stands for a random one: the same for the same text and seed, whatever comes before it."""
    return int.from_bytes(hashlib.blake2b(f"{seed}\0{text}".encode(), digest_size=8).digest())


class _Stream:
    """Goes through texts once and keeps, of each word or of all, the contexts that a seeded draw prefers."""

    def __init__(
        self, wanted: Wanted, cutter: Cutter, difficulty: Difficulty, key: Callable[[str], str], tagged: bool
    ) -> None:
        self.wanted, self.cutter, self.difficulty, self.key, self.tagged = wanted, cutter, difficulty, key, tagged
        self.limits = Limits(least_words=wanted.least_words, most_words=wanted.most_words)
        self.cased = base_language(wanted.language) not in CAPITAL_NOUNS
        self.given = {key(word) for word in wanted.given} | {word.casefold() for word in wanted.given}
        unspaced = sorted(filter(is_unspaced, wanted.given), key=len, reverse=True)
        self.unspaced = re.compile("|".join(map(re.escape, unspaced))) if unspaced else None
        self.empty = frozenset[str]() if tagged else function_words(wanted.language)
        self.out = {key(word) for word in wanted.without} | wanted.without
        self.by_word: dict[str, list[tuple[int, Context]]] = defaultdict(list)
        self.best: list[tuple[int, Context]] = []
        self.bands: dict[str, int] = {}
        self.left_out: Counter[str] = Counter()
        self.sentences = 0

    def take(self, passage: Passage) -> None:
        """Look at the sentences of a passage; a tab parts the cells of a table."""
        for text in chain.from_iterable(map(sentences_of, passage.text.split("\t"))):
            self.sentences += 1
            problem = context_problem(text, self.limits)
            if not problem and is_foreign(text, self.wanted.language):
                problem = "language"
            words = [] if problem else self._words(text)
            mains = [word for word in words if word.main]
            if not problem and (not mains or len({word.key for word in words}) < self.wanted.targets):
                problem = "words"
            if problem:
                self.left_out[problem] += 1
                continue
            self._keep(Context(passage.file, passage.line, text, tuple(words)), mains)

    def _keep(self, context: Context, mains: Sequence[Found]) -> None:
        rank = -hashed(self.wanted.seed, context.text)
        if self.wanted.given or self.wanted.order == WORDS_FIRST:
            for word in mains:
                self.bands.setdefault(word.key, word.band)
                _bounded(self.by_word[word.key], (rank, context), KEPT)
        else:
            _bounded(self.best, (rank, context), SPARE * self.wanted.contexts)

    def _words(self, text: str) -> list[Found]:
        cut_words = self._cut(text)
        first = cut_words[0][1] if cut_words else 0
        found = []
        for word, start in cut_words:
            key = self.key(word)
            listed = key in self.given or word.casefold() in self.given
            if key in self.out or word.casefold() in self.out or not (listed or self._fits(word, key, start == first)):
                continue
            value = self.difficulty.of(word)
            main = listed if self.given else self.difficulty.main(value)
            if main or self.difficulty.other(value):
                found.append(Found(word, start, key, value, self.difficulty.band(value), main))
        return found

    def _cut(self, text: str) -> list[tuple[str, int]]:
        """The words of a sentence; in a script without spaces those that were given stand wherever they are written."""
        found = self.cutter.words(text)
        given = [(one[0], one.start()) for one in self.unspaced.finditer(text)] if self.unspaced else []
        clear = [
            (word, start)
            for word, start in found
            if not any(start < place + len(one) and place < start + len(word) for one, place in given)
        ]
        return sorted([*clear, *given], key=lambda one: one[1])

    def _fits(self, word: str, key: str, begins: bool) -> bool:
        """Whether a word that nobody asked for may be a target."""
        empty = key in self.empty or word.casefold() in self.empty
        return not empty and self._shaped(word) and not self._named(word, begins)

    def _shaped(self, word: str) -> bool:
        """Letters only, enough of them, and no abbreviation in capitals."""
        if not all(
            sign.isalpha() or unicodedata.category(sign)[0] == "M" or sign in "\u200d\u200cー・·" for sign in word
        ):
            return False
        signs = sum(sign.isalpha() for sign in word)
        least = (
            2 if is_unspaced(word) else self.wanted.shortest if word.isascii() or word.lower() != word.upper() else 3
        )
        return signs >= least and not (word.isupper() and word.lower() != word)

    def _named(self, word: str, begins: bool) -> bool:
        """Whether it may be a name, as far as capital letters tell; of the first word only a tagger can."""
        if not self.cased or (begins and self.tagged):
            return False
        return word[:1].isupper() or (begins and word[:1].lower() != word[:1].upper())


def _signs(text: str) -> frozenset[str]:
    """By what contexts are compared: their words, or two characters each where words have no spaces."""
    parts = [text[place : place + 2] for place in range(len(text))] if is_unspaced(text) else words_of(text.casefold())
    return frozenset(parts)


def _bounded(heap: list[tuple[int, Context]], entry: tuple[int, Context], most: int) -> None:
    if len(heap) < most:
        heapq.heappush(heap, entry)
    elif entry > heap[0]:
        heapq.heapreplace(heap, entry)


class _Chooser:
    """Takes contexts one by one until there are enough, and picks their words."""

    def __init__(
        self, wanted: Wanted, tagger: Callable[[str], dict[int, str]] | None, source: str, left_out: Counter[str]
    ) -> None:
        self.wanted, self.tagger, self.left_out = wanted, tagger, left_out
        self.taken: set[str] = set()
        self.refused: dict[str, str] = {}
        self.source = source if source.startswith("wordfreq") else "the texts' own counts"
        self.used: set[str] = set()
        self.filled: Counter[int] = Counter()
        self.contexts: list[Context] = []
        self.targets: list[Target] = []
        self.candidates: list[tuple[Target, ...]] = []
        self.sets: list[frozenset[str]] = []

    def words_first(self, stream: _Stream) -> list[str]:
        """Words from every band in turn, then a context for each; or the given ones in their order."""
        for key in self._order(stream):
            if self._enough():
                break
            if key in self.used:
                continue
            for _, context in sorted(stream.by_word[key], reverse=True):
                mains = [word for word in context.words if word.key == key and word.main]
                if self._take(context, mains, WORDS_FIRST):
                    break
        missing = [
            word for word in self.wanted.given if stream.key(word) not in self.used and word.casefold() not in self.used
        ]
        return missing if len(self.contexts) < self.wanted.contexts else []

    def _enough(self) -> bool:
        return len(self.contexts) >= self.wanted.contexts + self.wanted.reserve

    def _order(self, stream: _Stream) -> Iterator[str]:
        if self.wanted.given:
            yield from (
                key for word in self.wanted.given for key in {stream.key(word), word.casefold()} & stream.by_word.keys()
            )
            return
        bands: dict[int, list[str]] = defaultdict(list)
        for key, band in stream.bands.items():
            bands[band].append(key)
        queues = [sorted(own, key=lambda key: hashed(self.wanted.seed, key)) for _, own in sorted(bands.items())]
        for place in range(max(map(len, queues), default=0)):
            yield from (queue[place] for queue in queues if place < len(queue))

    def contexts_first(self, stream: _Stream) -> list[str]:
        """Contexts in the order of the draw, then the words of each that fill the emptiest band."""
        for _, context in sorted(stream.best, reverse=True):
            if self._enough():
                break
            self._take(context, [word for word in context.words if word.main], CONTEXTS_FIRST)
        return []

    def _take(self, context: Context, mains: Sequence[Found], order: str) -> bool:
        """Take a context with its words, if it is no near-duplicate and has enough words that are free."""
        if context.text in self.taken:
            return False
        words = _signs(context.text)
        if any(alike(words, other, self.wanted.alike) for other in self.sets):
            self.refused[context.text] = "duplicate"
            return False
        tags = self.tagger(context.text) if self.tagger else {}
        free = [word for word in mains if self._is_content(word, tags) and word.key not in self.used]
        first = min(free, key=self._emptiest, default=None)
        others = self._others(context, first, tags) if first else []
        verbless = bool(tags) and not {"VERB", "AUX"} & set(tags.values())
        if first is None or len(others) < self.wanted.targets - 1 or (verbless and not self.wanted.given):
            self.refused[context.text] = "part_of_speech" if self.tagger else "words"
            return False
        self.taken.add(context.text)
        place = len(self.contexts)
        self.contexts.append(context)
        self.sets.append(words)
        for word in (first, *others):
            self.used.add(word.key)
            self.filled[word.band] += 1
            part = CONTENT.get(tags.get(word.start, ""), "")
            why = f"{self._role(word is first, order)}; {facts(word, part, self.source)}"
            self.targets.append(Target(place, word, word is first, part, why))
        self.candidates.append(tuple(self._rest(context, {first.key, *(word.key for word in others)}, tags)))
        return True

    def _rest(self, context: Context, taken: set[str], tags: Mapping[int, str]) -> Iterator[Target]:
        """The words of a context that are hard enough and were not picked, each lemma once."""
        for word in context.words:
            if word.key not in taken and self._is_content(word, tags):
                taken.add(word.key)
                part = CONTENT.get(tags.get(word.start, ""), "")
                yield Target(len(self.contexts) - 1, word, word.main, part, facts(word, part, self.source))

    def _others(self, context: Context, first: Found, tags: Mapping[int, str]) -> list[Found]:
        found: list[Found] = []
        taken = {first.key}
        rest = [word for word in context.words if self._is_content(word, tags)]
        while len(found) < self.wanted.targets - 1:
            free = [word for word in rest if word.key not in self.used and word.key not in taken]
            if not free:
                break
            found.append(min(free, key=self._emptiest))
            taken.add(found[-1].key)
        return sorted(found, key=lambda word: word.start)

    def _emptiest(self, word: Found) -> tuple[int, int]:
        return self.filled[word.band], hashed(self.wanted.seed, f"{word.key}\0{word.start}")

    def _is_content(self, word: Found, tags: Mapping[int, str]) -> bool:
        """By the tagger; what was given is wanted whatever it is."""
        given = word.main and self.wanted.given
        return bool(given) or not self.tagger or tags.get(word.start, "") in CONTENT

    def counted(self) -> dict[str, int]:
        """How many sentences were left out, by reason: each once, however many words it was looked at for."""
        late = Counter(reason for text, reason in self.refused.items() if text not in self.taken)
        return {reason: many for reason in REASONS if (many := self.left_out[reason] + late[reason])}

    def _role(self, main: bool, order: str) -> str:
        if not main:
            return "another content word of this context"
        if self.wanted.given:
            return "main target: on the list that was given"
        return "main target: " + ("its band was next" if order == WORDS_FIRST else "the emptiest band of this context")


def facts(word: Found, part: str, source: str) -> str:
    """What speaks for a word: how rare it is and by which list, its part of speech, its length, its base form."""
    hard = f"Zipf {word.frequency:.2f} by {source}, band {word.band} of {BANDS} (5 is the rarest)"
    base = [f"lemma {word.key}"] if word.key != word.text.casefold() else []
    return "; ".join([hard, *([part] if part else []), f"{len(word.text)} letters", *base])


def japanese_words(text: str) -> list[tuple[str, int]]:
    """The words of a Japanese text with their places, as `words pick` cuts them."""
    return cutter_of("ja").words(text)


def look_up(text: str, start: int, language: str) -> Found | None:
    """A word that a person chose, as the lists have it; None where no list has the language."""
    difficulty = _listed(Wanted(language=language))
    if difficulty is None:
        return None
    value = difficulty.of(text)
    return Found(text, start, _key(_lemmas(language))(text), value, difficulty.band(value), difficulty.main(value))
