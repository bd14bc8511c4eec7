"""The ring's part of the set-up pages: corners and post tops proposed, checked, written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from overlay import answers
from overlay.i18n import language, translate
from overlay.setup.desk import RingDesk

Coordinate = Annotated[float, Field(ge=-10_000, le=100_000, allow_inf_nan=False)]
PixelPoint = tuple[Coordinate, Coordinate]
Two = Annotated[list[PixelPoint], Field(min_length=2, max_length=2)]
Four = Annotated[list[PixelPoint], Field(min_length=4, max_length=4)]
Length = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Lang = Annotated[str | None, Query(max_length=40)]


class Given(BaseModel):
    """The body of an act: nothing but what it names."""

    model_config = ConfigDict(extra="forbid")


class Clicks(Given):
    """Corners and tops in pixels."""

    corners: Four
    tops: Four


class _Stick(Clicks):
    ends: Two
    length_cm: Length


def add_ring(app: FastAPI, desk: Callable[[], RingDesk]) -> None:
    """Give an app the ring's endpoints; `desk` gives the desk and raises NotSo while there is none."""

    @app.get("/ring/picture.jpg")
    def picture() -> Response:
        """The picture that is clicked on."""
        return Response(answers.jpeg(desk().image, answers.FINE_QUALITY), media_type="image/jpeg")

    @app.get("/api/ring/clicks")
    def clicks() -> dict[str, Any]:
        """What is known already."""
        corners, tops = desk().clicks()
        return {"corners": corners, "tops": tops}

    @app.post("/api/ring/propose")
    def propose() -> dict[str, Any]:
        """Corners and tops from the picture."""
        corners, tops = desk().propose()
        return {"corners": corners, "tops": tops}

    @app.post("/api/ring/check")
    def check(given: Clicks, lang: Lang = None) -> dict[str, Any]:
        """The verdict on some clicks."""
        found, spoken = desk().check(given.corners, given.tops), language(lang)
        lines = [translate(line, spoken) for line in found.lines]
        return {"lines": lines, "verdict": found.verdict, "chains": found.chains}

    @app.post("/api/ring/stick")
    def stick(given: _Stick, lang: Lang = None) -> dict[str, Any]:
        """The verdict on a stick."""
        found = desk().stick(given.corners, given.tops, given.ends, given.length_cm)
        return {"line": translate(found.line, language(lang)), "verdict": found.verdict}

    @app.post("/api/ring/save")
    def save(given: Clicks, lang: Lang = None) -> Response:
        """Take them over."""
        return JSONResponse({"line": translate(desk().save(given.corners, given.tops), language(lang))})
