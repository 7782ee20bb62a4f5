"""Simulated annotators at a study of one's own."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.docs.pages import DOCS

SCHOOL = DOCS / "examples/lexical/school.txt"


def test_simulated_people_do_the_work_and_are_marked(rubrica: Callable[..., Any], tmp_path: Path) -> None:
    """Rare words are hard to them; a draft, a study at work and one of several stages are refused."""
    table = tmp_path / "words.csv"
    assert rubrica("words", "pick", SCHOOL, "--lang", "en", "--contexts", "6", "-o", table).code == 0
    assert rubrica("study", "new", "hard", "--protocol", "lexical_complexity", "--items", table).code == 0
    draft = rubrica("study", "simulate", "hard", "--annotators", "3")
    assert draft.code == 1
    assert "the study is not running" in draft.err
    rubrica("words", "accept", "hard", "--all")
    rubrica("study", "launch", "hard", "--leave-open", "--consents-read", "es,ca,fil,fr,de,it,ja,pt,si")
    done = rubrica("study", "simulate", "hard", "--annotators", "3")
    assert "54 judgements of 3 simulated annotators" in done.err
    assert "simulated_3: 18 of 18 done" in done.out
    again = rubrica("study", "simulate", "hard")
    assert again.code == 1
    assert "simulated ones are not mixed" in again.err
    from rubrica.store.models import Judgement

    points: dict[int, list[int]] = {}
    for row in Judgement.objects.select_related("item", "current"):
        assert row.current is not None
        points.setdefault(int(row.item.metadata["band"]), []).append(row.current.answers["complexity"])
    means = {band: sum(own) / len(own) for band, own in points.items()}
    assert means[min(means)] < means[max(means)]
    salsa = DOCS / "examples/items/salsa.csv"
    assert rubrica("study", "new", "edits", "--protocol", "salsa", "--items", salsa).code == 0
    assert "of several stages are not simulated" in rubrica("study", "simulate", "edits").err


def test_more_people_than_judgements_of_an_item_share_the_work(rubrica: Callable[..., Any], tmp_path: Path) -> None:
    """Everybody judges about as many; every item has what it needs."""
    table = tmp_path / "words.csv"
    assert rubrica("words", "pick", SCHOOL, "--lang", "en", "--contexts", "4", "-o", table).code == 0
    assert rubrica("study", "new", "hard", "--protocol", "lexical_complexity", "--items", table).code == 0
    rubrica("words", "accept", "hard", "--all")
    rubrica("study", "launch", "hard", "--leave-open", "--consents-read", "es,ca,fil,fr,de,it,ja,pt,si")
    done = rubrica("study", "simulate", "hard", "--annotators", "20")
    assert "120 judgements of 20 simulated annotators" in done.err
    assert all(f"simulated_{number}: 6 of 6 done" in done.out for number in range(1, 21))


def test_in_japanese_they_speak_it_and_give_words(rubrica: Callable[..., Any], tmp_path: Path) -> None:
    """Nothing parts words there: no whole sentence is a substitute."""
    items = tmp_path / "words.csv"
    items.write_text("id,language,context,target\nja_1,ja,図書館は開館時間を延長した。,延長\n", encoding="utf-8")
    assert rubrica("study", "new", "simple", "--protocol", "lexical_simplification", "--items", items).code == 0
    assert "10 judgements" in rubrica("study", "simulate", "simple", "--annotators", "10").err
    from rubrica.store.models import Judgement, Profile

    words = {
        word for row in Judgement.objects.all() for word in (row.current.answers["substitutes"] if row.current else ())
    }
    # Runs of Han and katakana, no particles.
    assert words == {"図書館", "開館時間", "延長"}
    assert "Japanese" in {row.answers["first_language"] for row in Profile.objects.all()}


def test_whatever_shows_their_work_says_so(rubrica: Callable[..., Any], tmp_path: Path) -> None:
    """Card, metadata, ids, report and the command; and once a person has joined them, that some are simulated."""
    items, out = tmp_path / "words.csv", tmp_path / "release.zip"
    items.write_text("id,language,context,target\n1,en,An arid plain.,arid\n2,en,A torrid day.,torrid\n")
    assert rubrica("study", "new", "hard", "--protocol", "lexical_complexity", "--items", items).code == 0
    assert rubrica("study", "simulate", "hard", "--annotators", "10").code == 0

    def released() -> tuple[str, str, str]:
        done = rubrica("export", "hard", "--format", "mlsp", "--unattested", "--unaggregated", "-o", out)
        assert done.code == 0, done.err
        assert "are simulated. " in done.err
        with zipfile.ZipFile(out) as archive:
            card, told, rows = (
                archive.read(f"hard/{name}").decode() for name in ("README.md", "metadata.json", "unaggregated.csv")
            )
        return card, json.loads(told)["annotators"]["lcp"]["simulated"], rows

    card, told, rows = released()
    assert "**All annotators are simulated.**" in card
    assert "10 simulated people" in card
    assert told == "all"
    assert "lcp,en_1,lcp-simulated-1,An arid plain." in rows
    more = tmp_path / "more.csv"
    more.write_text("item,annotator,complexity\n1,ana,3\n")
    assert rubrica("import", "hard", more, "--format", "csv").code == 0
    card, told, rows = released()
    assert "**Some annotators of lcp are simulated.**" in card
    assert "crowdsourced" not in card
    assert told == "some"
    assert rubrica("report", "hard", "-o", tmp_path / "report", "--no-charts").code == 0
    assert "10 of the 11 annotators are simulated" in (tmp_path / "report" / "report.html").read_text()
