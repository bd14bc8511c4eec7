"""The set-up page: sizes, ring, people, fighters and hands, step by step.

The same door, catalogue and look as the live pages; whoever runs it gives a `SetupDesk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import Field

from overlay import answers
from overlay.guard import Guard
from overlay.i18n import language, translate
from overlay.setup.desk import (
    FighterKind,
    FilledIn,
    HandKind,
    HandView,
    NotSo,
    Person,
    SetupDesk,
    SheetForm,
    Sizes,
    Wrestler,
)
from overlay.setup.ring import Coordinate, Given, Lang, Length, PixelPoint, Two, add_ring
from overlay.setup.rules import add_rules

_Name = Annotated[str, Field(max_length=60)]
_Id = Annotated[str, Field(max_length=32)]


class _Sizes(Given):
    width_cm: Length
    depth_cm: Length
    post_height_cm: Length


class _Player(Given):
    id: _Id
    palm_cm: Length | None = None
    half_palm_cm: Length | None = None


class _Sheet(Given):
    scores: Annotated[dict[_Id, Annotated[int, Field(ge=0, le=4)]], Field(max_length=12)]
    finisher: _Name = ""
    trigger: _Id = ""


class _Fighter(Given):
    id: _Id = ""
    name: _Name
    player: _Id
    kind: FighterKind
    height_cm: Length
    team: _Id | None = None
    sheet: _Sheet | None = None

    def wrestler(self) -> Wrestler:
        """As the desk knows it."""
        sheet = None if self.sheet is None else FilledIn(**self.sheet.model_dump())
        return Wrestler(
            self.id, self.name, self.player, self.kind, self.height_cm, team=self.team or None, sheet=sheet
        )


class _Called(Given):
    id: _Id


class _Pointed(Given):
    id: _Id
    box: Annotated[list[Coordinate], Field(min_length=4, max_length=4)]
    foot: PixelPoint
    nose: PixelPoint


class _Hand(Given):
    player: _Id
    kind: HandKind


class _Lay(_Hand):
    ends: Two | None = None


class _Lift(_Hand):
    number: Annotated[int, Field(ge=0, le=100)]


def create_setup_app(
    desk: SetupDesk, *, hosts: Iterable[str] = (), key: str | None = None, lang: str = "es"
) -> FastAPI:
    """The application for a desk; `hosts`, `key` and `lang` as for the live pages."""
    app = FastAPI(title="Palmo", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=tuple(hosts), key=key, lang=lang)
    app.mount("/web", StaticFiles(directory=answers.WEB), name="web")
    app.add_api_route("/", answers.page("setup.html"), methods=["GET"])
    for address in ("/obs", "/panel"):
        app.add_api_route(address, answers.page("waiting.html"), methods=["GET"])

    @app.get("/api/boot")
    def boot(request: Request) -> dict[str, Any]:
        """What the page needs before it can draw."""
        return answers.first_words(request, request.query_params.get("lang"), lang)

    @app.get("/api/panel", status_code=204)
    def panel() -> None:
        """Nothing yet: pages ask whether the match has begun."""

    add_ring(app, lambda: desk.ring)
    _add_reading(app, desk)
    _add_people(app, desk)
    add_rules(app, desk)
    _add_pointing(app, desk)
    _add_hands(app, desk)
    add_refusal(app)
    answers.add_refusals(app)
    return app


def add_refusal(app: FastAPI) -> None:
    """Have an app answer NotSo with its sentence."""

    @app.exception_handler(NotSo)
    async def not_so(request: Request, error: NotSo) -> Response:
        return answers.sentence(error.text, language(request.query_params.get("lang")), 409)


def _state(desk: SetupDesk, lang: str) -> dict[str, Any]:
    """Everything the page shows, as it is now."""
    height, width = desk.image.shape[:2]
    refusal = desk.refusal
    return {
        "steps": list(desk.steps),
        "size": [width, height],
        "sizes": asdict(desk.sizes()),
        "ring_known": _ring_known(desk),
        "players": [asdict(one) for one in desk.people.players()],
        "fighters": [asdict(one) for one in desk.people.fighters()],
        "sheet": _sheet_view(desk.people.sheet_form(), lang),
        "missing": [translate(one, lang) for one in desk.missing()],
        "refusal": None if refusal is None else translate(refusal, lang),
    }


def _sheet_view(form: SheetForm, lang: str) -> dict[str, Any]:
    """The sheet to fill in, in a language."""
    main, fighting = (
        [{"id": one.id, "name": translate(one.name, lang)} for one in half]
        for half in (form.main, form.fighting)
    )
    triggers = [{"id": trigger, "name": translate(name, lang)} for trigger, name in form.triggers]
    return {"main": main, "fighting": fighting, "highest": form.highest, "triggers": triggers}


def _ring_known(desk: SetupDesk) -> bool:
    """Whether the ring was clicked on already."""
    try:
        return len(desk.ring.clicks()[0]) == 4
    except NotSo:
        return False


def _add_reading(app: FastAPI, desk: SetupDesk) -> None:
    @app.get("/api/setup")
    def state(lang: Lang = None) -> dict[str, Any]:
        """Everything that is known."""
        return _state(desk, language(lang))

    @app.get("/table/picture.jpg")
    def picture() -> Response:
        """The table."""
        return Response(answers.jpeg(desk.image, answers.FINE_QUALITY), media_type="image/jpeg")

    @app.post("/api/setup/look")
    def look(lang: Lang = None) -> dict[str, Any]:
        """A new picture of the table."""
        desk.look()
        return _state(desk, language(lang))

    @app.post("/api/setup/begin")
    def begin() -> Response:
        """The match."""
        desk.begin()
        return JSONResponse({})


def _add_people(app: FastAPI, desk: SetupDesk) -> None:
    def changes(name: str, model: type[Given], act: Callable[[Any], None]) -> None:
        def endpoint(given: Any, lang: Lang = None) -> dict[str, Any]:
            act(given)
            return _state(desk, language(lang))

        endpoint.__annotations__["given"] = model
        app.post(f"/api/setup/{name}", name=name)(endpoint)

    def values(given: Given) -> Mapping[str, Any]:
        return given.model_dump()

    changes("sizes", _Sizes, lambda given: desk.put_sizes(Sizes(**values(given))))
    changes("player", _Player, lambda given: desk.people.put_player(Person(**values(given))))
    changes("player/drop", _Called, lambda given: desk.people.drop_player(given.id))
    changes("fighter", _Fighter, lambda given: desk.people.put_fighter(given.wrestler()))
    changes("fighter/drop", _Called, lambda given: desk.people.drop_fighter(given.id))
    changes(
        "point",
        _Pointed,
        lambda given: desk.pointing.point(given.id, tuple(given.box), given.foot, given.nose),
    )


def _add_pointing(app: FastAPI, desk: SetupDesk) -> None:
    @app.post("/api/setup/rate")
    def rate(lang: Lang = None) -> dict[str, Any]:
        """How well the colours can be told apart."""
        found = desk.pointing.rate()
        return {"lines": [translate(one, language(lang)) for one in found.lines], "verdict": found.verdict}

    @app.get("/table/mixed.jpg")
    def mixed(lang: Lang = None) -> Response:
        """What would be mixed up."""
        picture = desk.pointing.rate().picture(language(lang))
        return Response(answers.jpeg(picture), media_type="image/jpeg")


def _add_hands(app: FastAPI, desk: SetupDesk) -> None:
    def seen(view: HandView, lang: str | None) -> dict[str, Any]:
        spoken = language(lang)
        return {
            "laid": [
                {"ends": one.ends, "cm": one.cm, "sd": one.sd_cm, "by": translate(one.by, spoken)}
                for one in view.laid
            ],
            "lines": [translate(one, spoken) for one in view.lines],
            "verdict": view.verdict,
        }

    @app.get("/hand/picture.jpg")
    def picture() -> Response:
        """The picture of the hand."""
        return Response(answers.jpeg(desk.hands.image, answers.FINE_QUALITY), media_type="image/jpeg")

    @app.post("/api/hand/look")
    def look() -> Response:
        """A new picture of the hand."""
        desk.hands.look()
        return JSONResponse({})

    @app.post("/api/hand/view")
    def view(given: _Hand, lang: Lang = None) -> dict[str, Any]:
        """What was laid so far."""
        return seen(desk.hands.view(given.player, given.kind), lang)

    @app.post("/api/hand/lay")
    def lay(given: _Lay, lang: Lang = None) -> dict[str, Any]:
        """One more placement."""
        return seen(desk.hands.lay(given.player, given.kind, given.ends), lang)

    @app.post("/api/hand/lift")
    def lift(given: _Lift, lang: Lang = None) -> dict[str, Any]:
        """One placement less."""
        return seen(desk.hands.lift(given.player, given.kind, given.number), lang)
