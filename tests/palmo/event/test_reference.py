from __future__ import annotations

from pathlib import Path

import pytest

from palmo.event.reference import reference

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize(("lang", "page"), [("en", "event-file.md"), ("es", "es/archivo-de-evento.md")])
def test_the_page_in_docs_is_current(lang: str, page: str) -> None:
    assert (DOCS / page).read_text(encoding="utf-8") == reference(lang), (
        f"run: python -m palmo.event.reference {lang} > docs/{page}"
    )


def test_the_spanish_page_says_of_every_table_and_key_what_it_is() -> None:
    """The same keys in the same order, and no sentence is missing."""
    english, spanish = (
        [line.split(" | ")[0] for line in reference(lang).splitlines() if line.startswith("| `")]
        for lang in ("en", "es")
    )
    assert english == spanish
    assert "⟨" not in reference("es")


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
