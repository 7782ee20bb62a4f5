"""Guidelines as HTML: anchors, tables, levels, and nothing that could run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.protocols.catalog import load_shipped, shipped

pytestmark = pytest.mark.any_database


def test_heading_ids(home: Path) -> None:
    """A heading that ends in {#id} carries that id, and the braces are not shown."""
    from rubrica.studio.guidelines import render_markdown

    assert render_markdown("## Meaning {#meaning}\n") == '<h2 id="meaning">Meaning</h2>\n'


def test_prefix_and_level(home: Path) -> None:
    """A prefix goes before ids and the links to them; headings move down to the level asked for."""
    from rubrica.studio.guidelines import render_markdown

    html = render_markdown("# Guide\n\n## Meaning {#meaning}\n\nSee [there](#meaning).\n", "guide-", 3)
    assert "<h3>Guide</h3>" in html
    assert '<h4 id="guide-meaning">Meaning</h4>' in html
    assert 'href="#guide-meaning"' in html


def test_an_id_is_given_once(home: Path) -> None:
    """A second heading with the same id has none, so that ids stay unique on the page."""
    from rubrica.studio.guidelines import render_markdown

    assert render_markdown("# A {#x}\n\n# B {#x}\n").count('id="x"') == 1


def test_tables_scroll_in_their_own_box(home: Path) -> None:
    """Tables are drawn, in a box that scrolls by keyboard as well."""
    from rubrica.studio.guidelines import render_markdown

    html = render_markdown("| a | b |\n| --- | --- |\n| 1 | 2 |\n")
    assert html.startswith('<div class="table-box" tabindex="0"><table>')
    assert "<td>2</td>" in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://example.org/x.png)",
        "[x](data:text/html,x)",
        '# A {#a" onclick="alert(1)}',
    ],
)
def test_nothing_runs(home: Path, hostile: str) -> None:
    """Raw HTML is shown as it is typed; script links, images and odd ids leave no tag or attribute behind."""
    from rubrica.studio.guidelines import render_markdown

    html = render_markdown(hostile)
    for piece in ("<script", "<img", 'href="javascript', 'href="data', "<h1 "):
        assert piece not in html


@pytest.mark.parametrize("protocol", [name for name in shipped() if name != "salsa"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_question_has_its_section(home: Path, protocol: str, language: str) -> None:
    """The guidelines of each shipped protocol have a section for every question asked about items."""
    from rubrica.studio.guidelines import render

    loaded = load_shipped(protocol).protocol
    html = render(loaded.resolve({}), language, "guide-")
    for question in loaded.questions:
        assert f'id="guide-{question.id}"' in html
