"""How many lines of code a folder has: `python tools/code_lines.py src/rubrica/store`.

Counted is a line with a token of code on it. Not counted are blank lines, comments, imports, the docstrings of modules,
classes and functions, and migrations, which a tool wrote. A string below a constant that says what it is for counts.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(text: str) -> int:
    """Lines of code in the text of a module."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {line for token in tokens if token.type not in SILENT for line in range(token.start[0], token.end[0] + 1)}
    return len(code - set(_left_out(ast.parse(text))))


def _left_out(tree: ast.Module) -> Iterator[int]:
    """The lines of imports and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            yield from _lines(node.body[0])
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _lines(node)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def modules(folder: Path) -> list[Path]:
    """The modules that are counted."""
    return sorted(file for file in folder.rglob("*.py") if "migrations" not in file.parts)


def main() -> None:
    """Print the lines of each folder, and with --each of each module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", action="store_true", help="every module, too")
    given = parser.parse_args()
    for folder in given.folders:
        counted = {file: code_lines(file.read_text(encoding="utf-8")) for file in modules(folder)}
        for file, lines in counted.items() if given.each else ():
            print(f"{lines:6,} {file}")
        print(f"{sum(counted.values()):6,} {folder}")


if __name__ == "__main__":
    main()
