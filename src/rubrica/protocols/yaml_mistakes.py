"""What is probably wrong where YAML cannot be read, in the words of somebody who has never heard of block mappings.

The parser says what it did not expect. People need the cause: a colon in a text without quotes, a tab, a sign with a
meaning of its own. The cause is told from the line (and the one before it), with the line as it should be.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rubrica.core.text_helpers import shortened

LONGEST = 60
"""Characters of a line that are repeated in the fix."""
_ENTRY = re.compile(r"(?P<start>\s*(?:-\s+)*(?!-\s)(?P<key>[^\s:#\"'{\[,][^:]*?):\s+)(?P<value>\S.*)$")
_FLOW = re.compile(r"[{,]\s*(?P<key>\w+):\s+(?P<value>[^\"'{\[][^,}]*?:\s[^,}]*)")
_NO_SPACE = re.compile(r"\s*(?:-\s+)*(?P<key>[A-Za-z_]\w*):(?P<value>[^\s/:].*)$")
_SIGNS = {"@": "", "`": "", "%": "", "*": " (it repeats something named with &)", "&": " (it names what follows)"}
_CURLY = "“”„«‘’‹"


class Cause(NamedTuple):
    """What is wrong, what to do, and on which line (from 1) if that is not the one where the parser stopped."""

    what: str
    fix: str
    line: int = 0


def cause(text: str, line: int, said: str, opened: int = 0) -> Cause:
    """Why the parser stopped at this line (from 1) and said this; ``opened`` is where what it read there began."""
    lines = text.split("\n")
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    before = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip()), 0)
    return (
        _invisible(here)
        or _unclosed(lines, line, said, opened)
        or _sign_within(here, said)
        or _closed_below(lines, line, said)
        or _value(here)
        or _missing_space(here, line)
        or (_missing_space(lines[before - 1], before) if before else None)
        or _colon(here)
        or _no_colon(lines, line, before, said)
        or _indentation(lines, line, before, said)
        or _other(said)
    )


def _quoted(start: str, value: str) -> str:
    """How to write an entry so that all of it is text: as an example, in the words of a fix."""
    plain = value.strip().strip(_CURLY + "\"'")
    quoted = f'"{plain}"' if '"' not in plain else "'" + plain.replace("'", "''") + "'"
    return f"Put the text in quotes: `{shortened((start.strip() + ' ' + quoted).strip(), LONGEST)}`."


def _invisible(here: str) -> Cause | None:
    indent = here[: len(here) - len(here.lstrip())]
    if "\t" in indent:
        return Cause("a tab stands at the beginning of this line", "Indent with spaces, two for each level.")
    if indent.strip(" "):
        return Cause("a no-break space stands at the beginning of this line", "Type plain spaces in its place.")
    return None


def _unclosed(lines: list[str], line: int, said: str, opened: int) -> Cause | None:
    if "end of stream" in said:
        begun = opened or line
        sign = "'" if lines[begun - 1].count("'") % 2 and '"' not in lines[begun - 1] else '"'
        return Cause(f"the quote {sign} that begins here is never closed", f"Close it with {sign}.", begun)
    closing = re.search(r"expected ',' or '([\]}])'", said)
    if not closing:
        return None
    flow = _FLOW.search(lines[line - 1])
    if flow:
        return _colon_in(f"{flow['key']}: ", flow["value"])
    sign = "[" if closing[1] == "]" else "{"
    what = f"the {sign} on line {opened or line} is not closed before the next key"
    return Cause(what, f"Close it with {closing[1]}, or put the text in quotes if {sign} belongs to it.", opened)


def _sign_within(here: str, said: str) -> Cause | None:
    """A sign that no text can begin with, within { } or [ ]."""
    found = re.search(r"[{\[,]\s*(?P<start>[\w-]+:\s+|)(?P<value>[@`%][^,}\]]*)", here)
    if "cannot start any token" not in said or not found:
        return None
    start, value = found["start"], found["value"].rstrip()
    return Cause(f"a text cannot begin with {value[0]} unless it is quoted", _quoted(start, value))


def _closed_below(lines: list[str], line: int, said: str) -> Cause | None:
    """A quote that is forgotten where a text ends is closed by the next one, lines below: the parser stops there."""
    if "expected" not in said:
        return None
    for number in range(line - 1, 0, -1):
        entry = _ENTRY.match(lines[number - 1])
        sign = entry["value"][0] if entry else ""
        between = "\n".join(lines[number : line - 1])
        if sign in ("'", '"') and entry and sign not in entry["value"][1:] and sign not in between:
            what = f"the quote {sign} that begins here is closed only by the next {sign}, on line {line}"
            return Cause(what, f"Close it with {sign} on this line.", number)
        if sign and sign in between:
            return None
    return None


def _value(here: str) -> Cause | None:
    """A value that begins with a sign which YAML takes for its own."""
    entry = _ENTRY.match(here)
    listed = re.match(r"(?P<start>\s*-\s+)(?P<value>\S.*)$", here)
    found = entry or listed
    if not found:
        return None
    start, value = found["start"], found["value"].rstrip()
    first = value[0]
    if first in _SIGNS:
        return Cause(f"a text cannot begin with {first} unless it is quoted{_SIGNS[first]}", _quoted(start, value))
    if first in "|>" and not re.fullmatch(r"[|>][-+0-9]*(\s+#.*)?", value):
        return Cause(f"after {first} the text begins on the next line", _quoted(start, value))
    if entry and value.startswith(("- ", "? ")):
        what = f"a text cannot begin with {value[:2]!r} unless it is quoted"
        return Cause(what, f"{_quoted(start, value)} A list begins on a line of its own.")
    if first in "\"'":
        return _after_quote(start, value, first)
    closing = {"[": "]", "{": "}"}.get(first, "")
    if closing and closing in value and value.rpartition(closing)[2].strip():
        return Cause(f"there is text after the closing {closing}", _quoted(start, value))
    return None


def _after_quote(start: str, value: str, sign: str) -> Cause | None:
    """A text in quotes that ends before its line does, or has a backslash."""
    inside = r"(?:''|[^'])*" if sign == "'" else r'(?:\\.|[^"\\])*'
    whole = re.match(rf"{sign}{inside}{sign}(?P<rest>.*)$", value)
    rest = whole["rest"].strip() if whole else ""
    if rest and not rest.startswith("#"):
        inner = value[1:-1] if value.endswith(sign) else value
        other = f"'{inner}'" if sign == '"' else f'"{inner}"'
        example = shortened(f"{start.strip()} {other}", LONGEST)
        fix = f"Quote the whole text; if it holds {sign}, use the other quotes: `{example}`."
        return Cause(f"the text ends at the second {sign}, but the line goes on", fix)
    if sign == '"' and re.search(r"\\[^\\\"/abefnrtvxuUNLP_0 ]", value):
        return Cause('in "…" a backslash begins a special sign', "Write it twice (\\\\), or use '…'.")
    return None


def _missing_space(line: str, number: int) -> Cause | None:
    found = _NO_SPACE.match(line)
    if found:
        fix = f"Write `{shortened(found['key'] + ': ' + found['value'].strip(), LONGEST)}`."
        return Cause(f"there is no space after the colon of {found['key']!r}", fix, number)
    found = re.match(r"\s*-(?P<rest>[^\s-].*)$", line)
    if found:
        return Cause(
            "there is no space after the dash", f"Write `- {shortened(found['rest'].strip(), LONGEST)}`.", number
        )
    return None


def _colon(here: str) -> Cause | None:
    entry = _ENTRY.match(here)
    if entry and re.search(r":(\s|$)", entry["value"]) and entry["value"][0] not in "\"'{[":
        return _colon_in(entry["start"], entry["value"])
    return None


def _colon_in(start: str, value: str) -> Cause:
    curly = " Curly quotes are letters to YAML: use straight ones." if value.strip()[0] in _CURLY else ""
    what = f"there is a colon in a text without quotes: {shortened(value.strip(), LONGEST)!r}"
    return Cause(what, _quoted(start, value) + curly)


def _no_colon(lines: list[str], line: int, before: int, said: str) -> Cause | None:
    """A line that should be `key: value` and has no colon: YAML notices at the next one."""
    if "':'" not in said and "mapping values" not in said:
        return None
    for number in (line, before):
        words = lines[number - 1].split("#")[0].strip() if number else ""
        if words and ":" not in words and not words.startswith(("- ", '"', "'", "[", "{")):
            what = f"there is no colon in {shortened(words, LONGEST)!r}"
            fix = "Write `key: value`; a text that goes on here must be indented further than its key."
            return Cause(what, fix, number)
    return None


def _indentation(lines: list[str], line: int, before: int, said: str) -> Cause | None:
    if not before or not any(part in said for part in ("mapping values", "block end", "block mapping", "expected key")):
        return None
    column, above = (len(lines[number - 1]) - len(lines[number - 1].lstrip()) for number in (line, before))
    if column == above:
        return None
    if "mapping values" in said and column > above and _ENTRY.match(lines[before - 1]):
        what = f"this line goes on with the text of line {before}, since it is indented further, and has a colon"
        return Cause(
            what, "Begin it in the column of the line above if it is a key; else put the whole text in quotes."
        )
    what = f"this line is indented by {column} spaces, the one above by {above}, and no level begins or ends there"
    return Cause(
        what, "Begin the keys of one level in the same column, and entries of a list with their dashes aligned."
    )


def _other(said: str) -> Cause:
    if "another document" in said:
        return Cause("a second document begins here (---)", "Keep one, and remove the line ---.")
    return Cause(said, "Correct the indentation, quotes or brackets here.")


def without_value(line: str, flow: bool) -> str:
    """What to do where a value is missing; ``flow`` if it stands within braces or brackets."""
    if re.search(r"[:-]\s+#\s*\S", line):
        return "After a space, # begins a comment: put the text in quotes if # belongs to it."
    if flow:
        return "Within { } or [ ] a comma begins the next entry: put a text with a comma in quotes."
    return ""
