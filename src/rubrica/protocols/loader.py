"""YAML to :class:`rubrica.core.protocol.Protocol`: strict, every problem at once, each with its line.

A built-in protocol is a folder (``protocol.yaml``, ``guidelines.<lang>.md``, ``practice.jsonl``,
``practice.<lang>.jsonl``, ``course/*.yaml``); a researcher's own is usually a single file, with `guidelines`,
`practice` and `course` as keys in it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import InputError, wrong
from rubrica.core.protocol import Protocol
from rubrica.engine.limits import limits
from rubrica.protocols import schema
from rubrica.protocols.build import build
from rubrica.protocols.course import course_problems, read_course
from rubrica.protocols.practice import practice_problems, read_practice
from rubrica.protocols.references import check_references
from rubrica.protocols.shape import shape_problems
from rubrica.protocols.yaml_source import Place, Source, read_yaml
from rubrica.protocols.yaml_writer import write_yaml


class Loaded(NamedTuple):
    """A protocol and its canonical form, from which it can be built again."""

    protocol: Protocol
    canonical: str


def load(path: Path) -> Loaded:
    """Read a protocol file, or a folder with one. Raises InputError with every problem found."""
    file = path / "protocol.yaml" if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise wrong("there is no protocol.yaml in this folder", "file", "Name a folder with one.", file=str(path))
    return _loaded(_with_files_beside(file, read_yaml(_read_text(file))), str(file))


def check_text(text: str, file: str) -> Loaded:
    """The same for a protocol that is not in a file yet; ``file`` is named in problems."""
    check_size(len(text.encode(errors="replace")), file)
    return _loaded(read_yaml(text.removeprefix("\ufeff").replace("\r\n", "\n")), file)


def check_size(size: int, file: str) -> None:
    """Raise InputError if a protocol, or what is to become one, has more bytes than are read."""
    bounds = limits()
    if size > bounds.protocol_bytes:
        what = f"this file has {size / 1000:,.1f} kB, at most {bounds.protocol_kilobytes:,} are read"
        raise bounds.beyond("protocol_kilobytes", what, "Shorten it", file=file, value=size)


def _loaded(source: Source, file: str) -> Loaded:
    problems = list(source.problems)
    if isinstance(source.data, dict):
        problems += shape_problems(source)
        problems += [] if source.too_large else check_references(source)
    elif not problems:
        problems.append(source.problem((), "a protocol is a mapping of keys", "shape", "Start with `id: my_protocol`."))
    if not problems:
        loaded = from_data(source.data)
        problems = practice_problems(loaded.protocol, source) + course_problems(loaded.protocol, source)
    if problems:
        placed = [problem.at(file=problem.file or file) for problem in problems]
        raise InputError(*sorted(placed, key=lambda problem: (problem.file, problem.line or 0)))
    return loaded


def from_data(data: dict[str, Any]) -> Loaded:
    """Build from plain data that is known to be valid, for instance the canonical form in the database."""
    file = schema.ProtocolFile.model_validate(data, context={"fallback": data.get("fallback", "en")})
    canonical = canonical_form(file)
    return Loaded(build(file, hash_of(canonical)), canonical)


def canonical_form(file: schema.ProtocolFile) -> str:
    """The same bytes for the same protocol, however its YAML is laid out."""
    data = file.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def as_yaml(canonical: str) -> str:
    """A protocol as one YAML file that loads as the very same: to download, change and give to others."""
    data = json.loads(canonical)
    file = schema.ProtocolFile.model_validate(data, context={"fallback": data.get("fallback", "en")})
    return write_yaml(file.model_dump(mode="json", by_alias=True, exclude_defaults=True))


def hash_of(canonical: str) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical.encode()).hexdigest()


def _with_files_beside(file: Path, source: Source) -> Source:
    """The YAML of a protocol folder with its guidelines and practice items merged in."""
    if file.name != "protocol.yaml" or not isinstance(source.data, dict):
        return source
    data, places, problems = dict(source.data), dict(source.places), list(source.problems)
    guides = sorted(file.parent.glob("guidelines.*.md"))
    practice = sorted(file.parent.glob("practice*.jsonl"), key=lambda one: (one.name != "practice.jsonl", one.name))
    course = sorted((file.parent / "course").glob("*.yaml"))
    found = {"guidelines": guides[:1], "practice": practice[:1], "course": course[:1]}
    for key, beside in found.items():
        if key in data and beside:
            what = f"`{key}` stands here and in {beside[0].relative_to(file.parent)}"
            problems.append(source.problem((key,), what, "contradiction", "Keep one of the two."))
    if guides and "guidelines" not in data:
        data["guidelines"] = {}
        places[("guidelines",)] = Place(1, str(guides[0]))
        for guide in guides:
            language = guide.name.removeprefix("guidelines.").removesuffix(".md")
            data["guidelines"][language] = _read_text(guide)
            places[("guidelines", language)] = Place(1, str(guide))
    if practice and "practice" not in data:
        data["practice"] = []
        places[("practice",)] = Place(1, str(practice[0]))
        for one in practice:
            lines = read_practice(_read_text(one))
            problems += [problem.at(file=str(one)) for problem in lines.problems]
            language = one.name.removeprefix("practice").removesuffix("jsonl").strip(".")
            for number, item in lines.items:
                places[("practice", len(data["practice"]))] = Place(number, str(one))
                told = {"language": language} if language and isinstance(item, dict) else {}
                data["practice"].append({**item, **told} if told else item)
    if course and "course" not in data:
        stages = read_course([(str(stage), _read_text(stage)) for stage in course])
        data["course"] = stages.data
        places |= stages.places
        problems += stages.problems
    return Source(data, places, problems)


def _read_text(path: Path) -> str:
    try:
        check_size(path.stat().st_size, str(path))
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise wrong("this is not UTF-8 text", "encoding", "Save it as UTF-8.", file=str(path), line=line) from error
    except OSError as error:
        raise wrong(
            f"cannot be read: {error.strerror}", "file", "Check the name of the file.", file=str(path)
        ) from error
