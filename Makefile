# limit64: make demo, make test; make help lists the rest.

GO      ?= go
MODULES  = . cmd/loadgen bench fuzz/proof
TOOL     = $(GO) tool -modfile=$(CURDIR)/internal/tools/go.mod
COUNT    ?= 1

# in runs a command in every module.
in = @set -e; for m in $(MODULES); do echo "== $$m: $(1)"; (cd $$m && $(1)); done

.PHONY: help demo replay test check format vet staticcheck tidy cross race fuzz fuzz-long spin soak mutants browser bench bench-once bench-base bench-compare bench-peers

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

demo: ## drive the engine with made-up traffic for a few seconds and show what it does
	@cd cmd/loadgen && $(GO) run . demo $(ARGS)

replay: ## replay an access log: make replay LOG=/path/access.log ARGS="--limit token:60/m,burst=20"
	@cd cmd/loadgen && $(GO) run . replay $(abspath $(LOG)) $(ARGS)

test: ## all tests of every module
	$(call in,$(GO) test ./...)

check: DURATION = 30s
check: format vet staticcheck tidy cross race fuzz spin soak browser bench-once ## everything that must hold before a change lands

format: ## gofmt would change nothing
	@out=$$(gofmt -l .); test -z "$$out" || { echo "not formatted: $$out"; exit 1; }

vet: ## go vet
	$(call in,$(GO) vet ./...)

staticcheck: ## staticcheck
	$(call in,$(TOOL) staticcheck ./...)

tidy: ## go.mod and go.sum are tidy
	$(call in,$(GO) mod tidy -diff)
	@cd internal/tools && $(GO) mod verify >/dev/null

cross: ## it compiles for arm64 and 386, and its short tests pass on 386 where that runs
	$(call in,GOARCH=arm64 $(GO) vet ./...)
	$(call in,GOARCH=386 $(GO) vet ./...)
	@GOARCH=386 $(GO) test -run '^$$' ./bucket >/dev/null 2>&1 \
		&& GOARCH=386 $(GO) test -short ./... \
		|| { GOARCH=386 $(GO) test -run '^$$' ./bucket >/dev/null 2>&1 && exit 1 || echo "386 programs do not run here: compiled only"; }

race: ## short tests under the race detector, on 1, 2 and 8 processors (needs gcc)
	@command -v gcc >/dev/null || { apt-get update && apt-get install -y gcc libc6-dev; }
	$(call in,CGO_ENABLED=1 $(GO) test -race -short ./...)
	$(GO) test -short -cpu 1,2,8 ./...

fuzz: FUZZTIME = 500x
fuzz: fuzz-run ## each fuzz target for FUZZTIME, or 500 executions, after its seeds
fuzz-long: FUZZTIME = 10m
fuzz-long: fuzz-run ## the same for ten minutes each, or FUZZTIME

# Without a bound, the fuzzer spends a minute on making each new input small.
.PHONY: fuzz-run
fuzz-run:
	@set -e; for m in $(MODULES); do cd $(CURDIR)/$$m; for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "== $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$p; \
		done; \
	done; done

spin: ## verify the models of the protocol, and that spin refutes every mutant of them
	@{ command -v spin && command -v gcc; } >/dev/null || { apt-get update && apt-get install -y spin gcc libc6-dev; }
	fuzz/spin/run

soak: DURATION ?= 2m
soak: ## everything at once for DURATION, 2 minutes: floods, hot keys, sweeps, other limits, Close
	cd fuzz/proof && DURATION=$(DURATION) $(GO) test ./soak -count=1 -v -timeout 0

browser: ## loadgen's reports in a real browser, light and dark (needs chromium)
	@command -v chromium >/dev/null || { apt-get update && apt-get install -y --no-install-recommends chromium; }
	cd cmd/loadgen && BROWSER=required $(GO) test . -count=1 -run Browser

mutants: ## plant a fault of one line at a time in a copy, and see the tests fail (minutes)
	cd fuzz/proof && MUTANTS=1 $(GO) test ./mutants -count=1 -v -run NoMutant -timeout 40m

bench: ## the figures of the README, ratios in one run; COUNT=6 for benchstat
	$(GO) test -run '^$$' -bench . -count $(COUNT) ./bucket ./engine | tee bench.out
	@test $(COUNT) -lt 6 || $(TOOL) benchstat -filter '.name:/Take|GC/' -col /impl -ignore pkg bench.out

bench-base: ## keep the benchmarks of a commit, compiled: REF=HEAD
	cd bench && $(GO) run ./compare base -ref $(or $(REF),HEAD)

bench-compare: ## run them and the working tree's in turns; fails when that is slower, or allocates more
	cd bench && $(GO) run ./compare run -count $(if $(filter 1,$(COUNT)),8,$(COUNT))

bench-peers: ## limit64 beside every peer: tables and charts in bench/results (half an hour)
	cd bench && $(GO) run . -out results $(ARGS)

bench-once: ## every benchmark runs
	$(call in,$(GO) test -short -run '^$$' -bench . -benchtime 1x ./...)
