"""What is known of words: where they stand, their class, their stems, and the numbers that they say.

A text as words with offsets, cut the way annotators mark it: at white space, punctuation staying with its word.
Offsets are code points. In scripts that put no spaces between words (Japanese, Chinese, Thai, …) each character is a
word. The mark ``||``, with which SALSA shows where a sentence was split, is no word but ends a sentence.

Small words of a language by class, and its adverbs: what joins phrases, and what means little by itself. Only closed
classes are listed. In a language without a list every word counts as a content word, which costs some accuracy and
nothing else.

What inflected and derived forms of a word have in common: endings are taken off, irregular forms are listed. A stem is
only compared with other stems, so it need not be a word. English and Spanish have rules; in other languages the
comparison of spelling has to do (:mod:`rubrica.edits.suggesting.similarity`).

Numbers and number words, so that *two* and *2*, *1,000* and *1000*, *second* and *2nd* are the same.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache

import attrs

from rubrica.core.marking import cut, is_unspaced
from rubrica.core.sentences import sentence_ends

SPLIT_MARK = "||"
_MARK = re.compile(r"(?<!\S)\|\|(?!\S)")
_CHUNK = re.compile(r"\S+")
_TELLING = frozenset("%‰&@#§°†")
"""Punctuation, as Unicode has it, that says something: 80% is not 80."""

_OPENING = frozenset("([{（「『【")
_CLOSING = frozenset(",;:.!?…)]}»”،؛。、，；：）」』】")
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "′": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})


@attrs.frozen
class Word:
    """A word of a text: where it stands, how it is compared, its sentence, and what the punctuation around it does.

    ``opens``: a bracket opens before it. ``closes``: punctuation ends a phrase after it.
    """

    start: int
    end: int
    key: str
    sentence: int = 0
    opens: bool = False
    closes: bool = False


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order. Sentences are numbered from 0 without gaps.

    Punctuation that stands alone, and the mark of a split, is no word, but what it does is known of its neighbours.
    """
    ends = _sentence_ends(text)
    numbers: dict[int, int] = {}
    found: list[Word] = []
    opens = False
    for start, end in _pieces(text):
        word = _word(text, start, end)
        if word.key:
            sentence = numbers.setdefault(bisect_right(ends, start), len(numbers))
            found.append(attrs.evolve(word, sentence=sentence, opens=word.opens or opens))
            opens = False
        elif word.opens:
            opens = True
        elif word.closes and found:
            found[-1] = attrs.evolve(found[-1], closes=True)
    return tuple(found)


def _sentence_ends(text: str) -> list[int]:
    """Where sentences end, by punctuation and by marks of splits."""
    ends: list[int] = []
    start = 0
    for part in _MARK.split(text):
        ends += [start + end for end in sentence_ends(part)]
        start += len(part) + len(SPLIT_MARK)
        ends.append(start)
    return ends


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for chunk in _CHUNK.finditer(text):
        if chunk[0].isascii() or not is_unspaced(chunk[0]):
            yield chunk.span()
        else:
            yield from _characters(chunk[0], chunk.start())


def _characters(chunk: str, offset: int) -> list[tuple[int, int]]:
    """The words and single characters of a chunk; punctuation joins the piece after it if it opens, else before."""
    pieces: list[tuple[int, int]] = []
    opened: int | None = None
    for part in cut(chunk):
        end = offset + len(part)
        category = unicodedata.category(part[0])
        if category in {"Ps", "Pi"}:
            opened = offset if opened is None else opened
        elif category[0] == "P" and pieces and opened is None:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((offset if opened is None else opened, end))
            opened = None
        offset = end
    if opened is not None:
        pieces.append((opened, offset))
    return pieces


def _word(text: str, start: int, end: int) -> Word:
    """A piece of text as a word; its key is empty if it is nothing but punctuation."""
    if text[start:end].isalnum():
        return Word(start, end, compared(text[start:end]))
    first, last = start, end
    while first < last and _is_outer(text[first]):
        first += 1
    while last > first and _is_outer(text[last - 1]):
        last -= 1
    opens = not _OPENING.isdisjoint(text[start:first])
    closes = not _CLOSING.isdisjoint(text[last:end] or text[start:first])
    return Word(start, end, compared(text[first:last]), opens=opens, closes=closes)


def compared(text: str) -> str:
    """How a word is compared: case, width and typographic variants make no difference."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).translate(_SAME).casefold()


def _is_outer(character: str) -> bool:
    """Whether a character around a word is not part of what is compared."""
    if character.isalnum() or character in _TELLING:
        return False
    return unicodedata.category(character)[0] == "P" or character in "`|<>"


LINK, PRONOUN, OTHER = "link", "pronoun", "other"


@attrs.frozen
class Grammar:
    """The small words of one language by their class, and how its adverbs are known."""

    language: str = ""
    classes: Mapping[str, str] = attrs.field(factory=dict)
    adverbs: frozenset[str] = frozenset()
    adverb_ending: str = ""

    def is_small(self, key: str) -> bool:
        """Whether a word means little without its neighbours."""
        return key in self.classes

    def joins(self, key: str) -> bool:
        """Whether a word can join two clauses: *and*, *although*, *who*."""
        return self.classes.get(key) in {LINK, PRONOUN}

    def is_adverb(self, key: str) -> bool:
        """Whether a word says how or when, so that it can be left out with nothing in its place."""
        if key in self.adverbs:
            return True
        return bool(self.adverb_ending) and len(key) > 5 and key.endswith(self.adverb_ending)


def _classes(**lists: str) -> dict[str, str]:
    return {word: name for name, words in lists.items() for word in words.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = Grammar(
    "en",
    _classes(
        link="""and or but nor so yet because although though while whereas if unless when where whether as than how why
            however therefore thus hence moreover furthermore also then after before since until""",
        pronoun="""i you he she it we they me him us them mine yours hers ours theirs himself herself itself themselves
            who whom whose which what there one ones""",
        other="""the a an this that these those my your his its our their her some any each every no another such
            of in on at by for with from to into onto about over under during between among through against without
            within towards toward across along around behind below above near off out up down upon per via like due
            beside besides despite throughout amid amongst
            is are was were be been being am has have had having do does did doing done will would shall should can
            could may might must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't
            can't cannot couldn't shouldn't not very too just only even more most less there's it's""",
    ),
    _set("also soon then thus often still again already now later just very too quite rather therefore"),
    "ly",
)
_SPANISH = Grammar(
    "es",
    _classes(
        link="""y e o u ni pero sino mas aunque porque pues si cuando donde como mientras así entonces además también
            embargo""",
        pronoun="""yo tú él ella ello usted nosotros nosotras ellos ellas ustedes me te se le les nos os que quien
            quienes cual cuales cuyo cuya cuyos cuyas esto eso aquello""",
        other="""el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella aquellos
            aquellas mi mis tu tus su sus nuestro nuestra nuestros nuestras cada otro otra otros otras algún alguna
            algunos algunas ningún ninguna dicho dicha dichos dichas
            de del a al en con sin por para desde hasta hacia entre sobre bajo tras ante contra según durante mediante
            es son era eran fue fueron ser sido siendo está están estaba estaban estar estado ha han había habían haber
            hay he hemos hubo será serán puede pueden debe deben no muy más menos ya tan sólo solo""",
    ),
    _set("también además ya pronto luego entonces así muy aún todavía ahora después siempre nunca"),
    "mente",
)
_KNOWN = {"en": _ENGLISH, "es": _SPANISH}


def grammar_of(language: str) -> Grammar:
    """The small words of a language (``es``, ``es-MX``); an empty list for one that is not known."""
    return _KNOWN.get(language.replace("_", "-").split("-")[0].lower(), Grammar())


_IRREGULAR = {
    "en": """
        be is are was were been being am; have has had having; do does did done doing; go goes went gone going;
        arise arose arisen; bear bore born borne birth; beat beaten; become became becomes; begin began begun;
        bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred;
        bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen choice; cling clung;
        come came comes; creep crept; deal dealt; die died dead death dies dying; dig dug; draw drew drawn;
        dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
        fight fought; find found; flee fled; fly flew flown flight; forbid forbade forbidden; forget forgot forgotten;
        forgive forgave forgiven; freeze froze frozen; get got gotten gets getting; give gave given; grind ground;
        grow grew grown growth; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt;
        know knew known; lay laid; lead led; leap leapt; leave left leaves; lend lent; light lit; lose lost loss;
        make made; mean meant; meet met; pay paid; prove proven; ride rode ridden; ring rang rung; rise rose risen;
        run ran; say said; see saw seen; seek sought; sell sold sale; send sent; shake shook shaken; shine shone;
        shoot shot; show shown; shrink shrank shrunk; sing sang sung song; sink sank sunk; sit sat; sleep slept;
        slide slid; speak spoke spoken speech; spend spent; spin spun; spring sprang sprung; stand stood;
        steal stole stolen; stick stuck; sting stung; strike struck stricken; strive strove striven; swear swore sworn;
        sweep swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
        think thought; throw threw thrown; understand understood; undergo underwent undergone; wake woke woken;
        wear wore worn; weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn;
        write wrote written; man men; woman women; child children; person people; foot feet; tooth teeth; mouse mice;
        life lives live; good better best; bad worse worst; high height; long length; strong strength; wide width;
        deep depth
        """,
    "es": """
        ser es son era eran fue fueron sido siendo será serán; haber ha han había habían hay hubo; ir va van iba iban;
        hacer hace hacen hizo hicieron hecho; decir dice dicen dijo dijeron dicho; poner pone puso puesto;
        ver ve vio visto; tener tiene tienen tuvo tuvieron tenido; estar está están estaba estaban estuvo;
        poder puede pueden pudo podría; venir viene vino; querer quiere quiso; saber sabe supo; dar da dio dieron dado;
        traer trae trajo; morir muere murió muerto muerte
        """,
}
_FAMILIES = {
    language: {word: group.split()[0] for group in groups.split(";") for word in group.split()}
    for language, groups in _IRREGULAR.items()
}
_LISTED = {
    "en": """izations ization isations isation ational fulness ousness iveness ations ation ements ement ments ment
        nesses ness ities ity ically ical ables able ibles ible ances ance ences ence ively ives ive ions ion isms ism
        ists ist izing ising ized ised izes ises izers izer ize ise ually ally ful edly ingly ings ing ers ors eed ied
        ies ily ely ed es er or ly al ic y s e""",
    "es": """amientos imientos amiento imiento aciones iciones ación ición adoras adores adora ador idades idad mente
        ieron iendo aron ando aban aba ados adas idos idas ado ada ido ida ará arán erá erán irá irán aría ería iría
        ían ía ar er ir an en ó es as os a o e s""",
}
_ENDINGS = {language: tuple(endings.split()) for language, endings in _LISTED.items()}
_SHORTEST = 3
"""Letters that are left at least when an ending is taken off."""


def family(key: str, language: str) -> str:
    """The word that an irregular form belongs to; any other word is its own."""
    return _FAMILIES.get(language, {}).get(key, key)


@lru_cache(maxsize=50_000)
def stem(key: str, language: str) -> str:
    """The stem of a word, given as it is compared; a possessive ending belongs to no stem."""
    word = key[:-2] if key.endswith("'s") else key.rstrip("'")
    if not word.isalpha() or language not in _ENDINGS:
        return word
    word = family(word, language)
    for ending in _ENDINGS[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    if language == "en" and len(word) > _SHORTEST:
        if word[-1] == word[-2] and word[-1] not in "aeiou":
            word = word[:-1]
        elif word[-1] == "y":
            word = word[:-1] + "i"
    return family(word, language)


_CARDINALS = {
    "en": """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen twenty""",
    "es": """cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
        diecisiete dieciocho diecinueve veinte""",
}
_ROUND = {
    "en": {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
    "es": {"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90},
}
_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
}


def _values(language: str) -> dict[str, str]:
    values = {word: str(value) for value, word in enumerate(_CARDINALS[language].split())}
    values |= {word: str(value) for word, value in _ROUND[language].items()}
    values |= {word: f"{value}th" for value, word in enumerate(_ORDINALS[language].split(), start=1)}
    if language == "es":
        values |= {f"{word[:-1]}a": value for word, value in values.items() if value.endswith("th")}
        values |= {"un": "1", "una": "1", "primer": "1th", "tercer": "3th", "cien": "100", "mil": "1000"}
    return values


_VALUES = {language: _values(language) for language in _CARDINALS}
_FIGURES = re.compile(r"([+-]?\d+(?:[.,]\d+)*)(%|‰|st|nd|rd|th|s|º|ª)?")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


def number_in(key: str, language: str) -> str:
    """The number that a word says, in one form; empty if it says none. Ordinals end in ``th``, shares in ``%``."""
    word = _VALUES.get(language, {}).get(key, "")
    if word or not any(map(str.isdigit, key)):
        return word
    figures = _FIGURES.fullmatch(key)
    if figures is None:
        return ""
    digits, ending = figures[1], figures[2] or ""
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "").replace(".", "")
    return digits + ("th" if ending in {"st", "nd", "rd", "th", "º", "ª"} else ending)
