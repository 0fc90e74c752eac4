# Two commands for people: `make play` and `make test`. Both set up their own environment in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LANG_ARG := $(if $(TAAL),--lang $(TAAL),)

.PHONY: play test check bench spec vectors picture clean

play: $(VENV)/.installed
	@$(BIN)/duizenden play $(LANG_ARG)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/.installed-dev
	$(BIN)/python tests/bench/run.py

spec: $(VENV)/.installed-dev
	$(BIN)/python spec/generate.py

vectors: $(VENV)/.installed-dev
	$(BIN)/python tests/vectors/generate.py
	$(BIN)/python tests/vectors/wire.py

picture: $(VENV)/.installed-dev
	$(BIN)/python tests/pictures/readme.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Duizenden needs Python 3.11 or newer (set PYTHON=python3.12, say)"; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Duizenden and what it needs (once) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need (once) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group dev
	@touch $@

clean:
	rm -rf $(VENV) dist build
