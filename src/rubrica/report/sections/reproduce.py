"""How to reproduce: versions, the commands that make the same figures, and where the signatures are."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version

from rubrica import __version__
from rubrica.report.sections.section import Paragraph, Part, Section, Subject
from rubrica.report.tables import Column, Table

LIBRARIES = ("numpy", "scipy")


def reproduce(subject: Subject, made: Sequence[Section], now: datetime) -> Section:
    """What somebody needs to get the same numbers from the same judgements."""
    used = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    chosen = subject.choices
    parts: list[Part] = [
        Paragraph(
            f"Made on {now:%Y-%m-%d} with Rubrica {__version__}, Python {platform.python_version()}, {used}. "
            f"Intervals rest on {chosen.replicates:,} resamples from the seed {chosen.seed}: the same judgements "
            "give the same digits."
        ),
        Paragraph(_commands(subject), "command"),
        Paragraph(
            "A signature names the protocol by version and hash, the study and stage or the file and its SHA-256, who "
            "was left out, and every choice. signatures.json has the signature of each table and chart and the SHA-256 "
            "of each file of this report."
        ),
    ]
    rows = [(table.title, f"tables/{table.id}.csv", table.signature) for section in made for table in section.tables]
    columns = (Column("table", "Table"), Column("file", "File"), Column("signature", "Signature"))
    return Section(
        "reproduce",
        "How to reproduce",
        tuple(parts),
        (Table("signatures", "Signatures of all tables", columns, tuple(rows)),),
    )


def _commands(subject: Subject) -> str:
    chosen = subject.choices
    if subject.facts is None:
        file = subject.ratings.origin.get("file", "FILE")
        return f"rubrica report {file} … -o DIR --seed {chosen.seed} --bootstrap {chosen.replicates}"
    name, stage = subject.facts.name, subject.facts.stage
    where = f"{name} --stage {stage}"
    numbers = f"--seed {chosen.seed} --bootstrap {chosen.replicates}"
    lines = [
        f"rubrica report {where} -o DIR {numbers}",
        f"rubrica export {name} --format csv -o judgements.csv",
    ]
    if subject.edits is not None:
        lines += [
            f"rubrica edits agree {name} {numbers}",
            f"rubrica edits summary {name} --by system",
            f"rubrica edits score {name}",
        ]
    else:
        lines += [f"rubrica agree {where} {numbers}", f"rubrica check {where}", f"rubrica compare {where} {numbers}"]
    return "\n".join(lines)
