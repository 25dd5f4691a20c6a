# Two commands for a newcomer: `make demo` and `make test`. Everything else is a part of them.
BUILD ?= build
ASAN  ?= build-asan
CHECKED ?= build-checked
FUZZ  ?= build-fuzz
JOBS  ?= $(shell nproc)
CMAKE  = cmake -G Ninja -S . $(CMAKE_ARGS)

.PHONY: all build demo test bench bench-switches bench-instructions bench-terms bench-abstraction bench-minimization bench-ic3cfa bench-ctigar bench-treeic3 bench-profile bench-programs bench-verilog bench-evidence bench-reports bench-scale bench-spread bench-sharing format lint deps unit asan-build asan asan-all checked fuzz fuzz-smoke fuzz-build fuzz-c fuzz-libc fuzz-verilog fuzz-st checks docs mutants stress stress-lsp install deb deb-test clean

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
	@tools/check_format.sh

bench: build ## benchmarks, side by side with ABC; writes docs/benchmarks.md
	@python3 bench/run.py --build $(BUILD) $(BENCH_ARGS)

bench-switches: build ## ic3's switches one by one, in processor time
	@python3 bench/ablation.py --build $(BUILD) $(BENCH_ARGS)

bench-instructions: build ## callgrind counts of three models against bench/instructions.json
	@tools/install_deps.sh bench
	@python3 bench/instructions.py --build $(BUILD) $(BENCH_ARGS)

bench-terms: build ## transition systems, suite by suite: ic3ia, auto and Z3
	@python3 bench/terms.py --build $(BUILD) $(BENCH_ARGS)

bench-abstraction: build ## ic3ia against IC3 without abstraction on linear real arithmetic
	@python3 bench/figures.py abstraction --build $(BUILD) $(BENCH_ARGS)

bench-minimization: build ## ic3ia with and without predicate minimization
	@python3 bench/figures.py minimization --build $(BUILD) $(BENCH_ARGS)

bench-ic3cfa: build ## configurations of ic3cfa on C programs (BENCH_ARGS=--all: not a sample)
	@python3 bench/ic3cfa.py --build $(BUILD) $(BENCH_ARGS)

bench-ctigar: build ## configurations of ctigar on the files of the paper's sets
	@python3 bench/ctigar.py --build $(BUILD) $(BENCH_ARGS)

bench-treeic3: build ## presets of treeic3 beside ic3ia and ic3cfa (BENCH_ARGS=--all: not a sample)
	@python3 bench/treeic3.py --build $(BUILD) $(BENCH_ARGS)

bench-profile: build ## share of time outside the solvers, longest runs of bench-terms
	@python3 bench/shares.py --build $(BUILD) $(BENCH_ARGS)

bench-verilog: build ## designs of tests/verilog along every route, beside ABC and Icarus Verilog
	@tools/install_deps.sh bench
	@python3 bench/verilog.py --build $(BUILD) $(BENCH_ARGS)

bench-evidence: build ## evidence about the shared collection given to Z3, cvc5, ABC and gcc
	@tools/install_deps.sh bench
	@python3 bench/evidence.py --build $(BUILD) $(BENCH_ARGS)

bench-reports: build ## 40 reports of all formats, opened in headless Chromium
	@tools/install_deps.sh browser
	@python3 bench/reports.py --build $(BUILD) $(BENCH_ARGS)

bench-scale: build ## what a run, a row and a task of a campaign cost (docs/scale.md)
	@python3 bench/scale.py --build $(BUILD) $(BENCH_ARGS)

bench-spread: build ## a hard model on one core and on a cluster with two nodes
	@python3 bench/spread.py --build $(BUILD) $(BENCH_ARGS)

bench-sharing: build ## seeds of ic3 at once, each for itself and with shared lemmas
	@python3 bench/sharing.py --build $(BUILD) $(BENCH_ARGS)

bench-programs: build ## C programs, folder by folder: auto and ic3cfa
	@python3 bench/programs.py --build $(BUILD) $(BENCH_ARGS)

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
