"""Drawing outputs for a comparison: so many a cell, the same sentences, mixed under keys that tell nothing."""

from collections import Counter

from rubrica.prepare.comparison import Output, draw

SYSTEMS = ("rules", "copy")


def outputs(sentences: int) -> list[Output]:
    """Two data sets, two systems and two people's rewrites of each sentence; one system lacks the last sentence."""
    found = []
    for dataset in ("wiki", "contracts"):
        for number in range(sentences):
            source = f"{dataset} {number}"
            made = [system for system in SYSTEMS if not (system == "copy" and number == sentences - 1)]
            found += [Output(dataset, system, source, f"{source} by {system}") for system in made]
            found += [Output(dataset, "human", source, f"{source} by {name}", name) for name in ("ana", "ben")]
    return found


def test_each_cell_has_so_many_and_the_same_sentences():
    """Every data set and system gets the number asked for, and the systems of a data set the same sentences."""
    found = draw(outputs(30), 10, 3)
    cells = Counter((one.output.dataset, one.output.system) for one in found.items)
    assert set(cells.values()) == {10}
    assert len(cells) == 6
    assert not found.short
    for dataset in ("wiki", "contracts"):
        here = {
            system: {one.output.source for one in found.items if one.output[:2] == (dataset, system)}
            for system in (*SYSTEMS, "human")
        }
        assert len({frozenset(sources) for sources in here.values()}) == 1


def test_it_is_blind_mixed_and_repeatable():
    """Keys and order do not follow systems; the same seed draws the same, another one draws others."""
    one, same, other = (draw(outputs(30), 10, seed) for seed in (3, 3, 4))
    assert one == same
    assert one.items != other.items
    assert [item.key for item in one.items] == [f"c{number:03}" for number in range(1, 61)]
    systems = [item.output.system for item in one.items]
    assert systems != sorted(systems)


def test_every_human_rewrite_is_a_reference():
    """An item carries all that people made of its sentence, its own text included: scoring leaves that out."""
    for one in draw(outputs(5), 5, 1).items:
        assert set(one.references) == {f"{one.output.source} by ana", f"{one.output.source} by ben"}


def test_a_cell_with_too_few_sentences_is_told():
    """What there is is taken, and the cell is named."""
    found = draw(outputs(5), 5, 1)
    assert found.short == [("contracts", "copy"), ("wiki", "copy")]
    assert found.cells["wiki", "copy"] == 4
