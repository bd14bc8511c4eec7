from __future__ import annotations

from palmo.event.lines import key_lines, line_of

TEXT = '''# a comment with [brackets] = and "quotes"
title = """
[not a header]
key = "no key"
"""
[ring]
corners = [[1, 2],
  [3, 4]]   # closes ] here
"odd = key" = 3
[[fighter]]
id = "a"
[fighter.sheet]
combat = 2
[[fighter]]
id = 'b # no comment'
sheet.speed = 4
[a.b]
c = { d = 1, e = [
 2] }
after = 1
'''


def test_every_key_is_on_its_own_line() -> None:
    assert key_lines(TEXT) == {
        ("title",): 2,
        ("ring",): 6,
        ("ring", "corners"): 7,
        ("ring", "odd = key"): 9,
        ("fighter", 0): 10,
        ("fighter", 0, "id"): 11,
        ("fighter", 0, "sheet"): 12,
        ("fighter", 0, "sheet", "combat"): 13,
        ("fighter", 1): 14,
        ("fighter", 1, "id"): 15,
        ("fighter", 1, "sheet", "speed"): 16,
        ("a", "b"): 17,
        ("a", "b", "c"): 18,
        ("a", "b", "after"): 20,
    }


def test_a_key_without_its_own_line_is_blamed_on_what_contains_it() -> None:
    lines = key_lines(TEXT)
    assert line_of(lines, ("ring", "corners", 1, 0)) == 7
    assert line_of(lines, ("fighter", 1, "height_cm")) == 14
    assert line_of(lines, ("nowhere", 1)) is None
