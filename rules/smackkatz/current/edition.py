"""The current edition, value by value."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.smackkatz import counting, house_rules
from rules.smackkatz.current import wounds
from rules.smackkatz.edition import (
    Abilities,
    Checks,
    Defences,
    Edition,
    Finisher,
    Hold,
    Movement,
    Specials,
    Suplex,
    Whip,
    Wounds,
)
from rules.smackkatz.modes.table import MODES
from rules.smackkatz.sheet import CURRENT_FORM


@cite("STATUS-02", "LOG-12")
def one_and_resistance(ability: Abilities) -> int:
    """Recovery while unconscious: 1 + Resistance."""
    return 1 + ability("resistance")


CURRENT_EDITION = Edition(
    name="current",
    form=CURRENT_FORM,
    modes=tuple(mode.name for mode in MODES),
    catalogue=house_rules.catalogue(),
    combat_order=counting.successes_at_four,
    knockdown_falls_out=True,
    lying_may_be_suplexed=False,
    defences=Defences(
        against={
            "strike": "counter",
            "suplex": "counter",
            "irish_whip": "technique",
            "submission": "technique",
        },
        after_acting=True,
        forfeits_movement=True,
        swaps_when_lying=False,
        blow_against=("strike", "suplex"),
        whip_reversed_whole=False,
        hold_reversal_needs_critical=True,
    ),
    movement=Movement(steps_back=True, turns_freely=False),
    whip=Whip(
        collision_loss=3,
        collision_status="lying",
        dodge="speed",
        ringside_status="knocked_down",
        clash=counting.successes_at_four,
    ),
    suplex=Suplex(
        throws=("front", "back", "side"),
        bystander_dodges=True,
        upkeep_countered=True,
        freed_acts=True,
        holder_protected=True,
        drops_to_ringside=True,
    ),
    hold=Hold(standing=False, accumulates=True),
    finisher=Finisher(
        boosts=CURRENT_FORM.abilities,
        attacks=("strike", "submission"),
        used_up_by=("strike", "submission"),
        lingers=True,
        fells=True,
    ),
    checks=Checks(
        wake_resistance=True,
        pin_resistance=True,
        recovery=one_and_resistance,
        waking_ends_pin=True,
        resting_may_pin=False,
    ),
    wounds=Wounds(
        places=CURRENT_FORM.abilities, terms=wounds.terms, injured=wounds.injured, inflict=wounds.inflict
    ),
    specials=Specials(
        charge_needs_palm=True,
        charge_hits_group=True,
        taunt=counting.taunt_with_doubles,
        dive_hits_all=True,
        diver_lies=True,
    ),
)
