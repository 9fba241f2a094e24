# The project's commands. `make help` lists them.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS ?= 2
EDITORS := .editors
EXTENSION := vscode-extension
# Suites that are independent of each other; each installs what it needs.
EDITOR_SUITES := test-vscode test-neovim test-emacs test-vim test-jupyter
BENCH ?= # options of the benchmark, such as --quick --peers ruff,ty

.DEFAULT_GOAL := help
.PHONY: help demo test lint format docs conformance fuzz bench packages release extension test-editors $(EDITOR_SUITES) \
	test-vscode-host $(EXTENSION)/out/test clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

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

docs: $(VENV)/runtime.stamp ## write the generated pages of docs/ and the settings of the extension again
	$(BIN)/python -m scripts.generate_docs --write
	$(BIN)/python -m scripts.screenshot
	$(BIN)/python -m scripts.vscode_manifest --write

conformance: $(VENV)/dev.stamp ## compare the twin with the real compiler on PyTorch's own tests
	$(BIN)/python -m scripts.conformance

fuzz: $(VENV)/dev.stamp ## compare the twin with the real compiler on random functions, for a minute
	$(BIN)/python -m scripts.fuzz

bench: $(VENV)/dev.stamp ## time, CPU and memory of the server and of `check`, beside other servers
	$(BIN)/python -m scripts.bench $(BENCH)

packages: $(VENV)/dev.stamp ## wheel and sdist in dist/, tried with every Python that is here; the hook and the action, too
	$(PIP) --editable '.[packages]'
	$(BIN)/python -m scripts.packages

release: $(VENV)/runtime.stamp ## one version everywhere: make release VERSION=1.2.3
	$(BIN)/python -m scripts.release $(VERSION)

PLAYGROUND := playground
.PHONY: playground test-playground

$(PLAYGROUND)/node_modules/stamp: $(PLAYGROUND)/package.json $(PLAYGROUND)/package-lock.json
	cd $(PLAYGROUND) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

playground: $(VENV)/runtime.stamp $(PLAYGROUND)/node_modules/stamp ## the page with the server in it: playground/dist
	rm -rf $(PLAYGROUND)/.build
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(PLAYGROUND)/.build .
	$(PIP) --no-deps --no-compile --target $(PLAYGROUND)/.build/site \
		--requirement $(PLAYGROUND)/requirements.txt $(PLAYGROUND)/.build/*.whl
	$(BIN)/python -m scripts.rule_examples > $(PLAYGROUND)/.build/data.json
	cd $(PLAYGROUND) && npm run --silent check && npm run --silent build

test-playground: playground ## the page in headless Chromium, as a person uses it
	test -n "$$CHROMIUM" || scripts/editors/apt-packages.sh chromium fonts-dejavu-core
	cd $(PLAYGROUND) && npm run --silent test

$(EDITORS)/extension.stamp: $(EXTENSION)/package.json $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(EDITORS) && touch $@

extension: $(EDITORS)/extension.stamp | $(BIN)/python ## the VS Code extension with the server in it: dist/ts-lsp.vsix
	PYTHON=$(abspath $(BIN)/python) scripts/editors/bundle-server.sh $(EXTENSION)/bundled
	cd $(EXTENSION) && npm run --silent check && npm run --silent build
	@mkdir -p dist
	cd $(EXTENSION) && npm run --silent package -- --out ../dist/ts-lsp.vsix

$(EDITORS)/code-server.stamp: scripts/editors/code-server.sh
	scripts/editors/apt-packages.sh build-essential python3 ripgrep
	scripts/editors/code-server.sh $(abspath $(EDITORS)/code-server)
	@touch $@

test-editors: $(EDITOR_SUITES) ## the real editors with the server; each suite installs what it needs

$(EXTENSION)/out/test: extension $(VENV)/dev.stamp $(EDITORS)/code-server.stamp
	scripts/editors/apt-packages.sh chromium fonts-dejavu-core
	cd $(EXTENSION) && npm run --silent build-tests

WORKBENCH = $(EXTENSION)/out/test/workbench.js --extension dist/ts-lsp.vsix --code-server $(EDITORS)/code-server \
	--python $(BIN)/python --output $(EDITORS)/vscode

test-vscode: $(EXTENSION)/out/test ## VS Code with the extension, in a browser; pictures go to .editors/vscode
	node $(WORKBENCH)

test-vscode-host: $(EXTENSION)/out/test ## of those the tests inside the extension host alone
	node --test-name-pattern='inside the extension host' $(WORKBENCH)

test-neovim: $(VENV)/dev.stamp ## a session in Neovim
	TS_LSP_EDITORS=neovim $(BIN)/python -m pytest tests/editors

test-emacs: $(VENV)/dev.stamp ## a session in Emacs
	scripts/editors/emacs.sh
	TS_LSP_EDITORS=emacs $(BIN)/python -m pytest tests/editors

test-vim: $(VENV)/dev.stamp ## a session in Vim with ALE
	scripts/editors/apt-packages.sh vim vim-ale
	TS_LSP_EDITORS=vim $(BIN)/python -m pytest tests/editors

$(EDITORS)/jupyter.stamp: pyproject.toml
	$(PYTHON) -m venv $(EDITORS)/jupyter
	$(EDITORS)/jupyter/bin/python -m pip install --quiet --disable-pip-version-check \
		'jupyterlab==4.*' 'jupyterlab-lsp==5.*' playwright --editable .
	@touch $@

test-jupyter: $(VENV)/dev.stamp $(EDITORS)/jupyter.stamp ## a session in a notebook of JupyterLab, in a browser
	scripts/editors/apt-packages.sh chromium fonts-dejavu-core
	TS_LSP_EDITORS=jupyter $(BIN)/python -m pytest tests/editors

clean: ## remove what the commands above made
	rm -rf $(VENV) .bench .mypy_cache .pytest_cache .ruff_cache .hypothesis $(EDITORS) dist \
		$(EXTENSION)/node_modules $(EXTENSION)/out $(EXTENSION)/bundled \
		$(PLAYGROUND)/node_modules $(PLAYGROUND)/.build $(PLAYGROUND)/dist $(PLAYGROUND)/.screenshots
