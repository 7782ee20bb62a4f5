"""Parses from a real spaCy pipeline on disk, and errors that say what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.language.parsing import depths, parser, version
from tests.language.chain_parser import save_chain_parser

spacy = pytest.importorskip("spacy")


def test_depth_is_the_longest_way_to_the_root(tmp_path: Path) -> None:
    """A depth for each sentence; none for an empty text."""
    name = save_chain_parser(tmp_path / "chain")
    # Each word hangs on the next: four tokens are three arcs deep, two are one.
    assert list(depths(["The boat left. Gone.", "", "Yes"], name)) == [[3, 1], [], [0]]
    assert version(name) == "en_chain-1.0"


def test_a_pipeline_that_is_not_there_is_named_with_the_way_to_get_it() -> None:
    """Not a traceback of spaCy's."""
    with pytest.raises(InputError, match=r"en_no_such_thing.*python -m spacy download en_no_such_thing"):
        parser("en_no_such_thing")

    with pytest.raises(InputError, match="Give a folder that holds one"):
        parser("no/such/folder")


def test_no_name_asks_for_one() -> None:
    """There is no default: every language needs its own."""
    with pytest.raises(InputError, match=r"needs a parser.*--parser"):
        parser("")


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    """A tokenizer alone makes no trees."""
    spacy.blank("en").to_disk(tmp_path / "bare")
    with pytest.raises(InputError, match="has no parser"):
        parser(str(tmp_path / "bare"))
