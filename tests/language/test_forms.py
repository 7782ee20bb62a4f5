"""Two words are forms of one: what dictionaries lack is known, and guesses alone are not believed."""

from __future__ import annotations

import pytest

from rubrica.language.forms import same_word_in


@pytest.mark.parametrize(
    ("language", "base", "forms"),
    [
        ("en", "leave", "leaves left leaving"),
        ("en", "sale", "sales"),
        ("en", "bad", "worse worst"),
        ("de", "stehen", "steht stand gestanden"),
        ("fr", "mourir", "meurt mort mourut"),
        ("fr", "central", "centrale centrales centraux"),
        ("es", "flor", "flores"),
        ("es", "contar", "cuenta contado contárnoslo contándole"),
        ("es", "hacer", "hecho hizo hazlo hágalo hacerlos"),
        ("it", "porre", "posto pose ponendo"),
        ("it", "dare", "dammi dargliene dato"),
        ("pt", "pôr", "posto põe pô"),
        ("ca", "veure", "vist veia veient-lo"),
        ("tl", "sulat", "sumulat sinulat susulat isinulat sulatan magsusulat"),
        ("fil", "dating", "dumating dumarating"),
    ],
)
def test_forms_of_a_word(language: str, base: str, forms: str) -> None:
    """Irregular forms, clitics and affixes lead back to the base."""
    same = same_word_in(language)
    assert same is not None
    assert [form for form in forms.split() if same(form.partition("-")[0], base) <= 0] == []


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        ("en", "seed:see thing:think string:sting wind:win lead:lay"),
        ("es", "caso:casa vale:ir puesto:posta tomate:tomar vela:ir plato:plata"),
        ("it", "capitale:capire parte:parere"),
        ("fr", "porte:port pomme:pommier"),
        ("fil", "bahay:bahagi anak:ina sulat:salita"),
    ],
)
def test_other_words_are_not_forms(language: str, pairs: str) -> None:
    """Words that only look alike, or that a guess would lead to the same base, are two words."""
    same = same_word_in(language)
    assert same is not None
    assert [pair for pair in pairs.split() if same(*pair.split(":")) > 0] == []


def test_known_words_are_told_from_unknown_ones() -> None:
    """Of two words of the dictionary it is known that they are two; of one that is not in it nothing is."""
    same = same_word_in("en")
    assert same is not None
    assert (same("contract", "contrast"), same("contracts", "contrast")) == (-1, -1)
    assert same("contrast", "contrastable") == 0


def test_a_language_without_forms() -> None:
    """Nothing is told of a language that we have no words of."""
    assert same_word_in("xx") is None
