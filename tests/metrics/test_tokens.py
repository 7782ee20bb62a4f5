"""Tokens are those of sacreBLEU, whatever is in the text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from rubrica.core.errors import InputError
from rubrica.metrics.tokens import TOKENIZERS, Normalisation

SIGNS = "aB1 .,-()&;'\"/\t\n\u00a0<>!@[]é9"


@settings(max_examples=500)
@example("a-\nb <skipped> &quot;x&quot; 3,000.5-6 (x).")
@example("1.5., ,.5 a.b.c ...")
@given(st.text(alphabet=SIGNS, max_size=20))
def test_tokeniser_13a_is_that_of_sacrebleu(text: str) -> None:
    """Cut part by part and remembered, the tokens are the same as of the whole text."""
    assert Normalisation("13a").cutter()(text).split() == BLEU(tokenize="13a").tokenizer(text).split()


@pytest.mark.parametrize("name", [name for name in TOKENIZERS if name != "13a"])
def test_other_tokenisers_are_sacrebleus_own(name: str) -> None:
    """Names mean what they mean there."""
    text = "Don't stop, 3,000 times (really)!"
    assert Normalisation(name).cutter()(text).split() == BLEU(tokenize=name).tokenizer(text).split()


def test_lowercasing_comes_first() -> None:
    """As in EASSE and sacreBLEU: the text is lowercased, then cut."""
    assert Normalisation("13a", lowercase=True).cutter()("A CAT.") == "a cat ."


def test_an_unknown_tokeniser_is_refused_with_those_known() -> None:
    """The message names them."""
    with pytest.raises(InputError) as refused:
        Normalisation("14b").cutter()
    assert "13a, intl" in str(refused.value.problems[0])
