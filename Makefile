PYTHON ?= python3
VENV ?= .venv
CONFIG ?= configs/quick.yaml
OUT ?= runs/quick
ARGS ?=

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-dev
DOCS := $(VENV)/.installed-docs
# Without the theme's notice about its own future, which is no warning about these pages.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs
# The oldest and the newest Gymnasium that the environments are tested with, each beside old and new PettingZoo.
MATRIX := $(foreach gymnasium,1.0.0 1.4.0,$(foreach pettingzoo,1.24.3 1.27.0,matrix-$(gymnasium)-$(pettingzoo)))
EXAMPLES := $(basename $(notdir $(sort $(wildcard examples/*_*.py))))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup train test mutants matrix $(MATRIX) lint fmt bench docs serve-docs clean examples \
	$(EXAMPLES:%=example-%)

help:  ## print this list
	@echo "make TARGET [PYTHON=python3] [VENV=.venv] [CONFIG=...] [OUT=...] [ARGS='...']"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "%-13s %s\n", $$1, $$2 }'

setup: $(STAMP)  ## make the virtual environment and install everything in it (the other targets do it themselves)

train: $(STAMP)  ## train with CONFIG (configs/quick.yaml) into the folder OUT (runs/quick)
	$(BIN)/makruk train --config $(CONFIG) --out $(OUT) $(ARGS)

test: $(STAMP)  ## run the tests; ARGS go to pytest, as in ARGS='-k perft -n 2'
	$(BIN)/python -m pytest $(ARGS)

mutants: $(STAMP)  ## put known faults into the code one by one and see a test fail each time; ARGS='--only 1 6'
	$(BIN)/python -m tests.mutants $(ARGS)

matrix: $(MATRIX)  ## run the tests of the environments with old and new Gymnasium and PettingZoo; ARGS go to pytest

examples: $(EXAMPLES:%=example-%)  ## train with each RL library for two minutes; example-NAME is one of them, ARGS go to it

lint: $(STAMP)  ## check style, formatting, types and layering; changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: $(STAMP)  ## format the code and repair what can be repaired
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP) $(VENV)/.installed-bench  ## measure the speed of the parts beside their peers; ARGS go to the benchmarks
	$(BIN)/python -m benchmarks $(ARGS)

# Not --quiet, which would hide the warnings from --strict too.
docs: $(DOCS)  ## build the documentation into site/; any warning is an error
	$(MKDOCS) build --strict
	@echo site/index.html

serve-docs: $(DOCS)  ## show it at http://127.0.0.1:8000, and build it anew at every change
	$(MKDOCS) serve

clean:  ## remove the virtual environments, caches and build products; runs/ stays
	rm -rf $(VENV) .venvs build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MATRIX): matrix-%: .venvs/matrix-%/.installed
	@echo "gymnasium $(word 1,$(subst -, ,$*)), pettingzoo $(word 2,$(subst -, ,$*)):"
	@.venvs/matrix-$*/bin/python -m pytest tests/envs $(ARGS)

# Nothing but what these tests need: no pictures, no training. The package is found in the present folder.
$(MATRIX:%=.venvs/%/.installed): .venvs/matrix-%/.installed: Makefile constraints.txt
	@$(PYTHON) -m venv $(@D)
	@grep -v -i -E '^(gymnasium|pettingzoo)==' constraints.txt >$(@D)/constraints.txt
	@$(@D)/bin/python -m pip install --quiet -c $(@D)/constraints.txt numpy numba platformdirs pytest \
		gymnasium==$(word 1,$(subst -, ,$*)) pettingzoo==$(word 2,$(subst -, ,$*))
	@touch $@

$(EXAMPLES:%=example-%): example-%: .venvs/%/.installed
	.venvs/$*/bin/python -W ignore examples/$*.py $(ARGS)

$(EXAMPLES:%=.venvs/%/.installed): .venvs/%/.installed: examples/requirements/%.txt pyproject.toml
	@$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet -r $< -e .
	@touch $@

# Asking for pip, not for the folder, also repairs an environment whose making was interrupted.
$(VENV)/.installed-%: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with PYTHON=...")'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[$*]"
	@touch $@
