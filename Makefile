# The project's commands. `make help` lists them.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS ?= 2
BENCH ?= # options of the benchmark, such as --quick --peers ruff,ty

.DEFAULT_GOAL := help
.PHONY: help demo test lint format docs conformance fuzz bench clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/runtime.stamp: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev,oracle]'
	@touch $@ $(VENV)/runtime.stamp

demo: $(VENV)/runtime.stamp ## check two small programs: one with mistakes, one clean (no torch needed)
	@echo '$$ ts-lsp check examples/mistakes.py'
	@$(BIN)/ts-lsp check examples/mistakes.py || test $$? -eq 1
	@echo
	@echo '$$ ts-lsp check examples/clean.py'
	@$(BIN)/ts-lsp check examples/clean.py

lint: $(VENV)/dev.stamp ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint ## everything: lint, types, all tests (the real compiler included)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

format: $(VENV)/dev.stamp ## rewrite the sources the way ruff wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/runtime.stamp ## write the generated pages of docs/ again
	$(BIN)/python -m scripts.generate_docs --write

conformance: $(VENV)/dev.stamp ## compare the twin with the real compiler on PyTorch's own tests
	$(BIN)/python -m scripts.conformance

fuzz: $(VENV)/dev.stamp ## compare the twin with the real compiler on random functions, for a minute
	$(BIN)/python -m scripts.fuzz

bench: $(VENV)/dev.stamp ## time, CPU and memory of the server and of `check`, beside other servers
	$(BIN)/python -m scripts.bench $(BENCH)

clean: ## remove what the commands above made
	rm -rf $(VENV) .bench .mypy_cache .pytest_cache .ruff_cache .hypothesis
