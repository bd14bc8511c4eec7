"""The ring's set-up page: corners and post tops proposed, dragged under a magnifier, checked, written down.

The same door, catalogue and look as the live pages; whoever runs it gives a `RingDesk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from overlay import answers
from overlay.guard import Guard
from overlay.i18n import language, translate
from rules.text import Text

Points = Sequence[tuple[float, float]]
Lang = Annotated[str | None, Query(max_length=40)]
_QUALITY = 95

_Coordinate = Annotated[float, Field(ge=-10_000, le=100_000, allow_inf_nan=False)]
_Point = tuple[_Coordinate, _Coordinate]
_Four = Annotated[list[_Point], Field(min_length=4, max_length=4)]


@dataclass(frozen=True)
class RingCheck:
    """What is said of some clicks: sentences, the verdict ("good", "usable", "redo"), and chains of pixels
    that must lie on the mat's edge, its grid and the posts."""

    lines: Sequence[Text]
    verdict: str
    chains: Sequence[Points]


@dataclass(frozen=True)
class StickCheck:
    """A stick of known length measured on the mat: its sentence and verdict."""

    line: Text
    verdict: str


class NotSo(ValueError):
    """What was asked cannot be done; `text` says why."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.key)


class RingDesk(Protocol):
    """Who knows the picture, the sizes and the event file. Every act raises NotSo with the reason."""

    @property
    def image(self) -> NDArray[np.uint8]:
        """The picture (H, W, 3) BGR, averaged over some frames."""
        ...

    def clicks(self) -> tuple[Points, Points]:
        """Corners and tops as the event file has them; either may be empty."""
        ...

    def propose(self) -> tuple[Points, Points]:
        """Corners and tops as the picture shows them."""
        ...

    def check(self, corners: Points, tops: Points) -> RingCheck:
        """How good a camera from these clicks is."""
        ...

    def stick(self, corners: Points, tops: Points, ends: Points, length_cm: float) -> StickCheck:
        """How long a stick on the mat is by these clicks."""
        ...

    def save(self, corners: Points, tops: Points) -> Text:
        """Write the clicks into the event file, leaving everything else in it; what was done."""
        ...


class _Clicks(BaseModel):
    model_config = ConfigDict(extra="forbid")
    corners: _Four
    tops: _Four


class _Stick(_Clicks):
    ends: Annotated[list[_Point], Field(min_length=2, max_length=2)]
    length_cm: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]


def create_ring_app(
    desk: RingDesk, *, hosts: Iterable[str] = (), key: str | None = None, lang: str = "es"
) -> FastAPI:
    """The application for a desk; `hosts`, `key` and `lang` as for the live pages."""
    app = FastAPI(title="Palmo", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=tuple(hosts), key=key, lang=lang)
    app.mount("/web", StaticFiles(directory=answers.WEB), name="web")
    app.add_api_route("/", answers.page("ring.html"), methods=["GET"])
    _add_reading(app, desk, lang)
    _add_acting(app, desk)
    answers.add_refusals(app)

    @app.exception_handler(NotSo)
    async def not_so(request: Request, error: NotSo) -> Response:
        return answers.sentence(error.text, language(request.query_params.get("lang")), 409)

    return app


def _add_reading(app: FastAPI, desk: RingDesk, default: str) -> None:
    @app.get("/api/boot")
    def boot(request: Request, lang: Lang = None) -> dict[str, Any]:
        """What the page needs before it can draw."""
        return answers.first_words(request, lang, default)

    @app.get("/picture.jpg")
    def picture() -> Response:
        """The picture that is clicked on."""
        return Response(answers.jpeg(desk.image, _QUALITY), media_type="image/jpeg")

    @app.get("/api/clicks")
    def clicks() -> dict[str, Any]:
        """What the event file has."""
        height, width = desk.image.shape[:2]
        corners, tops = desk.clicks()
        return {"size": [width, height], "corners": corners, "tops": tops}


def _add_acting(app: FastAPI, desk: RingDesk) -> None:
    @app.post("/api/propose")
    def propose() -> dict[str, Any]:
        """Corners and tops from the picture."""
        corners, tops = desk.propose()
        return {"corners": corners, "tops": tops}

    @app.post("/api/check")
    def check(given: _Clicks, lang: Lang = None) -> dict[str, Any]:
        """The verdict on some clicks."""
        found, spoken = desk.check(given.corners, given.tops), language(lang)
        lines = [translate(line, spoken) for line in found.lines]
        return {"lines": lines, "verdict": found.verdict, "chains": found.chains}

    @app.post("/api/stick")
    def stick(given: _Stick, lang: Lang = None) -> dict[str, Any]:
        """The verdict on a stick."""
        found = desk.stick(given.corners, given.tops, given.ends, given.length_cm)
        return {"line": translate(found.line, language(lang)), "verdict": found.verdict}

    @app.post("/api/save")
    def save(given: _Clicks, lang: Lang = None) -> Response:
        """Into the event file."""
        return JSONResponse({"line": translate(desk.save(given.corners, given.tops), language(lang))})
