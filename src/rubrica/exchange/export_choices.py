"""What is to be exported, as pages, the API and the command ask for it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import attrs

from rubrica.core.errors import wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.core.target_words import context_field
from rubrica.core.verdicts import decides_perfect
from rubrica.exchange.exports import FORMATS, Format


@attrs.frozen(kw_only=True)
class Wanted:
    """The format, one stage or all, the last word or all of them, excluded people or not.

    ``safe_cells``: in a table, no text is taken for a formula (see ``whole_files.py``).
    ``indent``, ``ascii``, ``newline`` and ``offsets`` are for Thresh files; what is not said of them is as in the files
    that the entries came from. The others are for data sets of words (``report.lexical_release``): ``joined`` is the
    study of the other task; ``part`` is the one file of a release that is wanted, none means all of it; ``annotators``
    puts in what people told about themselves, ``same_people`` gives a person one id in both tasks.
    """

    form: str = "jsonl"
    stage: str = ""
    every_revision: bool = False
    excluded: bool = False
    safe_cells: bool = False
    indent: int | None = None
    ascii: bool | None = None
    newline: bool | None = None
    offsets: str = ""
    joined: str = ""
    part: str = ""
    ties: str = "first"
    none_simpler: str = "target"
    trial: int = 0
    strict: bool = False
    unattested: bool = False
    unaggregated: bool = False
    annotators: bool = False
    same_people: bool = False

    @property
    def layout(self) -> dict[str, Any]:
        """How a Thresh file is to be laid out, as far as that is said."""
        said = {"indent": self.indent, "ascii": self.ascii, "newline": self.newline}
        return {name: value for name, value in said.items() if value is not None}

    @property
    def format(self) -> Format:
        """The format. Raises InputError if there is none of that name, or it cannot have what is wanted."""
        if self.form not in FORMATS:
            fix = f"Use one of {', '.join(FORMATS)}."
            raise wrong(f"there is no format {self.form!r}", "format", fix, value=self.form)
        found = FORMATS[self.form]
        if self.safe_cells and not found.cells:
            tables = ", ".join(form for form, format in FORMATS.items() if format.cells)
            fix = f"Leave safe cells out, or use one of {tables}."
            raise wrong(f"{self.form} has no cells that a spreadsheet runs", "safe_cells", fix, value=self.form)
        if found.asks != "words" and (chosen := self.filters):
            fix = "Leave it out, or use one of mlsp, tsar, guideline."
            raise wrong(f"{', '.join(chosen)}: only data sets of words have that", "option", fix, value=self.form)
        if self.form == "thresh" and self.every_revision:
            fix = "Leave out the earlier revisions, or export as edits-jsonl."
            raise wrong("a Thresh file has the last word only", "revisions", fix, value=self.form)
        return found

    @property
    def ending(self) -> str:
        """How the file's name ends: one part of a release is a table, not an archive."""
        return "tsv" if self.form == "mlsp" and self.part not in ("", "archive") else self.format.ending

    @property
    def filters(self) -> dict[str, str]:
        """What a signature says of the choices of a release, where they are not the usual ones."""
        usual = Wanted()
        names = (
            "joined",
            "part",
            "ties",
            "none_simpler",
            "trial",
            "strict",
            "unattested",
            "unaggregated",
            "annotators",
            "same_people",
        )
        return {name: str(value) for name in names if (value := getattr(self, name)) != getattr(usual, name)}

    def check(self, study: str, asked: Container[str], versions: int) -> None:
        """Raise InputError if a study whose stages ask for this, and run so many versions, has no such export."""
        if self.format.asks and self.format.asks not in asked:
            fix = "Use one of jsonl, csv, xlsx, parquet."
            raise wrong(f"{study!r} has no {self.format.asks} to export as {self.form}", "format", fix, value=self.form)
        if versions > 1 and self.format.ending != "jsonl" and self.form != "profiles":
            what = "the stages run different protocols or versions, and a table has the columns of one"
            raise wrong(what, "stage", "Export one stage at a time, or all as jsonl.", value=self.form)

    def file_name(self, study: str, day: str) -> str:
        """What a browser is told to call the file."""
        kind = self.form if self.format.asks else "judgements"
        return f"{study}-{self.stage or kind}-{day}.{self.ending}"


def asked_in(protocols: Sequence[Protocol]) -> set[str]:
    """What protocols ask for that has formats of its own: edits, rewrites, words, ratings that say what is perfect."""
    rewrites = any(isinstance(scale, RewrittenText) for protocol in protocols for scale in protocol.scales.values())
    ratings = any(map(decides_perfect, protocols))
    words = any(map(asks_for_words, protocols))
    found = {
        "words": words,
        "edits": any(protocol.edits for protocol in protocols),
        "rewrites": rewrites,
        "ratings": ratings,
    }
    return {name for name, there in found.items() if there}


def asks_for_words(protocol: Protocol) -> bool:
    """Whether people judge a word in its context, or give simpler ones for it."""
    return bool(context_field(protocol)) and not any(field.role == "rewrite" for field in protocol.fields)


USUAL = Wanted()
"""The last word of everybody who is not excluded."""
