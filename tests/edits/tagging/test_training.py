"""Training the light model."""

from __future__ import annotations

import sys

import pytest

from rubrica.core.errors import InputError
from rubrica.edits.selection import space_tokens
from rubrica.edits.tagging.evaluation import predicting
from rubrica.edits.tagging.tags import Example, Pair
from rubrica.edits.tagging.training import _holds, train

WORDS = [
    *[
        "the",
        "old",
        "gate",
        "by",
        "a",
        "small",
        "river",
        "was",
        "shut",
        "in",
        "winter",
        "and",
        "nobody",
        "came",
        "to",
        "open",
        "it",
        "again",
    ]
]


def example(number: int) -> Example:
    """A pair in which what is gone from the end is bad, and what is gone from elsewhere is good."""
    middle, end = 3 + number % 4, number % 3 + 1
    kept = [word for index, word in enumerate(WORDS) if index != middle and index < len(WORDS) - end]
    source, rewrite = " ".join(WORDS) + f" {number}", " ".join(kept)
    tags = ["good" if index == middle else "bad" if index >= len(WORDS) - end else "ok" for index in range(len(WORDS))]
    pair = Pair(name=str(number), source=source, rewrite=rewrite)
    return Example(pair, {"source": (*tags, "bad"), "rewrite": ("ok",) * len(space_tokens(rewrite))})


SPOTTED = [example(number) for number in range(12)]


def _scattered(one: Example, place: int) -> tuple[str, ...]:
    """The tags of the source with one word bad, another in each sentence, and none of the deleted ones."""
    tags = ["good" if tag == "good" else "ok" for tag in one.tags["source"]]
    tags[(5 * place) % 3] = "bad"
    return tuple(tags)


def test_what_the_examples_show_is_learnt() -> None:
    """A pattern that holds in all sentences is found, in sentences that training did not see."""
    model = train([example(number) for number in range(12)])
    unseen = [example(number) for number in range(100, 106)]
    given = predicting(model)([one.pair for one in unseen])
    right = [[*one.tags["source"], *one.tags["rewrite"]] for one in unseen]
    hits = sum(
        tag == other for one, tags in zip(right, given, strict=True) for tag, other in zip(one, tags, strict=True)
    )
    assert hits / sum(map(len, right)) > 0.97
    assert model.trained["bad"]["precision"] >= 0.5
    assert "bad" in {tag for tags in given for tag in tags}


def test_bad_words_that_cannot_be_told_are_not_tagged() -> None:
    """Where errors follow no pattern, no word is tagged bad, and the model has the reason."""
    spots = [Example(one.pair, {**one.tags, "source": _scattered(one, place)}) for place, one in enumerate(SPOTTED)]
    model = train(spots)
    assert model.bad_from is None
    assert "precision of 50%" in model.trained["bad"]["reason"]
    assert all(tag != "bad" for tags in predicting(model)([one.pair for one in spots]) for tag in tags)


def test_one_sentence_does_not_prove_that_bad_words_can_be_told() -> None:
    """Twenty of twenty words called bad may be so: if one sentence has them all, a model must not call words bad."""
    assert not _holds([[True] * 20, [False, True]], 22, 21)
    assert _holds([[True] * 20, [True, True, False]], 23, 22)
    assert not _holds([[True] * 20, [False] * 22], 42, 20)


def test_training_is_repeatable() -> None:
    """The same examples give the same model; tags that never occurred are never given."""
    known = [example(number) for number in range(4)]
    assert train(known).name == train(known).name
    two = [
        Example(one.pair, {**one.tags, "source": tuple("ok" if t == "bad" else t for t in one.tags["source"])})
        for one in known
    ]
    given = predicting(train(two))([one.pair for one in known])
    assert {tag for tags in given for tag in tags} <= {"good", "ok"}


def test_nothing_to_learn_is_refused() -> None:
    """Without two kinds of tags there is nothing to train on."""
    pair = Pair(name="1", source="a b", rewrite="a b")
    with pytest.raises(InputError, match="all 4 words are ok"):
        train([Example(pair, {"source": ("ok", "ok"), "rewrite": ("ok", "ok")})])
    with pytest.raises(InputError, match="no words"):
        train([])


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(InputError, match=r"rubrica\[tagging\]"):
        train([example(number) for number in range(4)])
