"""A page for each shipped protocol: facts from its data, its README, and all of it in both languages."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.cli.protocol_text import describe
from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.protocols.catalog import FOLDER, load_shipped, shipped

LANGUAGES = {"en": "English", "es": "Español"}


def pages() -> dict[str, str]:
    """Pages by path: one for each protocol, and its guidelines in each language."""
    result = {}
    for name in shipped():
        protocol = load_shipped(name).protocol.by_default()
        result[f"protocols/{name}.md"] = "\n".join(_page(protocol))
        for language in LANGUAGES:
            text = protocol.guidelines.get(language)
            result[f"guidelines/{name}.{language}.md"] = (
                f"{text}\n\n[Back to the protocol {name}](../protocols/{name}.md)\n"
            )
    return result


def _page(protocol: Protocol) -> Iterator[str]:
    readme = (FOLDER / protocol.id / "README.md").read_text(encoding="utf-8")
    title, _, body = readme.partition("\n")
    yield title
    yield ""
    yield from _facts(protocol)
    yield body
    yield "## All of it, as people see it"
    yield ""
    yield "What `rubrica protocols show` prints."
    yield ""
    for language, name in LANGUAGES.items():
        yield f'=== "{name}"'
        yield ""
        yield "    ```text"
        yield from (f"    {line}".rstrip() for line in describe(protocol, language))
        yield "    ```"
        yield ""


def _facts(protocol: Protocol) -> Iterator[str]:
    yield shown(protocol.summary, "en")
    yield ""
    yield "| | |"
    yield "| --- | --- |"
    yield f"| version | {protocol.version} |"
    yield f"| hash | `{protocol.hash[:12]}` |"
    yield f"| columns needed | {', '.join(f'`{field.id}`' for field in protocol.fields if field.required)} |"
    for stage in protocol.stages:
        more = f", {stage.overlap_comparing} when systems are compared" if stage.overlap_comparing else ""
        yield f"| stage `{stage.id}` | {stage.overlap} per item{more} |"
    for parameter in protocol.parameters:
        options = f", one of {', '.join(f'`{option}`' for option in parameter.options)}" if parameter.options else ""
        yield f"| parameter `{parameter.id}` | {shown(parameter.label, 'en')}{options} |"
    yield f"| languages | {', '.join((*protocol.languages, *protocol.partly_translated))} |"
    yield f"| practice items | {len(protocol.practice)} |"
    links = ", ".join(f"[{name}](../guidelines/{protocol.id}.{code}.md)" for code, name in LANGUAGES.items())
    yield f"| guidelines | {links} |"
    yield ""
