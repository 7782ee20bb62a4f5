"""The human evaluation datasheet as a section, and as a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rubrica.report.datasheet import general
from rubrica.report.datasheet_criteria import criteria
from rubrica.report.datasheet_questions import GROUPS
from rubrica.report.figures import Figures
from rubrica.report.sections.section import Asked, Heading, Paragraph, Part, Section

if TYPE_CHECKING:
    from rubrica.report.report import Report

ID, TITLE = "datasheet", "Human evaluation datasheet"


def datasheet(figures: Figures, made: Sequence[Section]) -> Section:
    """Every question, answered or marked."""
    asked = general(figures.subject)
    groups = [(title, [one for one in asked if one.id.startswith(f"{key}.")]) for key, title in GROUPS.items()]
    groups[-1:-1] = criteria(figures, made)
    every = [one for _, group in groups for one in group]
    missing = sum(bool(one.missing) for one in every)
    parts: list[Part] = [
        Paragraph(
            "The questions are those of HEDS, the Human Evaluation Datasheet (Shimorina and Belz, 2022; version 3.0 by "
            f"Belz and Thomson, 2024), in our words. Of {len(every)} questions, {len(every) - missing} are answered "
            f"from the study; to the other {missing} the researcher must add something, which is marked."
        )
    ]
    for title, group in groups:
        parts += [Heading(title), *group]
    return Section(ID, TITLE, tuple(parts))


def as_markdown(report: Report) -> str:
    """The datasheet as a file of its own, to be completed and handed in with a paper."""
    lines = [f"# {TITLE}: {report.title}", ""]
    for part in report.section(ID).parts:
        match part:
            case Paragraph(text):
                lines += [text, ""]
            case Heading(text):
                lines += [f"## {text}", ""]
            case Asked():
                lines += [f"**{part.id} {part.question}**", ""]
                lines += [part.answer, ""] if part.answer else []
                lines += [f"> **To be added by the researcher:** {part.missing}", ""] if part.missing else []
    return "\n".join([*lines, f"`{report.origin}`", ""])
