"""The reference and the guides are complete: no command, option or protocol without its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from rubrica.cli.main import app
from rubrica.protocols.catalog import load_shipped, shipped
from tests.docs.pages import ROOT, Run, steps, written_pages


def commands(command: Any = None, name: str = "rubrica") -> Iterator[tuple[str, Any]]:
    """Every command of the command line with its full name, groups included."""
    command = command or typer.main.get_command(app)
    yield name, command
    for part, inside in getattr(command, "commands", {}).items():
        yield from commands(inside, f"{name} {part}")


def words(command: Any) -> list[str]:
    """The options of a command as they are spelt."""
    return [word for part in command.params if part.param_type_name == "option" for word in part.opts]


def test_every_command_and_option_is_in_the_reference(reference: Path) -> None:
    """A command has a page with all of its options, or is a group whose commands have."""
    for name, command in commands():
        page = reference / "commands" / f"{name.removeprefix('rubrica ').replace(' ', '-')}.md"
        if getattr(command, "commands", None) and not command.invoke_without_command and name != "rubrica":
            continue
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {name}\n")
        assert [word for word in words(command) if f"`{word}`" not in text] == []


def test_every_protocol_has_a_page_in_both_languages(reference: Path) -> None:
    """A shipped protocol has a page with its texts in English and Spanish, and its guidelines."""
    for name in shipped():
        protocol = load_shipped(name).protocol.by_default()
        page = (reference / "protocols" / f"{name}.md").read_text(encoding="utf-8")
        for language in ("en", "es"):
            assert protocol.title.get(language) in page
            guide = (reference / "guidelines" / f"{name}.{language}.md").read_text(encoding="utf-8")
            assert guide.startswith(protocol.guidelines.get(language))


def test_every_schema_key_is_in_the_reference(reference: Path) -> None:
    """Every key that a protocol file may have stands in the reference."""
    from rubrica.protocols.schema import ProtocolFile

    schema = ProtocolFile.model_json_schema(by_alias=True)
    text = (reference / "protocol-schema.md").read_text(encoding="utf-8")
    for definition in (schema, *schema["$defs"].values()):
        assert [key for key in definition["properties"] if f"| `{key}` |" not in text] == []


def test_every_command_is_used_and_every_option_explained_in_a_guide() -> None:
    """A reader of the guides meets every command in an example and every option in the text."""
    texts = [page.read_text(encoding="utf-8") for page in written_pages()]
    together = "\n".join(texts)
    run = [step.command for text in texts for step in steps(text) if isinstance(step, Run)]
    for name, command in commands():
        shown = any(re.sub(r" --home \S+", "", line).startswith(name) for line in run) or name in together
        assert shown, f"no page shows {name}"
        options = [part.opts for part in command.params if part.param_type_name == "option"]
        unexplained = [spelt for spelt in options if not any(word in together for word in spelt)]
        assert unexplained in ([], [["--version"]])


def test_every_protocol_is_listed_for_readers() -> None:
    """The README, the quick start, the overview and the site's menu name every shipped protocol."""
    for file in ("README.md", "docs/researchers/quick-start.md", "docs/protocols/index.md", "mkdocs.yml"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert [name for name in shipped() if name not in text] == [], file
