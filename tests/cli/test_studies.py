"""`rubrica study`: made, listed, shown, deleted, restored; and what is refused."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.making import write_pairs

Rubrica = Callable[..., Ran]


def test_new_shows_the_arithmetic(rubrica: Rubrica, tmp_path: Path) -> None:
    """A new study says items x overlap = judgements, and which columns were taken."""
    ran = rubrica(
        "study", "new", "s", "--protocol", "breve", "--items", write_pairs(tmp_path / "i.csv", 4), "--overlap", 2
    )
    assert ran.code == 0
    assert "4 items x 2 = 8 judgements" in ran.out
    assert "source <- 'source'" in ran.err


def test_json_has_the_promised_keys(rubrica: Rubrica, tmp_path: Path) -> None:
    """The JSON of a study has the keys of the command line's contract."""
    rubrica("study", "new", "s", "--protocol", "split_rate", "--items", write_pairs(tmp_path / "i.csv", 4))
    shown = rubrica("study", "show", "s", "--json").json
    assert shown["study"]["name"] == "s"
    assert shown["study"]["protocol"] == "split_rate"
    assert shown["study"]["items"] == 4
    assert {"id", "overlap", "wanted", "done"} <= shown["study"]["stages"][0].keys()
    assert shown["signature"].startswith("hash:")


def test_a_study_says_that_nobody_has_reviewed_its_items(rubrica: Rubrica, tmp_path: Path) -> None:
    """`study show` tells how many items nobody has reviewed for sensitive material, in words and as JSON."""
    rubrica("study", "new", "s", "--protocol", "breve", "--items", write_pairs(tmp_path / "i.csv", 4))
    assert "nobody has reviewed 4 items for sensitive material" in rubrica("study", "show", "s").out
    assert rubrica("study", "show", "s", "--json").json["study"]["unreviewed"] == 4
    from django.utils import timezone

    from rubrica.store.setup.study_items import attest
    from rubrica.store.studies import find

    attest(find("s"), True, timezone.now(), "test")
    assert "reviewed" not in rubrica("study", "show", "s").out
    assert rubrica("study", "show", "s", "--json").json["study"]["unreviewed"] == 0


def test_onboarding_rounds_of_a_course_are_on(rubrica: Rubrica, tmp_path: Path) -> None:
    """A study of `salsa` asks for the two rounds of its course, one of `breve` for no test."""
    from rubrica.store.options import options_of
    from rubrica.store.studies import find

    for protocol, on in (("salsa", True), ("breve", False)):
        rubrica("study", "new", protocol, "--protocol", protocol, "--items", write_pairs(tmp_path / "i.csv", 4))
        assert options_of(find(protocol)).steps.qualification is on


def test_three_raters_when_systems_are_compared(rubrica: Rubrica, tmp_path: Path) -> None:
    """split_rate wants two raters per rewrite, three as soon as items come from two systems."""
    items = tmp_path / "i.csv"
    items.write_text("source,rewrite,system\na b.,A. B.,x\na b.,A B.,y\n")
    made = rubrica("study", "new", "s", "--protocol", "split_rate", "--items", items, "--json")
    assert made.json["study"]["stages"][0]["overlap"] == 3


def test_overlap_leaves_the_adjudicator_alone(rubrica: Rubrica, tmp_path: Path) -> None:
    """--overlap N is for the stages of annotators; STAGE=N for any."""
    items = write_pairs(tmp_path / "i.csv", 2)
    made = rubrica("study", "new", "s", "--protocol", "salsa", "--items", items, "--overlap", 2, "--json").json
    assert [stage["overlap"] for stage in made["study"]["stages"]] == [2, 1, 2]
    made = rubrica(
        "study", "new", "t", "--protocol", "salsa", "--items", items, "--overlap", "classify=5", "--json"
    ).json
    assert [stage["overlap"] for stage in made["study"]["stages"]] == [3, 1, 5]


def test_groups_are_counted(rubrica: Rubrica, tmp_path: Path) -> None:
    """Three target words of one context are three items in one group."""
    items = tmp_path / "i.csv"
    items.write_text(
        "context,target\nThe arid steppe expands.,arid\nThe arid steppe expands.,steppe\nIt rains.,rains\n"
    )
    made = rubrica("study", "new", "s", "--protocol", "lexical_complexity", "--items", items, "--json").json
    assert (made["study"]["items"], made["study"]["groups"]) == (3, 2)


def test_settings_are_checked(rubrica: Rubrica, tmp_path: Path) -> None:
    """Unknown parameters and impossible values are refused together, and nothing is made."""
    items = tmp_path / "i.csv"
    items.write_text("context,target\nIt rains.,rains\n")
    base = ("study", "new", "s", "--protocol", "lexical_complexity", "--items", items)
    ran = rubrica(*base, "--set", "wording=them", "--set", "colour=red")
    assert ran.code == 1
    assert "wording cannot be 'them'" in ran.err
    assert "no parameter 'colour'" in ran.err
    assert rubrica("study", "list", "--json").json["studies"] == []
    assert rubrica(*base, "--set", "wording=audience", "--set", "audience=children").code == 0


@pytest.mark.parametrize("name", ["", "two words", "../up", "-x", "a" * 101, "é"])
def test_bad_names_are_refused(rubrica: Rubrica, name: str) -> None:
    """A study's name is safe in file names and links."""
    ran = rubrica("study", "new", "--protocol", "breve", "--", name)
    assert ran.code == 1
    assert "study_name" in ran.err


def test_a_name_is_used_once(rubrica: Rubrica) -> None:
    """A second study of the same name is refused with what to do."""
    assert rubrica("study", "new", "s", "--protocol", "breve").code == 0
    ran = rubrica("study", "new", "s", "--protocol", "claro", "--json")
    assert ran.code == 1
    assert ran.json["errors"][0]["rule"] == "study_name"


def test_delete_and_restore(rubrica: Rubrica, tmp_path: Path) -> None:
    """Deleting moves to a trash from which restore brings everything back."""
    rubrica("study", "new", "s", "--protocol", "breve", "--items", write_pairs(tmp_path / "i.csv", 4))
    assert rubrica("study", "delete", "s", "--yes").code == 0
    gone = rubrica("study", "show", "s")
    assert gone.code == 1
    assert "restore s" in gone.err
    assert rubrica("study", "restore", "s").code == 0
    assert rubrica("study", "show", "s", "--json").json["study"]["items"] == 4


def test_restore_under_another_name(rubrica: Rubrica) -> None:
    """When the old name is taken again, restore says so and takes a new one."""
    rubrica("study", "new", "s", "--protocol", "breve")
    rubrica("study", "delete", "s", "--yes")
    rubrica("study", "new", "s", "--protocol", "claro")
    assert rubrica("study", "restore", "s").code == 1
    assert rubrica("study", "restore", "s", "--as", "old").code == 0
    assert rubrica("study", "show", "old", "--json").json["study"]["protocol"] == "breve"


def test_own_protocol_from_a_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """A researcher's own YAML file works like a shipped protocol."""
    own = tmp_path / "own.yaml"
    own.write_text(
        """id: own
version: "1"
title: Own
summary: One question.
document: Ours
family: own
languages: [en]
audience: anyone
guidelines: Answer it.
fields: [{id: source, role: source, label: Source}]
scales: {yes_no: {type: yes_no}}
questions: [{id: clear, scale: yes_no, prompt: "Is it clear?"}]
stages: [{id: rate, label: Rate, overlap: 2}]
"""
    )
    ran = rubrica("study", "new", "s", "--protocol", own, "--items", write_pairs(tmp_path / "i.csv", 2), "--json")
    assert ran.code == 0, ran.err
    assert ran.json["study"]["protocol"] == "own"


@pytest.mark.parametrize(
    ("checks", "words"),
    [
        ("duplicates=5", "duplicates=5%"),
        ("duplicates=101%", "at most 100"),
        ("golden=x", "gold=FILE"),
        ("gold=no.csv", "no such file"),
    ],
)
def test_bad_checks_are_refused(rubrica: Rubrica, tmp_path: Path, checks: str, words: str) -> None:
    """Every mistake in --checks says how to write it."""
    items = write_pairs(tmp_path / "i.csv", 4)
    ran = rubrica("study", "new", "s", "--protocol", "breve", "--items", items, "--checks", checks)
    assert ran.code == 1
    assert words in ran.err


def test_gold_items_must_have_valid_answers(rubrica: Rubrica, tmp_path: Path) -> None:
    """A gold file is checked like any judgement, with its lines."""
    gold = tmp_path / "gold.csv"
    gold.write_text("source,rewrite,meaning\na b,a,3\nc d,c,9\ne f,e,\n")
    items = write_pairs(tmp_path / "i.csv", 4)
    ran = rubrica("study", "new", "s", "--protocol", "breve", "--items", items, "--checks", f"gold={gold}", "--json")
    assert ran.code == 1
    assert [(error["line"], error["rule"]) for error in json.loads(ran.out)["errors"]] == [(3, "scale"), (4, "gold")]


def test_home_before_and_after_the_command(rubrica: Rubrica, migrated: Path, tmp_path: Path) -> None:
    """--home may stand on either side of the command."""
    here, there = tmp_path / "here", tmp_path / "there"
    shutil.copytree(migrated, here)
    assert rubrica("--home", here, "study", "new", "s", "--protocol", "breve").code == 0
    listed = rubrica("study", "list", "--home", here, "--json").json["studies"]
    assert [study["name"] for study in listed] == ["s"]
    assert rubrica("--home", there, "study", "list", "--json").json["studies"] == []
    assert (there / "rubrica.sqlite3").exists()


@pytest.mark.parametrize("text", ["source,rewrite\na b,a\n", '{"source": "a b", "rewrite": "a"}\n'])
def test_items_from_stdin(rubrica: Rubrica, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """`--items -` reads CSV or JSON lines from stdin."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert rubrica("study", "new", "s", "--protocol", "breve", "--items", "-", "--json").json["study"]["items"] == 1


def test_who_may_take_part_is_set_and_changed_by_command(rubrica: Rubrica, tmp_path: Path) -> None:
    """Requirements are named in `study new` and `study change`; what is not named stays, `any` takes one back."""
    items = write_pairs(tmp_path / "i.csv", 2)
    new = rubrica(
        *("study", "new", "s", "--protocol", "breve", "--items", items, "--require", "native_speaker"),
        *("--require", "age=18-65", "--require", "country=es,MX", "--json"),
    )
    assert new.json["study"]["required"] == {
        "native_speaker": True,
        "youngest": 18,
        "oldest": 65,
        "least_education": None,
        "most_education": None,
        "countries": ["ES", "MX"],
    }
    changed = rubrica(
        "study", "change", "s", "--require", "age=any", "--require", "education_years=10,5-", "--genre", "a"
    )
    assert changed.code == 0, changed.err
    assert "who may take part: native_speaker, education_years=10.5-, country=ES,MX" in changed.out
    assert "genre: a" in changed.out
    from rubrica.store.options import options_of
    from rubrica.store.studies import find

    assert options_of(find("s")).profile.required.wanted.asked == ("education_years", "native_speaker", "country")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("age=18", "age=18-65"),
        ("age=65-18", "Begin with the smaller one"),
        ("age=5-", "greater than or equal to 10"),
        ("country=XX", "there is no country XX"),
        ("native_speaker=no", "native_speaker"),
        ("ages=18-", "Did you mean 'age'"),
    ],
)
def test_a_wrong_requirement_is_refused_and_nothing_is_changed(rubrica: Rubrica, said: str, words: str) -> None:
    """Every mistake says how to write it, in a new study and in one that is there."""
    assert rubrica("study", "new", "s", "--protocol", "breve").code == 0
    for command in (["study", "change", "s"], ["study", "new", "t", "--protocol", "breve"]):
        ran = rubrica(*command, "--require", said)
        assert ran.code == 1
        assert words in ran.err
    assert [one["name"] for one in rubrica("study", "list", "--json").json["studies"]] == ["s"]
    assert "who may take part" not in rubrica("study", "show", "s").out
    assert rubrica("study", "change", "s").code == 1


def test_an_export_says_that_planted_items_are_in_it(rubrica: Rubrica, tmp_path: Path) -> None:
    """Its count is higher than that of results, and the reason is said; without planted items nothing is."""
    items = write_pairs(tmp_path / "i.csv", 6)
    for name, checks, told in (("plain", [], False), ("checked", ["--checks", "duplicates=50%"], True)):
        rubrica("study", "new", name, "--protocol", "breve", "--items", items, *checks)
        assert rubrica("study", "simulate", name, "--annotators", "3").code == 0
        done = rubrica("export", name, "--format", "csv", "-o", tmp_path / f"{name}.csv")
        assert ("those of planted items are among them and marked; they are in no result" in done.err) == told


def test_launching_what_is_launched_says_so(rubrica: Rubrica, tmp_path: Path) -> None:
    """A study made by the command is open at once: a launch changes nothing."""
    rubrica("study", "new", "open", "--protocol", "breve", "--items", write_pairs(tmp_path / "i.csv", 2))
    assert "open is no draft: it was launched already" in rubrica("study", "launch", "open", "--attest", "review").err
