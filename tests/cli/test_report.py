"""`rubrica report`: of every demo study, of a file, of a study with people whose names must not be in it."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from rubrica.protocols.catalog import shipped
from tests.conftest import NOW, Ran
from tests.making import fill, write_pairs

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
QUICK = ("--no-charts", "--bootstrap", 50)
PEOPLE = ("Zenobia Quark", "zq@example.org", "Wilhelmina", "Xerxes")


@pytest.fixture
def judged(rubrica: Rubrica, tmp_path: Path) -> str:
    """A study named s, judged on sheets by four people with names, profiles, links, pay and an exclusion."""
    items = write_pairs(tmp_path / "i.csv", 5)
    rubrica("study", "new", "s", "--protocol", "breve", "--items", items, "--overlap", 4)
    names = ",".join(PEOPLE)
    files = rubrica("sheets", "write", "s", "--annotators", names, "--out", tmp_path, "--json").json["files"]
    for file in files:
        fill(Path(file))
    assert rubrica("sheets", "read", "s", *files).code == 0
    _tell_about_people()
    return "s"


def _tell_about_people() -> None:
    from rubrica.store import options
    from rubrica.store.models import Annotator, Study
    from rubrica.store.people import annotators, invitations, profiles

    study = Study.objects.get(name="s")
    set_up = options.options_of(study)
    set_up.payment.per_task = {"rate": Decimal("0.50")}
    set_up.payment.minimum_wages = {"ES": Decimal("8.87")}
    set_up.ethics.approval = "Board of the faculty, 2026-17; ask dean@example.org"
    study.update(options=set_up.stored())
    for place, person in enumerate(Annotator.objects.filter(study=study).order_by("pk")):
        profiles.save(person, {"age": 30 + place, "country": "ES", "native_speaker": "yes"}, NOW)
    invitations.invite(study, ["late comer"], NOW)
    last = Annotator.objects.get(study=study, name="Xerxes")
    annotators.exclude(last, "Xerxes told Zenobia Quark that he guessed", NOW)


def texts(folder: Path) -> dict[str, str]:
    """Every file of a report as text; of a workbook, what is packed in it."""
    return {str(path.relative_to(folder)): _text(path) for path in folder.rglob("*") if path.is_file()}


def _text(path: Path) -> str:
    if path.suffix != ".xlsx":
        return path.read_text()
    with zipfile.ZipFile(path) as packed:
        return "\n".join(packed.read(name).decode() for name in packed.namelist())


@pytest.mark.any_database
def test_every_demo_study_has_a_report(rubrica: Rubrica, demo: Path, tmp_path: Path) -> None:
    """Twelve sections each; simulated annotators are called so; no link, no name, no pid of an annotator is in it."""
    from rubrica.store.models import Annotator, Invitation
    from rubrica.store.people.invitations import token

    for protocol in shipped():
        out = tmp_path / protocol
        ran = rubrica("report", f"demo-{protocol}", "-o", out, *QUICK)
        assert ran.code == 0, (protocol, ran.err)
        found = texts(out)
        page = found["report.html"]
        assert page.count("<section ") == 13, protocol
        assert "simulated" in page
        assert " of None" not in page
        for name, text in found.items():
            assert "simulated_" not in text, (protocol, name)
            assert "nan" not in text.split(), (protocol, name)
        assert "`" not in re.sub(r"<(code|pre).*?</\1>", "", page, flags=re.DOTALL), protocol
        people = Annotator.objects.filter(study__name=f"demo-{protocol}")
        links = Invitation.objects.filter(study__name=f"demo-{protocol}")
        secrets = [person.pid for person in people] + [token(link) for link in links] + [link.pid for link in links]
        assert not [secret for secret in secrets for text in found.values() if secret in text]
    # Writers who flag a sentence leave it by a way out, and that is their verdict.
    found = json.loads((tmp_path / "split_rewrite" / "results.json").read_text())["agreement"]["results"]
    same = ("agree", "demo-split_rewrite", "--measure", "alpha,percent", "--bootstrap", 50, "--json")
    assert rubrica(*same).json["results"] == found
    assert found[0]["value"] is not None
    # Only one person settles edits: what is said of those who select and of everybody would be said of that person.
    page, sheet = ((tmp_path / "salsa" / name).read_text() for name in ("report.html", "datasheet.md"))
    assert "At the stage adjudicate one person judged; nothing is said about them." in page
    assert "At the stages select and classify: Education" in sheet
    assert sheet.count("Age (years)") == 1


def test_nobody_is_named(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """Names, addresses and reasons are turned into aliases; who was excluded and why is still said."""
    ran = rubrica("report", judged, "-o", tmp_path / "r", *QUICK)
    assert ran.code == 0, ran.err
    found = texts(tmp_path / "r")
    for name, text in found.items():
        assert all(person.lower() not in text.lower() for person in (*PEOPLE, "late comer")), name
    page = found["report.html"]
    assert "A4: A4 told A1 that he guessed" in page
    assert "Board of the faculty, 2026-17; ask (address)" in page
    assert "excluded:A4" in found["tables/agreement.csv"]


def test_people_pay_and_profiles_are_told(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """The mean of four ages, the country of all four, pay by the task; sheets measure no time, and that is said."""
    rubrica("report", judged, "-o", tmp_path / "r", *QUICK)
    page = texts(tmp_path / "r")["report.html"]
    assert "mean 31.5" in page
    assert "ES 4" in page
    assert "0.50 USD per judgement at the stage rate" in page
    assert "Too little time was measured to say what an hour of work brought." in page


def test_metadata_that_names_data_sets_is_told_and_signed(rubrica: Rubrica, tmp_path: Path) -> None:
    """In the table of items, in every signature, and in the command that makes the report again."""
    lines = [f"{number},Text {number},Texto {number},s,{'ab'[number % 2]}" for number in range(4)]
    (tmp_path / "i.csv").write_text("\n".join(["id,source,rewrite,system,home town", *lines]))
    rubrica("study", "new", "s", "--protocol", "breve", "--items", tmp_path / "i.csv", "--overlap", 1)
    (file,) = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path, "--json").json["files"]
    fill(Path(file))
    rubrica("sheets", "read", "s", file)
    assert rubrica("report", "s", "--dataset", "home town", "-o", tmp_path / "r", *QUICK).code == 0
    found = texts(tmp_path / "r")
    assert "| a " in found["tables/items.md"]
    assert "dataset:home town" in found["tables/items.csv"]
    assert "--dataset &#39;home town&#39;" in found["report.html"]
    assert "Seconds" not in found["tables/annotators.md"]
    # A sheet has none of the studio's steps: the datasheet does not claim them.
    assert "They worked outside of the studio and took none of its steps." in found["datasheet.md"]
    assert "asks for consent before the work; 0 of 1 person gave it there." in found["datasheet.md"]


def test_json_names_files_tables_and_signatures(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """One object on stdout; the table's signatures are those of the manifest."""
    found = rubrica("report", judged, "-o", tmp_path / "r", *QUICK, "--json").json
    assert set(found) == {"folder", "files", "results", "signature"}
    manifest = json.loads((tmp_path / "r/signatures.json").read_text())
    assert {row["table"]: row["signature"] for row in found["results"]} == {
        name: table["signature"] for name, table in manifest["tables"].items()
    }
    assert "protocol:breve" in found["signature"]


def test_figures_for_programs_are_those_of_the_commands(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """results.json has what `agree` and `compare` print, to the last digit; nobody is named in it."""
    rubrica("report", judged, "-o", tmp_path / "r", *QUICK)
    text = (tmp_path / "r/results.json").read_text()
    found = json.loads(text)
    agree = rubrica("agree", judged, "--measure", "alpha,percent", "--bootstrap", 50, "--json").json["results"]
    verdicts = {"accepted", "concerning", "needs_rewriting_one", "needs_rewriting"}
    questions = [row for row in agree if row["question"] not in verdicts]
    assert found["agreement"]["results"][: len(questions)] == questions
    assert {row["question"] for row in found["agreement"]["results"][len(questions) :]} <= verdicts
    compare = rubrica("compare", judged, "--bootstrap", 50, "--json").json
    assert found["comparison"]["tests"] == compare["tests"]
    assert [row | {"title": ""} for row in found["comparison"]["results"]] == [
        row | {"title": ""} for row in compare["results"]
    ]
    assert not [name for name in PEOPLE if name in text]


def test_the_same_judgements_give_the_same_tables(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """To the last digit, with the same seed; another seed moves intervals."""
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        rubrica("report", judged, "-o", tmp_path / name, *QUICK, "--seed", seed)
    first, same, other = (texts(tmp_path / name) for name in "abc")
    tables = [name for name in first if name.startswith("tables/")]
    assert all(first[name] == same[name] for name in tables)
    assert first["tables/ratings_1.csv"] != other["tables/ratings_1.csv"]


def test_a_file_of_ratings_has_a_report(rubrica: Rubrica, tmp_path: Path) -> None:
    """Without a study: ratings, agreement, comparison; what a file cannot know is marked in the datasheet."""
    path = tmp_path / "r.csv"
    rows = [
        f"{unit},{system},{rater},{1 + (unit * 3 + len(system) + len(rater)) % 5}"
        for unit in range(8)
        for system in ("a", "bb")
        for rater in ("Zed", "Yolanda")
    ]
    path.write_text("\n".join(["unit,system,who,score", *rows]) + "\n")
    options = (
        "--unit",
        "unit,system",
        "--system",
        "system",
        "--rater",
        "who",
        "--value",
        "score",
        "--level",
        "ordinal",
    )
    ran = rubrica("report", path, *options, "-o", tmp_path / "out", *QUICK)
    assert ran.code == 0, ran.err
    found = texts(tmp_path / "out")
    assert "The file does not say; describe it." in found["datasheet.md"]
    assert all("Yolanda" not in text for text in found.values())
    assert "sha256:" in found["tables/agreement.csv"]


def test_charts_are_drawn(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """SVG in the page, and files of each."""
    assert rubrica("report", judged, "-o", tmp_path / "r", "--bootstrap", 20).code == 0
    assert (tmp_path / "r/charts/ratings_1.png").stat().st_size > 1000
    page = (tmp_path / "r/report.html").read_text()
    assert "<svg role=" in page
    assert "Stacked bars" in page


def test_without_the_library_it_says_what_to_install(
    judged: str, rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any work is done, with both ways out; nothing is left behind."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    ran = rubrica("report", judged, "-o", tmp_path / "r")
    assert ran.code == 1
    assert "pip install 'rubrica[charts]'" in ran.err
    assert "--no-charts" in ran.err
    assert not (tmp_path / "r").exists()


def test_an_empty_study_has_a_report(rubrica: Rubrica, tmp_path: Path) -> None:
    """How it is set up, and that nobody has judged anything."""
    items = write_pairs(tmp_path / "i.csv", 2)
    rubrica("study", "new", "empty", "--protocol", "breve", "--items", items)
    ran = rubrica("report", "empty", "-o", tmp_path / "r", *QUICK)
    assert ran.code == 0, ran.err
    assert "Nobody has judged anything yet" in (tmp_path / "r/report.html").read_text()


def test_wrong_requests_are_named(judged: str, rubrica: Rubrica, tmp_path: Path) -> None:
    """No such study, no such stage, a folder with other things: exit code 1 and what to do."""
    assert rubrica("report", "nobody", "-o", tmp_path / "r", *QUICK).code == 1
    ran = rubrica("report", judged, "--stage", "dream", "-o", tmp_path / "r", *QUICK)
    assert (ran.code, "Stages: rate." in ran.err) == (1, True)
    ran = rubrica("report", judged, "-o", tmp_path, *QUICK)
    assert (ran.code, "--force" in ran.err) == (1, True)


def test_a_report_says_how_many_annotators_are_simulated(rubrica: Rubrica, tmp_path: Path) -> None:
    """Beside a person, too: their answers count in every figure; when all are, it is a demonstration."""
    items = write_pairs(tmp_path / "i.csv", 5)
    rubrica("study", "new", "s", "--protocol", "breve", "--items", items, "--overlap", 3)
    rubrica("study", "simulate", "s", "--annotators", 2)
    rubrica("report", "s", "-o", tmp_path / "all", *QUICK)
    assert "Demonstration: the annotators are simulated" in (tmp_path / "all/report.html").read_text()
    [file] = rubrica("sheets", "write", "s", "--annotators", "ana", "--out", tmp_path, "--json").json["files"]
    fill(Path(file))
    rubrica("sheets", "read", "s", file)
    rubrica("report", "s", "-o", tmp_path / "some", *QUICK)
    page = (tmp_path / "some/report.html").read_text()
    assert "2 of the 3 annotators are simulated: a program answered in their place, and these figures count" in page
    assert "2 of the 3 annotators are simulated by a program." in page
    assert "Demonstration" not in page
