"""Rules: each changes something, and rules that apply together agree."""

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil

SAME = "hints:\n"
SECOND = "  - id: second\n    if: {same_as: rewrite, field: source}\n    note: Again.\n"


@mistakes(
    Mistake(SAME, f"{SECOND}    preset: {{quality: 2}}\n{SAME}", "contradiction", "preset: {quality: 2}"),
    Mistake(SAME, f"{SECOND}    preset: {{decision: keep}}\n{SAME}", "contradiction", "preset: {decision: keep}"),
    Mistake(SAME, f"{SECOND}    drop: [quality]\n{SAME}", "contradiction", "drop: [quality]"),
)
def test_rules_that_apply_together_agree(mistake: Mistake) -> None:
    """Two rules with the same condition cannot preset different values, or preset and drop the same question."""
    assert "apply together" in check_one(mistake).what


def test_rules_may_say_the_same() -> None:
    """The same preset twice is fine, and so are different presets under different conditions."""
    same = f"{SECOND}    preset: {{quality: 3}}\n{SAME}"
    assert problems_of(spoil(SAMPLE, Mistake(SAME, same, ""))) == []
    other = same.replace("same_as: rewrite", "same_as: remark").replace("3}", "2}")
    assert problems_of(spoil(SAMPLE, Mistake(SAME, other, ""))) == []


def test_a_rule_changes_something() -> None:
    """A rule with none of preset, drop, ask and reword is refused."""
    assert "'second' changes nothing" in check_one(Mistake(SAME, SECOND + SAME, "rule", "- id: second")).what
