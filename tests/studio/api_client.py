"""A client of the API that speaks JSON with a personal token."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.studio.conftest import NOW

_numbers = count()


class ApiClient:
    """Sends and reads JSON. ``call`` gives status and body."""

    def __init__(self, user: Any = None, token: str = "") -> None:
        from rubrica.store.people import tokens

        self.token = token or (tokens.make(user, f"test {next(_numbers)}", NOW).token if user else "")
        self.client = Client(headers={"Authorization": f"Bearer {self.token}"} if self.token else {})

    def call(self, method: str, path: str, body: Any = None, **parameters: Any) -> tuple[int, Any]:
        """One request under /api/v1."""
        more: dict[str, Any] = {"query_params": parameters} if parameters else {}
        if body is not None:
            more |= {"data": body, "content_type": "application/json"}
        answer = getattr(self.client, method)(f"/api/v1{path}", **more)
        assert answer.status_code == 204 or answer["Content-Type"].startswith("application/json"), answer.content[:300]
        found = answer.json() if answer.status_code != 204 else None
        if answer.status_code >= 400:
            assert set(found) == {"errors"}
            assert all({"what", "rule", "fix"} <= set(error) for error in found["errors"])
        return answer.status_code, found

    def get(self, path: str, **parameters: Any) -> Any:
        """What a good GET answers."""
        status, found = self.call("get", path, **parameters)
        assert status == 200, found
        return found

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """What a good request of another method answers."""
        status, found = self.call(method, path, body)
        assert 200 <= status < 300, found
        return found

    def upload(self, path: str, name: str, content: bytes, *, status: int = 0, **fields: Any) -> Any:
        """What sending a file answers; a good answer, or one of that status. Without a name no file is sent."""
        files = {"file": SimpleUploadedFile(name, content)} if name else {}
        answer = self.client.post(f"/api/v1{path}", {**fields, **files})
        assert answer.status_code == status or (not status and answer.status_code < 300), answer.content[:500]
        return answer.json()
