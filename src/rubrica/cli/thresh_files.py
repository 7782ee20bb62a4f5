"""Thresh data files on the command line: how one is written, and what is said of one that was read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubrica.cli.options import choose, input_file, now
from rubrica.cli.output import count, print_json, say
from rubrica.cli.saved import saved_text, say_beyond_overlap
from rubrica.core.errors import Problem, wrong

if TYPE_CHECKING:
    from rubrica.store.models import Study

SHOWN = 3
"""Flags of one kind that are shown one by one."""


def layout_options(form: str, indent: str, ascii_: bool | None, newline: bool | None, offsets: str) -> dict[str, Any]:
    """The options of a Thresh file, checked."""
    from rubrica.exchange.thresh.json_layout import COMPACT, SPACED

    given = {"--indent": indent, "--ascii": ascii_, "--newline": newline, "--offsets": offsets}
    stray = [option for option, value in given.items() if value not in ("", None)]
    if stray and form != "thresh":
        fix = "Leave it out, or use --format thresh."
        raise wrong(f"{stray[0]} says how a Thresh file is written", "option", fix, value=form)
    if offsets:
        choose(offsets, ["utf16", "codepoints"], "way to count offsets")
    words = {"none": COMPACT, "spaced": SPACED}
    if indent and indent not in words and not (indent.isascii() and indent.isdigit() and int(indent) <= 16):
        raise wrong(f"--indent {indent!r}", "option", "Use a number of spaces, none or spaced.", value=indent)
    wide = words.get(indent, int(indent) if indent.isdigit() else None)
    return {"indent": wide, "ascii": ascii_, "newline": newline, "offsets": offsets}


def import_thresh(study: Study, file: Path, choices: dict[str, Any], offsets: str, json: bool) -> None:
    """Import a Thresh file, and say what it held and what is odd about it."""
    from rubrica.exchange.thresh.files import read_file
    from rubrica.exchange.thresh.matching import Choices
    from rubrica.store.recording.exports import study_signature
    from rubrica.store.thresh.thresh_import import import_entries, stage_for, suggesting_stage
    from rubrica.store.translate import protocol_of

    offsets = choose(offsets or "utf16", ["utf16", "codepoints"], "way to count offsets")
    with input_file(file, ".json") as source:
        assert source is not None
        done = import_entries(study, read_file(source), Choices(**choices, offsets=offsets), now())
    for remark in done.remarks:
        say(f"{file}: {remark}")
    _say_flags([flag.at(file=str(file)) for flag in done.flags])
    say_beyond_overlap(study)
    if json:
        stage = (suggesting_stage if choices["suggest"] else stage_for)(study, choices["stage"])
        print_json(
            {
                "read": done.saved._asdict(),
                "items": done.items,
                "unannotated": done.unannotated,
                **({"suggested": done.suggested} if choices["suggest"] else {}),
                "flags": [flag.at(file=str(file)).as_json() for flag in done.flags],
                "signature": study_signature(study, [stage], protocol_of(stage)),
            }
        )
        return
    without = f", {count(done.unannotated, 'entry', 'entries')} without annotation" if done.unannotated else ""
    read = count(done.suggested, "suggestion") if choices["suggest"] else saved_text(done.saved)
    print(f"{read}{without}; {count(done.items, 'new item')}")


def _say_flags(flags: list[Problem]) -> None:
    """What was kept but is odd: each kind with how often it occurs and its first places."""
    kinds = Counter((flag.rule, flag.question) for flag in flags)
    for (rule, question), times in kinds.most_common():
        found = [flag for flag in flags if (flag.rule, flag.question) == (rule, question)]
        about = f" ({question})" if question else ""
        say(f"kept and flagged: {times} x {rule}{about}")
        for flag in found[:SHOWN]:
            say(f"  {flag.place}: {flag.what}")
