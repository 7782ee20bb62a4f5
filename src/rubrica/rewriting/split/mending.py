"""Trees in which the main verb was missed or a second verb hangs too low, mended where the words leave no doubt.

The parser is small. Some of its errors spoil splits most, and the forms of the words show them: a participle taken for
the main verb although an auxiliary follows (*Offers received late shall be returned*), a finite verb joined to an
infinitive or a participle (*is asked to help and leaves*), a subject that hangs on the date before it.
"""

from __future__ import annotations

from rubrica.language.parsing import Parse, Word
from rubrica.rewriting.split.tree import FINITE, NAMES, SUBJECTS, Tree
from rubrica.rewriting.split.wording import inflected, verb_lemma

_NEVER_FIRST = {"at", "in", "on", "by", "for", "with", "from"}
"""Words that no subject begins with."""
_MARKS = {"after", "before", "until", "because", "while", "although", "though", "since"}
"""Words that begin a clause, where the parser took them for the preposition of its subject."""


def mended(parsed: Parse) -> Parse:
    """The parse with these errors mended; the same one where there is nothing to mend."""
    if not parsed.words:
        return parsed
    parsed = _past_tenses(_no_subjects(parsed))
    tree = Tree(parsed, "")
    words = _main_verb(tree) or _subject_after_date(tree) or _joined_higher(tree) or _then(tree)
    return parsed if words is None else Parse(tuple(words), parsed.sentences)


def _no_subjects(parsed: Parse) -> Parse:
    """What a preposition begins is no subject: *and at one time was a painter*; *it* is one where nothing else is."""
    tree = Tree(parsed, "")
    words = list(parsed.words)
    for place, word in enumerate(parsed.words):
        if word.label in SUBJECTS and place < word.head:
            first = tree.subtree(place)[0]
            if tree.low(first) in _NEVER_FIRST and tree.words[first].head == place and tree.label(first) == "case":
                words[place] = word._replace(label="obl")
            verb = parsed.words[word.head]
            clause = verb.label in {"conj", "parataxis"} and tree.child(word.head, "cc") is None
            if clause and tree.low(first) in _MARKS and tree.words[first].head == place and first > tree.root:
                words[word.head] = verb._replace(label="advcl")
                words[first] = words[first]._replace(head=word.head, label="mark")
        elif word.label == "expl" and word.text.lower() == "it":
            other = tree.child(word.head, "nsubj", "csubj", "ccomp", "xcomp", "acl")
            words[place] = word._replace(label="nsubj" if other is None else "expl")
        if word.label in SUBJECTS | {"cop"} and word.head in tree.children(tree.root, "compound", "flat"):
            words[place] = words[place]._replace(head=tree.root)
    return parsed._replace(words=tuple(words))


def _past_tenses(parsed: Parse) -> Parse:
    """A participle with a subject and no auxiliary is a past tense: *The couple separated in May*; a name before the
    main verb is its subject where there is none: *Berg, who was ill, left*."""
    tree = Tree(parsed, "")
    words = list(parsed.words)
    for place, word in enumerate(parsed.words):
        subject = tree.child(place, "nsubj")
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
    return parsed._replace(words=tuple(words))


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
        if tree.low(words[0]) == "then" and tree.subject(one) is None and tree.finite(one) is not None:
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
