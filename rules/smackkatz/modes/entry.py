"""Who may enter a match: how many, in which teams, of which class (before anything is played)."""

from __future__ import annotations

from collections import Counter

from rules.engine.cite import cite
from rules.engine.rulings import Rulings
from rules.problem import Problem, phrase
from rules.roster import Roster
from rules.smackkatz.modes.table import mode, participants
from rules.smackkatz.sheet import CLASSES


class RosterError(Problem):
    """A roster the rules refuse."""


@cite("BUILD-01", "BUILD-08", "BUILD-09", "BUILD-10", "BUILD-11", "RULING-2", "RULING-6")
def check_roster(roster: Roster, rulings: Rulings, name: str) -> None:
    """Raise RosterError for a roster that may not play this mode; the class is the referee's choice."""
    ids = [entrant.id for entrant in roster.entrants]
    if len(set(ids)) != len(ids):
        raise RosterError(
            phrase("Two fighters have the same id: {ids}.", "roster.same_id", ids=", ".join(sorted(ids)))
        )
    for entrant in roster.entrants:
        if entrant.kind not in CLASSES:
            unknown = "{id} has the unknown class '{kind}'; choose {known} (BUILD-08)."
            said = {"id": entrant.id, "kind": entrant.kind, "known": ", ".join(CLASSES)}
            raise RosterError(phrase(unknown, "roster.unknown_class", **said))
    _check_number(len(ids), rulings, name)
    _check_teams(roster, rulings, name)


@cite("BUILD-01", "MODE-07", "MODE-09", "RULING-2")
def _check_number(count: int, rulings: Rulings, name: str) -> None:
    fewest, most = participants(name, str(rulings["participant_cap"]))
    if fewest <= count <= most:
        return
    wanted = phrase("{fewest} to {most}", "roster.from_to", fewest=fewest, most=most)
    if fewest == most:
        wanted = phrase("{fewest}", "roster.exactly", fewest=fewest)
    if count < fewest > 2:
        wanted = phrase(
            '{wanted} (participant_cap = "always_8" allows 2 to 8)', "roster.or_fewer", wanted=wanted
        )
    number = "{count} wrestlers cannot take part in a {mode} match: it is for {wanted} (BUILD-01, RULING-2)."
    raise RosterError(phrase(number, "roster.number", count=count, mode=name, wanted=wanted))


@cite("MODE-07", "MODE-13", "RULING-98")
def _check_teams(roster: Roster, rulings: Rulings, name: str) -> None:
    sides = Counter(entrant.team or entrant.id for entrant in roster.entrants)
    if len(sides) < 2:
        one_team = "All wrestlers are of one team: there is nobody to fight (RULING-98)."
        raise RosterError(phrase(one_team, "roster.one_team"))
    alone = {entrant.id for entrant in roster.entrants if entrant.team is None}
    twice = [one for one in sides if one in alone and sides[one] > 1]
    if twice:
        named = "The team '{team}' is named like a wrestler who is not in it (RULING-98)."
        raise RosterError(phrase(named, "roster.team_named", team=twice[0]))
    if mode(name).teams_of is not None and (len(sides) != 2 or len(set(sides.values())) != 1):
        listed = ", ".join(f"{side}: {count}" for side, count in sides.items())
        two_teams = (
            "A {mode} match is for two teams of the same size; give every fighter one of two teams "
            "(now {now}; MODE-07)."
        )
        raise RosterError(phrase(two_teams, "roster.two_teams", mode=name, now=listed))
    if rulings["tag_rules"] == "on" and max(sides.values()) < 2:
        alone_all = (
            "Tag rules are on and no two wrestlers share a team: give partners the same team (RULING-98)."
        )
        raise RosterError(phrase(alone_all, "roster.no_partners"))
