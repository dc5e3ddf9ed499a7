package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// devices are what any program may write to.
var devices = []string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm",
}

// homeCaches are the caches of usual tools below the home folder. None of them is a
// place that a login shell, an editor or PATH runs programs from, nor has settings
// of the tool in it: so parts of ~/.cargo, ~/.gradle, ~/.m2 and ~/go, not the whole.
var homeCaches = []string{
	"go/pkg", ".config/go/telemetry",
	"Library/Caches/go-build", "Library/Caches/golangci-lint", "Library/Caches/pip", "Library/Caches/Yarn", "Library/Caches/pnpm", "Library/pnpm/store",
	".npm", ".local/share/pnpm/store", ".pnpm-store", ".yarn/berry", ".bun/install/cache",
	".cargo/registry", ".cargo/git", ".cargo/.package-cache", ".cargo/.package-cache-mutate", ".cargo/.global-cache",
	".gradle/caches", ".gradle/daemon", ".gradle/native", ".gradle/notifications", ".gradle/wrapper", ".gradle/.tmp",
	".m2/repository", ".m2/wrapper", ".ivy2/cache", ".nuget/packages", ".cabal/packages", ".bundle/cache",
}

// namedCaches are variables that name a cache, or a folder with caches in it.
var namedCaches = []struct {
	variable string
	below    []string
}{
	{"GOCACHE", nil},
	{"GOMODCACHE", nil},
	{"GOPATH", []string{"pkg"}},
	{"GOTMPDIR", nil},
	{"GOLANGCI_LINT_CACHE", nil},
	{"npm_config_cache", nil},
	{"YARN_CACHE_FOLDER", nil},
	{"BUN_INSTALL_CACHE_DIR", nil},
	{"CARGO_HOME", []string{"registry", "git", ".package-cache", ".package-cache-mutate", ".global-cache"}},
	{"GRADLE_USER_HOME", []string{"caches", "daemon", "native", "notifications", "wrapper", ".tmp"}},
	{"PIP_CACHE_DIR", nil},
	{"UV_CACHE_DIR", nil},
	{"DENO_DIR", nil},
	{"CCACHE_DIR", nil},
	{"SCCACHE_DIR", nil},
}

// runFrom are beginnings of folders in ~/.cache that a login shell or an editor runs
// programs from.
var runFrom = []string{
	"pawl", "p10k", "zsh", "oh-my-", "zinit", "antidote", "antibody", "gitstatus", "fish", "starship", "prezto", "antigen", "znap",
	"bash", "blesh", "nushell", "carapace", "wal",
	"vim", "nvim", "emacs", "doom", "helix", "jetbrains", "vscode", "code", "cursor", "zed", "sublime",
}

// writable lists the folders and files that a command may change, each once; those
// that are not there are left out. Nothing that lies in a folder which is writable
// anyway is listed. What a folder's own file .git names comes last: see reached.
func (s Policy) writable(at place) []string {
	var all []string
	add := func(paths ...string) {
		for _, path := range paths {
			if inside := func(root string) bool { return within(root, path) }; !slices.ContainsFunc(all, inside) {
				all = append(all, path)
			}
		}
	}
	if s.Reads {
		return devices
	}
	if filepath.IsAbs(at.folder) {
		add(filepath.Clean(at.folder))
	}
	add("/tmp", "/var/tmp")
	add(at.granted(at.env("TMPDIR"))...)
	add(devices...)
	for _, path := range s.Write {
		if filepath.IsAbs(path) {
			add(filepath.Clean(path))
		}
	}
	if !s.strict() {
		add(at.caches()...)
	}
	if cache := at.closedCache(); s.Closed && s.Mode != Strict && cache != "" {
		add(cache)
	}
	add(at.git.folders()...)
	return all
}

// caches are those of tools outside the folder.
func (at place) caches() []string {
	var all []string
	for _, named := range namedCaches {
		for _, folder := range at.granted(filepath.SplitList(at.env(named.variable))...) {
			if named.below == nil {
				all = append(all, folder)
			}
			for _, name := range named.below {
				all = append(all, filepath.Join(folder, name))
			}
		}
	}
	if !filepath.IsAbs(at.home) || filepath.Clean(at.home) == "/" {
		return all
	}
	for _, name := range homeCaches {
		all = append(all, filepath.Join(at.home, name))
	}
	cache := at.cache()
	for _, name := range at.list(cache) {
		begins := func(start string) bool { return strings.HasPrefix(strings.ToLower(name), start) }
		if !slices.ContainsFunc(runFrom, begins) {
			all = append(all, filepath.Join(cache, name))
		}
	}
	return all
}

// cache is the folder of caches, of a place with a home.
func (at place) cache() string {
	if chosen := at.granted(at.env("XDG_CACHE_HOME")); len(chosen) > 0 {
		return chosen[0]
	}
	return filepath.Join(at.home, ".cache")
}

// granted are those of paths from the environment that may be taken at their word: a
// variable is not how anybody gives away the home folder, or all there is.
func (at place) granted(paths ...string) []string {
	var all []string
	for _, path := range paths {
		path = filepath.Clean(path)
		if filepath.IsAbs(path) && path != "/" && !within(path, at.home) {
			all = append(all, path)
		}
	}
	return all
}

// frozen lists what a command may not change although it may be in a folder that it
// can write in: what makes git or Pawl run something.
func (s Policy) frozen(at place, writable []string) []string {
	all := at.git.frozen(writable)
	for _, path := range s.Keep {
		if filepath.IsAbs(path) {
			all = append(all, filepath.Clean(path))
		}
	}
	if filepath.IsAbs(at.folder) {
		all = append(all, filepath.Join(at.folder, ".pawl"), filepath.Join(at.folder, ".mcp.json"))
		if s.Closed { // what a file tool asks about each time
			all = append(all, filepath.Join(at.folder, ".claude"))
		}
	}
	for _, path := range s.Own {
		if path = filepath.Clean(path); filepath.IsAbs(path) && !within(path, at.folder) {
			all = append(all, path)
		}
	}
	return all
}

// pins lists the folders around covered paths, frozen or hidden, that could be moved away, and another
// put in their place, the outer ones first.
func pins(covered, writable []string) []string {
	canWrite := func(path string) bool {
		return slices.ContainsFunc(writable, func(root string) bool { return within(root, path) })
	}
	var all []string
	for _, path := range covered {
		for folder := filepath.Dir(path); folder != "/" && canWrite(filepath.Dir(folder)); folder = filepath.Dir(folder) {
			all = append(all, folder)
		}
	}
	slices.Sort(all) // a path stands before those in it
	return slices.Compact(all)
}

func within(folder, path string) bool {
	return path == folder || folder == "/" || strings.HasPrefix(path, folder+"/")
}
