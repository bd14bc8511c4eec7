"""How exactly clips with known truth are measured: `python -m datasets.accuracy`.

Fragments are found once per clip. Then the taps are drawn again and again about the truth (corners and post
tops, the middles of the feet, and facings) and only calibration and measuring are run again, so that the
table shows what a careful person may expect, with and without the tap on the feet. What is seen after the
camera was knocked is marked by the guard, as in a match, and only counted. A clip is a name under
$PALMO_DATA/clips, a folder with clip.mp4, event.toml and truth.json, or a folder of such folders; without
any, S1, S2, S3 and the clips of datasets/library are measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.furniture import furniture_mask
from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets import errorbars_scenes as scenes
from datasets.accuracy_metrics import metrics
from datasets.accuracy_report import Move, Standing, as_markdown
from datasets.clip_folder import clip_folder
from datasets.errorbars_bars import Bar
from datasets.errorbars_scenes import Neighbours
from datasets.errorbars_tables import Stood, wrapped
from palmo.convert import fighter_specs, ring_spec
from palmo.evaluate.truth import TruePose, Truth, load_truth
from palmo.event import load_event
from palmo.live.guard import CameraGuard
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.finding.tracker import Tracker
from vision.fragments import Fragment
from vision.measuring.displacement import Placement, displacement
from vision.measuring.facing_belief import Facing
from vision.measuring.matte import MatteError
from vision.measuring.measurer import Measurer
from vision.measuring.poses import FragmentPose
from vision.measuring.told import ToldError
from vision.sources.open import Frame, open_source
from vision.tracks import Posture, TrackFrame

Array = NDArray[np.float64]
Key = tuple[str, int]

# Rendered clips of the checkout, made by other makers of figures than those of `datasets.figures`.
LIBRARY = Path(__file__).parent / "library"
_PARTS = ("truth.json", "event.toml", "clip.mp4")
# A fragment in which the truth is still for fewer frames than this measures nothing.
_LEAST_STILL_FRAMES = 2
# Two fragments of a figure that never moved (a hand passed in front of it) are no move.
_LEAST_MOVE_CM = 0.5


@dataclass(frozen=True)
class Hands:
    """How far off (px, sd) corners and post tops are clicked and feet are tapped."""

    click_px: float = 0.5
    foot_px: float = 1.5


PEOPLE = Hands()
# Nobody is believed to be surer than this.
_SUREST_TAP_PX = 0.1


@dataclass(frozen=True, eq=False)
class Clip:
    """A clip ready to be measured again: its fragments, numbered, with the truth of each, and how many more
    there are that the guard marks, because the camera had moved."""

    name: str
    first: Frame
    spec: RingSpec
    fighters: list[FighterSpec]
    camera: Camera
    truth: Truth
    fragments: list[tuple[int, Fragment, TruePose]]
    marked: int


@dataclass
class Drawn:
    """What was measured: fragments, moves, all error bars and verdicts on neighbours; and the clips that a
    match would have refused, by name, with the sentence that says why."""

    standing: list[Standing] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    neighbours: list[Neighbours] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def extend(self, other: Drawn) -> None:
        """Add what another draw measured."""
        self.standing += other.standing
        self.moves += other.moves
        self.bars += other.bars
        self.neighbours += other.neighbours
        self.refused |= other.refused


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the clips and write metrics.md, accuracy.md and accuracy.json."""
    parser = argparse.ArgumentParser(prog="python -m datasets.accuracy", description=__doc__)
    parser.add_argument("clips", nargs="*", help="names, clip folders, folders of clip folders")
    parser.add_argument("--draws", type=int, default=20, help="how often the taps are drawn again")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the three files")
    options = parser.parse_args(arguments)
    folders = clip_folders(options.clips)
    if not folders:
        return 2
    drawn, marked = Drawn(), dict[str, int]()
    for folder in folders:
        try:
            clip = load_clip(folder)
        except (CalibrationError, ColourError, ToldError) as error:
            drawn.refused[folder.name] = str(error)
            continue
        marked[clip.name] = clip.marked
        for draw in range(options.draws):
            print(f"\r{clip.name}: taps drawn {draw + 1} of {options.draws} times", end="", file=sys.stderr)
            drawn.extend(measure_draw(clip, draw))
        print(file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    summary = metrics(drawn.standing, drawn.moves, drawn.bars, drawn.neighbours) if drawn.standing else ""
    summary += "".join(f"\n- {clip} was refused: {why}\n" for clip, why in drawn.refused.items())
    for name, count in marked.items():
        if count:
            summary += f"\n- {name}: the camera was knocked; {count} fragments seen after that are marked "
            summary += "and not counted here.\n"
    detail = as_markdown(drawn.standing, drawn.moves) if drawn.standing else ""
    (options.out / "metrics.md").write_text(summary, encoding="utf-8")
    (options.out / "accuracy.md").write_text(detail, encoding="utf-8")
    (options.out / "accuracy.json").write_text(json.dumps(asdict(drawn)), encoding="utf-8")
    print(summary, detail, sep="\n")
    return 0


def clip_folders(asked: Sequence[str]) -> list[Path]:
    """The folders of the clips that are asked for; none, said on stderr, when one is not there."""
    folders = [folder for one in asked for folder in _folders(one)]
    if not asked:
        root = clip_folder()
        folders = [] if root is None else [*(root / name for name in ("S1", "S2", "S3")), *_within(LIBRARY)]
    for folder in folders:
        for name in _PARTS:
            if not (folder / name).is_file():
                print(f"{folder} is no clip with a known truth: {name} is missing", file=sys.stderr)
                return []
    return folders


def _folders(asked: str) -> list[Path]:
    here = Path(asked)
    if here.is_dir():
        return _within(here) or [here]
    root = clip_folder()
    return [] if root is None else [root / asked]


def _within(folder: Path) -> list[Path]:
    inside = (truth.parent for truth in folder.glob("*/truth.json"))
    return sorted(clip for clip in inside if all((clip / name).is_file() for name in _PARTS))


def load_clip(folder: Path) -> Clip:
    """Find a clip's fragments with the calibration its event file gives."""
    event = load_event(folder / "event.toml")
    data = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    truth, specs = load_truth(folder / "truth.json"), fighter_specs(event)
    camera = true_camera(data)
    with open_source(str(folder / "clip.mp4")) as source:
        frames = iter(source)
        first = next(frames)
        calibration = calibrate(ring_spec(event), camera.size, image=first.image)
        tracker = Tracker(calibration, specs, first, furniture_mask(calibration))
        guard = CameraGuard(first, calibration)
        seen = []
        for frame in frames:
            tracker.update(frame)
            guard.see(frame)
            seen.append(TrackFrame(frame.index, frame.t))
    found = tracker.take_closed()
    found += [(n.number, f) for n in tracker.growing().values() if (f := n.snapshot()) is not None]
    moved = {frame.frame for frame in guard.marked(seen) if frame.camera_moved}
    still = [pair for pair in found if not _mostly_in(moved, pair[1])]
    fragments = [
        (number, fragment, pose)
        for number, fragment in sorted(still, key=lambda pair: pair[0])
        if (pose := _true_pose(truth, fragment)) is not None
    ]
    return Clip(
        folder.name, first, ring_spec(event), specs, camera, truth, fragments, len(found) - len(still)
    )


def measure_draw(
    clip: Clip, draw: int, hands: Hands = PEOPLE, measurer_of: type[Measurer] = Measurer
) -> Drawn:
    """Measure all fragments with one draw of the taps, with and without the tap on the feet."""
    rng = np.random.default_rng([draw, *clip.name.encode()])
    ring = _clicked_ring(clip, rng, hands)
    calibration = calibrate(ring, clip.camera.size, image=clip.first.image)
    dont_care = furniture_mask(calibration)
    tapped = [_tapped(clip, spec, rng, hands) for spec in clip.fighters]
    untapped = [replace(spec, foot_px=None) for spec in tapped]
    drawn = Drawn()
    stances: dict[Key, tuple[Posture, Facing]] = {}
    for specs in (untapped, tapped):
        measurer = measurer_of(calibration, specs, dont_care)
        poses: dict[Key, FragmentPose] = {}
        # live, everybody is looked at as soon as they stand
        for number, fragment, _ in clip.fragments:
            if number == 0:
                measurer.look_around(number, fragment)
        for number, fragment, _ in clip.fragments:
            key = (fragment.fighter, number)
            # the tap does not change the pictures: what registration found is found once
            posture, facing = stances.get(key, (None, None))
            try:
                pose = measurer.measure(number, fragment, facing=facing, posture=posture)
            except MatteError as error:
                drawn.refused[f"{clip.name} {fragment.fighter}, fragment {number},"] = str(error)
                continue
            stances[key] = measurer.stance(*key)
            poses[key] = pose
        found = [one for one in clip.fragments if (one[1].fighter, one[0]) in poses]
        cut = replace(clip, fragments=found)
        drawn.standing += list(_standing(cut, poses, draw, specs is tapped))
        drawn.moves += list(_moves(cut, poses, draw, specs is tapped))
        _hold(drawn, cut, poses, specs is tapped)
    return drawn


def _hold(drawn: Drawn, clip: Clip, poses: dict[Key, FragmentPose], tapped: bool) -> None:
    """Add the error bars, as the study of modelled figures counts them, and what was said of neighbours."""
    source = "clips" if tapped else "clips, no tap"
    stood = [
        Stood(
            fragment.fighter, number, np.array([true.x, true.y]), true.facing_deg,
            clip.truth.shapes[fragment.fighter].outline(true), poses[fragment.fighter, number],
        )
        for number, fragment, true in clip.fragments
    ]  # fmt: skip
    when = {(f.fighter, number): (f.first, f.last) for number, f, _ in clip.fragments}
    last: dict[str, Stood] = {}
    for one in stood:
        assumed = one.pose.facing_source == "assumed" and one.number > 0
        before = last.get(one.fighter)
        last[one.fighter] = one
        turn = one.turned_since(before) if before else 0.0
        bar = Bar(
            source, "point", group=f"{clip.name} {one.fighter}", seen=one.number + 1, turn=turn,
            about="assumed" if assumed else "known",
        )  # fmt: skip
        drawn.bars += scenes.point(bar, one)
        if before and float(np.hypot(*(one.xy - before.xy))) >= _LEAST_MOVE_CM:
            drawn.bars += [
                b for b in scenes.move(replace(bar, kind="move"), before, one, 0.0) if b.kind == "move"
            ]
    for one, other in combinations(stood, 2):
        (first, end), (start, last_frame) = when[one.fighter, one.number], when[other.fighter, other.number]
        if one.fighter != other.fighter and first <= last_frame and start <= end:
            bar = Bar(source, "gap", group=f"{clip.name} {one.fighter} {other.fighter}", about=source)
            held, neighbours = scenes.gap(bar, one, other)
            drawn.bars.append(held)
            drawn.neighbours.append(neighbours)
            drawn.bars += scenes.bearings(replace(bar, kind="bearing"), one, other)


def _standing(clip: Clip, poses: dict[Key, FragmentPose], draw: int, tapped: bool) -> Iterator[Standing]:
    for number, fragment, true in clip.fragments:
        pose = poses[fragment.fighter, number]
        gap = pose.xy - (true.x, true.y)
        sd = np.sqrt(np.diag(pose.covariance))
        seen, shape = Polygon(pose.outline).buffer(0), clip.truth.shapes[fragment.fighter].outline(true)
        yield Standing(
            clip.name, fragment.fighter, number, draw, tapped, true.lying,
            error=float(np.hypot(*gap)),
            inside=float(np.mean(np.abs(gap) <= 1.96 * sd)),
            width=float(2 * 1.96 * sd.max()),
            facing_error=abs(wrapped(pose.facing_deg - true.facing_deg)),
            facing_assumed=pose.facing_source == "assumed",
            iou=float(seen.intersection(shape).area / seen.union(shape).area),
        )  # fmt: skip


def _moves(clip: Clip, poses: dict[Key, FragmentPose], draw: int, tapped: bool) -> Iterator[Move]:
    last: dict[str, tuple[int, TruePose]] = {}
    for number, fragment, true in clip.fragments:
        before = last.get(fragment.fighter)
        last[fragment.fighter] = (number, true)
        if before is None:
            continue
        start, pose, old = before[1], poses[fragment.fighter, number], poses[fragment.fighter, before[0]]
        length = float(np.hypot(true.x - start.x, true.y - start.y))
        if length < _LEAST_MOVE_CM:
            continue
        move = displacement(Placement.of_pose(old), Placement.of_pose(pose))
        low, high = move.interval95_cm
        turn = wrapped(true.facing_deg - start.facing_deg)
        yield Move(
            clip.name, fragment.fighter, draw, tapped, length,
            error=move.length_cm - length,
            sd=move.sd_cm,
            inside=low <= length <= high,
            width=high - low,
            true_turn=turn,
            turn_error=abs(wrapped(pose.facing_deg - old.facing_deg - turn)),
            turn_assumed=pose.facing_source == "assumed",
            fell=true.lying != start.lying,
        )  # fmt: skip


def _mostly_in(moved: Set[int], fragment: Fragment) -> bool:
    """Whether most of a fragment was seen while the camera had moved."""
    frames = range(fragment.first, fragment.last + 1)
    return sum(frame in moved for frame in frames) > len(frames) / 2


def _true_pose(truth: Truth, fragment: Fragment) -> TruePose | None:
    """The truth in the middle of the frames in which the figure was really left alone."""
    poses = [frame[fragment.fighter] for frame in truth.frames[fragment.first : fragment.last + 1]]
    still = [pose for pose in poses if pose.still]
    return still[len(still) // 2] if len(still) >= _LEAST_STILL_FRAMES else None


def _clicked_ring(clip: Clip, rng: np.random.Generator, hands: Hands) -> RingSpec:
    """The ring as it was clicked."""
    return replace(
        clip.spec,
        corners_px=clip.camera.project(clip.spec.corners()) + rng.normal(0, hands.click_px, (4, 2)),
        post_tops_px=clip.camera.project(clip.spec.post_tops()) + rng.normal(0, hands.click_px, (4, 2)),
    )


def _tapped(clip: Clip, spec: FighterSpec, rng: np.random.Generator, hands: Hands) -> FighterSpec:
    """A fighter whose feet were tapped on the first frame, and whose facing was told as well as it is said to
    be."""
    pose = clip.truth.frames[0][spec.id]
    foot = clip.camera.project(np.array([[pose.x, pose.y, 0.0]]))[0] + rng.normal(0, hands.foot_px, 2)
    facing = pose.facing_deg + rng.normal(0, spec.facing_sd_deg)
    return replace(
        spec,
        foot_px=(float(foot[0]), float(foot[1])),
        foot_sd_px=max(hands.foot_px, _SUREST_TAP_PX),
        facing_deg=wrapped(facing),
    )


def true_camera(truth: dict[str, dict[str, list[float]]]) -> Camera:
    """The camera of a truth.json."""
    camera = truth["camera"]
    width, height = truth["size"]
    return Camera(
        np.array(camera["K"]), np.array(camera["dist"]), np.array(camera["rvec"]), np.array(camera["tvec"]),
        (int(width), int(height)),
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
