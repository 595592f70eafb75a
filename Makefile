# Two commands matter: `make run` starts Mneme, `make test` checks it.  Both install what is missing first.
# Needed: Python 3.11 or newer, git, make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

# Without byte code every start compiles all that it imports: seconds instead of one.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run setup test lint types rules unit lock clean

help:            ## show this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*## /\t/' | expand -t 10

run: setup       ## set up what is missing, then start (Telegram with a token, terminal chat without)
	@$(BIN)/python -m bot run

setup: $(VENV)/.ready  ## set up only: virtual environment, locked packages, local model

test: $(VENV)/.ready-dev lint types rules unit  ## lint, types, architecture rules and tests

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready-dev
	$(BIN)/mypy

rules: $(VENV)/.ready-dev
	$(BIN)/lint-imports

unit: $(VENV)/.ready-dev
	$(BIN)/pytest -n 4 --dist worksteal

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Mneme needs Python 3.11 or newer; name one with: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "[1/3] virtual environment in $(VENV)/"
	@$(PYTHON) -m venv $(VENV)

# The locks are complete, so nothing is resolved: LightRAG would ask for spreadsheets and cloud clients.
# Byte code is made only for what is imported (the last step): all of it would be another 90 MB.
$(VENV)/.ready: $(VENV)/bin/python requirements.lock
	@echo "[2/3] packages from requirements.lock (about 500 MB on disk; a minute or two)"
	@$(PIP) install --quiet --progress-bar on --no-compile --no-deps --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@echo "[3/3] local embedding model"
	@$(BIN)/python -m bot setup
	@$(BIN)/python -c "import logging; logging.disable(logging.WARNING); import bot.compose.entry_points, bot.compose.telegram, bot.compose.memory_server, memory_server.serve"
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@echo "packages of the tests from requirements-dev.lock"
	@$(PIP) install --quiet --no-compile --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

lock:            ## write both lock files anew (needs uv)
	uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet --upgrade --output-file requirements.lock
	uv pip compile pyproject.toml --group build --group dev --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet --upgrade --constraint requirements.lock --output-file requirements-dev.lock

clean:           ## remove the virtual environment
	rm -rf $(VENV)
