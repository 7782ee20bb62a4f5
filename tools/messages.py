"""`make messages`: bring every catalogue of the interface up to date with the texts in templates, code and sheets.

New messages are added without a translation, those no longer used are removed, and the right-to-left test locale is
made anew from the English texts. A catalogue for annotators only holds the messages of their journey.
Works on the parsed templates and syntax trees, so system gettext is not needed.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib
from babel.messages.plurals import get_plural

from rubrica.language.catalogues import SHEET
from rubrica.studio.formats import locale_of
from rubrica.studio.languages import TEST_LOCALE, annotators_read, for_annotators_only

ROOT = Path(__file__).parents[1] / "src/rubrica"
STUDIO = ROOT / "studio"
SHEETS = ROOT / "exchange/sheets"
_DJANGO = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
FUNCTIONS = {*_DJANGO, "sheet_text"}
_PLACEHOLDER = re.compile(r"%\(\w+\)[sdg]|%[sd]|\{\w*\}|<[^>]+>")


class Message(NamedTuple):
    """A text of the interface, with its plural and context, if any."""

    text: str
    plural: str = ""
    context: str = ""


def in_code(file: Path) -> Iterator[Message]:
    """Messages marked in a Python file."""
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if name in FUNCTIONS and texts:
            if name.startswith("n"):
                yield Message(texts[0], texts[1])
            elif name.startswith("p"):
                yield Message(texts[1], context=texts[0])
            elif name == "sheet_text":
                yield Message(texts[0], context=SHEET)
            else:
                yield Message(texts[0])


def in_templates() -> Iterator[tuple[Path, Message]]:
    """Messages marked in templates, as Django will look them up."""
    from django.template import engines
    from django.templatetags.i18n import BlockTranslateNode, TranslateNode

    engine = engines["django"].engine
    folder = STUDIO / "templates"
    for file in sorted(folder.rglob("*.html")):
        nodes = engine.get_template(str(file.relative_to(folder))).nodelist
        for node in nodes.get_nodes_by_type(TranslateNode):
            literal = getattr(node.filter_expression.var, "literal", None)
            if isinstance(literal, str):
                yield file, Message(literal, context=_context(node))
        for node in nodes.get_nodes_by_type(BlockTranslateNode):
            singular = node.render_token_list(node.singular)[0]
            plural = node.render_token_list(node.plural)[0] if node.plural else ""
            yield file, Message(singular, plural, _context(node))


def _context(node: object) -> str:
    found = getattr(node, "message_context", None)
    return str(getattr(getattr(found, "var", None), "literal", "") or "") if found else ""


def collect() -> dict[Message, list[str]]:
    """Every message, with the files that have it."""
    found: dict[Message, list[str]] = {}
    for file in sorted(STUDIO.rglob("*.py")):
        for message in in_code(file):
            found.setdefault(message, []).append(str(file.relative_to(STUDIO)))
    for file in sorted(SHEETS.glob("*.py")):
        for message in in_code(file):
            found.setdefault(message, []).append(str(file.relative_to(ROOT)))
    for file, message in in_templates():
        found.setdefault(message, []).append(str(file.relative_to(STUDIO)))
    return found


def wanted(language: str, messages: dict[Message, list[str]]) -> dict[Message, list[str]]:
    """The messages that belong into a catalogue: all, or those of the annotator's journey."""
    if not for_annotators_only(language):
        return messages
    return {message: places for message, places in messages.items() if any(map(annotators_read, places))}


def update(file: Path, messages: dict[Message, list[str]]) -> int:
    """Rewrite one catalogue; how many messages wait for a translation."""
    old = polib.pofile(str(file))
    forms = get_plural(locale_of(file.stem))
    known = {Message(entry.msgid, entry.msgid_plural, entry.msgctxt or ""): entry for entry in old}
    new = polib.POFile(wrapwidth=110)
    new.metadata = old.metadata
    new.metadata["Plural-Forms"] = forms.plural_forms
    for message, places in sorted(wanted(file.stem, messages).items()):
        entry = known.get(message) or polib.POEntry(
            msgid=message.text, msgid_plural=message.plural, msgctxt=message.context or None
        )
        if message.plural and not entry.msgstr_plural:
            entry.msgstr_plural = dict.fromkeys(range(forms.num_plurals), "")
        entry.occurrences = [(place, "") for place in sorted(set(places))]
        if file.stem == TEST_LOCALE:
            _mirror(entry)
        new.append(entry)
    new.save(str(file))
    return len(new.untranslated_entries())


def _mirror(entry: polib.POEntry) -> None:
    """Right-to-left test text: the English letters, shown backwards; placeholders and tags stay whole."""
    if entry.msgid_plural:
        entry.msgstr_plural = {number: _backwards(entry.msgid_plural) for number in range(6)}
    else:
        entry.msgstr = _backwards(entry.msgid)


def _backwards(text: str) -> str:
    """Each word between marks that force its direction, as other tools' test locales do."""
    pieces, last = [], 0
    for found in _PLACEHOLDER.finditer(text):
        pieces += [_turned(text[last : found.start()]), found[0]]
        last = found.end()
    return "".join([*pieces, _turned(text[last:])])


def _turned(text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: f"\u202e{word[0]}\u202c", text)


def main() -> int:
    """Update every catalogue; exit 1 if a translation is missing."""
    from rubrica.studio.settings import open_studio

    with tempfile.TemporaryDirectory() as home:
        open_studio(Path(home), hashed_files=False)
        messages = collect()
        missing = {file.stem: update(file, messages) for file in sorted((STUDIO / "locale").glob("*.po"))}
    for language, count in missing.items():
        print(f"{language}: {len(wanted(language, messages))} messages, {count} without a translation")
    return 1 if any(missing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
