# Everything a developer does, by name. The tools that only developers need run by
# pinned version, so that go.mod stays the product's.

GOLANGCI  = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT   = mvdan.cc/gofumpt@v0.12.0

# SQLite is C that was translated to Go. Its memory lies outside Go's heap, where the race
# detector sees nothing, and yet it asks about each access: two thirds of the processor that
# the store's tests took. The libraries that compare the cells of a screen and measure its
# texts ask as often: half of what a story with a screen took; and so does the compiler in the
# second SQLite of the store's tests. So these are built without, and what calls them, Bubble
# Tea with its goroutines and locks included, is watched as all else is. The linker takes one
# copy of generic code for all: no package may stand here that has generic code of ours or of
# sync/atomic; theirs only reads strings. And with the detector comes a check of each pointer
# that reflect makes, a fifth of what comparing values took; we make none by hand.
# internal/harness and .ci/steady build in the same way.
export UNWATCHED = -gcflags=modernc.org/sqlite/lib=-race=false \
	-gcflags=github.com/charmbracelet/ultraviolet=-race=false -gcflags=github.com/charmbracelet/x/ansi=-race=false \
	-gcflags=github.com/clipperhouse/displaywidth=-race=false -gcflags=github.com/clipperhouse/uax29/v2/graphemes=-race=false \
	-gcflags=github.com/tetratelabs/wazero/internal/engine/wazevo/backend/...=-race=false \
	-gcflags=reflect=-d=checkptr=0

# A program with the race detector waits a second at its end for the last reports, by default:
# half a minute over all packages. This is long enough for what is still being told.
export GORACE ?= atexit_sleep_ms=20

# The race detector needs cgo and a C compiler. Where there is none the tests run
# without it, and say so; CI requires it.
CC_FOUND := $(shell command -v gcc || command -v clang || command -v cc)
ifeq ($(CC_FOUND),)
  RACE =
  RACE_NOTE = no C compiler found: the tests run without the race detector
else
  RACE = -race $(UNWATCHED)
  RACE_NOTE = with the race detector
endif

PREFIX ?= /usr/local

.PHONY: build install run test steady systems lint fmt golden counts bench growth inits oracle soak cover picture

# otlptracehttp brings in gRPC, whose pages for debugging bring in html/template: with that
# the linker keeps every method of every type, 5 MB of them.
build: ## the program, as ./pawl
	CGO_ENABLED=0 go build -tags grpcnotrace -trimpath -buildvcs=auto -ldflags "-s -w" -o pawl .

run: build ## build it and open the screen here
	./pawl

install: build ## the program, its manual page and the completions of the shells, below PREFIX
	install -D -m 755 pawl $(DESTDIR)$(PREFIX)/bin/pawl
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	./pawl man > $(DESTDIR)$(PREFIX)/share/man/man1/pawl.1
	./pawl completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pawl
	./pawl completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pawl
	./pawl completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/pawl.fish

# Four tests of a package at once, and one package more than there are processors: the stories
# wait for a terminal, and the crashes for a disk, more than they work.
# What is not tested under the race detector is built as `build` does, so that the libraries
# are compiled twice on a new machine and not four times.
test: ## all tests, with the race detector where there is a C compiler
	@echo "$(RACE_NOTE)"
ifeq ($(CI)$(RACE),true)
	@echo "CI requires the race detector" >&2; exit 1
endif
	CGO_ENABLED=0 go vet -trimpath ./...
	CGO_ENABLED=0 go vet -trimpath -tags failpoint ./...
	go test $(RACE) -timeout 15m -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -parallel 4 ./...

# The packages whose tests touch processes, terminals or time.
STEADY = ./internal/stories ./internal/stories/crash ./internal/stories/files ./internal/stories/hosts ./internal/harness ./internal/app ./internal/host ./lifecycle ./store ./tools ./tools/apply ./tools/filestore ./tools/folderwatch ./tools/process ./tools/search ./tools/git ./tools/mcp ./agent ./agent/hook ./agent/remote ./ui ./ui/acp ./ui/fleet ./ui/headless \
         ./internal/guard
ROUNDS = 50
LOAD   = 8
RUN    = .

steady: ## those tests, ROUNDS times on an idle machine and ROUNDS times beside LOAD busy processes: hours
	.ci/steady $(ROUNDS) $(LOAD) '$(RUN)' $(STEADY)

systems: ## does it build for the other systems? The first time compiles all libraries for each: minutes
	for system in darwin freebsd windows; do CGO_ENABLED=0 GOOS=$$system go build ./... || exit 1; done

lint: ## the linters, the arrows between the rooms among them
	go run $(GOLANGCI) run ./...
	cd testdata/oracle && go run $(GOLANGCI) run -c $(CURDIR)/.golangci.yml ./...

fmt: ## format everything
	go run $(GOFUMPT) -w $$(git ls-files '*.go')

golden: ## write the golden files anew; look at the difference before you commit
	go test ./ui -update -pictures $(CURDIR)/golden-diff
	go test ./ui/fleet -update -pictures $(CURDIR)/golden-diff/fleet
	go test ./export ./export/html ./export/jsondoc ./export/markdown ./export/trace -update
	for one in anthropic openai chat gemini; do go test ./agent/$$one -run WhatIsSent -update || exit 1; done
	git diff --stat -- '*.golden' '*/sent.json'
	@for page in golden-diff/index.html golden-diff/fleet/index.html; do \
		test ! -e $$page || echo "the screens that changed, as pictures: $(CURDIR)/$$page"; done

counts: ## what is allocated, written and asked for, as the tests count it, beside its bounds
	go test -v -count=1 -run '^TestCostOf' ./... | grep -E '\(at most|^FAIL'

bench: inits ## what Pawl aims at and where it is, and then its hot parts: some ten minutes
	go test -run '^$$' -bench '^BenchmarkAim' -benchtime 1x -timeout 30m ./internal/bench
	go test -run '^$$' -bench . -skip 'Million|Recording|ManyRuns' -benchmem -benchtime 200ms -timeout 30m $$(go list ./... | grep -v -e internal/bench -e internal/stories)

growth: ## the plots of docs/growth.svg, in some two minutes
	go test -run '^$$' -bench '^BenchmarkGrowth$$' -benchtime 1x -timeout 60m ./internal/bench -growth $(CURDIR)/docs/growth.svg

inits: build ## what waking its packages takes the program, the guard's among them
	@GODEBUG=inittrace=1 ./pawl version 2>&1 >/dev/null | awk '/^init / { ms += $$5; kb += $$8 / 1000; n += $$10 } \
		END { printf "packages are initialised in %.1f ms, with %.0f kB in %d allocations\n", ms, kb, n }'

oracle: ## what is sent to models, held against their makers' own libraries: the first time compiles them, minutes
	cd testdata/oracle && go test -count=1 ./... # what it reads lies outside of its module

soak: RACE := $(firstword $(RACE)) # the libraries too
soak: UNWATCHED :=
soak: ## the long programmes: many seeds, ten thousand races and runs, fuzzing
	go test $(RACE) -timeout 60m -count=20 -shuffle=on ./lifecycle ./agent
	PAWL_SOAK=1 go test $(RACE) -timeout 60m -count=1 ./lifecycle
	go test $(RACE) -timeout 120m -run '^TestAnyOrderOfActsKeepsTheInvariants$$' ./lifecycle -rapid.checks=21000
	PAWL_SOAK=1 go test -timeout 60m -count=1 -v -run '^TestTenThousandRunsInOneProcess$$' ./internal/app
	PAWL_SOAK=1 go test -timeout 60m -count=1 -v -run 'DiskFails|PowerCut|OutlivesItsDisk|Damaged|TenProcesses|LookAtALock' ./store
	PAWL_SOAK=1 go test -timeout 120m -count=1 -run '^TestWholeOrAnError' ./agent/anthropic ./agent/openai ./agent/chat ./agent/gemini
	$(MAKE) oracle
	PAWL_SOAK=1 go test -timeout 120m -v -run 'ReadAsBash|DeniedRunsInNoLine' ./agent/permission # 10 million lines each
	PAWL_SOAK=1 go test $(RACE) -timeout 60m -run 'AnyValueChanged|LeftOutIsMissed|AsItsPatternAlone' ./export/verify ./agent/mask
	PAWL_SOAK=1 go test $(RACE) -timeout 60m -run 'EverySize|SmallestTerminals' ./ui # each scene in each size
	PAWL_SOAK=1 go test $(RACE) -timeout 60m -parallel 4 ./internal/stories # each story in each protocol
	PAWL_SOAK=1 go test $(RACE) -timeout 240m -v ./internal/stories/crash
	PAWL_SOAK=1 go test $(RACE) -timeout 240m -v ./internal/stories/hosts # 2,000 random acts
	PAWL_SOAK=1 go test $(RACE) -timeout 240m -v ./internal/stories/files # 2,000 kills
	PAWL_SOAK=1 go test -timeout 120m -run '^TestInAnyOrderOfChanges' ./internal/app # 10,000 sequences
	@set -e; for target in $$(grep -rho '^func Fuzz[A-Za-z0-9_]*' --include='*_test.go' . | sed 's/func //' | sort -u); do \
		for dir in $$(grep -rl "^func $$target(" --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
			echo "fuzz $$dir $$target"; go test -run '^$$' -fuzz "^$$target$$" -fuzztime 30s -fuzzminimizetime 1s "$$dir"; \
		done; \
	done

cover: ## which lines the tests reach
	go test -coverprofile=coverage.out -coverpkg=./... ./...
	go tool cover -func=coverage.out | tail -1
	go tool cover -html=coverage.out -o coverage.html

picture: build ## the pictures of the README and docs/screen.md, from the program's own screen: a minute
	go test -run '^TestPictures$$' -count=1 ./internal/stories -pictures $(CURDIR)/docs
