# Everything a developer does, by name. The tools that only developers need run by
# pinned version, so that go.mod stays the product's.

GOLANGCI  = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT   = mvdan.cc/gofumpt@v0.12.0
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
# v2.16.0 is the last that builds with the Go of go.mod.
GORELEASER = github.com/goreleaser/goreleaser/v2@v2.16.0
# These two are run by .goreleaser.yaml.
export CYCLONEDX = v1.10.0
export MINISIGN  = v0.3.0

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

.PHONY: help build server install run test steady systems lint fmt golden counts bench growth inits oracle soak reliability cover picture site \
	module release release-in-ci release-key release-snapshot release-test release-texts

# otlptracehttp brings in gRPC, whose pages for debugging bring in html/template: with that
# the linker keeps every method of every type, 5 MB of them.
build: ## the program, as ./pawl
	CGO_ENABLED=0 go build -tags grpcnotrace -trimpath -buildvcs=auto -ldflags "-s -w" -o pawl .

help: ## each of these targets, with what it does
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

server: ## the server of `pawl worker --serve`, as ./pawl-server
	CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags "-s -w" -o pawl-server ./internal/server

run: build ## build it and open the screen here
	./pawl

install: build server ## the program, its manual page, the completions of the shells and pawl-server, below PREFIX
	install -D -m 755 pawl $(DESTDIR)$(PREFIX)/bin/pawl
	install -D -m 755 pawl-server $(DESTDIR)$(PREFIX)/bin/pawl-server
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	./pawl man > $(DESTDIR)$(PREFIX)/share/man/man1/pawl.1
	./pawl completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pawl
	./pawl completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pawl
	./pawl completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/pawl.fish

# The longest packages begin first, so that none of them is left alone at the end.
LONGEST = ./internal/stories ./internal/checkout ./internal/app ./internal/machines/worker ./export/verify ./internal/landing

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
	go test $(RACE) -timeout 60m -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -parallel 4 $(LONGEST) ./...

# The packages whose tests touch processes, terminals or time.
STEADY = ./internal/stories ./internal/stories/crash ./internal/stories/files ./internal/stories/hosts ./internal/harness ./internal/app ./internal/host ./lifecycle ./store ./tools ./tools/apply ./tools/filestore ./tools/folderwatch ./tools/process ./tools/search ./tools/git ./tools/mcp ./agent ./agent/hook ./agent/remote ./ui ./ui/acp ./ui/fleet ./ui/headless \
         ./internal/guard ./internal/machines ./internal/machines/dispatch ./internal/machines/worker ./internal/checkout ./internal/remoterun ./internal/server ./internal/stories/machines ./internal/stories/orders
ROUNDS = 50
LOAD   = 8
RUN    = .

steady: ## the tests that touch processes, terminals or time, ROUNDS times on an idle machine and ROUNDS times beside LOAD busy processes: hours
	.ci/steady $(ROUNDS) $(LOAD) '$(RUN)' $(STEADY)

release-texts: ## what the packages hold beside the program, below .release: GoReleaser calls it, with VERSION, COMMIT, COMMITTED
	rm -rf .release && mkdir -p .release/package
	CGO_ENABLED=0 go build -tags grpcnotrace -trimpath -buildvcs=false -o .release/pawl -ldflags "-s -w \
		$(foreach pair,version=$(VERSION) commit=$(COMMIT) committed=$(COMMITTED),-X $$(go list -m)/internal/base.$(pair))" .
	.release/pawl man > .release/pawl.1
	.release/pawl completion bash > .release/pawl.bash
	.release/pawl completion zsh > .release/_pawl
	.release/pawl completion fish > .release/pawl.fish
	for kind in deb rpm apk archlinux; do echo $$kind > .release/package/$$kind; done

# GoReleaser forgets what it knows of the commit where a checkout has no remote.
ifeq ($(shell git remote),)
release-snapshot: export GIT_CONFIG_COUNT = 1
release-snapshot: export GIT_CONFIG_KEY_0 = remote.origin.url
release-snapshot: export GIT_CONFIG_VALUE_0 = https://localhost/pawl
endif
release-snapshot: ## all that a release has, for all systems, below dist, signed where PAWL_RELEASE_SECRET is set: no network, minutes
	go run $(GORELEASER) release --snapshot --clean $(if $(PAWL_RELEASE_SECRET),,--skip=sign)
	go run ./internal/packaging dist

release-test: ## that release, signed with a key for once, installed as people do, and built once more: the same bytes; root makes a clean Debian for it
	key=$$(mktemp -d) && trap 'rm -rf "$$key"' EXIT && \
		go run aead.dev/minisign/cmd/minisign@$(MINISIGN) -G -W -s $$key/secret -p $$key/public && \
		export PAWL_RELEASE_SECRET=$$key/secret PAWL_RELEASE_KEY=$$(tail -n 1 $$key/public) && $(MAKE) release-snapshot && \
		PAWL_RELEASE_DIST=$(CURDIR)/dist go test -count=1 -v -timeout 60m ./internal/stories/install

release-key: ## a key pair for signing releases: PAWL_RELEASE_SECRET and beside it the public one
	go run aead.dev/minisign/cmd/minisign@$(MINISIGN) -G -s $${PAWL_RELEASE_SECRET:?is the file that the secret key goes to} -p $$PAWL_RELEASE_SECRET.pub

release: ## a release of the tag that is checked out, signed, as a draft; CONTRIBUTING.md says what it needs
	@for name in PAWL_RELEASE_KEY PAWL_RELEASE_SECRET PAWL_RELEASE_ADDRESS; do \
		eval test -n "\"\$$$$name\"" || { echo "make release: $$name is not set; see CONTRIBUTING.md" >&2; exit 1; }; done
	go run $(GORELEASER) release --clean
	go run ./internal/packaging dist

release-in-ci: ## release, with the secret key from PAWL_RELEASE_SECRET_TEXT, which no file holds afterwards
	@file=$$(mktemp) && trap 'rm -f "$$file"' EXIT && \
		printf '%s\n' "$$PAWL_RELEASE_SECRET_TEXT" > "$$file" && \
		PAWL_RELEASE_SECRET="$$file" PAWL_RELEASE_SECRET_TEXT= $(MAKE) release

# PATH=… on make's command line hides the shell's own PATH, which the recipe needs: it is what make
# itself was started with.
ifeq ($(origin PATH),command line)
MODULE := $(PATH)
override PATH := $(shell tr '\0' '\n' </proc/$$PPID/environ 2>/dev/null | sed -n 's/^PATH=//p')
ifeq ($(PATH),)
override PATH := $(shell /bin/sh -lc 'echo "$$PATH"')
endif
endif

module: ## gives the module another path, everywhere: make module PATH=example.org/you/pawl
	go run ./internal/modulepath $(MODULE)

systems: ## does it build for the other systems? The first time compiles all libraries for each: minutes
	for system in darwin freebsd windows; do CGO_ENABLED=0 GOOS=$$system go build ./... || exit 1; done

lint: ## the linters, the arrows between the rooms among them, and whether it builds for Windows
	go run $(GOLANGCI) run ./...
	go run $(ACTIONLINT)
	CGO_ENABLED=0 GOOS=windows go build ./...
	cd testdata/oracle && go run $(GOLANGCI) run -c $(CURDIR)/.golangci.yml ./...

fmt: ## format everything
	go run $(GOFUMPT) -w $$(git ls-files '*.go')

golden: ## write the golden files anew; look at the difference before you commit
	go test ./ui -update -pictures $(CURDIR)/golden-diff
	go test ./ui/fleet -update -pictures $(CURDIR)/golden-diff/fleet
	go test ./export ./export/changes ./export/html ./export/jsondoc ./export/markdown ./export/trace -update
	for one in anthropic openai chat gemini; do go test ./agent/$$one -run WhatIsSent -update || exit 1; done
	git diff --stat -- '*.golden' '*/sent.json'
	@for page in golden-diff/index.html golden-diff/fleet/index.html; do \
		test ! -e $$page || echo "the screens that changed, as pictures: $(CURDIR)/$$page"; done

counts: ## what is allocated, written and asked for, as the tests count it, beside its bounds
	go test -v -count=1 -run '^TestCostOf' ./... | grep -E '\(at most|^FAIL'

bench: inits ## what Pawl aims at and where it is, and then its hot parts: some ten minutes
	go test -run '^$$' -bench '^Benchmark(Aim|Floor)' -benchtime 1x -timeout 30m ./internal/bench
	go test -run '^$$' -bench . -skip 'Million|Recording|ManyRuns' -benchmem -benchtime 200ms -timeout 30m $$(go list ./... | grep -v -e internal/bench -e internal/stories)

REAL = 2m
PART = .

growth: ## the plots of docs/growth.svg and their table, in some ten minutes; whole with REAL=60m, or only PART=screens
	go test -run '^$$' -bench '^BenchmarkGrowth$$/$(PART)' -benchtime 1x -timeout 180m -v ./internal/bench -growth $(CURDIR)/docs/growth.svg -real $(REAL)

inits: build ## what waking its packages takes the program, the guard's among them
	@GODEBUG=inittrace=1 ./pawl version 2>&1 >/dev/null | awk '/^init / { ms += $$5; kb += $$8 / 1000; n += $$10 } \
		END { printf "packages are initialised in %.1f ms, with %.0f kB in %d allocations\n", ms, kb, n }'

oracle: ## what is sent to models, held against their makers' own libraries: the first time compiles them, minutes
	cd testdata/oracle && go test -count=1 ./... # what it reads lies outside of its module

SLICE = 1/1
OUT   = .soak

soak: UNWATCHED := # the libraries too
soak: ## the long programmes behind Pawl's promises, hours: all, or SLICE=k/n of them; results go to OUT
	go run ./internal/soak -slice $(SLICE) -out $(OUT)

reliability: ## RELIABILITY.md, of the results in OUT, in the folders MORE, and those kept
	go run ./internal/soak -write RELIABILITY.md -out $(OUT) $(MORE)

cover: ## which lines the tests reach
	go test -coverprofile=coverage.out -coverpkg=./... ./...
	go tool cover -func=coverage.out | tail -1
	go tool cover -html=coverage.out -o coverage.html

picture: build ## the pictures of the README and docs/screen.md, from the program's own screen: a minute
	go test -run '^TestPictures$$' -count=1 ./internal/stories -pictures $(CURDIR)/docs

site: ## the pages as a folder of HTML that opens from a file: site/index.html
	rm -rf site
	go run ./internal/site -o site
