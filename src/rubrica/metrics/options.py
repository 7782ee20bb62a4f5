"""The settings of metrics, as they are chosen on the command line; None is the custom of the field for each metric."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rubrica.core.errors import Problem
from rubrica.metrics.tokens import TOKENIZERS

DELETION = ("f1", "precision")
AVERAGING = ("orders", "operations")
SMOOTHING: Mapping[str, float] = {"exp": 0.0, "floor": 0.1, "add-k": 1.0, "none": 0.0}
"""BLEU's ways of smoothing, with the value of those that have one."""


@attrs.frozen
class Options:
    """How texts are compared.

    ``lowercase`` and ``tokenizer`` hold for every metric on tokens if given. ``deletion`` is how SARI scores deletions
    (``f1`` as EASSE, ``precision`` as in Xu et al. 2016), ``averaging`` where it takes means (``orders``: F1 of each
    order, then their mean, as EASSE; ``operations``: mean precision and recall, then F1, as the paper). ``language`` is
    the language of the texts (ISO 639-1), ``parser`` the name of an installed spaCy pipeline;
    none is Rubrica's own, for English.
    ``models`` has the model of a learned metric, by the metric's name: a name or a path. ``lens_python`` is the Python
    of the environment that LENS runs in.
    """

    tokenizer: str | None = None
    lowercase: bool | None = None
    smoothing: str | None = None
    deletion: str = "f1"
    averaging: str = "orders"
    language: str = "en"
    parser: str = ""
    models: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    lens_python: str = ""

    def chosen(self) -> dict[str, object]:
        """The choices that are not the usual ones; where another Python stands on a machine is none."""
        usual = attrs.asdict(Options(lens_python=self.lens_python))
        return {name: value for name, value in attrs.asdict(self).items() if value != usual[name]}

    def problems(self) -> list[Problem]:
        """A problem for each choice that there is not."""
        choices = (
            ("tokenizer", self.tokenizer, TOKENIZERS, "tokenizer"),
            ("smoothing", self.smoothing, SMOOTHING, "smoothing"),
            ("sari", self.deletion, DELETION, "way to score deletions"),
            ("sari", self.averaging, AVERAGING, "way of averaging SARI"),
        )
        return [
            Problem(what=f"there is no {what} {value!r}", rule=rule, fix=f"Use one of {', '.join(known)}.", value=value)
            for rule, value, known, what in choices
            if value is not None and value not in known
        ]
