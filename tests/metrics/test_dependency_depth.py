"""The mean depth of trees, with a parser whose trees are known."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.options import Options
from tests.language.chain_parser import save_chain_parser
from tests.metrics.blocks import figure, of_sentences, rewrites


def test_it_is_the_mean_over_sentences(tmp_path: Path) -> None:
    """Each sentence that the parser finds counts once, whichever rewrite it is in; empty rewrites count nothing."""
    options = Options(parser=save_chain_parser(tmp_path / "chain"))
    block = rewrites("The boat left. Gone.", "We wait here today.", "")
    # Chains of 4, 2 and 5 tokens are 3, 1 and 4 deep.
    assert figure("dependency_depth", block, options) == pytest.approx(8 / 3)
    assert of_sentences("dependency_depth", block, options)[:2] == [2, 4]
    assert isnan(of_sentences("dependency_depth", block, options)[2])
    assert metrics_of(["dependency_depth"], options)[0].settings() == {"parser": "en_chain-1.0"}


def test_english_needs_no_parser_to_be_named() -> None:
    """Rubrica's own is taken, and the signature says so."""
    pytest.importorskip("spacy")
    options = Options()
    # Boat, the subject, is an arc below the verb, and its article two.
    assert figure("dependency_depth", rewrites("The boat left."), options) == 2
    assert metrics_of(["dependency_depth"], options)[0].settings() == {"parser": "en_rubrica-1.0"}


def test_other_languages_need_one() -> None:
    """The error says how to name it."""
    with pytest.raises(InputError, match=r"reads English, not Spanish.*--parser"):
        metrics_of(["dependency_depth"], Options(language="es"))
