"""What one study hands on to another: the texts that people wrote, under the fields of the other protocol."""

from __future__ import annotations

import pytest

from rubrica.core.errors import InputError
from rubrica.core.handed_on import Said, Written, as_they_are, missing_fields, texts_written
from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped

WRITE, RATE = load_shipped("split_rewrite").protocol, load_shipped("split_rate").protocol
ITEM = Item("a", {"source": "A long one."}, metadata={"set": "x"})


def test_each_text_is_an_item_under_a_neutral_number() -> None:
    """Two people wrote, one left the item: two items with their authors, none told by the key."""
    question = next(iter(WRITE.questions)).id
    said = [
        Said("ana", WRITE, Judgement({question: "A. Long."})),
        Said("ben", WRITE, Judgement({}, (), "uncomfortable")),
        Said("eva", WRITE, Judgement({question: "Long. One."})),
    ]
    found = texts_written([Written(ITEM, said), Written(Item("b", ITEM.fields), [])], WRITE, RATE)
    assert [(item.key, item.author, item.fields["rewrite"]) for item in found.items] == [
        ("a-1", "ana", "A. Long."),
        ("a-2", "eva", "Long. One."),
    ]
    assert found.items[0].metadata == {"set": "x", "source_item": "a"}
    assert (found.people, found.discarded, found.without) == (2, 0, 1)


def test_items_that_lack_a_field_are_told() -> None:
    """Items as they are have no rewrite; a protocol without a field for one takes no texts."""
    found = as_they_are([ITEM], WRITE, RATE)
    assert [problem.value for problem in missing_fields(found.items, RATE, "one")] == ["rewrite"]
    with pytest.raises(InputError):
        texts_written([], WRITE, WRITE)
