"""The section that compares systems: who is ahead, which differences hold, and the tables behind it."""

from __future__ import annotations

import csv
import io

import attrs
import pytest

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import ORDINAL, SCALE, Criterion, Rater, Rating, Ratings, Unit
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from rubrica.report.figures import Figures
from rubrica.report.sections.comparison import comparison
from rubrica.report.sections.results import results
from rubrica.report.sections.section import Choices, Paragraph, Section, Subject
from rubrica.report.tables import Table, as_csv

MARKS = tuple(Criterion(name, name.capitalize(), SCALE, ORDINAL, (1, 2, 3), 3) for name in ("sense", "style"))
SOURCES = 8


def rated(marks: dict[str, tuple[int, int]], dataset: str = "", sources: int = SOURCES) -> Ratings:
    """Every system with the same two marks on every source."""
    names = [f"{dataset}{number}" for number in range(sources)]
    units = {f"{name}/{system}": Unit(f"{name}/{system}", system, name, dataset) for name in names for system in marks}
    every = tuple(
        Rating(key, "x", {"sense": marks[unit.system][0], "style": marks[unit.system][1]})
        for key, unit in reversed(units.items())
    )
    return Ratings("made", MARKS, every, units, {"x": Rater("x")}, {"file": "made.csv"})


def section_of(ratings: Ratings) -> Section:
    """The section on systems, quickly."""
    return comparison(Figures(Subject(ratings=ratings, choices=Choices(replicates=20))))


def prose(section: Section) -> str:
    """All paragraphs of a section."""
    return " ".join(part.text for part in section.parts if isinstance(part, Paragraph))


def table_of(section: Section, name: str) -> Table:
    """The table with this id."""
    return next(table for table in section.tables if table.id == name)


def test_systems_that_share_an_end_are_all_named() -> None:
    """Two systems with the highest mark are both ahead, and the one with the lowest is last."""
    said = prose(section_of(rated({"a": (3, 2), "b": (3, 2), "c": (1, 2)})))
    assert "The systems a and b have the highest and c the lowest mean Sense (3.00 and 1.00)" in said
    assert "all systems are equal in mean Style (2.00)" in said


def test_figures_with_the_same_systems_ahead_are_told_together() -> None:
    """One sentence for both questions; a difference says between whom and by how much."""
    said = prose(section_of(rated({"a": (1, 1), "b": (3, 2)})))
    assert "The system b has the higher mean Sense (3.00 against 1.00) and mean Style (2.00 against 1.00)." in said
    assert "Two of two tested differences hold" in said
    assert "b over a in mean Sense (by 2.00) and mean Style (by 1.00)." in said


def test_what_is_written_alike_is_no_finding() -> None:
    """Means of 2.190 and 2.194 are both 2.19: nobody has the higher one, and both are set in bold."""
    marked = {"a": [3] * 19 + [2] * 81, "b": [3] * 97 + [2] * 403}
    units = {
        f"{number}/{system}": Unit(f"{number}/{system}", system, str(number))
        for system, marks in marked.items()
        for number in range(len(marks))
    }
    every = tuple(
        Rating(f"{number}/{system}", "x", {"sense": mark, "style": 1})
        for system, marks in marked.items()
        for number, mark in enumerate(marks)
    )
    found = section_of(Ratings("made", MARKS, every, units, {"x": Rater("x")}, {"file": "made.csv"}))
    assert "higher mean Sense" not in prose(found)
    assert "All systems are about equal in mean Sense (2.19)" in prose(found)
    assert {row for row, _ in table_of(found, "comparison").best} == {0, 1}


def test_differences_say_on_which_data_set_they_are() -> None:
    """The same pair may differ on one data set and not on another."""
    news, laws = rated({"a": (1, 1), "b": (3, 1)}, "news"), rated({"a": (2, 1), "b": (2, 1)}, "laws")
    said = prose(section_of(attrs.evolve(news, every=(*news.every, *laws.every), units={**news.units, **laws.units})))
    assert "On news, b has the higher mean Sense (3.00 against 1.00); all systems are equal in mean Style" in said
    assert "on news b over a in mean Sense (by 2.00)." in said


def test_data_sets_of_nearly_the_same_name_have_files_of_their_own() -> None:
    """Signs that no file may have are in no name of a file, nor are names too long for one."""
    one, other = rated({"a": (1, 1), "b": (3, 1)}, "x/y"), rated({"a": (2, 1), "b": (2, 1)}, "x y" + 300 * "z")
    found = section_of(attrs.evolve(one, every=(*one.every, *other.every), units={**one.units, **other.units}))
    names = [table.id for table in found.tables if table.id.startswith("comparison_intervals")]
    assert names == ["comparison_intervals_1", "comparison_intervals_2"]


def test_systems_come_in_the_order_of_the_items() -> None:
    """Ratings came in from the last item to the first; the order of systems is that of the items all the same."""
    ratings = rated({"b": (1, 1), "c": (2, 2), "a": (3, 3)})
    assert ratings.systems == ("b", "c", "a")
    assert [column.title for column in table_of(section_of(ratings), "comparison_intervals").columns[2:]] == [
        *("b", "c", "a")
    ]


def test_files_of_the_comparison_have_every_digit() -> None:
    """A third of the sources has the highest mark: 33.33…% in the file, 33.3 on the page, its interval in columns."""
    ratings = rated({"a": (3, 1), "b": (1, 1)}, sources=3)
    spoilt = [attrs.evolve(one, answers={"sense": 1}) if one.unit in ("1/a", "2/a") else one for one in ratings.every]
    found = section_of(ratings.of(spoilt))
    rows = list(csv.DictReader(io.StringIO(as_csv(table_of(found, "comparison_intervals")))))
    top = next(row for row in rows if row["figure"] == "Sense = 3")
    assert float(top["system.a"]) == pytest.approx(100 / 3, abs=1e-12)
    assert {"system.a_low", "system.a_high"} <= set(top)
    tests = list(csv.DictReader(io.StringIO(as_csv(table_of(found, "comparison_tests")))))
    assert float(tests[0]["difference"]) == pytest.approx(2 / 3, abs=1e-12)
    assert table_of(found, "comparison_figures").rows


def test_a_review_has_a_column_for_each_system() -> None:
    """Of two BrevE ratings of system a one pair is identical; b was accepted once of two times."""
    loaded = load_shipped("breve").protocol.resolve({})
    same: dict[str, Answer] = {"acceptance": NOT_APPLICABLE, "concern": "no", "needed": "no"}
    rows: list[tuple[str, str, dict[str, Answer]]] = [
        ("1", "a", same),
        ("2", "a", {"acceptance": "accept", "concern": "no", "needed": "yes"}),
        ("1", "b", {"acceptance": "reject", "severity": 2, "concern": "yes", "needed": "yes"}),
        ("2", "b", {"acceptance": "accept", "concern": "no", "needed": "yes"}),
    ]
    units = {f"{source}/{system}": Unit(f"{source}/{system}", system, source) for source, system, _ in rows}
    every = tuple(Rating(f"{source}/{system}", "x", answers) for source, system, answers in rows)
    ratings = Ratings("made", criteria_of(loaded), every, units, {"x": Rater("x")}, protocol=loaded)
    made = results(Figures(Subject(ratings=ratings, protocol=loaded, choices=Choices(replicates=0))))
    table = table_of(made, "review")
    assert [column.title for column in table.columns] == ["Figure", "Unit", "a", "b"]
    found = {row["figure"]: row for row in csv.DictReader(io.StringIO(as_csv(table)))}
    assert (found["identical pairs"]["system.a"], found["identical pairs"]["system.b"]) == ("50.0", "0.0")
    accepted = next(row for name, row in found.items() if name.lower() == "acceptance: accept")
    assert (accepted["unit"], accepted["system.a"], accepted["system.b"]) == ("%", "100.0", "50.0")
    # Ratings without texts have a report all the same.
    assert "cannot be said: items have no text 'source'" in prose(made)
