"""A table in all its forms: what people read is rounded, what programs read is not."""

from __future__ import annotations

import csv
import io

import pytest

from rubrica.report.tables import (
    DECIMAL,
    PERCENT,
    PROBABILITY,
    WHOLE,
    Column,
    Estimate,
    Table,
    as_csv,
    as_latex,
    as_markdown,
    flat_rows,
    latex_text,
    shown,
)
from rubrica.stats.statistic import Statistic

THIRD = Statistic(1 / 3)
NONE = Statistic(None, "one rater only")
TABLE = Table(
    "scores",
    "Scores of 50 % | all",
    (Column("system", "system"), Column("mean", "mean", DECIMAL), Column("n", "n", WHOLE)),
    (
        ("A_1 & co", Estimate(THIRD, Statistic(-0.001), Statistic(2 / 3)), 1200),
        ("b|c", Estimate(NONE, NONE, NONE), 3),
    ),
    "Means.",
    "a:1|b:2",
    frozenset({(0, 1)}),
)


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (0.005, Column("", "", PERCENT, 1), "0.5"),
        (0.0004, Column("", "", PROBABILITY, 3), "< 0.001"),
        (0.0104, Column("", "", PROBABILITY, 3), "0.010"),
        (-0.0001, Column("", "", DECIMAL, 2), "0.00"),
        (-0.3, Column("", "", DECIMAL, 1), "-0.3"),
        (12345, Column("", "", WHOLE), "12,345"),
        (NONE, Column("", "", DECIMAL), "–"),
        (None, Column("", "", WHOLE), "–"),
        (Estimate(THIRD, NONE, NONE), Column("", "", DECIMAL, 2), "0.33"),
    ],
)
def test_cells_read_well(cell: object, column: Column, text: str) -> None:
    """Rounded by the column; nothing is −0.00, a tiny p is said to be below the last digit."""
    assert shown(cell, column) == text  # type: ignore[arg-type]


def test_csv_has_every_digit_and_the_signature() -> None:
    """An estimate has three columns; a statistic without a value is an empty cell."""
    rows = list(csv.DictReader(io.StringIO(as_csv(TABLE))))
    assert float(rows[0]["mean"]) == 1 / 3
    assert float(rows[0]["mean_high"]) == 2 / 3
    assert rows[1]["mean"] == rows[1]["mean_low"] == ""
    assert {row["signature"] for row in rows} == {"a:1|b:2"}
    assert flat_rows(TABLE)[0]["n"] == 1200


def test_markdown_keeps_its_columns() -> None:
    """A bar within a cell does not make another cell; the best cell is bold; numbers are to the right."""
    lines = as_markdown(TABLE).splitlines()
    assert lines[2] == "| system | mean | n |"
    assert lines[3] == "| --- | ---: | ---: |"
    assert "**0.33 [0.00, 0.67]**" in lines[4]
    assert lines[5].startswith(r"| b\|c | – |")
    assert lines[6:] == ["", "Means.", "", "–: one rater only", "", "`a:1|b:2`"]


def test_latex_prints_what_is_there() -> None:
    """LaTeX's own signs are escaped, the rules are booktabs', and the signature is a comment."""
    text = as_latex(TABLE)
    assert text.startswith("% a:1|b:2\n")
    assert r"A\_1 \& co & \textbf{0.33 [0.00, 0.67]} & 1,200 \\" in text
    assert r"\caption{Scores of 50 \% | all. Means. --: one rater only.}" in text
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert text.count(rule) == 1
    assert text.count("{") == text.count("}")


def test_latex_tables_fit_a_page_and_compile() -> None:
    """Long texts are set in lines; minus signs of intervals are some; a row may begin with a bracket."""
    below = Estimate(Statistic(-0.5), Statistic(-1.0), Statistic(0.25))
    columns = (Column("s", "System"), Column("q", "Question"), Column("m", "Mean", DECIMAL))
    rows = (("[base-line-1]", "How much of it? " * 8, below), ("b", "short", Estimate(*[Statistic(0.5)] * 3)))
    text = as_latex(Table("t", "T", columns, rows, "See `rubrica_x`."))
    assert r"\begin{tabular}{lp{0.60\linewidth}r}" in text
    assert "$-$0.50 [$-$1.00, 0.25]" in text
    assert "\n{}[base-line-1] & " in text
    assert r"See \texttt{rubrica\_x}." in text


def test_latex_signs() -> None:
    """A negative number has a minus, not a hyphen; a backslash is a backslash."""
    assert latex_text("-0.5") == "$-0.5$"
    assert latex_text("a\\b_{c}~^") == r"a\textbackslash{}b\_\{c\}\textasciitilde{}\textasciicircum{}"
    assert latex_text("p < 0.05 †") == r"p $<$ 0.05 $\dagger$"


def test_reasons_are_said_once() -> None:
    """Each reason for an empty cell stands once below the table."""
    assert TABLE.reasons() == ["one rater only"]
