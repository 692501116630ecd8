# make test | check | bench: each sets up what it needs in .venv and is quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PLAY_STAMP := $(VENV)/.installed-to-play
PEERS := .venv-peers
PEERS_STAMP := $(PEERS)/.installed
COMPILE := $(BIN)/python -c 'from coatl.rules import jit; jit.load_all()'
export COATL_CACHE_DIR ?= $(CURDIR)/.cache/kernel

.PHONY: help play setup test test-quick test-modes check format bench bench-peers golden picture clean

help:
	@echo "make play        a game in the terminal"
	@echo "make test        all checks and tests"
	@echo "make test-quick  the tests without the many whole games"
	@echo "make check       lint and types"
	@echo "make bench       the speed table"
	@echo "make bench-peers the same beside other engines (fetches them first)"
	@echo "make golden      write the golden transcripts anew (then read the diff)"
	@echo "make picture     draw the README's picture anew"

setup: $(STAMP)

$(PLAY_STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Cóatl needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(STAMP): $(PLAY_STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

play: $(PLAY_STAMP)
	@$(BIN)/coatl play --terminal

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check
	$(COMPILE)
	$(BIN)/python -m pytest -n auto
	$(MAKE) --no-print-directory test-modes

test-quick: setup
	$(COMPILE)
	$(BIN)/python -m pytest -n auto -m "not games"

# The same games in two more modes: bounds checked, and plain Python (coverage is taken there).
test-modes: setup
	NUMBA_BOUNDSCHECK=1 $(COMPILE)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto -m "modes or not games" tests/rules
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m "modes or not games"
	$(BIN)/coverage report

bench: setup
	$(BIN)/python -m bench

# The engines we compare ourselves with, apart from what we need.
$(PEERS_STAMP): bench/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers.txt
	@touch $@

bench-peers: setup $(PEERS_STAMP)
	$(BIN)/python -m bench.beside

golden: setup
	$(BIN)/python -m tests.golden

picture: setup
	$(BIN)/python -m tools.terminal_picture

format: setup
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(PEERS) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
