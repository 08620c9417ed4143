# One command for each thing. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
WORKERS ?= auto
BENCHES := $(filter-out bench/timing.py,$(wildcard bench/*.py))

.PHONY: help setup test unit client quick check layers bench coverage mutants docs site changelog picture page install uninstall plugin dist release clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

$(STAMP): pyproject.toml requirements/dev.txt requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "hookwright needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is incomplete; Debian, Ubuntu: sudo apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

setup: $(STAMP) ## create .venv with everything that development needs

test: $(STAMP) ## run every test; the real Claude Code clients are fetched first (1 GB, once), without them one line says what was skipped
	@scripts/test_tools.sh
	@$(BIN)/python -m tests.client.kit.install --optional
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

unit: $(STAMP) ## every test but those that drive the real client
	@scripts/test_tools.sh
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not client"

fuzz-client: $(STAMP) ## random scenes through the real client and the engine; N=200 cases, what differs is minimised into build/fuzz
	$(BIN)/python -m tests.conformance.fuzz -n $(or $(N),100) --keep build/fuzz $(if $(SEED),--seed $(SEED))

client: $(STAMP) ## fetch the pinned Claude Code clients that the tests drive, or say why that failed
	$(BIN)/python -m tests.client.kit.install

quick: $(STAMP) ## the inner loop, a minute or two: no client, no slow tests, few random examples (T=tests/shell for a part)
	HOOKWRIGHT_QUICK=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not client and not slow" $(T)

check: $(STAMP) layers ## lint, types, layers, docs drift, the site without a dead link
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	scripts/generate.sh $(BIN)/python --check
	$(BIN)/python scripts/site.py

layers: $(STAMP) ## who may import whom, and no import cycles
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/check_cycles.py

coverage: $(STAMP) ## which lines the tests without the client reach; the hook process itself runs outside of it
	HOOKWRIGHT_QUICK=1 $(BIN)/coverage run -m pytest -q -m "not client" $(T)
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report

mutants: $(STAMP) ## mutation testing: changes of the code that no test notices (S="dispatch merge hooks"; default: the rules)
	$(BIN)/python scripts/mutants.py $(or $(S),rules) --min 85

fuzz-approve: $(STAMP) ## random commands: what approve lets pass is run without network and watched (N=100000)
	$(BIN)/python scripts/fuzz_approve.py $(or $(N),100000)

docs: $(STAMP) ## make the generated pages and tables anew
	scripts/generate.sh $(BIN)/python

site: $(STAMP) ## build the documentation as a searchable site into dist/site; a dead link is an error
	$(BIN)/python scripts/site.py

changelog: $(STAMP) ## show the next release's changelog, assembled from the fragments
	$(BIN)/python -m towncrier build --draft --version next

picture: $(STAMP) client ## record docs/picture.svg from a session of the real Claude Code client
	$(BIN)/python scripts/picture.py

page: $(STAMP) ## render docs/page.png from a real page (needs Chromium)
	$(BIN)/python scripts/page_picture.py

bench: $(STAMP) ## measure: ratios in one run, with the bars
	@for bench in $(BENCHES); do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

install: ## set hookwright up for you: its own environment, then `hookwright install`; asks, if there is a terminal
	@$(PYTHON) scripts/setup_user.py $(if $(YES),--yes)

uninstall: ## remove all of it again: settings entries, launcher, environment, cache, journal and ledger
	@$(PYTHON) scripts/setup_user.py --remove $(if $(YES),--yes)

plugin: $(STAMP) ## build the Claude Code plugin that needs no installed hookwright into dist/plugin
	$(BIN)/python scripts/build_plugin.py

conformance: $(STAMP) ## the conformance table as one file of data, dist/claude-code-hooks.json
	$(BIN)/python scripts/conformance_data.py dist/claude-code-hooks.json

dist: $(STAMP) ## build the wheel and the source distribution into dist/
	$(BIN)/python -m build --no-isolation --outdir dist .

release: $(STAMP) ## prepare a release: make release VERSION=0.2.0 (version, changelog, commit, tag; nothing is pushed)
	$(BIN)/python scripts/release.py prepare $(VERSION)

clean: ## remove what make created
	rm -rf $(VENV) .venv-* dist build .mypy_cache .ruff_cache .pytest_cache
