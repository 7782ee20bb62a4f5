"""Texts that the desk's script shows, translated on the server."""

from __future__ import annotations

from django.utils.translation import gettext as _


def messages() -> dict[str, str]:
    """By name; ``{…}`` is filled in by the script."""
    return {
        "missing_one": _("One answer is missing."),
        "missing_many": _("{n} answers are missing."),
        "wrong_one": _("One answer needs another look."),
        "wrong_many": _("{n} answers need another look."),
        "kept_not_used": _("Kept in the history, but not in force"),
        "not_submitted": _("Not submitted yet:"),
        "go_there": _("Go there"),
        "go_on": _("Go on"),
        "other_device": _("You have gone on with this item elsewhere. What you see here may be older."),
        "load_newest": _("Load the newest"),
        "undone": _("Undone"),
        "flagged": _("Flagged. Thank you."),
        "shortcuts_on": _("Single-key shortcuts are on"),
        "shortcuts_off": _("Single-key shortcuts are off"),
        "waiting_to_submit": _("Offline: your answers are kept and will be sent."),
        "please_choose": _("Please choose an answer."),
        "please_write": _("Please write your text."),
        "please_slide": _("Please move the slider to your answer."),
        "link_ended": _("This link has ended. What was not sent yet is kept on this device."),
        "could_not_save": _("Could not save: {why}"),
        "refused_earlier": _("Something is missing in an item that you submitted offline."),
        "no_network": _("The server cannot be reached. Please try again."),
    }
