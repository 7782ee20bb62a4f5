"""`rubrica evaluate` as organisers of a shared task call it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rubrica.cli.main import main
from tests.metrics.lexical_oracle import scores

WORDS = [
    *("big", "large", "huge", "vast", "wide", "small", "tiny", "quick"),
    *("fast", "rapid", "slow", "old", "new", "plain", "clear"),
]
AT = (1, 2, 3, 5, 10)


def _ls(*arguments: object, capsys: pytest.CaptureFixture[str], code: int = 0) -> Any:
    assert main(["evaluate", "ls", *map(str, arguments), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _made(seed: int, padded: bool = False) -> tuple[list[str], list[str]]:
    """Gold and a submission with repeats, targets among answers, gaps, rows without answers and rows out of order."""
    draw = random.Random(seed)
    gold, own = [], []
    for number in range(draw.randint(1, 40)):
        target = draw.choice(WORDS) + (" " if padded else "")
        head = f'Sentence {number} has a “{target}” word, "quoted"\t{target}'
        others = [word for word in WORDS if word != target.strip()]
        answers = [*draw.choices(WORDS, k=draw.randint(0, 12)), draw.choice(others)]
        gold.append("\t".join([head, *answers]))
        if draw.random() < 0.9:
            own.append("\t".join([head, *draw.choices([*WORDS, "other", " big "], k=draw.randint(0, 11))]))
    draw.shuffle(own)
    return gold, own or [gold[0]]


@pytest.mark.parametrize("seed", range(40))
def test_official_figures_are_the_scripts_digit_by_digit(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Against the oracle, with either flag, padded targets or not, on whatever a submission may hold."""
    keep = bool(seed % 2)
    gold, own = _made(seed, padded=seed % 4 > 1)
    files = _write(tmp_path / "gold.tsv", gold), _write(tmp_path / "own.tsv", own)
    flags = ["--complex-word-in-gold"] if keep else []
    found = _ls(*files, "--official", *flags, capsys=capsys)["results"]
    wanted = scores(gold, own, AT, keep)
    assert {name: found[name] for name in wanted} == wanted


def test_rows_that_are_missing_count_as_not_found_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One right answer of one row handed in is all officially, and half of two rows by default; which is said."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge", "One old cat.\told\taged"])
    own = _write(tmp_path / "own.tsv", ["One big dog.\tbig\tlarge"])
    found = _ls(gold, own, capsys=capsys)
    assert found["results"]["ACC@1"] == 0.5
    assert found["official"]["own"]["ACC@1"] == 1.0
    assert [one["instances"] for one in found["differences"] if one["kind"] == "missing_row"] == [1]
    assert _ls(gold, own, "--official", capsys=capsys)["results"]["ACC@1"] == 1.0


def test_a_line_that_is_there_again_counts_officially_in_the_place_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The script keeps a table: 1 + 3/5 + 4/5 is 2.4, while 3/5 + 4/5 + 1 is a bit less and cut to 0.7999."""
    gold = [f"Sentence {number} is wide.\twide\tlarge\tbig\thuge\tvast" for number in (1, 2, 3)]
    lines = [
        "Sentence 1 is wide.\twide\tnear",
        "Sentence 2 is wide.\twide\tlarge\tbig\thuge\tfar\tnear",
        "Sentence 3 is wide.\twide\tlarge\tbig\thuge\tvast\tnear",
        "Sentence 1 is wide.\twide\tlarge",
    ]
    files = _write(tmp_path / "gold.tsv", gold), _write(tmp_path / "own.tsv", lines)
    found = _ls(*files, "--official", capsys=capsys)["results"]
    assert found["P@5"] == scores(gold, lines, AT, False)["P@5"] == 0.8


def test_gold_that_is_the_target_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Left out and said by default; officially, figures that the script never reaches are undefined."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tbig\tbig", "One old cat.\told\taged"])
    own = _write(tmp_path / "own.tsv", ["One big dog.\tbig\tlarge", "One old cat.\told\taged"])
    found = _ls(gold, own, capsys=capsys)
    assert found["instances"] == 1
    assert found["results"]["ACC@1"] == 1.0
    assert [one["text"] for one in found["differences"] if one["kind"] == "target_only"]
    theirs = _ls(gold, own, "--official", capsys=capsys)["results"]
    assert theirs["ACC@1"] == 0.5
    assert theirs["ACC@1@Top1"]["value"] is None
    assert "IndexError" in theirs["ACC@1@Top1"]["reason"]


def test_the_script_takes_keys_apart_where_it_looks_at_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two underscores in a row stop MAP alone where the row has no answers, else everything."""
    gold = _write(tmp_path / "gold.tsv", ["One__big dog.\tbig\tlarge", "One old cat.\told\taged"])
    own = _write(tmp_path / "own.tsv", ["One__big dog.\tbig", "One old cat.\told\taged"])
    found = _ls(gold, own, "--official", capsys=capsys)["results"]
    assert (found["ACC@1"], found["ACC@1@Top1"], found["P@3"]) == (0.5, 0.5, 0.5)
    assert "ValueError" in found["MAP@3"]["reason"]
    own = _write(tmp_path / "own.tsv", ["One__big dog.\tbig\tvast", "One old cat.\told\taged"])
    found = _ls(gold, own, "--official", capsys=capsys)["results"]
    assert {found[name]["value"] for name in ("ACC@1", "P@3", "MAP@3")} == {None}


def test_lines_at_which_the_script_stops_are_told_officially(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """TSAR's joins by what is written; MLSP's takes quotation marks and spaces at the ends for nothing."""
    gold = _write(tmp_path / "gold.tsv", ['One "big" dog.\tbig \tlarge'])
    own = _write(tmp_path / "own.tsv", ["One big dog.\tbig\tlarge"])
    found = _ls(gold, own, "--official", capsys=capsys)
    assert [(one["kind"], one["instances"]) for one in found["differences"]] == [("loose_row", 1)]
    assert "KeyError" in found["differences"][0]["text"]
    assert not _ls(gold, own, "--official", "--complex-word-in-gold", capsys=capsys)["differences"]


def test_broken_submissions_are_told_line_by_line_all_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown rows, repeated rows and lines without a target, of every file; nothing is scored."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge", "One old cat.\told\taged"])
    first = _write(
        tmp_path / "first.tsv", ["One big dog.\tbig\tlarge", "One big dog.\tbig\thuge", "One bad dog.\tbad\tx"]
    )
    second = _write(tmp_path / "second.tsv", ["One big dog.\tbig\tlarge", "no tab here", "One bad cat.\tbad\tx"])
    errors = _ls(gold, first, second, capsys=capsys, code=1)["errors"]
    assert [(Path(one["file"]).name, one["line"], one["rule"]) for one in errors] == [
        ("first.tsv", 2, "repeated_row"), ("first.tsv", 3, "unknown_row"), ("second.tsv", 2, "columns"),
        ("second.tsv", 3, "unknown_row"),
    ]  # fmt: skip
    third = _write(tmp_path / "third.tsv", ["One big dog.\tbig\tlarge"])
    kept = _ls(gold, first, second, third, "--skip-broken", capsys=capsys)
    assert list(kept["systems"]) == ["third"]
    assert len(kept["left_out"]) == 4


def test_lines_of_old_programs_are_read_and_characters_of_none_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A carriage return ends a line, as it does for the official script; a NUL is in no word."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge", "One old cat.\told\taged"])
    own = tmp_path / "own.tsv"
    own.write_bytes(b"One big dog.\tbig\tlarge\rOne old cat.\told\tworn")
    assert _ls(gold, own, capsys=capsys)["results"]["ACC@1"] == 0.5
    own.write_bytes(b"One big dog.\tbig\tlarge\nOne old cat.\told\ta\0ged")
    assert [(one["line"], one["rule"]) for one in _ls(gold, own, capsys=capsys, code=1)["errors"]] == [
        (2, "characters")
    ]  # fmt: skip


def test_substitutes_are_no_complexity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a file of the other task it is said what it is, in a script without spaces, too."""
    gold = _write(tmp_path / "gold.tsv", ["ja_1\tja\t彼は開始した。\t開始\t0.5", "ja_2\tja\t彼は来た。\t来た\t0.1"])
    own = _write(tmp_path / "own.tsv", ["彼は開始した。\t開始\t始まり", "彼は来た。\t来た\t着いた"])
    assert main(["evaluate", "lcp", str(gold), str(own)]) == 1
    assert "this file has substitutes and no complexity" in capsys.readouterr().err


def test_a_word_that_stands_twice_is_joined_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same context and target twice in the gold are two instances."""
    gold = _write(tmp_path / "gold.tsv", ["A big, big dog.\tbig\tlarge", "A big, big dog.\tbig\thuge"])
    own = _write(tmp_path / "own.tsv", ["A big, big dog.\tbig\tlarge", "A big, big dog.\tbig\thuge"])
    assert _ls(gold, own, capsys=capsys)["results"]["ACC@1"] == 1.0


def test_quotation_marks_and_spaces_that_programs_changed_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A CSV writer doubles quotation marks; the row is found all the same."""
    gold = _write(tmp_path / "gold.tsv", ['He said "a big dog".\tbig\tlarge'])
    own = _write(tmp_path / "own.tsv", ['"He said ""a  big dog""."\tbig\tlarge'])
    found = _ls(gold, own, capsys=capsys)
    assert found["results"]["ACC@1"] == 1.0
    assert [one["kind"] for one in found["differences"]] == ["loose_row", "micro_recall"]


def _folder(tmp_path: Path) -> tuple[Path, Path]:
    """Two languages, two teams, of which one has nothing in the second; and a gold of both."""
    gold, teams = tmp_path / "gold", tmp_path / "teams"
    gold.mkdir()
    for language in ("en", "es"):
        rows = [f"{language} text {number}\tword\tright\tright\tother" for number in range(12)]
        _write(gold / f"multilex_test_{language}_ls.tsv", rows)
        for team in ("alba", "boa"):
            if (team, language) == ("boa", "es"):
                continue
            (teams / team).mkdir(parents=True, exist_ok=True)
            answer = {"alba": "right", "boa": "wrong"}[team]
            own = [f"{language} text {number}\tword\t{answer if number % 4 else 'none'}" for number in range(12)]
            _write(teams / team / f"out_{language}_ls_1.tsv", own)
    return gold, teams


def test_a_folder_of_teams_gives_boards_by_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A team that has nothing in a language has no place there and none overall, which is said."""
    gold, teams = _folder(tmp_path)
    found = _ls(gold, teams, capsys=capsys)
    assert list(found["systems"]) == ["alba"]
    assert set(found["languages"]["en"]["systems"]) == {"alba", "boa"}
    assert list(found["languages"]["es"]["systems"]) == ["alba"]
    assert found["languages"]["en"]["systems"]["alba"]["ACC@1@Top1"] == 0.75
    ranks = {one["system"]: one["cluster"] for one in found["languages"]["en"]["ranks"]}
    assert ranks == {"alba": 1, "boa": 2}
    assert [one["system"] for one in found["differences"] if one["kind"] == "no_language"] == ["boa"]


def test_a_folder_of_systems_has_files_named_by_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where files are called as their language only, the folder is the system: in a folder, or given each."""
    gold, teams = _folder(tmp_path)
    for path in teams.rglob("*.tsv"):
        path.rename(path.with_name(f"{path.stem.split('_')[1]}.tsv"))
    for places in ([teams], sorted(teams.iterdir())):
        found = _ls(gold, *places, capsys=capsys)
        assert list(found["systems"]) == ["alba"]
        assert set(found["languages"]["en"]["systems"]) == {"alba", "boa"}


def test_the_page_of_a_leaderboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file that needs nothing else, its tables beside it, what differs from the scripts at the end."""
    gold, teams = _folder(tmp_path)
    assert main(["evaluate", "ls", str(gold), str(teams), "--report", str(tmp_path / "page"), "--no-charts"]) == 0
    page = (tmp_path / "page/report.html").read_text(encoding="utf-8")
    assert "Spanish" in page
    assert "What differs from the official scripts" in page
    assert (tmp_path / "page/tables/leaderboard_en.csv").exists()
    assert "alba" in capsys.readouterr().out


LCP = ["en_1\tenglish\tA big dog.\tbig\t0.1", "en_2\tenglish\tA big dog.\tdog\t0.4", "en_3\tenglish\tA cat.\tcat\t0.2"]


@pytest.mark.parametrize("name", ["mlsp.tsv", "ids.csv", "ids.tsv", "complex.tsv", "combined.tsv"])
def test_complexity_in_every_layout(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same predictions give the same figures, and the layout is said."""
    gold = _write(tmp_path / "gold.tsv", LCP)
    cells = [line.split("\t") for line in LCP]
    lines = {
        "mlsp.tsv": LCP,
        "ids.csv": [f"{cell[0]},{cell[4]}" for cell in cells],
        "ids.tsv": [f"{cell[0]}\t{cell[4]}" for cell in cells],
        "complex.tsv": ["id\tcorpus\tsentence\ttoken\tcomplexity", *LCP],
        "combined.tsv": [f"{line}\teasy\tplain" for line in LCP],
    }[name]
    own = _write(tmp_path / name, lines)
    assert main(["evaluate", "lcp", str(gold), str(own), "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)["results"]
    assert found == {"pearson": pytest.approx(1), "spearman": pytest.approx(1), "mae": 0, "mse": 0, "r2": 1}
    assert f"{name}: 3 instances; " in printed.err


def test_complexity_that_is_missing_or_no_number_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the line, or the ids that have none."""
    gold = _write(tmp_path / "gold.tsv", LCP)
    bad = _write(tmp_path / "bad.csv", ["en_1,0.1", "en_2,high", "en_3,nan"])
    short = _write(tmp_path / "short.csv", ["en_1,0.1", "en_3,0.2"])
    assert main(["evaluate", "lcp", str(gold), str(bad), str(short), "--json"]) == 1
    errors = json.loads(capsys.readouterr().out)["errors"]
    assert [(one["line"], one["rule"]) for one in errors] == [(2, "number"), (3, "number"), (None, "missing_row")]
    assert errors[-1]["value"] == ["en_2"]


def test_predictions_parted_by_semicolons_are_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As Excel saves a CSV where the decimal sign is a comma."""
    gold = _write(tmp_path / "gold.csv", ["id,score", "en_1,0.5", "en_2,0.25"])
    mine = _write(tmp_path / "mine.csv", ["en_1;0,5", "en_2;0,3"])
    assert main(["evaluate", "lcp", str(gold), str(mine)]) == 1
    told = capsys.readouterr().err
    assert "mine.csv:1: this line is parted by semicolons" in told
    assert "decimal point" in told


def test_the_guidelines_own_layout_is_rescaled_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Means from 1 to 5 become 0 to 1, told by the header."""
    head = "<Token>\t<Context>\t<Avg LCP>"
    gold = _write(tmp_path / "gold.tsv", [head, "big\tA big dog.\t2", "dog\tA big dog.\t5", "cat\tA cat.\t1"])
    assert main(["evaluate", "lcp", str(gold), str(gold), "--json"]) == 0
    assert "taken as (mean - 1) / 4" in capsys.readouterr().err
    wrong = _write(tmp_path / "wrong.tsv", [head, "big\tA big dog.\t0.25"])
    assert main(["evaluate", "lcp", str(gold), str(wrong)]) == 1
    assert "wrong.tsv:2: 0.25 is not from 1 to 5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--by", "BLEU"], "there is no figure 'BLEU'"),
        (["--at", "0,3"], "Write numbers from 1 to 100"),
        (["--layout", "xml"], "there is no layout 'xml'"),
    ],
)
def test_wrong_requests(given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each says what there is."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge"])
    assert main(["evaluate", "ls", str(gold), str(gold), *given]) == 1
    assert said in capsys.readouterr().err


def test_files_that_are_not_there_or_hold_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 and the name."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge"])
    (tmp_path / "empty.tsv").write_text("\n", encoding="utf-8")
    (tmp_path / "none").mkdir()
    for place, said in (("away.tsv", "no such file"), ("empty.tsv", "no instances"), ("none", "no files to read")):
        assert main(["evaluate", "ls", str(gold), str(tmp_path / place)]) == 1
        assert said in capsys.readouterr().err


def test_files_of_a_folder_that_are_not_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A team that hands in a workbook is not passed over in silence."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge"])
    folder = tmp_path / "systems"
    folder.mkdir()
    _write(folder / "own.tsv", ["One big dog.\tbig\tlarge"])
    (folder / "team.xlsx").write_bytes(b"PK")
    assert main(["evaluate", "ls", str(gold), str(folder)]) == 0
    assert "one file not read: team.xlsx; submissions end in .tsv, .csv, .txt" in capsys.readouterr().err


def test_links_of_a_folder_that_lead_to_no_file_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken link is a broken submission, and a link to a folder is named: neither drops out of the board unseen."""
    gold = _write(tmp_path / "gold.tsv", ["One big dog.\tbig\tlarge"])
    folder = tmp_path / "systems"
    folder.mkdir()
    _write(folder / "own.tsv", ["One big dog.\tbig\tlarge"])
    (folder / "gone.tsv").symlink_to("away.tsv")
    (folder / "team").symlink_to(tmp_path)
    assert main(["evaluate", "ls", str(gold), str(folder)]) == 1
    assert f"{folder / 'gone.tsv'}: the link leads to no file" in capsys.readouterr().err
    assert main(["evaluate", "ls", str(gold), str(folder), "--skip-broken"]) == 0
    err = capsys.readouterr().err
    assert f"left out: {folder / 'gone.tsv'}" in err
    assert "one file not read: team" in err
