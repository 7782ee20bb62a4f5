"""Trees in which the main verb was missed or a second verb hangs too low, mended where the words leave no doubt.

The parser is small. Some of its errors spoil splits most, and the forms of the words show them: a participle taken for
the main verb although an auxiliary follows (*Offers received late shall be returned*), a finite verb joined to an
infinitive or a participle (*is asked to help and leaves*), a subject that hangs on the date before it.
"""

from __future__ import annotations

from operator import is_

from rubrica.language.parsing import Parse, Word
from rubrica.rewriting.split.tree import FINITE, NAMES, SUBJECTS, Tree
from rubrica.rewriting.split.wording import inflected, verb_lemma

_NEVER_FIRST = {"at", "in", "on", "by", "for", "with", "from"}
"""Words that no subject begins with."""
_MARKS = {"after", "before", "until", "because", "while", "although", "though", "since"}
"""Words that begin a clause, where the parser took them for the preposition of its subject."""


_MENDED = {"conj", "acl", "obl:unmarked", "parataxis"}
"""Labels that are looked at for a better one."""
_DATES = {"day", "year", "month", "week", "time", "morning", "night", "season", "same", "summer", "winter", "date"}
"""What is no apposition without a preposition."""


def mended(parsed: Parse) -> Parse:
    """The parse with these errors mended; the same one where there is nothing to mend."""
    if not parsed.words:
        return parsed
    tree = Tree(parsed, "")
    for mend in (_bare_verbs, _relabelled, _no_subjects, _past_tenses):
        tree = _with_words(tree, mend(tree))
    words = (
        _main_verb(tree)
        or _verb_of_first_noun(tree)
        or _noun_before_verb(tree)
        or _clause_of_phrase(tree)
        or _nearest_subject(tree)
        or _subject_after_date(tree)
        or _joined_higher(tree)
        or _then(tree)
    )
    return Parse(tree.words if words is None else tuple(words), parsed.sentences)


def _with_words(tree: Tree, words: list[Word]) -> Tree:
    """The tree of these words; the same one if nothing was mended."""
    same = all(map(is_, words, tree.words))
    return tree if same else Tree(Parse(tuple(words), (range(len(words)),)), "")


def _bare_verbs(tree: Tree) -> list[Word]:
    """After *shall* and its kind a verb that hangs there has no tense: *shall withhold*."""
    words = list(tree.words)
    for place, word in enumerate(tree.words[1:], start=1):
        before = tree.words[place - 1]
        if before.tag == "MD" and before.head == place and word.tag in {"VBN", "VBD", "VBP", "NN"}:
            words[place] = word._replace(tag="VB", upos="VERB")
    return words


def _relabelled(tree: Tree) -> list[Word]:
    """A participle after a comma that is joined by no word hangs on its clause (*is small, hunting mice*); of three
    joined clauses the third is joined to the first; *at which time* belongs to what stands before it."""
    words = list(tree.words)
    for place, word in enumerate(tree.words):
        if word.label not in _MENDED:
            continue
        first = tree.subtree(place)[0]
        comma = "," in {tree.low(first), tree.low(first - 1)} and first < place + 1
        above = word.head
        if word.label == "conj" and comma and place > above and not tree.children(place, "cc"):
            if tree.tag(place) == "VBG" and tree.finite(place) is None and tree.tag(above) != "VBG":
                words[place] = word._replace(label="advcl")
            for one in tree.children(place, "conj"):
                verbal = tree.finite(place) is not None and tree.finite(one) is not None
                if verbal and tree.children(one, "cc") and tree.subject(one) is None and tree.subject(place) is None:
                    words[one] = words[one]._replace(head=above)
        leads = word.label == "acl" and first == 0 and place < above and words[above].label in SUBJECTS
        if leads and tree.low(tree.subtree(place)[-1]) == "," and word.tag in {"VBN", "VBG"}:
            words[place] = word._replace(label="advcl", head=words[above].head)
        listed = word.label == "conj" and word.tag in {"VBG", "VBN"} and not tree.auxiliaries(place) and place > above
        if listed and any(tree.words[kid].label == "acl" and above < kid < place for kid in tree.kids[above]):
            last = next(iter(tree.children(place, "cc")), None)
            nominal = tree.words[above].upos == "NOUN" and tree.child(above, "cop") is not None
            words[place] = word._replace(label="acl") if nominal and last == place - 1 else word
        if word.label == "conj" and place > above and tree.subject(place) is None and tree.finite(place) is not None:
            words[place] = _agreeing(tree, place)
        own = tree.subject(place)
        joined = own is not None and word.label == "conj" and place > above
        if own is not None and joined and tree.low(own) in {"that", "which", "who"}:
            clauses = [at for at in range(above + 1, place) if tree.words[at].label == "acl:relcl"]
            same = clauses and any(tree.low(kid) == tree.low(own) for kid in tree.kids[clauses[-1]])
            if same and not any(tree.tag(kid)[:1] == "W" for kid in tree.kids[above]):
                words[place] = word._replace(head=clauses[-1])
                words[own] = words[own]._replace(tag="WDT" if tree.low(own) != "who" else "WP")
        with_clause = word.label == "acl" and [tree.low(kid) for kid in tree.children(place, "mark")][:1] == ["with"]
        if with_clause and comma and tree.child(place, "nsubj") is not None:
            tag = "VBN" if word.tag == "VBD" and not tree.auxiliaries(place) else word.tag
            words[place] = word._replace(label="advcl", head=_predicate_above(tree, above), tag=tag)
        if word.label == "obl:unmarked" and _follows_name(tree, place, first):
            words[place] = word._replace(label="appos", head=_head_of_name(tree, first - 1))
        begun = [at for at in tree.subtree(place)[:2] if tree.low(at) != ","][:1]
        bare = comma and begun == [tree.finite(place)] and tree.subject(place) is None and place > above
        if word.label == "parataxis" and bare and any(one > place for one in tree.children(above, "conj")):
            words[place] = word._replace(label="conj")
        if word.label == "parataxis" and comma and [tree.low(first + 2), tree.low(first + 3)] == ["which", "time"]:
            words[place] = word._replace(head=first - 1, label="acl:relcl")
    return words


def _agreeing(tree: Tree, place: int) -> Word:
    """*They have a cook, who wears a hat and is old*: a verb that is joined to a noun, or does not agree with the main
    subject, is joined to the relative clause before it that it agrees with."""
    subject, finite, head = tree.subject(tree.root), tree.finite(place), tree.words[place].head
    clauses = [at for at in range(head + 1, place) if tree.words[at].label == "acl:relcl"]
    above = None if not clauses else tree.finite(clauses[-1])
    noun = tree.words[head].upos in {"NOUN", "PROPN"} and tree.child(head, "cop") is None and head != tree.root
    if subject is None or finite is None or above is None or not (noun or head == tree.root):
        return tree.words[place]
    if noun and tree.tag(finite) == tree.tag(above):
        return tree.words[place]._replace(head=clauses[-1])
    if noun or not tree.plural(subject) or tree.low(subject) == "you":
        return tree.words[place]
    single = all(tree.tag(at) == "VBZ" or tree.low(at) == "was" for at in (finite, above))
    return tree.words[place]._replace(head=clauses[-1]) if single else tree.words[place]


def _predicate_above(tree: Tree, place: int) -> int:
    while tree.words[place].head != place and tree.finite(place) is None:
        place = tree.words[place].head
    return place


def _follows_name(tree: Tree, place: int, first: int) -> bool:
    """*in Leeds, the old town of mills*: an apposition, if it is no time."""
    start = first + 1 if tree.low(first) == "," else first
    parted = tree.low(start - 1) == "," and tree.tag(start - 2) in NAMES
    return (
        parted and tree.low(start) in {"a", "an", "the"} and tree.tag(place) == "NN" and tree.low(place) not in _DATES
    )


def _head_of_name(tree: Tree, before: int) -> int:
    """The head of the name that ends at a place, or at the comma after it."""
    place = before if tree.low(before) != "," else before - 1
    while tree.label(place) in {"flat", "compound"}:
        place = tree.words[place].head
    return place


def _no_subjects(tree: Tree) -> list[Word]:
    """What a preposition begins is no subject: *and at one time was a painter*; *it* is one where nothing else is."""
    words = list(tree.words)
    for place, word in enumerate(tree.words):
        if word.label in SUBJECTS and place < word.head:
            first = tree.subtree(place)[0]
            if tree.low(first) in _NEVER_FIRST and tree.words[first].head == place and tree.label(first) == "case":
                words[place] = word._replace(label="obl")
            verb = tree.words[word.head]
            clause = verb.label in {"conj", "parataxis"} and tree.child(word.head, "cc") is None
            if clause and tree.low(first) in _MARKS and tree.words[first].head == place and first > tree.root:
                words[word.head] = verb._replace(label="advcl")
                words[first] = words[first]._replace(head=word.head, label="mark")
        elif word.label == "expl" and word.text.lower() == "it":
            other = tree.child(word.head, "nsubj", "csubj", "ccomp", "xcomp", "acl")
            words[place] = word._replace(label="nsubj" if other is None else "expl")
        if word.label in SUBJECTS | {"cop"} and word.head in tree.children(tree.root, "compound", "flat"):
            words[place] = words[place]._replace(head=tree.root)
    return words


def _past_tenses(tree: Tree) -> list[Word]:
    """A participle with a subject and no auxiliary is a past tense: *The couple separated in May*; a name before the
    main verb is its subject where there is none: *Berg, who was ill, left*."""
    words = list(tree.words)
    for place, word in enumerate(tree.words):
        subject = tree.child(place, "nsubj")
        bare = place == tree.root and not tree.auxiliaries(place)
        bare = bare and not any(other.tag in FINITE for other in tree.words[place:])
        if bare and subject is not None and words[subject].label == "nsubj:pass":
            words[subject] = words[subject]._replace(label="nsubj")
        if word.tag not in {"VBN", "VB"} or tree.auxiliaries(place) or subject is None or subject > place:
            continue
        if words[subject].label == "nsubj" and tree.child(place, "mark") is None and _is_past(word.text.lower()):
            words[place] = word._replace(tag="VBD")
    root = tree.root
    if tree.tag(root) == "VBD" and not _has_subject(tree, root) and tree.child(root, "expl") is None:
        for one in tree.children(root, "advcl", "dislocated", "vocative", "nmod", "obl"):
            if one < root and tree.subtree(one)[0] == 0 and tree.tag(one) in NAMES and tree.child(one, "case") is None:
                words[one] = words[one]._replace(label="nsubj")
                break
    return words


def _is_past(form: str) -> bool:
    return inflected(verb_lemma(form), "VBD") == form


def _main_verb(tree: Tree) -> list[Word] | None:
    """The root is a participle of its subject, and what hangs on it without a joining word is the main verb."""
    root = tree.root
    subject = tree.subject(root)
    if tree.tag(root) not in {"VBD", "VBN"} or tree.auxiliaries(root) or subject is None or subject > root:
        return None
    for one in tree.children(root, "conj", "ccomp", "parataxis"):
        aux = tree.auxiliaries(one)
        if not aux or tree.tag(aux[0]) not in FINITE or tree.subject(one) is not None or one < root:
            continue
        first = min(tree.kids[one])
        if tree.tag(first - 1) in {"CC", ",", ":"} or tree.child(first, "punct") or first != aux[0]:
            continue
        words = list(tree.words)
        passive = any(words[at].label == "aux:pass" for at in aux)
        _hang(words, one, one, "root")
        _hang(words, subject, one, "nsubj:pass" if passive else "nsubj")
        _hang(words, root, subject, "acl")
        for kid in tree.kids[root]:
            if kid > one and kid != subject:
                _hang(words, kid, one, words[kid].label)
        return words
    return None


def _verb_of_first_noun(tree: Tree) -> list[Word] | None:
    """The root is a noun that begins the sentence, and a verb with a tense and no subject hangs on it: *Offers received
    late shall be returned*, where *late* was found to belong to the noun."""
    root = tree.root
    if tree.tag(root)[:2] != "NN" or tree.child(root, "cop", "nsubj", "case") is not None or tree.subtree(root)[0] != 0:
        return None
    for one in tree.children(root, "parataxis", "acl", "conj", "ccomp", "advcl", "dep"):
        finite, first = tree.finite(one), tree.subtree(one)[0]
        if finite is None or finite != first or one < root or tree.subject(one) is not None:
            continue
        if tree.low(first - 1) == "," or tree.tag(first)[:1] == "W":
            continue
        words = list(tree.words)
        passive = any(words[at].label == "aux:pass" for at in tree.auxiliaries(one))
        _hang(words, one, one, "root")
        _hang(words, root, one, "nsubj:pass" if passive else "nsubj")
        for kid in tree.kids[root]:
            if kid > one:
                _hang(words, kid, one, words[kid].label)
        return words
    return None


def _noun_before_verb(tree: Tree) -> list[Word] | None:
    """*The symmetry breaking triggers …*: the noun before the main verb is its subject where there is none."""
    root, noun = tree.root, tree.root - 1
    if tree.tag(root) not in FINITE - {"MD"} or _has_subject(tree, root) or tree.child(root, "expl") is not None:
        return None
    if noun not in tree.children(root, "compound") or tree.words[noun].upos not in {"NOUN", "PROPN"}:
        return None
    words = list(tree.words)
    _hang(words, noun, root, "nsubj")
    for kid in tree.children(root, "det", "compound", "amod", "nmod", "nummod"):
        if kid < noun:
            _hang(words, kid, noun, words[kid].label)
    return words


def _clause_of_phrase(tree: Tree) -> list[Word] | None:
    """*As the deadline passed, they left*: the phrase before a verb without a subject is its subject."""
    for one in tree.children(tree.root, "advcl"):
        if tree.tag(one) not in FINITE or tree.finite(one) is None or _has_subject(tree, one) or one > tree.root:
            continue
        for phrase in tree.children(tree.root, "obl"):
            places = tree.subtree(phrase)
            if phrase < one and tree.low(places[0]) in _MARKS | {"as", "when"} and places[-1] in {one - 1, one}:
                words = list(tree.words)
                _hang(words, phrase, one, "nsubj")
                _hang(words, places[0], one, "mark")
                for kid in tree.kids[phrase]:
                    if kid > one:
                        _hang(words, kid, one, words[kid].label)
                return words
    return None


def _nearest_subject(tree: Tree) -> list[Word] | None:
    """*It began in May, and she was tried and sentenced*: a verb without a subject is joined to the nearest one before
    it that has one, not to the first."""
    for one in tree.children(tree.root, "conj"):
        between = [kid for kid in tree.children(tree.root, "conj") if kid < one and tree.subject(kid) is not None]
        if not between or _has_subject(tree, one) or not tree.children(one, "cc"):
            continue
        near = between[-1]
        passive = any(tree.words[at].label == "aux:pass" for at in tree.auxiliaries(near))
        if tree.tag(one) == "VBN" and not tree.auxiliaries(one) and passive:
            words = list(tree.words)
            _hang(words, one, near, "conj")
            return words
    return None


def _subject_after_date(tree: Tree) -> list[Word] | None:
    """*On 3 May 1864, a force attacked*: the subject hangs on the date as its apposition."""
    root = tree.root
    if tree.finite(root) is None or tree.subject(root) is not None or tree.child(root, "expl") is not None:
        return None
    for lead in tree.children(root, "obl"):
        for one in tree.children(lead, "appos", "conj"):
            if lead < one < root and tree.low(tree.subtree(one)[0]) == "," and not tree.children(one, "cc"):
                words = list(tree.words)
                passive = any(words[at].label == "aux:pass" for at in tree.auxiliaries(root))
                _hang(words, one, root, "nsubj:pass" if passive else "nsubj")
                return words
    return None


def _then(tree: Tree) -> list[Word] | None:
    """*, then was sold*: joined, though no word says so."""
    for one in tree.children(tree.root, "parataxis"):
        words = [at for at in tree.subtree(one) if tree.words[at].upos != "PUNCT"]
        if words and tree.low(words[0]) == "then" and tree.subject(one) is None and tree.finite(one) is not None:
            mended_words = list(tree.words)
            _hang(mended_words, one, tree.root, "conj")
            return mended_words
    return None


def _joined_higher(tree: Tree) -> list[Word] | None:
    """A finite verb without a subject that is joined to a verb without a tense belongs to the clause above."""
    words = None
    for place, word in enumerate(tree.words):
        if word.label != "conj" or word.head > place or tree.subject(place) is not None:
            continue
        finite = tree.finite(place)
        if finite is None or not tree.children(place, "cc"):
            continue
        above = word.head
        if tree.finite(above) is not None or tree.words[above].label == "conj":
            continue
        while tree.words[above].head != above and (tree.finite(above) is None or not _has_subject(tree, above)):
            above = tree.words[above].head
        highest = tree.finite(above)
        if highest is None or not _has_subject(tree, above) or tree.tag(highest) != tree.tag(finite):
            continue
        if tree.label(above) == "acl":
            continue
        last = [at for at in tree.subtree(above) if tree.words[at].upos != "PUNCT"][-1]
        if last in tree.subtree(place):
            words = words or list(tree.words)
            _hang(words, place, above, "conj")
    return words


def _has_subject(tree: Tree, place: int) -> bool:
    return any(tree.words[kid].label in SUBJECTS for kid in tree.kids[place])


def _hang(words: list[Word], place: int, head: int, label: str) -> None:
    words[place] = words[place]._replace(head=head, label=label)
