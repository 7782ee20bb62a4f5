"""Dealing and arranging: the promises that hold for every study, whatever its size and seed."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.assignment import MINIMUM_GAP, Want, arrange, deal, owed, pick, planted_due, sheets, within

SEEDS = st.integers(0, 10_000)
PEOPLE = st.integers(1, 6).map(lambda count: [f"a{number}" for number in range(count)])


@st.composite
def wants(draw: st.DrawFn, *, groups: bool = True) -> list[Want]:
    """Items that want judgements, some of them in groups."""
    sizes = draw(st.lists(st.integers(1, 4) if groups else st.just(1), max_size=12))
    return [
        Want(f"i{group}_{number}", f"g{group}" if size > 1 else "", draw(st.integers(0, 4)))
        for group, size in enumerate(sizes)
        for number in range(size)
    ]


def anything(annotator: str, item: str) -> bool:
    """Everybody may have everything."""
    return True


@given(wants(), PEOPLE, SEEDS)
def test_overlap_is_never_exceeded_and_nobody_gets_an_item_twice(
    wanted: list[Want], people: list[str], seed: int
) -> None:
    """Each item goes to as many different people as it wants, or to everybody when there are fewer."""
    dealt = deal(wanted, people, anything, load={}, seed=seed)
    for name, groups in dealt.items():
        items = [item for group in groups for item in group]
        assert len(items) == len(set(items)), name
    given_out = Counter(item for groups in dealt.values() for group in groups for item in group)
    assert given_out == Counter({want.key: min(want.need, len(people)) for want in wanted if want.need})


@given(wants(groups=False), PEOPLE, SEEDS)
def test_work_is_shared_evenly(wanted: list[Want], people: list[str], seed: int) -> None:
    """When everybody may have everything, nobody has more than one item more than another."""
    dealt = deal(wanted, people, anything, load={}, seed=seed)
    counts = [len(groups) for groups in dealt.values()]
    assert max(counts) - min(counts) <= 1


@given(wants(groups=False), SEEDS)
def test_earlier_work_counts(wanted: list[Want], seed: int) -> None:
    """Who already has more gets nothing until the others have caught up."""
    dealt = deal([Want(want.key, "", 1) for want in wanted], ["new", "old"], anything, load={"old": 100}, seed=seed)
    assert dealt["old"] == []


@given(wants(), PEOPLE, SEEDS)
def test_groups_stay_together(wanted: list[Want], people: list[str], seed: int) -> None:
    """An annotator gets the items of a group as one group, and never two parts of it."""
    group_of = {want.key: want.group or want.key for want in wanted}
    for groups in deal(wanted, people, anything, load={}, seed=seed).values():
        owners = [{group_of[item] for item in group} for group in groups]
        assert all(len(owner) == 1 for owner in owners)
        assert len(owners) == len({next(iter(owner)) for owner in owners})


@given(st.integers(1, 5), st.integers(1, 4), PEOPLE, SEEDS)
def test_a_group_with_equal_needs_is_dealt_whole(size: int, need: int, people: list[str], seed: int) -> None:
    """When its items want the same, whoever gets one of a group gets all of it."""
    wanted = [Want(f"i{number}", "g", need) for number in range(size)]
    dealt = deal(wanted, people, anything, load={}, seed=seed)
    assert all(group == [want.key for want in wanted] for groups in dealt.values() for group in groups)
    assert sum(map(len, dealt.values())) == min(need, len(people))


@given(wants(), PEOPLE, SEEDS, st.data())
def test_only_who_may_gets_an_item(wanted: list[Want], people: list[str], seed: int, data: st.DataObject) -> None:
    """Eligibility is respected item by item, and an item goes to everybody who may have it, up to its need."""
    pairs = [(name, want.key) for name in people for want in wanted]
    allowed = {pair for pair in pairs if data.draw(st.booleans())}
    dealt = deal(wanted, people, lambda name, item: (name, item) in allowed, load={}, seed=seed)
    taken = {(name, item) for name, groups in dealt.items() for group in groups for item in group}
    assert taken <= allowed
    for want in wanted:
        eligible = sum((name, want.key) in allowed for name in people)
        assert sum(item == want.key for _, item in taken) == min(want.need, eligible)


@given(wants(groups=False), PEOPLE, SEEDS, st.integers(0, 5))
def test_room_is_respected(wanted: list[Want], people: list[str], seed: int, room: int) -> None:
    """Nobody gets more items than they have room for, and what fits is dealt."""
    places = dict.fromkeys(people[1:], room)
    dealt = deal(wanted, people, anything, load={}, room=places, seed=seed)
    counts = {name: sum(map(len, groups)) for name, groups in dealt.items()}
    assert counts[people[0]] == 0
    assert all(counts[name] <= room for name in people[1:])
    wishes = sum(min(want.need, len(people) - 1) for want in wanted)
    assert (sum(counts.values()) == 0) == (wishes == 0 or room == 0)


@given(wants(), PEOPLE, SEEDS)
def test_the_same_seed_deals_the_same(wanted: list[Want], people: list[str], seed: int) -> None:
    """A deal can be repeated."""
    assert deal(wanted, people, anything, load={}, seed=seed) == deal(wanted, people, anything, load={}, seed=seed)


def test_another_seed_deals_otherwise() -> None:
    """The order of items depends on the seed."""
    wanted = [Want(f"i{number}", "", 1) for number in range(30)]
    assert deal(wanted, ["a"], anything, load={}, seed=1) != deal(wanted, ["a"], anything, load={}, seed=2)


ORDERS = st.integers(0, 30).map(lambda count: [[f"i{number}"] for number in range(count)])


@given(ORDERS, SEEDS, st.data())
def test_duplicates_are_never_next_to_their_originals(groups: list[list[str]], seed: int, data: st.DataObject) -> None:
    """Everything is in the sequence once, and no duplicate stands beside its original."""
    items = [group[0] for group in groups]
    chosen = data.draw(st.sets(st.sampled_from(items))) if items else set()
    duplicates = {item: f"{item}_again" for item in chosen}
    gold = [[f"gold{number}"] for number in range(data.draw(st.integers(0, 3)))]
    sequence = arrange(groups, duplicates, gold, seed=str(seed))
    shown = [group[0] for group in sequence]
    alone = len(groups) + len(gold) == 1
    expected = [*items, *(name for (name,) in gold), *([] if alone else duplicates.values())]
    assert sorted(shown) == sorted(expected)
    assert not any({one, other} in [set(pair) for pair in duplicates.items()] for one, other in pairwise(shown))


@given(st.integers(2 * MINIMUM_GAP, 60), SEEDS)
def test_duplicates_are_far_away_where_there_is_room(count: int, seed: int) -> None:
    """In a long sequence a single duplicate is at least the minimum gap away from its original."""
    groups = [[f"i{number}"] for number in range(count)]
    shown = [group[0] for group in arrange(groups, {"i0": "again"}, [], seed=str(seed))]
    assert abs(shown.index("again") - shown.index("i0")) >= MINIMUM_GAP


def test_groups_are_duplicated_whole_or_not_at_all() -> None:
    """A group comes again in its own order when all its items have duplicates; otherwise nothing of it does."""
    groups = [["a1", "a2"], ["b1", "b2"], ["c1"]]
    shown = arrange(groups, {"a1": "x1", "a2": "x2", "b1": "y1"}, [], seed="s")
    assert sorted(shown) == [["a1", "a2"], ["b1", "b2"], ["c1"], ["x1", "x2"]]


def test_the_same_seed_arranges_the_same() -> None:
    """An order can be repeated, and another seed gives another."""
    groups = [[f"i{number}"] for number in range(20)]
    assert arrange(groups, {"i1": "d"}, [], seed="1") == arrange(groups, {"i1": "d"}, [], seed="1")
    assert arrange(groups, {"i1": "d"}, [], seed="1") != arrange(groups, {"i1": "d"}, [], seed="2")


@given(st.lists(st.integers(1, 5), max_size=20), st.integers(1, 8))
def test_sheets_never_tear_a_group(sizes: list[int], size: int) -> None:
    """Sheets hold the sequence in order; a group lies on one sheet, which is too long only if the group alone is."""
    sequence = [[f"{group}_{number}" for number in range(count)] for group, count in enumerate(sizes)]
    cut = sheets(sequence, size)
    assert [item for sheet in cut for item in sheet] == [item for group in sequence for item in group]
    assert all(any(set(group) <= set(sheet) for sheet in cut) for group in sequence)
    assert all(len(sheet) <= size or sheet in sequence for sheet in cut)


@pytest.mark.parametrize(("count", "size", "expected"), [(100, 100, 1), (101, 100, 2), (0, 100, 0), (3, 1, 3)])
def test_sheets_are_filled(count: int, size: int, expected: int) -> None:
    """No sheet is started before the last one is full."""
    assert len(sheets([[str(number)] for number in range(count)], size)) == expected


@given(wants(), SEEDS, st.integers(0, 5), st.data())
def test_picking_gives_whole_groups_that_one_may_have(
    wanted: list[Want], seed: int, count: int, data: st.DataObject
) -> None:
    """At most so many groups, each of one group, of items that want judgements and are allowed, none twice."""
    allowed = {want.key for want in wanted if data.draw(st.booleans())}
    chosen = pick([want for want in wanted if want.key in allowed], taken={}, count=count, seed=str(seed))
    fitting = {want.key: want.group or want.key for want in wanted if want.need and want.key in allowed}
    assert len(chosen) == min(count, len(set(fitting.values())))
    for group in chosen:
        (owner,) = {fitting[item] for item in group}
        assert group == [item for item, of in fitting.items() if of == owner]


def test_begun_work_comes_first() -> None:
    """One's own begun items, then those that most others have begun, then new ones in one's own order."""
    wanted = [Want(f"i{number}", "", 2) for number in range(20)]
    chosen = pick(wanted, taken={"i4": 2, "i5": 1}, count=20, seed="ana", first={"i9"})
    assert chosen[:3] == [["i9"], ["i4"], ["i5"]]
    other = pick(wanted, taken={"i4": 2, "i5": 1}, count=20, seed="bob", first={"i9"})
    assert chosen[:3] == other[:3]
    assert chosen != other
    assert sorted(chosen) == sorted(other)


@given(
    st.integers(0, 60),
    st.sets(st.integers(0, 59), max_size=10),
    st.integers(0, 4),
    st.integers(1, 20),
    st.integers(1, 4),
)
def test_planted_items_fall_due_as_work_goes_on(
    count: int, originals: set[int], golden: int, every: int, ahead: int
) -> None:
    """All gold and all duplicates that fit come once; no duplicate stands before or beside its original."""
    items = [f"i{number}" for number in range(count)]
    duplicates = {f"i{number}": f"i{number}_again" for number in originals if number < count}
    gold = [[f"gold{number}"] for number in range(golden)]
    had: list[list[str]] = []
    while True:
        fresh = [[items.pop(0)] for _ in range(min(ahead, len(items)))]
        due = planted_due(had, gold, duplicates, every=every, more_to_come=bool(fresh))
        if not due and not fresh:
            break
        had += [*due, *fresh]
    shown = [group[0] for group in had]
    assert len(shown) == len(set(shown))
    assert {name for (name,) in gold} <= set(shown) or not count
    assert shown[:1] in ([], ["i0"])
    for original, copy in duplicates.items():
        if copy in shown:
            assert shown.index(copy) - shown.index(original) >= 2
        else:
            assert shown[-1] == original


def test_a_gold_item_follows_each_so_many_plain_ones() -> None:
    """Gold comes after every third plain group here, and never at once."""
    had = [[f"i{number}"] for number in range(7)]
    gold = [["g0"], ["g1"], ["g2"], ["g3"]]
    assert planted_due(had[:2], gold, {}, every=3, more_to_come=True) == []
    assert planted_due(had, gold, {}, every=3, more_to_come=True) == [["g0"], ["g1"]]
    assert planted_due([*had, ["g0"], ["g1"]], gold, {}, every=3, more_to_come=True) == []
    assert planted_due([*had, ["g0"], ["g1"]], gold, {}, every=3, more_to_come=False) == [["g2"], ["g3"]]


def test_duplicates_keep_their_distance_while_there_is_work() -> None:
    """While more is to come, a duplicate waits for the whole gap; a group comes again only whole."""
    had = [["a"], *([f"i{number}"] for number in range(MINIMUM_GAP - 1))]
    assert planted_due(had[:-1], [], {"a": "x"}, every=1, more_to_come=True) == []
    assert planted_due(had, [], {"a": "x"}, every=1, more_to_come=True) == [["x"]]
    torn = [["a", "b"], ["c"], ["d"]]
    assert planted_due(torn, [], {"a": "x"}, every=1, more_to_come=False) == []
    assert planted_due(torn, [], {"a": "x", "b": "y"}, every=1, more_to_come=False) == [["x", "y"]]


def test_owed_are_duplicates_of_whole_groups_that_have_not_come() -> None:
    """Of a group of which only a part has duplicates none is owed, nor one that came."""
    had = [["a", "b"], ["c"], ["d"], ["d~2"]]
    assert owed(had, {"a": "a~2", "b": "b~2", "c": "x", "d": "d~2"}) == {0: ["a~2", "b~2"], 1: ["x"]}
    assert owed(had, {"a": "a~2"}) == {}


def test_a_limit_cuts_before_the_group_that_leads_beyond_it() -> None:
    """Whole groups, in their order; a newcomer gets the first one however large it is, and nothing more."""
    groups = [["a", "b"], ["c"], ["d", "e"]]
    assert within(groups, None, newcomer=False) == groups
    assert within(groups, 4, newcomer=False) == groups[:2]
    assert within(groups, 1, newcomer=False) == []
    assert within(groups, 1, newcomer=True) == groups[:1]
