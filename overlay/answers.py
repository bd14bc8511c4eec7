"""What the servers of all pages share: a page, a picture, the first words, a sentence about an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from numpy.typing import NDArray
from starlette.exceptions import HTTPException

from overlay.i18n import LANGUAGES, keys, language, translate
from overlay.palette import COLOURS
from overlay.refused_body import refused
from rules.text import Text

JPEG_QUALITY = 85
# Of a picture that is pointed at to parts of a pixel.
FINE_QUALITY = 95
# What is said of a status that the framework gives; of others that there is nothing here.
_SAID = {400: "server.body", 405: "server.method"}
WEB = Path(str(resources.files("overlay") / "web"))


def page(file: str) -> Callable[[], Response]:
    """An endpoint that gives one of our pages."""

    def answer() -> Response:
        return FileResponse(WEB / file, media_type="text/html; charset=utf-8")

    return answer


def first_words(request: Request, lang: str | None, default: str) -> dict[str, Any]:
    """What a page needs before it can draw: its language, the words in it, the colours."""
    spoken = language(lang or request.headers.get("accept-language"), default)
    words = {key: translate(Text(key), spoken) for key in keys(spoken, "page.")}
    return {"lang": spoken, "languages": list(LANGUAGES), "words": words, "colours": COLOURS}


def sentence(text: Text, lang: str, status: int) -> Response:
    """An error in one sentence."""
    return JSONResponse({"error": translate(text, lang)}, status)


def whole_characters(value: Any) -> Any:
    """What JSON brought, refused with ValueError when it has half a character, which no file can hold."""
    json.dumps(value, ensure_ascii=False).encode()
    return value


def jpeg(image: NDArray[np.uint8], quality: int = JPEG_QUALITY) -> bytes:
    """A picture (H, W, 3) BGR as JPEG."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def add_refusals(app: FastAPI) -> None:
    """Have an app answer what it does not understand, does not have or stumbles over with one sentence."""

    @app.exception_handler(Exception)
    async def stumbled(request: Request, error: Exception) -> Response:
        text = Text("server.fault", {"kind": type(error).__name__})
        return sentence(text, language(request.query_params.get("lang")), 500)

    @app.exception_handler(RequestValidationError)
    async def not_understood(request: Request, error: RequestValidationError) -> Response:
        return sentence(refused(error.errors()), language(request.query_params.get("lang")), 422)

    @app.exception_handler(HTTPException)
    async def not_here(request: Request, error: HTTPException) -> Response:
        text = Text(_SAID.get(error.status_code, "server.not_here"), {"method": request.method[:20]})
        return sentence(text, language(request.query_params.get("lang")), error.status_code)
