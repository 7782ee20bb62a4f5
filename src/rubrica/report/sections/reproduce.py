"""How to reproduce: versions, the commands that make the same figures, and where the signatures are."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Collection, Sequence
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
        Paragraph(_commands(subject, {table.id for section in made for table in section.tables}), "command"),
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


def _commands(subject: Subject, tables: Collection[str]) -> str:
    """What makes the report again, and single parts of it; parts that the report does not have are left out."""
    chosen = subject.choices
    if subject.facts is None:
        file = subject.ratings.origin.get("file", "FILE")
        return f"rubrica report {file} … -o DIR --seed {chosen.seed} --bootstrap {chosen.replicates}"
    name, dataset = subject.facts.name, str(subject.ratings.origin.get("dataset") or "")
    where = f"{name} --stage {subject.facts.stage}"
    where += f" --dataset {shlex.quote(dataset)}" if dataset else ""
    where += " --exclude …" if _left_out(subject) else ""
    numbers = f"--seed {chosen.seed} --bootstrap {chosen.replicates}"
    human = "".join(f" --human {shlex.quote(name)}" for name in chosen.human)
    lines = [
        f"rubrica report {where} -o DIR {numbers} --disputed {chosen.disputed}{human}",
        f"rubrica export {name} --format csv -o judgements.csv",
    ]
    if subject.edits is not None:
        lines += [
            f"rubrica edits agree {name} {numbers}",
            f"rubrica edits summary {name} --by system",
            f"rubrica edits score {name}",
        ]
    else:
        lines += [f"rubrica agree {where} {numbers}"] if "agreement" in tables else []
        lines += [f"rubrica check {where}"]
        lines += [f"rubrica compare {where} {numbers}"] if "comparison" in tables else []
        lines += [f"rubrica correlate --ratings {where}{human} {numbers}"] if "correlations" in tables else []
        expert = subject.experts.origin if subject.experts else ""
        asked = f"rubrica reliability {where} --expert {expert.replace('+', ' --expert ')} --seed {chosen.seed}"
        lines += [asked] if "reliability" in tables else []
    return "\n".join(lines)


def _left_out(subject: Subject) -> bool:
    """Whether somebody was left out for this report alone: who it was is not said in it."""
    known = {person.alias for person in subject.facts.people if person.excluded} if subject.facts else set()
    return any(rater.excluded and name not in known for name, rater in subject.ratings.raters.items())
