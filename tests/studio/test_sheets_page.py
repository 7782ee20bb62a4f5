"""The page of sheets: dealing, fetching, reading back filled files, taking back; who may, and spoilt files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.conftest import Ran
from tests.making import fill, type_into


@pytest.fixture
def address(study: Any) -> str:
    """The page of a study of six pairs for two annotators each."""
    return f"/s/{study.pid}/sheets/"


def handed_out(client: Client, address: str, place: Path, names: str = "ana, ben", **more: object) -> list[Path]:
    """Deal by the form, fetch the archive that the page links to, unpack it."""
    answer = client.post(f"{address}deal/", {"names": names, "rows": "100", **more})
    assert answer.status_code == 302, answer.content.decode()
    with zipfile.ZipFile(io.BytesIO(client.get(f"{address}all/").getvalue())) as archive:
        archive.extractall(place)
        return [place / name for name in archive.namelist()]


def sent(client: Client, address: str, *files: Path, **more: Any) -> Any:
    """Send files by the form."""
    bodies = [SimpleUploadedFile(file.name, file.read_bytes()) for file in files]
    return client.post(f"{address}read/", {"files": bodies, **more})


def judgements(study: Any) -> int:
    """How many judgements the study has."""
    from rubrica.store.models import Judgement

    return Judgement.objects.filter(stage__study=study).submitted().count()


@pytest.mark.own_process
def test_sheets_go_out_and_come_back(as_: Callable[[str], Client], address: str, study: Any, tmp_path: Path) -> None:
    """Dealt by the form, fetched in one archive, filled in and sent back together, they are judgements."""
    client = as_("manager")
    files = handed_out(client, address, tmp_path)
    assert [file.name for file in files] == [
        "study-breve-rate-ana-01.xlsx",
        "study-breve-rate-ben-01.xlsx",
    ]
    for file in files:
        fill(file)
    answer = sent(client, address, *files)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Read, from ana: 6 new, 0 corrected, 0 unchanged." in page
    assert judgements(study) == 12
    again = sent(client, address, files[0]).content.decode()
    assert "0 new, 0 corrected, 6 unchanged" in again


def test_the_page_and_the_command_hand_out_the_same_files(
    as_: Callable[[str], Client], address: str, study: Any, tmp_path: Path, rubrica: Callable[..., Ran]
) -> None:
    """What the page dealt the command writes again under the same names, and reads back."""
    client = as_("manager")
    files = handed_out(client, address, tmp_path / "page")
    ran = rubrica("sheets", "write", study.name, "--annotators", "ana,ben", "--out", tmp_path / "cli", "--json")
    assert sorted(Path(name).name for name in ran.json["files"]) == sorted(file.name for file in files)
    fill(files[0])
    assert rubrica("sheets", "read", study.name, files[0]).code == 0
    single = client.get(f"{address}{_sheet_pid(study, 'ben')}/file/")
    assert single["Content-Disposition"] == 'attachment; filename="study-breve-rate-ben-01.xlsx"'


def _sheet_pid(study: Any, name: str) -> str:
    from rubrica.store.models import Sheet

    return str(Sheet.objects.get(stage__study=study, annotator__name=name).pid)


def test_a_spoilt_file_is_told_by_cell_and_the_others_are_read(
    as_: Callable[[str], Client], address: str, study: Any, tmp_path: Path
) -> None:
    """Each file is read whole or not at all, and what is wrong stands beside sheet and cell."""
    client = as_("manager")
    ana, ben = handed_out(client, address, tmp_path)
    fill(ana)
    fill(ben)
    type_into(ana, "Source", ["changed"])
    answer = sent(client, address, ana, ben)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Nothing of this file was saved" in page
    assert '<bdi>Judgements</bdi> <span class="mono">A2</span>' in page
    assert judgements(study) == 6


@pytest.mark.parametrize("kind", ["no workbook", "a workbook of something else", "another study's"])
def test_what_is_no_sheet_of_this_study_is_refused(
    as_: Callable[[str], Client],
    address: str,
    make_study: Callable[..., Any],
    tmp_path: Path,
    kind: str,
) -> None:
    """A file that is none of ours says so and changes nothing."""
    from rubrica.exchange.sheets.write import write_sheet
    from rubrica.store.allocation.sheets import Request, deal_sheets
    from tests.making import table_bytes
    from tests.studio.conftest import NOW

    file = tmp_path / "x.xlsx"
    file.write_bytes(b"PK\x03\x04 and nothing more")
    if kind == "a workbook of something else":
        file.write_bytes(table_bytes("xlsx", {"a": ["1"]}))
    elif kind == "another study's":
        other = make_study(name="other")
        write_sheet(deal_sheets(other.stages.get(), Request(["ana"], 10, "en"), NOW).files[0], file)
    answer = sent(as_("manager"), address, file)
    assert answer.status_code == 422
    assert "Nothing of this file was saved" in answer.content.decode()
    assert "x.xlsx" in answer.content.decode()


def test_files_beyond_the_limit_are_not_taken(
    as_: Callable[[str], Client], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of one request have a common limit: those within it are read, the others named."""
    client = as_("manager")
    ana, _ben = handed_out(client, address, tmp_path)
    fill(ana)
    large = tmp_path / "large.xlsx"
    large.write_bytes(b"0" * 1_500_000)
    monkeypatch.setenv("RUBRICA_MAX_MB", "1")
    page = sent(client, address, large, ana).content.decode()
    assert "at most 1 MB are taken" in page
    assert "Read, from ana: 6 new" in page


def test_the_script_gets_only_what_came_of_its_file(as_: Callable[[str], Client], address: str, tmp_path: Path) -> None:
    """Sent one at a time, the answer is the outcome alone."""
    client = as_("manager")
    ana, _ben = handed_out(client, address, tmp_path)
    fill(ana)
    body = SimpleUploadedFile(ana.name, ana.read_bytes())
    answer = client.post(f"{address}read/", {"files": [body]}, headers={"X-Requested-With": "fetch"})
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert "6 new" in answer.content.decode()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"names": "", "rows": "100"}, "Nobody is named"),
        ({"names": "ana", "rows": "0"}, "is not a number of rows"),
        ({"names": "a/b", "rows": "10"}, "cannot be the name"),
        ({"names": "ana", "rows": "10", "language": "xx"}, "is not translated into"),
    ],
)
def test_a_form_that_makes_no_sense_deals_nothing(
    as_: Callable[[str], Client], address: str, study: Any, form: dict[str, str], words: str
) -> None:
    """The page comes back with what was typed and why it was not taken."""
    answer = as_("manager").post(f"{address}deal/", form)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not study.annotators.exists()


def test_open_rows_are_taken_back(as_: Callable[[str], Client], address: str, study: Any, tmp_path: Path) -> None:
    """What somebody holds returns to the pool, and can be dealt to somebody else."""
    client = as_("manager")
    handed_out(client, address, tmp_path)
    ana = study.annotators.get(name="ana")
    client.post(f"{address}recall/", {"annotator": ana.pid, "stage": "rate"})
    assert "6 rows of ana taken back." in client.get(address).content.decode()
    assert len(handed_out(client, address, tmp_path, names="eva")) == 2


def test_only_managers_hand_out_and_take_back(as_: Callable[[str], Client], address: str, tmp_path: Path) -> None:
    """A viewer sees who holds what; a stranger finds nothing."""
    handed_out(as_("manager"), address, tmp_path)
    page = as_("viewer").get(address).content.decode()
    assert "ana" in page
    assert "<form" not in page.partition("<main")[2]
    for path in ("deal/", "read/", "recall/"):
        assert as_("viewer").post(address + path, {"names": "eva", "rows": "5"}).status_code == 403
        assert as_("stranger").post(address + path).status_code == 404
        assert as_("manager").get(address + path).status_code == 405
    assert as_("viewer").get(f"{address}all/").status_code == 403
    assert as_("stranger").get(address).status_code == 404
    assert as_("manager").get(f"{address}{'0' * 16}/file/").status_code == 404


def test_blank_rows_at_the_end_can_be_taken_as_answers(
    make_study: Callable[..., Any], as_: Callable[[str], Client], people: dict[str, Any], tmp_path: Path
) -> None:
    """Where blank is an answer the page offers what `--blank none` does; elsewhere it does not ask."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member
    from tests.studio.conftest import NOW

    rows = [Item(f"w{n}", {"context": f"A dim light {n}.", "target": "dim"}) for n in range(3)]
    study = make_study("lexical_simplification", rows=rows, name="words")
    Member.objects.create(study=study, user=people["manager"], role="manager", since=NOW)
    client, address = as_("manager"), f"/s/{study.pid}/sheets/"
    assert 'name="blank"' in client.get(address).content.decode()
    (file,) = handed_out(client, address, tmp_path, names="ana")
    assert "3 rows are still open" in sent(client, address, file).content.decode()
    assert "3 blank rows were taken as answers" in sent(client, address, file, blank="on").content.decode()


def test_somebody_with_a_link_is_the_same_person_on_sheets(
    as_: Callable[[str], Client], address: str, study: Any, tmp_path: Path, rubrica: Callable[..., Ran]
) -> None:
    """By the name that was invited, in any spelling, or by the pseudonym: nobody is made twice, no name is in data."""
    from tests.studio.judging import judge, plain_items

    client = as_("manager")
    client.post(f"/s/{study.pid}/invite/people/", {"names": "Ana Quine\nben"})
    assert "A1</bdi>" in client.get(address).content.decode()
    assert "Ana Quine" in client.get(address).content.decode()
    judge(study, "A1", plain_items(study, 2))
    [file] = handed_out(client, address, tmp_path, "ana quine", person="A1")
    assert file.name == "study-breve-rate-A1-01.xlsx"
    assert sorted(study.annotators.values_list("name", flat=True)) == ["A1", "A2"]
    assert study.stages.get().assignments.filter(annotator__name="A1").count() == 6
    written = rubrica("sheets", "write", study.name, "--annotators", "Ana Quine", "--out", tmp_path / "by", "--json")
    assert [Path(name).name for name in written.json["files"]] == ["study-breve-rate-A1-01.xlsx"]
