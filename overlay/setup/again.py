"""Calibrating again beside a match that goes on: the set-up page with the ring's step alone."""

from __future__ import annotations

from typing import Any, Protocol

from fastapi import FastAPI
from fastapi.responses import Response

from overlay import answers
from overlay.setup.app import add_refusal
from overlay.setup.desk import RingDesk
from overlay.setup.ring import add_ring


class AgainDesk(RingDesk, Protocol):
    """The ring's desk of a match: what it saves is measured with from then on."""

    def look(self) -> None:
        """Take the picture of now. Raises NotSo."""
        ...


def add_again(app: FastAPI, desk: AgainDesk) -> None:
    """Give the live pages' app the page and what it asks."""
    app.add_api_route("/again", answers.page("setup.html"), methods=["GET"])
    add_ring(app, lambda: desk)
    add_refusal(app)

    def state() -> dict[str, Any]:
        height, width = desk.image.shape[:2]
        return {
            "steps": ["ring"],
            "again": True,
            "size": [width, height],
            "sizes": {"width_cm": True, "depth_cm": True, "post_height_cm": True},
            "ring_known": True,
            "players": [],
            "fighters": [],
            "missing": [],
            "refusal": None,
        }

    @app.get("/api/setup")
    def setup() -> dict[str, Any]:
        """What the page shows."""
        return state()

    @app.get("/table/picture.jpg")
    def picture() -> Response:
        """The picture that is pointed at."""
        return Response(answers.jpeg(desk.image, answers.FINE_QUALITY), media_type="image/jpeg")

    @app.post("/api/setup/look")
    def look() -> dict[str, Any]:
        """The picture of now."""
        desk.look()
        return state()
