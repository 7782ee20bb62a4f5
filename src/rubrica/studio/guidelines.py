"""Guidelines: Markdown, ours or a researcher's own, to HTML that is safe to show, with a place for every question.

Headings may end in ``{#id}``, the id of the question they are about. Raw HTML in the Markdown is shown as it is typed,
and what comes out is sanitised once more: a guideline may come from an uploaded protocol.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown

_ANCHOR = re.compile(r"\s*\{#([A-Za-z][A-Za-z0-9_-]{0,99})\}\s*$")
_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "em", "strong", "code", "pre", "hr"),
    *("br", "a", "div", "table", "thead", "tbody", "tr", "th", "td", "s"),
}
_ATTRIBUTES = {name: {"id"} for name in ("h1", "h2", "h3", "h4", "h5", "h6")} | {
    "a": {"href", "title"},
    "ol": {"start"},
    "div": {"tabindex"},
}
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    attributes=_ATTRIBUTES,
    allowed_classes={"div": {"table-box"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer",
)


def render(protocol: Protocol, language: str, prefix: str = "", top: int = 1) -> SafeString:
    """The guidelines of a protocol (resolved) in this language, or in its own.

    ``prefix`` goes before every id and every link to one, so that they clash with nothing on the page. ``top`` is the
    level of the highest heading: 2 below a page's own ``h1``.
    """
    return render_markdown(shown(protocol.guidelines, language), prefix, top)


@lru_cache(maxsize=256)
def render_markdown(text: str, prefix: str = "", top: int = 1) -> SafeString:
    """Markdown with tables and heading ids as clean HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.add_render_rule("table_open", _open_table)
    markdown.add_render_rule("table_close", _close_table)
    tokens = markdown.parse(text)
    _place(tokens, prefix, top)
    html = markdown.renderer.render(tokens, markdown.options, {})
    return mark_safe(_CLEANER.clean(html))  # noqa: S308 (sanitised on this line)


def words_in(html: str) -> int:
    """How many words a reader sees: markup and lines of tables are none."""
    return len(strip_tags(html.replace("<", " <")).split())


def _place(tokens: Sequence[Token], prefix: str, top: int) -> None:
    """Move headings to their level and give them their ids; point links within the text at the same ids."""
    used: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + top - 1)}"
        if token.type == "heading_open":
            name = _take_anchor(tokens[index + 1])
            if name and name not in used:
                used.add(name)
                token.attrSet("id", prefix + name)
        for child in token.children or ():
            target = str(child.attrGet("href") or "") if child.type == "link_open" else ""
            if target.startswith("#"):
                child.attrSet("href", f"#{prefix}{target[1:]}")


def _take_anchor(inline: Token) -> str:
    """The ``{#id}`` at the end of a heading, taken out of what is shown."""
    last = inline.children[-1] if inline.children else None
    found = _ANCHOR.search(last.content) if last is not None and last.type == "text" else None
    if last is None or found is None:
        return ""
    last.content = last.content[: found.start()]
    return found[1]


def _open_table(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """A wide table scrolls in its own box, also by keyboard."""
    return '<div class="table-box" tabindex="0"><table>\n'


def _close_table(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return "</table></div>\n"
