"""Who plays, with whom: the players and fighters of an event file in the making."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration.result import RingCalibration
from overlay.setup.desk import NotSo, Person, Point, SheetForm, Wrestler
from palmo.calibrating.event_text import Draft
from palmo.calibrating.ring_desk import refusing
from palmo.event.edit import with_new_table, without_table
from palmo.setting_up import wrestler_sheets
from palmo.setting_up.checked import change, write
from rules.text import Text

# How far before a figure's feet the point lies that says where it looks, in cm.
_NOSE_CM = 8.0
_KINDS = ("humanoid", "beast", "absurd")


class EventPeople:
    """Implements `overlay.setup.desk.PeopleDesk`; `ring` gives the ring's calibration when there is one."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.ring: RingCalibration | None = None

    def players(self) -> Sequence[Person]:
        """The players."""
        return [
            Person(
                str(one.get("id", "")),
                _number(one.get("palm_cm")),
                _number(one.get("half_palm_cm")),
                _number(one.get("palm_sd_cm")),
            )
            for one in tables(self._draft, "player")
        ]

    def fighters(self) -> Sequence[Wrestler]:
        """The fighters."""
        return [self._fighter(one) for one in tables(self._draft, "fighter")]

    def put_player(self, player: Person) -> None:
        """Add a player, or change its hand."""
        id_ = player.id.strip()
        if not id_:
            raise NotSo(Text("setup.no_name"))
        values = {
            key: f"{value:.2f}"
            for key, value in (("palm_cm", player.palm_cm), ("half_palm_cm", player.half_palm_cm))
            if value is not None
        }
        with self._draft.lock:
            known = [one.id for one in self.players()]
            if id_ in known:
                change(self._draft, ("player", known.index(id_)), values)
            else:
                self._add("player", len(known), {"id": _quoted(id_)} | values)

    def drop_player(self, player: str) -> None:
        """Take a player out who has no fighters."""
        with self._draft.lock:
            if any(one.player == player for one in self.fighters()):
                raise NotSo(Text("setup.has_fighters", {"player": player}))
            self._drop("player", player)

    def put_fighter(self, fighter: Wrestler) -> None:
        """Add a fighter, or change what is said of one."""
        if not fighter.name.strip():
            raise NotSo(Text("setup.no_name"))
        team = (fighter.team or "").strip()
        values = {
            "name": _quoted(fighter.name.strip()),
            "player": _quoted(fighter.player),
            "class": _quoted(fighter.kind),
            "height_cm": f"{fighter.height_cm or 0.0:.1f}",
        } | ({"team": _quoted(team)} if team else {})
        with self._draft.lock:
            known = [one.id for one in self.fighters()]
            if fighter.player not in [one.id for one in self.players()]:
                raise NotSo(Text("setup.unknown", {"called": fighter.player}))
            if fighter.sheet is not None:
                # Before anything is written: half a change would be in the way of the next try.
                wrestler_sheets.check(self._draft, fighter.id, fighter.sheet)
            if fighter.id and fighter.id not in known:
                raise NotSo(Text("setup.unknown", {"called": fighter.id}))
            number = known.index(fighter.id) if fighter.id else len(known)
            if fighter.id:
                change(self._draft, ("fighter", number), values, () if team else ("team",))
            else:
                free = next(f"F{number}" for number in range(1, 1000) if f"F{number}" not in known)
                self._add("fighter", number, {"id": _quoted(free)} | values)
            if fighter.sheet is not None:
                wrestler_sheets.put(self._draft, number, fighter.sheet)

    def sheet_form(self) -> SheetForm:
        """The sheet of the edition that is played."""
        return wrestler_sheets.offered(self._draft.data.get("match", {}))

    def drop_fighter(self, fighter: str) -> None:
        """Take a fighter out."""
        self._drop("fighter", fighter)

    def _fighter(self, one: dict[str, Any]) -> Wrestler:
        box, foot = _numbers(one.get("colour_box_px"), 4), _numbers(one.get("foot_px"), 2)
        kind, colour = one.get("class"), one.get("colour")
        at = None if foot is None else (foot[0], foot[1])
        return Wrestler(
            id=str(one.get("id", "")),
            name=str(one.get("name", "")),
            player=str(one.get("player", "")),
            kind=kind if kind in _KINDS else "humanoid",
            height_cm=_number(one.get("height_cm")),
            box=None if box is None else (box[0], box[1], box[2], box[3]),
            colour=colour if isinstance(colour, str) else None,
            foot=at,
            nose=self._nose(at, _number(one.get("facing_deg"))),
            team=str(one["team"]) if "team" in one else None,
            sheet=wrestler_sheets.read(one.get("sheet")),
        )

    def _nose(self, foot: Point | None, facing_deg: float | None) -> Point | None:
        """A point in front of the feet, as far as ring and facing are known."""
        if foot is None or facing_deg is None or self.ring is None:
            return None
        camera, turn = self.ring.camera, np.radians(facing_deg)
        (place,) = camera.to_plane(np.array([foot]))
        (nose,) = camera.project(
            np.array([[*(place + _NOSE_CM * np.array([np.cos(turn), np.sin(turn)])), 0.0]])
        )
        return (float(nose[0]), float(nose[1])) if np.isfinite(nose).all() else None

    def _add(self, kind: str, number: int, values: dict[str, str]) -> None:
        with refusing():
            text = with_new_table(self._draft.read(), kind, values)
            write(self._draft, text, [(kind, number, key) for key in values])

    def _drop(self, kind: str, called: str) -> None:
        with self._draft.lock, refusing():
            known = [str(one.get("id", "")) for one in tables(self._draft, kind)]
            if called not in known:
                raise NotSo(Text("setup.unknown", {"called": called}))
            self._draft.write(without_table(self._draft.read(), (kind, known.index(called))))


def tables(draft: Draft, kind: str) -> list[dict[str, Any]]:
    """The [[kind]] tables of a draft."""
    found = draft.data.get(kind)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _quoted(words: str) -> str:
    # What JSON leaves as it is and TOML does not take is escaped in the same way.
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _numbers(value: Any, count: int) -> tuple[float, ...] | None:
    if not isinstance(value, list) or len(value) != count:
        return None
    found = [_number(one) for one in value]
    return None if None in found else tuple(one for one in found if one is not None)
