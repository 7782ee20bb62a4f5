"""Nobody's name is in what a report is made of."""

from __future__ import annotations

from rubrica.core.ratings import Rater
from rubrica.report.anonymous import alias_order, aliases, anonymous, hide
from tests.report.made_ratings import NAMES, made_ratings


def test_people_are_numbered_and_models_keep_their_names() -> None:
    """A model is nobody's secret."""
    found = aliases([Rater("ana"), Rater("judge-1", "model"), Rater("bob")])
    assert found == {"ana": "A1", "judge-1": "model: judge-1", "bob": "A2"}
    assert sorted(["A10", "model: x", "A2"], key=alias_order) == ["A2", "A10", "model: x"]


def test_ratings_have_aliases_everywhere() -> None:
    """In judgements, raters and the signature; who is excluded stays excluded."""
    known = aliases(Rater(name) for name in NAMES)
    found = anonymous(made_ratings().without([NAMES[1]]), known)
    assert set(found.raters) == {rating.rater for rating in found.every} == {"A1", "A2", "A3"}
    assert found.raters["A2"].excluded
    assert "excluded:A2" in found.sign()
    assert all(name not in found.sign() for name in NAMES)
    assert [one.label for one in found.criteria][:2] == ["Meaning", "Missing facts"]


def test_names_and_addresses_go_from_free_texts() -> None:
    """Whole words only, in whatever case; an address that nobody has as a name goes, too."""
    known = {"ana": "A1", "ana maria": "A2"}
    assert hide("Ana Maria and ANA, not banana; see x.y@site.org.", known) == "A2 and A1, not banana; see (address)"
