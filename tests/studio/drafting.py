"""What the tests of the setup pages share: files to send, and pages read as a browser reads them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

CSV = "id,original,suggestion,corpus\n" + "".join(
    f"p{number},The {number} old gates stay shut.,Gate {number} is shut.,news\n" for number in range(1, 5)
)
STEPS = ("protocol", "items", "review", "annotators", "ethics", "quality", "payment", "launch")


def upload(text: str | bytes = CSV, name: str = "items.csv") -> SimpleUploadedFile:
    """A file to send."""
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def text_of(response: Any) -> str:
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def fields(response: Any) -> dict[str, Any]:
    """What a browser would send back from the form with the class "roomy", without a change."""
    reader = _Form()
    reader.feed(response.content.decode())
    return {name: values if len(values) > 1 else values[0] for name, values in reader.found.items()}


class _Form(HTMLParser):
    """Reads the values of one form."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self.inside = False
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        name, value = given.get("name") or "", given.get("value")
        if tag == "form":
            self.inside = given.get("class") == "roomy"
        elif self.inside and tag == "select":
            self.select = name
        elif self.inside and tag == "option" and "selected" in given:
            self._add(self.select, value or "")
        elif self.inside and tag == "textarea":
            self.area = name
            self.found[name] = [""]
        elif self.inside and tag == "input" and given.get("type") in ("checkbox", "radio"):
            if "checked" in given:
                self._add(name, value or "on")
        elif self.inside and tag == "input":
            self._add(name, value or "")

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found[self.area][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.area:
            self.found[self.area][0] = self.found[self.area][0].removeprefix("\n")
            self.area = ""

    def _add(self, name: str, value: str) -> None:
        self.found.setdefault(name, []).append(value)
