"""Counts of short answers."""

from rubrica.core.short_answers import compared, simpler_words
from rubrica.stats.aggregation.answer_counts import counts, gold_of


def test_most_frequent_first_then_the_alphabet() -> None:
    """Twice "easy" (once in capitals), once "plain" and "basic"; the word itself and blank are no answer."""
    said = [("Easy", "plain"), ("easy", "basic"), (), ("simple ",), ("easy",)]
    found = [simpler_words(words, "simple") for words in said]
    counted = counts(found, compared)
    assert counted == [("easy", 3), ("basic", 1), ("plain", 1)]
    gold = gold_of(found, counted)
    assert (gold.value, gold.raters, gold.support) == (("easy", "basic", "plain"), 5, 3)


def test_nothing_simpler() -> None:
    """If all say that nothing is simpler, the list is empty and has their support; without raters there is no gold."""
    gold = gold_of([simpler_words((), "easy"), simpler_words(("EASY",), "easy")], [])
    assert (gold.value, gold.support, gold.raters) == ((), 2, 2)
    assert gold_of([], []).reason == "no answer"
