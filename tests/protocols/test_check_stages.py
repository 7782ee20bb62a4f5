"""Stages: they follow each other, ask what can be answered, and find people."""

from tests.protocols.sample import SAMPLE, Mistake, check_one, load_text, mistakes, problems_of, spoil


@mistakes(
    Mistake("items_from: mark", "items_from: nowhere", "unknown_earlier_stage"),
    Mistake("items_from: mark", "items_from: settle", "unknown_earlier_stage", "items_from: settle\n    other"),
    Mistake("items_from: mark", "items_from: rate", "unknown_earlier_stage"),
    Mistake("same_people_as: mark", "same_people_as: rate", "unknown_earlier_stage"),
    Mistake("other_people_than: [mark]", "other_people_than: [mark, rate]", "unknown_earlier_stage"),
)
def test_stages_refer_to_earlier_ones(mistake: Mistake) -> None:
    """A stage that names itself, a later one or none at all could never start: circles cannot be written."""
    check_one(mistake)


@mistakes(
    Mistake("same_people_as: mark", "same_people_as: mark\n    other_people_than: [mark]", "contradiction",
            "same_people_as: mark"),
    Mistake("    overlap: 3\n    edits: fixed", "    overlap: 4\n    edits: fixed", "people", "overlap: 4"),
)  # fmt: skip
def test_people_can_be_found(mistake: Mistake) -> None:
    """Nobody is the same and another person, and no more people come back than there were."""
    check_one(mistake)


@mistakes(
    Mistake("asks: [change, quality]", "asks: [change, qualities]", "unknown_question"),
    Mistake("asks: [change, quality]", "asks: [change, quality, better]", "stage"),
    Mistake("    asks: [change]\n", "    asks: [change, kinds]\n", "stage", "asks: [change, kinds]"),
    Mistake("    asks: [change]\n", "    asks: []\n    edits: none\n", "stage", "asks: []"),
    Mistake("    items_from: settle\n", "", "stage", "edits: fixed"),
)  # fmt: skip
def test_a_stage_asks_what_can_be_answered(mistake: Mistake) -> None:
    """Unknown questions, questions whose condition nobody is asked about, and asking nothing are refused."""
    check_one(mistake)


def test_every_question_is_asked_somewhere() -> None:
    """When all stages list what they ask, a question that none lists is named."""
    text = spoil(SAMPLE, Mistake("    same_people_as: mark\n", "    same_people_as: mark\n    asks: [quality]\n", ""))
    found = [problem for problem in problems_of(text) if "no stage asks" in problem.what]
    assert [problem.value for problem in found] == [
        "effort", "concern", "kinds", "decision", "better", "simpler", "missed", "comment", "harm",
    ]  # fmt: skip
    assert all(problem.rule == "stage" for problem in found)


def test_a_preset_answer_can_be_depended_on() -> None:
    """A stage may ask what depends on an answer that the operation gives, without asking that one."""
    assert problems_of(spoil(SAMPLE, Mistake("    asks: [change]\n", "    asks: [harm]\n", ""))) == []


def test_edits_at_a_stage_need_edits_in_the_protocol() -> None:
    """A stage cannot have edits of any kind when the protocol describes none."""
    start, end = SAMPLE.index("edits:\n  families"), SAMPLE.index("stages:\n")
    text = SAMPLE[:start] + SAMPLE[end : SAMPLE.index("practice:")]
    text = text.replace("asks: [change, quality]", "asks: [quality]").replace("asks: [change]", "asks: [quality]")
    (found,) = problems_of(text)
    assert (found.rule, found.value) == ("stage", "fixed")


@mistakes(
    Mistake("at_least: 2", "at_least: 4", "verdict"),
    Mistake("    overlap: 3\n", "    overlap: 3\n    overlap_comparing: 2\n", "people", "overlap_comparing: 2"),
    Mistake("    asks: [change]\n", "    asks: [change]\n    edits: none\n", "stage", "asks: [change]\n"),
)
def test_a_stage_gives_what_is_counted_on(mistake: Mistake) -> None:
    """More judgements than an item gets, fewer when comparing, and questions on edits without edits are refused."""
    check_one(mistake)


def test_comparing_counts_towards_a_verdict() -> None:
    """A verdict may wait for as many judgements as an item gets when systems are compared."""
    more = "    overlap: 3\n    overlap_comparing: 4\n"
    made = [Mistake("at_least: 2", "at_least: 4", ""), Mistake("    overlap: 3\n", more, "")]
    assert problems_of(spoil(SAMPLE, *made)) == []


@mistakes(
    Mistake("label: Mark, overlap: 3", "label: Mark, overlap: 0", "type"),
    Mistake("label: Mark, overlap: 3", "label: Mark, overlap: true", "type"),
)
def test_a_wrong_overlap_is_one_problem(mistake: Mistake) -> None:
    """An overlap that is no count is not compared with anything."""
    check_one(mistake)


@mistakes(
    Mistake("    edits: fixed\n", "    edits: fixed\n    suggest: true\n", "stage", "suggest: true"),
    Mistake("    asks: [change]\n", "    asks: [change]\n    suggest_by: wording\n", "stage", "suggest_by: wording"),
    Mistake("    asks: [change]\n", "    asks: [change]\n    suggest_by: nothing\n", "unknown_parameter",
            "suggest_by: nothing"),
)  # fmt: skip
def test_edits_are_suggested_where_they_are_marked(mistake: Mistake) -> None:
    """Not where they are fixed, nor by a parameter that is not there or cannot say so."""
    check_one(mistake)


def test_a_parameter_can_say_whether_edits_are_suggested() -> None:
    """With the options hidden and shown; the study's setting decides."""
    tips = "  - {id: tips, label: Tips, default: hidden, options: [hidden, shown]}\n"
    text = SAMPLE.replace("fields:\n", f"{tips}fields:\n", 1)
    text = text.replace("asks: [change, quality]}", "asks: [change, quality], suggest_by: tips}")
    assert problems_of(text) == []
    protocol = load_text(text).protocol
    assert not protocol.resolve({}).stage("mark").suggest
    assert protocol.resolve({"tips": "shown"}).stage("mark").suggest
