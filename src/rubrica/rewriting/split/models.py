"""Split texts with one of the models, in this process, in several, or on a cluster; the result is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice

from rubrica.core.errors import wrong
from rubrica.engine.running import run
from rubrica.language.parsing import ENGLISH, parser_for, tagging
from rubrica.rewriting.split.paper import split_as_paper
from rubrica.rewriting.split.splitting import Split, split_sentences

MODELS = ("rubrica", "paper", "copy")
BLOCK = 64
"""Sentences that are parsed together."""


def split(
    texts: Iterable[str],
    model: str = "rubrica",
    *,
    parser: str = "",
    workers: int = 1,
    cluster: str = "",
    progress: Callable[[int], None] | None = None,
) -> Iterator[Split]:
    """Each text, one English sentence, as simple sentences. Raises InputError for a model or parser there is not."""
    if model not in MODELS:
        raise wrong(f"there is no model {model!r}", "model", f"Use one of {', '.join(MODELS)}.", value=model)
    work = partial(_block, model=model, parser=parser_for("en", parser))
    every = iter(texts)
    blocks = iter(lambda: tuple(islice(every, BLOCK)), ())
    with closing(run(work, blocks, workers=workers, cluster=cluster, progress=progress, size=len)) as results:
        for block in results:
            yield from block


def _block(texts: tuple[str, ...], model: str, parser: str = ENGLISH) -> list[Split]:
    if model == "rubrica":
        return list(split_sentences(texts, tagging(parser)))
    if model == "paper":
        return list(split_as_paper(texts, tagging(parser)))
    from rubrica.rewriting.split.copying import split_by_copying

    return list(split_by_copying(texts))
