"""What commands say about judgements that were read and saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubrica.cli.output import count, say

if TYPE_CHECKING:
    from rubrica.store.judgements import Saved
    from rubrica.store.models import Study


def say_beyond_overlap(study: Study) -> None:
    """A remark when items have more judgements than they wanted: none is thrown away, but somebody should know."""
    from rubrica.store.arithmetic import beyond_overlap

    beyond = beyond_overlap(study)
    if beyond:
        say(f"{count(beyond, 'judgement is', 'judgements are')} beyond the overlap; none is thrown away.")


def saved_text(saved: Saved) -> str:
    """What was saved, in words."""
    return (
        f"{count(saved.judgements, 'judgement')}, {count(saved.revisions, 'correction')}, {saved.unchanged} unchanged"
    )
