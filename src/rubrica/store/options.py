"""The settings of a study (``exchange/study_options.py``) in ``Study.options``: read, and changed."""

from __future__ import annotations

from typing import Any

from rubrica.exchange.study_options import Options, checked
from rubrica.store import models


def options_of(study: models.Study) -> Options:
    """The settings of a study; whatever was never set has its default."""
    return Options.model_validate(study.options)


def change(study: models.Study, **changes: Any) -> Options:
    """Set these options in the study's row, which the caller has locked. Raises InputError with every problem."""
    if "steps" in changes:
        # Steps are replaced whole; the qualification, which the protocol may have switched on, only by a word on it.
        asked = study.options.get("steps", {}).get("qualification", False)
        changes["steps"] = {"qualification": asked, **changes["steps"]}
    options = checked({**study.options, **changes})
    study.update(options=options.stored())
    return options
