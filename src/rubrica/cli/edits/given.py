"""What commands about edits are given: files of annotated pairs, or a study.

A file of Thresh ends in .json; any other is judgements as `rubrica export` writes them. A name that is a path is a
file; `study:NAME` is always a study.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rubrica.cli.options import choose, find_study, is_study
from rubrica.cli.output import count, say
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.core.protocol import Protocol
    from rubrica.edits.annotated import AnnotatedPair
    from rubrica.edits.typology import Typology
    from rubrica.exchange.annotated_pairs import Judged

Source = Annotated[
    str, typer.Argument(metavar="FILE|STUDY", help="Thresh JSON, an export of judgements, or a study (study:NAME).")
]
Sources = Annotated[
    list[str], typer.Argument(metavar="FILE|STUDY", help="Files (Thresh JSON, exports of judgements), or one study.")
]
StageOption = Annotated[str, typer.Option("--stage", metavar="ID", help="The stage whose edits are read.")]
ProtocolOption = Annotated[
    str, typer.Option("--protocol", metavar="ID|FILE", help="The protocol of an exported file, if not salsa.")
]
TextLang = Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of the texts.")]
Offsets = Annotated[
    str, typer.Option("--offsets", metavar="utf16|codepoints", help="What the offsets of Thresh files count.")
]


class Given(NamedTuple):
    """Annotated pairs of all stages, the types of their edits, and what signs whatever is made of them."""

    pairs: Sequence[AnnotatedPair]
    typology: Typology
    sign: Callable[..., str]

    def stage(self, wanted: str, *, first: bool = False) -> list[AnnotatedPair]:
        """The pairs of one stage: the one wanted, else the last that has any, or the first."""
        stages = list(dict.fromkeys(pair.stage for pair in self.pairs))
        if wanted and wanted not in stages:
            known = ", ".join(stage for stage in stages if stage) or "none: leave --stage out"
            raise wrong(f"nothing was judged at a stage {wanted!r}", "stage", f"Stages: {known}.", value=wanted)
        chosen = wanted or stages[0 if first else -1]
        if not wanted and len(stages) > 1:
            say(f"stage {chosen}, of {', '.join(stages)}; --stage takes another")
        return [pair for pair in self.pairs if pair.stage == chosen]


def read_given(names: Sequence[str], home: Path | None, offsets: str = "utf16", protocol: str = "") -> Given:
    """Read files, or a study. Raises InputError if there is nothing in them.

    ``protocol`` is that of files that were exported from a study of another protocol than `salsa`.
    """
    from rubrica.exchange.thresh.offsets import UNITS

    choose(offsets, list(UNITS), "kind of offsets")
    if _is_study(names):
        if protocol:
            raise wrong("a study has its own protocol", "option", "Leave --protocol out.", value=protocol)
        given = _study(names[0], home)
    else:
        given = _files([Path(name) for name in names], offsets, protocol or "salsa")
    if not given.pairs:
        what = "there are no annotated pairs"
        raise wrong(what, "empty", "Give a file or study in which somebody marked edits.", value=", ".join(names))
    return given


def _is_study(names: Sequence[str]) -> bool:
    studies = [name for name in names if is_study(name)]
    if studies and len(names) > 1:
        what = f"{studies[0]!r} is a study, and there are {len(names)} names"
        raise wrong(what, "sources", "Give several files, or one study.", value=", ".join(names))
    return bool(studies)


def _study(name: str, home: Path | None) -> Given:
    study = find_study(name, home)
    from rubrica.exchange.annotated_pairs import judged_pairs
    from rubrica.store.recording.exports import export_filters, iterate, study_signature
    from rubrica.store.translate import protocol_of

    stages = list(study.stages.select_related("protocol_version"))
    protocol = protocol_of(stages[0])
    if protocol.edits is None:
        what = f"the study {study.name!r} runs {protocol.id!r}, which has no edits"
        raise wrong(what, "protocol", "Give a study of an edit protocol, such as salsa.", value=protocol.id)
    judged = judged_pairs(iterate(study, stages), protocol)
    _say_left_out(judged)

    def sign(stage: str, **parts: object) -> str:
        ran = [row for row in stages if row.key == stage] or stages
        return study_signature(study, ran, protocol, **export_filters(study), **parts)

    return Given(judged.pairs, _typology(protocol), sign)


def _files(paths: Sequence[Path], offsets: str, protocol_name: str) -> Given:
    from rubrica.core.signature import protocol_parts, signature
    from rubrica.exchange.annotated_pairs import judged_pairs, read_thresh_pairs
    from rubrica.exchange.imports import read_records
    from rubrica.protocols.catalog import find

    protocol = find(protocol_name).protocol.resolve({})
    pairs: list[AnnotatedPair] = []
    for path in paths:
        if path.suffix.lower() == ".json":
            pairs += read_thresh_pairs(path, offsets)
        else:
            judged = judged_pairs((record for _, record in read_records(path, protocol)), protocol)
            _say_left_out(judged)
            pairs += judged.pairs
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:12]
    names = "+".join(path.name for path in paths)

    def sign(stage: str, **parts: object) -> str:
        return signature({**protocol_parts(protocol), "file": names, "sha256": digest, "stage": stage, **parts})

    return Given(pairs, _typology(protocol), sign)


def _typology(protocol: Protocol) -> Typology:
    """The types of the protocol; those of SALSA if it has none, as an imported template."""
    from rubrica.edits.typology import Typology
    from rubrica.exchange.annotated_pairs import has_types
    from rubrica.protocols.catalog import load_shipped

    return Typology(protocol if has_types(protocol) else load_shipped("salsa").protocol)


def _say_left_out(judged: Judged) -> None:
    if judged.planted:
        say(f"{count(judged.planted, 'judgement')} of planted items left out")
    if judged.left:
        say(f"{count(judged.left, 'judgement')} that left the item left out")
