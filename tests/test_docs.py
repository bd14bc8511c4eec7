"""The documents say what is so: links lead somewhere, and the README's commands run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
# A live session and a review have no end of their own: Ctrl-C is pressed when they have said this.
_ENDLESS = ("live", "review")
_READY = "Ctrl-C"


def commands(page: Path) -> list[str]:
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


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


def test_both_readmes_have_the_same_commands() -> None:
    assert commands(ROOT / "README.md") == commands(ROOT / "README.es.md")
    assert len(commands(ROOT / "README.md")) >= 5


def test_every_page_has_been_told_of() -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for page in (ROOT / "docs").glob("*.md"):
        assert f"{page.name})" in told, f"nothing links to docs/{page.name}"


@pytest.mark.slow
def test_the_commands_of_the_pages_run_as_they_stand(tmp_path: Path) -> None:
    """In a folder that looks like the checkout, in the order of the README; each once."""
    (tmp_path / "palmo").symlink_to(ROOT / "palmo")
    wanted = dict.fromkeys(line for page in PAGES for line in commands(page))
    ordered = [*commands(ROOT / "README.md"), *wanted]
    for line in dict.fromkeys(ordered):
        program, *arguments = shlex.split(line)
        assert program == "palmo", f"this block is not for running: {line}"
        _run(arguments, tmp_path)


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
