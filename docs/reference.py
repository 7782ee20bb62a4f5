"""Writes the reference pages of the site from the code itself: commands, JSON keys, protocol files, shipped protocols.

Run it before `mkdocs build`. The pages are never edited by hand and never committed, so they cannot go stale.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from reference_pages import commands, json_keys, protocols, schema

INDEX = """# Reference

These pages are written by a script from the code of Rubrica {version}, each time the site is built.

| page | made from |
| --- | --- |
| [Commands](commands/rubrica.md) | the command line itself |
| [JSON keys](json.md) | commands that were run with `--json` |
| [Protocol files](protocol-schema.md) | the schema that checks them |
| [The shipped protocols](../protocols/index.md) | their folders |
"""


def pages() -> dict[str, str]:
    """Every reference page: its path below the reference folder, and its text."""
    from rubrica import __version__

    return {
        "index.md": INDEX.format(version=__version__),
        **{f"commands/{name}.md": text for name, text in commands.pages().items()},
        **protocols.pages(),
        "protocol-schema.md": schema.page(),
        "json.md": json_keys.page(),
    }


def main() -> None:
    """Write the pages, replacing those of an earlier run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "reference", help="the folder to write")
    out: Path = parser.parse_args().out
    written = pages()
    shutil.rmtree(out, ignore_errors=True)
    for name, text in written.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(written)} pages")


if __name__ == "__main__":
    main()
