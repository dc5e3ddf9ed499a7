package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// firstCaches are the caches that a tool makes when it runs for the first time, which
// in a sandbox it could not: below the folder of caches, and below home.
var firstCaches = []struct{ program, cache, home string }{
	{"go", "go-build", "go/pkg/mod"},
	{"golangci-lint", "golangci-lint", ""},
	{"npm", "", ".npm"},
	{"pnpm", "pnpm", ".local/share/pnpm/store"},
	{"yarn", "yarn", ""},
	{"bun", "", ".bun/install/cache"},
	{"cargo", "", ".cargo/registry"},
	{"cargo", "", ".cargo/git"},
	{"pip", "pip", ""},
	{"uv", "uv", ""},
}

// cachesMade are the homes whose caches were seen to, once a process.
var cachesMade sync.Map

// makeCaches makes the empty caches of tools that are installed. What cannot be made
// is not there, and the tool will say so.
func (at place) makeCaches() {
	if info, err := os.Stat(at.home); err != nil || !info.IsDir() || at.home == "/" || !filepath.IsAbs(at.home) {
		return
	}
	if _, before := cachesMade.LoadOrStore(at.home+"\x00"+at.cache(), true); before {
		return
	}
	for _, first := range firstCaches {
		if _, err := exec.LookPath(first.program); err != nil {
			continue
		}
		if first.cache != "" {
			_ = os.MkdirAll(filepath.Join(at.cache(), first.cache), 0o755)
		}
		if first.home != "" {
			_ = os.MkdirAll(filepath.Join(at.home, first.home), 0o755)
		}
	}
}
