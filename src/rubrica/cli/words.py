"""`rubrica words pick`: target words and contexts for studies of lexical complexity and simplification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, Json, choose, now, open_studies, pairs
from rubrica.cli.output import count, print_json, say
from rubrica.cli.prepare import check_ending, write_rows
from rubrica.cli.splitting import ParserName
from rubrica.core.errors import InputError, wrong

if TYPE_CHECKING:
    from rubrica.prepare.words import Passage, Picked, Target, Wanted
    from rubrica.rewriting.lexical.substitutes import Suggester

app = typer.Typer(help="Words before the study.", no_args_is_help=True, rich_markup_mode=None)
ENDINGS = (".txt", ".text", ".md")


@app.callback()
def words() -> None:
    """Choose words for a study."""


@app.command()
def pick(
    place: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="Texts in UTF-8, a paragraph a line.")],
    language: Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of the texts.")],
    contexts: Annotated[int, typer.Option("--contexts", metavar="N", min=1, help="Contexts that are wanted.")] = 200,
    targets: Annotated[
        int, typer.Option("--targets", metavar="N", min=1, max=10, help="Words of each context, the main one included.")
    ] = 3,
    first: Annotated[
        str, typer.Option("--first", metavar="WHAT", help="words: then contexts that show them; or contexts.")
    ] = "words",
    given: Annotated[
        Path | None, typer.Option("--words", metavar="FILE", help="Main targets to be used, one a line.")
    ] = None,
    without: Annotated[
        Path | None, typer.Option("--exclude", metavar="FILE", help="Words that are never picked, one a line.")
    ] = None,
    easiest: Annotated[float, typer.Option("--easiest", metavar="ZIPF", help="Main targets are no easier.")] = 4.5,
    hardest: Annotated[float, typer.Option("--hardest", metavar="ZIPF", help="No word is rarer.")] = 1.5,
    own_counts: Annotated[bool, typer.Option("--own-counts", help="Frequencies are those of the texts.")] = False,
    covered: Annotated[
        float,
        typer.Option("--covered", metavar="SHARE", min=0, max=0.99, help="With own counts: running words too easy."),
    ] = 0.5,
    shortest: Annotated[int, typer.Option("--min-letters", metavar="N", min=1, help="Letters of a target.")] = 5,
    least_words: Annotated[int, typer.Option("--min-words", metavar="N", min=1, help="Words of a context.")] = 8,
    most_words: Annotated[int, typer.Option("--max-words", metavar="N", min=1, help="The same.")] = 45,
    alike: Annotated[
        float, typer.Option("--near-duplicates", metavar="SHARE", min=0.01, max=1, help="Words in common.")
    ] = 0.6,
    wrapped: Annotated[
        bool, typer.Option("--wrapped", help="Paragraphs end at empty lines, not at line ends.")
    ] = False,
    reserve: Annotated[
        int | None,
        typer.Option("--reserve", metavar="N", min=0, help="Further contexts for the review; default: a tenth."),
    ] = None,
    about: Annotated[
        list[str] | None, typer.Option("--about", metavar="KEY=VALUE", help="Of the texts; a wrong key lists all.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why each word, and what programs suggest of it; kept in the table.")
    ] = False,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="For --explain: of `rubrica complexity train`.")
    ] = None,
    thesaurus: Annotated[
        list[Path] | None,
        typer.Option("--thesaurus", metavar="PATH", help="For --explain: as for `rubrica substitutes`."),
    ] = None,
    parser: ParserName = "",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of all draws.")] = 0,
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="The items: .csv, .tsv or .jsonl; - is stdout.")
    ] = "-",
    home: Home = None,
    json: Json = False,
) -> None:
    """Pick target words and their contexts from texts, with the reason for each word.

    The table goes to `rubrica study new --protocol lexical_complexity --items` as it is, where each word is looked at.
    """
    from rubrica.core.signature import signature
    from rubrica.exchange.text_lines import check_lines
    from rubrica.language.names import language_name
    from rubrica.prepare.word_review import ABOUT, NATIVE, TRANSLATED
    from rubrica.prepare.words import CONTEXTS_FIRST, WORDS_FIRST, Wanted
    from rubrica.prepare.words import pick as pick_words

    choose(first, [WORDS_FIRST, CONTEXTS_FIRST], "order")
    if out:
        check_ending(out)
    told = pairs(about or [], "--about")
    for key in told:
        choose(key, list(ABOUT), "key")
    for key in {NATIVE, TRANSLATED} & told.keys():
        told[key] = told[key].strip().lower()
        choose(told[key], ["yes", "no"], f"answer about {key}")
    if hardest >= easiest:
        fix = "Give --hardest a lower Zipf frequency than --easiest."
        raise wrong("no word can be rarer than --hardest and easier", "option", fix, value=hardest)
    paths = _paths(place)
    checked = {path: check_lines(path) for path in paths}
    problems = [problem for one in checked.values() for problem in one.problems]
    if problems:
        raise InputError(*problems)
    wanted = Wanted(
        language=_language(language),
        contexts=contexts,
        targets=targets,
        order=first,
        easiest=easiest,
        easiest_other=max(easiest, 5.2),
        hardest=hardest,
        covered=covered,
        shortest=shortest,
        least_words=least_words,
        most_words=most_words,
        alike=alike,
        parser=parser,
        own_counts=own_counts,
        seed=seed,
        reserve=-(-contexts // 10) if reserve is None else reserve,
        given=tuple(_list(given)),
        without=frozenset(word.casefold() for word in _list(without)),
    )
    looks_like = _looks_like(paths, wanted.language)
    other = f"the texts look like {language_name(looks_like)}, not {language_name(wanted.language)}: check --lang"
    found = pick_words(lambda: _passages(paths, wrapped), wanted)
    suggester = _suggester(wanted, explain, model, thesaurus or [])
    rows = [{**row, **told} for row in _rows(found, wanted, suggester)]
    if not rows:
        from rubrica.prepare.words import REASONS

        fix = "Give more text, or loosen the limits (--easiest, --hardest, --min-words, --max-words, --targets)."
        why = ", ".join(f"{number:,} for {REASONS[reason]!r}" for reason, number in found.left_out.items())
        if looks_like:
            fix = f"{other[0].upper()}{other[1:]}."
        of_all = f": of {count(found.sentences, 'sentence')} were left out {why}" if why else ""
        raise wrong(f"no context fits{of_all}", "words", fix, file=str(place), value=dict(found.left_out))
    if out and not (json and out == "-"):
        write_rows(out, list(rows[0]), rows)
    digests = "".join(one.digest for one in checked.values())
    signed = signature(_parts(wanted, digests))
    if json:
        account = {**_as_json(found, wanted, told), "looks_like": looks_like}
        print_json({**account, "items": rows, "signature": signed})
        return
    if suggester:
        _explain(rows)
    _say(found, wanted, told)
    if looks_like:
        say(other)
    for text in suggester.without() if suggester else ():
        say(f"not suggested: {text}")
    say(signed)


@app.command()
def accept(
    name: Annotated[str, typer.Argument(metavar="STUDY", help="A study of picked words, before its launch.")],
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="ID…", help="Its words, by their ids; with --all none.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every word that waits: you have looked at them elsewhere.")
    ] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Accept picked words of a study, as its review in the studio does; your name is recorded."""
    from rubrica.core.errors import Problem, refuse
    from rubrica.core.signature import signature

    if bool(keys) == every:
        raise wrong("it is not said which words", "option", "Name their ids, or write --all.", value=len(keys or []))
    open_studies(home)
    from rubrica.store import studies
    from rubrica.store.setup.study_items import review
    from rubrica.store.setup.target_words import counted

    study = studies.find(name)
    rows = {row.key: row for row in study.items.given().unplanted()}
    fix = "Name words of the study: `rubrica export` or its page Items has their ids."
    refuse(
        Problem(what=f"{name} has no word {key!r}", rule="id", fix=fix, value=key)
        for key in keys or []
        if key not in rows
    )
    chosen = [rows[key] for key in keys or []] or [row for row in rows.values() if not row.closed_at]
    review(study, [row.pid for row in chosen], {}, now(), "")
    found = counted(study)
    if json:
        print_json(
            {"words": {**found._asdict(), "instances": found.instances}, "signature": signature({"study": name})}
        )
        return
    say(f"{name}: {found.accepted:,} of {count(found.instances, 'word')} accepted, {found.waiting:,} to look at")


def _paths(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    found = sorted(path for path in place.rglob("*") if path.is_file() and path.suffix.lower() in ENDINGS)
    if not found:
        fix = f"Put files there that end in {', '.join(ENDINGS)}."
        raise wrong("the folder has no texts", "file", fix, file=str(place))
    return found


def _language(said: str) -> str:
    """The code of a language that somebody named; refused if nobody knows it."""
    from babel import Locale

    from rubrica.core.text_helpers import did_you_mean
    from rubrica.language.names import NAMES, base_language, language_code

    code = language_code(said)
    if base_language(code) in NAMES or base_language(code) in Locale("en").languages:
        return code
    fix = did_you_mean(said, [*NAMES, *NAMES.values()], "Give its code, for instance de, or its English name.")
    raise wrong(f"there is no language {said!r}", "language", fix, value=said)


def _looks_like(paths: list[Path], language: str) -> str:
    """The language that the beginning of the texts is in, if it is clearly another; else empty."""
    from rubrica.language.lemmas import told_by
    from rubrica.language.names import language_name

    told = told_by(passage.text for passage in _passages(paths, wrapped=False))
    return told if told and language_name(told) != language_name(language) else ""


def _passages(paths: list[Path], wrapped: bool) -> Iterator[Passage]:
    from rubrica.exchange.text_lines import paragraphs
    from rubrica.prepare.words import Passage

    for path in paths:
        for line, text in paragraphs(path, wrapped=wrapped):
            yield Passage(str(path), line, text)


def _list(path: Path | None) -> list[str]:
    from rubrica.exchange.text_lines import read_texts

    found = [text for text in read_texts(path) if text] if path else []
    if path and not found:
        raise wrong("the list has no words", "words", "Write one word a line.", file=str(path))
    return found


def _suggester(wanted: Wanted, explain: bool, model: Path | None, thesaurus: list[Path]) -> Suggester | None:
    """What suggests to whoever picks the words, if that is asked for."""
    if not explain:
        if model or thesaurus:
            raise wrong("--model and --thesaurus are for --explain", "option", "Add --explain.", value=str(model or ""))
        return None
    from rubrica.exchange.decoding import decode
    from rubrica.rewriting.lexical.complexity import loads
    from rubrica.rewriting.lexical.substitutes import Suggester

    if model and not model.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(model))
    known = loads(decode(model), str(model)) if model else None
    return Suggester(wanted.language, known, thesaurus, wanted.parser)


def _explain(rows: list[dict[str, Any]]) -> None:
    """Each context with its words, why they were picked, and what programs suggest."""
    from itertools import groupby

    from rubrica.prepare.word_review import COMPLEXITY, SUBSTITUTES

    for context, own in groupby(rows, key=lambda row: row["context"]):
        words = list(own)
        say(f"{words[0]['id']}: {context}" + (" (in reserve)" if words[0]["reserve"] else ""))
        for row in words:
            say(f"  {row['target']}: {row['why']}")
            parts = [f"complexity about {row[COMPLEXITY]} of 5"] if row[COMPLEXITY] else []
            parts += [f"thesaurus: {row[SUBSTITUTES]}"] if row[SUBSTITUTES] else []
            if parts:
                say(f"    suggestion: {'; '.join(parts)}")


def _rows(found: Picked, wanted: Wanted, suggester: Suggester | None) -> list[dict[str, Any]]:
    """The items: one a word, those of a context together, in the order of their places."""
    ordered = sorted(found.targets, key=lambda one: (one.context, one.found.start))
    rows = []
    for number, one in enumerate(ordered, start=1):
        context = found.contexts[one.context]
        spare = one.context >= found.wanted
        rows.append(
            {
                "id": f"{wanted.language}_{number}",
                "language": wanted.language,
                "context": context.text,
                "target": one.found.text,
                "start": one.found.start,
                "main": "yes" if one.main else "no",
                "lemma": one.found.key,
                "zipf": round(one.found.frequency, 2),
                "band": one.found.band,
                "part_of_speech": one.part_of_speech,
                "why": one.why,
                "text_file": Path(context.file).name,
                "text_line": context.line,
                "wanted": wanted.contexts * wanted.targets,
                "reserve": "yes" if spare else "",
                "candidates": _candidates(found.candidates[one.context], context.text, suggester) if one.main else "",
                **_suggested(suggester, context.text, one),
            }
        )
    return rows


def _suggested(suggester: Suggester | None, context: str, one: Target) -> dict[str, str]:
    from rubrica.prepare.word_review import COMPLEXITY, SUBSTITUTES

    if suggester is None:
        return {}
    found = suggester.of(context, one.found.text, one.found.start)
    return {COMPLEXITY: found.complexity, SUBSTITUTES: found.substitutes}


def _candidates(found: Sequence[Target], context: str, suggester: Suggester | None) -> str:
    from rubrica.prepare.word_review import BAND, LEMMA, PART, WHY, ZIPF, Word, kept_candidates

    return kept_candidates(
        [
            Word(
                one.found.text,
                one.found.start,
                {
                    LEMMA: one.found.key,
                    ZIPF: f"{one.found.frequency:.2f}",
                    BAND: str(one.found.band),
                    **({PART: one.part_of_speech} if one.part_of_speech else {}),
                    WHY: one.why,
                    **{name: text for name, text in _suggested(suggester, context, one).items() if text},
                },
            )
            for one in found
        ]
    )


def _taken(found: Picked) -> list[Target]:
    """The targets of contexts that are not in reserve."""
    return [one for one in found.targets if one.context < found.wanted]


def _parts(wanted: Wanted, digests: str) -> dict[str, object]:
    import hashlib

    import attrs

    asked = attrs.asdict(wanted)
    for name in ("given", "without"):
        listed = "\n".join(sorted(asked.pop(name)))
        asked[name] = hashlib.sha256(listed.encode()).hexdigest()[:12] if listed else ""
    texts = hashlib.sha256(digests.encode()).hexdigest()[:12]
    return {"words": "pick", **asked, "texts": texts}


def _bands(found: Picked) -> dict[str, int]:
    from rubrica.prepare.words import BANDS

    bands = [one.found.band for one in _taken(found)]
    return {str(band): bands.count(band) for band in range(1, BANDS + 1)}


def _as_json(found: Picked, wanted: Wanted, told: dict[str, str]) -> dict[str, Any]:
    from rubrica.prepare.word_review import ABOUT

    return {
        "sentences": found.sentences,
        "contexts": min(len(found.contexts), found.wanted),
        "instances": len(_taken(found)),
        "wanted": wanted.contexts,
        "reserve": max(0, len(found.contexts) - found.wanted),
        "bands": _bands(found),
        "left_out": dict(found.left_out),
        "without": list(found.without),
        "not_found": list(found.not_found),
        "not_told": [key for key in ABOUT if key not in told],
    }


def _say(found: Picked, wanted: Wanted, told: dict[str, str]) -> None:
    from rubrica.prepare.word_review import ABOUT
    from rubrica.prepare.words import REASONS

    many, spare = min(len(found.contexts), found.wanted), max(0, len(found.contexts) - found.wanted)
    short = f" of {wanted.contexts:,} wanted" if many < wanted.contexts else ""
    more = f", {count(spare, 'context')} in reserve" if spare else ""
    picked = f"{count(many, 'context')}{short}, {count(len(_taken(found)), 'word')}{more}"
    say(f"{count(found.sentences, 'sentence')}: {picked}")
    say("  words by band, 5 is the rarest: " + ", ".join(f"{band}: {many}" for band, many in _bands(found).items()))
    for reason, number in found.left_out.items():
        say(f"  {count(number, 'sentence')} left out: {REASONS[reason]}")
    for text in found.without:
        say(f"done without: {text}")
    if found.not_found:
        say(f"no context shows {count(len(found.not_found), 'given word')}: {', '.join(found.not_found[:10])}")
    lacking = [key for key in ABOUT if key not in told]
    if lacking:
        say(f"not told about the texts, and needed for a release: {', '.join(lacking)} (--about KEY=VALUE)")
