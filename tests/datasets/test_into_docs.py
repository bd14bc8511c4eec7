from __future__ import annotations

from pathlib import Path

import pytest

from datasets.into_docs import main

ROOT = Path(__file__).resolve().parents[2]


def test_a_table_takes_the_place_of_the_older_one_and_leaves_the_others(tmp_path: Path) -> None:
    page, table = tmp_path / "page.md", tmp_path / "table.md"
    page.write_text((ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8"), encoding="utf-8")
    table.write_text("| a |\n| --- |\n| \\1 |\n", encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    for _ in range(2):
        assert main([str(page), f"pictures={table}"]) == 0
    after = page.read_text(encoding="utf-8")
    assert "<!-- table of pictures -->\n\n| a |\n| --- |\n| \\1 |\n\n<!-- end of pictures -->" in after
    assert after.partition("<!-- table of pictures")[0] == before.partition("<!-- table of pictures")[0]
    assert after.partition("<!-- end of pictures")[2] == before.partition("<!-- end of pictures")[2]
    assert (
        "python-chess" in after.partition("<!-- table of rules -->")[2].partition("<!-- end of rules -->")[0]
    )


@pytest.mark.parametrize("what", ["nothing=table.md", "pictures=missing.md"])
def test_what_cannot_be_put_anywhere_leaves_the_page_as_it_was(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = "<!-- table of pictures -->\nold\n<!-- end of pictures -->\n"
    Path("page.md").write_text(page)
    Path("table.md").write_text("new")
    with pytest.raises(SystemExit) as ended:
        main(["page.md", what])
    assert ended.value.code == 2
    assert Path("page.md").read_text() == page
