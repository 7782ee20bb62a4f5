"""Target words through every entrance: found in any form, marked on page and sheet, or not let in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from django.test import Client
from openpyxl.cell.rich_text import CellRichText, TextBlock

from rubrica.cli.main import main
from tests.studio.api_client import ApiClient
from tests.studio.drafting import text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Study

As = Callable[[str], Client]
PROTOCOL = "lexical_simplification"
ROWS = [
    (
        "Nach langen Beratungen mit den Gemeinden am Fluss beschloss die Landesregierung im Herbst mehrere Maßnahmen, "
        "die den Verkehr in den engen Straßen der Altstadt verringern und die Anwohner vor Lärm schützen sollen, "
        "obwohl viele Händler dagegen waren und eine Klage angekündigt hatten.",
        "Maßnahme",
        "Maßnahmen",
    ),
    (
        "Der alte Fährmann ging trotz des starken Regens, der schon seit drei Tagen ohne Pause fiel und die Wege "
        "aufweichte, an jedem Morgen noch vor Tagesanbruch hinunter zum Ufer, weil die Bewohner der kleinen Insel "
        "darauf warteten, dass er ihnen Brot, Zeitungen und Briefe brachte.",
        "gehen",
        "ging",
    ),
    (
        "Zwischen den beiden Häusern, die nach dem Brand vor vierzig Jahren nicht wieder aufgebaut worden waren, wuchs "
        "ein Garten, in dem die Kinder des Viertels spielten, bis die Stadt das Grundstück verkaufte und ein Zaun "
        "gezogen wurde, den niemand mehr überklettern konnte.",
        "haus",
        "Häusern",
    ),
    (
        "Die Lehrerin erklärte den Eltern an jenem Abend ausführlich, warum die Klasse im kommenden Jahr geteilt "
        "werden müsse, welche Räume dafür vorgesehen seien und wie lange der Umbau der alten Turnhalle, in der bis "
        "dahin auch gegessen werde, noch dauern könne.",
        "Gymnasium",
        "",
    ),
]
LOST = 5
"""The line of the row whose target is not in its context."""


def table(rows: list[tuple[str, str, str]] | None = None, **more: list[str]) -> str:
    """The rows as tab-separated text, with further columns."""
    lines = ["\t".join(["context", "target", *more])]
    for number, (context, target, _) in enumerate(rows or ROWS):
        lines.append("\t".join([context, target, *(values[number] for values in more.values())]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def draft(people: dict[str, Any]) -> Study:
    """A draft of a study of words."""
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store.setup import setting_up
    from rubrica.store.studies import Plan
    from tests.studio.conftest import NOW

    plan = Plan(title="Wörter", name="words", loaded=load_shipped(PROTOCOL))
    return setting_up.begin(plan, people["owner"], NOW)


def marked_on_pages(study: Study) -> dict[str, str]:
    """What the work page marks, by the target of its item."""
    from rubrica.store.translate import item_from, protocol_of
    from rubrica.studio.annotate.desk_texts import build_texts

    protocol = protocol_of(study.stages.all()[0])
    found = {}
    for row in study.items.all():
        texts = build_texts(protocol, [item_from(row)], "en")
        shown = [piece.text for text in texts.shared for piece in text.pieces if piece.kind == "target"]
        assert len(shown) == 1
        found[row.fields["target"]] = shown[0]
    return found


def marked_on_sheets(folder: Path) -> dict[str, str]:
    """What the sheets of a folder mark, by the target of the row."""
    found = {}
    for file in folder.glob("*.xlsx"):
        page = openpyxl.load_workbook(file, rich_text=True).worksheets[0]
        headers = [str(cell.value) for cell in page[1]]
        for row in page.iter_rows(min_row=2, values_only=True):
            values = dict(zip(headers, row, strict=True))
            context, target = values["Context"], str(values["Word"])
            assert isinstance(context, CellRichText), f"nothing is marked for {target}"
            found[target] = "".join(part.text for part in context if isinstance(part, TextBlock) and part.font.b)
    return found


def expected(rows: list[tuple[str, str, str]] = ROWS) -> dict[str, str]:
    """What is to be marked for each target that can be found."""
    return {target: marked for _, target, marked in rows if marked}


def test_command_marks_every_form_or_refuses(home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The note counts and names rows, what is nowhere is refused with its row, and sheets mark what is left."""
    file = tmp_path / "wörter.tsv"
    file.write_text(table())
    command = ["study", "new", "words", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main(command) == 1
    said = capsys.readouterr().err
    assert f"wörter.tsv:{LOST}: the target 'Gymnasium' does not stand in its context" in said
    assert "--leave-out 5" in said
    assert main([*command, "--leave-out", "5,2"]) == 1
    assert "row '2' is not among those whose target is not found" in capsys.readouterr().err
    assert main(["study", "list"]) == 0
    assert "words" not in capsys.readouterr().out
    assert main([*command, "--leave-out", "5"]) == 0
    said = capsys.readouterr().err
    assert "3 target words stand in the context in another form" in said
    assert "row 2 'Maßnahme' as 'Maßnahmen'; row 3 'gehen' as 'ging'; row 4 'haus' as 'Häusern'" in said
    assert "1 row is left out, without a place for the target: 5" in said
    assert main(["sheets", "write", "words", "--annotators", "ana", "--out", str(tmp_path / "sheets")]) == 0
    assert marked_on_sheets(tmp_path / "sheets") == expected()


def test_a_short_word_is_marked_with_its_ending(home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a dictionary found, or a column start gives, is marked to its end; of a compound only the target is."""
    text = "🏞 The laws about the boys who lied were kept in the Krankenhausverwaltung of the island."
    starts = {"boy": text.index("boys"), "verwaltung": text.index("verwaltung")}
    rows = [(text, "law", "laws"), (text, "lie", "lied"), (text, "boy", "boys"), (text, "verwaltung", "verwaltung")]
    file = tmp_path / "short.tsv"
    file.write_text(table(rows, start=[str(starts.get(target, "")) for _, target, _ in rows]))
    command = ["study", "new", "short", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main(command) == 0
    assert "row 2 'law' as 'laws'; row 3 'lie' as 'lied'" in capsys.readouterr().err
    assert main(["sheets", "write", "short", "--annotators", "ana", "--out", str(tmp_path / "sheets")]) == 0
    assert marked_on_sheets(tmp_path / "sheets") == expected(rows)


def test_a_word_with_long_endings_is_marked_whole(
    home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a dictionary found is marked to its end in languages whose endings are long, and a look-alike is refused."""
    rows = [("Evlerimizden çıkıp akşam kitaplarını okuduk ve uyuduk.", "ev", "Evlerimizden")]
    rows += [(rows[0][0], "kitap", "kitaplarını")]
    file = tmp_path / "long.tsv"
    file.write_text(table(rows, language=["tr", "tr"]))
    command = ["study", "new", "long", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main(command) == 0
    assert "row 2 'ev' as 'Evlerimizden'; row 3 'kitap' as 'kitaplarını'" in capsys.readouterr().err
    assert main(["sheets", "write", "long", "--annotators", "ana", "--out", str(tmp_path / "sheets")]) == 0
    assert marked_on_sheets(tmp_path / "sheets") == expected(rows)
    file.write_text(table([("The contrast of the two reports was stark for the board.", "contract", "")]))
    assert main([*command[:2], "alike", *command[3:]]) == 1
    assert "long.tsv:2: the target 'contract' does not stand in its context in any form" in capsys.readouterr().err


def test_each_context_tells_its_language_where_the_file_has_several(
    home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of many languages needs no column that says them."""
    rows = [
        ("Die Gemeinde und der Kreis haben sich mit den Kindern in das Haus begeben.", "Kind", "Kindern"),
        ("Los vecinos del barrio se arrepintieron de lo que habían contado a los jueces.", "juez", "jueces"),
        ("The geese of the village had flown over the lake and were seen by all.", "goose", "geese"),
        ("Les chevaux de la ferme sont dans le pré avec des vaches qui dorment.", "cheval", "chevaux"),
    ]
    file = tmp_path / "mixed.tsv"
    command = ["study", "new", "mixed", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    file.write_text(table([*rows, ("Taloissamme lämmin ilma virtasi.", "talo", "")]))
    assert main(command) == 1
    assert "name the language of the texts in a column language" in capsys.readouterr().err
    file.write_text(table(rows))
    assert main(command) == 0
    assert main(["sheets", "write", "mixed", "--annotators", "ana", "--out", str(tmp_path / "sheets")]) == 0
    assert marked_on_sheets(tmp_path / "sheets") == expected(rows)


def test_a_position_is_taken_from_a_column(home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Start in code points or occurrence, under their own names or mapped; a wrong one is told with its row."""
    text = "Die Bank am Ufer 🏞 gehört der Bank, und hinter der bank steht ein Schild."
    second, third = text.index("Bank", 10), text.index("bank")
    rows = [(text, "Bank", ""), (text, "Bank", ""), (text, "Schild", "")]
    file = tmp_path / "bank.tsv"
    file.write_text(table(rows, where=[str(second), str(third), ""]))
    command = ["study", "new", "bank", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main([*command, "--map", "start=where"]) == 0
    from rubrica.store.models import Item
    from rubrica.store.translate import item_from, protocol_of
    from rubrica.studio.annotate.desk_texts import build_texts

    stored = list(Item.objects.order_by("position"))
    texts = build_texts(protocol_of(stored[0].study.stages.all()[0]), [item_from(row) for row in stored], "en")
    assert [piece.number for piece in texts.shared[0].pieces if piece.kind] == [1, 2, 3]
    before = "".join(piece.text for piece in texts.shared[0].pieces[:3])
    assert before == text[:third]
    capsys.readouterr()
    file.write_text(table(rows, start=["5", "x", "200"], occurrence=["", "", ""]))
    assert main([*command, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["errors"]
    assert [(one["rule"], one["line"]) for one in told] == [("target", 2), ("position", 3), ("target", 4)]
    file.write_text(table(rows, occurrence=["1", "4", "1"]))
    assert main([*command, "--json"]) == 1
    (one,) = json.loads(capsys.readouterr().out)["errors"]
    assert one["what"] == "the target 'Bank' does not stand 4 times in its context"


def test_page_lists_what_is_not_found_and_takes_a_place_or_leaves_it_out(draft: Study, as_: As, tmp_path: Path) -> None:
    """The file cannot be used before; the word that is chosen is the one that is marked."""
    owner, address = as_("owner"), f"/s/{draft.pid}/setup/items/"
    owner.post(address, {"action": "upload", "file": upload(table(), "wörter.tsv")})
    shown = owner.get(address)
    assert "1 word is not found in its context" in text_of(shown)
    assert f'name="place.{LOST}"' in shown.content.decode()
    assert 'value="confirm"' not in shown.content.decode()
    columns = {"column.context": "context", "column.target": "target"}
    start = ROWS[3][0].index("Klasse")
    owner.post(address, {"action": "match", **columns, f"place.{LOST}": str(start)})
    assert "row 5 'Gymnasium' as 'Klasse'" in text_of(owner.get(address)).replace("&#x27;", "'")
    owner.post(address, {"action": "forget", **columns})
    assert 'value="confirm"' not in owner.get(address).content.decode()
    owner.post(address, {"action": "leave_out", **columns})
    assert 'value="confirm"' in owner.get(address).content.decode()
    owner.post(address, {"action": "forget", **columns})
    owner.post(address, {"action": "match", **columns, f"place.{LOST}": str(start)})
    owner.post(address, {"action": "confirm", **columns})
    assert draft.items.count() == 4
    assert marked_on_pages(draft) == {**expected(), "Gymnasium": "Klasse"}


def test_api_refuses_what_is_not_found_until_it_is_placed_or_left_out(draft: Study, people: dict[str, Any]) -> None:
    """In a file and in a body alike; metadata say where a target stands."""
    api = ApiClient(people["owner"])
    address = f"/studies/{draft.pid}/items"
    (told,) = api.upload(f"{address}/file/replace", "items.tsv", table().encode(), status=422)["errors"]
    assert (told["rule"], told["line"], told["value"]) == ("target", LOST, "Gymnasium")
    assert "leave_out=5" in told["fix"]
    found = api.upload(f"{address}/file/replace", "items.tsv", table().encode(), leave_out=["unmarked"])
    assert found["items"] == 3
    assert marked_on_pages(draft) == expected()
    items: list[dict[str, Any]] = [{"fields": {"context": row[0], "target": row[1]}} for row in ROWS]
    status, refused = api.call("put", address, {"items": items})
    assert (status, [one["line"] for one in refused["errors"]]) == (422, [4])
    assert api.send("put", address, {"items": items, "leave_out": ["4"]})["items"] == 3
    items[3]["metadata"] = {"start": str(ROWS[3][0].index("Klasse"))}
    assert api.send("put", address, {"items": items})["items"] == 4
    assert marked_on_pages(draft) == {**expected(), "Gymnasium": "Klasse"}
    made = {"title": "Another", "protocol": PROTOCOL, "items": items[:1]}
    assert api.send("post", "/studies", made)["id"]


def test_targets_of_one_page_do_not_hide_each_other(home: Any, tmp_path: Path) -> None:
    """The same word twice is marked at both places, on every sheet's row as on the page; a nested target is told."""
    text = "Light falls on the light boat, and the light boat house stands in the rain."
    file = tmp_path / "light.tsv"
    file.write_text(table([(text, "light", ""), (text, "light", ""), (text, "boat house", "")]))
    command = ["study", "new", "light", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main(command) == 0
    from rubrica.store.models import Item

    assert [row.metadata.get("start") for row in Item.objects.order_by("position")] == [None, "39", None]
    file.write_text(table([("The boat house burnt.", "boat", ""), ("The boat house burnt.", "boat house", "")]))
    assert main([*command[:2], "nested", *command[3:]]) == 1


def older(study: Study) -> Study:
    """The study as it would be if it came from before places were kept, with a target that is nowhere."""
    from rubrica.store.models import Item

    Item.objects.filter(study=study).update(metadata={})
    for row in study.items.filter(key__startswith="4"):
        row.fields = {**row.fields, "target": "Gymnasium"}
        row.save(update_fields=["fields"])
    del study.options["targets_placed"]
    study.save(update_fields=["options"])
    return study


def old_rows() -> str:
    """Rows that an older study had, with a target that is made to be nowhere."""
    return table([*ROWS[:3], (ROWS[3][0], "Klasse", "")])


def test_a_study_from_before_is_placed_by_command(
    home: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says how many words are unmarked; nothing is changed until each has a place or its row is left out."""
    file = tmp_path / "old.tsv"
    file.write_text(old_rows())
    new = ["study", "new", "old", "--protocol", PROTOCOL, "--items", str(file), "--overlap", "1"]
    assert main([*new, "--checks", "duplicates=100%"]) == 0
    from rubrica.store.models import Item
    from rubrica.store.studies import find

    older(find("old"))
    capsys.readouterr()
    assert main(["study", "show", "old"]) == 0
    assert "without a mark on the target word: rubrica study targets old" in capsys.readouterr().out
    assert main(["study", "targets", "old"]) == 1
    assert "study:old:4: the target 'Gymnasium' does not stand in its context" in capsys.readouterr().err
    assert not Item.objects.filter(metadata__has_key="start").exists()
    assert main(["study", "targets", "old", "--start", "4=7000"]) == 1
    assert "no word begins at 7000" in capsys.readouterr().err
    assert main(["study", "targets", "old", "--leave-out", "unmarked"]) == 0
    assert "1 left out" in capsys.readouterr().err
    study = find("old")
    assert {row.key for row in study.items.closed()} == {"4", "4~2"}
    study.items.closed().delete()
    assert marked_on_pages(study) == expected()
    assert main(["study", "show", "old", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["study"]["unmarked"] == 0


def test_a_study_from_before_is_placed_on_a_page(draft: Study, as_: As, people: dict[str, Any]) -> None:
    """Items and overview lead to the page, which asks about what is not found and keeps all places at once."""
    from rubrica.store.models import Stage

    api = ApiClient(people["owner"])
    api.upload(f"/studies/{draft.pid}/items/file/replace", "items.tsv", old_rows().encode())
    draft.refresh_from_db()
    draft.stages.update(state=Stage.State.OPEN)
    older(draft)
    owner, address = as_("owner"), f"/s/{draft.pid}/items/targets/"
    assert address in owner.get(f"/s/{draft.pid}/items/").content.decode()
    assert address in owner.get(f"/s/{draft.pid}/").content.decode()
    assert 'name="place.4"' in owner.get(address).content.decode()
    assert owner.post(address, {"action": "place"}).status_code == 422
    done = owner.post(address, {"action": "place", "place.4": str(ROWS[3][0].index("Klasse"))}, follow=True)
    assert "have a new mark" in text_of(done)
    assert marked_on_pages(draft) == {**expected(), "Gymnasium": "Klasse"}
    assert address not in owner.get(f"/s/{draft.pid}/items/").content.decode()
    assert as_("stranger").get(address).status_code == 404
