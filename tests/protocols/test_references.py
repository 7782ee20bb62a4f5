"""What refers to something must find it: questions, rules, hints and verdicts."""

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil


@mistakes(
    Mistake("{id: effort, scale: half,", "{id: effort, scale: halves,", "unknown_scale"),
    Mistake("dims: [source]", "dims: [sauce]", "unknown_field"),
    Mistake("dims: [source]", "hides: [source], dims: [source]", "contradiction"),
    Mistake("    header: Quality", "    hides: [sauce]", "unknown_field"),
    Mistake("family: testing", "family: testing\ngroup_by: contexts", "unknown_field", "group_by"),
)
def test_questions_find_what_they_need(mistake: Mistake) -> None:
    """Scales and fields that are not there, and a field both hidden and dimmed, are refused."""
    check_one(mistake)


def test_the_nearest_name_is_suggested() -> None:
    """An unknown name comes with the nearest known one, or with all of them."""
    assert check_one(Mistake("dims: [source]", "dims: [sauce]", "unknown_field")).fix == "Did you mean 'source'?"
    fix = check_one(Mistake("dims: [source]", "dims: [zzz]", "unknown_field")).fix
    assert fix == "Known: source, rewrite, remark."


@mistakes(
    Mistake("preset: {quality: 3}", "preset: {qualities: 3}", "unknown_question"),
    Mistake("preset: {quality: 3}", "preset: {quality: 3, harm: 1}", "unknown_question"),
    Mistake("drop: [decision, better]", "drop: [decision, betters]", "unknown_question"),
    Mistake("ask: [missed]", "ask: [mist]", "unknown_question"),
    Mistake("reword: {concern:", "reword: {concerns:", "unknown_question"),
    Mistake("drop: [decision, better]", "drop: [decision, quality]", "contradiction"),
    Mistake("ask: [missed]", "ask: [missed, quality]", "contradiction"),
    Mistake("ask: [missed]", "ask: [missed, better]", "contradiction"),
    Mistake("reword: {concern:", 'reword: {quality: "Is it good?", concern:', "contradiction"),
    Mistake("reword: {concern:", 'reword: {decision: "Is it good?", concern:', "contradiction"),
    Mistake("if: {field: source, same_as: rewrite}", "if: {field: source, same_as: rewritten}", "unknown_field"),
)
def test_rules_do_one_thing_to_a_question(mistake: Mistake) -> None:
    """A rule names questions on the item, and does not preset what it drops, asks or rewords."""
    check_one(mistake)


def test_a_rule_may_reword_what_it_asks() -> None:
    """A question that only a rule asks may get its wording there."""
    new = 'reword: {missed: "Should it have been rewritten?", concern:'
    assert problems_of(spoil(SAMPLE, Mistake("reword: {concern:", new, ""))) == []


@mistakes(
    Mistake("    question: comment\n", "    question: comments\n", "unknown_question", "question: comments"),
    Mistake("    question: comment\n", "    question: harm\n", "unknown_question", "question: harm"),
)
def test_hints_belong_to_questions_on_the_item(mistake: Mistake) -> None:
    """A hint on an unknown question, or on one about edits, is refused."""
    check_one(mistake)


@mistakes(
    Mistake("when: {outcome: too_simple}", "share: any", "verdict"),
    Mistake("counts: fine, share", "counts: fine, when: {outcome: skip}, share", "verdict"),
    Mistake("when: {outcome: too_simple}", "when: {outcome: too_simple}, at_least: 2", "verdict"),
    Mistake("when: {outcome: too_simple}", "when: {outcome: too_simple}, share: any", "verdict"),
    Mistake("counts: fine, share", "counts: finest, share", "unknown_verdict_of_one_judgement"),
    Mistake("counts: fine, share", "counts: agreed, share", "unknown_verdict_of_one_judgement"),
)
def test_verdicts_are_of_one_judgement_or_of_several(mistake: Mistake) -> None:
    """A verdict has a condition, or counts an earlier verdict; what belongs to the other kind is refused."""
    check_one(mistake)


def test_a_protocol_asks_something() -> None:
    """A protocol without questions and edits is refused, however good the rest is."""
    text = "id: a\nversion: '1'\ntitle: a\nsummary: a\ndocument: a\nfamily: a\nlanguages: [en]\naudience: a\n"
    text += "fields: [{id: source, role: source, label: a}]\nstages: [{id: rate, label: a}]\nguidelines: a\n"
    (found,) = problems_of(text)
    assert (found.rule, found.line) == ("questions", 1)
    more = "scales: {words: {type: text}}\nquestions: [{id: q, scale: words, prompt: a}]\n"
    assert problems_of(text + more) == []


@mistakes(
    Mistake("share: most", "share_by: nobody", "unknown_parameter"),
    Mistake("share: most", "share_by: reader", "verdict"),
)
def test_a_share_is_set_by_a_parameter_that_offers_shares(mistake: Mistake) -> None:
    """`share_by` names a parameter, and its options are every, any or most."""
    check_one(mistake)
