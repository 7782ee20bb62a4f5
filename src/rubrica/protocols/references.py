"""What the shape of a protocol file cannot say: that names exist, values fit their scales, people can be found.

The checks read the raw data and survive any shape, so that a file with a misspelt key still hears about its
unknown scales in the same run.
"""

from __future__ import annotations

from typing import Any

from rubrica.core.errors import Problem
from rubrica.protocols.check_conditions import Known, check_rules
from rubrica.protocols.check_course import check_course
from rubrica.protocols.check_edits import check_edits, check_thresh
from rubrica.protocols.check_names import check_names
from rubrica.protocols.check_scales import check_labels, check_scales
from rubrica.protocols.check_stages import check_stages
from rubrica.protocols.practice import check_practice
from rubrica.protocols.report import Report, entries, listed, mapping, names
from rubrica.protocols.translations import check_translations
from rubrica.protocols.yaml_source import Path, Source


def check_references(source: Source) -> list[Problem]:
    """Every problem of meaning in a protocol file."""
    report, data = Report(source), mapping(source.data)
    known = Known(report, data)
    check_names(report, data)
    check_labels(report, data)
    check_scales(report, data)
    _check_questions(known, ("questions",))
    _check_questions(known, ("edits", "questions"))
    check_rules(known)
    _check_hints(known)
    _check_verdicts(known)
    check_stages(known)
    check_edits(known)
    check_thresh(known)
    check_practice(known)
    check_course(known)
    check_translations(report, data)
    if "group_by" in data:
        report.known(("group_by",), data["group_by"], known.fields, "field")
    if not known.questions and not known.about_edits:
        report.say((), "the protocol asks nothing", "questions", "Add `questions:` or `edits:`.")
    return report.told()


def _check_questions(known: Known, where: tuple[str, ...]) -> None:
    report, earlier = known.report, list[str]()
    for place, entry in entries(known.data, *where):
        report.known((*place, "scale"), entry.get("scale"), mapping(known.data.get("scales")), "scale")
        for key in ("hides", "dims"):
            for index, name in enumerate(listed(entry.get(key))):
                report.known((*place, key, index), name, known.fields, "field")
                if key == "dims" and name in listed(entry.get("hides")):
                    what = f"{name!r} is hidden and dimmed at the same time"
                    report.say((*place, key, index), what, "contradiction", "Keep one of the two.", name)
        for index, example in enumerate(listed(entry.get("examples"))):
            if mapping(example).get("answer") is not None:
                known.check_value((*place, "examples", index, "answer"), entry, example["answer"])
        known.check_condition((*place, "when"), entry.get("when"), {"question"}, earlier)
        if isinstance(entry.get("id"), str):
            earlier.append(entry["id"])


def _check_hints(known: Known) -> None:
    for place, hint in entries(known.data, "hints"):
        known.report.known((*place, "question"), hint.get("question"), known.questions, "question")
        known.check_condition((*place, "when"), hint.get("when"), {"question", "field"}, known.questions)


def _check_verdicts(known: Known) -> None:
    of_judgement: list[str] = []
    for place, verdict in entries(known.data, "verdicts"):
        if ("when" in verdict) == ("counts" in verdict):
            what = "a verdict is derived from one judgement or from several"
            fix = "Give `when` (of one judgement) or `counts` (of all judgements of an item), not both."
            known.report.say(place, what, "verdict", fix)
        known.check_condition((*place, "when"), verdict.get("when"), {"question", "outcome", "field"}, known.questions)
        if "counts" in verdict:
            known.report.known((*place, "counts"), verdict["counts"], of_judgement, "verdict of one judgement")
            _check_share_by(known, place, verdict)
        else:
            _check_counts_nothing(known, place, verdict)
            of_judgement += [verdict["id"]] if isinstance(verdict.get("id"), str) else []


def _check_share_by(known: Known, place: Path, verdict: dict[Any, Any]) -> None:
    """The parameter that sets a verdict's share must offer shares, and nothing else."""
    name = verdict.get("share_by")
    options = {
        str(entry.get("id")): names(listed(entry.get("options"))) for _, entry in entries(known.data, "parameters")
    }
    if name is None or not known.report.known((*place, "share_by"), name, options, "parameter"):
        return
    if not options[name] or not set(options[name]) <= {"every", "any", "most"}:
        what = f"the parameter {name!r} does not choose a share"
        known.report.say((*place, "share_by"), what, "verdict", "Give it options among every, any and most.", name)
    if "share" in verdict:
        what = "`share` and `share_by` say the same thing twice"
        known.report.say((*place, "share"), what, "verdict", "Keep `share_by`; the parameter has a default.")


def _check_counts_nothing(known: Known, place: Path, verdict: dict[Any, Any]) -> None:
    for key in ("share", "share_by", "at_least"):
        if key in verdict and "when" in verdict:
            what = f"`{key}` has no meaning in a verdict of one judgement"
            known.report.say((*place, key), what, "verdict", "Remove it, or use `counts`.", verdict[key])
