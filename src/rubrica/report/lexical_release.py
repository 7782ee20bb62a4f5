"""Data sets of words out of studies: the files of the lexical shared tasks, and the form of the MLSP guideline.

MLSP Shared Task @ BEA 2024, Annotation Guidelines V1.0 (data aggregation and return) has token, context and the mean
from 1 to 5 under a header; the files that the task released have context before target, complexity from 0 to 1, and no
header (TSAR 2022: context, target, substitutes). Substitutes go by descending frequency, equal strings adjacent.
Counting ignores capitals, spaces and how letters are encoded; a word is released in its most frequent spelling.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import mean, stdev
from typing import BinaryIO, NamedTuple

import attrs

from rubrica.core.answers import NO_SIMPLER_WORD, Answer, compared
from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import SCALE, WORDS, Ratings
from rubrica.core.simulation import ALL
from rubrica.core.study import Item
from rubrica.core.target_words import context_field, find_targets, target_of
from rubrica.core.text_helpers import first_of
from rubrica.exchange.exports import Wanted
from rubrica.exchange.study_options import Options
from rubrica.language.lemmas import told_by
from rubrica.language.names import language_name, told_language
from rubrica.prepare.words import hashed
from rubrica.report.agreement import Asked, agreement
from rubrica.report.benchmark import MADE, hub_licence, made_by, simulated_note, yaml_head
from rubrica.report.people import GROUPS, NUMBERS, Trait
from rubrica.report.prose import counted
from rubrica.report.release_people import RULE, Person, annotators_csv, ids, number_of
from rubrica.stats.aggregation import counts
from rubrica.stats.agreement.percent_agreement import SharedAnswers, shared_answers

LCP, LS, COMBINED, UNLABELLED, GUIDELINE, TSAR = "lcp", "ls", "combined", "unlabelled", "guideline", "tsar"
PARTS = (COMBINED, LCP, LS, UNLABELLED)
LS_UNLABELLED = "ls unlabelled"
"""What ``unlabelled`` is of a study of substitutes alone."""
_PROTOCOLS = {LCP: "lexical_complexity", LS: "lexical_simplification"}
ARCHIVE, USUAL = "archive", "usual"
"""What is wanted instead of a part: everything (also where none is named), and the one file of what there is."""
FIRST, ASCENDING, DESCENDING = "first", "ascending", "descending"
TIES = (FIRST, ASCENDING, DESCENDING)
TARGET, LEFT_OUT = "target", "omit"
NONE_SIMPLER = (TARGET, LEFT_OUT)
UNKNOWN = "und"
"""The code of a language that is not known (ISO 639-2)."""
ENOUGH = 10
"""Annotations of an instance that the guideline asks for."""
SHOWN = 5


def task_of(protocol: Protocol) -> str:
    """Which of the two tasks a protocol is for: ``ls``, ``lcp``, or none."""
    if not context_field(protocol) or any(field.role == "rewrite" for field in protocol.fields):
        return ""
    from rubrica.protocols.criteria import criteria_of

    kinds = {one.id: one for one in criteria_of(protocol)}
    if any(one.kind == WORDS and one.blank for one in kinds.values()):
        return LS
    scales = [one for one in kinds.values() if one.kind == SCALE and one.ends == (1, 5)]
    return LCP if len(scales) == 1 else ""


@attrs.frozen(kw_only=True)
class Source:
    """What one study has for a release: its items in order, its ratings, and who gave them, in words by trait."""

    study: str
    task: str
    items: tuple[Item, ...]
    ratings: Ratings
    people: int = 0
    traits: tuple[Trait, ...] = ()
    simulated: str = ""
    signature: str = ""
    persons: tuple[Person, ...] = ()


@attrs.frozen(kw_only=True)
class Instance:
    """A word in its context with what people said of it; None for a task that no study has it for.

    ``points`` are from 1 to 5; of ``answers`` an empty one says that none is simpler.
    """

    id: str
    language: str
    context: str
    target: str
    points: tuple[int, ...] | None = None
    answers: tuple[tuple[str, ...], ...] | None = None

    @property
    def complexity(self) -> Fraction | None:
        """The mean from 1 to 5, exactly."""
        return Fraction(sum(self.points), len(self.points)) if self.points else None

    @property
    def none_simpler(self) -> int:
        """How many found no simpler word."""
        return sum(answer == NO_SIMPLER_WORD for answer in self.answers or ())


@attrs.frozen(kw_only=True)
class Choices:
    """How substitutes are put in order, what becomes of "none simpler", how many contexts go into the trial part."""

    ties: str = FIRST
    none_simpler: str = TARGET
    trial: int = 0
    seed: int = 0
    strict: bool = False
    unaggregated: bool = False
    annotators: bool = False
    same_people: bool = False


@attrs.frozen(kw_only=True)
class About:
    """What a release must say of its texts."""

    title: str
    licence: str = ""
    sources: str = ""
    attested: bool = False
    audience: str = ""
    genre: str = ""
    education_relation: str = ""

    @classmethod
    def of(cls, title: str, options: Options) -> About:
        """What the settings of a study say of its texts."""
        return cls(
            title=title,
            licence=options.ethics.licence.strip(),
            sources=options.ethics.sources.strip(),
            attested=options.ethics.sources_attested,
            audience=options.about.audience.strip(),
            genre=options.about.genre.strip(),
            education_relation=options.about.education_relation.strip(),
        )


class Release(NamedTuple):
    """The instances, what is to be said of them, and by task which instance each item is, by their ids."""

    instances: tuple[Instance, ...]
    remarks: tuple[str, ...]
    ids: Mapping[str, Mapping[str, str]]


def gather(sources: Sequence[Source], choices: Choices) -> Release:
    """Join studies by instance: the same context and target, in the order of the first study.

    Raises InputError under ``strict`` if an instance has fewer than ten annotations, naming each.
    """
    field = {one.task: context_field(_protocol(one)) for one in sources}
    said = {one.task: _said(one) for one in sources}
    keys = {one.task: _by_text(one.items, field[one.task], _protocol(one)) for one in sources}
    order = dict.fromkeys([place for one in sources for place in keys[one.task]])
    usual = told_by(place[0] for place in order) or UNKNOWN
    found: list[Instance] = []
    remarks: list[str] = []
    first = [next(keys[one.task][place] for one in sources if place in keys[one.task]) for place in order]
    languages = [told_language(item.metadata) or usual for item in first]
    named = _ids([item.key for item in first], languages)
    for place, language, known_as in zip(order, languages, named, strict=True):
        own = {task: said[task].get(by[place].key) if place in by else None for task, by in keys.items()}
        found.append(
            Instance(
                id=known_as,
                language=language,
                context=place[0],
                target=place[1],
                points=_points(own.get(LCP)),
                answers=_words(own.get(LS)),
            )
        )
    for one in sources:
        lacking = [each for place, each in zip(order, found, strict=True) if place not in keys[one.task]]
        if lacking:
            remarks.append(f"{one.study} lacks {_named(lacking)}, that the other has")
        gone = {each.id for each in lacking}
        nobody = [each for each in found if each.id not in gone and not said_of(each, one.task)]
        if nobody and len(nobody) < len(found):
            remarks.append(f"{one.study} has no annotation of {_named(nobody)}")
    few = list(_few(found, [one.task for one in sources]))
    if choices.strict:
        refuse(few)
    elif few:
        remarks.append(
            f"{counted(len({one.value for one in few}), 'instance')} with fewer than {ENOUGH} annotations of a task; "
            "a strict release (--strict) names each"
        )
    if any(one.language == UNKNOWN for one in found):
        remarks.append("the language of some items is not known: give them a column language")
    name_of = dict(zip(order, named, strict=True))
    ids_of = {task: {item.key: name_of[place] for place, item in by.items()} for task, by in keys.items()}
    return Release(tuple(found), tuple(remarks), ids_of)


def said_of(one: Instance, task: str) -> Sequence[object]:
    """What people said of an instance in one of the tasks."""
    return (one.points if task == LCP else one.answers) or ()


def _named(found: Sequence[Instance]) -> str:
    names = [f"{one.id} ({_cell(one.target)})" for one in found]
    return f"{counted(len(found), 'instance')}, {first_of(names, SHOWN)}"


def _ids(keys: Sequence[str], languages: Sequence[str]) -> list[str]:
    """Ids as the released files have them: the items' own if these are like that and all different, else new ones."""
    if len(set(keys)) == len(keys) and all(map(str.startswith, keys, (f"{one}_" for one in languages))):
        return list(keys)
    numbers: Counter[str] = Counter()
    found = []
    for language in languages:
        numbers[language] += 1
        found.append(f"{language}_{numbers[language]}")
    return found


def _protocol(source: Source) -> Protocol:
    assert source.ratings.protocol is not None, "it is of a study"
    return source.ratings.protocol


def _by_text(items: Sequence[Item], field: str, protocol: Protocol) -> dict[tuple[str, str, int, int], Item]:
    """Items by context, target and where it stands; those that cannot be told apart by that, by their order."""
    together: dict[str, list[Item]] = {}
    for item in items:
        together.setdefault(item.fields.get(field, ""), []).append(item)
    placed: dict[str, int] = {}
    for text, own in together.items():
        for item, place in zip(own, find_targets(text, [target_of(protocol, one) for one in own]), strict=True):
            placed[item.key] = place.start if place else -1
    found: dict[tuple[str, str, int, int], Item] = {}
    times: Counter[tuple[str, str, int]] = Counter()
    for item in items:
        known = (item.fields.get(field, ""), protocol.target_of(item.fields), placed[item.key])
        found[(*known, times[known])] = item
        times[known] += 1
    return found


def _said(source: Source) -> dict[str, list[Answer]]:
    kind = WORDS if source.task == LS else SCALE
    criterion = next(one.id for one in source.ratings.criteria if one.kind == kind)
    found: dict[str, list[Answer]] = {}
    for rating in source.ratings.counted:
        answer = rating.answers.get(criterion)
        if answer is not None and source.ratings.raters[rating.rater].kind == "person":
            found.setdefault(rating.unit, []).append(answer)
    return found


def _points(answers: Sequence[Answer] | None) -> tuple[int, ...] | None:
    return tuple(one for one in answers if isinstance(one, int)) if answers else None


def _words(answers: Sequence[Answer] | None) -> tuple[tuple[str, ...], ...] | None:
    return (
        tuple(tuple(map(str, one)) if isinstance(one, tuple) else (str(one),) for one in answers) if answers else None
    )


def _few(found: Sequence[Instance], tasks: Sequence[str]) -> Iterator[Problem]:
    for one in found:
        for task in tasks:
            many = len(said_of(one, task))
            if many < ENOUGH:
                name = {LCP: "complexity", LS: "substitutes"}[task]
                what = f"{one.id}, {one.target!r}: {many} annotation{'s' * (many != 1)} of {name}"
                fix = f"Collect {ENOUGH}, or do not refuse for that (--strict)."
                yield Problem(what=what, rule="annotations", fix=fix, value=one.id)


def substitutes(one: Instance, choices: Choices) -> list[str]:
    """The substitutes with their repetitions, the most frequent first; equal ones stand together."""
    itself = (one.target,) if choices.none_simpler == TARGET else ()
    given = [answer if answer != NO_SIMPLER_WORD else itself for answer in one.answers or ()]
    seen: dict[str, int] = {}
    for answer in given:
        for word in answer:
            seen.setdefault(compared(word), len(seen))
    groups = counts(given, compared)
    if choices.ties == FIRST:
        groups.sort(key=lambda each: (-each.raters, seen[compared(each.answer)]))
    else:
        groups.sort(key=lambda each: each.answer, reverse=choices.ties == DESCENDING)
        groups.sort(key=lambda each: -each.raters)
    return [" ".join(each.answer.split()) for each in groups for _ in range(each.raters)]


_ENDS_A_CELL = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


def _cell(text: str) -> str:
    """A text without what would end a cell or a line; its other spaces stay as they are, for contexts are joined by."""
    return _ENDS_A_CELL.sub(" ", text).strip()


def _number(value: Fraction | None) -> str:
    return "" if value is None else repr(float(value))


def line(one: Instance, part: str, choices: Choices) -> str:
    """One instance in one of the layouts."""
    head = (_cell(one.context), _cell(one.target))
    name = language_name(one.language).lower()
    scaled = None if one.complexity is None else (one.complexity - 1) / 4
    match part:
        case "combined":
            cells = [one.id, name, *head, _number(scaled), *substitutes(one, choices)]
        case "lcp":
            cells = [one.id, name, *head, _number(scaled)]
        case "ls" | "tsar":
            cells = [*head, *substitutes(one, choices)]
        case "unlabelled":
            cells = [one.id, name, *head]
        case "ls unlabelled":
            cells = [*head]
        case _:
            cells = [head[1], head[0], _number(one.complexity), *substitutes(one, choices)]
    return "\t".join(cells)


NEEDS: Mapping[str, tuple[str, ...]] = {LCP: (LCP,), COMBINED: (LCP, LS), LS: (LS,), TSAR: (LS,)}
"""The tasks without which a file has no line."""
HEADER = "Token\tContext\tAvg LCP\tSuggestions\n"


def table(instances: Iterable[Instance], part: str, choices: Choices) -> str:
    """A file: a line an instance that has what the part shows; the guideline's has its header.

    Without labels a file of substitutes has context and target only.
    """
    fields = {LCP: "points", LS: "answers"}
    kept = [one for one in instances if all(getattr(one, fields[task]) for task in NEEDS.get(part, ()))]
    return (HEADER if part == GUIDELINE else "") + "".join(f"{line(one, part, choices)}\n" for one in kept)


def parted(instances: Sequence[Instance], choices: Choices) -> dict[str, list[Instance]]:
    """Trial and test instances; words of one context stay together, and which ones are drawn follows from the seed."""
    contexts = sorted(dict.fromkeys(one.context for one in instances), key=lambda text: hashed(choices.seed, text))
    trial = set(contexts[: choices.trial])
    split = {"trial": [one for one in instances if one.context in trial]} if trial else {}
    return {**split, "test": [one for one in instances if one.context not in trial]}


_WANTED = {
    "licence": "under which licence they may be given away",
    "sources": "where they come from",
    "attested": "that they were written by native speakers and not translated",
    "audience": "whom they are for",
    "genre": "what kind of texts they are",
    "education_relation": "how they are related to education",
}
"""What a release must say of its texts."""


def check_about(about: About) -> None:
    """Raise InputError with everything that the texts of a release must be said to be, and are not."""
    fix = "Fill it in at the study's items and ethics steps, or make the archive all the same (--unattested)."
    refuse(
        Problem(what=f"the study does not say of its texts {text}", rule="release", fix=fix, value=name)
        for name, text in _WANTED.items()
        if not getattr(about, name)
    )


def write_archive(
    release: Release, sources: Sequence[Source], about: About, choices: Choices, name: str, out: BinaryIO
) -> int:
    """The whole release as an archive: files of each language and part, counts, metadata and a data card."""
    files: dict[str, str] = {}
    tasks = [one.task for one in sources]
    parts = [*([COMBINED] if len(tasks) > 1 else []), *tasks]
    for split, own in parted(release.instances, choices).items():
        for language in dict.fromkeys(one.language for one in own):
            here = [one for one in own if one.language == language]
            for part in parts:
                files[f"{split}/multilex_{split}_{language}_{part}.tsv"] = table(here, part, choices)
            if split == "test":
                for task in tasks:
                    file = f"test/multilex_test_{language}_{task}_unlabelled.tsv"
                    kept = [one for one in here if said_of(one, task)]
                    files[file] = table(kept, UNLABELLED if task == LCP else LS_UNLABELLED, choices)
    files["counts.tsv"] = _counts(release.instances)
    files["metadata.json"] = json.dumps(metadata(release, sources, about), ensure_ascii=False, indent=1) + "\n"
    tasks_people = {one.task: one.persons for one in sources}
    numbers = ids(tasks_people, same=choices.same_people, seed=choices.seed)
    if choices.unaggregated:
        files["unaggregated.csv"] = _unaggregated(release, sources, numbers)
    if choices.annotators:
        files["annotators.csv"] = annotators_csv(tasks_people, numbers, choices.same_people)
    files["README.md"] = card(release, sources, about, sorted(files), choices)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(f"{name}/{file}", MADE), text.encode(), zipfile.ZIP_DEFLATED)
    return len(release.instances)


def _counts(instances: Iterable[Instance]) -> str:
    """Annotations of each instance, with how many found none simpler."""
    rows = ["id\tcomplexity_annotations\tmean\tdeviation\tsubstitute_annotations\tnone_simpler"]
    for one in instances:
        points = one.points or ()
        spread = f"{stdev(points):.4f}" if len(points) > 1 else ""
        cells = [one.id, str(len(points)), _number(one.complexity), spread, str(len(one.answers or ()))]
        rows.append("\t".join([*cells, str(one.none_simpler) if one.answers else ""]))
    return "".join(f"{row}\n" for row in rows)


def _unaggregated(release: Release, sources: Sequence[Source], numbers: Mapping[str, Mapping[str, str]]) -> str:
    """Every annotator's answers by instance; who is who is a number of the archive, and no order tells more."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("task", "id", "annotator", "context", "target", "answer"))
    place = {one.id: number for number, one in enumerate(release.instances)}
    for source in sources:
        people = numbers[source.task]
        kind = WORDS if source.task == LS else SCALE
        criterion = next(one.id for one in source.ratings.criteria if one.kind == kind)
        rows = []
        for rating in source.ratings.counted:
            known_as, answer = release.ids[source.task].get(rating.unit), rating.answers.get(criterion)
            if known_as is not None and answer is not None and rating.rater in people:
                told = "|".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)
                rows.append((place[known_as], number_of(people[rating.rater]), people[rating.rater], told))
        for at, _, who, told in sorted(rows):
            one = release.instances[at]
            writer.writerow((source.task, one.id, who, one.context, one.target, told))
    return out.getvalue()


def overlap(release: Release) -> SharedAnswers:
    """How far people gave the same substitutes; one who found none simpler gave the word itself."""
    return shared_answers(
        [
            frozenset(compared(word) for word in (answer if answer != NO_SIMPLER_WORD else (one.target,)))
            for answer in one.answers or ()
        ]
        for one in release.instances
    )


def metadata(release: Release, sources: Sequence[Source], about: About) -> dict[str, object]:
    """What the guideline wants returned beside the data."""
    per = {
        source.task: [many for one in release.instances if (many := len(said_of(one, source.task)))]
        for source in sources
    }
    without = {one.task: [each.id for each in release.instances if not said_of(each, one.task)] for one in sources}
    return {
        "instances": len(release.instances),
        "contexts": len({one.context for one in release.instances}),
        "annotators_per_instance": {
            task: {"mean": mean(numbers), "least": min(numbers), "most": max(numbers)}
            for task, numbers in per.items()
            if numbers
        },
        "not_annotated": without,
        "annotators": {
            one.task: {"people": one.people, "simulated": one.simulated or "none", **_told(one.traits)}
            for one in sources
        },
        "annotators_rule": GROUPS,
        "agreement": {
            source.task: {one.question: one.value.value for one in agreement(source.ratings, Asked(replicates=0))}
            for source in sources
        },
        "substitutes_in_common": overlap(release)._asdict(),
        "audience": about.audience,
        "genre": about.genre,
        "education_relation": about.education_relation,
        "sources": about.sources,
        "licence": about.licence,
        "native_speakers_not_translated": about.attested,
        "signatures": {one.study: one.signature for one in sources},
    }


def _told(traits: Sequence[Trait]) -> dict[str, dict[str, object]]:
    """What a group told, by question; numbers with mean and deviation, null where too few answered."""
    return {
        one.id: {
            "question": one.title,
            "answered": one.answered,
            "told": one.told,
            **({"mean": one.mean, "deviation": one.deviation} if one.id in NUMBERS else {}),
        }
        for one in traits
    }


def card(
    release: Release, sources: Sequence[Source], about: About, files: Sequence[str], choices: Choices | None = None
) -> str:
    """README.md with the YAML head that dataset hubs read."""
    languages = list(dict.fromkeys(one.language for one in release.instances))
    head: Mapping[str, str | list[str]] = {
        "pretty_name": about.title,
        **hub_licence(about.licence),
        "language": languages,
        "multilinguality": ["monolingual" if len(languages) == 1 else "multilingual"],
        "size_categories": ["n<1K" if len(release.instances) < 1000 else "1K<n<10K"],
        "task_categories": ["text-classification", "text-generation"],
        "annotations_creators": made_by([one.simulated for one in sources]),
        "tags": ["lexical-complexity", "lexical-simplification"],
    }
    told = [f"- {task}: {_people_line(source)}" for source in sources for task in [source.task]]
    if any(one.traits for one in sources):
        told += ["", GROUPS]
    if choices and choices.annotators:
        told += ["", f"`annotators.csv` has what people told about themselves. {RULE}"]
    if choices and (choices.annotators or choices.unaggregated):
        same = "A person has one id in both tasks, by the names that the researchers gave."
        told += ["", same if choices.same_people else "Ids of the two tasks say nothing about who did both."]
    lines = [
        "---", *yaml_head(head), "---", "", f"# {about.title}", "",
        *(line for note in simulated_notes(sources) for line in (note, "")),
        f"{len(release.instances):,} words in {len({one.context for one in release.instances}):,} contexts.", "",
        "## Files", "", *(f"- `{file}`" for file in files), "",
        "## Annotators", "", *told, "",
        "## Agreement", "", "Krippendorff's alpha (ordinal for complexity, MASI for substitutes):", "",
        *(f"- {text}" for source in sources for text in _alpha(source)), *_common(release), "",
        "## Texts", "",
        f"- audience: {about.audience or 'not recorded'}", f"- genre: {about.genre or 'not recorded'}",
        f"- relation to education: {about.education_relation or 'not recorded'}",
        f"- sources: {about.sources or 'not recorded'}", f"- licence: {about.licence or 'not recorded'}",
        f"- written by native speakers, not translated: {'attested' if about.attested else 'not attested'}", "",
        *(f"- {remark}" for remark in release.remarks), "",
        *(f"Signature of {one.study}: `{one.signature}`" for one in sources), "",
    ]  # fmt: skip
    return "\n".join(lines)


def simulated_notes(sources: Sequence[Source]) -> list[str]:
    """That annotators are simulated: in one sentence where all are, else by task."""
    if all(one.simulated == ALL for one in sources):
        return [simulated_note(ALL)]
    return [simulated_note(one.simulated, one.task) for one in sources if one.simulated]


def _common(release: Release) -> list[str]:
    """The two plain figures of substitutes, in words; nothing where nobody was asked for any."""
    found = overlap(release)
    if found.pairs is None or found.top is None:
        return []
    return [
        f"- ls, two annotators have a substitute in common: {found.pairs:.1%} of pairs",
        f"- ls, annotators who gave the most frequent substitute: {found.top:.1%}",
    ]


def _people_line(source: Source) -> str:
    traits = "; ".join(f"{one.title}: {one.told}" for one in source.traits)
    kind = "simulated people" if source.simulated == ALL else "people"
    return f"{source.people} {kind}" + (f"; {traits}" if traits else "")


def _alpha(source: Source) -> list[str]:
    found = agreement(source.ratings, Asked(replicates=0))
    return [
        f"{source.task}, {one.question}: "
        + (f"{one.value.value:.3f}" if one.value.value is not None else f"undefined ({one.value.reason})")
        for one in found
    ]


def check_choices(wanted: Wanted) -> None:
    """Raise InputError for a choice that there is none of."""
    known = {"tie rule": (wanted.ties, TIES), "way with none simpler": (wanted.none_simpler, NONE_SIMPLER)}
    for what, (value, values) in known.items():
        if value not in values:
            fix = f"Use one of {', '.join(values)}."
            raise wrong(f"there is no {what} {value!r}", what.replace(" ", "_"), fix, value=value)
    if wanted.part not in ("", ARCHIVE, USUAL, *PARTS):
        fix = f"Use one of {', '.join(PARTS)}."
        raise wrong(f"there is no part {wanted.part!r}", "part", fix, value=wanted.part)
    if wanted.part and wanted.form != "mlsp":
        fix = "Leave the part out, or use the format mlsp."
        raise wrong(f"{wanted.form} is one file, without parts", "part", fix, value=wanted.part)
    of_all = [name for name in ("trial", "unaggregated", "annotators", "same_people") if getattr(wanted, name)]
    if of_all and not is_archive(wanted):
        fix = "Ask for everything in one archive: format mlsp into a .zip file."
        raise wrong(f"one file has no {', '.join(of_all).replace('_', ' ')}", "archive", fix, value=wanted.form)


class Prepared(NamedTuple):
    """What is to be written: studies in the order of the tasks, joined, and how."""

    name: str
    sources: tuple[Source, ...]
    release: Release
    choices: Choices


def prepare(given: Sequence[Source], wanted: Wanted, about: About, seed: int) -> Prepared:
    """Join what is wanted; whatever refuses a release refuses here, before anything is written.

    Raises InputError for choices that there are none of, studies of the same task, under ``strict`` for too few
    annotations, and for an archive whose texts nobody has vouched for.
    """
    check_choices(wanted)
    if len({one.task for one in given}) < len(given):
        fix = "Name one study of lexical_complexity and one of lexical_simplification."
        raise wrong("both studies are of the same task", "with", fix, value=wanted.joined)
    there = {one.task for one in given}
    for task in NEEDS.get(wanted.part if wanted.form == "mlsp" else wanted.form, ()):
        if task not in there:
            protocol = _PROTOCOLS[task]
            fix = f"Join it with a study of {protocol}, or ask for a file of what this one has."
            raise wrong(f"such a file needs a study of {protocol}", "with", fix, value=wanted.part or wanted.form)
    sources = tuple(sorted(given, key=lambda one: (LCP, LS).index(one.task)))
    choices = Choices(
        ties=wanted.ties,
        none_simpler=wanted.none_simpler,
        trial=wanted.trial,
        seed=seed,
        strict=wanted.strict,
        unaggregated=wanted.unaggregated,
        annotators=wanted.annotators,
        same_people=wanted.same_people,
    )
    release = gather(sources, choices)
    if is_archive(wanted) and not wanted.unattested:
        check_about(about)
    contexts = len({one.context for one in release.instances})
    if wanted.trial and wanted.trial >= contexts:
        fix = "Ask for fewer contexts in the trial part."
        what = f"there are {contexts} contexts, so that a trial part of {wanted.trial} leaves none for the test"
        raise wrong(what, "trial", fix, value=wanted.trial)
    return Prepared(given[0].study, sources, release, choices)


def is_archive(wanted: Wanted) -> bool:
    """Whether everything is wanted, not one file."""
    return wanted.form == "mlsp" and wanted.part in ("", ARCHIVE)


def write_wanted(
    given: Sequence[Source], wanted: Wanted, about: About, seed: int, out: BinaryIO, say: Callable[[str], None]
) -> int:
    """Write a file or the whole release, named after the first study; how many instances it has.

    ``say`` hears what is worth knowing. Raises InputError as :func:`prepare` does.
    """
    name, sources, release, choices = prepare(given, wanted, about, seed)
    for remark in (*release.remarks, *(note.replace("**", "") for note in simulated_notes(sources))):
        say(remark)
    if is_archive(wanted):
        return write_archive(release, sources, about, choices, name, out)
    missing = [text for field, text in _WANTED.items() if not getattr(about, field)]
    if missing and not wanted.unattested:
        say(f"not to be given away like this: the study does not say of its texts {'; '.join(missing)}")
    usual = COMBINED if len(sources) > 1 else sources[0].task
    part = wanted.form if wanted.form != "mlsp" else usual if wanted.part == USUAL else wanted.part
    part = LS_UNLABELLED if part == UNLABELLED and usual == LS else part
    text = table(release.instances, part, choices)
    out.write(text.encode())
    return text.count("\n") - (part == GUIDELINE)
