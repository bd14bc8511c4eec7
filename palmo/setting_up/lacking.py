"""What a set-up still lacks, in the words of its steps instead of those of the file."""

from __future__ import annotations

from collections.abc import Mapping

from overlay.setup.desk import Step
from palmo.calibrating.ring_desk import on_a_page
from palmo.event import EventError
from palmo.event.problems import Problem
from rules.text import Text

# What is missing -> the step that asks for it, and what is to be done there.
_STEPS: dict[str, tuple[Step, str]] = {
    "ring": ("ring", "setup.lacks.ring"),
    "ring.width_cm": ("ring", "setup.lacks.sizes"),
    "ring.depth_cm": ("ring", "setup.lacks.sizes"),
    "ring.post_height_cm": ("ring", "setup.lacks.sizes"),
    "ring.corners_px": ("ring", "setup.lacks.corners"),
    "player": ("people", "setup.lacks.players"),
    "fighter": ("people", "setup.lacks.fighters"),
    "player.palm_cm": ("hands", "setup.lacks.hands"),
    "player.half_palm_cm": ("hands", "setup.lacks.hands"),
    "fighter.facing_deg": ("fighters", "setup.lacks.shown"),
    "fighter.colour": ("fighters", "setup.lacks.shown"),
}


def lacking(error: EventError, names: Mapping[str, str]) -> list[Text]:
    """A sentence for each thing to do, in the order of the steps; what is not missing but wrong comes first,
    said as of any file. `names` are the fighters' by their ids."""
    keys = [_missing(problem) for problem in error.problems]
    both = list(zip(keys, error.problems, strict=True))
    wrong = [on_a_page(one) for key, one in zip(keys, error.texts, strict=True) if key not in _STEPS]
    to_do = [_to_do(key, problem, names) for wanted in _STEPS for key, problem in both if key == wanted]
    return wrong + [one for number, one in enumerate(to_do) if one not in to_do[:number]]


def _missing(problem: Problem) -> str | None:
    """The key of what is missing, without numbers; None when nothing is."""
    key = ".".join(part for part in problem.key.split(".") if not part.isdigit())
    if problem.text.values.get("what") == Text("error.check.no_colour"):
        return f"{key}.colour"
    return key if problem.text.key == "error.event.missing" else None


def _to_do(key: str, problem: Problem, names: Mapping[str, str]) -> Text:
    """What is to be done in which step."""
    step, what = _STEPS[key]
    owner = problem.text.values["owner"]
    id_ = str(owner.values.get("id", "")) if isinstance(owner, Text) else ""
    said = Text(what, {"who": names.get(id_, id_)})
    return Text("setup.lacks", {"step": Text(f"page.setup.step.{step}"), "what": said})
