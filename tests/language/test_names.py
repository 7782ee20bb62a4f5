"""Codes and names of languages."""

from __future__ import annotations

import pytest

from rubrica.language.names import base_language, language_name


@pytest.mark.parametrize(
    ("code", "name"), [("en", "English"), ("pt-BR", "Portuguese"), ("ES_mx", "Spanish"), ("xx", "xx")]
)
def test_names(code: str, name: str) -> None:
    """A region does not matter; a code without a name stays as it is."""
    assert language_name(code) == name


def test_base_language() -> None:
    """The part before the region, in small letters."""
    assert base_language(" De-AT ") == "de"
