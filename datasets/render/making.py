"""From a scene to its folder: the pictures of a clip or a still, the truth, and the event file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.meshes import Array
from datasets.render.photo import Photo, feathered, reach
from datasets.render.preview import Preview
from datasets.render.scene_file import load_scene
from datasets.render.sensor import developed
from datasets.render.timeline import State, Timeline
from datasets.render.truth import as_json, event, truth

CLIP, STILL = "clip.mp4", "still.jpg"
# What moves further than this while the shutter is open is rendered at several moments.
_SHARP_PX, _MOST_MOMENTS = 2.5, 3
# A part is laid into the picture this softly; light that bounces off a hand reaches about so far.
_MARGIN_PX, _SOFT_PX = 26, 22
_EVERY = 7  # of the vertices is enough to say where a thing can be seen
_STILL_SAMPLES, _MOVING_SAMPLES = 6, 3

Light = NDArray[np.float32]
Progress = Callable[[int, int], None]


def make(scene_file: Path, out: Path, *, preview: bool, progress: Progress) -> None:
    """Render a scene file into a folder. Raises SceneError, FigureError, PhotoError."""
    timeline = Timeline(load_scene(scene_file))
    out.mkdir(parents=True, exist_ok=True)
    how = (
        "preview (flat shading), not a real camera" if preview else "rendered (Mitsuba 3), not a real camera"
    )
    (out / "truth.json").write_text(as_json(truth(timeline, how)), encoding="utf-8")
    (out / "event.toml").write_text(event(timeline), encoding="utf-8")
    if scene_file.resolve() != (out / "scene.toml").resolve():
        shutil.copyfile(scene_file, out / "scene.toml")
    pictures = developed_pictures(timeline, preview=preview, progress=progress)
    if timeline.scene.seconds is None:
        quality = [cv2.IMWRITE_JPEG_QUALITY, timeline.scene.picture.jpeg]
        cv2.imwrite(str(out / STILL), next(pictures), quality)
    else:
        write_clip(out / CLIP, pictures, timeline)


def developed_pictures(
    timeline: Timeline, *, preview: bool, progress: Progress
) -> Iterator[NDArray[np.uint8]]:
    """All pictures (H, W, 3) in BGR of a scene in order."""
    light = _previewed(timeline) if preview else _photographed(timeline)
    for number, picture in enumerate(light):
        seconds = number / timeline.scene.fps
        rng = np.random.default_rng([timeline.scene.seed, 3, number])
        progress(number + 1, timeline.frames)
        yield developed(picture, timeline.gains(seconds), timeline.scene.picture, rng)


def _moments(timeline: Timeline, number: int) -> list[State]:
    """The states while the shutter is open: one where nothing moves."""
    scene = timeline.scene
    middle = number / scene.fps
    if scene.picture.shutter == 0 or not timeline.state(middle).hands:
        return [timeline.state(middle)]
    # a knock falls between two pictures
    camera = timeline.camera_at(middle)
    half = scene.picture.shutter / scene.fps / 2
    ends = [timeline.state(max(0.0, middle + side * half)) for side in (-1, 1)]
    count = min(_MOST_MOMENTS, 1 + int(_shift_px(*ends) / _SHARP_PX))
    shares = np.linspace(-1, 1, count) if count > 1 else np.zeros(1)
    return [replace(timeline.state(max(0.0, middle + s * half)), camera=camera) for s in shares]


def _shift_px(before: State, after: State) -> float:
    """How far the hands move in the picture from one state to another."""
    pairs = zip(before.hands, after.hands, strict=False)
    seen = [before.camera.project(np.stack([a.offset, b.offset])) for a, b in pairs]
    return max((float(np.hypot(*(two - one))) for one, two in seen), default=0.0)


def _previewed(timeline: Timeline) -> Iterator[Light]:
    preview = Preview(timeline)
    for number in range(timeline.frames):
        pictures = [preview.picture(state) for state in _moments(timeline, number)]
        yield np.asarray(np.mean(pictures, axis=0), np.float32)


def _photographed(timeline: Timeline) -> Iterator[Light]:
    """Trace every state of the scene once in full, and of pictures with a hand the part that differs."""
    photo, base, base_key = Photo(timeline), np.empty(0, np.float32), b""
    for number in range(timeline.frames):
        states = _moments(timeline, number)
        still = replace(states[len(states) // 2], hands=())
        resting = _resting(timeline, still)
        key = _key(resting)
        if key != base_key:
            base, base_key = photo.picture(resting, _STILL_SAMPLES), key
        if not states[0].hands and not states[-1].hands:
            yield base
            continue
        where = _reached(timeline, [*states, resting])
        picture = base.copy()
        if where[2] > 0 and where[3] > 0:
            inner = photo.part(states, where, _MOVING_SAMPLES)
            feathered(inner, picture, where[0], where[1], _SOFT_PX)
        yield picture


def _resting(timeline: Timeline, state: State) -> State:
    """The state with everybody who is being carried left where he was taken from."""
    held = {id_ for id_, stand in state.stands.items() if stand.held}
    stands = {
        id_: timeline.before_carry(id_, state.seconds) if id_ in held else stand
        for id_, stand in state.stands.items()
    }
    return replace(state, stands=stands)


def _key(state: State) -> bytes:
    parts = [np.concatenate([s.rotation.ravel(), s.offset]).tobytes() for s in state.stands.values()]
    camera = state.camera.rvec.tobytes() + state.camera.tvec.tobytes()
    return b"".join([*parts, camera, np.array(state.lights).tobytes()])


def _reached(timeline: Timeline, states: list[State]) -> tuple[int, int, int, int]:
    """The part of the picture that hands and carried figures can change, (u, v, width, height)."""
    points: list[Array] = [np.empty((0, 3))]
    held = {id_ for state in states for id_, stand in state.stands.items() if stand.held}
    for state in states:
        points += [hand.mesh.vertices[::_EVERY] @ hand.rotation.T + hand.offset for hand in state.hands]
        for id_ in held:
            stand = state.stands[id_]
            points.append(timeline.figures[id_].mesh.vertices[::_EVERY] @ stand.rotation.T + stand.offset)
    camera = states[0].camera
    return reach(camera, np.concatenate(points), timeline.scene.light, _MARGIN_PX)


def write_clip(path: Path, pictures: Iterator[NDArray[np.uint8]], timeline: Timeline) -> None:
    """Write pictures (H, W, 3) in BGR as the clip of a scene, all of it or nothing."""
    scene, unfinished = timeline.scene, path.with_name("unfinished.mp4")
    with av.open(str(unfinished), "w") as file:
        options = {"crf": str(scene.picture.crf), "preset": "slow"}
        stream = file.add_stream("libx264", rate=Fraction(scene.fps), options=options)
        stream.width, stream.height = scene.camera.size
        stream.pix_fmt = "yuv420p"
        # one thread: the same bytes again
        stream.codec_context.thread_count = 1
        for picture in pictures:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    unfinished.replace(path)
