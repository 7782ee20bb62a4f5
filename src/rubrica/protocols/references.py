"""What the shape of a protocol file cannot say: that names exist, values fit their scales, people can be found.

The checks read the raw data and survive any shape, so that a file with a misspelt key still hears about its
unknown scales in the same run.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from rubrica.core.errors import Problem
from rubrica.core.scales import Choices, Scale
from rubrica.protocols import schema
from rubrica.protocols.build import answer_from, scale_from
from rubrica.protocols.report import Report, entries, ids, listed, mapping, several
from rubrica.protocols.translations import check_translations
from rubrica.protocols.yaml_source import Path, Source

RESERVED = frozenset(
    [
        "study",
        "stage",
        "item",
        "group",
        "system",
        "author",
        "annotator",
        "revision",
        "outcome",
        "submitted_at",
        "seconds",
        "protocol",
        "signature",
        "edits",
        "metadata",
        "planted",
        "not_applicable",
        "id",
        "answered",
        "row",
    ]
)
"""Column names of Rubrica's own exports: no field or question may take them."""

KINDS: dict[tuple[str, ...], str] = {
    ("fields",): "a field",
    ("questions",): "a question",
    ("edits", "questions"): "a question on edits",
}

LISTS: tuple[tuple[str, ...], ...] = (
    *(
        (name,)
        for name in [
            "fields",
            "parameters",
            "questions",
            "rules",
            "hints",
            "ways_out",
            "verdicts",
            "stages",
            "practice",
        ]
    ),
    *(("edits", name) for name in ("operations", "questions", "types")),
)
"""Where things with ids are listed."""


def check_references(source: Source) -> list[Problem]:
    """Every problem of meaning in a protocol file."""
    checks = _Checks(source)
    checks.names_are_unique()
    checks.scales_make_sense()
    checks.questions_fit(("questions",))
    checks.questions_fit(("edits", "questions"))
    checks.rules_fit()
    checks.hints_fit()
    checks.verdicts_fit()
    checks.stages_fit()
    checks.operations_fit()
    check_translations(checks.report, source.data)
    return checks.report.problems


class _Checks:
    def __init__(self, source: Source) -> None:
        self.report = Report(source)
        self.data = mapping(source.data)
        self.fields = ids(self.data, "fields")
        self.questions = {str(entry.get("id")): entry for _, entry in entries(self.data, "questions")}
        self.about_edits = {str(entry.get("id")): entry for _, entry in entries(self.data, "edits", "questions")}
        self.operations = ids(self.data, "edits", "operations")
        self.outcomes = ["answered", "uncomfortable", *ids(self.data, "ways_out")]
        self.scales = self._buildable_scales()

    def _buildable_scales(self) -> dict[str, Scale]:
        adapter: TypeAdapter[Any] = TypeAdapter(schema.ScaleFile)
        found = {}
        for name, raw in mapping(self.data.get("scales")).items():
            try:
                found[name] = scale_from(adapter.validate_python(raw), "en")
            except ValidationError:
                continue
        return found

    def names_are_unique(self) -> None:
        for where in LISTS:
            self._unique(where, "id")
        self._unique(("edits", "operations"), "key")
        for name, scale in mapping(self.data.get("scales")).items():
            self._unique(("scales", name, "options"), "id")
            self._unique(("scales", name, "points"), "value")
            values = [point.get("value") for point in listed(mapping(scale).get("points")) if isinstance(point, dict)]
            numbers = [value for value in values if isinstance(value, int)]
            if len(numbers) == len(values) and numbers != sorted(numbers):
                self.report.say(
                    ("scales", name, "points"), f"the points of {name} are not in order", "order", "Sort them by value."
                )
        taken: dict[str, str] = dict.fromkeys(self.fields, KINDS[("fields",)])
        for path, kind in KINDS.items():
            for place, entry in entries(self.data, *path):
                name = str(entry.get("id"))
                if name in RESERVED:
                    self.report.say(
                        (*place, "id"),
                        f"{name!r} is a column of Rubrica's own exports",
                        "reserved",
                        "Choose another id.",
                        name,
                    )
                elif path != ("fields",) and taken.get(name, "") not in ("", kind):
                    self.report.say(
                        (*place, "id"),
                        f"{name!r} is already the id of {taken[name]}",
                        "duplicate_id",
                        "Questions and fields share the columns of exports: choose another id.",
                        name,
                    )
                elif path == ("questions",):
                    taken.setdefault(name, kind)

    def _unique(self, path: tuple[str, ...], key: str) -> None:
        seen: list[Any] = []
        for place, entry in entries(self.data, *path):
            name = entry.get(key)
            if name is not None and name in seen:
                self.report.say(
                    (*place, key), f"{name!r} stands twice in {'.'.join(path)}", "duplicate_id", "Rename one.", name
                )
            seen.append(name)

    def scales_make_sense(self) -> None:
        for name, scale in mapping(self.data.get("scales")).items():
            place, scale = ("scales", name), mapping(scale)
            if scale.get("type") == "slider":
                low, high, step = scale.get("minimum"), scale.get("maximum"), scale.get("step", 1)
                if isinstance(low, int | float) and isinstance(high, int | float):
                    if low >= high:
                        self.report.say(
                            place, f"{name} ends before it starts", "range", "minimum < maximum.", [low, high]
                        )
                    elif isinstance(step, int | float) and step > 0 and abs((high - low) / step % 1) > 1e-9:
                        self.report.say(place, f"{name} has steps that miss its end", "range", "Change `step`.", step)
            if scale.get("type") in ("choices", "short_answers"):
                most = scale.get("maximum", len(listed(scale.get("options"))) or 3)
                least = scale.get("minimum", 1)
                if isinstance(most, int) and isinstance(least, int) and least > most:
                    self.report.say(place, f"{name} wants more answers than it takes", "range", "minimum <= maximum.")
            if scale.get("type") == "rewrite":
                self.report.known((*place, "starts_from"), scale.get("starts_from"), self.fields, "field")

    def questions_fit(self, where: tuple[str, ...]) -> None:
        earlier: list[str] = []
        known_scales = mapping(self.data.get("scales"))
        for place, entry in entries(self.data, *where):
            self.report.known((*place, "scale"), entry.get("scale"), known_scales, "scale")
            for key in ("hides", "dims"):
                for index, name in enumerate(listed(entry.get(key))):
                    self.report.known((*place, key, index), name, self.fields, "field")
            for index, name in enumerate(listed(entry.get("operations"))):
                self.report.known((*place, "operations", index), name, self.operations, "operation")
            for index, example in enumerate(listed(entry.get("examples"))):
                answer = mapping(example).get("answer")
                if answer is not None:
                    self._value((*place, "examples", index, "answer"), entry, answer)
            self.condition((*place, "when"), entry.get("when"), {"question"}, earlier)
            if isinstance(entry.get("id"), str):
                earlier.append(entry["id"])

    def _value(self, place: Path, question: dict[Any, Any], value: Any) -> None:
        scale = self.scales.get(question.get("scale", ""))
        if scale is None or scale.test()(answer_from(value)):
            return
        self.report.say(
            place, f"{value!r} is not an answer to {question.get('id')!r}", "scale", f"Use {scale.expects()}.", value
        )

    def condition(self, place: Path, raw: Any, about: set[str], earlier: list[str] | None = None) -> None:
        """Check a condition: its form, that it asks about the right things, and that its values are possible."""
        if not isinstance(raw, dict):
            return
        for key in ("all", "any"):
            for index, part in enumerate(listed(raw.get(key))):
                self.condition((*place, key, index), part, about, earlier)
        self.condition((*place, "not"), raw.get("not"), about, earlier)
        kinds = [kind for kind in ("question", "field", "outcome", "operation", "all", "any", "not") if kind in raw]
        how = [key for key in ("is", "is_not", "includes", "answered", "same_as") if key in raw]
        needs = {"question": 1, "field": 1}.get(kinds[0], 0) if len(kinds) == 1 else -1
        if len(how) != needs:
            self.report.say(
                place,
                "this condition is not complete, or says too much",
                "condition",
                "Write one test, such as {question: q, is: value} or {field: f, same_as: g}, or all, any, not.",
                raw,
            )
            return
        kind = kinds[0]
        if kind in ("all", "any", "not"):
            return
        if kind not in about:
            self.report.say(
                (*place, kind),
                f"a condition on {kind} has no meaning here",
                "condition",
                f"Here it can ask about {' or '.join(sorted(about))}.",
                raw,
            )
            return
        self._test(place, kind, raw, earlier)

    def _test(self, place: Path, kind: str, raw: dict[Any, Any], earlier: list[str] | None) -> None:
        if kind == "field":
            self.report.known((*place, "field"), raw["field"], self.fields, "field")
            if "same_as" in raw:
                self.report.known((*place, "same_as"), raw["same_as"], self.fields, "field")
            return
        if kind in ("outcome", "operation"):
            among = self.outcomes if kind == "outcome" else self.operations
            for name in several(raw[kind]):
                self.report.known((*place, kind), name, among, "way out" if kind == "outcome" else kind)
            return
        every = self.questions | self.about_edits
        if not self.report.known((*place, "question"), raw["question"], [*every], "question"):
            return
        if earlier is not None and raw["question"] not in earlier:
            self.report.say(
                (*place, "question"),
                f"{raw['question']!r} is asked later, or in another part",
                "order",
                "A condition can only ask about an earlier question of the same list.",
                raw["question"],
            )
        question = every[raw["question"]]
        scale = self.scales.get(question.get("scale", ""))
        if "includes" in raw:
            if scale is not None and not isinstance(scale, Choices):
                self.report.say(place, "`includes` needs a multiple choice", "condition", "Use `is`.", raw)
            elif scale is not None:
                for option in several(raw["includes"]):
                    self.report.known((*place, "includes"), option, scale.values(), "option")
            return
        for key in ("is", "is_not"):
            for value in several(raw.get(key)):
                self._value((*place, key), question, value)

    def rules_fit(self) -> None:
        for place, rule in entries(self.data, "rules"):
            self.condition((*place, "if"), rule.get("if"), {"field"})
            for key in ("preset", "reword"):
                for name, value in mapping(rule.get(key)).items():
                    known = self.report.known((*place, key, name), name, self.questions, "question")
                    if known and key == "preset":
                        self._value((*place, key, name), self.questions[name], value)
            for key in ("drop", "ask"):
                for index, name in enumerate(listed(rule.get(key))):
                    self.report.known((*place, key, index), name, self.questions, "question")
                    if name in mapping(rule.get("preset")):
                        self.report.say(
                            (*place, key, index),
                            f"{name!r} is preset and in `{key}` at the same time",
                            "contradiction",
                            "Keep one of the two.",
                            name,
                        )

    def hints_fit(self) -> None:
        for place, hint in entries(self.data, "hints"):
            self.report.known((*place, "question"), hint.get("question"), self.questions, "question")
            self.condition((*place, "when"), hint.get("when"), {"question", "field"})

    def verdicts_fit(self) -> None:
        of_judgement: list[str] = []
        for place, verdict in entries(self.data, "verdicts"):
            if ("when" in verdict) == ("counts" in verdict):
                self.report.say(
                    place,
                    "a verdict is derived from one judgement or from several",
                    "verdict",
                    "Give `when` (of one judgement) or `counts` (of all judgements of an item), not both.",
                )
            self.condition((*place, "when"), verdict.get("when"), {"question", "outcome", "field"})
            if "counts" in verdict:
                self.report.known((*place, "counts"), verdict["counts"], of_judgement, "verdict of one judgement")
            elif isinstance(verdict.get("id"), str):
                of_judgement.append(verdict["id"])

    def stages_fit(self) -> None:
        earlier: list[str] = []
        every = [*self.questions, *self.about_edits]
        for place, stage in entries(self.data, "stages"):
            for index, name in enumerate(listed(stage.get("asks"))):
                self.report.known((*place, "asks", index), name, every, "question")
            for key in ("items_from", "same_people_as"):
                self.report.known((*place, key), stage.get(key), earlier, "earlier stage")
            for index, name in enumerate(listed(stage.get("other_people_than"))):
                self.report.known((*place, "other_people_than", index), name, earlier, "earlier stage")
            if stage.get("edits") == "fixed" and not stage.get("items_from"):
                self.report.say(
                    place, "fixed edits must come from a stage", "stage", "Add `items_from:` with an earlier stage."
                )
            if isinstance(stage.get("id"), str):
                earlier.append(stage["id"])
        if "group_by" in self.data:
            self.report.known(("group_by",), self.data["group_by"], self.fields, "field")
        if not self.questions and not self.about_edits:
            self.report.say((), "the protocol asks nothing", "questions", "Add `questions:` or `edits:`.")

    def operations_fit(self) -> None:
        simple = [
            str(entry.get("id"))
            for _, entry in entries(self.data, "edits", "operations")
            if not entry.get("constituents")
        ]
        for place, operation in entries(self.data, "edits", "operations"):
            for index, name in enumerate(listed(operation.get("constituents"))):
                self.report.known((*place, "constituents", index), name, simple, "simple operation")
            if bool(operation.get("constituents")) == bool(operation.get("sides")):
                self.report.say(
                    place,
                    f"{operation.get('id')!r} needs either sides or constituents",
                    "operation",
                    "Give `sides: [source, rewrite]` to a simple operation, `constituents:` to a composite one.",
                )
            for name, value in mapping(operation.get("preset")).items():
                if self.report.known((*place, "preset", name), name, self.about_edits, "question on edits"):
                    self._value((*place, "preset", name), self.about_edits[name], value)
        families = mapping(mapping(self.data.get("edits")).get("families"))
        for place, kind in entries(self.data, "edits", "types"):
            self.report.known((*place, "family"), kind.get("family"), families, "family")
            self.condition((*place, "when"), kind.get("when"), {"question", "operation"})
