package sandbox

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhereACommandMayWrite(t *testing.T) {
	always := append([]string{"/home/u/p", "/tmp", "/var/tmp"}, devices...)
	strict := Policy{Mode: Strict}
	caches := func(more ...string) []string {
		for _, name := range homeCaches {
			more = append(more, "/home/u/"+name)
		}
		return more
	}
	for name, row := range map[string]struct {
		sandbox Policy
		home    string
		environ []string
		git     checkout
		cached  []string // folders that there are
		want    []string // beside always
	}{
		"in the folder, temporary ones and devices": {sandbox: strict, home: "/home/u"},
		"in the caches of tools":                    {home: "/home/u", want: caches()},
		"in no cache where there is no home":        {},
		"in no cache of a home that is everything":  {home: "/"},
		"in another cache folder, by its subfolders": {
			home: "/home/u", environ: []string{"XDG_CACHE_HOME=/var/c"}, cached: []string{"/var/c/go-build"}, want: caches("/var/c/go-build"),
		},
		"not where shells and editors run programs": {home: "/home/u", want: caches("/home/u/.cache/pip"), cached: []string{
			"/home/u/.cache/pip", "/home/u/.cache/nvim", "/home/u/.cache/JetBrains", "/home/u/.cache/p10k-u", "/home/u/.cache/zsh", "/home/u/.cache/pawl",
		}},
		"in what the user names":       {sandbox: Policy{Mode: Strict, Write: []string{"/srv/x/", "/home/u/y"}}, want: []string{"/srv/x", "/home/u/y"}},
		"not in what is no whole path": {sandbox: Policy{Mode: Strict, Write: []string{"", "x", "../y", "~"}}},
		"in caches that variables name": {
			environ: []string{"GOCACHE=/c/go", "GOPATH=/g:/h", "CARGO_HOME=/c/r"},
			want: []string{
				"/c/go", "/g/pkg", "/h/pkg",
				"/c/r/registry", "/c/r/git", "/c/r/.package-cache", "/c/r/.package-cache-mutate", "/c/r/.global-cache",
			},
		},
		"not in those where it is strict": {sandbox: strict, environ: []string{"GOCACHE=/c/go"}},
		"not where a variable gives away": {
			home: "/home/u", want: caches(),
			environ: []string{"GOCACHE=/", "GOMODCACHE=/home/u", "GOTMPDIR=/home", "TMPDIR=relative", "PIP_CACHE_DIR=/home/u/../.."},
		},
		"in another temporary folder":  {sandbox: strict, environ: []string{"TMPDIR=/scratch"}, want: []string{"/scratch"}},
		"once where one is in another": {sandbox: Policy{Mode: Strict, Write: []string{"/tmp/x", "/home/u/p/q"}}, environ: []string{"TMPDIR=/tmp/own"}},
		"in the git folder of a worktree": {
			sandbox: strict, git: checkout{link: "/home/u/p/.git", own: "/r/.git/worktrees/p", common: "/r/.git"}, want: []string{"/r/.git"},
		},
		"in that around a folder": {sandbox: strict, git: checkout{own: "/home/u/.git", common: "/home/u/.git"}, want: []string{"/home/u/.git"}},
	} {
		t.Run(name, func(t *testing.T) {
			at := place{folder: "/home/u/p", home: row.home, git: row.git, env: variableOf(row.environ)}
			at.list = func(folder string) (names []string) {
				for _, path := range row.cached {
					if name, found := strings.CutPrefix(path, folder+"/"); found {
						names = append(names, name)
					}
				}
				return names
			}
			require.ElementsMatch(t, slices.Concat(always, row.want), row.sandbox.writable(at))
		})
	}
	at := place{folder: "p", env: variableOf(nil)}
	require.Equal(t, always[1:], strict.writable(at), "a folder without a whole path is none")
}

// A folder around what is frozen could be moved away and replaced, if it lies in one
// that can be written.
func TestWhatIsAroundTheFrozenIsPinned(t *testing.T) {
	frozen := []string{"/h/p/.git/hooks", "/h/p/.git/config", "/h/p/.mcp.json", "/etc/pawl"}
	for name, row := range map[string]struct{ writable, want []string }{
		"in the folder":               {[]string{"/h/p"}, []string{"/h/p/.git"}},
		"around the folder":           {[]string{"/h"}, []string{"/h/p", "/h/p/.git"}},
		"nowhere":                     {nil, nil},
		"everywhere":                  {[]string{"/"}, []string{"/etc", "/h", "/h/p", "/h/p/.git"}},
		"beside, with a like name":    {[]string{"/h/p2", "/h/p/.gitx"}, nil},
		"in the git folder alone":     {[]string{"/h/p/.git"}, nil},
		"of the frozen folder itself": {[]string{"/h/p/.git/hooks"}, nil},
	} {
		require.Equal(t, row.want, pins(frozen, row.writable), name)
	}
}

func TestWhatMakesPawlOrGitRunSomethingIsFrozen(t *testing.T) {
	at := place{folder: "/h/p", git: checkout{link: "/h/p/.git", own: "/r/.git/worktrees/p", common: "/r/.git"}}
	require.Equal(t, []string{
		"/h/p/.git", "/r/.git/config", "/r/.git/config.worktree", "/r/.git/hooks",
		"/r/.git/worktrees/p/config.worktree", "/r/.git/worktrees/p/commondir", "/r/.git/worktrees/p/gitdir",
		"/h/p/included", "/h/p/.pawl", "/h/p/.mcp.json", "/c/pawl",
	}, Policy{Keep: []string{"/h/p/included", "x"}, Own: []string{"/c/pawl/", "", "state", "/h"}}.frozen(at, nil), "but no folder around the one to work in")
	at.git = checkout{own: "/h/p/.git", common: "/h/p/.git"}
	require.Equal(t, []string{"/h/p/.git/config", "/h/p/.git/config.worktree", "/h/p/.git/hooks", "/h/p/.pawl", "/h/p/.mcp.json"}, Policy{}.frozen(at, nil))
}
