"""Protocols that are made to break their reader: refused in bounded time, with at most a hundred problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.engine.own_process import in_own_process
from rubrica.exchange.thresh.template import read_template
from rubrica.protocols.loader import check_text, load
from rubrica.protocols.translations import _without_code
from rubrica.protocols.yaml_source import MAX_ENTRIES
from tests import hostile

pytestmark = pytest.mark.own_process


def refused(text: str) -> list[Problem]:
    """The problems of a protocol, read in a process that is ended if it takes longer than a linear check ever does.

    It is read to its end or refused before, and never by the limit on time or memory.
    """
    with pytest.raises(InputError) as caught:
        in_own_process(check_text, "mine.yaml", text, "mine.yaml")
    found = list(caught.value.problems)
    assert 0 < len(found) <= 100
    for problem in found:
        assert problem.file == "mine.yaml"
        assert problem.rule not in ("time", "memory", "unreadable")
        assert problem.fix
        assert len(problem.what) + len(problem.fix) < 5_000
    return found


@pytest.mark.parametrize("name", [name for name in hostile.PROTOCOLS if name != "unknown keys"])
def test_what_is_made_to_break_is_refused(name: str) -> None:
    """Each with some problems, which are bounded; unknown keys are below."""
    assert refused(hostile.PROTOCOLS[name]())


def test_unknown_keys_are_named_as_far_as_they_are_listed() -> None:
    """Of sixty thousand unknown keys the first are told, each at its line with what is known, and how many more."""
    size, *found, more = refused(hostile.unknown_keys())
    unknown = [problem for problem in found if problem.rule == "unknown_key"]
    assert (size.rule, size.value) == ("size", 60_001)
    assert [problem.line for problem in unknown] == list(range(2, 2 + len(unknown)))
    assert "unknown key 'key0'" in unknown[0].what
    assert more.rule == "more_problems"
    # 60,000 unknown keys, ten that are missing (version to guidelines), and the size; of these 99 are listed.
    assert more.value + 99 == 60_000 + 10 + 1


def test_a_list_of_a_protocol_may_be_long_but_not_endless() -> None:
    """A thousand entries are compared with each other; one more is refused at the line where the list begins."""
    options = ", ".join(f"{{id: o{number}, label: l{number}}}" for number in range(MAX_ENTRIES + 1))
    found = refused(f"id: mine\nscales:\n  s:\n    type: choice\n    options: [{options}]\n")
    (size,) = [problem for problem in found if problem.rule == "size"]
    assert (size.line, size.value) == (5, MAX_ENTRIES + 1)


def test_a_protocol_of_a_megabyte_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the file is looked at first, with its setting; for a text that is no file yet, too."""
    path = tmp_path / "long.yaml"
    path.write_text("id: mine\n#" + "x" * 1_000_000, encoding="utf-8")
    for read in (lambda: load(path), lambda: check_text(path.read_text(), "long.yaml")):
        with pytest.raises(InputError) as caught:
            read()
        (problem,) = caught.value.problems
        assert problem.rule == "size"
        assert "RUBRICA_MAX_PROTOCOL_KB" in problem.fix
    monkeypatch.setenv("RUBRICA_MAX_PROTOCOL_KB", "1001")
    with pytest.raises(InputError) as caught:
        load(path)
    assert "missing_key" in {problem.rule for problem in caught.value.problems}


def test_a_template_without_end_is_refused() -> None:
    """A Thresh template has the same bounds, and its remarks are as many as can be listed."""
    with pytest.raises(InputError) as caught:
        read_template(hostile.unknown_keys(), "template.yml")
    assert {problem.rule for problem in caught.value.problems} == {"size"}
    keys = "".join(f"key{number}: 1\n" for number in range(900))
    remarks = read_template(f"template_name: t\nedits:\n  - name: a\n    enable_input: true\n{keys}", "t.yml").remarks
    assert (len(remarks.problems), remarks.more) == (100, 800)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("a `b` c ``d ` e`` f ` g", "a  c  f ` g"),
        ("`{x}` and {y}", " and {y}"),
        ("no code", "no code"),
        ("``a`` b ``c``", " b "),
        ("`" * 200_000 + "a", "`" * 200_000 + "a"),
    ],
)
def test_code_in_guidelines_is_found_by_its_backticks(text: str, without: str) -> None:
    """As many backticks as opened it close it; a text of nothing else takes no time."""
    assert _without_code(text) == without
