"""Checks: what planted items and behaviour say of annotators, who was excluded and why, results with and without.

Nothing is left out here: who is unusual still counts, and what would change without them stands beside.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.ratings import Ratings
from rubrica.report.agreement import fixed_left_out
from rubrica.report.anonymous import alias_order
from rubrica.report.checks import Checked, Difference, differences
from rubrica.report.checks_findings import CHECKS, CONSISTENCY, GOLD, Finding
from rubrica.report.checks_tables import every_table, ranking_table, unusual_table, without_table
from rubrica.report.facts import StudyFacts
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, listed, percent, sentence
from rubrica.report.sections.section import Heading, Paragraph, Part, Section, Subject
from rubrica.report.tables import Table, retitled

ID, TITLE = "checks", "Checks"
ALL = "all"
"""What stands in the column of questions where a whole judgement was checked."""
MOST_ROWS = 40
"""Longer tables are in the files only."""


def checks(figures: Figures) -> Section:
    """Findings, exclusions, and results with and without."""
    subject = figures.subject
    if not subject.ratings.every:
        return Section(
            ID, TITLE, (Paragraph("Nobody has judged anything yet, so there is nothing to check.", "empty"),)
        )
    labels = {one.id: one.label for one in subject.ratings.criteria}
    found = attrs.evolve(
        figures.checked,
        findings=tuple(attrs.evolve(one, question=labels.get(one.question, ALL)) for one in figures.checked.findings),
    )
    parts: list[Part] = [
        Paragraph(text) for text in (_planted(subject, found), fixed_left_out(subject.ratings)) if text
    ]
    behind: list[Table] = [_named(every_table(found), "checks_all")]
    behind += [_named(ranking_table(found, len(found.ranking)), "checks_ranking")] if found.ranking else []
    planted = (*_whole(found.findings, GOLD), *_whole(found.findings, CONSISTENCY))
    if planted:
        table = _named(every_table(attrs.evolve(found, findings=planted)), "checks_planted")
        table = attrs.evolve(
            table,
            title="Planted items: known answers and hidden duplicates",
            note=f"{table.note}.{_untested(found, (GOLD, CONSISTENCY))}",
        )
        (parts if len(table.rows) <= MOST_ROWS else behind).append(table)
    parts.append(Paragraph(_unusual(found)))
    if found.unusual:
        parts.append(_named(unusual_table(found), "checks_unusual"))
    parts += [Heading("Who was excluded"), *_excluded(subject)]
    for table in _without(subject, found):
        (parts if len(table.rows) <= MOST_ROWS else behind).append(table)
    return Section(ID, TITLE, tuple(parts), tuple(behind))


def _named(table: Table, name: str) -> Table:
    titles = {"rater": "Annotator", "peers": "Median of the others"}
    columns = tuple(attrs.evolve(one, title=titles.get(one.id, one.title)) for one in table.columns)
    return retitled(attrs.evolve(table, id=name, columns=columns))


def _planted(subject: Subject, found: Checked) -> str:
    care = subject.facts.care if subject.facts else None
    said = []
    if care and (care.gold or care.duplicates):
        kinds = [counted(care.gold, "item with a known answer", "items with a known answer")] if care.gold else []
        kinds += [counted(care.duplicates, "hidden duplicate")] if care.duplicates else []
        verb = "was" if care.gold + care.duplicates == 1 else "were"
        said.append(f"{sentence(listed(kinds))} {verb} planted among the items.")
    elif care:
        said.append("The study planted no items with known answers and no hidden duplicates.")
    right, same = _share(found.findings, GOLD, "right"), _share(found.findings, CONSISTENCY, "consistent")
    said += [f"Of {counted(right.total, 'known answer')}, {percent(right.share)} are right."] if right.total else []
    if same.total:
        said.append(
            f"Of {counted(same.total, 'answer')} to repeated items, {percent(same.share)} are the same as before "
            "(within one point on scales of five points or more)."
        )
    if care and care.unreviewed:
        said.append(f"Nobody has reviewed {counted(care.unreviewed, 'item')} for sensitive material.")
    if care and care.reviews:
        decided = listed(f"{number} {decision}" for decision, number in care.reviews.items())
        said.append(f"A researcher reviewed {counted(sum(care.reviews.values()), 'judgement')}: {decided}.")
    return " ".join(said) or "The file names no planted units, so only behaviour could be checked."


class Shared(NamedTuple):
    """How many answers of all annotators, and the share of them that is right or the same again."""

    total: int
    share: float


def _share(findings: Sequence[Finding], check: str, kept: str) -> Shared:
    """Over all annotators, from the counts that findings keep; answers that are sets are the same or not, as others."""
    rows = _whole(findings, check)
    total = sum(one.n for one in rows)
    return Shared(total, sum(one.evidence[kept] for one in rows) / total if total else 0.0)


def _whole(findings: Sequence[Finding], check: str) -> list[Finding]:
    """Each annotator once: over all questions, or on the only one that was checked."""
    rows = [one for one in findings if one.check == check and one.value.value is not None]
    together = [one for one in rows if one.question == ALL]
    return sorted(together or rows, key=lambda one: alias_order(one.rater))


def _untested(found: Checked, checks: Collection[str]) -> str:
    """Why annotators have no p at these checks."""
    reasons = [one.text for one in found.untold if set(one.checks) & set(checks)]
    return f" {sentence('; '.join(reasons))}." if reasons else ""


def _unusual(found: Checked) -> str:
    """Who is unusual, of whom it is known that they are not, and of whom it cannot be told."""
    looked = listed(dict.fromkeys(CHECKS[one.check].title for one in found.findings))
    text = f"Each annotator was looked at alone and beside the others: {looked}. " if looked else ""
    open_ = " ".join(f"It {one.text}." for one in found.untold)
    if not found.unusual:
        told = listed(found.clear) if len(found.clear) < len(found.people) else "anybody"
        nobody = f"Nothing unusual is found of {told} ({counted(found.tests, 'test')}). " if found.clear else ""
        return f"{text}{nobody}{open_}".strip()
    names = list(dict.fromkeys(one.rater for one in found.unusual))
    return (
        f"{text}{listed(names)} {'stands' if len(names) == 1 else 'stand'} out "
        f"({counted(len(found.unusual), 'finding')} of {found.tests} tests). A finding is a reason to look, not a "
        f"verdict: nobody is left out because of it. {open_}"
    ).strip()


def _excluded(subject: Subject) -> list[Part]:
    facts = subject.facts
    out = [name for name, rater in subject.ratings.raters.items() if rater.excluded]
    if not out:
        return [Paragraph("Nobody was excluded: every judgement of a plain item counts.")]
    points = [Paragraph(f"{name}: {_reason(facts, name)}", "list") for name in out]
    count = sum(subject.ratings.raters[rating.rater].excluded for rating in subject.ratings.every)
    return [
        Paragraph(
            f"{sentence(counted(len(out), 'annotator'))} {'was' if len(out) == 1 else 'were'} excluded by decision; "
            f"{counted(count, 'judgement')} of theirs {'is' if count == 1 else 'are'} kept but not counted."
        ),
        *points,
    ]


def _reason(facts: StudyFacts | None, name: str) -> str:
    person = next((one for one in facts.people if one.alias == name), None) if facts else None
    if person is None or not person.excluded:
        return "left out when this report was made (--exclude)."
    return person.reason or "no reason was recorded."


def _without(subject: Subject, found: Checked) -> list[Table]:
    """Results with and without those who are excluded, and those who stand out."""
    ratings = subject.ratings
    out = [name for name, rater in ratings.raters.items() if rater.excluded]
    tables = []
    if out:
        every = {name: attrs.evolve(rater, excluded=False) for name, rater in ratings.raters.items()}
        everybody = attrs.evolve(ratings, raters=every)
        table = without_table(
            _labelled(differences(everybody, ratings), ratings), out, ratings.sign_chosen(table="without")
        )
        tables.append(_titled(_named(table, "checks_excluded"), out))
    flagged = list(dict.fromkeys(one.rater for one in found.unusual if one.rater not in out))
    standing = {rating.rater for rating in ratings.counted}
    if flagged and standing - set(flagged):
        fewer = ratings.without([*out, *flagged])
        table = without_table(
            _labelled(differences(ratings, fewer), ratings),
            flagged,
            ratings.sign_chosen(table="without", flagged="+".join(flagged)),
        )
        tables.append(_titled(_named(table, "checks_flagged"), flagged))
    return tables


def _labelled(rows: Sequence[Difference], ratings: Ratings) -> list[Difference]:
    return [row._replace(question=ratings.criterion(row.question).label) for row in rows]


def _titled(table: Table, names: Sequence[str]) -> Table:
    note = "Agreement is Krippendorff's alpha; means and shares are over judgements. n: answers with and without them."
    return attrs.evolve(table, title=f"Results with and without {listed(names)}", note=note)
