# Every target sets itself up; a clone needs `make serve` and `make test`, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ARGS ?=
SOURCES := rules protocol client server migrations tests bench examples

.DEFAULT_GOAL := help
.PHONY: help serve test check format vectors schema bench soak coverage wheel constraints clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("samedrop needs Python 3.11 or newer; set PYTHON=") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev --editable '.[server,postgresql]'
	@touch $@

serve: $(STAMP) ## start the server on this machine (ARGS="--port 8000" passes options)
	$(BIN)/samedrop serve $(ARGS)

test: $(STAMP) ## run the tests
	$(BIN)/python -m pytest $(ARGS)

check: $(STAMP) ## lint, format, types, import rules, drift of generated files, migrations
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.support.mirror
	$(BIN)/samedrop db check

format: $(STAMP) ## format the sources
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

vectors: $(STAMP) ## regenerate the golden playthroughs and frames under tests/vectors
	$(BIN)/python -m tests.vectors.generate

schema: $(STAMP) ## regenerate docs/protocol.schema.json from the message classes
	$(BIN)/python -m samedrop_protocol.schema docs/protocol.schema.json

bench: $(STAMP) ## run the benchmarks (ratios are taken in one run)
	$(BIN)/python -m bench

soak: $(STAMP) ## kill the server 25 times under 40 matches each; then 300 random orders of requests (ARGS="--rounds 5")
	$(BIN)/python -m bench.soak $(ARGS)

coverage: $(STAMP) ## run the tests and report what they do not reach
	$(BIN)/python -m pytest --cov --cov-report=term-missing $(ARGS)

wheel: $(STAMP) ## build the wheel into dist/
	$(BIN)/python -m build --wheel --outdir dist .

constraints: ## pin anew what is installed, at the newest versions that work together
	rm -rf $(VENV)-new && $(PYTHON) -m venv $(VENV)-new
	$(VENV)-new/bin/python -m pip install --quiet --upgrade pip
	$(VENV)-new/bin/python -m pip install --quiet --group dev --editable '.[server,postgresql]'
	$(VENV)-new/bin/python -m pip freeze --all --exclude-editable | grep -v -e '^samedrop' -e '^setuptools' > constraints.txt
	rm -rf $(VENV)-new

clean: ## remove everything that was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov
