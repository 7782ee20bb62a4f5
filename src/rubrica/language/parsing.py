"""Words, tags, lemmas, trees and sentences of a text: the one place that knows spaCy.

Rubrica comes with a small English parser of its own (``en_rubrica``, made by ``make parser``), a component of a spaCy
pipeline; any pipeline that is installed, or a folder with one, can be named instead. Labels are those of Universal
Dependencies (Nivre et al. 2020), whichever pipeline made them. What was tried, and how good the parser is:
design/030-parser.md and design/057-parser-transformer.md.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, chain, pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rubrica.core.errors import wrong
from rubrica.language.clearnlp import SIGNS, Tree, universal
from rubrica.language.english import EnglishParser
from rubrica.language.models import unpacked
from rubrica.language.names import base_language, language_name

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

ENGLISH = "en_rubrica"
"""The parser that comes with Rubrica."""
VERSION = "2.0"
_MODEL = "english_parser"
_TREELESS = ("tagger", "morphologizer", "attribute_ruler", "lemmatizer", "trainable_lemmatizer")
"""Components whose work says nothing of trees."""
_VERY_LONG, _PIECE = re.compile(r"\S{400}"), re.compile(r"\s*\S{1,200}\s*|\s+")
_NEVER = ("ner", "entity_ruler", "entity_linker", "textcat")
"""Components whose work nobody here reads."""


class Word(NamedTuple):
    """A word of a text, ``text[start:start + len(word.text)]``.

    ``upos`` and ``feats`` are of Universal Dependencies (``VERB``, ``Mood=Ind|Tense=Past``), ``tag`` is the treebank's
    own (``VBD``); what a pipeline does not tell is empty. ``head`` is the place of the head among the words of the
    text, the word's own for a root.
    """

    text: str
    start: int
    lemma: str
    upos: str
    tag: str
    feats: str
    head: int
    label: str


class Token(NamedTuple):
    """A word as a tokenizer cuts it out of a text, ``text[start:end]``."""

    text: str
    start: int
    end: int


class Parse(NamedTuple):
    """A text's words, and its sentences as places of words; each sentence has one root. Both are empty if it is."""

    words: tuple[Word, ...]
    sentences: tuple[range, ...]


def parser_for(language: str, name: str = "") -> str:
    """The parser that was named, or Rubrica's own. Raises InputError if none was and the texts are not English."""
    if name or base_language(language) == "en":
        return name or ENGLISH
    what = f"Rubrica's own parser reads English, not {language_name(language)}"
    raise wrong(what, "parser", f"Name an installed spaCy pipeline: --parser {language}_….", value=language)


def parse(texts: Iterable[str], name: str = ENGLISH, *, one_sentence: bool = False) -> Iterator[Parse]:
    """Parse texts in turn. With ``one_sentence`` each is a sentence, whatever it looks like, and has one root."""
    pipeline = parser(name)
    other_scheme = _is_clearnlp(pipeline)
    for offsets, doc in _documents(pipeline, ([text] for text in texts), skipped=_NEVER, marked=one_sentence):
        yield _parsed(doc, offsets, other_scheme=other_scheme, marked=one_sentence)


def parse_together(groups: Iterable[Sequence[str]], name: str = ENGLISH) -> Iterator[list[Parse]]:
    """Parse groups of texts, each a sentence with one root, which stand beside each other while they are read.

    That is quicker than one by one, and hardly worse (design/057). A text may have another parse in another group.
    """
    pipeline = parser(name)
    other_scheme = _is_clearnlp(pipeline)
    for offsets, doc in _documents(pipeline, groups, skipped=_NEVER, marked=True):
        whole = _parsed(doc, offsets, other_scheme=other_scheme, marked=True)
        yield [_part(whole, range(*ends)) for ends in pairwise(accumulate(map(len, offsets), initial=0))]


def _part(whole: Parse, places: range) -> Parse:
    """One sentence of a parse as a parse of its own."""
    words = [word._replace(head=word.head - places.start) for word in whole.words[places.start : places.stop]]
    return Parse(tuple(words), (range(len(words)),) if words else ())


def depths(texts: Iterable[str], name: str = ENGLISH) -> Iterator[list[int]]:
    """For each text the depths of its trees, one for each sentence that the parser finds; none for an empty text.

    The depth of a tree is the number of arcs from its root to the word farthest from it: 0 for a single word. Trees
    are taken as the pipeline has them, whatever its scheme.
    """
    for _, doc in _documents(parser(name), ([text] for text in texts), skipped=(*_NEVER, *_TREELESS)):
        heads = [token.head.i for token in doc]
        yield [max(_steps(token.i, heads) for token in sentence) for sentence in doc.sents]


def version(name: str) -> str:
    """The name and version of a pipeline as its maker gave them, for signatures."""
    meta: dict[str, Any] = parser(name).meta
    return f"{meta['lang']}_{meta['name']}-{meta['version']}"


@lru_cache(maxsize=4)
def parser(name: str) -> Language:
    """The pipeline of this name, loaded once. Raises InputError if there is no spaCy, no such pipeline or no parser.

    spaCy multiplies matrices with BLIS unless told otherwise; NumPy's library is more than twice as fast.
    """
    library = _imported("spacy", "spaCy")
    from thinc.api import use_ops

    with use_ops("numpy", use_blis=False):
        loaded = _own(library) if name == ENGLISH else _installed(library, name)
    if not _tells(loaded, "token.head"):
        fix = f"Name a pipeline with a component `parser`, such as {ENGLISH}."
        raise wrong(f"the spaCy pipeline {name!r} has no parser", "parser", fix, value=name)
    return loaded


def tagging(name: str) -> str:
    """The name of a pipeline that tells treebank tags, which rules read. Raises InputError if it does not."""
    if not _tells(parser(name), "token.tag"):
        fix = f"Name a pipeline with a component `tagger`, such as {ENGLISH}."
        raise wrong(f"the spaCy pipeline {name!r} tells no tags, such as VBD", "parser", fix, value=name)
    return name


def _tells(pipeline: Language, what: str) -> bool:
    return any(what in pipeline.get_pipe_meta(one).assigns for one in pipeline.pipe_names)


def _own(library: ModuleType) -> Language:
    """spaCy's English tokenizer, and our parser as the one component."""
    for needed, told in (("onnxruntime", "ONNX Runtime"), ("lemminflect", "lemminflect")):
        _imported(needed, told)
    reader = EnglishParser(unpacked(_MODEL))

    def read(doc: Doc) -> Doc:
        return _with_annotations(doc, reader)

    assigned = ["token.head", "token.dep", "token.tag", "token.pos", "token.lemma"]
    library.Language.component(_MODEL, assigns=assigned, func=read)
    loaded: Language = library.blank("en", meta={"name": "rubrica", "version": VERSION, "license": "CC BY-SA 4.0"})
    loaded.add_pipe(_MODEL)
    return loaded


def _with_annotations(doc: Doc, reader: EnglishParser) -> Doc:
    """The document with what is told of its words; its sentences stay where somebody marked them."""
    marked = [token.i for token in doc if token.is_sent_start] if doc.has_annotation("SENT_START") else []
    sentences = [range(*one) for one in pairwise([*marked, len(doc)])]
    told = reader.told([token.text for token in doc], sentences or None)
    number = doc.vocab.strings.add
    rows = [
        (
            one.head - place,
            number("ROOT" if one.head == place else one.label),
            number(one.tag),
            number(one.upos),
            number(one.feats),
            number(one.lemma),
        )
        for place, one in enumerate(told)
    ]
    if rows:
        columns: Any = np.array([[value % 2**64 for value in row] for row in rows], dtype=np.uint64)
        doc.from_array(["HEAD", "DEP", "TAG", "POS", "MORPH", "LEMMA"], columns)
    return doc


def english(model: bytes) -> Language:
    """A pipeline from its bytes, as recipes that train one keep them: its configuration is among them."""
    import srsly
    from spacy import util

    config = util.load_config_from_str(srsly.msgpack_loads(model)["config.cfg"].decode())
    pipeline: Language = util.load_model_from_config(config).from_bytes(model)
    return pipeline


def _installed(library: ModuleType, name: str) -> Language:
    there = ", ".join([ENGLISH, *sorted(library.util.get_installed_models())])
    try:
        loaded: Language = library.load(name)
    except (OSError, ValueError) as error:
        get = "Give a folder that holds one" if _is_path(name) else f"Install it: python -m spacy download {name}"
        why = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        what = f"the spaCy pipeline {name!r} cannot be loaded: {why}"
        raise wrong(what, "parser", f"{get}; or name another (there: {there}).", value=name) from error
    except (TypeError, AttributeError) as error:
        what = f"the package {name!r} is no spaCy pipeline"
        raise wrong(what, "parser", f"Name one (there: {there}).", value=name) from error
    return loaded


def _documents(
    pipeline: Language, groups: Iterable[Sequence[str]], *, skipped: Iterable[str], marked: bool = False
) -> Iterator[tuple[list[list[int]], Doc]]:
    """Each group of texts as spaCy's document, and where the words of each text start in it.

    If they are to be ``marked``, each text is one sentence.

    spaCy makes words of line breaks and double spaces; treebanks know none, and a parser that meets one takes it for
    anything, the main verb included. They are left out.
    """
    from spacy.tokens import Doc

    waiting: deque[list[list[int]]] = deque()

    def prepared() -> Iterator[Doc]:
        for texts in groups:
            cut = [(text, tokens_of(pipeline, text)) for text in texts]
            spaces = [text[token.end : token.end + 1].isspace() for text, tokens in cut for token in tokens]
            starts: list[bool | int | None] = [place == 0 for _, tokens in cut for place in range(len(tokens))]
            words = [token.text for _, tokens in cut for token in tokens]
            waiting.append([[token.start for token in tokens] for _, tokens in cut])
            yield Doc(pipeline.vocab, words=words, spaces=spaces, sent_starts=starts if marked else None)

    unused = [component for component in pipeline.pipe_names if component in set(skipped)]
    for doc in pipeline.pipe(prepared(), disable=unused):
        yield waiting.popleft(), doc


def tokens_of(pipeline: Language, text: str) -> list[Token]:
    """The words of a text, white space aside.

    What stands together without white space is cut where it gets very long, such as a line of ten thousand brackets:
    spaCy would try each end of it anew for every sign that it takes off.
    """
    # A half of a character that Python can hold and UTF-8 cannot.
    whole = text.encode("utf-8", "replace").decode("utf-8")
    pieces = [(0, whole)]
    if _VERY_LONG.search(whole):
        pieces = [(found.start(), found[0]) for found in _PIECE.finditer(whole)]
    return [
        Token(token.text, start + token.idx, start + token.idx + len(token))
        for start, piece in pieces
        for token in pipeline.tokenizer(piece)
        if not token.is_space
    ]


def _parsed(doc: Doc, offsets: list[list[int]], *, other_scheme: bool, marked: bool) -> Parse:
    sentences = [range(one.start, one.end) for one in doc.sents]
    if marked:
        sentences = [range(*ends) for ends in pairwise(accumulate(map(len, offsets), initial=0)) if ends[0] < ends[1]]
    heads, labels = [token.head.i for token in doc], [token.dep_ for token in doc]
    upos, lemmas = [token.pos_ for token in doc], [token.lemma_ for token in doc]
    if other_scheme:
        known = [lemma or token.lower_ for token, lemma in zip(doc, lemmas, strict=True)]
        heads, labels = universal(Tree(heads, labels), upos, known)
    for sentence in sentences:
        _one_root(sentence, heads, labels)
    columns = zip(doc, chain.from_iterable(offsets), lemmas, upos, heads, labels, strict=True)
    words = (
        Word(token.text, start, lemma, pos, token.tag_, str(token.morph), head, label)
        for token, start, lemma, pos, head, label in columns
    )
    return Parse(tuple(words), tuple(sentences))


def _one_root(sentence: range, heads: list[int], labels: list[str]) -> None:
    """The first root stays; others, where a parser left some, hang on it. What hangs on another sentence is one."""
    first, *others = [place for place in sentence if heads[place] == place or heads[place] not in sentence]
    heads[first], labels[first] = first, "root"
    for place in others:
        heads[place], labels[place] = first, "parataxis"


def _is_clearnlp(pipeline: Language) -> bool:
    return any(SIGNS & set(getattr(component, "labels", ())) for _, component in pipeline.pipeline)


def _steps(token: int, heads: list[int]) -> int:
    """Arcs between a token and the root above it."""
    steps = 0
    while heads[token] != token:
        token = heads[token]
        steps += 1
    return steps


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or Path(name).exists()


def _imported(module: str, told: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[parsing]'."
        raise wrong(f"a parser needs {told}: {error}", "not_installed", fix, value=error.name) from error
