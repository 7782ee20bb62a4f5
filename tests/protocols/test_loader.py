"""Loading: every mistake at once, a hash over content only, and no file that breaks the checks."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rubrica.core.errors import InputError
from rubrica.protocols.catalog import FOLDER, load_shipped, shipped
from rubrica.protocols.loader import canonical_form, from_data, hash_of, load
from rubrica.protocols.schema import ProtocolFile
from rubrica.protocols.yaml_source import read_yaml
from tests.length import either
from tests.protocols.sample import SAMPLE, Mistake, line_of, load_text, problems_of, spoil

HASH = load_text(SAMPLE).protocol.hash
DATA = read_yaml(SAMPLE).data

TEN = [
    Mistake("audience: readers", "audiense: readers", "unknown_key"),
    Mistake(
        "{value: 3, label: High}", "{value: 3, label: High}\n      - {value: 3, label: Again}", "duplicate_id", "Again"
    ),
    Mistake("step: 0.5}", "step: 0.4}", "range"),
    Mistake("{id: effort, scale: half,", "{id: effort, scale: halves,", "unknown_scale"),
    Mistake("preset: {quality: 3}", "preset: {quality: 4}", "scale"),
    Mistake("    question: comment\n", "    question: coment\n", "unknown_question", "question: coment"),
    Mistake("{id: skip,", "{id: off,", "value"),
    Mistake("{reader}?", "{readers}?", "unknown_parameter"),
    Mistake("items_from: mark", "items_from: rate", "unknown_earlier_stage"),
    Mistake("    side: error", "    side: bad", "type"),
]


def test_ten_mistakes_get_ten_messages() -> None:
    """A file with ten different mistakes gets exactly ten messages, in order, each with its line and rule."""
    text = spoil(SAMPLE, *TEN)
    expected = sorted((line_of(text, mistake.at or mistake.new), mistake.rule) for mistake in TEN)
    found = problems_of(text)
    assert [(problem.line, problem.rule) for problem in found] == expected
    assert len({problem.rule for problem in found}) == 10


def test_messages_begin_with_file_and_line(tmp_path: Path) -> None:
    """Each problem reads FILE:LINE: message."""
    file = tmp_path / "mine.yaml"
    file.write_text(spoil(SAMPLE, *TEN), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(file)
    lines = str(caught.value).splitlines()
    assert len(lines) == 10
    assert all(
        line.startswith(f"{file}:{problem.line}: ") for line, problem in zip(lines, caught.value.problems, strict=True)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("title: Sample", "title:    Sample   # a comment"),
        ("title: Sample", "\n\n# a comment\ntitle: Sample\n\n"),
        ("title: Sample", "title: {en: Sample}"),
        ("title: Sample", "title:\n  en: Sample"),
        ("title: Sample", 'title: "Sample"'),
        ("title: Sample", "'title': 'Sample'"),
        ("title: Sample", "title: >-\n  Sample"),
        ('id: sample\nversion: "1.0"\n', "version: '1.0'\nid: sample\n"),
        ("      you: How good is it for you?", "      you: {en: How good is it for you?}"),
        ("    default: a child", "    default: {en: a child}"),
        ("{id: effort,", "{required: true, id: effort,"),
        ("languages: [en]", "languages: [en]\nfallback: en"),
        ("languages: [en]", "languages:\n  - en"),
        ("is: yes}\n    text", 'is: "yes"}\n    text'),
        ("family: testing", "family: testing\npartly_translated: []"),
    ],
)
def test_layout_does_not_change_the_hash(old: str, new: str) -> None:
    """White space, comments, quotes, order of keys, defaults and the short form of a text are not content."""
    assert load_text(SAMPLE.replace(old, new, 1)).protocol.hash == HASH


@pytest.mark.parametrize(
    "text", [SAMPLE.replace("\n", "\r\n"), "\ufeff" + SAMPLE, SAMPLE.rstrip(), SAMPLE + "\n\n# end\n"]
)
def test_line_ends_do_not_change_the_hash(text: str) -> None:
    """The same file saved on another system is the same protocol."""
    assert load_text(text).protocol.hash == HASH


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_order_of_keys_does_not_change_the_hash(rng: random.Random) -> None:
    """However the keys of every mapping are shuffled, the protocol is the same."""
    assert load_text(json.dumps(shuffled(DATA, rng))).protocol.hash == HASH


def shuffled(data: Any, rng: random.Random) -> Any:
    """The same data with the keys of all mappings in another order."""
    if isinstance(data, dict):
        keys = list(data)
        rng.shuffle(keys)
        return {key: shuffled(data[key], rng) for key in keys}
    return [shuffled(part, rng) for part in data] if isinstance(data, list) else data


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the single values stand."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from leaves(part, (*path, key))
    if not isinstance(data, dict | list):
        yield path


def with_part(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of the data with another value at that place."""
    changed = copy.deepcopy(data)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def test_any_content_changes_the_hash() -> None:
    """Every single value of the file, changed to another valid one, gives another canonical form."""
    original = json.loads(load_text(SAMPLE).canonical)
    same, tried = canonical_form(ProtocolFile.model_validate(original)), 0
    for path in leaves(original):
        value = original
        for key in path:
            value = value[key]
        other = not value if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else f"{value}x"
        try:
            changed = canonical_form(ProtocolFile.model_validate(with_part(original, path, other)))
        except ValidationError:
            continue
        tried += 1
        assert changed != same, path
    assert tried > 150


def test_the_order_of_lists_is_content() -> None:
    """Asking the same questions in another order is another protocol."""
    assert load_text(spoil(SAMPLE, Mistake("aliases: [output]", "aliases: [output, b]", ""))).protocol.hash != HASH
    moved = SAMPLE.replace('  - {id: concern, scale: yes_no, prompt: "Any concern?"}\n', "")
    moved = moved.replace(
        "questions:\n  - id: quality",
        'questions:\n  - {id: concern, scale: yes_no, prompt: "Any concern?"}\n  - id: quality',
    )
    assert load_text(moved).protocol.hash != HASH


@pytest.mark.parametrize("protocol_id", shipped())
def test_the_canonical_form_builds_the_same_protocol(protocol_id: str) -> None:
    """What the database keeps gives back the same protocol, hash and canonical form."""
    loaded = load_shipped(protocol_id)
    again = from_data(json.loads(loaded.canonical))
    assert again.canonical == loaded.canonical
    assert again.protocol == loaded.protocol
    assert hash_of(loaded.canonical) == loaded.protocol.hash
    assert len(loaded.protocol.hash) == 64


def copy_of(protocol_id: str, folder: Path) -> Path:
    """A shipped protocol in a folder of its own, to be spoilt."""
    for file in (FOLDER / protocol_id).iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    return folder


def test_a_folder_is_read_with_its_files(tmp_path: Path) -> None:
    """Guidelines and practice items beside the YAML belong to the protocol, whatever their line ends."""
    folder = copy_of("breve", tmp_path)
    assert load(folder).protocol.hash == load_shipped("breve").protocol.hash
    for file in folder.glob("*.*"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert load(folder).protocol.hash == load_shipped("breve").protocol.hash
    (folder / "guidelines.es.md").write_text("# Otra guía\n", encoding="utf-8")
    assert load(folder).protocol.hash != load_shipped("breve").protocol.hash


@pytest.mark.parametrize(
    ("name", "content", "rule"),
    [
        ("guidelines.es.md", b" \n", "text"),
        ("guidelines.es.md", b"\xff\xfe", "encoding"),
        ("guidelines.fr.md", b"# Guide\n", "language"),
        ("guidelines.es.old.md", b"# Guide\n", "text"),
    ],
)
def test_problems_of_guidelines_name_their_file(tmp_path: Path, name: str, content: bytes, rule: str) -> None:
    """A blank, unreadable or unexpected file of guidelines is reported by its own name."""
    folder = copy_of("breve", tmp_path)
    (folder / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(folder)
    assert [(problem.file, problem.rule) for problem in caught.value.problems] == [(str(folder / name), rule)]


def test_guidelines_stand_in_one_place(tmp_path: Path) -> None:
    """Guidelines both in the YAML and beside it are a contradiction."""
    (tmp_path / "protocol.yaml").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "guidelines.en.md").write_text("# Guide", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert [problem.rule for problem in caught.value.problems] == ["contradiction"]


@pytest.mark.parametrize(
    ("content", "rule", "line"), [(b"id: a\ntitle: caf\xe9\n", "encoding", 2), ("a: 1".encode("utf-16"), "encoding", 1)]
)
def test_another_encoding_is_named(tmp_path: Path, content: bytes, rule: str, line: int) -> None:
    """A file that is not UTF-8 is refused with the line of the first bad byte."""
    file = tmp_path / "a.yaml"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(file)
    assert [(problem.rule, problem.line) for problem in caught.value.problems] == [(rule, line)]


@pytest.mark.parametrize("name", ["missing.yaml", "."])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    """A file that is not there, or a folder without a protocol, is an input error with the name."""
    with pytest.raises(InputError) as caught:
        load(tmp_path / name)
    assert caught.value.problems[0].rule == "file"


PARTS = st.sampled_from(
    [
        None, 0, -1, 2, 10**14, 1.5, 1e300, True, False, "", " ", "x", "yes", "en", "quality", "change", "source",
        "mark", "{nobody}", "a\0b", [], {}, [None], [1], ["quality"], [[]], [{}], [["a"]], {"a": None}, {"en": "x"},
        {"en": 5}, {"question": "quality"}, {"question": ["x"], "is": {}}, {"field": 5, "same_as": {}}, {"all": []},
        {"not": []}, {"wording_by": "wording"}, {"wording_by": ["x"], "you": 3}, {"type": "choice"},
        {"type": ["slider"]},
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    ["zzz", "id", "when", "is", "type", "wording_by", "en", "preset", "default", "options", "asks", "stage", "1", "not"]
)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in the data but the whole."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, part in parts for place in ((*path, key), *places(part, (*path, key)))]


@st.composite
def broken(draw: st.DrawFn) -> Any:
    """The sample with some parts replaced, removed or added."""
    data = copy.deepcopy(DATA)
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(places(data)))
        around = data
        for key in path[:-1]:
            around = around[key]
        part = around[path[-1]]
        match draw(st.sampled_from(["replace", "remove", "add"])):
            case "remove":
                del around[path[-1]]
            case "add" if isinstance(part, dict):
                part[draw(KEYS)] = copy.deepcopy(draw(PARTS))
            case "add" if isinstance(part, list):
                part.append(copy.deepcopy(draw(PARTS)))
            case _:
                around[path[-1]] = copy.deepcopy(draw(PARTS))
    return data


@given(broken())
@settings(max_examples=either(100, 400), deadline=None)
def test_no_shape_breaks_the_checks(data: Any) -> None:
    """However the data is mangled, it loads or is refused with problems that have a line and a fix; nothing else."""
    for problem in problems_of(json.dumps(data)):
        assert problem.line == 1
        assert problem.what
        assert problem.fix


@pytest.mark.parametrize("key", ["5", "true", "~", "1.5", "yes", '""'])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("id: sample", "id: sample\nKEY: x"),
        ("  words: {type: text}", "  words: {type: text}\n  KEY: {type: text}"),
        ("preset: {quality: 3}", "preset: {quality: 3, KEY: 3}"),
        ("families: {form: Form}", "families: {form: Form, KEY: Form}"),
        ("title: Sample", "title: {en: Sample, KEY: Sample}"),
    ],
)
def test_odd_keys_are_refused(old: str, new: str, key: str) -> None:
    """A key that is a number, a boolean or nothing breaks no check and is refused like any unknown key."""
    found = problems_of(spoil(SAMPLE, Mistake(old, new.replace("KEY", key), "")))
    assert found
    assert {problem.rule for problem in found} <= {
        "unknown_key",
        "value",
        "text",
        "type",
        "unknown_question",
        "language",
    }


def test_a_folder_without_a_protocol_says_so(tmp_path: Path) -> None:
    """A folder that holds no protocol.yaml is refused by that name."""
    with pytest.raises(InputError, match=r"there is no protocol\.yaml in this folder"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("audience: readers", "audience: ' readers  '"),
        ("title: Sample", "title: {en: 'Sample '}"),
        ("guidelines: Read everything first.", 'guidelines: "Read everything first.  \\n"'),
        ("      you: How good is it for you?", "      you: ' How good is it for you?'"),
        ("maximum: 5, step: 0.5", "maximum: 5.0, step: 0.50"),
    ],
)
def test_white_space_and_number_style_do_not_change_the_hash(old: str, new: str) -> None:
    """White space around texts and the point of a whole number say nothing."""
    assert load_text(spoil(SAMPLE, Mistake(old, new, ""))).protocol.hash == load_text(SAMPLE).protocol.hash


def test_ends_of_guideline_lines_do_not_change_the_hash() -> None:
    """White space at the end of a line within the guidelines says nothing; a step of 5 is one of 5.0."""
    first, second = (
        spoil(SAMPLE, Mistake("guidelines: Read everything first.", f'guidelines: "One.{end}\\nTwo."', ""))
        for end in ("", "  ")
    )
    assert load_text(first).protocol.hash == load_text(second).protocol.hash
    whole, point = (spoil(SAMPLE, Mistake("step: 0.5}", f"step: {step}}}", "")) for step in ("5", "5.0"))
    assert load_text(whole).canonical == load_text(point).canonical
