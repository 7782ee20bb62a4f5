"""Which formulas are for which language."""

from __future__ import annotations

import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.options import Options
from rubrica.metrics.readability import FORMULAS, formulas_for


def test_every_formula_can_be_made_for_its_languages() -> None:
    """The table names real classes, whose figures have the formula's name."""
    for name, formula in FORMULAS.items():
        metric = metrics_of([name], Options(language=(formula.languages or ("sv",))[0]))[0]
        assert metric.name == metric.figures[0].key == name
        assert metric.__doc__


def test_readability_stands_for_the_formulas_of_the_language() -> None:
    """Each once, even if it is asked for by its own name too."""
    found = [metric.name for metric in metrics_of(["lix", "readability"], Options(language="de-AT"))]
    assert found == ["lix", "amstad", "wiener_sachtext", "rix"]
    assert formulas_for("it") == ["gulpease", "franchina_vacca", "lix", "rix"]
    assert formulas_for("ca") == ["lix", "rix"]


def test_a_formula_for_another_language_is_refused() -> None:
    """The error names the formulas that are for it."""
    with pytest.raises(InputError, match=r"gulpease was made for Italian.*For French use kandel_moles, lix, rix"):
        metrics_of(["gulpease"], Options(language="fr"))


def test_a_language_without_spaces_has_none() -> None:
    """Neither by name nor together."""
    for name in ("lix", "readability"):
        with pytest.raises(InputError, match="no formula is for Chinese"):
            metrics_of([name], Options(language="zh"))
