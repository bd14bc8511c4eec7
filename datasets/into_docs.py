"""Measured tables put into a page: `python -m datasets.into_docs PAGE NAME=FILE ...`.

A table stands between `<!-- table of NAME -->` and `<!-- end of NAME -->`; what is there is replaced.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Put the tables of files into a page."""
    parser = argparse.ArgumentParser(prog="python -m datasets.into_docs", description=__doc__)
    parser.add_argument("page", type=Path, help="the Markdown page")
    parser.add_argument("tables", nargs="+", metavar="NAME=FILE", help="what goes where")
    given = parser.parse_args(arguments)
    text = given.page.read_text(encoding="utf-8")
    for pair in given.tables:
        name, _, file = pair.partition("=")
        try:
            text = with_table(text, name, Path(file).read_text(encoding="utf-8"))
        except LookupError:
            parser.error(f"{given.page}: there is no place for a table of {name}")
        except OSError as error:
            parser.error(f"{file}: {error.strerror}")
    given.page.write_text(text, encoding="utf-8")
    return 0


def with_table(page: str, name: str, table: str) -> str:
    """The page with another table of that name. Raises LookupError when it has no place for one."""
    begin, end = f"<!-- table of {name} -->", f"<!-- end of {name} -->"
    place = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if place.search(page) is None:
        raise LookupError(name)
    return place.sub(lambda _: f"{begin}\n\n{table.strip()}\n\n{end}", page, count=1)


if __name__ == "__main__":
    sys.exit(main())
