"""Reading raw data of any shape without failing."""

import pytest

from rubrica.protocols.report import Report, entries, ids, listed, mapping, names
from rubrica.protocols.yaml_source import read_yaml

JUNK = [None, 5, "x", [], {}, [1, None, {"id": 3}], {"a": 1}]


@pytest.mark.parametrize("data", JUNK, ids=repr)
def test_accessors_never_fail(data: object) -> None:
    """Whatever stands where a list or mapping was expected, nothing is found there and nothing breaks."""
    assert list(entries({"a": data}, "a", "b")) == []
    assert ids({"a": data}, "a") == []
    assert isinstance(mapping(data), dict)
    assert isinstance(listed(data), list)
    assert all(isinstance(name, str) for name in names(data))


def test_entries_come_with_their_path() -> None:
    """Only mappings in the list count, each at its own index."""
    data = {"a": {"b": [{"id": "x"}, 5, {"id": "y"}]}}
    assert list(entries(data, "a", "b")) == [(("a", "b", 0), {"id": "x"}), (("a", "b", 2), {"id": "y"})]
    assert ids(data, "a", "b") == ["x", "y"]


def test_names_are_one_or_several() -> None:
    """A single name is a list of one; what is no name is left out."""
    assert names("a") == ["a"]
    assert names(["a", 1, None, "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "among", "fix"),
    [
        ("sorce", ["source", "rewrite"], "Did you mean 'source'?"),
        ("zzz", ["source", "rewrite"], "Known: source, rewrite."),
        ("zzz", [], "There is no field at all."),
        ("zzz", [5, None, "source"], "Known: source."),
    ],
)
def test_an_unknown_name_is_noted_with_what_is_known(name: str, among: list[str], fix: str) -> None:
    """The note stands at the line of the name and suggests the nearest."""
    report = Report(read_yaml("a: 1\nb: 2\n"))
    assert not report.known(("b",), name, among, "field")
    assert [(found.line, found.rule, found.fix) for found in report.problems] == [(2, "unknown_field", fix)]


@pytest.mark.parametrize(("name", "known"), [("source", True), (None, False), (5, False), ([], False)])
def test_known_names_and_wrong_types_are_not_noted(name: object, known: bool) -> None:
    """A name that exists is fine, and what is no name is left to the shape."""
    report = Report(read_yaml("a: 1"))
    assert report.known((), name, ["source"], "field") is known
    assert report.problems == []


def test_known_names_are_listed_once() -> None:
    """A name that stands twice among the known ones is told once."""
    report = Report(read_yaml("a: 1"))
    report.known(("a",), "zzz", ["rude", "rude"], "option")
    assert report.problems[0].fix == "Known: rude."
