"""The scene file as types: every key with its bounds. `docs/renderer.md` says how one is written."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from palmo.event.lines import KeyPath, key_lines, line_of

Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Point = tuple[Number, Number]
Place = tuple[Number, Number, Number]


class SceneError(ValueError):
    """A scene file that cannot be used: every problem on a line of its own, with file, line and key."""


class Section(BaseModel):
    """A table of the scene file: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Change(Section):
    """From `at_s` on, within `over_s` seconds, a value runs `to` another."""

    at_s: Annotated[Number, Field(ge=0)]
    to: Number
    over_s: Annotated[Number, Field(ge=0)] = 0.0


class Rope(Section):
    """A rope around the ring."""

    height_cm: Annotated[Number, Field(gt=0, le=60)]
    colour: Colour


class Mat(Section):
    """The mat: one colour, or a pattern of two with cells of `cell_cm`."""

    kind: Literal["plain", "felt", "checked", "striped", "logo"] = "felt"
    colour: Colour = "#d8d2c0"
    second: Colour = "#b9b29e"
    cell_cm: Annotated[Number, Field(ge=0.5, le=40)] = 8.0


class Ring(Section):
    """The ring as it stands on the table; posts stand on the mat's corners, `post_offset_cm` further out."""

    width_cm: Annotated[Number, Field(ge=20, le=300)] = 70.0
    depth_cm: Annotated[Number, Field(ge=20, le=300)] = 70.0
    post_height_cm: Annotated[Number, Field(ge=3, le=60)] = 15.0
    post_width_cm: Annotated[Number, Field(ge=0.3, le=6)] = 2.6
    post_offset_cm: Annotated[Number, Field(ge=-5, le=20)] = 0.0
    post_colour: Colour = "#8a6a45"
    mat: Mat = Mat()
    rope: list[Rope] = []


class Table(Section):
    """The table under the ring."""

    width_cm: Annotated[Number, Field(ge=40, le=600)] = 170.0
    depth_cm: Annotated[Number, Field(ge=40, le=600)] = 125.0
    kind: Literal["wood", "plain", "cloth"] = "wood"
    colour: Colour = "#b08050"


class Thing(Section):
    """Something that lies about: a box, a cup or a ball of `size_cm` (x, y, z)."""

    kind: Literal["box", "cup", "ball"]
    at_cm: Point
    size_cm: Place
    colour: Colour
    turn_deg: Number = 0.0


class Knock(Section):
    """At `at_s` somebody bumps the camera: it shifts (ring cm) and turns (degrees about its own axes)."""

    at_s: Annotated[Number, Field(ge=0)]
    move_cm: Place = (0.0, 0.0, 0.0)
    turn_deg: Place = (0.0, 0.0, 0.0)


class CameraSection(Section):
    """Where the camera is (ring cm), what it looks at, and its lens."""

    size: tuple[Annotated[int, Field(ge=64, le=4096)], Annotated[int, Field(ge=64, le=4096)]] = (1280, 720)
    at_cm: Place
    look_at_cm: Place = (0.0, 0.0, 0.0)
    roll_deg: Number = 0.0
    focal_px: Annotated[Number, Field(gt=50)]
    middle_px: Point | None = None
    dist: tuple[Number, Number, Number, Number, Number] = (0.0, 0.0, 0.0, 0.0, 0.0)
    knock: list[Knock] = []


class Light(Section):
    """`strength` is the light on the middle of the ring, 1 being usual for all lights together.

    `area` is a square lamp or window of `size_cm` at `at_cm` that faces the ring, `sky` comes from
    everywhere. `kelvin` is its colour: 2700 a bulb, 5500 white, 7500 a grey sky.
    """

    kind: Literal["area", "sky"]
    strength: Annotated[Number, Field(ge=0, le=20)]
    kelvin: Annotated[Number, Field(ge=1500, le=15000)] = 5500.0
    at_cm: Place = (0.0, 0.0, 200.0)
    size_cm: Annotated[Number, Field(gt=0.5, le=500)] = 40.0
    change: list[Change] = []


class Picture(Section):
    """What the camera's electronics and the recording make of the light.

    `exposure_ev` and `white_kelvin` may change; `noise` is the sd of a mid grey in 8-bit steps,
    `blur_px` the sd of the lens and `shutter` the share of a frame during which light is gathered.
    """

    exposure_ev: Number = 0.0
    white_kelvin: Annotated[Number, Field(ge=1500, le=15000)] = 5500.0
    exposure_change: list[Change] = []
    white_change: list[Change] = []
    noise: Annotated[Number, Field(ge=0, le=40)] = 1.5
    blur_px: Annotated[Number, Field(ge=0, le=5)] = 0.45
    vignette: Share = 0.1
    shutter: Share = 0.3
    crf: Annotated[int, Field(ge=0, le=51)] = 24
    jpeg: Annotated[int, Field(ge=10, le=100)] = 85


class FighterSection(Section):
    """A plasticine figure; `seed` chooses which of its class, `second_colour` what is put on it."""

    id: Annotated[str, Field(pattern=r"^[\w.-]{1,32}$")]
    kind: Literal["humanoid", "beast", "absurd"] = Field(alias="class")
    seed: Annotated[int, Field(ge=0)]
    colour: Colour
    second_colour: Colour = "#e8e4da"
    height_cm: Annotated[Number, Field(ge=3, le=30)]
    at_cm: Point
    facing_deg: Number
    lying: bool = False


class Carry(Section):
    """A hand takes a fighter from `begin_s` to `end_s`; it comes and leaves within `reach_s` more.

    The arm comes from `arm_deg` (0 right, 90 far side, -90 near side). The figure turns to `facing_deg`
    the short way, or the long way round. With `falls` it is laid on its face.
    """

    fighter: str
    begin_s: Annotated[Number, Field(ge=0)]
    end_s: Annotated[Number, Field(gt=0)]
    to_cm: Point
    facing_deg: Number
    arm_deg: Number
    long_way: bool = False
    falls: bool = False
    lift_cm: Annotated[Number, Field(ge=0.5, le=40)] = 5.0
    tilt_deg: Annotated[Number, Field(ge=0, le=60)] = 6.0
    reach_s: Annotated[Number, Field(ge=0.1, le=5)] = 0.5
    skin: Colour = "#c68e74"
    sleeve: Colour | None = None


class Clicks(Section):
    """How far off a person is who sets the event file up: pixels and degrees, one standard deviation."""

    corner_px: Annotated[Number, Field(ge=0)] = 0.5
    foot_px: Annotated[Number, Field(ge=0)] = 1.5
    facing_deg: Annotated[Number, Field(ge=0)] = 2.0


class Scene(Section):
    """A whole scene. Without `seconds` it is a still."""

    seed: Annotated[int, Field(ge=0)]
    seconds: Annotated[Number, Field(gt=0, le=3600)] | None = None
    fps: Annotated[int, Field(ge=1, le=120)] = 10
    ring: Ring = Ring()
    table: Table = Table()
    camera: CameraSection
    light: Annotated[list[Light], Field(min_length=1)]
    picture: Picture = Picture()
    thing: list[Thing] = []
    fighter: Annotated[list[FighterSection], Field(min_length=1)]
    carry: list[Carry] = []
    clicks: Clicks = Clicks()

    @model_validator(mode="after")
    def _consistent(self) -> Scene:
        ids = [fighter.id for fighter in self.fighter]
        if len(set(ids)) < len(ids):
            raise ValueError("two fighters have the same id")
        if self.carry and self.seconds is None:
            raise ValueError("a still has no carries: give seconds, or leave the carries out")
        held_until: dict[str, float] = {}
        for carry in sorted(self.carry, key=lambda carry: carry.begin_s):
            if carry.fighter not in ids:
                raise ValueError(f'a carry names the fighter "{carry.fighter}", who is not in the scene')
            if carry.end_s - carry.begin_s < 0.3:
                raise ValueError(f"the carry of {carry.fighter} takes less than 0.3 s: move its end_s")
            if carry.begin_s - carry.reach_s < held_until.get(carry.fighter, 0.0):
                raise ValueError(
                    f"a hand would come for {carry.fighter} before {held_until.get(carry.fighter, 0.0):g} s, "
                    "when the clip begins or the hand before has left: move its begin_s"
                )
            held_until[carry.fighter] = carry.end_s + carry.reach_s
        return self


def load_scene(path: Path) -> Scene:
    """Read and check a scene file. Raises SceneError with every problem found."""
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(f"{path}: the scene file cannot be read ({error})") from None
    try:
        data = tomllib.loads(content)
    except RecursionError:
        raise SceneError(f"{path}: this is not valid TOML (it is nested too deeply)") from None
    except tomllib.TOMLDecodeError as error:
        raise SceneError(f"{path}: this is not valid TOML ({error})") from None
    try:
        return Scene.model_validate(data)
    except ValidationError as errors:
        lines = key_lines(content)
        problems = [_sentence(path, lines, e["loc"], e["msg"], e["type"]) for e in errors.errors()]
        raise SceneError("\n".join(problems)) from None


def _sentence(path: Path, lines: dict[KeyPath, int], key: tuple[int | str, ...], what: str, kind: str) -> str:
    dotted = ".".join(str(part) for part in key)
    line = line_of(lines, key)
    where = f"{path}, line {line}" if line is not None else f"{path}"
    said = {"missing": "this key is missing", "extra_forbidden": "there is no such key: look for a typo"}
    sentence = said.get(kind, what.removeprefix("Value error, "))
    return f"{where}: {dotted}: {sentence}" if dotted else f"{where}: {sentence}"
