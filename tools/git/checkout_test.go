package git

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checkout is a folder with a .git that has this config.
func checkout(t *testing.T, config string) string {
	t.Helper()
	folder := t.TempDir()
	put(t, folder, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, folder, ".git/config", config)
	return folder
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

const cloned = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = git@example.com:one/two.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[user]
	email = a@example.com ; at work
[pull] rebase = true
[remote]
	pushDefault = origin
[branch]
	autoSetupRebase = always
[blame]
	ignoreRevsFile = .git-blame-ignore-revs
[gpg]
	format = ssh
[gpg "ssh"]
	allowedSignersFile = ~/.ssh/signers
[i18n]
	commitEncoding = utf-8
[receive]
	denyCurrentBranch = updateInstead
[http]
	proxy = http://proxy.example.com:3128
[branch "topic"]
	gk-merge-base = origin/main
[core] fsmonitor = true
[submodule "lib"]
	active = true
	url = https://example.com/lib
`

func TestAnOrdinaryCloneRunsNothing(t *testing.T) {
	folder := checkout(t, cloned)
	put(t, folder, ".git/hooks/pre-commit.sample", "#!/bin/sh")
	put(t, folder, ".git/hooks/pre-push", "it is not executable")
	c := Look(filepath.Join(folder, ".git", ".."))
	require.Equal(t, folder, c.Top)
	require.Empty(t, c.Says)
	require.Empty(t, Look(t.TempDir()).Top)
}

func TestWhatMakesGitRunAProgramIsShown(t *testing.T) {
	for config, want := range map[string]string{
		"[core]\nfsmonitor = ./x.sh":                            "core.fsmonitor = ./x.sh",
		"[CORE]\nFsMonitor=./x.sh":                              "core.fsmonitor = ./x.sh",
		"[core] hooksPath = \"a b\" # mine":                     "core.hookspath = a b",
		"[core]\npager = less \\\n  -R":                         "core.pager = less   -R",
		"[core]\nsshCommand = x\n":                              "core.sshcommand = x",
		"[core]\neditor = x":                                    "core.editor = x",
		"[core]\r\nalternateRefsCommand = x\r\n":                "core.alternaterefscommand = x",
		"[diff]\nexternal = x":                                  "diff.external = x",
		"[diff \"pdf\"]\ntextconv = x":                          "diff.pdf.textconv = x",
		"[diff.pdf]\ncommand = x":                               "diff.pdf.command = x",
		"[filter \"a \\\"b\"]\nclean = x":                       "filter.a \"b.clean = x",
		"[filter \"l\"]\nprocess":                               "filter.l.process = ",
		"[alias]\nst = !x":                                      "alias.st = !x",
		"[credential]\nhelper = !x":                             "credential.helper = !x",
		"[credential \"https://h\"]\nhelper = x":                "credential.https://h.helper = x",
		"[gpg]\nprogram = x":                                    "gpg.program = x",
		"[gpg \"ssh\"]\ndefaultKeyCommand = x":                  "gpg.ssh.defaultkeycommand = x",
		"[merge \"m\"]\ndriver = x":                             "merge.m.driver = x",
		"[sequence]\neditor = x":                                "sequence.editor = x",
		"[remote \"o\"]\nurl = ext::sh -c x":                    "remote.o.url = ext::sh -c x",
		"[remote \"o\"]\nuploadpack = x":                        "remote.o.uploadpack = x",
		"[submodule \"s\"]\nupdate = !x":                        "submodule.s.update = !x",
		"[url \"ext::x\"]\ninsteadOf = https://":                "url.ext::x.insteadof = https://",
		"[protocol \"ext\"]\nallow = always":                    "protocol.ext.allow = always",
		"[branch \"main\"]\nmergeOptions = -s evil":             "branch.main.mergeoptions = -s evil",
		"[pager]\nstatus = x":                                   "pager.status = x",
		"[difftool \"x\"]\ncmd = x":                             "difftool.x.cmd = x",
		"[what]\nnobody = knows":                                "what.nobody = knows",
		"[core]\nfsmonitor = \"true\\n\"":                       "core.fsmonitor = true\n",
		"[gc]\nrecentObjectsHook = x":                           "gc.recentobjectshook = x",
		"[lfs \"customtransfer.x\"]\npath = x":                  "lfs.customtransfer.x.path = x",
		"[core]\nbare = false\\\n[filter \"x\"]\\\nclean = y\n": "",
		"\ufeff[core]\nfsmonitor=x":                             "core.fsmonitor = x",
	} {
		c := Look(checkout(t, config))
		if want == "" {
			require.Empty(t, c.Says, config)
			continue
		}
		require.Equal(t, []string{want}, c.Says, config)
	}
}

func TestAConfigThatGitWouldNotReadIsShown(t *testing.T) {
	for _, config := range []string{"[core", "[core]\nbare false", "bare = false", "[core]\nx = \"y", "[co re]\nx = y", "[core]\nx = \\q", "\x00", "[core]\nworktree = ../..\r\r\n", "[core]\nworktree = ../a\tb\n", "[core]\nabbrev = 7\x00[advice]\nfsmonitor = ./x.sh\n", "[a \"b]\nc = d"} {
		says := Look(checkout(t, config)).Says
		require.Len(t, says, 1, "%q", config)
		require.Contains(t, says[0], "cannot be read: line ", "%q", config)
	}
	long := Look(checkout(t, strings.Repeat("#", longestFile+1))).Says
	require.Contains(t, long[0], "larger than 1 MiB")
	folder := checkout(t, "")
	require.NoError(t, os.Remove(filepath.Join(folder, ".git", "config")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, ".git", "config"), 0o600))
	require.Contains(t, Look(folder).Says[0], "not a regular file")
}

func TestEveryPlaceThatGitReadsIsLookedAt(t *testing.T) {
	const evil = "[core]\nfsmonitor = x\n"
	t.Run("an include", func(t *testing.T) {
		folder := checkout(t, "[include]\npath = more\n")
		put(t, folder, ".git/more", "[includeIf \"gitdir:/\"]\npath = ../deep\n[include]\npath = more\n")
		put(t, folder, "deep", evil)
		require.Equal(t, []string{"include.path = more", "includeif.gitdir:/.path = ../deep", "core.fsmonitor = x", "include.path = more"}, Look(folder).Says)
	})
	t.Run("a worktree and what it shares", func(t *testing.T) {
		main, tree := checkout(t, evil), t.TempDir()
		put(t, main, ".git/worktrees/w/commondir", "../..\n")
		put(t, main, ".git/worktrees/w/config.worktree", "[diff]\nexternal = y")
		put(t, tree, ".git", "gitdir: "+filepath.Join(main, ".git", "worktrees", "w")+"\n")
		require.Equal(t, []string{"diff.external = y", "core.fsmonitor = x"}, Look(tree).Says)
	})
	t.Run("a .git that is a link", func(t *testing.T) {
		folder := t.TempDir()
		require.NoError(t, os.Symlink(filepath.Join(checkout(t, evil), ".git"), filepath.Join(folder, ".git")))
		require.Equal(t, []string{"core.fsmonitor = x"}, Look(folder).Says)
	})
	t.Run("a submodule with the name of a folder of git's", func(t *testing.T) {
		folder := checkout(t, cloned)
		put(t, folder, ".git/modules/hooks/config", evil)
		put(t, folder, ".git/modules/hooks/HEAD", "ref: refs/heads/main")
		put(t, folder, ".git/modules/hooks/logs/config", "[user]\n")
		require.Equal(t, []string{"core.fsmonitor = x"}, Look(folder).Says)
	})
	t.Run("a submodule", func(t *testing.T) {
		folder := checkout(t, cloned)
		put(t, folder, ".git/modules/a/b/config", evil)
		require.Equal(t, []string{"core.fsmonitor = x"}, Look(folder).Says)
	})
	t.Run("a folder that git takes for a bare checkout", func(t *testing.T) {
		folder := t.TempDir()
		put(t, folder, "HEAD", "ref: refs/heads/main\n")
		put(t, folder, "objects/x", "")
		put(t, folder, "config", evil)
		require.Equal(t, []string{"core.fsmonitor = x"}, Look(filepath.Join(folder, "refs")).Says)
	})
	t.Run("above one that git skips", func(t *testing.T) {
		folder := checkout(t, evil)
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "in", ".git"), 0o700))
		require.Equal(t, []string{"core.fsmonitor = x"}, Look(filepath.Join(folder, "in")).Says)
	})
}

func TestAHookCountsByItsContent(t *testing.T) {
	folder := checkout(t, cloned)
	hook := filepath.Join(folder, ".git", "hooks", "pre-commit")
	put(t, folder, ".git/hooks/pre-commit", "one")
	require.NoError(t, os.Chmod(hook, 0o700))
	before := Look(folder)
	require.Equal(t, []string{"hook pre-commit"}, before.Says)
	require.NoError(t, os.WriteFile(hook, []byte("two"), 0o700))
	require.NotEqual(t, before.Content, Look(folder).Content)
	require.NoError(t, os.Chtimes(hook, time.Time{}, time.Now().Add(time.Hour)))
	put(t, folder, ".git/config", cloned+"[branch \"other\"]\nremote = origin\n")
	require.NotEqual(t, before.Content, Look(folder).Content)
	require.NoError(t, os.WriteFile(hook, []byte("one"), 0o700))
	require.Equal(t, before.Content, Look(folder).Content, "what runs nothing asks nothing")
}

func FuzzAConfigIsReadOrRefused(f *testing.F) {
	f.Add(cloned)
	f.Add("[a \"b\\\"c\"] d = \"e # f\" ; g\n\th\n[i.J]k=l\\\nm")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parse(text)
		for _, s := range all {
			require.NoError(t, err)
			require.NotEmpty(t, s.section)
			require.NotEmpty(t, s.key)
			require.Equal(t, strings.ToLower(s.section+s.key), s.section+s.key)
		}
	})
}
