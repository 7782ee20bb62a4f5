"""Several texts in one cell of a table: a JSON list, or a list as pandas and NumPy print it into a CSV file.

Taken as a single text, ``['one', 'two']`` would be scored with its brackets and quotes, and nobody would notice.
"""

from __future__ import annotations

import io
import tokenize
from ast import literal_eval

from rubrica.core.json_text import parse_json

_BETWEEN = {"[", "]", ",", "(", ")"}
_SILENT = {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT}


def texts_of(cell: str) -> list[str]:
    """The texts of a cell, stripped: those of a list, else the cell itself; blank ones are none."""
    whole = cell.strip()
    found = _listed(whole) if whole.startswith("[") and whole.endswith("]") else None
    return [text.strip() for text in ([whole] if found is None else found) if text.strip()]


def _listed(text: str) -> list[str] | None:
    """The texts of a list; None if it is none, such as a sentence in brackets."""
    try:
        found = parse_json(text)
    except ValueError:
        return _printed(text)
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def _printed(text: str) -> list[str] | None:
    """The strings of a list or array of Python, between whose strings NumPy prints no commas."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                value = literal_eval(token.string)
                if not isinstance(value, str):
                    return None
                found.append(value)
            elif token.type not in _SILENT and token.string not in _BETWEEN:
                return None
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None
    return found or None
