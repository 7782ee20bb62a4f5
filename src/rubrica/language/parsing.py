"""Dependency parses from any spaCy pipeline that is installed, by its name or folder; none is shipped or fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from spacy.language import Language

_UNUSED = (
    "tagger",
    "morphologizer",
    "attribute_ruler",
    "lemmatizer",
    "trainable_lemmatizer",
    "ner",
    "entity_ruler",
    "entity_linker",
    "textcat",
)
"""Components whose work says nothing of trees."""


@lru_cache(maxsize=4)
def parser(name: str) -> Language:
    """The pipeline of this name, loaded once. Raises InputError if there is no spaCy, no such pipeline or no parser."""
    library = _spacy()
    if not name:
        what, fix = "the depth of trees needs a parser", "Name an installed spaCy pipeline: --parser en_core_web_sm."
        raise wrong(what, "parser", fix, value=name)
    try:
        loaded: Language = library.load(name)
    except (OSError, ValueError) as error:
        there = ", ".join(sorted(library.util.get_installed_models())) or "none"
        get = "Give a folder that holds one" if _is_path(name) else f"Install it: python -m spacy download {name}"
        fix = f"{get}; or name another (installed: {there})."
        what = f"the spaCy pipeline {name!r} cannot be loaded: {str(error).splitlines()[0]}"
        raise wrong(what, "parser", fix, value=name) from error
    if not any("token.head" in loaded.get_pipe_meta(one).assigns for one in loaded.pipe_names):
        fix = "Name a pipeline with a component `parser`, such as en_core_web_sm."
        raise wrong(f"the spaCy pipeline {name!r} has no parser", "parser", fix, value=name)
    return loaded


def version(name: str) -> str:
    """The name and version of a pipeline as its maker gave them, for signatures."""
    meta: dict[str, Any] = parser(name).meta
    return f"{meta['lang']}_{meta['name']}-{meta['version']}"


def depths(texts: Iterable[str], name: str) -> Iterator[list[int]]:
    """For each text the depths of its trees, one for each sentence that the parser finds; none for an empty text.

    The depth of a tree is the number of arcs from its root to the word farthest from it: 0 for a single word.
    """
    pipeline = parser(name)
    unused = [component for component in pipeline.pipe_names if component in _UNUSED]
    for doc in pipeline.pipe(texts, disable=unused):
        heads = [token.head.i for token in doc]
        yield [max(_steps(token.i, heads) for token in sentence) for sentence in doc.sents if not _blank(sentence)]


def _steps(token: int, heads: list[int]) -> int:
    """Arcs between a token and the root above it."""
    steps = 0
    while heads[token] != token:
        token = heads[token]
        steps += 1
    return steps


def _blank(sentence: Iterable[Any]) -> bool:
    return all(token.is_space for token in sentence)


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name


def _spacy() -> ModuleType:
    try:
        import spacy
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[parsing]', and a pipeline for the language of the texts."
        raise wrong(f"a parser needs spaCy: {error}", "not_installed", fix, value=error.name) from error
    module: ModuleType = spacy
    return module
