"""The review's server: whom it refuses, and that nothing rude hurts it or the folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from overlay.i18n import LANGUAGES
from overlay.review.server import create_review_app
from palmo.review.desk import ReviewDesk, ReviewDesks

OURS = {"X-Palmo": "1"}
MOVE = {"fighter": "F1", "before": 10, "after": 40}


@pytest.fixture
def client(desk: ReviewDesk) -> Iterator[TestClient]:
    with TestClient(create_review_app(lambda _: desk), base_url="http://127.0.0.1:8090") as client:
        yield client


def untouched(folder: Path) -> bool:
    return sorted(path.name for path in folder.iterdir()) == ["evidence"]


def test_the_page_comes_with_a_policy_that_allows_nothing_from_elsewhere(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "style=" not in answer.text
    assert "http" not in answer.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_is_said_in_the_language_asked_for(client: TestClient, lang: str) -> None:
    told = client.get(f"/api/review?lang={lang}").json()
    (moment,) = told["moments"]
    assert {"es": "Se pasa", "en": "Beyond"}[lang] in moment["text"]
    verdict = client.post(f"/api/measure?lang={lang}", json=MOVE, headers=OURS).json()
    assert {"es": "Se pasa", "en": "Beyond"}[lang] in verdict["sentence"]
    refused = client.post(f"/api/measure?lang={lang}", json={**MOVE, "after": 20}, headers=OURS)
    assert refused.status_code == 409
    assert {"es": "no estaba", "en": "not standing"}[lang] in refused.json()["error"]


def test_a_picture_is_sent_as_it_was_kept(client: TestClient, desk: ReviewDesk) -> None:
    data = client.get("/picture/12.jpg").content
    shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(shown.astype(int) - desk.picture(12)).mean() < 2
    assert client.get("/picture/4000.jpg").status_code == 409
    assert client.get("/picture/-1.jpg").status_code == 422
    assert client.get("/api/overlay/4000").status_code == 409


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("/api/point", {"fighter": "F1", "frame": 40, "u": 600.0, "v": 300.0}),
    ("/api/withdraw", {"point": 0}),
    ("/api/rule", {"question": MOVE, "decision": "stands"}),
]


@pytest.mark.parametrize(("path", "body"), ACTS)
@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 403), (OURS | {"Origin": "http://evil.example"}, 403), (OURS | {"Host": "evil.example"}, 421)],
)
def test_foreign_pages_change_nothing(
    client: TestClient, folder: Path, path: str, body: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    assert client.post(path, json=body, headers=headers).status_code == status
    assert untouched(folder)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/point", {"fighter": "F1", "frame": 40, "u": "x", "v": 1}),
        ("/api/point", {"fighter": "F1", "frame": 40, "u": 1e99, "v": 1}),
        ("/api/point", {"fighter": "F1", "frame": 40, "u": 600.0, "v": 300.0, "by": "\ud800"}),
        ("/api/point", {"fighter": "F1", "frame": 40, "u": 600.0, "v": 300.0, "by": "a" * 61}),
        ("/api/rule", {"question": MOVE, "decision": "burn"}),
        ("/api/rule", {"question": MOVE, "decision": "stands", "words": "a" * 2001}),
        ("/api/rule", {"question": {**MOVE, "allow": -1}, "decision": "stands"}),
        ("/api/rule", {"question": {**MOVE, "more": 1}, "decision": "stands"}),
        ("/api/measure", {"fighter": "F1", "before": -4, "after": 2}),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    client: TestClient, folder: Path, path: str, body: dict[str, Any]
) -> None:
    # Written by hand: half a character can be named in JSON, not sent.
    headers = OURS | {"Content-Type": "application/json"}
    answer = client.post(path, content=json.dumps(body), headers=headers)
    assert answer.status_code == 422
    assert "⟨" not in answer.json()["error"]
    assert untouched(folder)


def test_what_is_not_there_cannot_be_withdrawn_or_fetched(client: TestClient) -> None:
    assert client.post("/api/withdraw", json={"point": 3}, headers=OURS).status_code == 409
    assert client.get("/report/3.pdf").status_code == 409
    assert client.get("/report/3.exe").status_code == 422
    assert client.get("/api/nothing").status_code == 404


def test_with_a_key_strangers_stay_outside(desk: ReviewDesk) -> None:
    app = create_review_app(lambda _: desk, key="secret")
    with TestClient(app, base_url="http://127.0.0.1:8090") as client:
        assert client.get("/api/review").status_code == 401
        assert client.get("/picture/0.jpg").status_code == 401
        assert client.get("/?key=secret").status_code == 200


def test_every_recording_of_a_match_is_a_page_of_its_own(folder: Path) -> None:
    match = folder
    shutil.copytree(match / "evidence" / "1", match / "evidence" / "2")
    setup = match / "evidence" / "2" / "setup.json"
    data = json.loads(setup.read_text(encoding="utf-8"))
    setup.write_text(json.dumps({**data, "source": "another"}), encoding="utf-8")
    desks = ReviewDesks(match)
    with TestClient(create_review_app(desks), base_url="http://127.0.0.1:8090") as client:
        newest, first = client.get("/api/review").json(), client.get("/api/review?session=1").json()
        assert (newest["session"], first["session"]) == (2, 1)
        assert newest["sessions"] == [1, 2]
        assert (newest["title"], first["title"]) == ("another", data["source"])
        assert client.get("/picture/3.jpg?session=1").status_code == 200
        refused = client.get("/api/review?session=7&lang=en")
        assert refused.status_code == 409
        assert "7" in refused.json()["error"]
    desks.close()
