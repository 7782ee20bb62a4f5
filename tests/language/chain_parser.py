"""A parser for tests: a spaCy pipeline that hangs each word on the next, saved to disk as any other."""

from __future__ import annotations

from pathlib import Path

import pytest


def save_chain_parser(folder: Path) -> str:
    """Assemble and save the pipeline; trees are chains, so that a sentence of n tokens is n - 1 deep.

    Sentences end at a full stop. Gives the folder's path.
    """
    spacy = pytest.importorskip("spacy")
    from spacy.language import Language
    from spacy.tokens import Doc

    @Language.component("rubrica_chain", assigns=["token.head", "token.dep"])
    def chain(doc: Doc) -> Doc:
        last = len(doc) - 1
        ends = [token.text == "." or token.i == last for token in doc]
        return Doc(
            doc.vocab,
            words=[token.text for token in doc],
            spaces=[bool(token.whitespace_) for token in doc],
            heads=[place if ends[place] else place + 1 for place in range(len(doc))],
            deps=["ROOT" if end else "dep" for end in ends],
        )

    assert callable(chain)
    pipeline = spacy.blank("en")
    pipeline.add_pipe("rubrica_chain")
    pipeline.meta.update(name="chain", version="1.0")
    pipeline.to_disk(folder)
    return str(folder)
