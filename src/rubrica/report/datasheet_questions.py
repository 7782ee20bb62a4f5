"""The questions of the human evaluation datasheet, and what is known of shipped protocols in its terms.

The questions of the human evaluation datasheet in our words, by number; those of part 4 come once per criterion. After
HEDS (Shimorina and Belz, HumEval 2022; version 3.0 by Belz and Thomson, 2024), whose order is kept.

What is known of the shipped protocols in the datasheet's terms: the task, and the kind of quality of a question. Belz,
Mille and Howcroft (INLG 2020) classify quality criteria by type (correctness, goodness, a feature of the text), by
aspect (form, content, both) and by frame (the output in its own right, relative to the input, relative to something
outside). A protocol of one's own is not known here; its researcher says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

QUESTIONS: Mapping[str, str] = {
    "1.1": "Which paper reports this evaluation, and which of its experiments is it?",
    "1.2": "Where are the resources: data, code, forms?",
    "1.3": "Who fills in this sheet, and who answers questions about it?",
    "2.1": "What is the input of the systems?",
    "2.2": "What is their output?",
    "2.3": "Which task do they perform, and which systems are they?",
    "2.4": "In which language is the input?",
    "2.5": "In which language is the output?",
    "3.1.1": "How many outputs were evaluated, in all and per system?",
    "3.1.2": "How were they selected?",
    "3.1.3": "What is the statistical power of a sample of this size?",
    "3.2.1": "How many evaluators took part?",
    "3.2.2": "What kind of evaluators are they: experts or not, authors of the paper, known to them?",
    "3.2.3": "How were they recruited?",
    "3.2.4": "How were they trained and tested before the work?",
    "3.2.5": "What are their characteristics?",
    "3.2.6": "How were they compensated?",
    "3.3.1": "Was the design registered in advance?",
    "3.3.2": "How were responses collected?",
    "3.3.3": "What was done for the quality of responses?",
    "3.3.4": "What did evaluators see: instructions and form?",
    "3.3.5": "How free were they in when, where and how long they worked?",
    "3.3.6": "Could they ask questions or give feedback?",
    "3.3.7": "How many judgements has an output, and how were outputs dealt out?",
    "5.1": "Did an ethics board approve the study?",
    "5.2": "Does the study hold personal data, and how is it kept?",
    "5.3": "Does it hold special categories of personal data?",
    "5.4": "Was its impact on people assessed?",
}
CRITERION: Mapping[str, str] = {
    "1": "Which kind of quality is it?",
    "2": "How is it defined, and what exactly was asked?",
    "3": "On which scale, with how many values?",
    "4": "In which form was the answer given?",
    "5": "How do answers become results?",
    "6": "How were differences between systems tested?",
    "7": "How far do evaluators agree, with each other and with themselves?",
}
"""Asked of every criterion: the second half of the number."""
GROUPS: Mapping[str, str] = {
    "1": "1 Paper and resources",
    "2": "2 Systems evaluated",
    "3.1": "3.1 Sample of outputs",
    "3.2": "3.2 Evaluators",
    "3.3": "3.3 Experimental design",
    "5": "5 Ethics",
}


class Task(NamedTuple):
    """What goes in, what comes out, what the task is called, and the language if the protocol has only one."""

    input: str
    output: str
    name: str
    language: str = ""


class Quality(NamedTuple):
    """A quality criterion in the terms of Belz, Mille and Howcroft (2020), and what is meant by it."""

    type: str
    aspect: str
    frame: str
    meaning: str


_OWN = "each output in its own right"
_INPUT = "each output relative to its input"
_OUTSIDE = "each output relative to a frame outside of it (its readers)"

TASKS: Mapping[str, Task] = {
    "breve": Task("a sentence", "a rewritten sentence", "concise rewriting (text simplification)", "Spanish"),
    "claro": Task("a sentence", "a rewritten sentence", "plain-language rewriting (text simplification)", "Spanish"),
    "adequacy_fluency": Task(
        "a reference text", "a rewritten or translated text", "rewriting, paraphrasing or machine translation"
    ),
    "quality": Task("one or more sentences", "a simplified version", "text simplification"),
    "split_patterns": Task(
        "a complex sentence", "the patterns it has", "split and rephrase (how varied its sentences are)"
    ),
    "split_rewrite": Task("a complex sentence", "several simpler sentences", "split and rephrase (written by people)"),
    "split_rate": Task("a complex sentence", "several simpler sentences", "split and rephrase"),
    "salsa": Task("one or more sentences", "a simplified version", "text simplification"),
    "lexical_complexity": Task(
        "a word in its context", "a degree of complexity", "lexical complexity prediction (reference data)"
    ),
    "lexical_simplification": Task("a word in its context", "simpler words", "lexical simplification (reference data)"),
    "lexical_posthoc": Task("a word in its context", "a simpler word", "lexical simplification"),
}

_MEANING = Quality("correctness", "content", _INPUT, "whether the rewrite means the same as what it was made from")
_FLUENCY = Quality("goodness", "both", _OWN, "whether the text reads as a fluent reader of the language would write it")
_CONCERN = Quality("feature", "content", _OWN, "whether the text holds anything offensive, discriminating or sensitive")
_ACCEPT = Quality("goodness", "both", _OUTSIDE, "whether the rewrite could be used as it stands, after an edit, or not")
_SEVERITY = Quality("goodness", "both", _OUTSIDE, "how much the error of a rejected rewrite would harm a reader")
_NEEDED = Quality("feature", "both", _INPUT, "whether the source needed rewriting at all")
_REVIEW: Mapping[str, Quality] = {
    "meaning": _MEANING,
    "fluency": _FLUENCY,
    "concern": _CONCERN,
    "concern_kinds": _CONCERN,
    "acceptance": _ACCEPT,
    "severity": _SEVERITY,
    "needed": _NEEDED,
}
QUALITIES: Mapping[str, Mapping[str, Quality]] = {
    "breve": {
        **_REVIEW,
        "simplification": Quality("feature", "form", _INPUT, "whether the rewrite is as concise as it can be"),
    },
    "claro": _REVIEW,
    "adequacy_fluency": {
        "content_preservation": Quality("correctness", "content", _INPUT, "how much of the content is kept"),
        "fluency": _FLUENCY,
    },
    "quality": {
        "meaning": _MEANING,
        "fluency": _FLUENCY,
        "simplicity": Quality("goodness", "both", _INPUT, "how much simpler the rewrite is than what it was made from"),
    },
    "split_patterns": {
        pattern: Quality("feature", "form", _OWN, f"whether the sentence has this pattern: {name}")
        for pattern, name in {
            "rc": "a relative clause",
            "conj": "a conjunction",
            "part": "a participle",
            "prep": "a prepositional phrase",
            "adv": "an adverbial",
            "appos": "an apposition",
            "inf": "an infinitive",
        }.items()
    },
    "split_rate": {
        "sensible": Quality("correctness", "content", _OWN, "whether the sentences make sense"),
        "grammatical": Quality("correctness", "form", _OWN, "whether the sentences are grammatical"),
        "missing_facts": Quality("correctness", "content", _INPUT, "whether facts of the sentence are missing"),
        "new_facts": Quality("correctness", "content", _INPUT, "whether facts were added"),
        "wrong_split": Quality("correctness", "form", _INPUT, "whether the sentence was split in the wrong place"),
        "further_split": Quality("feature", "form", _INPUT, "whether it should have been split further"),
    },
    "lexical_complexity": {
        "complexity": Quality("feature", "both", _OUTSIDE, "how hard the word is to understand in its context"),
    },
    "lexical_simplification": {
        "substitutes": Quality("feature", "both", _INPUT, "simpler words that could stand in the word's place"),
    },
    "lexical_posthoc": {
        "simplicity": Quality("feature", "both", _INPUT, "whether the substitute is simpler than the word"),
        "fluency": _FLUENCY,
        "meaning": _MEANING,
    },
}
