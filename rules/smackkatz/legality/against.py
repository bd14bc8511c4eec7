"""Options against a rival: attacks, the hit on the downed, the pin, the finisher."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.cite import cite
from rules.engine.request import Option, Reason
from rules.questions import Finding
from rules.smackkatz import sight
from rules.smackkatz.abilities import effective
from rules.smackkatz.attacks.aiming import aim_reasons
from rules.smackkatz.legality.actor import Actor
from rules.smackkatz.legality.alone import option_text
from rules.smackkatz.legality.matrix import MEANINGLESS
from rules.smackkatz.legality.reasons import scene_reason, standing_reason
from rules.smackkatz.legality.target import TARGET, finishing_column, rows, target_reasons
from rules.smackkatz.modes.endings import pin_reasons
from rules.smackkatz.modes.fouls import foul_in
from rules.smackkatz.state import Wrestler
from rules.text import Text
from rules.value_type import value_type

RULES = {
    "strike": "STRIKE-01",
    "charge": "SPECIAL-10",
    "irish_whip": "WHIP-03",
    "suplex": "SUPLEX-02",
    "submission": "SUBM-01",
    "hit_downed": "STATUS-33",
    "pin": "TURN-07",
    "finisher": "FIN-01",
}
IDS = {"irish_whip": "whip"}
"""Option ids that are shorter than the ability's name."""
ROLLED = ("strike", "irish_whip", "suplex", "submission")
"""Attacks that need at least one die of their ability (RULING-62)."""


@cite("ATK-02", "RULING-30", "RULING-31", "TURN-04")
def _reach(actor: Actor, rival: Wrestler) -> tuple[tuple[Reason, ...], tuple[Finding, ...]]:
    """Whether he can get at this rival from where he stands, and the measurements it hangs on."""
    table, reasons, doubts = actor.table, [], []
    near = sight.adjacent(table, actor.id, rival.id)
    if near.too_close:
        doubts.append(near)
    elif not near.answer and (near.told or near.distance is not None):
        reasons.append(scene_reason("not_adjacent", "ATK-02", near, target=rival.id))
    if table.rulings["attack_needs_front"]:
        front = sight.in_front(table, actor.id, rival.id)
        if front.too_close:
            doubts.append(front)
        elif not front.answer:
            reasons.append(standing_reason("not_in_front", "RULING-31", rival.id))
    return tuple(reasons), tuple(doubts)


class Against:
    """One actor against one rival: what all his options against this rival share, looked up once."""

    def __init__(self, actor: Actor, rival: Wrestler) -> None:
        self.actor, self.rival = actor, rival
        self._rows = rows(actor.table, actor.wrestler, rival)
        self._far, self._doubts = _reach(actor, rival)
        self._cells = TARGET.under(actor.table)
        self._foul = foul_in(actor.table, actor.id, rival.id)
        self._hit = _has_been_hit(actor, rival)
        one, constants = actor.wrestler, actor.table.constants
        # All that speaks against an attack on him, but for the actor himself and the distance.
        status = Against, rival.id, *self._rows, self._foul, self._hit, one.warned, one.legal, rival.legal
        self._known: dict[tuple[str, str], _Kind] = constants.setdefault(status, {})

    def makes_sense(self, action: str) -> bool:
        """Whether there is such a thing at all against a rival of this posture."""
        return self._cells[self._rows[0]][action] != MEANINGLESS

    def option(self, name: str, own: tuple[Reason, ...], column: str | None = None) -> Option:
        """An option; `own` are the reasons about himself, `column` the one of matrix 5.3."""
        asked = name, column or name
        kind = self._known.get(asked)
        if kind is None:
            kind = self._known[asked] = self._kind(*asked)
        found = own + self._far + kind.reasons
        if name == "irish_whip" and not found and not self._doubts:
            found = aim_reasons(self.actor.table, self.actor.id, self.rival.id)
        return Option(kind.id, kind.text, found, self.rival.id, kind.rules, self._doubts)

    def _kind(self, name: str, column: str) -> _Kind:
        """What is the same for this attack whenever the two are in this status."""
        actor, rival = self.actor, self.rival
        found = target_reasons(self._cells, column, rival, self._rows)
        if name == "hit_downed" and self._hit:
            found.append(standing_reason("downed_limit", "STATUS-33", rival.id))
        if name == "pin":
            found += pin_reasons(actor.table, actor.id, rival.id)
        elif self._foul is not None:
            found = _warned(actor.wrestler, self._foul, name, found)
        shown = IDS.get(name, name)
        rule = "FOUL-06" if name == "hit_downed" and rival.unconscious else RULES[name]
        return _Kind(f"{shown}:{rival.id}", option_text(shown, rival.id), (rule,), tuple(found))


@value_type
class _Kind:
    """An option as far as it hangs on the two wrestlers' status."""

    id: str
    text: Text
    rules: tuple[str, ...]
    reasons: tuple[Reason, ...]


def _own(actor: Actor) -> dict[str, tuple[Reason, ...]]:
    """Attack -> what about himself keeps him from it, whoever the rival is."""
    without_dice = tuple(name for name in ROLLED if effective(actor.table, actor.id, name) < 1)
    wrestler, kind = actor.wrestler, actor.table.roster[actor.id].kind
    asked = _own, without_dice, kind, wrestler.palms_walked < 1, wrestler.pin_tried
    return actor.known(asked, lambda: {name: _about_himself(actor, name, without_dice) for name in RULES})


@cite("SPECIAL-12", "BUILD-14", "TURN-07", "RULING-62", "RULING-95")
def _about_himself(actor: Actor, name: str, without_dice: tuple[str, ...]) -> tuple[Reason, ...]:
    """What keeps him from an attack whoever the rival is."""
    table, wrestler = actor.table, actor.wrestler
    found = actor.reasons(name)
    if name in without_dice:
        found.append(standing_reason("no_dice", "RULING-62"))
    if name == "charge":
        if table.roster[actor.id].kind != "beast":
            found.append(standing_reason("not_beast", "BUILD-14"))
        if wrestler.palms_walked < 1 and table.state.edition.specials.charge_needs_palm:
            found.append(standing_reason("no_run_up", "SPECIAL-12"))
    if name == "pin" and wrestler.pin_tried and all(one.rule != "TURN-07" for one in found):
        found.append(standing_reason("pin_tried", "TURN-07"))
    return tuple(found)


@cite("STATUS-33", "RULING-84", "RULING-85")
def _has_been_hit(actor: Actor, rival: Wrestler) -> bool:
    """The downed are hit once a turn (by house rule once by each)."""
    limited = rival.downed_by if actor.table.rulings["downed_attack_limit"] == "per_target" else ()
    return bool(limited) or actor.id in rival.downed_by


@cite("FOUL-01", "FOUL-02", "FOUL-05", "RULING-83")
def _warned(wrestler: Wrestler, foul: str, name: str, found: list[Reason]) -> list[Reason]:
    """A foul is warned of when it is chosen (D-22), once a turn; who has withdrawn from it is refused it.

    On an unconscious rival it is the automatic hit of FOUL-06 that can be made.
    """
    if foul == "no_tag" and wrestler.warned:
        return [*found, standing_reason("no_tag", "FOUL-02")]
    if foul == "unconscious" and name == "hit_downed" and not wrestler.warned:
        return [one for one in found if one.rule != "FOUL-05"]
    return found


def against(actor: Actor, every: bool) -> Iterator[Option]:
    """All his options against all rivals; those of other classes too when `every` one is wanted."""
    table = actor.table
    own = _own(actor)
    beast = every or table.roster[actor.id].kind == "beast"
    for rival in table.state.playing:
        if rival.id == actor.id:
            continue
        here = Against(actor, rival)
        yield here.option("strike", own["strike"])
        if beast:
            yield here.option("charge", own["charge"], "strike")
        for name in ("irish_whip", "suplex", "submission"):
            yield here.option(name, own[name])
        if here.makes_sense("hit_downed"):
            yield here.option("hit_downed", own["hit_downed"])
        yield here.option("pin", own["pin"])
    yield from _finishers(actor, own["finisher"])


@cite("FIN-01", "FIN-04", "RULING-71")
def _finishers(actor: Actor, own: tuple[Reason, ...]) -> Iterator[Option]:
    """The finishing attack itself, once the finisher is active: on that rival, a Strike or a Submission."""
    table, target = actor.table, actor.wrestler.finisher_on
    if target is None or not table.state.wrestlers[target].playing:
        return
    here = Against(actor, table.state.wrestlers[target])
    for attack in table.state.edition.finisher.attacks:
        found = here.option("finisher", own, finishing_column(attack))
        yield Option(
            f"finisher:{attack}", option_text(f"finisher_{attack}", target), found.reasons, target,
            ("FIN-01", "FIN-04"), found.doubts,
        )  # fmt: skip
