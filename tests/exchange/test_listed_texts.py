"""Several texts in one cell: JSON, and what pandas and NumPy print."""

import pytest

from rubrica.exchange.corpus_rows import texts_of


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ('["It rained.", " ", "We saw \\"rain\\"."]', ["It rained.", 'We saw "rain".']),
        ("['It rained.', \"They didn't mind.\"]", ["It rained.", "They didn't mind."]),
        ("['It rained.'\n \"They didn't mind.\"]", ["It rained.", "They didn't mind."]),
        ("[]", []),
        ("  ", []),
        (" It rained. ", ["It rained."]),
        ("[It rained.]", ["[It rained.]"]),
        ("['It] rained.", ["['It] rained."]),
        ("[sic] it's [so]", ["[sic] it's [so]"]),
        ("[1, 2]", ["[1, 2]"]),
        ("['a', 2]", ["['a', 2]"]),
        ("[b'a']", ["[b'a']"]),
        ("['open]", ["['open]"]),
    ],
)
def test_a_list_is_several_texts(cell: str, texts: list[str]) -> None:
    """Whoever printed it; anything else in brackets is one text as it stands."""
    assert texts_of(cell) == texts
