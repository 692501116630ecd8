# `make help` lists what there is, from the comments beside the targets (## group: what it does). Each target sets up what
# it needs and is quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
STAMP := $(VENV)/.installed
PLAY_STAMP := $(VENV)/.installed-to-play
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

.PHONY: help play web setup browser postgres test test-quick test-modes test-train test-lowest check check-deploy \
	format clean architecture observation rules protocol golden notebooks pictures screenshots bench bench-peers bench-server \
	bench-hints bench-server-beside bench-processors bench-env bench-search strength attack chaos lock dist reproducible \
	check-release try-image docs

GROUPS := play test make-anew measure release
help: ## play: this list
	@for group in $(GROUPS); do \
		echo; echo "$$group" | tr - ' ' | awk '{ print toupper(substr($$0, 1, 1)) substr($$0, 2) }'; \
		sed -n "s/^\([a-z-]*\):.*## $$group: /\1 /p" $(firstword $(MAKEFILE_LIST)) \
			| awk '{ name = $$1; sub(/^[^ ]* /, ""); printf "  make %-20s %s\n", name, $$0 }'; \
	done

setup: $(STAMP) ## test: install everything that the tests need into .venv, with known versions

# What is installed is what was tested: versions and hashes are in requirements/*.lock (make lock).
$(PLAY_STAMP): pyproject.toml requirements/build.lock requirements/play.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Cóatl needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/build.lock -r requirements/play.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMP): $(PLAY_STAMP) requirements/test.lock
	$(PIP) --require-hashes -r requirements/test.lock
	@touch $@

# Node comes from PyPI, with build.lock: the system's may be older, or missing.
$(MODULES): web/package-lock.json $(PLAY_STAMP)
	$(NPM) ci --prefer-offline
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	$(NPM) run build
	@touch $@

web: $(PAGE) ## play: build the page

play: $(PLAY_STAMP) $(PAGE) ## play: the game in your browser
	@$(BIN)/coatl play

# The system's Chromium or Chrome, or one that is installed now; one clear line if that fails.
$(BROWSER_STAMP): $(STAMP) tools/find_browser.py
	@$(BIN)/python -m tools.find_browser --install
	@touch $@

browser: $(BROWSER_STAMP) ## test: find Chromium or Chrome for the tests, or install it

# The system's PostgreSQL server, or one that is installed now; one clear line if that fails.
$(POSTGRES_STAMP): $(STAMP) tools/find_postgres.py
	@$(BIN)/python -m tools.find_postgres --install
	@touch $@

postgres: $(POSTGRES_STAMP) ## test: find a PostgreSQL server for the tests, or install it

# What follows -- goes to ESLint, which looks at one file at a time: those that are as they were are left out.
$(PAGE_CHECKED): $(PAGE) $(WEB_FILES)
	@mkdir -p $(@D)
	$(NPM) run check -- --cache --cache-strategy content --cache-location ../.cache/eslint
	@touch $@

$(PAGE_TESTED): $(PAGE) $(WEB_FILES) $(OUR_FILES)
	$(NPM) test
	@mkdir -p $(@D)
	@touch $@

check: setup $(PAGE_CHECKED) ## test: lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check $(PAGE_TESTED) docs browser postgres ## test: all checks and tests; must pass before a change goes in
	$(COMPILE_ALL)
	$(BIN)/python -m pytest -n $$(($(CORES) + 2)) --dist worksteal -m "not brief" --ignore tests/learn
	$(MAKE) --no-print-directory test-modes

# What tells most for its time: all clauses, the library, the bots, the commands, and the server in one process. Left out
# are most whole games, all but one of the tests in a browser, and what builds a package, follows a long example or
# starts several servers (the markers are described in pyproject.toml).
QUICK := -m "not games and not slow" --ignore tests/learn
test-quick: setup $(PAGE) browser postgres ## test: in two minutes what tells most: no long games, one test in a browser
	$(COMPILE_ALL)
	$(BIN)/python -m pytest -n $$(($(CORES) + 1)) --dist worksteal $(QUICK)

# The same games in two more modes: bounds checked, and plain Python (coverage is taken there).
# What runs the program or a server needs the compiled rules, and is left out; so is what tests code
# that is plain Python anyhow, and calls no more of the rules than the others do.
PLAIN := tests/rules tests/golden tests/game tests/view tests/solver
PLAIN += $(addprefix --ignore tests/,game/test_record.py game/test_value.py game/test_seats.py view/test_view.py)
MODES := -p no:schemathesis -m "modes or not games"
# All that these tests could read: not what stands above the rules and the library, and changes most. (Where nothing is
# kept from before, as for every push, they always run; `make -B test-modes` runs them anyhow.)
MODES_TESTED := .cache/modes-tested
MODES_FILES := $(shell find src/coatl \( -name static -o -name drawings -o -name cli -o -name server -o -name learn -o -name lab \
	-o -name __pycache__ \) -prune -o -print 2>/dev/null)
MODES_FILES += $(shell find tests/rules tests/golden tests/game tests/view tests/solver tests/table tests/*.py \
	-name __pycache__ -prune -o -print 2>/dev/null)
$(MODES_TESTED): $(STAMP) $(MODES_FILES)
	NUMBA_BOUNDSCHECK=1 $(COMPILE)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto $(MODES) tests/rules
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -n auto $(MODES) $(PLAIN)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	@mkdir -p $(@D)
	@touch $@

test-modes: $(MODES_TESTED) ## test: the rules with bounds checked and as plain Python, with their coverage (part of make test)

# The documentation as a site, in an environment of its own: it shares nothing with the game. Built anew where something
# it is made of has changed; links, pages and anchors that are missing end it (not with --quiet: warnings count then no more).
DOCS := .venv-docs
DOCS_STAMP := $(DOCS)/.installed
SITE := site/index.html
SITE_SOURCES := $(shell find docs examples tools/site deploy .github src/coatl -mindepth 1 -name '__pycache__' -prune -o -name static -prune -o -print 2>/dev/null)
SITE_SOURCES += mkdocs.yml compose.yaml $(wildcard *.md) web/src/assets/font.css
$(DOCS_STAMP): requirements/docs.lock
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.lock
	@touch $@

$(SITE): $(DOCS_STAMP) $(MODULES) $(SITE_SOURCES)
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs build --strict
	@touch $@

docs: $(SITE) ## make-anew: the documentation as a site, in site/ (open site/index.html); links that lead nowhere end it

# What needs PyTorch, Ray, PettingZoo, Gymnasium or OpenSpiel, in an environment of its own.
$(TRAIN_STAMP): pyproject.toml tests/learn/requirements.txt
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check \
		-r tests/learn/requirements.txt --editable '.[env,openspiel,train,ray]'
	@touch $@

test-train: $(TRAIN_STAMP) ## test: the tests of learning and of the adapters; fetches PyTorch, Ray, Gymnasium, PettingZoo and OpenSpiel first
	$(TRAIN)/bin/python -c 'from coatl.compiler import jit; jit.load_packages()'
	$(TRAIN)/bin/python -m pytest tests/learn

architecture: setup ## make-anew: the tables of modules in docs/architecture.md, from the docstrings
	$(BIN)/python -m tools.architecture

observation: setup ## make-anew: docs/observation.md
	$(BIN)/python -m tools.observation_docs

rules: setup ## make-anew: docs/rules.md, from the rulebook
	$(BIN)/python -m tools.rules_docs

bench: setup ## measure: the speed of the kernel, the library and the bots
	$(BIN)/python -m bench

# Needs Gymnasium, so it runs where learning is tested.
bench-env: $(TRAIN_STAMP) ## measure: the vector environment beside Gymnasium's SyncVectorEnv of eight
	$(TRAIN)/bin/python -c 'from coatl.compiler import jit; jit.load_packages()'
	$(TRAIN)/bin/python -m bench.environments

# The engines we compare ourselves with, apart from what we need.
$(PEERS_STAMP): bench/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers.txt
	@touch $@

bench-peers: setup $(PEERS_STAMP) ## measure: the same beside other engines; fetches them first
	$(BIN)/python -m bench.beside

bench-server: setup postgres ## measure: the server under load
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.server_several

bench-hints: setup ## measure: how long a hint takes through the server
	$(BIN)/python -m bench.hints

bench-search: setup ## measure: how fast the bots search, and how long their turns take
	$(BIN)/python -m bench.search

# The first edition, against which the second is measured, is in the history (see the model card).
SEED ?= mine
strength: setup ## measure: every table of docs/strength.md anew: hours; it can be interrupted
	git show 6bfc1a7:src/coatl/players/weights/champion.npz > first.npz
	$(BIN)/python -m tools.strength --out .cache/strength --seed "$(SEED)" --first first.npz --jobs 2 --write

bench-server-beside: setup ## measure: the server beside that of version 0.1
	$(BIN)/python -m bench.server_beside

bench-processors: setup ## measure: code for any processor, as in the image, beside code for this one
	$(BIN)/python -m bench.processors

attack: setup $(PAGE) ## measure: what a hostile address does to a table beside it; ATTACKS='pings files' for some
	$(BIN)/python -m bench.attack $(ATTACKS)

# How often the server is killed while games are played.
KILLS ?= 100
chaos: setup postgres ## measure: kill the server KILLS=100 times, then processes on PostgreSQL; nothing may be lost
	$(COMPILE)
	$(BIN)/python -m tests.server.chaos $(KILLS)
	$(BIN)/python -m tests.server.chaos_several $(KILLS)

protocol: setup ## make-anew: docs/protocol.md, the JSON Schemas and the page's types, from the message types
	$(BIN)/python -m tools.protocol_types
	$(BIN)/python -m tools.protocol_docs
	$(BIN)/python -m tools.protocol_files

golden: setup ## make-anew: the golden transcripts (then read the diff)
	$(BIN)/python -m tests.golden

notebooks: setup ## make-anew: what the notebooks in examples/ show
	$(COMPILE)
	$(BIN)/python -m tools.notebooks

pictures: setup $(PAGE) browser ## make-anew: the pictures of the README and the docs
	$(COMPILE)
	$(BIN)/python -m tools.terminal_picture
	$(BIN)/python -m tools.table_picture
	$(BIN)/python -m tools.coatl_picture
	$(BIN)/python -m tools.page_pictures

screenshots: setup $(PAGE) browser ## make-anew: screenshots/ of every screen and dialog; SCENES='end* home' for some
	$(COMPILE)
	$(BIN)/python -m tools.screenshots $(SCENES)

format: setup ## test: put the Python code into its form
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# One resolution for all of them: what is in several has the same version everywhere. `make lock UPGRADE=--upgrade` takes
# newer versions. Nothing in the files says where packages come from.
UPGRADE ?=
UV := .venv-lock/bin/uv
LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" $(UPGRADE)
ALIKE = --constraint requirements/test.lock
$(UV): requirements/lock.in
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/lock.in
	@touch $@

lock: $(UV) ## release: the versions and hashes of what is installed (requirements/*.lock); UPGRADE=--upgrade for newer ones
	$(LOCK) pyproject.toml requirements/build.in --extra dev --output-file requirements/test.lock
	$(LOCK) requirements/build.in $(ALIKE) --output-file requirements/build.lock
	$(LOCK) pyproject.toml $(ALIKE) --output-file requirements/play.lock
	$(LOCK) pyproject.toml --extra postgres $(ALIKE) --output-file requirements/image.lock
	$(LOCK) requirements/deploy.in --output-file requirements/deploy.lock
	$(LOCK) requirements/docs.in --output-file requirements/docs.lock

# The lowest versions that pyproject.toml allows for what we need directly; the tools of the tests stay as they are.
LOWEST := .venv-lowest
LOWEST_STAMP := $(LOWEST)/.installed
$(LOWEST_STAMP): pyproject.toml $(UV)
	mkdir -p .cache
	$(UV) pip compile --quiet --resolution lowest-direct --python-version 3.11 --no-emit-index-url --no-header pyproject.toml \
		--output-file .cache/lowest.txt
	$(UV) venv --quiet --clear --python $(PYTHON) $(LOWEST)
	$(UV) pip install --quiet --compile-bytecode --python $(LOWEST) --constraint .cache/lowest.txt --editable '.[dev]'
	@touch $@

test-lowest: $(LOWEST_STAMP) $(PAGE) browser postgres ## release: the quick tests with the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/python -c 'from coatl.compiler import jit; jit.load_packages()'
	$(LOWEST)/bin/python -m pytest -n $$(($(CORES) + 1)) --dist worksteal $(QUICK) $(TESTS)

# What is built twice is the same: times are those of the last commit, and nothing else differs.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1577836800)
BUILD = SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(BIN)/python -m build --no-isolation --outdir
dist: setup ## release: the wheel and the source archive, in dist/
	rm -rf dist
	$(BUILD) dist .

reproducible: dist ## release: build both once more, elsewhere, and compare
	rm -rf .cache/again
	$(BUILD) .cache/again .
	@for file in dist/*; do cmp $$file .cache/again/$$(basename $$file) || exit 1; done
	@sha256sum dist/*

DEPLOY := .venv-deploy
DEPLOY_STAMP := $(DEPLOY)/.installed
$(DEPLOY_STAMP): requirements/deploy.lock
	$(PYTHON) -m venv $(DEPLOY)
	$(DEPLOY)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/deploy.lock
	@touch $@

CHECK := $(DEPLOY)/bin/check-jsonschema --quiet --builtin-schema vendor
# The unit is looked at with a program that is there, as systemd asks for it.
UNIT := .cache/unit/coatl.service
check-deploy: $(DEPLOY_STAMP) ## release: lint the image, the workflow and the service
	$(DEPLOY)/bin/hadolint Dockerfile
	$(DEPLOY)/bin/yamllint --strict .
	$(CHECK).github-workflows .github/workflows/*.yml
	$(CHECK).github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(CHECK).github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(CHECK).compose-spec compose.yaml
	$(CHECK).citation-file-format CITATION.cff
	$(DEPLOY)/bin/zizmor --offline --quiet .github/workflows
	@if ls dist/* > /dev/null 2>&1; then $(DEPLOY)/bin/twine check --strict dist/*; fi
	@if command -v systemd-analyze > /dev/null; then \
		mkdir -p $(dir $(UNIT)) && sed 's|^ExecStart=[^ ]*|ExecStart=/bin/true|' deploy/coatl.service > $(UNIT) \
		&& systemd-analyze verify $(UNIT) \
		&& systemd-analyze security --offline=true --threshold=15 --no-pager $(UNIT) > $(UNIT).txt; \
	else echo "systemd-analyze is not here: deploy/coatl.service was not checked"; fi

try-image: setup ## release: build the image and start it without a container engine (on Linux, as root)
	$(BIN)/python -m tools.try_image

check-release: setup ## release: do TAG, version, changelog and REPOSITORY fit together?
	$(BIN)/python -m tools.release check --tag '$(TAG)' --repository '$(REPOSITORY)'

clean: ## test: delete all that was installed and built here
	rm -rf $(VENV) $(PEERS) $(TRAIN) .venv-lock .venv-lowest .venv-deploy $(DOCS) site dist web/node_modules src/coatl/static screenshots .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
