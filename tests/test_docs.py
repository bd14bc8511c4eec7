"""The documents say what is so: links lead somewhere, and the README's commands run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/es").glob("*.md")),
]
# The pages for those at the table, in English and in Spanish.
PAIRS = {
    "README.md": "README.es.md",
    "docs/referee.md": "docs/es/arbitro.md",
    "docs/streamer.md": "docs/es/retransmision.md",
    "docs/players.md": "docs/es/jugadores.md",
    "docs/disputes.md": "docs/es/disputas.md",
    "docs/calibration.md": "docs/es/calibrar.md",
    "docs/event-file.md": "docs/es/archivo-de-evento.md",
}
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_ITALICS = re.compile(r"(?<!\*)\*([^*\n][^*]*?)\*(?!\*)")
# A live session and a review have no end of their own: Ctrl-C is pressed when they have said this.
_ENDLESS = ("live", "review")
_READY = "Ctrl-C"


def commands(page: Path) -> list[str]:
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def pictures(page: Path) -> list[Path]:
    """The files of a page's pictures, in their order."""
    return [(page.parent / link).resolve() for link in _PICTURE.findall(page.read_text(encoding="utf-8"))]


def levels(page: Path) -> list[int]:
    """How deep a page's headings are, in their order; a comment of a block of code is none."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    return [len(head) for head in re.findall(r"^(#+) ", text, re.MULTILINE)]


def anchors(page: Path) -> set[str]:
    """The names that a page's headings get."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("https://", "http://")):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} links to {link}"
        assert not anchor or anchor in anchors(target), f"{page.name} links to {link}"


@pytest.mark.parametrize(("english", "spanish"), PAIRS.items(), ids=PAIRS.values())
def test_both_languages_have_the_same(english: str, spanish: str) -> None:
    """Commands, pictures and sections, and a link to each other below the title."""
    one, other = ROOT / english, ROOT / spanish
    assert commands(one) == commands(other)
    assert pictures(one) == pictures(other)
    assert levels(one) == levels(other)
    for page, language, twin in ((one, "Español", other), (other, "English", one)):
        link = f"[{language}]({os.path.relpath(twin, page.parent)})"
        assert page.read_text(encoding="utf-8").splitlines()[2] == link


def test_spanish_pages_lead_to_spanish_pages() -> None:
    """But for the link to themselves in English."""
    translated = {(ROOT / english).resolve() for english in PAIRS}
    for spanish in PAIRS.values():
        page = ROOT / spanish
        links = _LINK.findall(page.read_text(encoding="utf-8"))[1:]
        for link in links:
            assert (page.parent / link.partition("#")[0]).resolve() not in translated, f"{spanish}: {link}"


def test_spanish_pages_use_the_words_of_the_screen() -> None:
    """What stands in italics is a button, a heading or a verdict; the catalogue has it, in either case."""
    catalogues = (ROOT / "overlay/locale/es/LC_MESSAGES").glob("*.po")
    shown = "\n".join(path.read_text(encoding="utf-8") for path in catalogues).lower()
    for page in sorted((ROOT / "docs/es").glob("*.md")):
        text = _CODE.sub("", page.read_text(encoding="utf-8"))
        words = [" ".join(one.split()).lower() for one in _ITALICS.findall(text)]
        # A line quoted with its numbers is not in the catalogue as it stands.
        missing = [one for one in words if one not in shown and not re.search(r"\d", one)]
        assert not missing, f"{page.name}: {missing}"


def test_every_spanish_page_has_its_english_one() -> None:
    assert {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs/es").glob("*.md")} <= set(
        PAIRS.values()
    )


def test_the_readme_has_commands() -> None:
    assert len(commands(ROOT / "README.md")) >= 5


def test_every_page_has_been_told_of() -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for page in PAGES:
        if page.parent != ROOT:
            assert f"{page.name})" in told, f"nothing links to {page.relative_to(ROOT)}"


@pytest.mark.slow
def test_the_commands_of_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    _run_all(commands(ROOT / "README.md"), tmp_path)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_commands_of_all_pages_run_as_they_stand(tmp_path: Path) -> None:
    """After those of the README, which they build upon."""
    _run_all([line for page in (ROOT / "README.md", *PAGES) for line in commands(page)], tmp_path)


def _run_all(lines: Sequence[str], folder: Path) -> None:
    """In a folder that looks like the checkout; each once."""
    (folder / "palmo").symlink_to(ROOT / "palmo")
    for line in dict.fromkeys(lines):
        program, *arguments = shlex.split(line)
        assert program == "palmo", f"this block is not for running: {line}"
        _run(arguments, folder)


def _run(arguments: list[str], folder: Path) -> None:
    """Run one command; 0 and 1 (a verdict) are fine."""
    command = [sys.executable, "-m", "palmo", *arguments]
    if arguments[0] in _ENDLESS:
        command += ["--port", "0"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PALMO_LANG": "en"}
    started = subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    said = ""
    if arguments[0] in _ENDLESS:
        assert started.stdout is not None
        for line in started.stdout:
            said += line
            if _READY in line:
                started.send_signal(signal.SIGINT)
                break
    rest, _ = started.communicate("q\n", timeout=300)
    assert started.returncode in (0, 1), f"palmo {' '.join(arguments)}\n{said}{rest}"
    assert "Traceback" not in said + rest
