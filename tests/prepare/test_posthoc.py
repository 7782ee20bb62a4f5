"""Drawing outputs of the best systems of a lexical shared task: ties, a common sample, credits, fates."""

from rubrica.prepare.posthoc import Choices, Instance, Judged, best, draw

SCORES = {"d": 0.2, "a": 0.5, "c": 0.2, "b": 0.4, "e": 0.1}
SYSTEMS = ("a", "b", "c")


def _drawn(outputs: dict[str, list[str]], **choices: object) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What is judged of one instance: substitute, systems, systems that are left out; by substitute."""
    found = draw([Instance("1", "big", outputs)], SYSTEMS, Choices(1, **choices), lambda _, word: f"A {word} dog.")  # type: ignore[arg-type]
    return sorted(one[2:] for one in found.items)


def test_systems_tied_at_the_last_place_are_all_taken_or_the_first_by_name():
    """With three places, two share the third: both are judged by default, and who is passed over is told otherwise."""
    every, first = best(SCORES, 3), best(SCORES, 3, "first")
    assert [(one.system, one.place) for one in every.picked] == [("a", 1), ("b", 2), ("c", 3), ("d", 3)]
    assert (every.tied, every.passed_over) == (["c", "d"], [])
    assert [one.system for one in first.picked] == ["a", "b", "c"]
    assert (first.tied, first.passed_over) == (["c", "d"], ["d"])


def test_a_tie_that_has_room_is_none():
    """Fewer systems than places, or a tie within the places, cuts nobody off."""
    assert best(SCORES, 4).tied == []
    assert len(best(SCORES, 9).picked) == 5
    assert best({}, 5).picked == []


def test_the_same_output_is_judged_once_and_credited_to_all():
    """Outputs that make the same sentence are one item; the others are items of their own."""
    found = _drawn({"a": ["large", "huge"], "b": ["huge"], "c": ["large"]})
    assert found == [("huge", ("b",), ()), ("large", ("a", "c"), ())]
    both = _drawn({"a": ["large", "huge"], "b": ["huge"], "c": ["large"]}, first=2)
    assert both == [("huge", ("a", "b"), ()), ("large", ("a", "c"), ())]


def test_the_fate_of_empty_outputs():
    """Left out and named with the others' items, or judged as the word unchanged."""
    given = {"a": ["large"], "b": []}
    assert _drawn(given) == [("large", ("a",), ("b", "c"))]
    assert _drawn(given, empty="unchanged") == [("big", ("b", "c"), ()), ("large", ("a",), ())]


def test_the_fate_of_several_words():
    """Judged like any other, left out, or passed over in favour of the next word."""
    given = {"a": ["very large", "huge"], "b": ["large"], "c": ["so very big"]}
    assert [one[:2] for one in _drawn(given)] == [("large", ("b",)), ("so very big", ("c",)), ("very large", ("a",))]
    assert _drawn(given, several_words="leave-out") == [("large", ("b",), ("a", "c"))]
    assert _drawn(given, several_words="next") == [("huge", ("a",), ("c",)), ("large", ("b",), ("c",))]


def _many(seed: int) -> list[Judged]:
    instances = [Instance(str(n), "big", {one: [f"{one}{n}"] for one in SYSTEMS} if n % 5 else {}) for n in range(40)]
    found = draw(instances, SYSTEMS, Choices(10, seed=seed), lambda place, word: f"{place} {word}")
    assert found.sample == sorted({one.instance for one in found.items})
    assert all(fates.judged == 10 for fates in found.fates.values())
    assert not any(place % 5 == 0 for place in found.sample)
    return found.items


def test_the_sample_is_common_blind_mixed_and_repeatable():
    """All systems are judged on the same instances, in an order that follows none of them; a seed draws the same."""
    one, same, other = _many(3), _many(3), _many(4)
    assert one == same
    assert one != other
    assert [item.key for item in one[:2]] == ["p001", "p002"]
    assert len({item.systems for item in one[:6]}) > 1
    assert [item.instance for item in one] != sorted(item.instance for item in one)


def test_what_became_of_outputs_is_counted_for_each_system():
    """Judged, shared with others, of several words, unchanged, left out."""
    instances = [
        Instance("1", "big", {"a": ["large"], "b": ["large"], "c": ["so big"]}),
        Instance("2", "old", {"a": ["aged"], "b": []}),
    ]
    found = draw(instances, SYSTEMS, Choices(2), lambda place, word: f"{place} {word}")
    assert {name: tuple(fates) for name, fates in found.fates.items()} == {
        "a": (2, 1, 0, 0, 0),
        "b": (1, 1, 0, 0, 1),
        "c": (1, 0, 1, 0, 1),
    }
