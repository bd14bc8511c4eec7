"""Figures fall and are turned, and what is said of them is counted."""

import numpy as np

from datasets.falls import Case, as_markdown, cases


def test_a_figure_is_turned_and_falls_and_is_judged_both_times():
    turned, fell = cases(np.random.default_rng(4), "stout")
    assert (turned.fell, turned.said_to_lie) == (False, False)
    assert (fell.fell, fell.said_to_lie) == (True, True)
    assert 0 < fell.middle < 0.15
    assert (turned.kind, fell.kind) == ("humanoid", "humanoid")


def test_the_table_counts_what_was_noticed_and_what_was_wrong():
    found = [
        Case("humanoid", True, fell=True, said_to_lie=True, middle=0.02, head=10.0),
        Case("humanoid", True, fell=True, said_to_lie=True, middle=0.04, head=170.0, held=False),
        Case("humanoid", True, fell=False, said_to_lie=False),
        Case("beast", False, fell=True, said_to_lie=False, middle=0.06, head=0.0),
        Case("beast", False, fell=False, said_to_lie=True),
    ]
    rows = [row.split("|")[1:-1] for row in as_markdown(found).splitlines()[2:]]
    table = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}
    assert table["humanoid, oblique"] == ["2", "100%", "1", "0", "0.030, 0.039 heights", "50%", "50%"]
    assert table["all"][:4] == ["3", "67%", "2", "1"]
