"""Calibrating again beside a match that goes on: the set-up page with ring and feet alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import Field

from overlay import answers
from overlay.i18n import language, translate
from overlay.setup.app import add_refusal
from overlay.setup.desk import Point, Points, RingDesk
from overlay.setup.ring import Clicks, Lang, PixelPoint, add_ring
from rules.text import Text


class AgainDesk(RingDesk, Protocol):
    """The ring's desk of a match: what it saves is measured with from then on."""

    def fighters(self) -> Sequence[tuple[str, str]]:
        """Ids and names of those whose feet may be tapped."""
        ...

    def save(self, corners: Points, tops: Points, feet: Mapping[str, Point] = ...) -> Text:
        """Take clicks over, and the middles of feet by fighter."""
        ...

    def look(self) -> None:
        """Take the picture of now. Raises NotSo."""
        ...


class _Saved(Clicks):
    feet: Annotated[dict[Annotated[str, Field(max_length=32)], PixelPoint], Field(max_length=40)]


def add_again(app: FastAPI, desk: AgainDesk) -> None:
    """Give the live pages' app the page and what it asks."""
    app.add_api_route("/again", answers.page("setup.html"), methods=["GET"])
    add_ring(app, lambda: desk)
    add_refusal(app)

    def state() -> dict[str, Any]:
        height, width = desk.image.shape[:2]
        return {
            "steps": ["ring", "feet"],
            "again": True,
            "size": [width, height],
            "sizes": {"width_cm": True, "depth_cm": True, "post_height_cm": True},
            "ring_known": True,
            "players": [],
            "fighters": [{"id": id_, "name": name} for id_, name in desk.fighters()],
            "missing": [],
            "refusal": None,
        }

    @app.get("/api/setup")
    def setup() -> dict[str, Any]:
        """What the page shows."""
        return state()

    @app.post("/api/again/save")
    def save(given: _Saved, lang: Lang = None) -> dict[str, Any]:
        """Measure with it from now on."""
        said = desk.save(given.corners, given.tops, given.feet)
        return {"line": translate(said, language(lang))}

    @app.get("/table/picture.jpg")
    def picture() -> Response:
        """The picture that is pointed at."""
        return Response(answers.jpeg(desk.image, answers.FINE_QUALITY), media_type="image/jpeg")

    @app.post("/api/setup/look")
    def look() -> dict[str, Any]:
        """The picture of now."""
        desk.look()
        return state()
