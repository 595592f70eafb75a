# Two commands matter: `make run` starts Mneme, `make test` checks it.  Both install what is missing first.
# Needed: Python 3.11 or newer, git, make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

# Without byte code every start compiles all that it imports: seconds instead of one.
unexport PYTHONDONTWRITEBYTECODE

# Types are checked beside the first tests.
MAKEFLAGS += --jobs=2

.DEFAULT_GOAL := help
.PHONY: help run setup test lint types rules unit models wheel lock clean

help:            ## show this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*## /\t/' | expand -t 10

run: setup       ## set up what is missing, then start (Telegram with a token, terminal chat without)
	@$(BIN)/python -m bot run

setup: $(VENV)/.ready  ## set up only: virtual environment, locked packages, local models

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
# What only makes the models is installed beside the rest at the same time, and removed when they are made.
LOCKED   := --quiet --no-compile --no-deps --require-hashes
BUILDERS := $(CURDIR)/$(VENV)/build
BUILD    := rm -rf $(BUILDERS) && $(PIP) install $(LOCKED) --target $(BUILDERS) -r requirements-build.lock
SITE     := $(VENV)/lib/python*/site-packages
# A confined reader of documents may write none: without its own each document costs a second more.
FORMATS  := adapters.documents.formats
READERS  := adapters.documents.worker, $(FORMATS).epub, $(FORMATS).mail, $(FORMATS).office, $(FORMATS).pdf, mammoth, openpyxl, trafilatura
# An update that changes these makes the models anew.
MODELS   := adapters/embedding/files.py adapters/embedding/answers.npz adapters/embedding/changes.npz
$(VENV)/.ready: $(VENV)/bin/python requirements.lock requirements-build.lock requirements-unused.txt prune.py $(MODELS)
	@echo "[2/3] packages from requirements.lock (about 200 MB on disk; half a minute or two)"
	@($(BUILD)) & $(PIP) install $(LOCKED) --progress-bar on -r requirements.lock; done=$$?; wait $$! && exit $$done
	@PYTHONPATH=$(BUILDERS) $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@$(PYTHON) prune.py $(SITE)
	@echo "[3/3] local embedding models"
	@PYTHONPATH=$(BUILDERS) $(BIN)/python -m bot setup & \
	$(BIN)/python -c "import logging; logging.disable(logging.WARNING); import bot.compose.entry_points, bot.compose.telegram, bot.compose.memory_server, memory_server.serve; import $(READERS)"; done=$$?; wait $$! && exit $$done
	@rm -rf $(BUILDERS)
	@touch $@

models: $(VENV)/.ready  ## make the embedding models anew: after damage
	@$(BUILD) && PYTHONPATH=$(BUILDERS) $(BIN)/python -m bot setup --anew; done=$$?; rm -rf $(BUILDERS); exit $$done

wheel: $(VENV)/.ready-dev  ## the wheel that pip, pipx and uvx install: dist/mneme-*.whl
	@$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@echo "packages of the tests from requirements-dev.lock"
	@rm -rf $(SITE)/babel-* $(SITE)/lightrag_hku-*  # whole again: tests read every locale, and try its storages
	@$(PIP) install --quiet --no-compile --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

COMPILE = uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet $(UPGRADE)
RUNTIME = numpy packaging typing-extensions
# What others name and nothing imports: LightRAG what its own storages and models use, ONNX Runtime formats of models that
# are not made here, and what packages are built with.
UNIMPORTED = networkx nano-vectordb pipmaster protobuf flatbuffers cryptography cffi pycparser setuptools
NO_EMIT = $(addprefix --no-emit-package ,$1)
lock:            ## write the lock files anew, with UPGRADE=--upgrade also newer versions (needs uv)
	$(COMPILE) pyproject.toml --extra all --group bundled $(call NO_EMIT,$(UNIMPORTED)) --output-file requirements.lock
	$(COMPILE) --group build --constraint requirements.lock $(call NO_EMIT,$(RUNTIME)) --output-file requirements-build.lock
	printf 'psycopg[binary]>=3.2\n' | $(COMPILE) - --constraint requirements.lock $(call NO_EMIT,typing-extensions) --output-file requirements-postgres.lock
	$(COMPILE) pyproject.toml --extra all --group bundled --group build --group dev --constraint requirements.lock --constraint requirements-build.lock --output-file requirements-dev.lock

clean:           ## remove the virtual environment
	rm -rf $(VENV)
