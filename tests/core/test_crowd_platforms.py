"""What platforms add to a link: whom it names, and what is refused."""

import pytest

from rubrica.core.crowd_platforms import LONGEST_ID, Visit, visit_of
from rubrica.core.errors import InputError


def test_a_link_names_its_person() -> None:
    """The first parameter is the person; what the platform does not know is dropped; other links name nobody."""
    given = {"PROLIFIC_PID": " p1 ", "STUDY_ID": "s", "else": "x"}
    assert visit_of("prolific", given) == Visit("p1", {"PROLIFIC_PID": " p1 ", "STUDY_ID": "s"})
    assert visit_of("open", given) == Visit()


@pytest.mark.parametrize(
    ("given", "rule"),
    [({}, "link"), ({"workerId": "w" * (LONGEST_ID + 1)}, "link_length"), ({"workerId": "w", "hitId": "\0"}, "link")],
)
def test_a_link_that_names_nobody_is_refused(given: dict[str, str], rule: str) -> None:
    """Without the person's id, with one too long to be kept whole, and with what is no text."""
    with pytest.raises(InputError) as told:
        visit_of("mturk", given)
    assert told.value.problems[0].rule == rule
