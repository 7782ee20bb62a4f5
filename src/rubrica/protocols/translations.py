"""Texts of a protocol: complete in its languages, with parameters and wordings that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rubrica.protocols.report import Report, entries, listed, mapping, names
from rubrica.protocols.values import LANGUAGE
from rubrica.protocols.yaml_source import BooleanWord, Path

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_ANCHOR = re.compile(r"\{#[A-Za-z0-9_-]+\}")
_TICKS = re.compile("`+")
_TEXT_KEYS = frozenset(
    [
        "title",
        "summary",
        "audience",
        "label",
        "meaning",
        "prompt",
        "note",
        "low",
        "high",
        "yes",
        "no",
        "none",
        "none_label",
        "shows",
        "why",
        "text",
        "explanation",
        "guidelines",
        "requires",
        "default",
    ]
)


def check_translations(report: Report, data: dict[Any, Any]) -> None:
    """Every text exists in every language that the protocol claims, and fills only known parameters."""
    fallback = data.get("fallback", "en")
    languages, partly = names(listed(data.get("languages"))), names(listed(data.get("partly_translated")))
    if all(LANGUAGE.fullmatch(code) for code in languages):
        _check_announced(report, data, fallback, languages, partly)
    parameters = {
        entry["id"]: [name for name in names(listed(entry.get("options"))) if not isinstance(name, BooleanWord)]
        for _, entry in entries(data, "parameters")
        if isinstance(entry.get("id"), str)
    }
    _check_parameters(report, data)
    _check_headers(report, data)
    by_parameter = (("verdicts", "share_by"), ("stages", "suggest_by"))
    used = {entry[key] for list_, key in by_parameter for _, entry in entries(data, list_) if _is_word(entry.get(key))}
    for place, text in _texts(data, ()):
        if isinstance(text, dict) and _is_word(text.get("wording_by")):
            used.add(text["wording_by"])
        for wording_place, wording in _wordings(report, place, text, parameters):
            required = _required(data, place, languages, fallback)
            _check_languages(report, wording_place, wording, required, [*languages, *partly], fallback)
            used.update(name for words in _strings(wording) for name in _PLACEHOLDER.findall(words))
            meant = [_without_code(words) if place == ("guidelines",) else words for words in _strings(wording)]
            _check_braces(report, wording_place, meant)
            for name in sorted({name for words in meant for name in _PLACEHOLDER.findall(words)}):
                if report.known(wording_place, name, parameters, "parameter") and place[-1] == "default":
                    what = f"the default of a parameter cannot fill in {{{name}}}"
                    report.say(wording_place, what, "default", "Write the words out.", name)
    _check_used(report, data, used)


def _required(data: dict[Any, Any], place: Path, languages: list[str], fallback: Any) -> list[str]:
    """The languages that a text must have. A practice item in one language is explained in that and in the fallback.

    Where a language has items of its own, those for all languages need no explanation in it.
    """
    if place[0] != "practice":
        return languages
    of_item = mapping(data["practice"][place[1]]).get("language")
    if of_item:
        return [code for code in languages if code in (fallback, of_item)]
    own = {item.get("language") for _, item in entries(data, "practice")}
    return [code for code in languages if code not in own]


def _is_word(value: Any) -> bool:
    return isinstance(value, str)


def _without_code(guidelines: str) -> str:
    """Guidelines without anchors and without what stands between backticks, which may hold any braces."""
    ticks = list(_TICKS.finditer(guidelines))
    later: dict[int, list[int]] = {}
    for number in range(len(ticks) - 1, -1, -1):
        later.setdefault(len(ticks[number][0]), []).append(number)
    kept, place, number = [], 0, 0
    while number < len(ticks):
        same = later[len(ticks[number][0])]
        while same and same[-1] <= number:
            same.pop()
        if same:
            kept.append(guidelines[place : ticks[number].start()])
            number = same.pop()
            place = ticks[number].end()
        number += 1
    return _ANCHOR.sub("", "".join([*kept, guidelines[place:]]))


def _check_braces(report: Report, place: Path, texts: list[str]) -> None:
    """Braces that hold no name would be shown as they are: a slip."""
    for words in texts:
        stray = _BRACES.search(_PLACEHOLDER.sub("", words))
        if stray:
            what = f"{stray[0]!r} does not fill in a parameter"
            fix = "Write the id of a parameter between { and }, or leave the braces out."
            report.say(place, what, "unknown_parameter", fix, stray[0])


def _check_headers(report: Report, data: dict[Any, Any]) -> None:
    for where in (("questions",), ("edits", "questions")):
        for place, question in entries(data, *where):
            stray = _BRACES.search(question["header"]) if _is_word(question.get("header")) else None
            if stray:
                what = f"{stray[0]!r} stands in a header, which fills in no parameters"
                report.say((*place, "header"), what, "unknown_parameter", "Leave the braces out.", stray[0])


def _check_used(report: Report, data: dict[Any, Any], used: set[Any]) -> None:
    """A parameter without use; a misspelt use has its own message, and this one would only repeat it."""
    if any(problem.rule in ("unknown_parameter", "unknown_option", "wording") for problem in report.problems):
        return
    for place, entry in entries(data, "parameters"):
        if _is_word(entry.get("id")) and entry["id"] not in used:
            what = f"no text uses the parameter {entry['id']!r}"
            fix = f"Write {{{entry['id']}}} in a text, choose wordings by it, or remove it."
            report.say((*place, "id"), what, "unused", fix, entry["id"])


def _check_announced(
    report: Report, data: dict[Any, Any], fallback: Any, languages: list[str], partly: list[str]
) -> None:
    if languages and isinstance(fallback, str) and LANGUAGE.fullmatch(fallback) and fallback not in languages:
        what = f"the fallback language {fallback!r} is not among the languages"
        fix = "Add it to `languages`, or name another `fallback`."
        report.say(("fallback",) if "fallback" in data else ("languages",), what, "fallback", fix, fallback)
    for index, code in enumerate(listed(data.get("partly_translated"))):
        if code in languages:
            what = f"{code!r} cannot be translated wholly and in part"
            fix = "Keep it in `languages` or in `partly_translated`."
            report.say(("partly_translated", index), what, "contradiction", fix, code)
    for index, code in enumerate(listed(data.get("unreviewed"))):
        if isinstance(code, str) and LANGUAGE.fullmatch(code):
            report.known(("unreviewed", index), code, [*languages, *partly], "language")


def _check_parameters(report: Report, data: dict[Any, Any]) -> None:
    for place, entry in entries(data, "parameters"):
        options = names(listed(entry.get("options")))
        if options and "default" in entry and entry["default"] is not None and entry["default"] not in options:
            what = f"the default of {entry.get('id')!r} is not one of its options"
            report.say((*place, "default"), what, "default", f"Use one of {', '.join(options)}.", entry["default"])


def _texts(data: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Every place where a text may stand: by key, and in lists of notes and mappings of new wordings."""
    if isinstance(data, list):
        for index, part in enumerate(data):
            yield from _texts(part, (*path, index))
    elif isinstance(data, dict):
        for key, part in data.items():
            place = (*path, key)
            if place == ("thresh",):
                continue
            if place == ("scales",):
                for name, scale in mapping(part).items():
                    yield from _texts(scale, (*place, name))
            elif key in _TEXT_KEYS and isinstance(part, str | dict) and not _is_choice_default(data, key):
                yield place, part
            elif key == "notes":
                yield from (((*place, index), note) for index, note in enumerate(listed(part)))
            elif key in ("reword", "families"):
                yield from (((*place, name), text) for name, text in mapping(part).items())
            elif key not in ("fields", "answers", "preset") or isinstance(part, list):
                yield from _texts(part, place)


def _is_choice_default(parameter: dict[Any, Any], key: Any) -> bool:
    return key == "default" and bool(parameter.get("options"))


def _wordings(report: Report, place: Path, text: Any, parameters: dict[str, list[str]]) -> list[tuple[Path, Any]]:
    """The text itself, or each of its wordings after checking that they are the parameter's options."""
    if not isinstance(text, dict) or "wording_by" not in text:
        return [(place, text)]
    name = text["wording_by"]
    given = {key: value for key, value in text.items() if key != "wording_by"}
    if report.known((*place, "wording_by"), name, parameters, "parameter"):
        for option in parameters[name]:
            if option not in given:
                fix = f"Add `{option}:`."
                report.say(place, f"the wording for {name} = {option} is missing", "wording", fix, option)
        for option in given:
            report.known((*place, option), option, parameters[name], "option")
    return [((*place, option), value) for option, value in given.items()]


def _strings(text: Any) -> list[str]:
    return [words for words in (text.values() if isinstance(text, dict) else [text]) if isinstance(words, str)]


def _check_languages(
    report: Report, place: Path, text: Any, required: list[str], known: list[str], fallback: Any
) -> None:
    spoken = list(text) if isinstance(text, dict) else [fallback] if isinstance(text, str) else []
    if not spoken or not all(isinstance(code, str) and LANGUAGE.fullmatch(code) for code in spoken):
        return
    announced = all(LANGUAGE.fullmatch(code) for code in known)
    missing = [code for code in required if code not in spoken and announced]
    if missing:
        report.say(
            place,
            f"no text in {', '.join(missing)}",
            "translation",
            "Translate it, or move the language from `languages` to `partly_translated`.",
            missing,
        )
    for code in spoken:
        if code not in known and known and announced:
            report.say(
                (*place, code),
                f"the language {code!r} is not announced",
                "language",
                "Add it to `languages` or `partly_translated`.",
                code,
            )
