"""Writes the reference pages of the site from the code itself: commands, JSON keys, protocol files, shipped protocols.

Run it before `mkdocs build`. The pages are never edited by hand and never committed, so they cannot go stale.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reference_pages import commands, json_keys, protocols, schema

Commands = Iterable[tuple[tuple[str, ...], Any]]
"""Command lines, and what each printed."""

INDEX = """# Reference

These pages are written by a script from the code of Rubrica {version}, each time the site is built.

| page | made from |
| --- | --- |
| [Commands](commands/rubrica.md) | the command line itself |
| [JSON keys](json.md) | commands that were run with `--json` |
| [Protocol files](protocol-schema.md) | the schema that checks them |
| [The shipped protocols](../protocols/index.md) | their folders |
"""


def pages(ran: Commands | None = None) -> dict[str, str]:
    """Every reference page: its path below the reference folder, and its text; ``ran`` are the commands of the keys."""
    from rubrica import __version__

    return {
        "index.md": INDEX.format(version=__version__),
        **{f"commands/{name}.md": text for name, text in commands.pages().items()},
        **protocols.pages(),
        "protocol-schema.md": schema.page(),
        "json.md": json_keys.page(ran),
    }


def main() -> None:
    """Write the pages, replacing those of an earlier run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "reference", help="the folder to write")
    out: Path = parser.parse_args().out
    print(f"{write(out)} pages")


def write(out: Path, ran: Commands | None = None) -> int:
    """Write the pages to this folder, replacing what is there; how many."""
    written = pages(ran)
    shutil.rmtree(out, ignore_errors=True)
    for name, text in written.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(written)


if __name__ == "__main__":
    main()
