"""Choosing sentences for a benchmark: the paper's filter, our limits, the draw."""

import itertools
import random

import pytest

from rubrica.prepare.sentences import AS_PAPER, Limits, choose, nearly_the_same

LONG = "The old mill by the river, which stood empty for years, was sold in 1987 and became a school."


def rejected(text: str, limits: Limits = AS_PAPER) -> list[tuple[str, str]]:
    """Reason and detail of each sentence that is left out."""
    return [(one.reason, one.what) for one in choose([(1, text)], limits).rejected]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", ("empty", "")),
        ("The mill (old) was sold.", ("characters", "( )")),
        ("He said it’s sold; then left.", ("characters", "; ’")),
        ("the mill was sold.", ("start", "the")),
        ("The mill was sold", ("end", "sold")),
        ("The mill,, was sold.", ("punctuation", ",,")),
        (", the mill was sold.", ("start", ",")),
        ("The mill was sold. It became a school.", ("one_sentence", "2")),
    ],
)
def test_every_rejected_sentence_has_its_reason(text, reason):
    """The paper's filter names the first rule that a sentence breaks, and what in it breaks it."""
    assert rejected(text) == [reason]


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        "In 1894 , the mill was built by Dr. Ana Sáez .",
        "1987 was a dry year.",
        "The U.S. Congress met Pres. Lee of Glass Co., a firm.",
    ],
)
def test_what_the_paper_keeps_is_kept(text):
    """Letters of any script, digits, commas and periods pass, tokenised or not."""
    assert not rejected(text)


def test_our_limits_are_off_as_in_the_paper():
    """Length is asked by us only."""
    short = "The mill was sold."
    assert rejected(short, Limits()) == [("short", "4 words")]
    assert rejected(f"{'Very ' * 101}long.", Limits()) == [("long", "102 words")]
    assert not rejected(short)


def test_too_few_places_to_split():
    """A sentence with fewer patterns than asked for is left out; only what passed the other tests is counted."""
    asked = []
    found = choose(
        [(1, LONG), (2, "no."), (3, LONG)],
        Limits(least_patterns=2, alike=None),
        patterns=lambda texts: asked.extend(texts) or [2, 1],
    )
    assert asked == [LONG, LONG]
    assert [(one.line, one.reason) for one in found.rejected] == [(2, "start"), (3, "simple")]


def test_nearly_the_same_names_the_earlier_one():
    """A sentence that differs in one word of many is left out with the line of the first."""
    found = choose(
        [
            (1, LONG),
            (2, "Something else entirely, with quite other words in it, stands here now."),
            (3, LONG.replace("sold", "bought")),
        ],
        Limits(),
    )
    assert [(one.line, one.reason, one.what) for one in found.rejected] == [(3, "duplicate", "line 1")]


def test_nearly_the_same_agrees_with_comparing_all_pairs():
    """Looking only at sentences that share a rare word finds what comparing every pair finds."""
    draw = random.Random(4)
    texts = [" ".join(draw.choice("abcdefghij") for _ in range(draw.randint(1, 8))) for _ in range(300)]
    for share in (0.5, 0.8, 1.0):
        sets, kept, slow = [set(text.split()) for text in texts], [], {}
        for place, words in enumerate(sets):
            twin = next((one for one in kept if len(words & sets[one]) >= share * len(words | sets[one])), None)
            if twin is None:
                kept.append(place)
            else:
                slow[place] = twin
        assert nearly_the_same(texts, share) == slow


def test_the_draw_is_repeatable_and_in_the_order_of_the_file():
    """The same seed draws the same sentences; another seed draws others; asking for more gives all."""
    texts = [(line, f"Sentence {line} is here.") for line in range(1, 200)]
    one, same, other = (choose(texts, AS_PAPER, 20, seed).sample for seed in (7, 7, 8))
    assert one == same != other
    assert len(one) == 20
    assert all(first[0] < second[0] for first, second in itertools.pairwise(one))
    assert len(choose(texts, AS_PAPER, 1000, 7).sample) == 199
