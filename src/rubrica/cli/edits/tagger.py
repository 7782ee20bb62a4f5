"""Which tagger `--model` names: LENS-SALSA, or a model that was trained here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.edits.tagging.tags import Tagger

LENS = "lens-salsa"


def tagger_of(model: str, checkpoint: Path | None) -> Tagger:
    """The tagger of that name or file. Raises InputError if it is not here."""
    if model == LENS:
        from rubrica.edits.tagging.lens_salsa import load_lens_salsa

        return load_lens_salsa(checkpoint)
    if checkpoint:
        raise wrong("--checkpoint is for LENS-SALSA", "option", f"Add --model {LENS}.", value=str(checkpoint))
    from rubrica.exchange.tagged_words import read_model

    return read_model(Path(model))
