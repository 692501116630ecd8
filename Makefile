# make test | check | bench: each sets up what it needs in .venv and is quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PLAY_STAMP := $(VENV)/.installed-to-play
NODE_STAMP := $(VENV)/.installed-node
MODULES := web/node_modules/.package-lock.json
PAGE := src/coatl/static/index.html
PAGE_SOURCES := $(shell find web src/coatl/drawings -type f -not -path '*/node_modules/*' -not -path '*/paraglide/*' \
	-not -path '*/.*' 2>/dev/null)
# What the checks of the page look at: all of it, and the files of ours that its tests read. Folders, too, since they
# tell of a file that is gone.
PAGE_CHECKED := .cache/page-checked
PAGE_TESTED := .cache/page-tested
WEB_FILES := $(shell find web -mindepth 1 \( -name node_modules -o -name paraglide -o -name '.*' \) -prune -o -print 2>/dev/null)
OUR_FILES := $(shell find src/coatl \( -name static -o -name __pycache__ \) -prune -o -type f -print 2>/dev/null)
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web --no-audit --no-fund
PEERS := .venv-peers
PEERS_STAMP := $(PEERS)/.installed
BROWSER_STAMP := $(VENV)/.has-browser
POSTGRES_STAMP := $(VENV)/.has-postgres
COMPILE := $(BIN)/python -c 'from coatl.compiler import jit; jit.load_all()'
COMPILE_ALL := $(BIN)/python -c 'from coatl.compiler import jit; jit.load_packages()'
# A few more tests at once than cores: many of them wait for a server or a browser.
CORES := $(shell getconf _NPROCESSORS_ONLN)
TRAIN := .venv-train
TRAIN_STAMP := $(TRAIN)/.installed
export COATL_CACHE_DIR ?= $(CURDIR)/.cache/kernel
# Without bytecode every process of the tests compiles every test anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play web setup test test-quick test-modes test-train architecture observation rules check format bench bench-peers golden protocol bench-server bench-hints bench-server-beside attack chaos browser postgres screenshots pictures clean

help:
	@echo "make play        the game in your browser"
	@echo "make web         build the page"
	@echo "make test        all checks and tests"
	@echo "make test-quick  the tests without the many whole games"
	@echo "make test-train  the tests of learning (fetches PyTorch and Ray for them first)"
	@echo "make check       lint and types"
	@echo "make bench       the speed table"
	@echo "make bench-peers the same beside other engines (fetches them first)"
	@echo "make bench-server the server under load"
	@echo "make bench-hints how long a hint takes through the server"
	@echo "make bench-server-beside the same beside version 0.1"
	@echo "make attack      what one hostile address does to a table beside it; ATTACKS='pings files' for some"
	@echo "make chaos       kill the server KILLS=100 times, and then kill and pause three processes on PostgreSQL; nothing may be lost"
	@echo "make protocol    write docs/protocol.md and the page's types anew"
	@echo "make architecture write the tables of modules in docs/architecture.md from the docstrings"
	@echo "make observation write docs/observation.md anew"
	@echo "make rules       write docs/rules.md anew from the rulebook"
	@echo "make golden      write the golden transcripts anew (then read the diff)"
	@echo "make pictures    draw the pictures of the README and the docs anew"
	@echo "make screenshots every screen and dialog at four widths, light and dark, in screenshots/; SCENES='end* home' for some"

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

# Node comes from PyPI, pinned: the system's may be older, or missing.
$(NODE_STAMP): $(PLAY_STAMP) web/node-version.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r web/node-version.txt
	@touch $@

$(MODULES): web/package-lock.json $(NODE_STAMP)
	$(NPM) ci --prefer-offline
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	$(NPM) run build
	@touch $@

web: $(PAGE)

play: $(PLAY_STAMP) $(PAGE)
	@$(BIN)/coatl play

# The system's Chromium or Chrome, or one that is installed now; one clear line if that fails.
$(BROWSER_STAMP): $(STAMP) tools/find_browser.py
	@$(BIN)/python -m tools.find_browser --install
	@touch $@

browser: $(BROWSER_STAMP)

# The system's PostgreSQL server, or one that is installed now; one clear line if that fails.
$(POSTGRES_STAMP): $(STAMP) tools/find_postgres.py
	@$(BIN)/python -m tools.find_postgres --install
	@touch $@

postgres: $(POSTGRES_STAMP)

# What follows -- goes to ESLint, which looks at one file at a time: those that are as they were are left out.
$(PAGE_CHECKED): $(PAGE) $(WEB_FILES)
	@mkdir -p $(@D)
	$(NPM) run check -- --cache --cache-strategy content --cache-location ../.cache/eslint
	@touch $@

$(PAGE_TESTED): $(PAGE) $(WEB_FILES) $(OUR_FILES)
	$(NPM) test
	@mkdir -p $(@D)
	@touch $@

check: setup $(PAGE_CHECKED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check $(PAGE_TESTED) browser postgres
	$(COMPILE_ALL)
	$(BIN)/python -m pytest -n $$(($(CORES) + 2)) --dist worksteal --ignore tests/learn
	$(MAKE) --no-print-directory test-modes

test-quick: setup $(PAGE) browser postgres
	$(COMPILE_ALL)
	$(BIN)/python -m pytest -n $$(($(CORES) + 1)) --dist worksteal -m "not games" --ignore tests/learn

# The same games in two more modes: bounds checked, and plain Python (coverage is taken there).
# What runs the program or a server needs the compiled rules, and is left out; so is what tests code
# that is plain Python anyhow, and calls no more of the rules than the others do.
PLAIN := tests/rules tests/golden tests/game tests/view tests/solver
PLAIN += $(addprefix --ignore tests/,game/test_record.py game/test_value.py game/test_seats.py view/test_view.py)
MODES := -p no:schemathesis -m "modes or not games"
test-modes: setup
	NUMBA_BOUNDSCHECK=1 $(COMPILE)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto $(MODES) tests/rules
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -n auto $(MODES) $(PLAIN)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# What needs PyTorch, Ray, PettingZoo or Gymnasium, in an environment of its own.
$(TRAIN_STAMP): pyproject.toml tests/learn/requirements.txt
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check \
		-r tests/learn/requirements.txt --editable '.[env,train,ray]'
	@touch $@

test-train: $(TRAIN_STAMP)
	$(TRAIN)/bin/python -c 'from coatl.compiler import jit; jit.load_packages()'
	$(TRAIN)/bin/python -m pytest tests/learn

architecture: setup
	$(BIN)/python -m tools.architecture

observation: setup
	$(BIN)/python -m tools.observation_docs

rules: setup
	$(BIN)/python -m tools.rules_docs

bench: setup
	$(BIN)/python -m bench

# The engines we compare ourselves with, apart from what we need.
$(PEERS_STAMP): bench/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers.txt
	@touch $@

bench-peers: setup $(PEERS_STAMP)
	$(BIN)/python -m bench.beside

bench-server: setup postgres
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.server_several

bench-hints: setup
	$(BIN)/python -m bench.hints

bench-server-beside: setup
	$(BIN)/python -m bench.server_beside

attack: setup $(PAGE)
	$(BIN)/python -m bench.attack $(ATTACKS)

# How often the server is killed while games are played.
KILLS ?= 100
chaos: setup postgres
	$(COMPILE)
	$(BIN)/python -m tests.server.chaos $(KILLS)
	$(BIN)/python -m tests.server.chaos_several $(KILLS)

protocol: setup
	$(BIN)/python -m tools.protocol_types
	$(BIN)/python -m tools.protocol_docs

golden: setup
	$(BIN)/python -m tests.golden

pictures: setup $(PAGE) browser
	$(COMPILE)
	$(BIN)/python -m tools.terminal_picture
	$(BIN)/python -m tools.table_picture
	$(BIN)/python -m tools.coatl_picture
	$(BIN)/python -m tools.page_pictures

screenshots: setup $(PAGE) browser
	$(COMPILE)
	$(BIN)/python -m tools.screenshots $(SCENES)

format: setup
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(PEERS) $(TRAIN) web/node_modules src/coatl/static screenshots .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
