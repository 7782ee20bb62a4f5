"""YAML as a stranger may send it: nothing means something else than it says, and everything has its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.protocols.yaml_source import MAX_DEPTH, BooleanWord, Place, read_yaml


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("Yes", "Yes"), ("y", "y"), ("N", "N"),
        ("true", True), ("False", False), ("TRUE", True), ("~", None), ("null", None), ("", None),
        ("1", 1), ("-3", -3), ("+3", 3), ("007", 7), ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("1.", 1.0),
        ("0x1F", "0x1F"), ("0o7", "0o7"), ("1_000", "1_000"), (".inf", ".inf"), (".nan", ".nan"), ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"), ("=", "="), ("'yes'", "yes"), ('"1"', "1"), ('"true"', "true"), ("|-\n  1", "1"),
        (">-\n  a\n  b", "a b"), ("a # comment", "a"), ("a#b", "a#b"), ("é😀", "é😀"), ("[How?, b]", ["How?", "b"]),
    ],
)  # fmt: skip
def test_scalars_follow_yaml_12(written: str, meant: object) -> None:
    """Words are words, numbers are decimal, and what is quoted is text."""
    source = read_yaml(f"key: {written}\n")
    assert source.problems == []
    assert source.data == {"key": meant}
    assert type(source.data["key"]) in (type(meant), BooleanWord)


@pytest.mark.parametrize("word", ["yes", "No", "ON", "off", "y", "n"])
def test_boolean_words_are_marked(word: str) -> None:
    """An unquoted word that other tools read as a boolean is a text that remembers it; quoted it is not."""
    assert isinstance(read_yaml(f"a: {word}").data["a"], BooleanWord)
    assert type(read_yaml(f"a: '{word}'").data["a"]) is str


def test_every_part_has_its_line() -> None:
    """Keys have the line of the key, list entries their own, and parts unknown to the file the nearest around them."""
    source = read_yaml("a: 1\nb:\n  - x\n  - c:\n      d: |\n        text\n        more\n  - {e: 1,\n     f: 2}\n")
    lines = {(): 1, ("a",): 1, ("b",): 2, ("b", 0): 3, ("b", 1, "c"): 4, ("b", 1, "c", "d"): 5}
    lines |= {("b", 2, "e"): 8, ("b", 2, "f"): 9, ("b", 2, "missing"): 8, ("zzz",): 1}
    assert {path: source.place(path) for path in lines} == {path: Place(line) for path, line in lines.items()}


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "duplicate_key"),
        ("a: 1\nb: {c: 1, 'c': 2}\n", 2, "duplicate_key"),
        ("a: 1\nb: !!str 5\n", 2, "tag"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]\n", 2, "tag"),
        ("a: 1\nb: !mine {x: 1}\n", 2, "tag"),
        ("a: 1\nb: ! x\n", 2, "tag"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", 3, "merge"),
        ("a: 1\n? [b]\n: c\n", 2, "key"),
        ('a: 1\nb: "x\\0y"\n', 2, "character"),
        ('a: 1\nb: "\\ud800"\n', 2, "character"),
        ("a: 1\nb: 1e999\n", 2, "number"),
        (f"a: 1\nb: {'9' * 5000}\n", 2, "number"),
        (f"a: 1\nb: -{'9' * 16}\n", 2, "number"),
    ],
)
def test_tricks_are_refused(text: str, line: int, rule: str) -> None:
    """Duplicate keys, tags, merge keys, keys that are lists and texts that cannot be stored are refused by line."""
    source = read_yaml(text)
    assert [(problem.line, problem.rule) for problem in source.problems] == [(line, rule)]
    assert source.data is not None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [1,\n", 3),
        ("a: 1\nb: 'never closed\nc: 2\nd: 3\n", 2),
        ("a: 1\n b: 2\n", 2),
        ("a: 1\nb: c: d\n", 2),
        ("a: 1\nb: @x\n", 2),
        ("a: 1\n\tb: 2\n", 2),
        ("a: 1\nb: *nobody\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: 1\nb: x\x01y\n", 2),
        ("a: 1\nb: x\0y\n", 2),
    ],
)
def test_what_is_not_yaml_is_reported_by_line(text: str, line: int) -> None:
    """A syntax error ends the reading with one problem, at the line to look at."""
    source = read_yaml(text)
    assert source.data is None
    assert [(problem.line, problem.rule) for problem in source.problems] == [(line, "yaml")]


def bomb(depth: int) -> str:
    """Lists of nine aliases of lists of nine aliases."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, depth)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        bomb(10),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a: &a [*a, *a, *a]",
        "[" * 200 + "]" * 200,
        "[" * 100_000,
        "- " * 100_000 + "x",
        "{a: " * 5000,
        "a: [" + "x, " * 250_000 + "x]",
    ],
    ids=lambda text: text[:20],
)
def test_large_and_deep_files_are_refused(text: str) -> None:
    """Aliases that multiply or refer to themselves, deep nesting and sheer size get one message and no crash."""
    source = read_yaml(text)
    assert source.data is None
    assert [problem.rule for problem in source.problems] in (["size"], ["yaml"])


def test_small_aliases_are_fine() -> None:
    """An alias is a short way to write the same thing again."""
    assert read_yaml(bomb(3)).problems == []
    assert read_yaml("a: &x {b: 1}\nc: *x\n").data == {"a": {"b": 1}, "c": {"b": 1}}


def test_nesting_is_allowed_up_to_the_limit() -> None:
    """The deepest allowed nesting is read, one more is not."""
    assert read_yaml("[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH).problems == []
    assert read_yaml("[" * (MAX_DEPTH + 1) + "x" + "]" * (MAX_DEPTH + 1)).problems != []


@pytest.mark.parametrize(
    "text", ["a: 1\r\nb: |\r\n  x\r\n  y\r\n", "\ufeffa: 1\nb: |\n  x\n  y\n", "# c\na: 1\nb: |\n  x\n  y"]
)
def test_line_ends_and_marks_do_not_matter(text: str) -> None:
    """Windows line ends, a byte order mark and comments change nothing."""
    source = read_yaml(text)
    assert source.problems == []
    assert source.data["a"] == 1
    assert source.data["b"].split() == ["x", "y"]


@given(st.text(st.sampled_from(list("ab:-[]{}&*!|>'\"%@`#?, \n\t0.1~<")), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever the text, there is data or a problem with a line inside it."""
    source = read_yaml(text)
    assert all(1 <= (problem.line or 0) <= text.count("\n") + 2 for problem in source.problems)
