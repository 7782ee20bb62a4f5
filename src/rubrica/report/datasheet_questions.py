"""The questions of the human evaluation datasheet in our words, by number; those of part 4 come once per criterion.

After HEDS (Shimorina and Belz, HumEval 2022; version 3.0 by Belz and Thomson, 2024), whose order is kept.
"""

from __future__ import annotations

from collections.abc import Mapping

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
