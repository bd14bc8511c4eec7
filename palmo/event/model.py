"""The event file as types: every key with its bounds and one line of help.

`docs/event-file.md` is generated from these descriptions.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Pixel = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-20_000, le=20_000)]
PixelPoint = Annotated[list[Pixel], Field(min_length=2, max_length=2)]
FourPoints = Annotated[list[PixelPoint], Field(min_length=4, max_length=4)]
Id = Annotated[str, Field(pattern=r"^[\w.-]{1,32}$")]
Ability = Annotated[int, Field(strict=True, ge=0, le=4)]


class Section(BaseModel):
    """A table of the event file: unknown keys are refused, values never change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class CameraSection(Section):
    """Only when the lens has been calibrated; without it the camera is solved from the ring."""

    K: Annotated[
        list[Annotated[list[Number], Field(min_length=3, max_length=3)]], Field(min_length=3, max_length=3)
    ] = Field(description="the camera matrix, three rows of three numbers, in pixels")
    dist: Annotated[list[Number], Field(min_length=4, max_length=5)] = Field(
        default=[0.0, 0.0, 0.0, 0.0, 0.0],
        description="lens distortion k1, k2, p1, p2 and, if wanted, k3 (OpenCV's order); of a fisheye lens "
        "k1, k2, k3, k4",
    )
    model: Literal["plain", "fisheye"] = Field(
        default="plain",
        description="the lens model: `fisheye` for a very wide lens, as `palmo calibrate lens --fisheye` "
        "writes it",
    )
    size: Annotated[
        list[Annotated[int, Field(strict=True, ge=64, le=16_384)]], Field(min_length=2, max_length=2)
    ] = Field(description="width and height in pixels of the pictures the lens was calibrated with")
    covariance: (
        Annotated[
            list[Annotated[list[Number], Field(min_length=8, max_length=9)]],
            Field(min_length=8, max_length=9),
        ]
        | None
    ) = Field(
        default=None,
        description="how sure the lens is: the covariance of fx, fy, cx, cy and dist, as `palmo calibrate "
        "lens` writes it; without it the lens is taken as exact",
    )


class RingSection(Section):
    """The ring as it stands on the table and as it is seen on the first picture."""

    width_cm: Annotated[Number, Field(ge=20, le=300)] = Field(description="the mat from left to right")
    depth_cm: Annotated[Number, Field(ge=20, le=300)] = Field(description="the mat from near to far")
    post_height_cm: Annotated[Number, Field(ge=3, le=60)] = Field(
        description="the corner posts, from the mat to their tops"
    )
    ringside_cm: Annotated[Number, Field(ge=5, le=100)] | None = Field(
        default=None, description="the strip of table around the mat; 25 is assumed"
    )
    corners_px: FourPoints = Field(
        description="the four corners of the mat in the picture: far-left, far-right, near-right, near-left"
    )
    post_tops_px: FourPoints | None = Field(
        default=None,
        description="the tops of the four posts in the same order; they make heights trustworthy",
    )
    picture_px: (
        Annotated[
            list[Annotated[int, Field(strict=True, ge=64, le=16_384)]], Field(min_length=2, max_length=2)
        ]
        | None
    ) = Field(
        default=None,
        description="width and height of the pictures the points were taken from, as `palmo calibrate ring` "
        "writes them; pictures of another size are then refused",
    )
    post_offset_cm: Annotated[Number, Field(ge=-5, le=20)] = Field(
        default=0.0,
        description=(
            "how far outside the mat's corners the middles of the posts stand, in x and in y; "
            "where it is left out and the tops show it, calibration says so"
        ),
    )


class PlayerSection(Section):
    """A player's hand. Palms are measured with the hand of the player who owns the fighter."""

    id: Id = Field(description="a short name without spaces")
    palm_cm: Annotated[Number, Field(ge=10, le=30)] = Field(
        description="the open hand, tip of the thumb to tip of the little finger"
    )
    half_palm_cm: Annotated[Number, Field(ge=4, le=15)] = Field(
        description="the closed hand, measured; not half of the open one"
    )
    palm_sd_cm: Annotated[Number, Field(ge=0, le=2)] = Field(
        default=0.2, description="how far repeated measurements of the hand scatter"
    )


class TitleSection(Section):
    """A title won: it raises one ability."""

    title: Annotated[str, Field(min_length=1, max_length=60)] = Field(description="the title's name")
    ability: Annotated[str, Field(min_length=1)] = Field(description="the ability its player chose to raise")


class SheetSection(Section):
    """A wrestler's sheet: five main and five fighting abilities, ten points each, and the finisher.

    The earlier edition has `spirit` where the current one has `technique`. `palmo match show` says after a
    match what to write here for the next one.
    """

    combat: Ability = Field(description="Combate")
    speed: Ability = Field(description="Velocidad: how many palms it moves")
    strength: Ability = Field(description="Fuerza")
    technique: Ability | None = Field(default=None, description="Técnica: of the current edition")
    spirit: Ability | None = Field(default=None, description="Espíritu: of the earlier edition")
    resistance: Ability = Field(description="Resistencia")
    strike: Ability = Field(description="Golpear")
    irish_whip: Ability = Field(description="Látigo Irlandés")
    suplex: Ability = Field(description="Suplex")
    submission: Ability = Field(description="Sumisión")
    counter: Ability = Field(description="Contra")
    finisher: Annotated[str, Field(min_length=1, max_length=60)] | None = Field(
        default=None, description="the name of the finisher"
    )
    trigger: Literal["knocked_down", "on_ropes", "back_turned", "in_corner"] | None = Field(
        default=None, description="the rival's position that allows the finisher"
    )
    titles: list[TitleSection] = Field(default=[], description="titles won, each {title, ability}: +1 there")
    carry_malus: dict[str, Annotated[int, Field(strict=True, ge=-1, le=-1)]] = Field(
        default={}, description="injuries of the match before, each ability = -1; gone after one match"
    )
    edition: Literal["current", "earlier"] | None = Field(
        default=None, description="the edition the sheet was filled in for"
    )


class FighterSection(Section):
    """A fighter: whose it is, how the camera tells it apart, and how it stands on the first picture."""

    id: Id = Field(description="a short name without spaces, used in tracks and logs")
    name: Annotated[str, Field(min_length=1, max_length=60)] = Field(description="as the audience reads it")
    player: Id = Field(description="the id of its player")
    kind: Literal["humanoid", "beast", "absurd"] = Field(alias="class", description="as the referees decided")
    colour_box_px: Annotated[list[Pixel], Field(min_length=4, max_length=4)] | None = Field(
        default=None, description="u, v, width, height of a box on the first picture, inside the fighter"
    )
    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] | None = Field(
        default=None, description="instead of the box: its colour as #rrggbb"
    )
    foot_px: PixelPoint | None = Field(
        default=None, description="the middle of its feet on the first picture; halves the position error"
    )
    height_cm: Annotated[Number, Field(ge=2, le=40)] = Field(
        description="from the table to its highest point"
    )
    facing_deg: Annotated[Number, Field(ge=-360, le=360)] = Field(
        description="where it looks on the first picture: 0 right, 90 away, 180 left, -90 towards the camera"
    )
    team: Id | None = Field(default=None, description="its team, the same word for all partners")
    sheet: SheetSection | None = Field(default=None, description="the wrestler's sheet, as [fighter.sheet]")


class MatchSection(Section):
    """Which rules are played."""

    rulebook: Literal["smackkatz"] = Field(default="smackkatz", description="the rulebook")
    edition: Literal["current", "earlier"] = Field(
        default="current", description="the edition of the rulebook"
    )
    mode: Annotated[str, Field(min_length=1)] = Field(
        default="wrestling_match", description="the kind of match"
    )
    modifiers: list[Literal["no_dq", "tag"]] = Field(
        default=[], description="what is agreed on top: `no_dq` (no disqualification), `tag` (relevo)"
    )
    rulings: dict[str, bool | int | float | str | list[Number]] = Field(
        default={}, description="house rules: a ruling's name and the choice made"
    )
    clock: Literal["palmo", "referee"] = Field(
        default="palmo",
        description="who keeps the hour of an Iron Man match: `palmo` counts while the match is open and "
        "ends it with the turn in which time is up, the `referee` is asked at the end of every turn",
    )
    camera: dict[
        Literal["move", "placement", "posture", "zone", "dice"],
        Literal["accept", "propose", "log", "ignore"],
    ] = Field(
        default={},
        description="what becomes of what the camera sees by itself, for each kind of detection: `accept` "
        "answers with it, `propose` asks the referee, `log` writes it down, `ignore` forgets it",
    )


class Event(Section):
    """A whole event file."""

    camera: CameraSection | None = None
    ring: RingSection
    player: Annotated[list[PlayerSection], Field(min_length=1)]
    fighter: Annotated[list[FighterSection], Field(min_length=1)]
    match: MatchSection = MatchSection()

    def owner(self, fighter_id: str) -> PlayerSection:
        """The player who owns a fighter. Raises KeyError when there is no such fighter."""
        owner = {fighter.id: fighter.player for fighter in self.fighter}[fighter_id]
        return {player.id: player for player in self.player}[owner]
