"""Texts that the desk's script shows, translated on the server."""

from __future__ import annotations

from django.utils.translation import gettext as _

from rubrica.studio.annotate.desk_questions import none_ask


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
        "redone": _("Done again"),
        "flagged": _("Flagged. Thank you."),
        "shortcuts_on": _("Single-key shortcuts are on"),
        "shortcuts_off": _("Single-key shortcuts are off"),
        "waiting_to_submit": _("Offline: your answers are kept and will be sent."),
        "please_choose": _("Please choose an answer."),
        "please_change": _("This is still the text that the box came with. Please change it."),
        "please_write": _("Please write your text."),
        "please_write_or_none": _("Please write something, or choose “{none}”."),
        "none_ask": none_ask("{none}", "{word}"),
        "none_ask_plain": none_ask("{none}"),
        "none_yes": _("Yes, submit"),
        "none_yes_key": _("y"),
        "none_no": _("No, I will write something"),
        "whole_texts": _("Show the whole texts"),
        "please_slide": _("Please move the slider to your answer."),
        "link_ended": _("This link has ended. What was not sent yet is kept on this device."),
        "could_not_save": _("Could not save: {why}"),
        "server_cannot_save": _("{why} Your answers are kept on this device and sent by themselves once that is over."),
        "refused_earlier": _("Something is missing in an item that you submitted offline."),
        "no_network": _("The server cannot be reached. Please try again."),
    }


def edit_messages() -> dict[str, str]:
    """Further texts where edits are marked."""
    return {
        "edit_none": _("No edits yet. Select words, then press the letter of what happened to them."),
        "edit_none_sure": _("You have marked no edits. If that is right, submit again."),
        "edit_none_fixed": _("There are no edits to judge in this pair."),
        "edit_count": _("Edits: {n}"),
        "edit_unfinished": _("{n} unfinished"),
        "edit_suggested": _("{n} suggested"),
        "edit_proposed": _("suggested"),
        "edit_accept": _("Accept"),
        "edit_reject": _("Reject"),
        "edit_accepted": _("Accepted: {edit}"),
        "edit_accepted_all": _("Accepted: {n}. Look at each of them; Enter goes to the next."),
        "edit_unseen": _("accepted with the others, not looked at yet"),
        "edit_unseen_count": _("{n} not looked at"),
        "edit_all_done": _("all finished"),
        "edit_selected": _("Selected: {words}"),
        "edit_armed": _("{operation}: now select words in “{text}”."),
        "edit_armed_parts": _("{operation}: the edits that you make now become its parts. Enter when it is complete."),
        "edit_wrong_side": _("{operation} takes words of “{text}”."),
        "edit_made": _("Made: {edit}"),
        "edit_removed": _("Removed: {edit}"),
        "edit_changed": _("Changed: {edit}"),
        "edit_no_words": _("no words marked in “{text}”"),
        "edit_no_parts": _("no parts yet"),
        "edit_done": _("finished"),
        "edit_name": _("{tag} {operation} “{words}”"),
        "edit_name_alone": _("{tag} {operation}"),
        "edit_ended": _("Complete: {edit}"),
        "edit_operation": _("Kind of edit"),
        "edit_change_words": _("Change"),
        "edit_add_piece": _("Add a piece"),
        "edit_drop_piece": _("Leave out “{words}”"),
        "edit_remove": _("Remove"),
        "edit_next": _("Next"),
        "edit_take_in": _("Take in an edit that is there"),
        "edit_take_out": _("Take out"),
        "edit_tap": _("Tap the first and the last word of a change."),
        "edit_to_texts": _("Back to the texts"),
        "edit_more_text": _("The text goes on"),
        "edit_caret": _("{words}"),
        "edit_caret_in": _("{words}, in {edits}"),
    }
