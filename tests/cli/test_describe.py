"""`rubrica describe`: figures of data sets side by side."""

import json

from rubrica.cli.main import main

TABLE = """complex\tsimple
"Ana, who sings, left."\tAna sings. Ana left.
"Ana, who sings, left."\tAna sings. She left. It rained.
Ben came.\tBen came.
"""


def test_figures_of_two_data_sets(tmp_path, capsys):
    """Complex sentences count once, rewrites each; tokens are those of 13a; who wrote them is what --human says."""
    (tmp_path / "one.tsv").write_text(TABLE)
    (tmp_path / "two.csv").write_text("source,rewrite,author\nBen came.,Ben came. Bye.,ana\n")
    files = [str(tmp_path / "one.tsv"), str(tmp_path / "two.csv")]
    assert main(["describe", *files, "--json"]) == 0
    one, two = json.loads(capsys.readouterr().out)["datasets"]
    # 13a: Ana , who sings , left . = 7 tokens; Ben came . = 3
    assert one == {
        "name": "one",
        "human": None,
        "complex": 2,
        "simple": 3,
        "tokens_per_complex": 5.0,
        "sentences_per_simple": 2.0,
    }
    assert two["human"] is True
    assert main(["describe", *files, "--human", "one"]) == 0
    assert "rewritten by human   yes   yes" in capsys.readouterr().out
    assert main(["describe", *files, "--human", "three"]) == 1
    assert "there is no data set 'three'" in capsys.readouterr().err


def test_every_broken_file_is_named(tmp_path, capsys):
    """All files that cannot be read are told at once."""
    (tmp_path / "empty.csv").write_text("source,rewrite\n")
    assert main(["describe", str(tmp_path / "empty.csv"), str(tmp_path / "none.csv")]) == 1
    told = capsys.readouterr().err
    assert "empty.csv" in told
    assert "none.csv" in told
