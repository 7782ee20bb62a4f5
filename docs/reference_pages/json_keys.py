"""The keys that `--json` prints, found by running the commands; each key's meaning stands here and must exist."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reference_pages import (
    json_keys_agreement,
    json_keys_benchmark,
    json_keys_correlation,
    json_keys_edits,
    json_keys_gold,
    json_keys_lexical,
    json_keys_report,
    json_keys_scores,
    json_keys_systems,
)
from rubrica.cli.main import main

ITEMS = """reference,hypothesis
The shop opens at nine.,The store opens at nine.
He sold his boat to a neighbour.,He have sell his boat to neighbour.
"""
JUDGEMENTS = """{"item": "1", "annotator": "ana", "answers": {"content_preservation": 5, "fluency": 5}}
{"item": "2", "annotator": "ana", "answers": {"content_preservation": 5, "fluency": 2}}
"""
REWRITES = "source,rewrite\nHe purchased a boat.,He bought a boat.\n"
GROUPS, COMMANDS = (
    ("study", "sheets", "edits", "people", "reliability", "evaluate", "words", "complexity"),
    ("show", "check", "import-thresh"),
)
"""Groups of commands, and commands of a group that also does something by itself."""
EXAMPLES = Path(__file__).parents[1] / "examples"
TEMPLATE = """template_name: notes
font_size: 18
edits:
  - name: Left out
    enable_input: true
"""
ENTRIES = """[
  {"source": "Please wait here.", "target": "Wait here.", "edits": [
    {"id": 1, "category": "Left out", "input_idx": [[0, 60]]}
  ]}
]
"""
BROKEN = "id: tone\nversion: 1.0\n"

RUNS: tuple[tuple[str, ...], ...] = (
    ("protocols", "--json"),
    ("protocols", "show", "adequacy_fluency", "--json"),
    ("protocols", "check", "broken.yaml", "--json"),
    ("study", "new", "demo", "--protocol", "adequacy_fluency", "--items", "pairs.csv", "--json"),
    ("study", "list", "--json"),
    ("study", "show", "demo", "--json"),
    ("study", "change", "demo", "--genre", "news", "--json"),
    ("study", "targets", "demo", "--json"),
    ("sheets", "write", "demo", "--annotators", "ana,ben", "--out", "sheets", "--json"),
    ("sheets", "read", "demo", "sheets/demo-rate-ben-01.xlsx", "--json"),
    ("sheets", "recall", "demo", "--annotators", "ben", "--json"),
    ("import", "demo", "judgements.jsonl", "--json"),
    ("export", "demo", "--format", "csv", "-o", "judgements.csv", "--json"),
    ("edits", "suggest", "rewrites.csv", "-o", "suggested.jsonl", "--json"),
    ("edits", "fates", "demo", "--json"),
    ("patterns", "complex.txt", "--json"),
    *json_keys_benchmark.RUNS,
    *json_keys_edits.RUNS,
    *json_keys_systems.RUNS,
    *json_keys_report.RUNS,
    *json_keys_agreement.RUNS,
    *json_keys_gold.RUNS,
    *json_keys_scores.RUNS,
    *json_keys_correlation.RUNS,
    *json_keys_lexical.RUNS,
    ("protocols", "import-thresh", "notes.yml", "-o", "notes.yaml", "--json"),
    ("study", "new", "notes", "--protocol", "notes.yaml", "--json"),
    ("import", "notes", "notes.json", "--format", "thresh", "--json"),
    ("export", "notes", "--format", "thresh", "-o", "again.json", "--json"),
    ("export", "notes", "--format", "edits-csv", "-o", "edits.csv", "--json"),
    ("export", "notes", "--format", "words", "-o", "words.csv", "--json"),
    ("study", "new", "again", "--protocol", "adequacy_fluency", "--from", "demo", "--json"),
    ("study", "join", "again", "--apart", "--json"),
    ("study", "join", "again", "--authors-from", "demo", "--json"),
    ("sheets", "write", "again", "--annotators", "ana", "--out", "sheets", "--json"),
    ("people", "erase", "again", "ana", "--yes", "--json"),
    ("people", "rekey", "--yes", "--json"),
    ("study", "delete", "again", "--yes", "--json"),
    ("study", "restore", "again", "--json"),
)

STUDY = {
    "name": "the study's name",
    "state": "draft, running, paused or closed",
    "protocol": "id of its protocol",
    "version": "version of its protocol",
    "hash": "content hash of its protocol",
    "seed": "what makes the deal repeatable",
    "about": "whom the texts are for and what they are: audience, genre, education_level, education_relation",
    "about.audience": "whom the texts are for",
    "about.genre": "what kind of texts they are",
    "about.education_level": "at which level of education the readers are",
    "about.education_relation": "how the texts are related to education",
    "authors_from": "the study that the authors of its texts come from, with which it is joined; empty if none",
    "items": "how many items, planted ones left out",
    "groups": "how many groups of items are shown together; 0 if there are none",
    "gold": "how many planted items with a known answer",
    "duplicates": "how many planted duplicates",
    "teams": "by system: the names of those who are part of it and do not judge it",
    "required": "who may take part, by the profile; null or empty where it does not matter",
    "required.native_speaker": "whether only native speakers of the language of the texts may",
    "required.youngest": "age from",
    "required.oldest": "age to",
    "required.least_education": "years of education from",
    "required.most_education": "years of education to",
    "required.countries": "the countries that people must live in, by their codes",
    "unmarked": "how many items show no mark on their target word; only in studies from before words had to be found",
    "unreviewed": "how many items nobody has reviewed for sensitive material",
    "stages": "the steps, in order",
    "stages[].id": "the stage's id",
    "stages[].protocol": "id of the protocol that it runs",
    "stages[].takes": "the stage whose written texts are its items; empty if its items are the study's",
    "stages[].role": "who works there: annotator, writer, rater, adjudicator or judge",
    "stages[].overlap": "judgements wanted per item",
    "stages[].items": "items that are not planted, closed ones among them",
    "stages[].closed": "those of them that are closed: handed out no more",
    "stages[].wanted": "open items x overlap, and what closed items have; what a replaced stage has",
    "stages[].done": "judgements that are in, at most the overlap for each item and none of excluded people",
    "stages[].extra": "judgements beyond the overlap of their item: in the results, and no progress",
    "stages[].handed_out": "on sheets that are still out, or held in the studio",
    "stages[].remaining": "wanted less done; nothing at a closed stage",
    "stages[].annotators": "by name, planted items included: `done`, `open` (held), `passed_on` (left to others) and "
    "`extra` (beyond the overlap)",
}
ENTRY = {
    "id": "the protocol's id",
    "version": "its version",
    "hash": "its content hash",
    "title": "its title in English",
    "family": "protocols that belong together share it",
    "languages": "languages it is translated into, fully or partly",
}
SAVED = {
    "judgements": "new judgements",
    "revisions": "corrections of judgements that were there",
    "unchanged": "the same as before",
}
ERASED = {
    "judgements": "judgements that lost their answers",
    "revisions": "their revisions, drafts included",
    "items": "items whose text the person had written",
}
PLACE = {
    "file": "the file",
    "line": "its line",
    "rule": "a short name of the rule",
    "value": "what stands there",
    "fix": "what became of it, or what to do",
    "what": "what is odd",
}
PATTERNS = {
    "counts": "in how many sentences each pattern occurs",
    "counts.rc": "relative clauses",
    "counts.conj": "conjunctions",
    "counts.part": "participles",
    "counts.prep": "prepositional phrases",
    "counts.adv": "adverbial clauses",
    "counts.appos": "appositions",
    "counts.inf": "infinitives",
    "sentences": "how many sentences were looked at, each different text once",
    "per_sentence": "patterns a sentence",
}
MEANINGS: dict[str, str] = {
    "signature": "what made this: protocol, hash, seed, filters, version of Rubrica; `key:value` joined by a bar",
    "protocols": "the protocols",
    **{f"protocols[].{key}": text for key, text in ENTRY.items()},
    "protocol": "the protocol in its canonical form, from which it can be built again",
    "hash": "SHA-256 of the canonical form",
    "errors": "every problem, in the order of the file",
    "errors[].file": "the file, if the problem is in one",
    "errors[].line": "its line",
    "errors[].rule": "a short name of the rule that scripts may rely on",
    "errors[].value": "what was received",
    "errors[].fix": "what to do",
    "errors[].what": "what is wrong; for sheets there are also `sheet`, `cell`, `question` and `edit`",
    "study": "the study",
    "study.words": "of a study of picked words: how far their review is",
    **{f"study.words.{key}": text for key, text in json_keys_lexical.REVIEWED.items()},
    **json_keys_benchmark.MEANINGS,
    **{f"study.{key}": text for key, text in STUDY.items()},
    "studies": "the studies",
    **{f"studies[].{key}": text for key, text in STUDY.items()},
    "files": "files that were written, or read",
    "unusual": "what `check` finds unusual of those whose sheets were read",
    "untold": "what `check` cannot tell of them, and why",
    "kept": "files that were there already and were left alone",
    "waiting": "by annotator: hidden duplicates that did not fit and come on the next sheet",
    "recalled": "by annotator: how many rows went back to the pool",
    "read": "what came of it",
    "questions": "answers that were taken and may not be meant so, with place, rule and fix as problems have them",
    **{f"read.{key}": text for key, text in SAVED.items()},
    "erased": "how much of the person gave way to a tombstone",
    **{f"erased.{key}": text for key, text in ERASED.items()},
    "erased.elsewhere": "the same in each joined study",
    "erased.elsewhere[].study": "the joined study",
    **{f"erased.elsewhere[].{key}": text for key, text in ERASED.items()},
    "rekeyed": "who is known by the new key",
    "rekeyed.annotators": "annotators",
    "rekeyed.authors": "authors of texts",
    "rekeyed.erased": "erased people who cannot be recognised any more",
    "file": "the file that was written",
    "judgements": "how many judgements it holds",
    **json_keys_systems.MEANINGS,
    **json_keys_report.MEANINGS,
    **json_keys_edits.MEANINGS,
    "suggestions": "how many suggestions were shown, counted once for each submitted judgement",
    "suggested_by": "the version that suggested them, with the synonyms or vectors that it knew",
    "language": "the language of the texts",
    "meanings": "what was known of the meaning of words: `value` names the files, each with the start of its SHA-256",
    "entries": "how many entries a Thresh file has",
    "rows": "how many rows a table of words has",
    "remarks": "what a template says that has no counterpart here, or that is odd",
    **{f"remarks[].{key}": text for key, text in PLACE.items()},
    "items": "new items that came with a Thresh file",
    "unannotated": "entries of a Thresh file that nobody annotated",
    "flags": "what is odd in a Thresh file, and was kept",
    **{f"flags[].{key}": text for key, text in PLACE.items()},
    "flags[].edit": "the edit that it is about; there may also be `question`",
}
OWN = {
    "agree": json_keys_agreement.MEANINGS,
    "check": json_keys_gold.CHECK,
    "aggregate": json_keys_gold.AGGREGATE,
    "score": json_keys_scores.MEANINGS,
    "patterns": PATTERNS,
    "prepare": json_keys_benchmark.PREPARE | json_keys_lexical.POSTHOC,
    "describe": json_keys_benchmark.DESCRIBE,
    "correlate": json_keys_correlation.MEANINGS,
    "evaluate": json_keys_lexical.EVALUATE,
    "words": json_keys_lexical.WORDS,
    "translations": json_keys_lexical.TRANSLATIONS,
    "complexity": json_keys_lexical.COMPLEXITY,
    "substitutes": json_keys_lexical.SUBSTITUTES,
}
"""Meanings of keys that other commands use for something else, by command."""
CLOSED = (
    *json_keys_edits.CLOSED,
    *json_keys_agreement.CLOSED,
    *json_keys_gold.CLOSED,
    *json_keys_scores.CLOSED,
    *json_keys_lexical.CLOSED,
    "protocol",
    "recalled",
    "study.stages[].annotators",
    "study.teams",
    "studies[].teams",
    "studies[].stages[].annotators",
)
"""Objects whose keys are data, not part of the promise."""

HEAD = """# JSON keys

With `--json` a command prints one JSON object on standard output. Remarks and problems go to standard error. The
objects below were printed by this version; long ones are cut at `…`.

A figure that cannot be computed is `{"value": null, "reason": "…"}` in place of the number, with the reason in words.
A row that is about one figure, called `value`, is such an object itself: its `value` is null and its `reason` stands
beside it; the ends of its interval, p-values and all other figures of the row are numbers or objects of their own.
There is no other null but where a key says what it means, and NaN is never printed.

An export in JSON lines has keys of its own: see [exporting](../researchers/exporting.md).
"""


def page(ran: Iterable[tuple[tuple[str, ...], Any]] | None = None) -> str:
    """The page, of commands that were run already or are now; fails when a key has no meaning, or a meaning no key."""
    lines, met, own = [HEAD], set(), set()
    for arguments, printed in run_all() if ran is None else ran:
        keys = list(dict.fromkeys(_keys(printed)))
        here = {key for key in keys if key in OWN.get(arguments[0], {})}
        own.update((arguments[0], key) for key in here)
        met.update(set(keys) - here)
        lines += _section(arguments, printed, keys)
    unexplained, stale = met - MEANINGS.keys(), MEANINGS.keys() - met
    stale |= {f"{command}: {key}" for command, keys in OWN.items() for key in keys if (command, key) not in own}
    if unexplained or stale:
        raise SystemExit(f"JSON keys without a meaning: {sorted(unexplained)}; meanings without a key: {sorted(stale)}")
    return "\n".join(lines)


def run_all(
    more: Iterable[tuple[str, ...]] = (), files: Mapping[str, str] | None = None
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Runs the commands, and ``more`` after them on more ``files``, in a folder of their own; what each printed."""
    before, address = Path.cwd(), os.environ.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("pairs.csv").write_text(ITEMS, encoding="utf-8")
            Path("judgements.jsonl").write_text(JUDGEMENTS, encoding="utf-8")
            Path("rewrites.csv").write_text(REWRITES, encoding="utf-8")
            Path("complex.txt").write_text("Ana, who sings, left.\n", encoding="utf-8")
            Path("bench.csv").write_text(json_keys_benchmark.SENTENCES, encoding="utf-8")
            Path("outputs.csv").write_text(json_keys_benchmark.OUTPUTS, encoding="utf-8")
            Path("sentences.txt").write_text("Ana, who sings, left.\nWho left?\n", encoding="utf-8")
            Path("scored.csv").write_text(json_keys_scores.TABLE, encoding="utf-8")
            Path("words.csv").write_text(json_keys_gold.WORDS, encoding="utf-8")
            for name in ("edits", "systems", "ratings", "score", "lexical", "translations"):
                shutil.copytree(EXAMPLES / name, name)
            Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
            Path("notes.yml").write_text(TEMPLATE, encoding="utf-8")
            Path("notes.json").write_text(ENTRIES, encoding="utf-8")
            for name, text in (files or {}).items():
                Path(name).write_text(text, encoding="utf-8")
            for arguments in (*RUNS, *more):
                out = io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                    main(["--home", "home", *arguments])
                yield arguments, json.loads(out.getvalue())
        finally:
            _disconnect()
            os.chdir(before)
            if address:
                os.environ["DATABASE_URL"] = address


def _disconnect() -> None:
    from django.db import connections

    connections.close_all()


def _keys(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _keys(part, f"{path}[]")
    elif isinstance(value, dict) and path not in CLOSED and value.keys() != {"value", "reason"}:
        for key, part in value.items():
            inside = f"{path}.{key}" if path else key
            yield inside
            yield from _keys(part, inside)


def _section(arguments: tuple[str, ...], printed: Any, keys: list[str]) -> Iterator[str]:
    parts = 3 if arguments[:2] == ("edits", "tag") else 2 if arguments[0] in GROUPS or arguments[1] in COMMANDS else 1
    yield f"## {' '.join(arguments[:parts])}"
    yield ""
    yield "```text"
    yield f"rubrica {' '.join(arguments)}"
    yield "```"
    yield ""
    yield "```json"
    yield json.dumps(_shortened(printed), ensure_ascii=False, indent=2)
    yield "```"
    yield ""
    yield "| key | meaning |"
    yield "| --- | --- |"
    known = {**MEANINGS, **OWN.get(arguments[0], {})}
    yield from (f"| `{key}` | {known.get(key, '')} |" for key in keys)
    yield ""


def _shortened(value: Any) -> Any:
    """The value with long lists, objects and texts cut, so that the page stays readable."""
    if isinstance(value, dict):
        if "guidelines" in value:
            return {"id": value["id"], "version": value["version"], "…": "…"}
        return {key: _shortened(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_shortened(part) for part in value[:2]] + (["…"] if len(value) > 2 else [])
    return f"{value[:96]}…" if isinstance(value, str) and len(value) > 100 else value
