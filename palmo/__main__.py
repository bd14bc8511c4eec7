"""`python -m palmo` is `palmo`."""

from palmo.cli import main

main()
