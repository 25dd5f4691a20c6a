# Two commands for a newcomer: `make demo` and `make test`. Everything else is a part of them.
BUILD ?= build
ASAN  ?= build-asan
CHECKED ?= build-checked
FUZZ  ?= build-fuzz
JOBS  ?= $(shell nproc)
CMAKE  = cmake -G Ninja -S . $(CMAKE_ARGS)

.PHONY: all build demo test bench format lint deps unit asan-build asan asan-all checked fuzz fuzz-smoke fuzz-build fuzz-c fuzz-libc fuzz-verilog fuzz-st checks docs mutants stress stress-lsp install deb deb-test clean

all: build

deps: ## installs missing Debian packages; silent and offline when all is there
	@tools/install_deps.sh build

build: deps ## build/lemmata
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release > $(BUILD).log 2>&1 || (cat $(BUILD).log; rm -f $(BUILD).log; false)
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) -j $(JOBS)

demo: deps ## checks the bundled examples and validates their evidence
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release > /dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target lemmata lemmata-validate
	@python3 tools/demo.py $(BUILD)

test: build checks unit asan fuzz-smoke ## all tests
	@echo "make test: everything passed"

unit: build
	@tools/install_deps.sh cluster || echo "make test: no Slurm here, tests of clusters are skipped"
	@tools/install_deps.sh browser
	@cd $(BUILD) && ctest -j $(JOBS) --output-on-failure --no-tests=error

# What reads files and keeps the data; `make asan-all` adds engines, transforms, solvers, the front
# end for C and the application, which takes three times as long to build.
SANITIZED = unit_base unit_sat unit_term unit_frontend unit_check unit_writer

# One instrumented build for unit tests and libFuzzer's targets. Without optimization it compiles in
# half the time; `make fuzz`, which runs for long, has a faster one of its own.
INSTRUMENTED = $(CMAKE) -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug -DLEM_SANITIZE=ON

# Instrumented frames without optimization are ten times as large; limits of recursion are for
# frames of the release.
DEEP_STACK = ulimit -s 65536

asan-build: deps
	@tools/install_deps.sh fuzz
	@$(INSTRUMENTED) -B $(ASAN) -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DLEM_C=OFF > /dev/null
	@cmake --build $(ASAN) -j $(JOBS) --target $(SANITIZED) fuzz_targets

asan: asan-build ## unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@cd $(ASAN) && $(DEEP_STACK) && ctest -j $(JOBS) --output-on-failure --no-tests=error -L '^unit_(base|sat|term|frontend|check|writer)$$'

asan-all: deps ## all unit tests under the sanitizers
	@tools/install_deps.sh fuzz
	@$(INSTRUMENTED) -B $(ASAN)-all -DCMAKE_CXX_FLAGS_DEBUG=-O0 > /dev/null
	@cmake --build $(ASAN)-all -j $(JOBS) --target unit_tests
	@cd $(ASAN)-all && $(DEEP_STACK) && ctest -j $(JOBS) --output-on-failure --no-tests=error -L '^unit_'

# The contracts of the algorithms cost queries: lemmas are inductive when they are added, frames are
# monotone, obligations replay. Random models are small enough for them.
checked: deps ## engines on random models with the costly assertions on
	@$(CMAKE) -B $(CHECKED) -DCMAKE_BUILD_TYPE=Release -DLEM_CHECKED=ON > /dev/null
	@cmake --build $(CHECKED) -j $(JOBS) --target fuzz
	@cd $(CHECKED) && ctest -j $(JOBS) --output-on-failure --no-tests=error -R '(EnginesFuzz|^CfaFuzz)'

fuzz-build: deps
	@tools/install_deps.sh fuzz
	@$(INSTRUMENTED) -B $(FUZZ) -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DLEM_C=OFF > /dev/null
	@cmake --build $(FUZZ) -j $(JOBS) --target fuzz_targets

fuzz-smoke: asan-build ## every libFuzzer target over its corpus and a fixed number of inputs
	@$(DEEP_STACK) && python3 tools/fuzz.py $(ASAN) --runs

fuzz: fuzz-build ## libFuzzer, all targets in turn for MINUTES in total; keeps what it finds in build-fuzz
	@python3 tools/fuzz.py $(FUZZ) --minutes $(or $(MINUTES),10) $(FUZZ_ARGS)

fuzz-c: build ## COUNT random C programs against exhaustive native execution, in both data models
	@python3 tests/fuzz/c/campaign.py --build $(BUILD) --first 2001 --count $(or $(COUNT),2000) --limit 0 $(FUZZ_ARGS)

fuzz-st: build ## COUNT random programs in Structured Text against an interpreter written from the standard
	@python3 tests/fuzz/st/campaign.py --build $(BUILD) --first 2001 --count $(or $(COUNT),500) $(FUZZ_ARGS)

fuzz-verilog: build ## COUNT random SystemVerilog designs with assertions everywhere against exhaustive simulation in Icarus
	@python3 tests/fuzz/verilog/campaign.py --build $(BUILD) --first 1001 --count $(or $(COUNT),1000) $(FUZZ_ARGS)

fuzz-libc: build ## COUNT random programs that call the C library against the compiled program, over all small inputs
	@python3 tests/fuzz/libc/campaign.py --build $(BUILD) --first 2001 --count $(or $(COUNT),500) $(FUZZ_ARGS)

checks: build ## layers, names, options, sizes, references, formatting
	@tools/install_deps.sh format
	@python3 tools/check_layers.py
	@python3 tools/check_options.py $(BUILD)/lemmata
	@python3 tools/engine_docs.py $(BUILD)/lemmata --check
	@python3 tools/check_names.py
	@python3 tools/check_sizes.py
	@python3 tests/mutants/run.py --check --build $(BUILD)
	@python3 tools/check_references.py
	@python3 tools/check_snippets.py
	@python3 tools/check_walk.py
	@tools/check_format.sh

# NAME is a file of bench/: ablation ctigar evidence figures ic3cfa instructions
# programs properties reports scale shares sharing spread st terms treeic3 verilog; docs/benchmarks.md
# says what they measure. Without a name: run, the contest with ABC, which writes that page.
bench: build ## bench/NAME.py with BENCH_ARGS; without NAME side by side with ABC
	@tools/install_deps.sh $(if $(filter reports,$(NAME)),browser,bench)
	@python3 bench/$(or $(NAME),run).py --build $(BUILD) $(BENCH_ARGS)

# Not part of `make test`, which asks only whether the patches still apply. MUTANTS_ARGS=--resume goes
# on where it was stopped.
mutants: build ## deliberate faults, one at a time: does a test notice each? (MUTANTS_ARGS=name)
	@nice python3 tests/mutants/run.py --build $(BUILD) --jobs $(JOBS) $(MUTANTS_ARGS)

format: ## rewrites our sources with clang-format
	@tools/install_deps.sh format
	@tools/check_format.sh --fix

docs: build ## option tables of docs/engines.md, transcripts of README.md
	@python3 tools/engine_docs.py $(BUILD)/lemmata
	@python3 tools/readme_transcripts.py $(BUILD)/lemmata

RUNS ?= 200
stress: build ## RUNS=200 runs on a busy machine, ended in every way: nothing may be left behind
	@python3 tests/stress/stress.py --build $(BUILD) --runs $(RUNS) $(STRESS_ARGS)

stress-lsp: build ## EDITS=1000 random edits in the language server: no crash, nothing stale, nothing left
	@python3 tests/stress/lsp_edits.py --build $(BUILD) --edits $(or $(EDITS),1000)

PREFIX ?= /usr/local

install: build ## programs, manual page, completion and examples to $(DESTDIR)$(PREFIX)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX) > /dev/null
	@echo "install: $(DESTDIR)$(PREFIX)"

deb: build ## a package for Debian in $(BUILD)
	@tools/install_deps.sh package
	@cd $(BUILD) && cpack -G DEB > cpack.log || { cat cpack.log; exit 1; }
	@ls $(BUILD)/*.deb

deb-test: deb ## the package in a fresh Debian: make demo with what it installed
	@tools/install_deps.sh chroot
	@tools/package_test.sh $(BUILD)

lint: build ## clang-tidy over our sources
	@tools/install_deps.sh lint
	@tools/lint.sh $(BUILD)

clean:
	rm -rf $(BUILD) $(ASAN) $(ASAN)-all $(CHECKED) $(FUZZ)
