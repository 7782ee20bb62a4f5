"""Links between words, and which of them kept their order."""

from rubrica.edits.suggesting.alignment import Block, align, in_order
from rubrica.edits.suggesting.words import grammar_of, words_of

ENGLISH = grammar_of("en")


def linked(source: str, rewrite: str) -> list[tuple[int, int]]:
    """The links between two texts, by the numbers of their words."""
    return [(link.source, link.rewrite) for link in align(words_of(source), words_of(rewrite), ENGLISH)]


def test_repeated_words_are_linked_where_their_neighbours_are() -> None:
    """*the* and *town* stand twice; each is linked to the one with the same neighbours."""
    source, rewrite = "the old town near the new town", "near the new town the town"
    assert linked(source, rewrite)[:4] == [(3, 0), (4, 1), (5, 2), (6, 3)]


def test_equal_words_beside_linked_ones_are_linked() -> None:
    """*and* stands twice in the source; the one before *its* is linked, since *its* is."""
    links = linked("parks have oaks and limes, and its gates close", "parks have trees, and its gates close")
    assert links == [(0, 0), (1, 1), (5, 3), (6, 4), (7, 5), (8, 6)]


def test_each_word_is_in_one_link_at_most() -> None:
    """Three occurrences against one: only one of them is linked."""
    assert len(linked("father father father", "father")) == 1


def test_the_lighter_part_is_what_moved() -> None:
    """Two content words changed places with three: the two are the moved block."""
    source, rewrite = words_of("red apples grow tall slowly"), words_of("grow tall slowly red apples")
    order = in_order(align(source, rewrite, ENGLISH), source, rewrite, ENGLISH)
    assert order.moved == (Block((0, 2), (3, 5), False),)
    assert [(link.source, link.rewrite) for link in order.kept] == [(2, 0), (3, 1), (4, 2)]


def test_among_equals_what_comes_first_in_the_rewrite_stays() -> None:
    """One word against one: the first of the rewrite is taken to have kept its place."""
    source, rewrite = words_of("apples pears"), words_of("pears apples")
    order = in_order(align(source, rewrite, ENGLISH), source, rewrite, ENGLISH)
    assert order.moved == (Block((0, 1), (1, 2), False),)


def test_small_words_alone_neither_hold_nor_move() -> None:
    """*of* far from any other link is given up: the phrases around it have nothing else in common."""
    source = words_of("Anna sold pictures of her quiet northern village")
    rewrite = words_of("Anna took three large heavy boxes of")
    order = in_order(align(source, rewrite, ENGLISH), source, rewrite, ENGLISH)
    assert [(link.source, link.rewrite) for link in order.kept] == [(0, 0)]
    assert order.moved == ()
