"""tracks.jsonl: what is written comes back, and what is broken is refused with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.tracks import Track, TrackFrame, TracksError
from vision.tracks_file import TracksWriter, read_tracks, write_tracks
from vision.tracks_line import decode, encode

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0))
MOVED = ((1.0, 0.0), (3.0, 0.0), (3.0, 2.0))
ERROR = {
    "fragment": 0,
    "own": [0.04, 0.0, 0.09],
    "camera": [[0.1, 0.2], [0.0, 0.1]],
    "figure": [[0.5], [0.1]],
    "basis": "F1:tap",
}
READING = {
    "share": 0.6, "facing_deg": 40.0, "facing_sd_deg": 3.0, "x": 1.0, "y": 2.0,
    "own": [0.01, 0.0, 0.01], "camera": [[0.3], [0.0]], "figure": [[], []],
}  # fmt: skip
STANDING = Track("placed", 1.234, -5.5, 0.1, 0.2, 0.003, 45.0, 3.0, outline=SQUARE, fragment=0, error=ERROR)
# A line as the first release wrote it: it must load for ever.
OLD_LINE = (
    '{"frame":12,"t":1.2,"fighters":{"F1":{"x":-23.41,"y":21.6,"sx":0.21,"sy":0.3,"sxy":0.01,"facing_deg":-45.0,'
    '"facing_sd_deg":3.0,"state":"placed","facing_source":"assumed","posture":"standing","zone":"ring",'
    '"outline":[[0.0,0.0],[2.0,0.0],[2.0,2.0]],"fragment":0,"error":{"fragment":0,"own":[0.04,0.0,0.09],'
    '"camera":[[0.1,0.2],[0.0,0.1]],"figure":[[0.5],[0.1]],"basis":"F1:tap"}}}}'
)

centimetres = st.none() | st.floats(-200, 200).map(lambda x: round(x, 3))
tracks = st.builds(
    Track,
    state=st.sampled_from(["placed", "in_hand", "covered", "merged", "lost", "unsure"]),
    x=centimetres,
    y=centimetres,
    facing_source=st.sampled_from(["registered", "motion", "marker", "model", "assumed"]),
    zone=st.sampled_from(["ring", "ropes", "corner", "ringside", "off_table"]),
    fragment=st.none() | st.integers(0, 99),
)


@given(st.integers(0, 10**6), st.dictionaries(st.sampled_from(["F1", "F2"]), tracks))
def test_a_frame_survives_the_round_trip(number: int, fighters: dict[str, Track]) -> None:
    frame = TrackFrame(number, 1.5, fighters)
    assert decode(encode(frame)) == frame


def test_a_line_of_the_first_release_loads() -> None:
    track = decode(OLD_LINE).fighters["F1"]
    assert (track.x, track.zone, track.fragment, track.outline) == (-23.41, "ring", 0, SQUARE)
    assert encode(decode(OLD_LINE)) == OLD_LINE


def test_a_lost_fighter_has_null_for_its_place() -> None:
    record = json.loads(encode(TrackFrame(0, 0.0, {"F1": Track("lost")})))
    assert record["fighters"]["F1"]["x"] is None
    assert "outline" not in record["fighters"]["F1"]


def test_an_outline_is_written_only_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    outlines = [SQUARE, SQUARE, None, SQUARE, MOVED]
    with TracksWriter(path) as writer:
        for number, outline in enumerate(outlines):
            writer.write(TrackFrame(number, number / 10, {"F1": Track("placed", 1.0, 1.0, outline=outline)}))
    assert [frame.fighters["F1"].outline for frame in read_tracks(path)] == [SQUARE, None, None, None, MOVED]


def test_the_error_of_a_fragment_is_written_once_and_read_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    write_tracks(path, [TrackFrame(n, n / 10, {"F1": STANDING}) for n in range(3)])
    assert path.read_text().count('"error"') == 1
    assert [frame.fighters["F1"].error for frame in read_tracks(path)] == [ERROR] * 3


def test_an_error_does_not_leak_into_the_next_fragment(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    frames = [
        TrackFrame(0, 0.0, {"F1": STANDING}),
        TrackFrame(1, 0.1, {"F1": Track("placed", 1.0, 1.0, fragment=1)}),
    ]
    write_tracks(path, frames)
    assert read_tracks(path)[1].fighters["F1"].error is None


def broken(**changes: object) -> str:
    record = json.loads(OLD_LINE)
    record["fighters"]["F1"].update(changes)
    return json.dumps(record)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (OLD_LINE[:80] + "\n", "not JSON"),
        ("nonsense", "not JSON"),
        ("not json at all\n", "not JSON"),
        ("[1, 2]\n", "exactly the keys"),
        (OLD_LINE.replace('"frame":12', '"frame":-1'), "counts frames from 0"),
        (OLD_LINE.replace('"frame":12', '"frame":true'), "counts frames from 0"),
        (OLD_LINE.replace('"t":1.2', '"t":"soon"'), "time in seconds"),
        (broken(state="flying"), 'state" is \'flying\''),
        (broken(zone="moon"), "zone"),
        (broken(facing_source="guess"), "facing_source"),
        (broken(x="left"), '"x" is'),
        (OLD_LINE.replace("-23.41", "NaN"), "NaN is not a number"),
        (OLD_LINE.replace("-23.41", "1e999"), '"x" is inf'),
        (broken(colour="red"), '"colour" is not a key'),
        (OLD_LINE.replace('"sx":0.21,', ""), '"sx" is missing'),
        (broken(outline=[[1, 2]]), "at least three points"),
        (broken(outline=[[1, 2], [1e300, 0], [4, 5]]), '"outline" is 1e+300; no camera over a table'),
        (broken(outline=[[1, 2], [3], [4, 5]]), "at least three points"),
        (broken(fragment=-2), "fragment"),
        (broken(error=[1]), '"error" is an object'),
        (broken(error={}), '"error" lacks "basis"'),
        (broken(error={**ERROR, "fragment": "a"}), "counts from 0"),
        (broken(error={**ERROR, "basis": 5}), "it is a text"),
        (broken(error={**ERROR, "readings": 1}), "a list of objects"),
        (broken(error={**ERROR, "readings": [{"share": 0.5}]}), "a list of objects"),
        (broken(error={**ERROR, "readings": [{**READING, "own": [1]}]}), "three numbers"),
        (broken(error={**ERROR, "own": ["a", 1, 1]}), "three numbers"),
        (broken(error={**ERROR, "own": [1e300, 0, 1e300]}), "three numbers"),
        (broken(error={**ERROR, "own": [1, 2, 1]}), "no variances can be so"),
        (broken(error={**ERROR, "own": [-1, 0, 1]}), "no variances can be so"),
        (broken(error={**ERROR, "camera": None}), "two rows"),
        (broken(error={**ERROR, "figure": [[]]}), "two rows"),
        (broken(error={**ERROR, "figure": [[1], [1, 2]]}), "not of one length"),
        (broken(error={**ERROR, "figure": [["x"], [1]]}), "two rows"),
        (broken(sx=-1), "not negative"),
        (broken(sxy=99), "not more than sx times sy"),
        (broken(x=1e300), "no camera over a table"),
        (broken(x=10**400), '"x" is 1000'),
        (broken(state=["x"] * 100), "…; it is one of"),
        ("[" * 100_000 + "\n", "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        (OLD_LINE.replace('"frame":12', '"frame":' + "9" * 5000) + "\n", "too many digits"),
    ],
)  # fmt: skip
def test_a_broken_line_is_refused_with_its_number(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text(OLD_LINE.replace('"frame":12', '"frame":3') + "\n" + line, encoding="utf-8")
    with pytest.raises(TracksError) as caught:
        read_tracks(path)
    assert str(caught.value).startswith(f"{path}, line 2")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "torn", [OLD_LINE.encode()[:80], OLD_LINE.encode()[:-1], b"\0" * 9, '{"frame":3,"ñ'.encode()[:-1]]
)
def test_a_last_line_that_was_cut_off_is_left_out_with_a_warning(
    tmp_path: Path, torn: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_bytes(OLD_LINE.encode() + b"\n" + torn)
    assert [frame.frame for frame in read_tracks(path)] == [12]
    assert f"{path}, line 2: the file is cut off here" in caplog.text


def test_a_last_line_without_an_end_counts_when_it_is_whole(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text(OLD_LINE)
    assert [frame.frame for frame in read_tracks(path)] == [12]
    assert not caplog.messages


def test_frames_must_come_in_order(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text(f"{OLD_LINE}\n{OLD_LINE}\n")
    with pytest.raises(TracksError, match="line 2: frame 12 comes after frame 12"):
        read_tracks(path)


def test_an_empty_file_a_missing_file_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    with pytest.raises(TracksError, match="No such file"):
        read_tracks(path)
    path.write_bytes(b"")
    with pytest.raises(TracksError, match="empty"):
        read_tracks(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TracksError, match="line 1: this is not text"):
        read_tracks(path)


def test_a_number_that_is_not_finite_is_never_written() -> None:
    with pytest.raises(TracksError, match="frame 4"):
        encode(TrackFrame(4, 0.4, {"F1": Track("placed", float("nan"), 0.0)}))


def test_a_file_saved_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tracks.jsonl"
    path.write_text(OLD_LINE + "\n", encoding="utf-8-sig")
    assert read_tracks(path)[0].frame == 12


def test_a_line_without_an_end_is_not_read_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.tracks_file._LONGEST_LINE", 1000)
    path = tmp_path / "tracks.jsonl"
    path.write_bytes(b"\0" * 5000)
    with pytest.raises(TracksError, match="line 1: this line is too long"):
        read_tracks(path)
