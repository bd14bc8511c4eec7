"""The review's server: the same door, the same catalogue and the same drawing as the live pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from overlay import answers
from overlay.compose import Composer
from overlay.guard import Guard
from overlay.i18n import language, translate
from overlay.message import message
from overlay.review.desk import Asked, Decision, Desk, Kind, Refused, Verdict

Lang = Annotated[str | None, Query(max_length=40)]
Name = Annotated[str, Field(max_length=60), AfterValidator(answers.whole_characters)]
Frame = Annotated[int, Field(ge=0, le=10_000_000)]
Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
# Sharper than the live picture: this one is looked at with a magnifier.
_QUALITY = 92
_MEDIA = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Question(_Body):
    """A move to be measured."""

    fighter: Name
    before: Frame
    after: Frame
    player: Name | None = None
    allow: Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)] | None = None
    other: Name | None = None

    def asked(self) -> Asked:
        return Asked(**self.model_dump())


class _Point(_Body):
    """A foot point put by hand."""

    fighter: Name
    frame: Frame
    u: Coordinate
    v: Coordinate
    by: Name = ""


class _Withdrawn(_Body):
    point: Frame
    by: Name = ""


class _Ruling(_Body):
    """A ruling on a measured move."""

    question: _Question
    decision: Decision
    words: Annotated[str, Field(max_length=2000), AfterValidator(answers.whole_characters)] = ""
    by: Name = ""


Desks = Callable[[int | None], Desk]
"""Gives the desk of a session, of the one that was opened first without a number. Raises Refused."""


def _chosen(request: Request, session: Annotated[int | None, Query(ge=1, le=1_000_000)] = None) -> Desk:
    """The desk that a page asks of."""
    desks: Desks = request.app.state.desks
    return desks(session)


Chosen = Annotated[Desk, Depends(_chosen)]


def create_review_app(
    desks: Desks, *, hosts: Iterable[str] = (), key: str | None = None, lang: str = "es"
) -> FastAPI:
    """The application for a match folder under review; `hosts`, `key` and `lang` as for the live pages."""
    app = FastAPI(title="Palmo", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=tuple(hosts), key=key, lang=lang)
    app.mount("/web", StaticFiles(directory=answers.WEB), name="web")
    app.add_api_route("/", answers.page("review.html"), methods=["GET"])
    app.state.desks = desks
    _add_reading(app, lang)
    _add_drawing(app)
    _add_acting(app)
    answers.add_refusals(app)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        spoken = language(request.query_params.get("lang"))
        return JSONResponse({"error": translate(error.text, spoken, desks(None).names)}, 409)

    return app


def _add_reading(app: FastAPI, default: str) -> None:
    @app.get("/api/boot")
    def boot(request: Request, lang: Lang = None) -> dict[str, Any]:
        """What the page needs before it can draw."""
        return answers.first_words(request, lang, default)

    @app.get("/api/review")
    def review(desk: Chosen, lang: Lang = None) -> dict[str, Any]:
        """Everything about the session that does not change."""
        spoken, opened = language(lang), desk.opened
        data = asdict(opened)
        data["moments"] = [
            {**asdict(one), "text": translate(one.text, spoken, desk.names)} for one in opened.moments
        ]
        data["remarks"] = [translate(one, spoken, desk.names) for one in opened.remarks]
        return data

    @app.get("/api/state")
    def state(desk: Chosen) -> dict[str, Any]:
        """What people did so far: points put by hand, and rulings."""
        points, rulings = desk.points(), desk.rulings()
        return {"points": [asdict(one) for one in points], "rulings": [asdict(one) for one in rulings]}

    @app.get("/report/{number}.{kind}")
    def report(desk: Chosen, number: Frame, kind: Kind, lang: Lang = None) -> Response:
        """The report of a ruling, to be kept."""
        name = f"palmo-{number}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(desk.report(number, kind, language(lang)), media_type=_MEDIA[kind], headers=headers)


def _add_drawing(app: FastAPI) -> None:
    @app.get("/picture/{frame}.jpg")
    def picture(desk: Chosen, frame: Frame) -> Response:
        """A frame's picture without overlay."""
        return Response(answers.jpeg(desk.picture(frame), _QUALITY), media_type="image/jpeg")

    @app.get("/api/overlay/{frame}")
    def overlay(desk: Chosen, frame: Frame, lang: Lang = None) -> dict[str, Any]:
        """What is drawn over a frame."""
        return _drawn(desk, frame, None, language(lang))

    @app.post("/api/overlay/{frame}")
    def measured(desk: Chosen, frame: Frame, question: _Question, lang: Lang = None) -> dict[str, Any]:
        """What is drawn over a frame with a measured move."""
        return _drawn(desk, frame, question.asked(), language(lang))

    def _drawn(desk: Desk, frame: int, asked: Asked | None, lang: str) -> dict[str, Any]:
        # A composer of its own: frames are jumped between, and labels need not remember where they stood.
        composer = Composer(desk.camera, lang, desk.names, desk.colours)
        drawn = composer.compose(desk.drawn(frame, asked))
        return message(drawn, desk.camera, lang, number=frame, frame=frame, t=desk.opened.times[frame])


def _add_acting(app: FastAPI) -> None:
    @app.post("/api/measure")
    def measure(desk: Chosen, question: _Question, lang: Lang = None) -> dict[str, Any]:
        """The verdict on a move."""
        return _verdict(desk, desk.measure(question.asked()), language(lang))

    @app.post("/api/point")
    def point(desk: Chosen, point: _Point) -> dict[str, Any]:
        """Put a foot point by hand."""
        desk.put_point(point.fighter, point.frame, (point.u, point.v), point.by)
        return {}

    @app.post("/api/withdraw")
    def withdraw(desk: Chosen, withdrawn: _Withdrawn) -> dict[str, Any]:
        """Let a point no longer hold."""
        desk.withdraw_point(withdrawn.point, withdrawn.by)
        return {}

    @app.post("/api/rule")
    def rule(desk: Chosen, ruling: _Ruling) -> dict[str, Any]:
        """Save a ruling."""
        number = desk.rule(ruling.question.asked(), ruling.decision, ruling.words, ruling.by)
        return {"number": number}


def _verdict(desk: Desk, verdict: Verdict, lang: str) -> dict[str, Any]:
    data = asdict(verdict)
    data["sentence"] = translate(verdict.sentence, lang, desk.names)
    data["lines"] = [translate(line, lang, desk.names).strip() for line in verdict.lines]
    return data
