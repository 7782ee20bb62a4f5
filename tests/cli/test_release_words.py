"""`rubrica export --format mlsp|tsar|guideline`: data sets of words out of studies, byte by byte."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rubrica.report.lexical_release import Choices, Instance, parted, substitutes
from tests.conftest import Ran

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
ITEMS = (
    "id,language,context,target\n"
    "w1,en,They commence work at nine.,commence\n"
    "w2,en,A vast field lay there.,vast\n"
    "w3,en,A vast field lay there.,field\n"
)
POINTS = {"w1": (3, 4, 2), "w2": (1, 1, 2), "w3": (1, 1, 1)}
WORDS: dict[str, Sequence[Sequence[str]]] = {
    "w1": (["start", "begin"], ["Begin"], []),
    "w2": (["huge"], ["big", "HUGE"], ["Vast"]),
    "w3": ([], ["field"], []),
}


@pytest.fixture
def both(rubrica: Rubrica, tmp_path: Path) -> None:
    """Two studies of the same three words by three people each; the first lacks nothing, the second has w3 too."""
    items = tmp_path / "items.csv"
    items.write_text(ITEMS, encoding="utf-8")
    for name, protocol, question, said in (
        ("hard", "lexical_complexity", "complexity", POINTS),
        ("simple", "lexical_simplification", "substitutes", WORDS),
    ):
        made = rubrica("study", "new", name, "--protocol", protocol, "--items", items, "--overlap", 3)
        assert made.code == 0, made.err
        rows = [
            {"item": key, "annotator": who, "answers": {question: answers[place]}}
            for key, answers in said.items()  # type: ignore[attr-defined]
            for place, who in enumerate(("ana", "ben", "eva"))
        ]
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        read = rubrica("import", name, file)
        assert read.code == 0, read.err


def _export(rubrica: Rubrica, tmp_path: Path, *arguments: object, name: str = "out.tsv") -> str:
    ran = rubrica("export", *arguments, "-o", tmp_path / name)
    assert ran.code == 0, ran.err
    return (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.usefixtures("both")
def test_the_released_files_byte_by_byte(rubrica: Rubrica, tmp_path: Path) -> None:
    """Complexity as (mean - 1) / 4; substitutes by frequency in their usual spelling; none simpler as the target."""
    # w1: mean 3, (3 - 1) / 4 = 0.5; begin twice, then start and the target (one who found none) in the order seen.
    # w2: mean 4/3, 1/12; huge twice, big, the target of the one who wrote it.  w3: mean 1, 0; all found none simpler.
    lcp = (
        "en_1\tenglish\tThey commence work at nine.\tcommence\t0.5\n"
        "en_2\tenglish\tA vast field lay there.\tvast\t0.08333333333333333\n"
        "en_3\tenglish\tA vast field lay there.\tfield\t0.0\n"
    )
    assert _export(rubrica, tmp_path, "hard", "--format", "mlsp") == lcp
    ls = (
        "They commence work at nine.\tcommence\tbegin\tbegin\tstart\tcommence\n"
        "A vast field lay there.\tvast\thuge\thuge\tbig\tvast\n"
        "A vast field lay there.\tfield\tfield\tfield\tfield\n"
    )
    assert _export(rubrica, tmp_path, "simple", "--format", "mlsp") == ls
    assert _export(rubrica, tmp_path, "simple", "--format", "tsar") == ls
    both = "".join(
        f"{one}\t{two.split(chr(9), 2)[2]}\n" for one, two in zip(lcp.splitlines(), ls.splitlines(), strict=True)
    )
    assert _export(rubrica, tmp_path, "hard", "--format", "mlsp", "--with", "simple") == both
    assert _export(rubrica, tmp_path, "simple", "--format", "mlsp", "--with", "hard") == both
    unlabelled = "".join(line.rpartition("\t")[0] + "\n" for line in lcp.splitlines())
    assert _export(rubrica, tmp_path, "hard", "--format", "mlsp", "--part", "unlabelled") == unlabelled
    plain = "".join("\t".join(line.split("\t")[:2]) + "\n" for line in ls.splitlines())
    assert _export(rubrica, tmp_path, "simple", "--format", "mlsp", "--part", "unlabelled") == plain


@pytest.mark.usefixtures("both")
def test_the_guidelines_own_form(rubrica: Rubrica, tmp_path: Path) -> None:
    """Token before context, the raw mean, a header; read again by `evaluate lcp`."""
    text = _export(rubrica, tmp_path, "hard", "--format", "guideline", "--with", "simple")
    assert text.splitlines()[:2] == [
        "Token\tContext\tAvg LCP\tSuggestions",
        "commence\tThey commence work at nine.\t3.0\tbegin\tbegin\tstart\tcommence",
    ]
    ran = rubrica("evaluate", "lcp", tmp_path / "out.tsv", tmp_path / "out.tsv", "--json")
    assert ran.json["results"]["mae"] == 0


@pytest.mark.usefixtures("both")
def test_none_simpler_can_be_left_out_and_ties_have_rules(rubrica: Rubrica, tmp_path: Path) -> None:
    """The word that nobody could simplify has a line of its own without substitutes."""
    text = _export(rubrica, tmp_path, "simple", "--format", "tsar", "--none-simpler", "omit", "--ties", "ascending")
    assert text.splitlines()[0].endswith("\tcommence\tbegin\tbegin\tstart")
    assert text.splitlines()[2] == "A vast field lay there.\tfield"
    text = _export(rubrica, tmp_path, "simple", "--format", "tsar", "--ties", "descending")
    assert text.splitlines()[0].endswith("\tbegin\tbegin\tstart\tcommence")
    assert text.splitlines()[1].endswith("\thuge\thuge\tvast\tbig")


@pytest.mark.usefixtures("both")
def test_an_archive_has_everything_and_needs_a_word_for_the_texts(rubrica: Rubrica, tmp_path: Path) -> None:
    """Refused without licence and the like; with --unattested the card says what is missing."""
    out = tmp_path / "data.zip"
    refused = rubrica("export", "hard", "--format", "mlsp", "--with", "simple", "-o", out)
    assert refused.code == 1
    assert "under which licence they may be given away" in refused.err
    assert not out.exists()
    ran = rubrica("export", "hard", "--format", "mlsp", "--with", "simple", "--trial", 1, "--unattested", "-o", out)
    assert ran.code == 0, ran.err
    assert "fewer than 10 annotations" in ran.err
    archive = zipfile.ZipFile(io.BytesIO(out.read_bytes()))
    files = {name.removeprefix("hard/"): archive.read(name).decode() for name in archive.namelist()}
    trial = files["trial/multilex_trial_en_combined.tsv"].splitlines()
    test = files["test/multilex_test_en_combined.tsv"].splitlines()
    assert sorted((len(trial), len(test))) == [1, 2]
    assert len(files["test/multilex_test_en_ls_unlabelled.tsv"].splitlines()[0].split("\t")) == 2
    assert "none_simpler" in files["counts.tsv"]
    assert files["counts.tsv"].splitlines()[3] == "en_3\t3\t1.0\t0.0000\t3\t3"
    told = json.loads(files["metadata.json"])
    assert told["annotators_per_instance"]["lcp"] == {"mean": 3, "least": 3, "most": 3}
    assert files["README.md"].startswith("---\npretty_name:")
    assert "licence: not recorded" in files["README.md"]
    assert "unaggregated.csv" not in files
    again = tmp_path / "again.zip"
    rubrica("export", "hard", "--format", "mlsp", "--with", "simple", "--trial", 1, "--unattested", "-o", again)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.usefixtures("both")
def test_unaggregated_answers_are_put_in_on_request_without_names(rubrica: Rubrica, tmp_path: Path) -> None:
    """Numbers for people, of each task its own."""
    out = tmp_path / "data.zip"
    rubrica("export", "hard", "--format", "mlsp", "--with", "simple", "--unattested", "--unaggregated", "-o", out)
    text = zipfile.ZipFile(out).read("hard/unaggregated.csv").decode()
    assert text.count("\n") == 1 + 9 + 9
    assert "ana" not in text.replace("annotator", "")
    rows = list(csv.DictReader(io.StringIO(text)))
    given = {(row["task"], row["id"]): sorted(one["answer"] for one in rows if one["id"] == row["id"]) for row in rows}
    assert [one["id"] for one in rows if one["task"] == "lcp"] == ["en_1"] * 3 + ["en_2"] * 3 + ["en_3"] * 3
    assert [one["annotator"] for one in rows[:3]] == ["lcp-1", "lcp-2", "lcp-3"]
    assert [one["annotator"] for one in rows[9:12]] == ["ls-1", "ls-2", "ls-3"]
    assert given["ls", "en_1"] == sorted(["2", "3", "4", "start|begin", "Begin", ""])


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hard", "--format", "mlsp", "--strict"], "3 annotations of complexity"),
        (["hard", "--format", "mlsp", "--with", "hard"], "both studies are of the same task"),
        (["simple", "--format", "tsar", "--ties", "random"], "there is no tie rule 'random'"),
        (["simple", "--format", "tsar", "--none-simpler", "maybe"], "there is no way with none simpler 'maybe'"),
        (["simple", "--format", "mlsp", "--part", "all"], "there is no part 'all'"),
        (["simple", "--format", "csv", "--strict"], "--annotators and --same-people are for words"),
        (["simple", "--format", "mlsp", "--with", "nothing"], "nothing"),
        (["hard", "--format", "tsar"], "needs a study of lexical_simplification"),
        (["hard", "--format", "mlsp", "--part", "ls"], "needs a study of lexical_simplification"),
        (["simple", "--format", "mlsp", "--part", "combined"], "needs a study of lexical_complexity"),
        (["simple", "--format", "mlsp", "--trial", "1"], "one file has no trial"),
        (["simple", "--format", "tsar", "--same-people"], "one file has no same people"),
        (["simple", "--format", "tsar", "--part", "lcp"], "tsar is one file, without parts"),
        (["simple", "--format", "mlsp", "--part", "archive", "--unattested", "--trial", "2"], "there are 2 contexts"),
    ],
)
def test_what_is_wrong_is_said(rubrica: Rubrica, tmp_path: Path, arguments: list[str], said: str) -> None:
    """Exit code 1, and no file."""
    ran = rubrica("export", *arguments, "-o", tmp_path / "out.tsv")
    assert ran.code == 1
    assert said in ran.err
    assert not (tmp_path / "out.tsv").exists()


def test_studies_without_words_have_no_such_formats(rubrica: Rubrica, tmp_path: Path) -> None:
    """Said with what there is."""
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("source,rewrite\nA long text.,A text.\n", encoding="utf-8")
    rubrica("study", "new", "q", "--protocol", "quality", "--items", pairs)
    ran = rubrica("export", "q", "--format", "tsar", "-o", tmp_path / "out.tsv")
    assert ran.code == 1
    assert "'q' has no words to export as tsar" in ran.err


def test_equal_strings_stand_together_in_their_usual_spelling() -> None:
    """Counted without capitals and forms of letters; each annotator counts once for a word."""
    said = (("Café", "bar"), ("cafe\u0301",), ("café", "BAR"), ("café", "inn"))
    one = Instance(id="en_1", language="en", context="c", target="t", answers=said)
    assert substitutes(one, Choices()) == ["café"] * 4 + ["bar"] * 2 + ["inn"]


def test_a_context_keeps_its_spaces_and_ids_stay_different(rubrica: Rubrica, tmp_path: Path) -> None:
    """Contexts are joined by, sign by sign; a word that only the second study has gets an id of its own."""
    hard, simple = tmp_path / "hard.csv", tmp_path / "simple.csv"
    text = "Few  persons\u00a0undertake it , as\u3000they say."
    hard.write_text(f'id,language,context,target\nen_1,en,"{text}",persons\n', encoding="utf-8")
    simple.write_text(
        f'id,language,context,target,start\nen_1,en,"{text}",undertake,13\nen_2,en,"{text}",persons,5\n',
        encoding="utf-8",
    )
    rows = {
        "hard": [("en_1", {"complexity": 2})],
        "simple": [(key, {"substitutes": ["do"]}) for key in ("en_1", "en_2")],
    }
    for name, protocol, file in (("hard", "complexity", hard), ("simple", "simplification", simple)):
        assert rubrica("study", "new", name, "--protocol", f"lexical_{protocol}", "--items", file).code == 0
        said = "".join(json.dumps({"item": key, "annotator": "ana", "answers": own}) + "\n" for key, own in rows[name])
        (tmp_path / "said.jsonl").write_text(said, encoding="utf-8")
        assert rubrica("import", name, tmp_path / "said.jsonl").code == 0
    joined = _export(rubrica, tmp_path, "hard", "--format", "mlsp", "--with", "simple")
    assert joined == f"en_1\tenglish\t{text}\tpersons\t0.25\tdo\n"
    both = _export(rubrica, tmp_path, "hard", "--format", "mlsp", "--with", "simple", "--part", "unlabelled")
    assert [line.split("\t")[0] for line in both.splitlines()] == ["en_1", "en_2"]


def test_instances_without_annotations_are_told_and_in_no_unlabelled_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """One that the other study lacks, one that nobody judged there; unlabelled files are what the gold has."""
    items = [f"w{n},en,They commence work number {n}.,commence" for n in range(3)]
    for name, protocol, answers, rows, said in (
        ("hard", "lexical_complexity", {"complexity": 2}, items, (0, 1, 2)),
        ("simple", "lexical_simplification", {"substitutes": ["l’inici"]}, items[:2], (0,)),
    ):
        (tmp_path / "items.csv").write_text("\n".join(["id,language,context,target", *rows]) + "\n", encoding="utf-8")
        assert rubrica("study", "new", name, "--protocol", protocol, "--items", tmp_path / "items.csv").code == 0
        judged = [{"item": f"w{n}", "annotator": "ana", "answers": answers} for n in said]
        (tmp_path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged), encoding="utf-8")
        assert rubrica("import", name, tmp_path / "said.jsonl").code == 0
    out = tmp_path / "data.zip"
    ran = rubrica("export", "hard", "--format", "mlsp", "--with", "simple", "--unattested", "-o", out)
    assert ran.code == 0, ran.err
    assert "simple lacks one instance, en_3 (commence), that the other has" in ran.err
    assert "simple has no annotation of one instance, en_2 (commence)" in ran.err
    archive = zipfile.ZipFile(out)
    lines = {name: len(archive.read(f"hard/test/multilex_test_en_{name}.tsv").splitlines()) for name in (
        "combined", "lcp", "lcp_unlabelled", "ls", "ls_unlabelled"
    )}  # fmt: skip
    assert lines == {"combined": 1, "lcp": 3, "lcp_unlabelled": 3, "ls": 1, "ls_unlabelled": 1}
    told = json.loads(archive.read("hard/metadata.json"))
    assert told["not_annotated"] == {"lcp": [], "ls": ["en_2", "en_3"]}
    assert told["annotators_per_instance"]["ls"] == {"mean": 1, "least": 1, "most": 1}


def test_words_of_a_context_stay_in_one_part() -> None:
    """Trial and test never share a context, and the seed draws the same again."""
    words = [Instance(id=f"en_{n}", language="en", context=f"c{n // 3}", target=f"t{n}") for n in range(30)]
    found = parted(words, Choices(trial=4, seed=3))
    contexts = [{one.context for one in own} for own in found.values()]
    assert (len(contexts[0]), len(contexts[1])) == (4, 6)
    assert not contexts[0] & contexts[1]
    assert parted(words, Choices(trial=4, seed=3)) == found
