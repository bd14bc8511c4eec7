from __future__ import annotations

from pathlib import Path

from palmo.event.reference import reference

PAGE = Path(__file__).resolve().parents[3] / "docs" / "event-file.md"


def test_the_page_in_docs_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run: python -m palmo.event.reference > docs/event-file.md"
    )


def test_the_pages_example_is_a_valid_event(tmp_path: Path) -> None:
    from palmo.event import load_event

    example = reference().split("```toml\n")[1].split("```")[0]
    path = tmp_path / "event.toml"
    path.write_text(example, encoding="utf-8")
    assert load_event(path).fighter[0].name == "El Santo de Barro"


def test_every_key_of_the_file_is_in_the_page() -> None:
    for key in (
        "corners_px",
        "half_palm_cm",
        "class",
        "foot_px",
        "post_offset_cm",
        "irish_whip",
        "trigger",
        "rulings",
        "dist",
    ):
        assert f"| `{key}` |" in reference()
