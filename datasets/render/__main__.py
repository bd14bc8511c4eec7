"""Rendered clips and stills with exact truth: `python -m datasets.render SCENE.toml --out FOLDER`.

With `--preview` in a second a picture and without Mitsuba; with `--library` the whole library again, or the
parts of it that are named. What is already there is made anew only with `--again`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from datasets.render.figure import FigureError
from datasets.render.making import CLIP, STILL, make
from datasets.render.photo import PhotoError
from datasets.render.scene_file import SceneError

LIBRARY = Path(__file__).resolve().parent.parent / "library"


def main(arguments: Sequence[str] | None = None) -> int:
    """Render a scene or the library; 2 when something is wrong with the input."""
    parser = argparse.ArgumentParser(prog="python -m datasets.render", description=__doc__)
    parser.add_argument("scenes", nargs="*", help="scene files; with --library names in it, such as L01")
    parser.add_argument("--out", type=Path, help="folder for the pictures, truth.json and event.toml")
    parser.add_argument("--preview", action="store_true", help="flat shading, fast, without Mitsuba")
    parser.add_argument("--library", action="store_true", help="make the library again from its scene files")
    parser.add_argument("--again", action="store_true", help="with --library: also what is already there")
    options = parser.parse_args(arguments)
    if options.library == bool(options.out) or (options.out and len(options.scenes) != 1):
        parser.error("give one scene and --out FOLDER, or --library")
    try:
        if options.library:
            for scene in _of_library(options.scenes, again=options.again):
                _make(scene, scene.parent, preview=options.preview)
        else:
            _make(Path(options.scenes[0]), options.out, preview=options.preview)
    except (SceneError, FigureError, PhotoError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _make(scene: Path, out: Path, *, preview: bool) -> None:
    def progress(done: int, of: int) -> None:
        print(f"\r{scene}: picture {done} of {of}", end="", file=sys.stderr, flush=True)

    make(scene, out, preview=preview, progress=progress)
    print(file=sys.stderr)


def _of_library(names: Sequence[str], *, again: bool) -> list[Path]:
    scenes = sorted(LIBRARY.glob("*/scene.toml"))
    unknown = set(names) - {scene.parent.name for scene in scenes}
    if unknown:
        raise SceneError(f"{LIBRARY}: there is no {', '.join(sorted(unknown))} in the library")
    chosen = [scene for scene in scenes if not names or scene.parent.name in names]
    done = [scene for scene in chosen if (scene.parent / CLIP).exists() or (scene.parent / STILL).exists()]
    return chosen if again else [scene for scene in chosen if scene not in done]


if __name__ == "__main__":
    sys.exit(main())
