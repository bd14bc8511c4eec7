"""The earlier edition, value by value (catalogue 3.16)."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.smackkatz import counting
from rules.smackkatz.earlier import house_rules, wounds
from rules.smackkatz.earlier.sheet import EARLIER_FORM
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


@cite("STATUS-02", "SHEET-09", "LOG-06")
def spirit(ability: Abilities) -> int:
    """Recovery while unconscious: as many points as Spirit."""
    return ability("spirit")


EARLIER_EDITION = Edition(
    name="earlier",
    form=EARLIER_FORM,
    modes=("wrestling_match", "last_man_standing", "elimination", "iron_man", "survivor_series"),
    catalogue=house_rules.catalogue(),
    combat_order=counting.total,
    knockdown_falls_out=False,
    lying_may_be_suplexed=True,
    defences=Defences(
        against=dict.fromkeys(("strike", "suplex", "irish_whip", "submission"), "counter"),
        after_acting=False,
        forfeits_movement=False,
        swaps_when_lying=True,
        blow_against=("strike",),
        whip_reversed_whole=True,
        hold_reversal_needs_critical=False,
    ),
    movement=Movement(steps_back=False, turns_freely=True),
    whip=Whip(
        collision_loss=4,
        collision_status="knocked_down",
        dodge="counter",
        ringside_status="lying",
        clash=counting.total,
    ),
    suplex=Suplex(
        throws=("back",),
        bystander_dodges=False,
        # E173 speaks of a Suplex countered from on top of the rival, and Counter answers any attack (E161).
        upkeep_countered=True,
        freed_acts=False,
        holder_protected=False,
        drops_to_ringside=False,
    ),
    hold=Hold(standing=True, accumulates=False),
    finisher=Finisher(
        boosts=("combat", "speed", "strength", "strike", "submission", "irish_whip", "counter"),
        attacks=("strike", "irish_whip", "suplex", "submission"),
        used_up_by=("strike",),
        lingers=False,
        fells=False,
    ),
    checks=Checks(
        wake_resistance=False,
        pin_resistance=False,
        recovery=spirit,
        waking_ends_pin=False,
        resting_may_pin=True,
    ),
    wounds=Wounds(
        places=(wounds.EVERYTHING, *EARLIER_FORM.main),
        terms=wounds.terms,
        injured=wounds.injured,
        inflict=wounds.inflict,
    ),
    specials=Specials(
        charge_needs_palm=False,
        charge_hits_group=False,
        taunt=counting.taunt_higher,
        dive_hits_all=False,
        diver_lies=False,
    ),
)
