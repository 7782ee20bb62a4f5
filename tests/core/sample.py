"""A small protocol made by hand, with one of everything that the validator looks at."""

from rubrica.core.conditions import AnswerIs, FieldsSame
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import EditScheme, Field, Operation, Protocol, Question, Rule, Stage, WayOut
from rubrica.core.scales import Choice, Choices, FreeText, Option, Ordinal, Point, Scale, YesNo
from rubrica.core.study import Item
from rubrica.core.texts import plain

WORDS = plain("words")
SCALES: dict[str, Scale] = {
    "points": Ordinal(tuple(Point(value, WORDS) for value in (1, 2, 3))),
    "yes_no": YesNo(WORDS, WORDS),
    "decision": Choice((Option("keep", WORDS), Option("reject", WORDS))),
    "kinds": Choices((Option("rude", WORDS), Option("untrue", WORDS)), 1, 2),
    "words": FreeText(),
    "change": Choice((Option("less", WORDS), Option("same", WORDS))),
}

EDITS = EditScheme(
    operations=(
        Operation("deletion", WORDS, WORDS, "d", ("source",), preset={"change": "less"}),
        Operation("swap", WORDS, WORDS, "s", ("source", "rewrite"), several=True),
        Operation("split", WORDS, WORDS, "p", constituents=("deletion", "swap")),
    ),
    questions=(
        Question("change", "change", WORDS, operations=("deletion", "swap")),
        Question("harm", "points", WORDS, when=AnswerIs("change", ("less",)), operations=("deletion", "swap")),
        Question("helps", "yes_no", WORDS, operations=("split",)),
    ),
)

SELECT = Stage("select", WORDS, "annotator", 3, asks=("quality", "change"))
CLOSED = Stage("closed", WORDS, "annotator", 3, asks=("quality",), edits="none")

PROTOCOL = Protocol(
    id="sample",
    version="1",
    hash="0" * 64,
    title=WORDS,
    summary=WORDS,
    document="",
    family="test",
    fallback="en",
    languages=("en",),
    fields=(Field("source", "source", WORDS), Field("rewrite", "rewrite", WORDS)),
    scales=SCALES,
    questions=(
        Question("quality", "points", WORDS),
        Question("concern", "yes_no", WORDS),
        Question("kinds", "kinds", WORDS, required=False, when=AnswerIs("concern", ("yes",))),
        Question("decision", "decision", WORDS),
        Question("severity", "points", WORDS, when=AnswerIs("decision", ("reject",))),
        Question("missed", "yes_no", WORDS),
        Question("comment", "words", WORDS, required=False),
        Question("agree", "decision", WORDS, required=False),
    ),
    rules=(
        Rule(
            "identical",
            FieldsSame("source", "rewrite"),
            WORDS,
            preset={"quality": 3},
            drop=("decision", "severity"),
            ask=("missed",),
        ),
    ),
    ways_out=(WayOut("too_simple", WORDS), WayOut("skip", WORDS, passes_on=True)),
    stages=(Stage("rate", WORDS, "annotator", 3), SELECT, CLOSED),
    audience=WORDS,
    guidelines=WORDS,
    edits=EDITS,
)

ITEM = Item("i1", {"source": "A cat sat on a cat.", "rewrite": "A cat sat."})
SAME = Item("i2", {"source": "A cat sat.", "rewrite": " A  cat sat. "})
GOOD = {"quality": 2, "concern": "no", "decision": "keep"}
DELETION = Edit("1", "deletion", (Span(10, 18),), answers={"harm": 1})
