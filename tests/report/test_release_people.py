"""What a release tells of those who annotated: ranges and categories that three people share, ids that tell nothing."""

from __future__ import annotations

from rubrica.report.release_people import Person, annotators_csv, categories, ids, ranges


def test_numbers_are_ranges_of_three_people() -> None:
    """Neighbours together; the last ones join the range before; nothing of fewer than three people."""
    # Sorted: 18 19 19 | 25 30 31, and 60, which would stand alone, joins the range before it.
    said = [30, 18, 60, 19, 25, 19, 31, None]
    assert ranges(said) == ["25-60", "18-19", "25-60", "18-19", "25-60", "18-19", "25-60", ""]
    assert ranges([20, 20, 20, 40, 41]) == ["20-41"] * 5
    assert ranges([20, 20, 20, 40, 41, 42]) == ["20", "20", "20", "40-42", "40-42", "40-42"]
    assert ranges([20, 30, None]) == ["", "", ""]


def test_rare_categories_are_put_together_or_withheld() -> None:
    """Three rare ones are "other"; two stay blank, as do those who did not say."""
    assert categories(["es", "es", "es", "fr", "de", "it"]) == ["es", "es", "es", "other", "other", "other"]
    assert categories(["es", "es", "es", "fr", "de", None]) == [""] * 6
    assert categories([True, True, True, False]) == [""] * 4
    assert categories([True, True, True, False, False, False, None]) == ["yes"] * 3 + ["no"] * 3 + [""]


def test_ids_are_of_each_task_unless_asked_for() -> None:
    """With it, a person is known by identity or by the name that the researcher gave; without, nobody can be."""
    tasks = {
        "lcp": [Person("ana", "x"), Person("ben", "")],
        "ls": [Person("anna", "x"), Person("ben", ""), Person("eva", "y")],
    }
    apart = ids(tasks, same=False)
    assert set(apart["lcp"].values()) == {"lcp-1", "lcp-2"}
    assert set(apart["ls"].values()) == {"ls-1", "ls-2", "ls-3"}
    same = ids(tasks, same=True)
    assert same["lcp"]["ana"] == same["ls"]["anna"]
    assert same["lcp"]["ben"] == same["ls"]["ben"]
    assert len({*same["lcp"].values(), *same["ls"].values()}) == 3


def test_numbers_follow_neither_names_nor_the_other_task() -> None:
    """The same twelve people in both tasks: each task deals its own numbers, by secret identities."""
    people = [Person(f"name{n:02}", f"secret{n}") for n in range(12)]
    found = ids({"lcp": people, "ls": people}, same=False, seed=4)
    orders = {task: [int(own[one.name].rpartition("-")[2]) for one in people] for task, own in found.items()}
    assert sorted(orders["lcp"]) == sorted(orders["ls"]) == list(range(1, 13))
    assert orders["lcp"] != orders["ls"]
    assert list(range(1, 13)) not in orders.values()
    assert found == ids({"lcp": people[::-1], "ls": people}, same=False, seed=4)
    other_home = [one._replace(identity=f"other{one.name}") for one in people]
    assert ids({"lcp": other_home}, same=False, seed=4)["lcp"] != found["lcp"]


def test_only_people_whose_consent_covers_it_are_listed() -> None:
    """And none of them by name."""
    people = [Person(f"name{n}", "", {"age": 20, "native_speaker": True}) for n in range(3)] + [Person("silent", "")]
    text = annotators_csv({"ls": people}, ids({"ls": people}, same=False), same=False)
    lines = text.splitlines()
    assert lines[0].startswith("task,annotator,age,education_years,")
    assert len(lines) == 4
    assert lines[1].startswith("ls,ls-1,20,")
    assert "name" not in text.replace("annotator", "")


def test_a_person_with_one_id_stands_in_the_same_ranges_in_both_tasks() -> None:
    """38-49 of one task and 45-57 of the other would together say 45 to 49."""
    people = [Person(f"name{n}", f"x{n}", {"age": 20 + 4 * n}) for n in range(8)]
    tasks = {"lcp": people[:6], "ls": people[2:]}
    rows = annotators_csv(tasks, ids(tasks, same=True), same=True).splitlines()[1:]
    shown: dict[str, set[str]] = {}
    for row in rows:
        shown.setdefault(row.split(",")[1], set()).add(row.split(",")[2])
    assert len(shown) == 8
    assert {len(ranges) for ranges in shown.values()} == {1}
