"""Words of new sentences: verb forms, how a noun phrase is mentioned again, and a plan of words as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.rewriting.split.tree import NAMES, PLURAL, SUBJECTS, Tree, listed

Item = int | str
"""A word of the source by its place, or a word that is put in."""
ENDS = (".", "!", "?", "…")
_CLOSING = {",", ".", ";", ":", "!", "?", ")", "]", "}", "%", "…"}
_OPENING = {"(", "[", "{", "$", "£", "€", "#"}
_INSIDE = {'"', "''", "``", "-", "–", "/"}
"""Signs inside a name or compound."""
_QUANTIFIED = listed(
    "no any each every either neither few many most some several all both none nobody nothing anyone anything "
    "everyone everything someone something one another such half more less enough whichever whatever those"
)
_UNITS = listed(
    "feet foot metres meters metre meter kilometres kilometers km m ft miles mile inches inch cm mm kg tons tonnes "
    "acres hectares percent cent dollars pounds euros years months days hours minutes seconds degrees litres liters"
)
"""What things are measured in is never what is spoken of."""
_PRONOUNS = {"he", "she", "it", "they", "i", "we", "you"}
_OTHER_PRONOUNS = listed(
    "him her them me us this that these those who whom which what mine yours his hers ours theirs himself herself "
    "itself themselves myself ourselves yourself one there"
)
_PLACES = listed(
    "city town village suburb river county state country region district area province municipality neighbourhood "
    "neighborhood community cdp island lake mountain street road hamlet township commune borough capital parish station"
)
STATES = listed(
    "locate situate base know use call name compose make comprise find consider own operate headquarter surround "
    "border connect characterize characterise distribute dedicate devote associate relate intend require speak divide "
    "center centre bound entitle title host nickname house list include design attach link need hold contain "
    "offer involve regard define affiliate voice portray"
)
"""Verbs whose participles say how things are, not what once happened: *located in*, but *written by*."""


_MARKS = {"''", "``", '"', "“", "”"}
_BEFORE_TITLE = {"DT", "NNP", "PRP$"}
_TITLE = 10
"""Signs around a title, and the most words in it, signs included."""
_GIVEN = listed(
    "james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony "
    "mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan "
    "jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander frank "
    "patrick raymond jack dennis jerry aaron adam nathan henry peter walter harold arthur albert fred ralph roy "
    "louis philip martin simon hugh ernest mary patricia jennifer linda elizabeth barbara susan jessica sarah "
    "karen lisa nancy betty margaret sandra ashley emily donna michelle carol amanda dorothy melissa deborah "
    "stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen "
    "samantha katherine christine ellen alice jane anne ruth maria julia mr. mrs. ms. dr. sir lord lady"
)
"""Names that people often have, and what is put before a name: *which* never means them."""
_SMALL = listed("of the and for in on to at a an de la le du von van der den di da del y by with from")
"""Words without a capital in a title."""
_ALIKE = listed("sheep fish deer aircraft spacecraft craft folk cattle staff crew youth offspring salmon trout")
"""Nouns with a plural like the singular."""
_AMOUNTS = listed("number variety majority handful couple lot range series minority total")
"""*a number of things* are several."""
_BEFORE_A_NAME = {",", "season", "year", "day", "month", "week", "morning"}
"""What is before them is no part of a name, whatever the parser says: *The next year Ana …*."""


class Mention(NamedTuple):
    """How something is named again, and whether a verb after it is plural."""

    text: str
    plural: bool


@lru_cache(maxsize=20_000)
def inflected(lemma: str, tag: str) -> str:
    """A verb's form by its tag of the treebank (``VBD``, ``VBZ``, …); the lemma where none is known."""
    try:
        from lemminflect import getInflection
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[parsing]'."
        raise wrong(f"verb forms need lemminflect: {error}", "not_installed", fix, value=error.name) from error
    return next(iter(getInflection(lemma, tag)), lemma)


@lru_cache(maxsize=20_000)
def verb_lemma(form: str) -> str:
    """The lemma of a form that is a verb."""
    from lemminflect import getLemma

    return next(iter(getLemma(form.lower(), "VERB")), form.lower())


@lru_cache(maxsize=20_000)
def singular(form: str) -> str:
    """The singular of a noun's form."""
    from lemminflect import getLemma

    return next(iter(getLemma(form, "NOUN")), form)


def be(tense: str, plural: bool) -> str:
    """The form of *be*."""
    return ("were" if plural else "was") if tense == "past" else ("are" if plural else "is")


def finite_form(participle: str, tense: str, plural: bool) -> str:
    """The finite form of a verb that the source has as a participle in *-ing*."""
    lemma = verb_lemma(participle)
    if lemma == "be":
        return be(tense, plural)
    return inflected(lemma, "VBD") if tense == "past" else lemma if plural else inflected(lemma, "VBZ")


def tense_of_state(tree: Tree, participle: int, host: str) -> str:
    """The tense of a passive made of a past participle beside a clause of this tense."""
    lemma = verb_lemma(tree.words[participle].text)
    return "past" if host == "past" or lemma not in STATES else "present"


def is_place(tree: Tree, noun: int) -> bool:
    """Whether a noun names a kind of place, which outlasts what is told of it."""
    return singular(tree.low(noun)) in _PLACES


def core(tree: Tree, noun: int) -> list[int]:
    """The words of a noun phrase that name it: up to its head and its flat names, and an *of* phrase of a name."""
    kept = [noun]
    for kid in tree.kids[noun]:
        label = tree.words[kid].label
        if (kid < noun and tree.label(kid) in {"det", "amod", "compound", "nummod", "nmod", "flat", "advmod"}) or (
            tree.label(kid) == "flat"
            or (label == "compound" and kid > noun)
            or (tree.tag(kid) == "POS" and tree.words[noun].label in SUBJECTS)
        ):
            plain = tree.label(kid) == "flat"
            kept += [
                one for one in tree.subtree(kid) if not plain or one == kid or tree.label(one) in {"flat", "compound"}
            ]
        elif label == "nmod" and kid > noun and tree.kids[kid] and tree.low(tree.subtree(kid)[0]) == "of":
            inner = [one for one in tree.subtree(kid) if tree.label(one) not in {"acl", "appos", "advcl"}]
            named = tree.tag(kid) in NAMES and tree.tag(noun) in NAMES
            if tree.contiguous(tree.subtree(kid)) and (len(inner) <= 3 or (named and len(inner) <= 6)):
                kept += inner
    kept = [place for place in kept if place >= noun or tree.tag(place) != "IN"] or [noun]
    first = min([place for place in kept if tree.label(place) == "det"] or kept)
    return [place for place in sorted(set(kept)) if tree.low(place) != "," and place >= first]


def is_person(tree: Tree, noun: int) -> bool:
    """Whether a name of several words begins like a person's."""
    first = core(tree, noun)[0]
    return tree.tag(noun) in NAMES and tree.low(first) in _GIVEN and tree.tag(first + 1) in NAMES


def _quoted(tree: Tree, noun: int) -> list[int]:
    """A title in quotation marks that a noun stands in, with the marks; nothing if there is none."""
    if any(tree.text.count(sign) % 2 for sign in ("''", '"')):
        return []
    before = [at for at in range(noun) if tree.words[at].text in _MARKS]
    after = [at for at in range(noun + 1, len(tree)) if tree.words[at].text in _MARKS]
    if len(before) % 2 == 0 or not after or after[0] - before[-1] > _TITLE:
        return []
    titled = tree.words[before[-1] + 1].text[:1].isupper() and after[0] > before[-1] + 1
    start = before[-1]
    while start and tree.words[start - 1].head in range(before[-1], after[0]) and tree.tag(start - 1) in _BEFORE_TITLE:
        start -= 1
    return list(range(start, after[0] + 1)) if titled else []


def mention(tree: Tree, noun: int, *, subject: bool = False) -> Mention | None:
    """How a noun phrase is named again; None where naming it again would change what is said."""
    word = tree.words[noun]
    quoted = _quoted(tree, noun)
    if quoted:
        known = tree.low(quoted[0]) in {"a", "an"}
        kept = [at for at in quoted if tree.low(at) != "," or at < quoted[-2]]
        return Mention("the " + tree.said(kept[1:]) if known else _lowered(tree, kept), False)
    strange = word.tag == "PRP" and word.text[:1].isupper() and tree.low(noun) not in _PRONOUNS | _OTHER_PRONOUNS
    if strange:
        return Mention(word.text, False)
    if word.upos == "PRON" or word.tag in {"PRP", "DT"}:
        if tree.low(noun) in _PRONOUNS:
            said = "I" if tree.low(noun) == "i" else tree.low(noun)
            return Mention(said, tree.low(noun) in {"they", "we", "you"})
        return (
            Mention({"this": "this", "these": "these"}.get(tree.low(noun), ""), tree.plural(noun))
            if (tree.low(noun) in {"this", "these"})
            else None
        )
    of_several = any(tree.tag(kid) in PLURAL for kid in tree.children(noun, "nmod") if kid > noun)
    if subject and of_several and tree.low(noun) in {"most", "many", "some", "several", "all", "both"}:
        return Mention("they", True)
    if word.upos not in {"NOUN", "PROPN", "X", "NUM"} and word.tag not in NAMES | PLURAL | {"NN"}:
        return None
    measure = tree.low(noun) in _UNITS and any(tree.tag(kid) == "CD" for kid in tree.kids[noun])
    half = tree.low(noun) == "half" and "the" in {tree.low(kid) for kid in tree.kids[noun]}
    if word.tag == "CD" or (tree.low(noun) in _QUANTIFIED and not half) or measure:
        return None
    title = _title(tree, noun)
    if title:
        return Mention(tree.said(title), False)
    joined = tree.children(noun, "conj")
    if joined:
        return _joined(tree, noun, joined, subject)
    places = core(tree, noun)
    cut = next(
        (at for at in range(noun - 1, places[0], -1) if tree.low(at) in _BEFORE_A_NAME and tree.tag(at + 1) != "POS"),
        None,
    )
    if cut is not None and tree.low(cut) == "," and tree.tag(noun) not in NAMES:
        return None
    places = [place for place in places if cut is None or place > cut]
    if not tree.contiguous(places):
        between = [place for place in range(places[0], places[-1]) if place not in places]
        if all(tree.words[place].text in _INSIDE or tree.low(place) in _SMALL for place in between):
            places = list(range(places[0], places[-1] + 1))
        else:
            places = [place for place in places if place <= noun or tree.label(place) == "flat"]
    if not places or (tree.tag(places[0]) == "VBG" and tree.low(places[0] - 1) == ","):
        return None
    nicknamed = _nicknamed(tree, noun, places)
    if nicknamed is not None:
        return Mention(tree.said(nicknamed), False) if nicknamed else None
    return _named(tree, noun, places, subject)


def _nicknamed(tree: Tree, noun: int, places: list[int]) -> list[int] | None:
    """A name with a nickname in quotation marks; nothing if a title follows it; None if there are no such marks."""
    opened = places[-1] + 1
    if tree.tag(noun) not in NAMES or opened + 1 >= len(tree) or tree.words[opened].text not in _MARKS:
        return None
    closed = next((at for at in range(opened + 1, min(opened + 5, len(tree))) if tree.words[at].text in _MARKS), 0)
    if closed and tree.tag(closed + 1) in NAMES:
        end = next(at for at in range(closed + 1, len(tree) + 1) if tree.tag(at) not in NAMES)
        return list(range(places[0], end))
    before = tree.words[places[-1]].text
    return [] if tree.words[opened + 1].text[:1].isupper() and (before.isupper() or before.isdigit()) else None


def _title(tree: Tree, noun: int) -> list[int]:
    """A title that begins the sentence, small words and verbs in it included: *The Boy Who Sang in Rome is a film*."""
    if tree.tag(noun) not in NAMES | {"NN"} or tree.subtree(noun)[0] != 0 or noun > 12:
        return []
    end = next(
        (at for at in range(len(tree)) if not tree.words[at].text[:1].isupper() and tree.low(at) not in _SMALL), 0
    )
    plain = [at for at in range(end) if tree.low(at) in _SMALL and not tree.words[at].text[:1].isupper()]
    verbs = [at for at in range(1, end) if tree.tag(at)[:1] in {"V", "W"}]
    sure = noun < end and tree.tag(end) in {"VBZ", "VBD"} and end - 1 not in plain and bool(verbs)
    return list(range(end)) if sure and tree.low(1) != "," else []


def _joined(tree: Tree, noun: int, joined: list[int], subject: bool) -> Mention | None:
    """Several things: all of them if that is short, *they* for a subject."""
    if any(tree.low(cc) != "and" for one in joined for cc in tree.children(one, "cc")):
        return None
    if any(tree.low(tree.subtree(one)[0]) in _QUANTIFIED for one in (noun, *joined)):
        return None
    whole = [place for place in tree.subtree(noun) if place >= min(core(tree, noun))]
    while tree.words[whole[-1]].upos == "PUNCT":
        whole.pop()
    short = all(tree.label(one) not in {"acl", "appos", "advcl", "parataxis"} for one in whole)
    if len(whole) <= 7 and short and tree.contiguous(whole):
        if tree.tag(whole[0]) == "DT" and tree.low(whole[0]) in {"a", "an"}:
            return Mention("they", True) if subject else None
        return Mention(_lowered(tree, whole), True)
    return Mention("they", True) if subject else None


def _looks_singular(form: str) -> bool:
    """Whether a noun that was taken for a plural has the form of a singular: *the carnival*."""
    return form[-1:] not in {"s", "e", "n", "a", "i"} and singular(form) == form and form not in _ALIKE


def _named(tree: Tree, noun: int, places: list[int], subject: bool) -> Mention | None:
    first = tree.low(places[0])
    plural = tree.plural(noun) and not (tree.tag(noun) == "NNS" and _looks_singular(tree.low(noun)))
    if first in _QUANTIFIED or any(tree.low(one) in _QUANTIFIED for one in tree.kids[noun] if one < noun):
        if subject and plural and first in {"many", "several", "some", "all", "both"}:
            return Mention("they", True)
        such = subject and first in {"any", "each"} and len(places) > 1 and tree.tag(noun)[:2] == "NN"
        return Mention(f"{first} such {tree.said(places[1:])}", plural) if such else None
    name = tree.tag(noun) in NAMES
    if first == "a" and tree.low(noun) in _AMOUNTS and any(tree.plural(kid) for kid in tree.children(noun, "nmod")):
        return Mention("they", True) if subject else None
    if first in {"a", "an"}:
        return Mention("the " + tree.said(_without_number(tree, places[1:], noun)), plural)
    if first == "the" and plural and not name and subject and sum(place <= noun for place in places) > 4:
        return Mention("these " + tree.words[noun].text, True)
    if tree.tag(places[0]) == "CD" or (plural and not name and tree.tag(places[0]) not in {"DT", "PRP$", "NNP"}):
        if subject and plural and (len(places) > 3 or tree.tag(places[0]) == "CD"):
            return Mention("they", True)
        if subject and plural:
            said = any(tree.label(kid) in {"acl", "nmod"} for kid in tree.kids[noun] if kid > noun)
            return Mention(("these " if said else "") + _lowered(tree, places), plural)
        numbers = {place for place in places if tree.tag(place) == "CD"}
        rest = [place for place in places if place not in numbers and tree.words[place].head not in numbers]
        return Mention(("these " if plural else "the ") + _lowered(tree, rest), plural) if rest else None
    return Mention(_lowered(tree, places), plural)


def _without_number(tree: Tree, places: list[int], noun: int) -> list[int]:
    """An indefinite phrase, named again, keeps its compounds and loses what described it at length."""
    if len(places) <= 3:
        return places
    first = noun
    while (
        first - 1 in places and tree.label(first - 1) == "compound" and tree.words[first - 1].upos in {"NOUN", "PROPN"}
    ):
        first -= 1
    return [one for one in places if one >= first]


def _lowered(tree: Tree, places: Sequence[int]) -> str:
    said = tree.said(places)
    return lowered(tree, places[0], said)


def lowered(tree: Tree, place: int, said: str) -> str:
    """Words without the capital of a sentence's first word, unless that is a name's or *I*."""
    word = tree.words[place]
    if place != 0 or word.tag in NAMES or word.text == "I" or (len(word.text) > 1 and not word.text[1:].islower()):
        return said
    return said[:1].lower() + said[1:]


def capitalised(text: str) -> str:
    """A text with a capital at its first letter, quotes and brackets passed over."""
    for place, sign in enumerate(text):
        if sign.isalnum():
            return text[:place] + sign.upper() + text[place + 1 :]
    return text


def written(tree: Tree, plan: Sequence[Item], *, apart: bool) -> str:
    """A plan as a sentence: spaces, commas, capital, full stop. ``apart``: signs stand apart, as in the source."""
    items = _tidied(tree, [item for item in plan if item != ""])
    if not items:
        return ""
    out, before = "", None
    for item in items:
        word = tree.words[item].text if isinstance(item, int) else item
        if isinstance(item, int) and isinstance(before, int) and item == before + 1:
            space = tree.space_before(item)
        elif apart:
            space = True
        else:
            closing = word in _CLOSING or (word.startswith(("'", "’", "n't")) and len(word) > 1)
            space = (
                not closing and not (isinstance(before, str) and before in _OPENING) and not out.endswith(("(", "["))
            )
        out += (" " if space and out else "") + word
        before = item
    if not out.endswith(ENDS) and not (out[-1:] in "\"'”’)" and out[-2:-1] in ENDS):
        out += " ." if apart else "."
    return capitalised(out)


def _text(tree: Tree, item: Item) -> str:
    return tree.words[item].text if isinstance(item, int) else item


def _tidied(tree: Tree, plan: Sequence[Item]) -> list[Item]:
    """Without signs at the start, doubled commas, and signs before the end."""
    items: list[Item] = []
    for item in plan:
        sign = _text(tree, item)
        if sign in {",", ";", ":", "-", "–", "—"} and (
            not items or _text(tree, items[-1])[-1:] in {",", ";", ":", "(", "-"}
        ):
            continue
        items.append(item)
    while items and _text(tree, items[-1]) in {",", ";", ":", "-", "–", "—", "and", "but"}:
        items.pop()
    return items


def is_apart(text: str) -> bool:
    """Whether a text has its signs apart from words, as tokenised data have."""
    return text.rstrip().endswith((" .", " !", " ?")) or " , " in text
