"""The texts of a desk: shared ones once for a group, own ones per item, with targets and differences marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubrica.core.marking import differences
from rubrica.core.protocol import Field, Protocol
from rubrica.core.study import Item
from rubrica.core.target_words import Substituted, mark_words, substituted, target_of
from rubrica.core.texts import shown
from rubrica.language.names import told_language


@dataclass(frozen=True)
class Stretch:
    """A stretch of text: ``kind`` is nothing, ``target``, ``gone`` or ``new``; ``number`` tells targets apart."""

    text: str
    kind: str = ""
    number: int | None = None


@dataclass(frozen=True)
class ShownText:
    """One field as it is shown. ``lang`` is known only if the item says so."""

    field: str
    role: str
    label: str
    pieces: tuple[Stretch, ...]
    lang: str = ""

    @property
    def plain(self) -> str:
        """The text without marks."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Texts:
    """What is shown of the items of one page: ``own`` has one entry per item."""

    shared: tuple[ShownText, ...]
    own: tuple[tuple[ShownText, ...], ...]
    has_differences: bool


def build_texts(protocol: Protocol, items: Sequence[Item], language: str) -> Texts:
    """Arrange and mark the texts. An item alone has all its texts on top; in a group each keeps what only it has."""
    page = _Page(protocol, items, language)
    together = [field for field in protocol.fields if len(items) == 1 or page.same(field)]
    apart = [field for field in protocol.fields if field not in together]
    return Texts(
        tuple(text for field in together if (text := page.text(field, items[0]))),
        tuple(tuple(text for field in apart if (text := page.text(field, item))) for item in items),
        page.pair(items[0]) is not None,
    )


def reading_order(protocol: Protocol, items: Sequence[Item]) -> list[int]:
    """The items of a group in the order in which their target words stand in the context; others keep their order."""
    page = _Page(protocol, items, protocol.fallback)
    context = next((field for field in protocol.fields if field.role == "context" and page.same(field)), None)
    if len(items) < 2 or context is None or page.target is None:
        return list(range(len(items)))
    found = [
        piece.number - 1
        for piece in page.marked(context, items[0].fields.get(context.id, ""))
        if piece.number is not None
    ]
    return [*found, *(index for index in range(len(items)) if index not in found)]


class _Page:
    """The items of one page, and how their fields hang together."""

    def __init__(self, protocol: Protocol, items: Sequence[Item], language: str) -> None:
        self.protocol, self.items, self.language = protocol, items, language
        by_role = {field.role: field.id for field in reversed(protocol.fields)}
        self.original = by_role.get("source") or by_role.get("reference")
        self.rewrite = by_role.get("rewrite")
        self.target = by_role.get("target")

    def same(self, field: Field) -> bool:
        # The same substitute makes other sentences where it stands for other words.
        shown = {self.replaced(field, item) or item.fields.get(field.id, "") for item in self.items}
        return field.role != "target" and len(shown) == 1

    def replaced(self, field: Field, item: Item) -> Substituted | None:
        """The sentence that this field is shown as, if it is a substitute."""
        return substituted(self.protocol, item) if field.id == self.rewrite else None

    def pair(self, item: Item) -> tuple[str, str] | None:
        """The two texts whose differences can be shown, if they differ at all."""
        if self.original is None or self.rewrite is None:
            return None
        one, other = item.fields.get(self.original, ""), item.fields.get(self.rewrite, "")
        return (one, other) if one and other and one.split() != other.split() else None

    def text(self, field: Field, item: Item) -> ShownText | None:
        content = item.fields.get(field.id, "")
        alone = len(self.items) == 1
        if not content.strip() or (alone and field.role == "target" and substituted(self.protocol, item)):
            return None  # a target that is replaced is marked in its context, above the sentence without it
        label, lang = shown(field.label, self.language), told_language(item.metadata)
        return ShownText(field.id, field.role, label, self.pieces(field, item, content), lang)

    def pieces(self, field: Field, item: Item, content: str) -> tuple[Stretch, ...]:
        if field.role == "context" and self.target is not None:
            return self.marked(field, content)
        replaced = self.replaced(field, item)
        if replaced is not None:
            return (Stretch(replaced.before), Stretch(replaced.word, "target"), Stretch(replaced.after))
        pair = self.pair(item) if field.id in (self.original, self.rewrite) else None
        if pair is None:
            return (Stretch(content),)
        gone, new = differences(*pair)
        return tuple(Stretch(piece.text, piece.kind) for piece in (gone if field.id == self.original else new))

    def marked(self, field: Field, content: str) -> tuple[Stretch, ...]:
        """The context with the target words of every item that shares it; numbered if there are several."""
        here = [(number, one) for number, one in enumerate(self.items, 1) if one.fields.get(field.id) == content]
        found = mark_words(content, [target_of(self.protocol, one) for _, one in here])
        numbers = [number for number, _ in here]
        several = len(self.items) > 1
        return tuple(
            Stretch(piece.text, piece.kind, numbers[piece.target] if several and piece.target is not None else None)
            for piece in found
        )
