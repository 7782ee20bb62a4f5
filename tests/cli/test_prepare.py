"""`rubrica prepare sentences`: a text file, a column of a table, standard input; what it refuses."""

import csv
import io
import json

import pytest

from rubrica.cli.main import main

FITS = "The old mill by the river, which stood empty for years, was sold in 1987 and became a school."
TEXT = f"{FITS}\nWho left?\n\n"


def test_a_file_gives_items_and_reasons(tmp_path, capsys):
    """What fits becomes items under the number of its line; each other line has its reason in a table."""
    (tmp_path / "in.txt").write_text(TEXT)
    out, rejected = tmp_path / "items.csv", tmp_path / "rejected.tsv"
    assert main(["prepare", "sentences", str(tmp_path / "in.txt"), "-o", str(out), "--rejected", str(rejected)]) == 0
    assert list(csv.DictReader(out.open())) == [{"id": "s1", "source": FITS}]
    found = list(csv.DictReader(rejected.open(), delimiter="\t"))
    assert [(row["line"], row["reason"], row["what"]) for row in found] == [
        ("2", "characters", "?"),
        ("3", "empty", ""),
    ]
    assert "3 sentences: 1 fit, 1 drawn, 2 left out" in capsys.readouterr().err


def test_a_column_of_a_table_keeps_its_lines(tmp_path, capsys):
    """Lines are those of the table's file; --json has items, reasons and a signature that names every choice."""
    (tmp_path / "in.tsv").write_text(f"complex\tsimple\n{FITS}\tx\nno\ty\n")
    assert main(["prepare", "sentences", str(tmp_path / "in.tsv"), "--column", "complex", "--as-paper", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["items"] == [{"id": "s2", "source": FITS}]
    assert printed["rejected"] == [{"line": 3, "reason": "start", "what": "no", "source": "no"}]
    assert "filter:paper|" in printed["signature"]
    assert "near_duplicates" not in printed["signature"]


def test_standard_input(monkeypatch, capsys):
    """- is standard input, and items go to standard output."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["prepare", "sentences", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "id,source"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--as-paper", "--min-words", "3"], "--as-paper is given with --min-words"),
        (["-o", "items.pdf"], "'items.pdf' is no table that is written here"),
        (["--column", "complex"], "complex"),
        (["--min-words", "90"], "no sentence fits"),
    ],
)
def test_what_is_refused(tmp_path, capsys, options, told):
    """Wrong requests end with a message and nothing written."""
    (tmp_path / "in.txt").write_text(TEXT)
    assert main(["prepare", "sentences", str(tmp_path / "in.txt"), *options]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_a_comparison_becomes_a_study(tmp_path, capsys):
    """Outputs of systems and rewrites of people are drawn into one blind study with three raters a pair."""
    rows = [
        f'wiki,"Mill {n}, which is old, fell.",{system},,Mill {n} is old. It fell.' for n in range(4) for system in "ab"
    ]
    rows += [f'wiki,"Mill {n}, which is old, fell.",,ana,Mill {n} fell. It is old.' for n in range(4)]
    (tmp_path / "outputs.csv").write_text("\n".join(["dataset,source,system,author,rewrite", *rows]) + "\n")
    home = ["--home", str(tmp_path / "home")]
    command = ["prepare", "comparison", str(tmp_path / "outputs.csv"), "--sample", "3", "--seed", "2"]
    assert main([*home, *command, "--into", "systems", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["pairs"] == 9
    assert [(cell["system"], cell["pairs"]) for cell in made["cells"]] == [("a", 3), ("b", 3), ("human", 3)]
    assert main([*home, "study", "show", "systems", "--json"]) == 0
    (stage,) = json.loads(capsys.readouterr().out)["study"]["stages"]
    assert (stage["items"], stage["overlap"]) == (9, 3)
    assert main([*home, "score", "study:systems", "--metrics", "bleu", "--bootstrap", "0", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["systems"]) == {"a", "b", "human"}
    assert main([*home, *command]) == 1
    assert "it is not said what is to be made" in capsys.readouterr().err
    (tmp_path / "nameless.csv").write_text("source,rewrite\nA b.,A. B.\n")
    assert main([*home, "prepare", "comparison", str(tmp_path / "nameless.csv"), "--into", "x"]) == 1
    assert "which system made a rewrite" in capsys.readouterr().err
