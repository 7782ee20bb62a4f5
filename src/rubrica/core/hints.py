"""Live hints while somebody works: remarks that help, by rules simple enough to foresee, and that never block.

A remark says what was noticed, not how to word it; the page has the words. Rewrites are compared with the text they
start from and searched for pronouns that may mean several things; short answers are compared with the target word.
Who gives nearly always one answer is told so once.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer, Answers, compared
from rubrica.core.conditions import Case, holds
from rubrica.core.protocol import Protocol, Stage
from rubrica.core.ratings import Criterion
from rubrica.core.scales import RewrittenText, ShortAnswers
from rubrica.core.sentences import count_sentences
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.target_words import forms_of
from rubrica.core.texts import shown
from rubrica.core.validation import Validator

SENTENCES, WORDS_GONE, WORDS_NEW, PRONOUN = "sentences", "words_gone", "words_new", "pronoun"
SAME_WORD, REPEATED, SEVERAL_WORDS, OTHER_SCRIPT = "same_word", "repeated", "several_words", "other_script"
SAME_TEXT, PROTOCOL = "same_text", "protocol"
KINDS = (
    SENTENCES,
    WORDS_GONE,
    WORDS_NEW,
    PRONOUN,
    SAME_WORD,
    REPEATED,
    SEVERAL_WORDS,
    OTHER_SCRIPT,
    SAME_TEXT,
    PROTOCOL,
)

MOST_WORDS = 12
"""How many words one remark lists; more would not be read."""

LAST_ANSWERS, MOST_ALIKE = 40, 39
"""One answer is overused if so many of one's last answers to a question are it."""

_MOST_MENTIONED = 50
"""How many names and nouns of a sentence are kept in mind, so that a long one takes no long time; two are enough."""

_OPENING, _SHORT = 3, 7
"""A pronoun opens a sentence as one of its first words; a sentence of so many words is short."""


class Remark(NamedTuple):
    """Something noticed about a question's answer.

    ``values`` are a number for ``sentences``, the text of the hint for ``protocol``, for ``same_text`` the label of the
    field that reads the same, else words as they were written.
    """

    question: str
    kind: str
    values: tuple[int | str, ...]


class Overused(NamedTuple):
    """An answer that somebody gives to a question again and again: so many times of their last ones."""

    question: str
    answer: Answer
    times: int
    of: int


def overused(criteria: Iterable[Criterion], said: Sequence[Answers]) -> Overused | None:
    """The first question whose last forty answers are all one, but for at most one of them.

    ``said`` are somebody's own answers, the latest last, without those that a rule fixed. A yes or no may be rare, so
    that only questions with three points or more are looked at. It is no finding: `rubrica check` asks what is unusual.
    """
    for criterion in criteria:
        if not criterion.of_several_points:
            continue
        given = [answers[criterion.id] for answers in said if criterion.id in answers]
        last = [answer for answer in given if answer is not NOT_APPLICABLE][-LAST_ANSWERS:]
        if len(last) == LAST_ANSWERS:
            answer, times = Counter(last).most_common(1)[0]
            if times >= MOST_ALIKE:
                return Overused(criterion.id, answer, times, len(last))
    return None


class _Grammar(NamedTuple):
    """The little that is known of a language.

    ``function`` words say nothing by themselves; a noun follows a ``determiner``, some of which are ``possessive``;
    what follows an ``aside`` preposition or a ``linking`` verb is seldom what the next pronoun means; nouns for
    ``persons`` end so; ``people``, ``things`` and ``many`` are pronouns, and ``pointers`` are pronouns only where no
    noun follows.
    """

    function: frozenset[str]
    determiners: frozenset[str]
    possessive: frozenset[str]
    aside: frozenset[str]
    linking: frozenset[str]
    persons: tuple[str, ...]
    people: frozenset[str]
    things: frozenset[str]
    many: frozenset[str]
    pointers: frozenset[str]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = _Grammar(
    function=_set(
        "a an the this that these those my your his her its our their some any each every no all both either neither "
        "i you he she it we they me him us them mine yours hers ours theirs myself himself herself itself themselves "
        "who whom whose which what where when why how there here then than as if because so but and or nor yet while "
        "although though since until unless whether of in on at by to from for with without into onto over under up "
        "down out off about after before between through during against among near within per via am is are was were "
        "be been being do does did done doing have has had having will would shall should can could may might must "
        "not also too very just only even still again more most much many few less such own same other another s t d "
        "ll re ve m don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn one later today "
        "yesterday tomorrow now however moreover together afterwards meanwhile once first finally mr mrs ms dr prof"
    ),
    determiners=_set("a an the my your his her its our their another"),
    possessive=_set("my your his her our their"),
    aside=_set(
        "in on at by from since near of during until into within through under over for about to after before between "
        "against among including onto upon per via outside inside across around along without"
    ),
    linking=_set("am is are was were be been being become becomes became remain remains remained as like than or"),
    persons=(
        *("er", "or", "ist", "ian", "man", "woman", "nurse", "boy", "girl", "king", "queen", "son", "wife", "husband"),
        *("friend", "colleague", "judge"),
    ),
    people=_set("he she him"),
    things=_set("it"),
    many=_set("they them"),
    pointers=_set("this that these those"),
)
_SPANISH = _Grammar(
    function=_set(
        "el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella aquellos aquellas "
        "esto eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras yo tú él ella ello usted nosotros "
        "nosotras ellos ellas ustedes me te se le les nos os que quien quienes cual cuales cuyo cuya cuyos cuyas donde "
        "cuando como porque pues si sino pero y e o u ni aunque mientras de del a al en con sin por para desde hasta "
        "hacia entre sobre bajo tras ante contra según durante mediante es son era eran fue fueron ser sido siendo "
        "está están estaba estaban estar ha han había habían haber hay he hemos hubo no sí ya muy más menos mucho "
        "mucha muchos muchas poco poca todo toda todos todas otro otra otros otras cada mismo misma también además tan "
        "tanto así entonces luego después antes ahora hoy ayer mañana qué quién cuál dónde cuándo cómo sr "
        "sra srta dr dra don"
    ),
    determiners=_set("el la los las un una unos unas mi mis tu tus su sus otro otra al del"),
    possessive=_set("mi mis tu tus su sus"),
    aside=_set("en por desde hasta hacia de del sobre bajo tras durante entre según para"),
    linking=_set("es son era eran fue fueron ser sido siendo está están estaba estaban como que o"),
    persons=(
        *("or", "ora", "ero", "era", "ista", "niño", "niña", "hombre", "mujer", "rey", "reina", "hijo", "hija"),
        *("amigo", "amiga", "juez", "jueza"),
    ),
    people=_set("él ella"),
    things=_set(""),
    many=_set("ellos ellas"),
    pointers=_set("esto eso aquello este esta ese esa estos estas esos esas aquel aquella"),
)
_GRAMMARS = {"en": _ENGLISH, "es": _SPANISH}
_NO_NAMES = _set(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday"
)
_COUNTS = _set(
    "two three four five six seven eight nine ten several "
    "dos tres cuatro cinco seis siete ocho nueve diez varios varias"
)
_TITLES = _set("mr mrs ms dr prof st sr sra srta dra")
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+")
_STOP = re.compile(r"[.!?…\n]")


def remarks(
    protocol: Protocol,
    item: Item,
    judgement: Judgement,
    language: str,
    *,
    stage: Stage | None = None,
    reader: str = "",
) -> list[Remark]:
    """Everything to remark on a judgement in the making, in the order of the questions, the protocol's hints last.

    ``language`` is that of the texts; rewrites in one that is neither English nor Spanish get sentence counts only.
    ``reader`` is the language in which the protocol's own hints are worded (by default the same); the protocol must be
    resolved. Blank answers, ways out and their keywords get no remarks; hints are only for questions that are shown.
    """
    validator = Validator(protocol, stage)
    if validator.by_keyword(judgement).outcome != ANSWERED:
        return []
    questions = validator.shown(item, judgement.answers)
    target = forms_of(protocol, item)
    found: list[Remark] = []
    for question in questions:
        scale, answer = protocol.scale_of(question), judgement.answers.get(question.id)
        if isinstance(scale, RewrittenText) and isinstance(answer, str):
            if answer.strip():
                found += _on_rewrite(question.id, item.fields.get(scale.starts_from, ""), answer, language)
        elif isinstance(scale, ShortAnswers) and isinstance(answer, tuple):
            found += _on_short_answers(question.id, target, [part.strip() for part in answer if part.strip()])
    found += same_texts(validator, item, judgement, reader or language)
    case = Case(validator.settle(item, judgement).answers, item.fields)
    asked = {question.id for question in questions}
    hints = [hint for hint in protocol.hints if hint.question in asked and holds(hint.when, case)]
    return found + [Remark(hint.question, PROTOCOL, (shown(hint.text, reader or language),)) for hint in hints]


def same_texts(validator: Validator, item: Item, judgement: Judgement, reader: str) -> list[Remark]:
    """Texts that read the same as one that they should replace: people are asked whether that is meant."""
    labels = {field.id: shown(field.label, reader) for field in validator.protocol.fields}
    asked = validator.questions(item, validator.tidy(item, judgement))
    return [Remark(one.question, SAME_TEXT, (labels[one.value],)) for one in asked]


def _on_rewrite(question: str, start: str, text: str, language: str) -> Iterator[Remark]:
    yield Remark(question, SENTENCES, (count_sentences(text),))
    grammar = _grammar_of(language)
    if grammar is None:
        return
    before, after = _content_words(start, grammar), _content_words(text, grammar)
    for kind, words, others in ((WORDS_GONE, before, after), (WORDS_NEW, after, before)):
        if values := [word for key, word in words.items() if key not in others]:
            yield Remark(question, kind, tuple(values[:MOST_WORDS]))
    if pronouns := ambiguous_pronouns(text, language):
        yield Remark(question, PRONOUN, tuple(pronouns[:MOST_WORDS]))


def _grammar_of(language: str) -> _Grammar | None:
    return _GRAMMARS.get(language.replace("_", "-").split("-")[0].lower())


def _content_words(text: str, grammar: _Grammar) -> dict[str, str]:
    """The words that say something, as first written, by how they are compared."""
    words: dict[str, str] = {}
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        if word.casefold() not in grammar.function:
            words.setdefault(word.casefold(), word)
    return words


def _on_short_answers(question: str, target: tuple[str, ...], answers: list[str]) -> Iterator[Remark]:
    keys = [compared(answer) for answer in answers]
    scripts, itself = _scripts("".join(target)), set(map(compared, target))
    noticed = {
        SAME_WORD: [answer for answer, key in zip(answers, keys, strict=True) if key in itself],
        REPEATED: [answer for number, answer in enumerate(answers) if keys[number] in keys[:number]],
        SEVERAL_WORDS: [answer for answer in answers if len(answer.split()) > 1],
        OTHER_SCRIPT: [answer for answer in answers if scripts and not _scripts(answer) <= scripts],
    }
    for kind, values in noticed.items():
        if values:
            yield Remark(question, kind, tuple(values))


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters, by the first word of their Unicode names; kana and Han count as one."""
    letters = [letter for letter in unicodedata.normalize("NFKC", text) if letter.isalpha()]
    names = {unicodedata.name(letter, "").replace("-", " ").split(" ")[0] for letter in letters}
    japanese = {"CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC"}
    return {"CJK" if name in japanese else name for name in names} - {"", "MODIFIER"}


class _Word(NamedTuple):
    """A word, how it is compared, whether it opens a sentence, whether only a space parts it from the one before."""

    text: str
    key: str
    opens: bool
    follows: bool


class _Mention(NamedTuple):
    """A name (of several words) or a noun after a determiner, and the small word that stands before the whole of it."""

    words: frozenset[str]
    is_name: bool
    before: str

    def same(self, other: _Mention) -> bool:
        """Whether both mean one: a surname alone is the same person."""
        return self.words <= other.words or other.words <= self.words


def ambiguous_pronouns(text: str, language: str) -> list[str]:
    """Pronouns that may mean either of two things just mentioned, as first written, each once.

    Only the sentence before is looked at (for a pronoun further on, what stands before it in its own): what is meant is
    nearly always there, unless the two before introduce somebody each. Two mentions of a kind must compete: names for
    *she* (nouns for people where there is no name), nouns for *it* and *they*. What a preposition (*in Chile*) or a
    form of *be* (*is a farm*) introduces does not compete, nor does anybody where a pronoun or an earlier sentence has
    made clear whom the text is about. Nouns compete only in short sentences: in long ones readers go by what makes
    sense, which no rule here can. None are found in an unknown language.
    """
    grammar = _grammar_of(language)
    if grammar is None:
        return []
    found: dict[str, str] = {}
    sentences = _sentences(text)
    opened_with: list[_Mention] = []
    for number, sentence in enumerate(sentences):
        for index, word in enumerate(sentence):
            if not _is_pronoun(sentence, index, grammar):
                continue
            opens = index < _OPENING and not _mentions(sentence[:index], grammar)
            earlier = sentences[number - 1] if opens and number else sentence[:index]
            about = opened_with[:-1] if opens else []
            two = opens and word.key in grammar.people and _two_introduced(sentences[:number], grammar, about)
            if two or len(_competing(word.key, earlier, grammar, about)) > 1:
                found.setdefault(word.key, word.text)
        opened_with += _mentions(sentence, grammar)[:1]
    return list(found.values())


def _sentences(text: str) -> list[list[_Word]]:
    text, sentences, end = unicodedata.normalize("NFC", text), list[list[_Word]](), 0
    for match in _WORD.finditer(text):
        gap = text[end : match.start()]
        opens = not sentences or _STOP.search(gap) is not None
        if opens and not (sentences and sentences[-1][-1].key in _TITLES):
            sentences.append([])
        sentences[-1].append(_Word(match[0], match[0].casefold(), opens, not opens and gap in {" ", "-", "'", "’"}))
        end = match.end()
    return sentences


def _is_pronoun(words: list[_Word], index: int, grammar: _Grammar) -> bool:
    """Pointers count where they open a sentence and a small word follows: *this is*, not *this house*."""
    word = words[index]
    if word.key in grammar.pointers:
        after = words[index + 1 : index + 2]
        return word.opens and all(next_word.key in grammar.function for next_word in after)
    return word.key in grammar.people | grammar.things | grammar.many


def _competing(pronoun: str, words: list[_Word], grammar: _Grammar, about: Sequence[_Mention]) -> list[_Mention]:
    """The different things that a pronoun after these words may mean, if it is not clear which."""
    if _has_pronoun(words, grammar):
        return []
    mentions = [one for one in _mentions(words, grammar) if one.before not in grammar.aside | grammar.linking]
    nouns = [one for one in mentions if not one.is_name]
    if pronoun in grammar.people:
        named = [one for one in mentions if one.is_name and not (one.before in _COUNTS or one.before.isdigit())]
        rivals = named or [one for one in nouns if _is_person(one, grammar)]
    elif len(words) > _SHORT:
        return []
    elif pronoun in grammar.things:
        rivals = [one for one in nouns if not _is_plural(one)]
    else:
        rivals = [one for one in nouns if pronoun in grammar.pointers or _is_plural(one)]
    different: list[_Mention] = []
    for one in rivals:
        if not any(one.same(other) for other in different):
            different.append(one)
    return [] if any(different[0].same(topic) for topic in about if different) else different


def _two_introduced(earlier: list[list[_Word]], grammar: _Grammar, about: Sequence[_Mention]) -> bool:
    """Whether the last two sentences are each about somebody else, by name, and the second is new."""
    names = []
    for sentence in earlier[-2:]:
        first = next(iter(_mentions(sentence, grammar)), None)
        if first is None or not first.is_name or first.before or _has_pronoun(sentence, grammar):
            return False
        names.append(first)
    return len(names) == 2 and not any(names[1].same(topic) for topic in about)


def _has_pronoun(sentence: list[_Word], grammar: _Grammar) -> bool:
    return any(_is_pronoun(sentence, index, grammar) for index in range(len(sentence)))


def _is_person(mention: _Mention, grammar: _Grammar) -> bool:
    return any(word.endswith(grammar.persons) for word in mention.words)


def _is_plural(mention: _Mention) -> bool:
    return any(word.endswith("s") and not word.endswith("ss") for word in mention.words)


def _mentions(words: list[_Word], grammar: _Grammar) -> list[_Mention]:
    """Names and nouns in their order. Of two names with a comma between, the second is introduced as the first is."""
    found: list[_Mention] = []
    last = -2
    for index, word in enumerate(words):
        if not _begins_mention(words, index, grammar):
            continue
        start = _noun_phrase(words, index, grammar)
        is_name, end = start is None and word.text[0].isupper(), index + 1
        if start is None and not is_name:
            continue
        while is_name and end < len(words) and _goes_on_with_name(words[end]):
            end += 1
        opening = index if start is None else start
        before = words[opening - 1].key if opening else ""
        if is_name and index == last and found and not word.follows:
            before = found[-1].before
        found.append(_Mention(frozenset(part.key for part in words[index:end]), is_name, before))
        last = end if is_name else -2
        if len(found) == _MOST_MENTIONED:
            break
    return found


def _begins_mention(words: list[_Word], index: int, grammar: _Grammar) -> bool:
    word = words[index]
    if word.key in grammar.function | _NO_NAMES or word.text[0].isdigit():
        return False
    if word.text[0].isupper():
        inside = word.follows and words[index - 1].text[0].isupper() and words[index - 1].key not in grammar.function
        return not inside and not (word.opens and word.key.endswith("ly"))
    return bool(index) and words[index - 1].key in grammar.determiners


def _goes_on_with_name(word: _Word) -> bool:
    return word.follows and word.text[0].isupper()


def _noun_phrase(words: list[_Word], index: int, grammar: _Grammar) -> int | None:
    """Where the determiner stands that makes this word a noun (*the former German colony*); none of a name.

    In *her colleague Petra Lang* the name is a name.
    """
    word = index
    while index and words[index].follows:
        index -= 1
        if words[index].key in grammar.determiners:
            whose = words[index].key in grammar.possessive and word - index > 1 and words[word].text[0].isupper()
            return None if whose else index
        if words[index].key in grammar.function or words[index].text[0].isupper():
            return None
    return None
