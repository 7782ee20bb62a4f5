"""What a page is told where the edits of several people are settled: their versions, and the words for it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from rubrica.core import edits as edit_values
from rubrica.core.edit_overlay import Overlay


def overlay_data(overlay: Overlay, *, settled: bool) -> dict[str, Any]:
    """The groups as the script reads them; people are numbers from 0. ``settled``: this was submitted before."""
    return {
        "people": overlay.people,
        "settled": settled,
        "groups": [
            {
                "agreed": group.agreed,
                "versions": [
                    {"people": list(version.people), "edits": [edit_values.to_json(edit) for edit in version.edits]}
                    for version in group.versions
                ],
            }
            for group in overlay.groups
        ],
    }


def overlay_messages() -> dict[str, str]:
    """Texts of the script; ``{…}`` is filled in there. People are called A, B, C."""
    return {
        "laid_count": _("Differences: {n}"),
        "laid_open": _("{n} open"),
        "laid_settled": _("all settled"),
        "laid_none": _("Nobody marked any edit in this pair."),
        "laid_of": _("{n} of {all}"),
        "laid_agreed": _("Marked by all {n}: {edit}"),
        "laid_drop": _("Drop"),
        "laid_put_back": _("Put back"),
        "laid_difference": _("Difference {n}"),
        "laid_state_open": _("open"),
        "laid_state_taken": _("settled"),
        "laid_state_none": _("none taken"),
        "laid_nothing": _("marked nothing here"),
        "laid_answers_only": _("The words are the same; the answers differ."),
        "laid_accept": _("Accept"),
        "laid_accepted": _("Accepted"),
        "laid_apart": _("Take apart"),
        "laid_redraw": _("Redraw"),
        "laid_merge": _("Merge"),
        "laid_reject": _("None of these"),
        "laid_reject_rest": _("None of the rest"),
        "laid_by": _("{people}: {edit}"),
        "laid_said_accepted": _("Accepted: {edit}"),
        "laid_said_back": _("Taken back: {edit}"),
        "laid_said_merged": _("Merged: {edit}"),
        "laid_said_apart": _("Taken apart: {n} edits"),
        "laid_said_rejected": _("Difference {n}: none taken"),
        "laid_said_open": _("Difference {n} is open again"),
        "laid_decide": _("Difference {n} is still open: accept, merge, take apart, redraw, or choose none."),
    }
