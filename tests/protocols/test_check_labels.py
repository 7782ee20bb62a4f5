"""Labels: one label means one option or one way out."""

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil
from tests.protocols.test_translations import BOTH


@mistakes(
    Mistake("{id: reject, label: Reject}", "{id: reject, label: Keep}", "duplicate_label"),
    Mistake("{id: other, label: Other}", "{id: other, label: ' rude'}", "duplicate_label"),
    Mistake("{id: false_claim, label: Untrue}", "{id: false_claim, label: other}", "duplicate_label"),
    Mistake("{id: skip, label: Skip,", "{id: skip, label: Too  simple,", "duplicate_label"),
    Mistake("{id: skip, label: Skip,", "{id: skip, label: too_simple,", "duplicate_label"),
    Mistake(
        "{id: reject, label: Reject}",
        "{id: reject, label: {wording_by: wording, you: Keep, others: Reject}}",
        "duplicate_label",
    ),
)
def test_labels_are_distinct(mistake: Mistake) -> None:
    """The label of one option or way out is neither the label nor the id of another, whatever its case."""
    assert "the label" in check_one(mistake).what


def test_labels_are_compared_in_each_language() -> None:
    """The same word in two languages is fine, twice in one language it is not."""
    assert problems_of(spoil(BOTH, Mistake("{en: Two, es: Dos}", "{en: Uno, es: Dos}", ""))) == []
    (found,) = problems_of(spoil(BOTH, Mistake("{en: Two, es: Dos}", "{en: Two, es: Uno}", "")))
    assert (found.rule, found.value) == ("duplicate_label", "Uno")


def test_a_label_may_be_its_own_id() -> None:
    """An option may be labelled with its own id, and labels of different scales may be the same."""
    assert problems_of(spoil(SAMPLE, Mistake("{id: less, label: Less}", "{id: less, label: keep}", ""))) == []
