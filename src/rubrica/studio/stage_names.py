"""What pages call a stage: its title in the reader's language, not the key that files and commands use."""

from __future__ import annotations

from django.utils.translation import get_language

from rubrica.core.texts import shown
from rubrica.store import models
from rubrica.store.translate import protocol_of, rules_of


def stage_title(stage: models.Stage) -> str:
    """The title of a stage; a later version of the same step adds its own key, so that the two differ."""
    label = shown(rules_of(stage, protocol_of(stage)).label, get_language() or "en")
    return f"{label} ({stage.key})" if stage.part and stage.part != stage.key else label
