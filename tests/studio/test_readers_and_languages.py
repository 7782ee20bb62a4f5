"""Whom a study is for, who may take part in it, and in which languages: set by page, API or command, seen by people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from django.test import Client

from rubrica.cli.main import main
from rubrica.core.profile import Value, Wanted
from rubrica.core.study import Item
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.drafting import fields, text_of
from tests.studio.judging import judge
from tests.studio.test_steps import UNSAID, agree, step

if TYPE_CHECKING:
    from rubrica.store.models import Study

As = Callable[[str], Client]
CONTEXT = (
    "The council of the small harbour town, which had argued about the old lighthouse for most of the winter, decided "
    "in the end to restore the arid gardens around it, to open its stairs to visitors from the spring on and to pay "
    "for both with the money that the ferry company had promised."
)
ABOUT = {
    "audience": "first-year students of nursing",
    "genre": "local news",
    "education_level": "university",
    "education_relation": "read in language classes",
}


@pytest.fixture
def words(make_study: Callable[..., Study], people: dict[str, Any]) -> Study:
    """A running study of a hard word, with every step before the work."""
    from rubrica.store.models import Member

    rows = [Item("1", {"context": CONTEXT, "target": "arid"})]
    study = make_study("lexical_complexity", name="words", rows=rows, steps=True)
    Member.objects.create(study=study, user=people["owner"], role="owner", since=NOW)
    return study


def door_of(study: Study, name: str = "ana") -> str:
    """The address of an annotator's pages."""
    from rubrica.store.people.invitations import invite, token

    return f"/w/{token(invite(study, [name], NOW)[0])}/"


def test_the_page_records_the_readers_and_asks_about_them(words: Study, as_: As, client: Client) -> None:
    """They stand in the welcome and in the question's words, until something was judged; what is open is named."""
    owner, address = as_("owner"), f"/s/{words.pid}/setup/ethics/"
    shown = text_of(owner.get(address))
    assert "Still open in this record: Approval Contact for annotators" in shown
    assert "Audience Genre" in shown.split("The texts and their readers")[0]
    sent = {**fields(owner.get(address)), **ABOUT, "approval": "Board 7", "contact": "Ana", "sources_attested": "on"}
    assert owner.post(address, {**sent, "rewrites_by_systems": "on"}).status_code == 302
    assert "Still open" not in text_of(owner.get(address))
    words.refresh_from_db()
    stage = words.stages.get()
    assert stage.settings == {"audience": ABOUT["audience"]}
    from rubrica.store.translate import protocol_of

    stage.settings |= {"wording": "audience"}
    stage.save()
    assert ABOUT["audience"] in protocol_of(stage).questions[0].prompt.get("en")  # type: ignore[union-attr]
    welcome = text_of(client.get(step(door_of(words), "welcome")))
    assert all(text in welcome for text in ABOUT.values())
    assert "target group that the study records" not in welcome
    words.stages.update(frozen_at=NOW)
    owner.post(address, {**sent, "audience": "others"})
    assert words.stages.get().settings["audience"] == ABOUT["audience"]


def test_command_and_api_record_the_readers(
    home: Any, people: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both fill the protocol's parameter, which a value of its own overrules."""
    file = tmp_path / "items.tsv"
    file.write_text(f"context\ttarget\n{CONTEXT}\tarid\n")
    told = [part for name, text in ABOUT.items() for part in (f"--{name.replace('_', '-')}", text)]
    command = ["study", "new", "told", "--protocol", "lexical_complexity", "--items", str(file), *told, "--json"]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["study"]["about"] == ABOUT
    from rubrica.store.studies import find

    assert find("told").stages.get().settings == {"audience": ABOUT["audience"]}
    assert main([*command[:2], "own", *command[3:], "--set", "audience=my aunt"]) == 0
    assert find("own").stages.get().settings == {"audience": "my aunt"}
    api = ApiClient(people["owner"])
    made = api.send("post", "/studies", {"title": "By API", "protocol": "lexical_complexity", "about": ABOUT})
    assert api.get(f"/studies/{made['id']}/settings")["about"] == ABOUT
    assert find("by-api").stages.get().settings == {"audience": ABOUT["audience"]}
    api.send("patch", f"/studies/{made['id']}/settings", {"about": {"audience": "children"}})
    assert find("by-api").stages.get().settings == {"audience": "children"}


@pytest.mark.parametrize(
    ("answers", "misfits"),
    [
        ({"native_speaker": "yes", "age": 18, "country": "ES", "education_years": 12}, []),
        ({"native_speaker": "no", "age": 17, "country": "FR", "education_years": 11.5}, 4),
        ({"native_speaker": None, "age": None, "country": None, "education_years": None}, 4),
        ({"native_speaker": "yes", "age": 66, "country": "MX", "education_years": 30}, ["age"]),
    ],
)
def test_who_fits(answers: dict[str, Value], misfits: Any) -> None:
    """Ends belong to a range; what somebody would rather not say cannot be told to fit."""
    wanted = Wanted(True, (18, 65), (12, None), ("ES", "MX"))
    found = wanted.misfits(answers)
    assert len(found) == misfits if isinstance(misfits, int) else found == misfits
    assert Wanted().misfits(answers) == []


def test_who_does_not_fit_is_told_so_and_nothing_is_kept(words: Study, as_: As, client: Client) -> None:
    """The requirement stands on the welcome page; the questions that tell are asked even if none was chosen."""
    from rubrica.store.models import Profile, StepDone

    owner, address = as_("owner"), f"/s/{words.pid}/setup/annotators/"
    sent = fields(owner.get(address))
    sent.pop("asked")
    sent.pop("step_profile")
    wanted = {"native_speaker": "on", "youngest": "18", "oldest": "65", "countries": ["ES", "MX"]}
    assert owner.post(address, {**sent, **wanted}).status_code == 302
    assert owner.post(address, {**sent, **wanted, "oldest": "17"}).status_code == 422
    door = door_of(words)
    welcome = text_of(client.get(step(door, "welcome")))
    assert "native speakers of the language of the texts; from 18 to 65 years old; living in one of these" in welcome
    assert "others are welcome" not in welcome
    client.post(step(door, "welcome"))
    agree(client, door)
    asked = text_of(client.get(step(door, "profile")))
    assert "from 18 to 65 years old" in asked
    assert "If you would rather not answer what this depends on, you cannot take part." in asked
    told = {"native_speaker": "yes", "age": "17", "country": "ES"}
    before = StepDone.objects.count()
    refused = client.post(step(door, "profile"), told)
    assert "Thank you, but this study looks for others" in text_of(refused)
    assert "looks for others" in text_of(client.post(step(door, "profile"), {"age": "17"})), "asked for no more"
    assert "looks for others" not in text_of(client.post(step(door, "profile"), {"age": "18"}))
    assert (Profile.objects.count(), StepDone.objects.count()) == (0, before)
    assert client.get(step(door, "work")).headers["Location"] == step(door, "profile")
    assert client.post(step(door, "profile"), {**told, "age": "18"}).headers["Location"] == step(door, "guidelines")


def test_an_empty_profile_is_no_step(make_study: Callable[..., Study], client: Client) -> None:
    """A page that asks nothing is passed over."""
    study = make_study(steps=True, profile={"asked": [], "own": []})
    door = door_of(study)
    client.post(step(door, "welcome"))
    agree(client, door)
    assert client.get(door).headers["Location"] == step(door, "guidelines")
    assert "About you" not in text_of(client.get(step(door, "guidelines")))


def test_set_up_offers_languages_that_work_and_says_what_the_others_lack(words: Study, study: Study, as_: As) -> None:
    """By their names; that nobody reviewed a translation is told to researchers."""
    from rubrica.protocols.catalog import load_shipped
    from rubrica.studio.annotate.languages import missing

    shown = text_of(as_("owner").get(f"/s/{words.pid}/setup/annotators/"))
    offered = shown.split("Languages to choose from")[1]
    assert "English Español (not reviewed by a native speaker)" in offered
    names = ("Català", "Deutsch", "Filipino", "Français", "Italiano", "日本語", "Português", "සිංහල")
    assert all(f"{name} (not reviewed by a native speaker)" in offered for name in names)
    assert "Languages that are not offered" not in shown
    assert "(de)" not in shown
    assert "English, Español, Català" in text_of(as_("owner").get(f"/s/{words.pid}/setup/protocol/"))
    shown = text_of(as_("owner").get(f"/s/{study.pid}/setup/annotators/"))
    assert "Deutsch : the protocol is not translated." in shown.split("Languages that are not offered, and why")[1]
    whole = load_shipped("breve").protocol
    partly = {one.code: one for one in missing(attrs.evolve(whole, partly_translated=("de", "nl")))}
    assert (partly["de"].protocol, partly["de"].interface) == ("part", False)
    assert (partly["nl"].protocol, partly["nl"].interface, partly["nl"].name) == ("part", True, "Nederlands")


def test_annotators_choose_among_what_works(words: Study, people: dict[str, Any], client: Client) -> None:
    """Without a word about reviews; one language is no choice, and another is refused."""
    door = door_of(words)
    page = client.get(step(door, "welcome"), headers={"Accept-Language": "nl"}).content.decode()
    assert 'value="es"' in page
    assert 'value="nl"' not in page
    assert "sin revisar" not in page
    api = ApiClient(people["owner"])
    address = f"/studies/{words.pid}/settings"
    status, refused = api.call("patch", address, {"languages": ["es", "nl"]})
    assert (status, refused["errors"][0]["value"]) == (422, "nl")
    api.send("patch", address, {"languages": ["es"]})
    page = client.get(step(door, "welcome")).content.decode()
    assert 'name="language"' not in page


def test_own_texts_have_a_version_for_each_language(words: Study, as_: As, people: dict[str, Any]) -> None:
    """Welcome and consent are read in one's language; agreeing to one of them is agreeing."""
    from rubrica.store.models import ConsentText

    owner, address = as_("owner"), f"/s/{words.pid}/setup/annotators/"
    sent = fields(owner.get(address))
    sent |= {"welcome_text": "Welcome, reader.", "consent_text": "I agree to all of it."}
    sent |= {"es.welcome_text": "Te damos la bienvenida.", "es.consent_text": "Estoy de acuerdo con todo."}
    assert owner.post(address, sent).status_code == 302
    for name, language, welcome, consent in (
        ("ana", "es", "Te damos la bienvenida.", "Estoy de acuerdo con todo."),
        ("ben", "en", "Welcome, reader.", "I agree to all of it."),
        ("eva", "es", "Te damos la bienvenida.", "Estoy de acuerdo con todo."),
    ):
        browser, door = Client(headers={"Accept-Language": language}), door_of(words, name)
        browser.get(door)
        assert welcome in text_of(browser.get(step(door, "welcome")))
        browser.post(step(door, "welcome"))
        assert consent in text_of(browser.get(step(door, "consent")))
        agree(browser, door)
        assert browser.get(door).headers["Location"] == step(door, "profile")
        assert browser.post(step(door, "profile"), UNSAID).headers["Location"] == step(door, "guidelines")
    assert ConsentText.objects.filter(study=words).count() == 2
    api = ApiClient(people["owner"])
    kept = api.get(f"/studies/{words.pid}/settings")["texts"]
    assert kept["es"]["consent_text"] == "Estoy de acuerdo con todo."
    api.send("patch", f"/studies/{words.pid}/settings", {"texts": {"es": {"welcome_text": "Hola."}}})
    assert api.call("patch", f"/studies/{words.pid}/settings", {"texts": {"???": {}}})[0] == 422


def test_our_texts_speak_of_demographic_data(words: Study) -> None:
    """Welcome and consent both say that they are stored anonymously, under a pseudonym, and distributed."""
    for language, said in (("en", "demographic data"), ("es", "datos demográficos")):
        browser = Client(headers={"Accept-Language": language})
        door = door_of(words, f"p-{language}")
        browser.get(door)
        assert said in text_of(browser.get(step(door, "welcome")))
        browser.post(step(door, "welcome"))
        assert said in text_of(browser.get(step(door, "consent")))


def test_our_texts_speak_of_no_demographic_data_where_nothing_is_asked(words: Study) -> None:
    """Who agreed to more is not asked again; profiles of those who agreed to less are not covered."""
    from rubrica.exchange.study_options import CONSENT
    from rubrica.store.people import consents, profiles
    from rubrica.store.people.invitations import invite

    telling(words, {"early": {"age": 30}})
    early = invite(words, ["early"], NOW)[0].annotator
    assert early is not None
    words.options = {**words.options, "steps": {**words.options.get("steps", {}), "profile": False}}
    words.save()
    for language, said in (("en", "demographic data"), ("es", "datos demográficos"), ("de", "demografisch")):
        browser = Client(headers={"Accept-Language": language})
        door = door_of(words, f"p-{language}")
        browser.get(door)
        assert said not in text_of(browser.get(step(door, "welcome")))
        browser.post(step(door, "welcome"))
        assert said not in text_of(browser.get(step(door, "consent")))
    agreed = consents.latest(early)
    assert agreed is not None
    assert agreed.text is not None
    assert agreed.text.text == CONSENT
    assert consents.holds(agreed, consents.options_of(words))
    telling(words, {"late": {"age": 40}})
    assert list(profiles.covered(words)) == [early.pk]


def test_the_launch_counts_the_words_that_are_shown(words: Study, as_: As) -> None:
    """Of the guidelines without the lines of tables, of the welcome with everything that it says of the study."""
    from rubrica.exchange.study_options import checked
    from rubrica.store.stages import current_stages
    from rubrica.store.translate import protocol_of
    from rubrica.studio.annotate.welcome import words_shown
    from rubrica.studio.guidelines import render, words_in

    assert words_in("<table><tr><td>One</td><td>two</td></tr></table><p>and <b>three</b></p>") == 4
    (stage,) = current_stages(words)
    owner = as_("owner")
    words.stages.update(state="draft")
    shown = text_of(owner.get(f"/s/{words.pid}/setup/launch/"))
    assert f"Guidelines {words_in(render(protocol_of(stage), 'en'))} words" in shown
    welcome = words_shown(stage, checked(words.options), "en")
    assert f"Welcome {welcome} words" in shown
    door, browser = door_of(words), Client(headers={"Accept-Language": "en"})
    browser.get(door)
    html = browser.get(step(door, "welcome")).content.decode()
    on_page = words_in(html.partition("<h1")[2].partition("</main>")[0])
    assert 0.9 * on_page <= welcome <= on_page


def test_checks_are_not_done_while_nothing_is_planted(study: Study, as_: As, people: dict[str, Any]) -> None:
    """The list of steps says so, until duplicates are hidden."""
    owner, address = as_("owner"), f"/s/{study.pid}/setup/quality/"
    assert "Overlap and checks no checks planted" in text_of(owner.get(address)).replace(" : ", " ")
    ApiClient(people["owner"]).send("patch", f"/studies/{study.pid}/checks", {"duplicates": 0.5})
    assert "no checks planted" not in text_of(owner.get(address))


def telling(study: Study, told: dict[str, dict[str, Any]]) -> None:
    """These people agree and tell this about themselves."""
    from rubrica.store.people import consents, profiles
    from rubrica.store.people.invitations import invite

    for name, answers in told.items():
        person = invite(study, [name], NOW)[0].annotator
        assert person is not None
        text = consents.options_of(study).consent_wording()
        consents.decide(person, consents.digest(text), agrees=True, now=NOW)
        profiles.save(person, answers, NOW)


def test_profiles_are_exported_where_the_consent_in_force_covers_them(
    words: Study, people: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under aliases, with whom the texts are for; not without agreement, nor by a text that says nothing of it."""
    api = ApiClient(people["owner"])
    api.send("patch", f"/studies/{words.pid}/settings", {"about": ABOUT})
    words.refresh_from_db()
    telling(words, {"ana": {"age": 34, "native_speaker": "yes", "secret": "x"}, "ben": {"age": None}})
    file = tmp_path / "profiles.csv"
    assert main(["export", "words", "--format", "profiles", "-o", str(file)]) == 0
    rows = [line.split(",") for line in file.read_text().splitlines()]
    assert rows[0][:4] == ["annotator", "education_years", "native_speaker", "age"]
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [("A1", "yes", "34"), ("A2", "", "")]
    assert ABOUT["audience"] in rows[1]
    assert "ana" not in file.read_text()
    assert "secret" not in file.read_text()
    assert api.send("post", f"/studies/{words.pid}/exports", {"format": "profiles"})["format"] == "profiles"
    api.send("patch", f"/studies/{words.pid}/settings", {"consent_text": "I agree."})
    assert main(["export", "words", "--format", "profiles", "-o", str(file)]) == 1
    assert "no consent in force covers" in capsys.readouterr().err
    api.send("patch", f"/studies/{words.pid}/settings", {"consent_covers_profiles": True})
    assert main(["export", "words", "--format", "profiles", "-o", str(file)]) == 0
    assert len(file.read_text().splitlines()) == 1


def test_fewer_than_ten_annotations_are_told(words: Study, as_: As, tmp_path: Path, people: dict[str, Any]) -> None:
    """On the overview while the overlap is lower, and in the report, which names the readers, too."""
    told = "asks for at least 10 annotations of each word; this study asks for 2"
    assert told in text_of(as_("owner").get(f"/s/{words.pid}/"))
    ApiClient(people["owner"]).send("patch", f"/studies/{words.pid}/settings", {"about": ABOUT})
    judge(words, "ana")
    assert main(["report", "words", "-o", str(tmp_path / "report"), "--no-charts", "--bootstrap", "50"]) == 0
    page = (tmp_path / "report" / "report.html").read_text()
    assert "fewer than 10 annotations (fewest: 1)" in page
    assert ABOUT["genre"] in page
