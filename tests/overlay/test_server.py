"""The server: what it sends, whom it refuses, and that nobody slow or rude can hurt it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from overlay import answers
from overlay.feed import Panel
from overlay.i18n import LANGUAGES
from overlay.live_socket import Page, Wishes
from overlay.server import Sender, create_app
from tests.overlay.feed import TestFeed

OURS = {"X-Palmo": "1"}


@pytest.fixture
def feed() -> TestFeed:
    feed = TestFeed()
    feed.show()
    return feed


@pytest.fixture
def client(feed: TestFeed) -> Iterator[TestClient]:
    with TestClient(create_app(feed), base_url="http://127.0.0.1:8080") as client:
        yield client


def ws(client: TestClient, query: str, **headers: str) -> Any:
    return client.websocket_connect(f"/ws?{query}", headers={"host": "127.0.0.1:8080", **headers})


def in_a_loop(what: Coroutine[Any, Any, Any]) -> None:
    """Run it in a loop of another thread: in this one the browser's may be running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, what).result()


@pytest.mark.parametrize("page", ["/", "/obs", "/panel"])
def test_pages_come_with_a_policy_that_allows_nothing_from_elsewhere(client: TestClient, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in answer.text.replace("http-equiv", "")
    assert "style=" not in answer.text
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_boot_gives_the_words_of_the_language(client: TestClient, lang: str) -> None:
    boot = client.get(f"/api/boot?lang={lang}").json()
    assert boot["lang"] == lang
    assert boot["words"]["page.undo"] == {"es": "Deshacer", "en": "Undo"}[lang]
    assert client.get("/api/boot", headers={"accept-language": f"{lang}-XX,fr"}).json()["lang"] == lang


def test_the_picture_is_the_newest_frame(client: TestClient, feed: TestFeed) -> None:
    feed.show(image=np.full((360, 640, 3), 200, np.uint8))
    image = cv2.imdecode(np.frombuffer(client.get("/picture.jpg").content, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (360, 640, 3)
    assert abs(float(image.mean()) - 200) < 2


def test_the_panel_explains_options_and_dice_in_words(client: TestClient, feed: TestFeed) -> None:
    panel = client.get("/api/panel?lang=es").json()
    move, _, strike = panel["request"]["options"]
    assert panel["request"]["who"] == "Ana"
    assert move["legal"]
    assert not strike["legal"]
    assert strike["reasons"] == [{"code": "too_far", "text": "31,5 ± 0,4 cm", "rule": "TURN-04"}]
    feed.answer(0, "move")
    dice = client.get("/api/panel?lang=en").json()["request"]["dice"]
    assert [(d["fighter"], d["count"], d["faces"], d["threshold"]) for d in dice] == [
        ("Ñandú", 1, 6, 4),
        ("Coco", 1, 10, None),
    ]
    assert dice[0]["modifiers"] == [{"text": "1 die with 6 faces", "value": 1, "rule": "STRIKE-02"}]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_any_fighter_is_explained_with_all_reasons(client: TestClient, feed: TestFeed, lang: str) -> None:
    options = client.get(f"/api/explain?fighter=F2&lang={lang}").json()["options"]
    assert [(one["id"], one["legal"]) for one in options] == [("move:F2", True), ("strike:F2", False)]
    assert [reason["rule"] for reason in options[1]["reasons"]] == ["TURN-04", "TURN-04"]
    assert not feed.acts
    nobody = client.get(f"/api/explain?fighter=F9&lang={lang}")
    assert nobody.status_code == 404
    assert "F9" in nobody.json()["error"]


def test_a_rule_is_told_in_the_language_with_what_this_match_has_agreed(client: TestClient) -> None:
    rule = client.get("/api/rule?id=strike%206&lang=es").json()
    assert (rule["rule"], rule["text"]) == ("STRIKE-06", "Con dos críticos, el rival sufre un Derribo.")
    agreed = {one["name"]: (one["default"], one["now"]) for one in rule["house_rules"]}
    assert agreed["three_criticals"] == ("knockdown_and_wound", "wound_only")
    nothing = client.get("/api/rule?id=STRKE-06&lang=en")
    assert nothing.status_code == 404
    assert "STRIKE-06" in nothing.json()["error"]


def test_acts_reach_the_feed(client: TestClient, feed: TestFeed) -> None:
    for name, value in (("answer", "move"), ("roll", None), ("look", None), ("undo", None)):
        answer = client.post(f"/api/{name}", json={"turn": feed.turn, "value": value}, headers=OURS)
        assert answer.status_code == 200, answer.text
    assert feed.acts == [("answer", "move"), ("roll", None), ("look", None), ("undo", None)]


def test_a_refused_answer_comes_back_with_its_reason_and_rule(client: TestClient, feed: TestFeed) -> None:
    answer = client.post("/api/answer?lang=en", json={"turn": 0, "value": "strike"}, headers=OURS)
    assert answer.status_code == 409
    assert answer.json()["error"] == "31.5 ± 0.4 cm"
    assert answer.json()["reasons"][0]["rule"] == "TURN-04"
    assert feed.acts == []


def test_two_phones_cannot_answer_the_same_turn(client: TestClient, feed: TestFeed) -> None:
    codes = [
        client.post("/api/answer", json={"turn": 0, "value": "move"}, headers=OURS).status_code for _ in "ab"
    ]
    assert codes == [200, 409]
    assert len(feed.acts) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"X-Palmo": "1", "Origin": "https://elsewhere.example"}, 403),
        ({"X-Palmo": "1", "Origin": "null"}, 403),
        ({"X-Palmo": "1", "Origin": "http://["}, 403),
        ({"X-Palmo": "1", "Origin": "http://127.0.0.1:9999"}, 403),
        ({"X-Palmo": "1", "Host": "elsewhere.example"}, 421),
        ({"X-Palmo": "1", "Origin": "http://127.0.0.1:8080"}, 200),
    ],
)
def test_orders_from_other_pages_and_other_names_are_refused(
    client: TestClient, feed: TestFeed, headers: dict[str, str], status: int
) -> None:
    answer = client.post("/api/answer", json={"turn": 0, "value": "move"}, headers=headers)
    assert answer.status_code == status
    assert bool(feed.acts) == (status == 200)
    if status != 200:
        assert answer.text.count("\n") == 1, "one sentence"


def test_a_foreign_name_that_points_here_sees_nothing(client: TestClient) -> None:
    for path in ("/", "/picture.jpg", "/api/panel"):
        assert client.get(path, headers={"Host": "rebound.example:8080"}).status_code == 421
    assert client.get("/", headers={"Host": "[::1]:8080"}).status_code == 200


def test_a_socket_from_another_page_is_not_opened(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), ws(client, "panel=1", origin="https://elsewhere.example"):
        pass
    with ws(client, "panel=1", origin="http://127.0.0.1:8080") as socket:
        assert socket.receive_json()["type"] == "panel"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"turn": "x"}',
        b'{"turn": 0, "more": 1}',
        b"\xff\xfe",
        b'{"turn": 0, "value": ' + b"[" * 9000,
        b'{"turn": 0, "value": ' + b"[" * 9000 + b"]" * 9000 + b"}",
        b'{"turn": 0, "value": {"correct": {"reason": "\\ud800"}}}',
    ],
)
def test_a_body_that_is_not_an_act_gets_one_sentence(client: TestClient, feed: TestFeed, body: bytes) -> None:
    answer = client.post(
        "/api/answer?lang=en", content=body, headers={**OURS, "Content-Type": "application/json"}
    )
    assert answer.status_code in (400, 422)
    assert list(answer.json()) == ["error"]
    assert feed.acts == []


def test_a_body_that_is_too_long_is_not_even_read(client: TestClient) -> None:
    answer = client.post("/api/answer", content=b" " * 70_000, headers=OURS)
    assert answer.status_code == 413
    streamed = client.post("/api/answer", content=iter([b"{}"]), headers=OURS)
    assert streamed.status_code == 413


def test_a_key_lets_in_once_and_leaves_the_address() -> None:
    feed = TestFeed()
    feed.show()
    app = create_app(feed, hosts=["mesa.local"], key="s3cret")
    with TestClient(app, base_url="http://mesa.local:8080", follow_redirects=False) as client:
        assert client.get("/panel").status_code == 401
        assert client.get("/panel?key=wrong").status_code == 401
        answer = client.get("/panel?lang=en&key=s3cret")
        assert (answer.status_code, answer.headers["location"]) == (303, "/panel?lang=en")
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "samesite=strict" in answer.headers["set-cookie"].lower()
        assert client.get("/panel").status_code == 200
        client.cookies.clear()
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/ws", headers={"host": "mesa.local"}),
        ):
            pass


def test_the_socket_sends_overlay_and_the_picture_of_the_same_frame(
    client: TestClient, feed: TestFeed
) -> None:
    with ws(client, "picture=1&lang=es") as socket:
        message = socket.receive_json()
        picture = cv2.imdecode(np.frombuffer(socket.receive_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert (message["type"], message["version"], message["frame"], message["lang"]) == ("overlay", 1, 0, "es")
    assert message["size"] == [picture.shape[1], picture.shape[0]]
    assert {entry["kind"] for entry in message["annotations"]} == {
        "ring", "region", "ruler", "ghost", "fighter", "banner"
    }  # fmt: skip


def test_a_page_that_is_not_ready_gets_the_newest_frame_and_not_the_ones_between(
    client: TestClient, feed: TestFeed
) -> None:
    with ws(client, "overlay=1") as socket:
        assert socket.receive_json()["frame"] == 0
        for _ in range(5):
            feed.show()
        socket.send_json({"type": "ready"})
        assert socket.receive_json()["frame"] == 5


def test_a_page_that_never_says_ready_still_gets_one_now_and_then(client: TestClient, feed: TestFeed) -> None:
    with ws(client, "overlay=1") as socket:
        assert socket.receive_json()["frame"] == 0
        feed.show()
        assert socket.receive_json()["frame"] == 1


def test_the_panel_is_pushed_when_it_changes_even_while_a_page_is_busy_drawing(
    client: TestClient, feed: TestFeed
) -> None:
    with ws(client, "overlay=1&panel=1&lang=en") as socket:
        first = [socket.receive_json() for _ in range(2)]
        assert [m["type"] for m in first] == ["panel", "overlay"]
        feed.show()
        feed.answer(0, "move")
        message = socket.receive_json()
        assert (message["type"], message["turn"]) == ("panel", 1)


GARBAGE = [
    "",
    "{",
    "null",
    "[]",
    '{"type": 1}',
    "x" * 5000,
    "[" * 100_000,
    '{"type": "ready", "more": 1}',
    "\x00🤼",
]


def test_garbage_on_the_socket_is_answered_with_one_sentence_and_kills_nothing(
    client: TestClient, feed: TestFeed
) -> None:
    with ws(client, "overlay=1&lang=en") as socket:
        socket.receive_json()
        for text in GARBAGE:
            socket.send_text(text)
            assert "does not understand" in socket.receive_json()["text"]
        socket.send_bytes(bytes(range(256)))
        assert socket.receive_json()["type"] == "error"
        socket.send_json({"type": "ready"})
        feed.show()
        assert socket.receive_json()["type"] == "overlay"


def test_a_room_full_of_pages_costs_one_picture_and_one_panel(
    feed: TestFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    encode, tell = answers.jpeg, feed.panel

    def slowly(image: Any) -> bytes:
        made.append("picture")
        time.sleep(0.2)
        return encode(image)

    def told() -> Panel:
        made.append("panel")
        time.sleep(0.2)
        return tell()

    monkeypatch.setattr(answers, "jpeg", slowly)
    monkeypatch.setattr(feed, "panel", told)
    feed.show()
    snapshot, sender = feed.board.snapshot, Sender(feed)
    assert snapshot is not None

    async def ask() -> None:
        await asyncio.gather(
            *(sender.picture(snapshot) for _ in range(20)), *(sender.panel("en") for _ in range(20))
        )

    in_a_loop(ask())
    assert sorted(made) == ["panel", "picture"]
    feed.board.panel_changed()
    in_a_loop(ask())
    assert sorted(made) == ["panel", "panel", "picture"]


def test_a_page_that_left_while_its_message_was_made_is_only_its_own_loss() -> None:
    class Gone:
        async def send_text(self, message: str) -> None:
            raise RuntimeError("Unexpected ASGI message")

    async def send() -> None:
        page = Page(cast("Any", Gone()), Wishes.of({}), asyncio.Event())
        await page.send("{}")

    with pytest.raises(WebSocketDisconnect):
        in_a_loop(send())


def test_posting_does_not_wait_for_pages_that_do_not_read(client: TestClient, feed: TestFeed) -> None:
    sleepers = [ws(client, "picture=1") for _ in range(5)]
    for sleeper in sleepers:
        sleeper.__enter__()
    done = threading.Event()

    def post() -> None:
        for _ in range(200):
            feed.show()
        done.set()

    threading.Thread(target=post, daemon=True).start()
    assert done.wait(30)
    for sleeper in sleepers:
        sleeper.__exit__(None, None, None)
    deadline = time.monotonic() + 10
    while feed.board._watchers and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not feed.board._watchers, "pages that left are forgotten"


def test_before_the_first_frame_there_is_a_sentence_instead_of_a_picture() -> None:
    with TestClient(create_app(TestFeed()), base_url="http://localhost") as client:
        answer = client.get("/picture.jpg?lang=en")
        assert answer.status_code == 503
        assert answer.json() == {"error": "There is no picture from the camera yet."}
        with client.websocket_connect("/ws?overlay=1&panel=1", headers={"host": "localhost"}) as socket:
            assert socket.receive_json()["type"] == "panel"


def test_the_message_is_plain_json_without_nan(client: TestClient) -> None:
    json.loads(client.get("/api/overlay").text, parse_constant=pytest.fail)


@pytest.mark.parametrize("path", ["/nothing", "/web/nothing.js", "/web/..%2fserver.py", "/web/../server.py"])
def test_what_is_not_there_is_said_in_a_sentence(client: TestClient, path: str) -> None:
    answer = client.get(f"{path}?lang=en")
    assert answer.status_code == 404
    assert answer.json() == {"error": "There is nothing at this address."}


def test_only_acts_are_posted(client: TestClient) -> None:
    assert client.get("/api/answer").status_code == 405
    assert client.post("/", headers=OURS).status_code == 405


def test_a_wrong_key_is_not_said_to_be_missing() -> None:
    app = create_app(TestFeed(), hosts=["mesa.local"], key="s3cret")
    with TestClient(app, base_url="http://mesa.local:8080") as client:
        assert "missing" in client.get("/panel?lang=en").text
        assert "not the key" in client.get("/panel?lang=en&key=wrong").text
        client.cookies.set("palmo_key", "yesterday")
        assert "not the key" in client.get("/panel?lang=en").text


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example/", "//evil.example//a"])
def test_a_key_leads_to_no_other_machine(path: str) -> None:
    app = create_app(TestFeed(), hosts=["mesa.local"], key="s3cret")
    with TestClient(app, base_url="http://mesa.local:8080", follow_redirects=False) as client:
        answer = client.get(f"http://mesa.local:8080{path}?key=s3cret")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/evil.example/")


@pytest.mark.parametrize(("lang", "said"), [("en", "There is nothing"), ("es", "no hay nada")])
def test_who_asks_for_no_language_gets_errors_in_the_servers(lang: str, said: str) -> None:
    app = create_app(TestFeed(), lang=lang)
    with TestClient(app, base_url="http://127.0.0.1:8080") as client:
        assert said in client.get("/nowhere").json()["error"]
        assert (
            "There is nothing" in client.get("/nowhere", headers={"accept-language": "en-GB"}).json()["error"]
        )
        assert "no hay nada" in client.get("/nowhere?lang=es").json()["error"]
