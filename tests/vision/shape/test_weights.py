"""What was learned of shapes, missing or broken: one sentence before anything is measured, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overlay.i18n import translate
from palmo.cli import run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import texts
from vision.measuring import refining
from vision.shape import fallen, network
from vision.shape.layers import ShapeError

NETWORKS = {"weights.npz": network, "fallen_weights.npz": fallen, "matte_weights.npz": refining}
WHOLE = (Path(network.__file__).parent / "weights.npz").read_bytes()
DAMAGED = WHOLE[:5000] + bytes(200) + WHOLE[5200:]


@pytest.fixture(params=NETWORKS)
def weights(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Where the weights of a network should be, and are not."""
    module = NETWORKS[request.param]
    module._weights.cache_clear()
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    yield tmp_path / request.param
    module._weights.cache_clear()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "missing"),
        (b"", "broken"),
        (b"no archive", "broken"),
        (WHOLE[:-500], "broken"),
        (DAMAGED, "broken"),
    ],
)
def test_missing_and_broken_weights_are_said(weights: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        weights.write_bytes(content)
    with pytest.raises(ShapeError, match=why) as refused:
        NETWORKS[weights.name].ready()
    assert str(weights) in str(refused.value)
    assert "install Palmo again" in str(refused.value)
    assert "vuelve a instalar" in translate(texts(refused.value)[0], "es")


def test_a_command_says_it_in_one_line(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tracks = tmp_path / "tracks.jsonl"
    code = run(["track", str(DEMO_CLIP), "--event", str(DEMO_EVENT), "--out", str(tracks), "--lang", "es"])
    said = capsys.readouterr().err
    assert code == 2
    assert said.count("\n") == 1
    assert weights.name in said
    assert not tracks.exists()
