# One command for each thing. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
WORKERS ?= auto
BENCHES := $(filter-out bench/timing.py,$(wildcard bench/*.py))

.PHONY: help setup test check bench docs picture install clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

$(STAMP): pyproject.toml requirements/dev.txt requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "hookwright needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

setup: $(STAMP) ## create .venv with everything that development needs

test: $(STAMP) ## run every test, the real Claude Code client included
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(STAMP) ## lint, types, layers, docs drift
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	scripts/generate.sh $(BIN)/python --check

docs: $(STAMP) ## make the generated pages and tables anew
	scripts/generate.sh $(BIN)/python

picture: $(STAMP) ## render docs/picture.svg from a real run
	$(BIN)/python scripts/picture.py

bench: $(STAMP) ## measure: ratios in one run, with the bars
	@for bench in $(BENCHES); do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

install: ## set hookwright up for you: its own environment, then `hookwright install` with the diff first
	@$(PYTHON) scripts/setup_user.py $(if $(YES),--yes)

clean: ## remove what make created
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
