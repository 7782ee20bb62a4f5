"""Materials: what was judged. Items, systems, data sets, and how long the texts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from rubrica.core.ratings import Unit
from rubrica.core.stage_settings import annotations_needed
from rubrica.core.texts import shown
from rubrica.exchange.study_options import AS_THEY_COME
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, listed, of, sentence
from rubrica.report.sections.section import Paragraph, Part, Section, Subject
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Table
from rubrica.stats.statistic import Statistic

NO_SYSTEM, WHOLE_STUDY = "(no system named)", "all items"


def system_name(system: str, systems: Collection[str]) -> str:
    """What a system is called in a table; items without one are all items where no other has one."""
    return system or (NO_SYSTEM if any(systems) else WHOLE_STUDY)


def materials(figures: Figures) -> Section:
    """What was judged, judged or not yet."""
    subject = figures.subject
    units = plain_units(subject)
    if not units:
        return Section("materials", "Materials", (Paragraph("The study has no items yet.", "empty"),))
    tables = (*_collected(subject), _by_system(subject, units), _lengths(subject, units))
    return Section("materials", "Materials", (*_prose(subject, units), *tables))


def _collected(subject: Subject) -> list[Table]:
    """What became of the sentences, where people wrote about them and others judged what they wrote."""
    found = subject.facts.collected if subject.facts else None
    if found is None:
        return []
    rows: list[tuple[Cell, ...]] = [
        ("given", found.sentences),
        ("handed on to those who judge", found.handed_on),
        ("discarded because enough writers flagged them", found.discarded),
        ("left out by a researcher", found.left_out),
        ("waiting for writers", found.waiting),
        (f"settled with fewer than {found.places} texts", len(found.short)),
    ]
    columns = (Column("sentences", "Sentences"), Column("number", "Number", WHOLE))
    when = "as they come in" if _at_once(subject) else "when it is settled"
    note = (
        f"Texts handed on: {found.texts:,}; skipped by writers: {found.skips:,}. A sentence's texts are judged {when}, "
        "by other people than the writers."
    )
    signed = subject.ratings.sign(table="collected")
    return [Table("collected", "From writers to judges", columns, tuple(rows), note, signed)]


def _at_once(subject: Subject) -> bool:
    return bool(subject.facts and subject.facts.options.hand_on == AS_THEY_COME)


def plain_units(subject: Subject) -> Sequence[Unit]:
    """Everything that was to be judged; planted items are none of it."""
    if subject.facts:
        return subject.facts.items
    planted = {rating.unit for rating in subject.ratings.every if rating.planted}
    return [unit for key, unit in subject.ratings.units.items() if key not in planted]


def _prose(subject: Subject, units: Sequence[Unit]) -> list[Part]:
    judged = {rating.unit for rating in subject.ratings.counted}
    systems = [name for name in dict.fromkeys(name for unit in units for name in unit.credited) if name]
    datasets = [name for name in dict.fromkeys(unit.dataset for unit in units) if name]
    sources = len({unit.source for unit in units})
    reached = sum(unit.key in judged for unit in units)
    first = f"The material is {counted(len(units), 'item')}"
    if systems:
        first += f", made by {counted(len(systems), 'system')} ({listed(systems)})"
    if datasets:
        first += f", from {counted(len(datasets), 'data set')} ({listed(datasets)})"
    same = f" They rest on {counted(sources, 'different source text')}." if sources < len(units) else ""
    stages = len(subject.facts.stages) if subject.facts else 1
    at = f" at the stage {subject.facts.stage}" if subject.facts and stages > 1 else ""
    done = (
        f"Every item has at least one judgement{at}."
        if reached == len(units)
        else f"{of(reached, len(units), 'item')} {'has' if reached == 1 else 'have'} at least one judgement{at} so far."
    )
    found: list[Part] = [Paragraph(f"{first}.{same} {done}")]
    if not systems:
        found.append(Paragraph("No system is named with the items, so results are for all of them together."))
    ethics = subject.facts.options.ethics if subject.facts else None
    if ethics and (ethics.sources or ethics.licence):
        said = [f"Sources, as the researchers describe them: {ethics.sources}" if ethics.sources else ""]
        said.append(f"Licence: {ethics.licence}" if ethics.licence else "")
        found.append(Paragraph(" ".join(f"{one.rstrip('.')}." for one in said if one)))
    if told := readers(subject):
        found.append(Paragraph(f"{sentence(told)}."))
    return found + _too_few(subject, units)


def readers(subject: Subject) -> str:
    """Whom the texts are for and what they are, as recorded with the study; empty if nothing is."""
    about = subject.facts.options.about.model_dump() if subject.facts else {}
    return "; ".join(f"{name.replace('_', ' ')}: {text.rstrip('.')}" for name, text in about.items() if text)


def _too_few(subject: Subject, units: Sequence[Unit]) -> list[Part]:
    """Words with fewer annotations than the lexical guideline asks for."""
    main = subject.facts.main if subject.facts else None
    needed = annotations_needed(main.protocol, main.step) if main else 0
    said = Counter(rating.unit for rating in subject.ratings.counted)
    few = [said[unit.key] for unit in units if said[unit.key] < needed]
    if not few:
        return []
    words = of(len(few), len(units), "word")
    verb = "has" if len(few) == 1 else "have"
    text = f"{words} {verb} fewer than {needed} annotations (fewest: {min(few)}): the guideline asks for {needed}."
    return [Paragraph(text, finding=True)]


def _by_system(subject: Subject, units: Sequence[Unit]) -> Table:
    said = Counter(rating.unit for rating in subject.ratings.counted)
    with_data = any(unit.dataset for unit in units)
    systems = {name for unit in units for name in unit.credited}
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        for name in unit.credited:
            groups.setdefault((unit.dataset, system_name(name, systems)), []).append(unit)
    rows = [_row(key, members, said, with_data) for key, members in groups.items()]
    if len(groups) > 1:
        rows.append(_row(("all", "all"), units, said, with_data))
    columns = [Column("dataset", "Data set")] if with_data else []
    columns += [
        Column("system", "System"),
        Column("items", "Items", WHOLE),
        Column("judged", "Judged", WHOLE),
        Column("judgements", "Judgements", WHOLE),
        Column("per_item", "Judgements per judged item", DECIMAL),
    ]
    signed = subject.ratings.sign(table="items")
    note = "Planted items are not counted." if _planted(subject) else ""
    return Table("items", "Items and judgements by system", tuple(columns), tuple(rows), note, signed)


def _row(key: tuple[str, str], units: Sequence[Unit], said: Counter[str], with_data: bool) -> tuple[Cell, ...]:
    dataset, system = key
    judged = [unit for unit in units if said[unit.key]]
    total = sum(said[unit.key] for unit in units)
    mean = Statistic(total / len(judged)) if judged else Statistic(None, "no item was judged")
    cells: tuple[Cell, ...] = (system, len(units), len(judged), total, mean)
    return (dataset or "(none)", *cells) if with_data else cells


def _planted(subject: Subject) -> bool:
    return any(rating.planted for rating in subject.ratings.every)


def _lengths(subject: Subject, units: Sequence[Unit]) -> Table:
    """Words of each text, by spaces: a word count that anybody can make again."""
    labels = {field.id: shown(field.label, "en") for field in subject.protocol.fields} if subject.protocol else {}
    names = list(dict.fromkeys(name for unit in units for name in unit.texts))
    rows = []
    for name in names:
        words = [len(unit.texts[name].split()) for unit in units if unit.texts.get(name)]
        different = len({unit.texts[name] for unit in units if unit.texts.get(name)})
        rows.append((labels.get(name, name), different, *_spread(words)))
    columns = (
        Column("text", "Text"),
        Column("different", "Different texts", WHOLE),
        Column("median", "Words, median", DECIMAL, 0),
        Column("first_quartile", "1st quartile", DECIMAL, 0),
        Column("third_quartile", "3rd quartile", DECIMAL, 0),
        Column("least", "Fewest", WHOLE),
        Column("most", "Most", WHOLE),
    )
    note = "Words are what stands between spaces; an item that shares a text with another counts again."
    return Table("lengths", "Length of the texts", columns, tuple(rows), note, subject.ratings.sign(table="lengths"))


def _spread(numbers: Iterable[int]) -> tuple[Cell, ...]:
    values = np.array(list(numbers), dtype=float)
    if not values.size:
        nothing = Statistic(None, "no item has this text")
        return (nothing,) * 5
    low, middle, high = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    return (middle, low, high, int(values.min()), int(values.max()))
