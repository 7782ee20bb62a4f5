"""Which column of a table is which field, guessed from its name; columns that are not there.

Capitals, accents, punctuation and the order of the words do not matter. Rounds, each over all fields: the field's id;
its labels and aliases; then usual English, Spanish and German names for what the field is, without words that say
little (``Original text`` and ``Texto original`` are ``original``). A guess is always shown, with its reason, and
can be corrected. Long texts are never taken for the name of a system, of an author or of the item; nor labels that
stand again and again (*Source*: news, report) for texts, where there are texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.target_words import context_field
from rubrica.core.text_helpers import did_you_mean, first_of, nearest
from rubrica.exchange.delimited import DELIMITERS
from rubrica.exchange.tables import Table
from rubrica.exchange.wide_columns import has_texts, holds_labels, holds_texts

OWN_COLUMNS = {
    "id": ("id", "key", "item", "item_id", "idx", "_id"),
    "system": ("system", "model", "sys"),
    "author": ("author", "writer"),
    "group": ("group", "group_id"),
}
"""Columns with a meaning in every protocol: the item's id, the system, who wrote it, what is shown together."""

PLACE_COLUMNS = {
    "start": ("start", "offset", "start_offset", "begin", "inicio"),
    "occurrence": ("occurrence", "ocurrencia"),
}
"""Columns that say where a target word stands in its context."""

_NUMBERS = (
    "nr, no, n o, num, number, nro, numero, n, index, indice, row, row number, fila, clave, codigo, nummer, lfd nr, "
    "zeile"
)
_USUAL = {
    "id": f"{_NUMBERS}, identifier, identificador, item number, item nr, item no, pair id, row id, id item, id par",
    "system": "system name, model name, engine, sistema, modelo, nombre sistema, nombre modelo, motor, modell, "
    "systemname",
    "author": "author name, written by, autor, autora, redactor, redactora, escrito por, nombre autor, verfasser, "
    "verfasserin",
    "group": "group name, grupo, id grupo, gruppe",
}
_USUAL_BY_ROLE = {
    "source": "source, src, original, orig, original passage, input, complex, before, unsimplified, fuente, origen, "
    "partida, entrada, compleja, antes, quelle, quelltext, quellsatz, ausgangssatz, ausgangstext, originalsatz, "
    "originaltext, komplex, vorher",
    "rewrite": "rewrite, rewritten, rewriting, suggested rewrite, simplified, simplification, simple, simpler, "
    "output, system output, model output, llm output, plain, plain language, concise, shortened, prediction, "
    "hypothesis, suggestion, suggested, proposal, proposed, revised, edited, paraphrase, translation, translated, "
    "response, generated, after, reescritura, reescrito, reescrita, simplificado, simplificada, simplificacion, "
    "lenguaje claro, lectura facil, salida, salida sistema, salida modelo, prediccion, hipotesis, sugerencia, "
    "sugerida, sugerido, propuesta, propuesto, revisado, revisada, editado, editada, parafrasis, traduccion, "
    "traducido, traducida, respuesta, generado, generada, meta, despues, substitute, candidate, sustituto, candidato, "
    "vereinfacht, vereinfachung, umschreibung, umformulierung, neufassung, ausgabe, systemausgabe, vorschlag, "
    "leichte sprache, einfache sprache, uebersetzung, ubersetzung, nachher",
    "reference": "reference, ref, gold, original, source, referencia, fuente, referenz",
    "context": "context, passage, contexto, pasaje, kontext",
    "target": "target, target word, complex word, word, token, term, palabra, palabra objetivo, palabra meta, "
    "palabra compleja, termino, wort, zielwort",
}
_PLAIN = "text, sentence, texto, oracion, frase, satz"
_LAST_RESORT = {"source": _PLAIN, "context": _PLAIN}
"""Names that say nothing of the kind of text: taken only if nothing else was found."""
_SAYS_LITTLE = (
    "the, of, a, el, la, los, las, de, del, text, texts, texto, textos, sentence, sentences, oracion, oraciones, "
    "frase, frases, segment, segmento, paragraph, parrafo, version, column, columna, en, es, english, spanish, "
    "espanol, ingles, der, die, das, satz, satze, absatz, spalte, deutsch"
)


NEAREST, MOST = 3, 20
"""How many columns are named that may have been meant, or that there are."""


def own_columns(protocol: Protocol) -> dict[str, tuple[str, ...]]:
    """The columns with a meaning beside the fields of this protocol, and what each may be called."""
    return OWN_COLUMNS | (PLACE_COLUMNS if context_field(protocol) else {})


def no_column(column: str, table: Table, *, lost: bool = False) -> Problem:
    """A column that is not there; ``lost`` if none of those wanted is, so that the header may be another line."""
    near = nearest(column, table.columns, NEAREST)
    printable = [name if name.isprintable() else ascii(name) for name in table.columns if name]
    fix = did_you_mean(column, near, f"Columns: {first_of(printable, MOST)}.", NEAREST)
    if lost and not near and table.columns:
        parted = [name for sign, name in DELIMITERS.items() if sign in table.columns[0]]
        fix += (
            f" It seems to be parted by {parted[0]}s: name it .csv."
            if len(table.columns) == 1 and parted
            else f" Line {table.top} is taken for the header; if it is none, remove it."
        )
    if table.unread and not near:
        fix += f" Only the first sheet is read; put {' or '.join(map(repr, table.unread[:NEAREST]))} first."
    return Problem(what=f"there is no column {column!r}", rule="column", line=table.top, value=column, fix=fix)


class Guess(NamedTuple):
    """A column and why it was taken; no reason is needed where it was given or is called like the field."""

    column: str
    why: str = ""


REASONS = ("", "known by this name", "a usual name for it", "nothing else fits")
TEXTS = ("source", "rewrite", "reference", "context")
"""Roles of what is told in sentences, and not by one of a few labels (*news*, *report*); a substitute is a word."""
NAMES = ("id", "system", "author")
"""What is called by a name and not told in sentences."""


def guess_columns(table: Table, protocol: Protocol, given: Mapping[str, str]) -> dict[str, str]:
    """The column of each field as far as it can be told, without judging whether that is enough.

    A field given as ``""`` is in no column, whatever the columns are called.
    """
    return {name: guess.column for name, guess in guesses(table, protocol, given).items()}


def guesses(table: Table, protocol: Protocol, given: Mapping[str, str]) -> dict[str, Guess]:
    """The same, each with its reason."""
    names = [*(field.id for field in protocol.fields), *own_columns(protocol)]
    found = {name: Guess(column) for name, column in given.items() if name in names and column in table.columns}
    found = {name: guess for name, guess in found.items() if guess.column}
    words = ("rewrite",) if context_field(protocol) else ()
    texts = {field.id for field in protocol.fields if field.role in TEXTS and field.role not in words}
    for why, (known, fold) in zip(REASONS, _rounds(protocol), strict=True):
        free: dict[str, str] = {}
        for column in table.columns:
            if column and column not in {guess.column for guess in found.values()}:
                free.setdefault(fold(column), column)
        for name in names:
            if name in found or name in given:
                continue
            called = (free[folded] for folded in known.get(name, ()) if folded and folded in free)
            loose, text = fold is _gist and name == "id", name in texts
            column = next((one for one in called if _fits(table, one, name, loose=loose, text=text)), "")
            if column:
                found[name] = Guess(free.pop(fold(column)), why)
    return found


def _fits(table: Table, column: str, name: str, *, loose: bool, text: bool) -> bool:
    """Whether what stands in a column can be what its name says."""
    if name in NAMES and holds_texts(table, column):
        return False
    if text and holds_labels(table, column) and has_texts(table, {column}):
        return False
    return not (loose and _repeats(table, column))


def _rounds(protocol: Protocol) -> list[tuple[dict[str, list[str]], Callable[[str], str]]]:
    """What each field may be called, round by round, and how names are compared in that round."""
    fields = protocol.fields
    own = {field.id: [field.id, *_labels(field.label), *field.aliases] for field in fields}
    full = own | {name: list(known) for name, known in own_columns(protocol).items()}
    usual = {name: [*full[name], *known.split(", ")] for name, known in _USUAL.items()}
    usual |= {field.id: [*own[field.id], *_usual_for(field.role)] for field in fields}
    last = {field.id: _LAST_RESORT[field.role].split(", ") for field in fields if field.role in _LAST_RESORT}
    return [
        ({name: [_folded(name)] for name in full}, _folded),
        ({name: [_folded(one) for one in known] for name, known in full.items()}, _folded),
        ({name: [_gist(one) for one in known] for name, known in usual.items()}, _gist),
        ({name: [_folded(one) for one in known] for name, known in last.items()}, _folded),
    ]


def _usual_for(role: str) -> list[str]:
    return _USUAL_BY_ROLE[role].split(", ")


def _labels(label: object) -> list[str]:
    languages: Mapping[str, str] = getattr(label, "languages", {})
    return list(languages.values())


def _words(name: str) -> list[str]:
    """The words of a name: ``sourceText`` is two, ``Nº`` is ``no``, ``#`` is ``number``."""
    apart = re.sub(r"(?<=[^\W\d_])(?<![A-Z])(?=[A-Z])", " ", name.replace("#", " number "))
    plain = unicodedata.normalize("NFKD", apart).casefold()
    kept = (_sign(sign) for sign in plain)
    return "".join(kept).split()


def _sign(sign: str) -> str:
    """Letters, digits and the signs that belong to them as they are, accents away, all else a space."""
    if unicodedata.combining(sign):
        return ""
    return sign if unicodedata.category(sign)[0] in "LNM" else " "


def _folded(name: str) -> str:
    return " ".join(_words(name))


def _gist(name: str) -> str:
    """The words that say something, in no order; empty if there is none."""
    return " ".join(sorted(word for word in _words(name) if word not in _SAYS_LITTLE.split(", ")))


def _repeats(table: Table, column: str) -> bool:
    """Whether a value stands twice or is missing: such a column numbers something else than the rows."""
    values = [row.values.get(column, "").strip() for row in table.rows]
    return "" in values or len(set(values)) < len(values)
