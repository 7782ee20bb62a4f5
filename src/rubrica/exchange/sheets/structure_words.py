"""What is wrong with a sheet itself (columns, rows, cells, its list of edits), in the sheet's language.

Each message is what is wrong and how to mend it. What is said of a file before its language is known stays English.
Only protocols in English and Spanish have edits, so what is said of their list is here and not in the catalogues.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rubrica.language.catalogues import on_sheet, sheet_text


class Told(NamedTuple):
    """What is wrong, and the fix."""

    what: str
    fix: str


_SHEETS = {
    "merged": (sheet_text("these cells are merged"), sheet_text("Unmerge them and fill in each cell.")),
    "formula": (sheet_text("this cell holds a formula"), sheet_text("Type the value itself.")),
    "error": (sheet_text("this cell holds an error value"), sheet_text("Type the value itself.")),
    "changed": (sheet_text("the text of '{header}' was changed"), sheet_text("Put back: {text}")),
    "no header": (
        sheet_text("row 1 is not the header any more"),
        sheet_text("Put the header back into row 1, without rows above it, or start from the sheet as it was written."),
    ),
    "doubled": (sheet_text("the column '{header}' stands {times} times"), sheet_text("Remove the copy.")),
    "gone": (
        sheet_text("the column '{header}' is gone or was renamed"),
        sheet_text("Put it back with its header in row 1, or start from the sheet as it was written."),
    ),
    "gone, others": (
        sheet_text("the column '{header}' is gone or was renamed"),
        sheet_text(
            "Put it back with its header in row 1, or start from the sheet as it was written. "
            "Row 1 has {others} instead."
        ),
    ),
    "format": (
        sheet_text("this sheet has the format '{found}', this Rubrica reads '{wanted}'"),
        sheet_text("Write the sheet again with this version."),
    ),
    "another sheet": (
        sheet_text("this is another sheet ('{whose}' in '{where}'), not the one of '{annotator}' in '{study}'"),
        sheet_text("Read it as the sheet that it is."),
    ),
    "another version": (
        sheet_text("this sheet asks another version of {protocol}"),
        sheet_text("Write the sheet again: its questions have changed."),
    ),
    "sheet gone": (
        sheet_text("the sheet '{name}' is gone or was renamed; there are {there}"),
        sheet_text("Name it '{name}' again."),
    ),
    "other row": (sheet_text("this row belongs to another sheet (its id is {id})"), sheet_text("Remove the row.")),
    "added row": (sheet_text("this row was added"), sheet_text("Remove the row.")),
    "copied row": (sheet_text("this row is a copy of row {above}"), sheet_text("Remove one of the two.")),
    "row gone": (
        sheet_text("a row is gone (item {items})"),
        sheet_text("Put back what was removed; a row without answers is fine."),
    ),
    "rows gone": (
        sheet_text("{missing} of {rows} rows are gone (items {items})"),
        sheet_text("Put back what was removed; a row without answers is fine."),
    ),
    "way out and answers": (
        sheet_text("{header}: '{way}' is chosen, but there are answers too ({named})"),
        sheet_text("Remove the answers, or what stands there."),
    ),
    "way out": (sheet_text("{header}: '{text}' is not on the list"), sheet_text("Use one of: {labels}.")),
    "tick": (sheet_text("{header} is '{text}'"), sheet_text("Mark it with x or leave it blank.")),
    "done": (sheet_text("{header} is '{text}'"), sheet_text("Use x.")),
    "other study": (sheet_text("this sheet belongs to another study ('{name}'), not to '{study}'"), ""),
    "unknown sheet": (
        sheet_text("this study has no record of having written this sheet"),
        sheet_text("Write the sheet again and copy the answers into it."),
    ),
}

_EDITS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "edit twice": ("edit {edit} of this pair stands on row {above} too", "Give it another number."),
        "no such pair": (
            "there is no pair number {number!r}",
            "Use a number from 1 to {last}, as on the sheet {sheet!r}.",
        ),
        "no pair": (
            "this edit does not say to which pair it belongs",
            "Use a number from 1 to {last}, as on the sheet {sheet!r}.",
        ),
        "no such operation": ("there is no operation {said!r}", "Use one of {labels}."),
        "no operation": ("this edit has no operation", "Use one of {labels}."),
        "nth": (
            "{header} is {said!r}",
            "Write which occurrence it is, 1 for the first; for several stretches numbers joined by //.",
        ),
        "nth beyond": (
            "{header} is {rank}, but {quote!r} occurs {times} times in the {side}",
            "Use a number from 1 to {times}, or leave it blank.",
        ),
        "nth beyond one": ("{header} is {rank}, but {quote!r} occurs once in the {side}", "Leave it blank."),
        "which": ("{quote!r} occurs {times} times in the {side}", "Say which in {header}: a number from 1 to {times}."),
        "not there": ("{quote!r} does not stand in the {side}", "Copy the words from the text, exactly."),
        "not there, near": (
            "{quote!r} does not stand in the {side}",
            "Copy the words from the text, exactly. Near it: {near!r}.",
        ),
        "edit added": ("edit {edit} was added", "Remove it: the edits are fixed at this stage."),
        "edit changed": (
            "edit {edit} was changed",
            "Operation, spans and parent are fixed at this stage: put them back.",
        ),
        "edit gone": (
            "edit {edits} of item {item} is gone",
            "Put back what was removed: the edits are fixed at this stage.",
        ),
        "edits gone": (
            "edits {edits} of item {item} are gone",
            "Put back what was removed: the edits are fixed at this stage.",
        ),
        "source": ("source", ""),
        "rewrite": ("rewrite", ""),
        "edits": ("edits", ""),
    },
    "es": {
        "edit twice": ("la edición {edit} de este par está también en la fila {above}", "Dale otro número."),
        "no such pair": (
            "no hay ningún par con el número «{number}»",
            "Usa un número de 1 a {last}, como en la hoja «{sheet}».",
        ),
        "no pair": (
            "esta edición no dice a qué par pertenece",
            "Usa un número de 1 a {last}, como en la hoja «{sheet}».",
        ),
        "no such operation": ("no hay ninguna operación «{said}»", "Usa una de {labels}."),
        "no operation": ("esta edición no tiene operación", "Usa una de {labels}."),
        "nth": (
            "{header} es «{said}»",
            "Escribe qué aparición es, 1 para la primera; para varios tramos, números unidos por //.",
        ),
        "nth beyond": (
            "{header} es {rank}, pero «{quote}» aparece {times} veces en {side}",
            "Usa un número de 1 a {times} o déjala vacía.",
        ),
        "nth beyond one": ("{header} es {rank}, pero «{quote}» aparece una vez en {side}", "Déjala vacía."),
        "which": ("«{quote}» aparece {times} veces en {side}", "Di cuál en {header}: un número de 1 a {times}."),
        "not there": ("«{quote}» no está en {side}", "Copia las palabras del texto, exactamente."),
        "not there, near": (
            "«{quote}» no está en {side}",
            "Copia las palabras del texto, exactamente. Parecida: «{near}».",
        ),
        "edit added": ("la edición {edit} se añadió", "Quítala: las ediciones son fijas en esta etapa."),
        "edit changed": (
            "la edición {edit} se cambió",
            "La operación, los tramos y a qué pertenece son fijos en esta etapa: vuelve a ponerlos.",
        ),
        "edit gone": (
            "falta la edición {edits} del ítem {item}",
            "Vuelve a poner lo que se quitó: las ediciones son fijas en esta etapa.",
        ),
        "edits gone": (
            "faltan las ediciones {edits} del ítem {item}",
            "Vuelve a poner lo que se quitó: las ediciones son fijas en esta etapa.",
        ),
        "source": ("el original", ""),
        "rewrite": ("la reescritura", ""),
        "edits": ("ediciones", ""),
        "rule:duplicate_edit": ("la edición {edit} está dos veces", "Numera las ediciones de forma distinta."),
        "rule:operation": (
            "la edición {edit} no puede ser así con su operación",
            "Corrige la operación, o las respuestas que ella fija.",
        ),
        "rule:span": (
            "las palabras de la edición {edit} no están bien marcadas",
            "Copia las del lado que pide la operación, cada palabra una vez.",
        ),
        "rule:constituents": (
            "la edición {edit} se compone de partes: faltan, o se respondió por una de ellas",
            "Añade las ediciones de las que se compone y responde por el conjunto.",
        ),
        "rule:parent": ("la edición {edit} no puede ser parte de esa", "Corrige a qué edición pertenece."),
        "rule:unknown_question": ("la edición {edit} responde algo que aquí no se pregunta", "Quita la respuesta."),
    },
}


class StructureWords:
    """Messages about a sheet in its language; English where it is another than ours."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._edits = _EDITS.get(language.split("-", maxsplit=1)[0], _EDITS["en"])
        self.translated = self._edits is not _EDITS["en"]

    def __call__(self, name: str, /, **values: Any) -> Told:
        """What is wrong and how to mend it."""
        what, fix = self._edits[name] if name in self._edits else _SHEETS[name]
        return Told(*(on_sheet(text, self._language).format(**values) for text in (what, fix)))

    def word(self, name: str) -> str:
        """A single word."""
        return self._edits[name][0]

    def of_edit(self, rule: str, edit: str) -> Told | None:
        """What the rules say of an edit, where their own words, which are English, are not in the sheet's language."""
        return self(f"rule:{rule}", edit=edit) if f"rule:{rule}" in self._edits else None
