"""What is wrong with a sheet itself (columns, rows, cells, its list of edits), in the sheet's language.

Each message is what is wrong and how to mend it. What is said of a file before its language is known stays English.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Told(NamedTuple):
    """What is wrong, and the fix."""

    what: str
    fix: str


_WORDS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "merged": ("these cells are merged", "Unmerge them and fill in each cell."),
        "formula": ("this cell holds a formula", "Type the value itself."),
        "error": ("this cell holds an error value", "Type the value itself."),
        "changed": ("the text of {header!r} was changed", "Put back: {text}"),
        "no header": (
            "row 1 is not the header any more",
            "Put the header back into row 1, without rows above it, or start from the sheet as it was written.",
        ),
        "doubled": ("the column {header!r} stands {times} times", "Remove the copy."),
        "gone": (
            "the column {header!r} is gone or was renamed",
            "Put it back with its header in row 1, or start from the sheet as it was written.",
        ),
        "gone, others": (
            "the column {header!r} is gone or was renamed",
            "Put it back with its header in row 1, or start from the sheet as it was written. "
            "Row 1 has {others} instead.",
        ),
        "format": (
            "this sheet has the format {found!r}, this Rubrica reads {wanted!r}",
            "Write the sheet again with this version.",
        ),
        "another sheet": (
            "this is another sheet ({whose!r} in {where!r}), not the one of {annotator!r} in {study!r}",
            "Read it as the sheet that it is.",
        ),
        "another version": (
            "this sheet asks another version of {protocol}",
            "Write the sheet again: its questions have changed.",
        ),
        "sheet gone": ("the sheet {name!r} is gone or was renamed; there are {there}", "Name it {name!r} again."),
        "other row": ("this row belongs to another sheet (its id is {id})", "Remove the row."),
        "added row": ("this row was added", "Remove the row."),
        "copied row": ("this row is a copy of row {above}", "Remove one of the two."),
        "row gone": ("a row is gone (item {items})", "Put back what was removed; a row without answers is fine."),
        "rows gone": (
            "{missing} of {rows} rows are gone (items {items})",
            "Put back what was removed; a row without answers is fine.",
        ),
        "way out and answers": (
            "{header}: {way!r} is chosen, but there are answers too ({named})",
            "Remove the answers, or what stands there.",
        ),
        "way out": ("{header}: {text!r} is not on the list", "Use one of: {labels}."),
        "tick": ("{header} is {text!r}", "Mark it with x or leave it blank."),
        "done": ("{header} is {text!r}", "Use x."),
        "other study": ("this sheet belongs to another study ({name!r}), not to {study!r}", ""),
        "unknown sheet": (
            "this study has no record of having written this sheet",
            "Write the sheet again and copy the answers into it.",
        ),
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
        "merged": ("estas celdas están combinadas", "Sepáralas y rellena cada una."),
        "formula": ("esta celda contiene una fórmula", "Escribe el valor mismo."),
        "error": ("esta celda contiene un valor de error", "Escribe el valor mismo."),
        "changed": ("el texto de «{header}» se cambió", "Vuelve a poner: {text}"),
        "no header": (
            "la fila 1 ya no es el encabezado",
            "Vuelve a poner el encabezado en la fila 1, sin filas encima, o parte de la hoja tal como se entregó.",
        ),
        "doubled": ("la columna «{header}» está {times} veces", "Quita la copia."),
        "gone": (
            "la columna «{header}» falta o cambió de nombre",
            "Vuelve a ponerla con su encabezado en la fila 1, o parte de la hoja tal como se entregó.",
        ),
        "gone, others": (
            "la columna «{header}» falta o cambió de nombre",
            "Vuelve a ponerla con su encabezado en la fila 1, o parte de la hoja tal como se entregó. "
            "En la fila 1 está {others} en su lugar.",
        ),
        "format": (
            "esta hoja tiene el formato {found}; este Rubrica lee el {wanted}",
            "Vuelve a crear la hoja con esta versión.",
        ),
        "another sheet": (
            "esta es otra hoja («{whose}» en «{where}»), no la de «{annotator}» en «{study}»",
            "Entrégala como la hoja que es.",
        ),
        "another version": (
            "esta hoja pregunta otra versión de {protocol}",
            "Vuelve a crear la hoja: sus preguntas han cambiado.",
        ),
        "sheet gone": ("la hoja «{name}» falta o cambió de nombre; están {there}", "Vuelve a llamarla «{name}»."),
        "other row": ("esta fila es de otra hoja (su id es {id})", "Quita la fila."),
        "added row": ("esta fila se añadió", "Quita la fila."),
        "copied row": ("esta fila es una copia de la fila {above}", "Quita una de las dos."),
        "row gone": (
            "falta una fila (ítem {items})",
            "Vuelve a poner lo que se quitó; una fila sin respuestas está bien.",
        ),
        "rows gone": (
            "faltan {missing} de {rows} filas (ítems {items})",
            "Vuelve a poner lo que se quitó; una fila sin respuestas está bien.",
        ),
        "way out and answers": (
            "{header}: se eligió «{way}», pero también hay respuestas ({named})",
            "Quita las respuestas o lo que está ahí.",
        ),
        "way out": ("{header}: «{text}» no está en la lista", "Usa una de estas: {labels}."),
        "tick": ("{header} es «{text}»", "Márcala con x o déjala vacía."),
        "done": ("{header} es «{text}»", "Usa x."),
        "other study": ("esta hoja es de otro estudio («{name}»), no de «{study}»", ""),
        "unknown sheet": (
            "este estudio no tiene constancia de haber creado esta hoja",
            "Vuelve a crear la hoja y copia en ella las respuestas.",
        ),
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
        self._words = _WORDS.get(language.split("-", maxsplit=1)[0], _WORDS["en"])
        self.translated = self._words is not _WORDS["en"]

    def __call__(self, name: str, /, **values: Any) -> Told:
        """What is wrong and how to mend it."""
        what, fix = self._words[name]
        return Told(what.format(**values), fix.format(**values))

    def word(self, name: str) -> str:
        """A single word."""
        return self._words[name][0]

    def of_edit(self, rule: str, edit: str) -> Told | None:
        """What the rules say of an edit, where their own words, which are English, are not in the sheet's language."""
        return self(f"rule:{rule}", edit=edit) if f"rule:{rule}" in self._words else None
