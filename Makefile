# Two commands on a fresh machine: `make demo` and `make test`. Both set themselves up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench bench-docs nightly clean

$(READY): pyproject.toml constraints.txt
	@echo "Setting Palmo up in $(VENV): its packages are fetched and installed, which takes a minute or more, once."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)

# The bundled clip through everything; no camera needed.
demo: $(READY)
	$(BIN)/palmo demo

test: $(READY)
	$(BIN)/python -m pytest -n auto

# Style, types, and the links in the documents.
check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_docs.py -k links

# Speed: the naive method, ours, the whole loop; the rules beside python-chess. Writes out/bench*.md.
bench: $(READY)
	$(BIN)/python -m datasets.bench
	$(BIN)/python -m datasets.bench_rules

# The same, written into the tables of docs/benchmarks.md: for a quiet machine, with PALMO_DATA.
bench-docs: bench
	$(BIN)/python -m datasets.into_docs docs/benchmarks.md pictures=out/bench.md rules=out/bench_rules.md

# What takes too long for every change: speed, accuracy over many redraws of the taps and over careless clicks
# (both need PALMO_DATA), figures that nothing was tuned on, and random matches by the ten thousand.
nightly: check test bench
	$(BIN)/python -m pytest -n auto -m nightly
	$(BIN)/python -m datasets.accuracy
	$(BIN)/python -m datasets.clicks
	$(BIN)/python -m datasets.guard
	$(BIN)/python -m datasets.propose
	$(BIN)/python -m datasets.modelled
	$(BIN)/python -m datasets.falls
	$(BIN)/python -m datasets.errorbars
	$(BIN)/python -m datasets.errorbars_pictures
	$(BIN)/python -m datasets.fuzz_rules --matches 10000 --jobs 2
	$(BIN)/python -m datasets.cited

clean:
	rm -rf $(VENV) out
