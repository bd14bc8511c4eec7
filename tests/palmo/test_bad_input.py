"""What a person may get wrong, through the command line: one clear sentence, exit code 2, no traceback."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import httpx
import pytest

from palmo.cli import run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.pictures import first_picture, write_picture
from vision.arrays import as_bytes
from vision.tracks import Track, TrackFrame
from vision.tracks_file import write_tracks


@pytest.fixture
def tell(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Run a command line that must fail, and give back the sentence."""
    monkeypatch.chdir(tmp_path)

    def refused(*arguments: object, lines: int = 1) -> str:
        code = run([str(argument) for argument in arguments])
        said = capfd.readouterr()
        assert code == 2, said
        assert "Traceback" not in said.err + said.out
        told = said.err.strip().splitlines()
        assert len(told) == lines, said.err
        assert all(line.startswith("palmo: ") for line in told)
        return said.err

    return refused


def edited(tmp_path: Path, old: str, new: str) -> tuple[Path, int]:
    """The demo's event file with one thing changed, and the line it was changed in."""
    text = DEMO_EVENT.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "event.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path, text[: text.index(old)].count("\n") + 1


CORNERS = "[[397.9, 135.9], [896.3, 124.6], [967.0, 594.9], [328.9, 603.9]]"
MIRRORED = "[[896.3, 124.6], [397.9, 135.9], [328.9, 603.9], [967.0, 594.9]]"
TURNED = "[[967.0, 594.9], [328.9, 603.9], [397.9, 135.9], [896.3, 124.6]]"
CROSSED = "[[397.9, 135.9], [967.0, 594.9], [896.3, 124.6], [328.9, 603.9]]"
FLAT = "[[400, 100], [500, 100], [600, 100], [700, 100]]"
LENS = "[camera]\nK = [[1300, 0, 960], [0, 1300, 540], [0, 0, 1]]\nsize = [1920, 1080]\n[ring]"


def test_a_missing_clip(tell: Callable[..., str], tmp_path: Path) -> None:
    assert "no such file" in tell("track", tmp_path / "none.mp4", "--event", DEMO_EVENT)


def test_a_clip_of_zero_bytes(tell: Callable[..., str], tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"")
    assert "empty" in tell("track", clip, "--event", DEMO_EVENT)


def test_a_clip_that_was_cut_off(tell: Callable[..., str], tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(DEMO_CLIP.read_bytes()[:100_000])
    assert re.search("cut off|not a video", tell("track", clip, "--event", DEMO_EVENT))


def test_a_file_that_is_no_video(tell: Callable[..., str]) -> None:
    assert "not a video" in tell("track", DEMO_EVENT, "--event", DEMO_EVENT)


def test_a_missing_event_file(tell: Callable[..., str], tmp_path: Path) -> None:
    assert "no such event file" in tell("track", DEMO_CLIP, "--event", tmp_path / "none.toml")


def test_an_event_file_that_is_a_clip(tell: Callable[..., str]) -> None:
    assert "not a text file" in tell("track", DEMO_CLIP, "--event", DEMO_CLIP)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("height_cm = 14.3", "height_cm = 0", "must be at least 2 cm"),
        ("height_cm = 14.3", "height_cm = 200", "must be at most 40 cm"),
        ("height_cm = 14.3", "height_cm = nan", "not a finite number"),
        ("width_cm = 70", "width_cm = inf", "finite|at most"),
        ("[[397.9, 135.9]", "[[nan, 135.9]", "not a finite number"),
        ("palm_cm = 20.5", "palm_cm = 205", "must be at most 30 cm"),
        ("palm_sd_cm", "plam_sd_cm", 'did you mean "palm_sd_cm"'),
        ("[match]", "[mach]", '"mach" is not a key'),
        (CORNERS, MIRRORED, "order"),
        (CORNERS, TURNED, "order"),
        (CORNERS, CROSSED, "crossed"),
        (CORNERS, FLAT, "one line"),
        ("[[397.9, 135.9]", "[[-397.9, 135.9]", "outside the picture"),
        ("[ring]", LENS, "1920x1080"),
        ("colour_box_px = [457, 169, 6, 6]", "colour_box_px = [560, 330, 6, 6]", "mat"),
        ("colour_box_px = [457, 169, 6, 6]", "colour_box_px = [1275, 169, 6, 6]", "outside the picture"),
    ],
)
def test_a_mistake_in_the_event_file(
    tell: Callable[..., str], tmp_path: Path, old: str, new: str, words: str
) -> None:
    path, line = edited(tmp_path, old, new)
    said = tell("track", DEMO_CLIP, "--event", path)
    assert f"event.toml, line {line}: " in said
    assert re.search(words, said), said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("post_height_cm = 16", "post_height_cm = 60", "post"),
        ("[826, 170, 6, 6]", "[455, 176, 6, 6]", "told apart"),
        ("colour_box_px = [826, 170, 6, 6]", 'colour = "#b41414"', "told apart"),
    ],
)
def test_two_things_that_do_not_go_together(
    tell: Callable[..., str], tmp_path: Path, old: str, new: str, words: str
) -> None:
    said = tell("track", DEMO_CLIP, "--event", edited(tmp_path, old, new)[0])
    assert re.search(rf"event\.toml, line \d+: .*{words}", said), said


@pytest.mark.parametrize(
    ("size", "words", "lines"),
    [((640, 360), "outside the picture of 640x360", 1), ((1920, 1080), "clicked at this size", 2)],
)
def test_a_clip_of_another_size_than_the_clicks(
    tell: Callable[..., str], tmp_path: Path, size: tuple[int, int], words: str, lines: int
) -> None:
    clip = tmp_path / "clip.png"
    write_picture(clip, as_bytes(cv2.resize(first_picture(str(DEMO_CLIP)), size)))
    assert words in tell("track", clip, "--event", DEMO_EVENT, lines=lines)


def test_a_sheet_the_rules_refuse(tell: Callable[..., str], tmp_path: Path) -> None:
    path, _ = edited(tmp_path, "speed = 1", "speed = 2")
    assert re.search(
        r"event\.toml, line \d+: the sheet of fighter F1: .*SHEET-02", tell("match", "play", "--event", path)
    )


def test_all_mistakes_of_a_file_at_once(tell: Callable[..., str], tmp_path: Path) -> None:
    path, _ = edited(tmp_path, "width_cm = 70", "width_cm = 7")
    path.write_text(path.read_text().replace("height_cm = 14.3", "height_cm = 0"))
    assert "width_cm" in tell("track", DEMO_CLIP, "--event", path, lines=2)


def test_a_camera_that_is_not_there(tell: Callable[..., str]) -> None:
    assert "no such camera" in tell("live", "--source", "77", "--event", DEMO_EVENT)


@pytest.mark.parametrize("number", ["99999999999999999999", "9" * 5000])
def test_a_camera_number_of_many_digits(tell: Callable[..., str], number: str) -> None:
    assert "no camera has such a number" in tell("live", "--source", number, "--event", DEMO_EVENT)


def test_an_empty_host_and_a_failed_start_leave_nothing_behind(
    tell: Callable[..., str], tmp_path: Path
) -> None:
    live = ("live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--folder", tmp_path / "m")
    assert "--host is empty" in tell(*live, "--host", "")
    assert not (tmp_path / "m").exists()
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "match.jsonl").write_text('{"format":1}\n')
    assert "Line 1 of the match log is not a header" in tell(*live, "--port", 0)
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["match.jsonl"]


@pytest.mark.parametrize("amount", ["inf", "nan"])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_palms_without_end_are_not_an_allowance(
    tell: Callable[..., str], amount: str, more: list[str]
) -> None:
    arguments = ("--event", DEMO_EVENT, "--fighter", "F1", "--from", 1, "--to", 3, "--allow", amount)
    assert "--allow" in tell("measure", "--tracks", "none.jsonl", *arguments, *more)


def test_a_control_character_in_a_sentence_is_spelled_out(tell: Callable[..., str]) -> None:
    said = tell("track", "a\x1b[31m.mp4", "--event", DEMO_EVENT)
    assert "a\\u001b[31m.mp4" in said


def test_an_address_where_nothing_answers(tell: Callable[..., str]) -> None:
    assert "nothing answers" in tell("live", "--source", "http://127.0.0.1:9/video", "--event", DEMO_EVENT)


def test_a_port_in_use(tell: Callable[..., str], tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = tell(
            "live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--port", port, "--folder", tmp_path
        )
    assert f"port {port}" in said
    assert "in use" in said


def test_tracks_of_something_else(tell: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text('{"frame": 0}\n')
    arguments = ("--event", DEMO_EVENT, "--fighter", "F1", "--from", 1, "--to", 3)
    assert "tracks.jsonl, line 1" in tell("measure", "--tracks", path, *arguments)


def test_tracks_of_another_table(tell: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    arguments = ("--event", DEMO_EVENT, "--fighter", "F1", "--from", 1, "--to", 3)
    write_tracks(path, [TrackFrame(0, 0.0, {"F1": Track("placed", 255.0, 0.0)})])
    assert "F1 stands 255 cm from the middle of the ring" in tell("measure", "--tracks", path, *arguments)
    write_tracks(path, [TrackFrame(0, 0.0, {"G1": Track("placed", 5.0, 0.0)})])
    assert "it tracks G1, none of whom" in tell("measure", "--tracks", path, *arguments)


def test_a_key_of_thousands_of_parts(tell: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("a." * 3000 + "b = 1\n")
    assert "nested" in tell("track", DEMO_CLIP, "--event", path)


def test_a_truth_that_is_missing(tell: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text('{"frame": 0, "t": 0, "fighters": {}}\n')
    assert "truth" in tell("evaluate", path, tmp_path / "truth.json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nosuch"], "No such command"),
        (["track"], "Missing argument"),
        (["track", "a.mp4", "--event", "e.toml", "--nosuch"], "No such option"),
        (["measure", "--tracks", "t", "--event", "e", "--fighter", "F1", "--from", "x"], "'--from'"),
        (["track", "a.mp4", "--event", "e.toml", "--lang", "fr"], "not a language"),
        (["match", "replay", "none.jsonl"], "No such file"),
    ],
)  # fmt: skip
def test_a_command_line_that_makes_no_sense(
    tell: Callable[..., str], arguments: list[str], words: str
) -> None:
    assert words in tell(*arguments)


def test_an_internal_fault_is_one_line_too(tell: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> None:
        raise ZeroDivisionError("x / 0")

    monkeypatch.setattr("palmo.play.table.replayed", broken)
    assert "PALMO_DEBUG=1" in tell("match", "replay", "m.jsonl")


def test_the_traceback_is_there_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALMO_DEBUG", "1")
    with pytest.raises(OSError, match="none"):
        run(["track", "none.mp4", "--event", str(DEMO_EVENT)])


def small_disk(limit: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def palmo(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "palmo", *map(str, arguments)]


def test_results_never_overwrite_what_was_given(tell: Callable[..., str], tmp_path: Path) -> None:
    clip, event = tmp_path / "clip.mp4", tmp_path / "event.toml"
    clip.write_bytes(DEMO_CLIP.read_bytes())
    event.write_bytes(DEMO_EVENT.read_bytes())
    track = ("track", clip, "--event", event)
    assert "--out clip.mp4 is the clip itself" in tell(*track, "--out", "clip.mp4")
    assert "is the clip itself" in tell(*track, "--video", clip)
    assert "is the event file itself" in tell(*track, "--out", event)
    assert "--out and --video are the same file" in tell(*track, "--out", "x.mp4", "--video", "./x.mp4")
    ring = ("calibrate", "ring", clip, "--event", event)
    assert "--picture" in tell(*ring, "--picture", clip)
    assert clip.read_bytes() == DEMO_CLIP.read_bytes()
    assert event.read_bytes() == DEMO_EVENT.read_bytes()


def test_a_disk_that_is_full_while_tracks_are_written(tmp_path: Path) -> None:
    out = tmp_path / "tracks.jsonl"
    out.write_text("an earlier run")
    command = palmo("track", DEMO_CLIP, "--event", DEMO_EVENT, "--out", out)
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=small_disk(20_000), timeout=300)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "tracks cannot be written" in done.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(out.name, "an earlier run")]


def test_a_disk_that_is_full_while_recording_stops_only_the_recording(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = palmo(
        "live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--loop",
        "--port", port, "--folder", tmp_path, "--record",
    )  # fmt: skip
    environment = os.environ | {"PALMO_LANG": "en"}
    live = subprocess.Popen(
        command, preexec_fn=small_disk(400_000), env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        address = f"http://127.0.0.1:{port}"
        said = until(lambda: said_there(address, "recording stopped"))
        first = httpx.get(f"{address}/api/overlay").json()["frame"]
        until(lambda: httpx.get(f"{address}/api/overlay").json()["frame"] > first)
        turn = httpx.get(f"{address}/api/panel").json()["turn"]
        until(
            lambda: (
                httpx.post(f"{address}/api/look", json={"turn": turn}, headers={"x-palmo": "1"}).status_code
                == 200
            )
        )
    finally:
        live.send_signal(signal.SIGINT)
        _, errors = live.communicate(timeout=60)
    assert said
    assert live.returncode == 0, errors
    assert "Traceback" not in errors
    assert '"origin":"camera"' in (tmp_path / "match.jsonl").read_text()
    assert (tmp_path / "clip.mp4").stat().st_size > 100_000


def started(*arguments: object) -> tuple[subprocess.Popen[str], str]:
    """A live session in a process of its own, once its pages answer, and their address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    live = subprocess.Popen(
        palmo("live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--port", port, *arguments),
        env=os.environ | {"PALMO_LANG": "en"},
        stderr=subprocess.PIPE,
        text=True,
    )
    address = f"http://127.0.0.1:{port}"
    until(lambda: httpx.get(f"{address}/api/overlay").json()["frame"] > 3)
    return live, address


def test_a_log_that_cannot_be_written_ends_the_start_and_is_printed(tmp_path: Path) -> None:
    command = palmo("live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--port", 0, "--folder", tmp_path)
    live = subprocess.run(
        [*command, "--keep", "0"],
        preexec_fn=small_disk(100),
        env=os.environ | {"PALMO_LANG": "en"},
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    assert live.returncode == 2, live.stderr
    *_, last = live.stderr.splitlines()
    assert re.match(r"palmo: .*match\.jsonl: 2 lines of the match could not be written", last)
    assert '"roster"' in live.stderr
    assert "Traceback" not in live.stderr


def test_a_session_that_is_terminated_closes_everything(tmp_path: Path) -> None:
    live, _ = started("--folder", tmp_path, "--record")
    live.send_signal(signal.SIGTERM)
    _, errors = live.communicate(timeout=60)
    assert live.returncode == 0, errors
    assert "Traceback" not in errors
    capture, pictures = cv2.VideoCapture(str(tmp_path / "clip.mp4")), 0
    while capture.read()[0]:
        pictures += 1
    assert 3 <= pictures <= len((tmp_path / "tracks.jsonl").read_text().splitlines())


def test_tracking_that_is_terminated_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "tracks.jsonl"
    out.write_text("an earlier run")
    command = palmo("track", DEMO_CLIP, "--event", DEMO_EVENT, "--out", out, "--video", tmp_path / "a.mp4")
    track = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    track.send_signal(signal.SIGTERM)
    _, errors = track.communicate(timeout=60)
    assert track.returncode == 130
    assert errors == "palmo: stopped; nothing is half written\n"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(out.name, "an earlier run")]


def said_there(address: str, words: str) -> bool:
    return any(
        words in notice["text"] for notice in httpx.get(f"{address}/api/panel?lang=en").json()["notices"]
    )


def until(happens: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Wait for something that takes its time; fail when it never comes."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if happens():
                return True
        except (httpx.TransportError, KeyError):
            pass
        time.sleep(0.1)
    pytest.fail("it never happened")
