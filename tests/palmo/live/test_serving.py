from __future__ import annotations

import asyncio
import socket
import threading
import time
from dataclasses import replace

import httpx
import pytest

from overlay.i18n import translate
from palmo.errors import PalmoError
from palmo.live.feed import LiveFeed
from palmo.live.serving import free_port, open_door, server_for
from rules.scene import Figure
from rules.text import Text
from tests.palmo.live.tables import frame, tracked


def test_a_port_in_use_gets_a_sentence() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PalmoError, match=f"port {port} on 127.0.0.1 is in use.*--port"):
            open_door("127.0.0.1", port)


def test_a_demo_takes_another_port_when_its_own_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert free_port(taken) == 0
    assert free_port(taken) == taken


def test_a_host_that_is_not_ours_gets_a_sentence() -> None:
    with pytest.raises(PalmoError, match=r"cannot listen on 192\.0\.2\.7"):
        open_door("192.0.2.7", 0)


@pytest.mark.parametrize("host", ["", " "])
def test_an_empty_host_does_not_open_the_door_to_everybody(host: str) -> None:
    with pytest.raises(PalmoError, match="--host is empty"):
        open_door(host, 0)


def test_only_an_open_door_has_a_key() -> None:
    local, network = open_door("127.0.0.1", 0), open_door("0.0.0.0", 0)
    try:
        assert local.key is None
        assert local.names == ()
        assert network.key is not None
        assert f"?key={network.key}" in network.address("/panel")
        assert "0.0.0.0" not in network.address()
    finally:
        local.socket.close()
        network.socket.close()


def test_the_pages_are_served_and_the_server_ends_when_told(
    feed: LiveFeed, figures: dict[str, Figure]
) -> None:
    door = open_door("127.0.0.1", 0)
    server = server_for(feed, door)
    thread = threading.Thread(target=lambda: server.run(sockets=[door.socket]))
    thread.start()
    try:
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        feed.see(frame(0), tracked(0, figures))
        for page in ("/", "/obs", "/panel", "/api/panel", "/picture.jpg"):
            assert httpx.get(door.address(page)).status_code == 200, page
        look = httpx.post(door.address("/api/look"), json={"turn": 0}, headers={"x-palmo": "1"})
        assert look.status_code == 200
        assert feed.panel().turn == 1
        stale = httpx.post(door.address("/api/look?lang=en"), json={"turn": 0}, headers={"x-palmo": "1"})
        assert stale.status_code == 409
        assert "changed meanwhile" in stale.json()["error"]
    finally:
        server.should_exit = True
        thread.join(timeout=20)
    assert not thread.is_alive()


@pytest.mark.parametrize("lang", ["es", "en"])
def test_who_says_no_language_is_spoken_to_in_the_servers(feed: LiveFeed, lang: str) -> None:
    door = replace(open_door("127.0.0.1", 0), key="secret")
    server = server_for(feed, door, lang)
    thread = threading.Thread(target=lambda: server.run(sockets=[door.socket]))
    thread.start()
    try:
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        address = f"http://127.0.0.1:{door.port}/"
        refused = httpx.get(address)
        assert refused.status_code == 401
        assert refused.text.strip() == translate(Text("server.key"), lang)
        english = httpx.get(address, headers={"accept-language": "en-GB,en;q=0.9"})
        assert english.text.strip() == translate(Text("server.key"), "en")
    finally:
        server.should_exit = True
        thread.join(timeout=20)


def test_pages_that_still_read_are_cut_off_without_a_word(
    feed: LiveFeed, capsys: pytest.CaptureFixture[str]
) -> None:
    """A request that never ends is cancelled when the server ends; its traceback is nobody's business."""
    door = open_door("127.0.0.1", 0)
    server = server_for(feed, door)
    never = asyncio.Event()

    async def endless(scope: object, receive: object, send: object) -> None:
        await never.wait()

    server.config.app = endless
    server.config.lifespan = "off"
    thread = threading.Thread(target=lambda: server.run(sockets=[door.socket]))
    thread.start()
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        deadline = time.monotonic() + 20
        while not server.server_state.tasks:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        server.should_exit = True
        thread.join(timeout=20)
    assert not thread.is_alive()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("host", ["ä" * 80, "a\0b"])
def test_a_host_that_is_no_name_gets_a_sentence(host: str) -> None:
    with pytest.raises(PalmoError, match="is no address of a computer"):
        open_door(host, 0)
