package git

import (
	"slices"
	"strings"
)

// harmless says whether a setting makes git start nothing, whatever its value.
func (s setting) harmless() bool {
	keys, known := map[string]string{
		"core": `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol
			safecrlf abbrev compression loosecompression bigfilethreshold quotepath sharedrepository hidedotfiles protecthfs
			protectntfs preloadindex untrackedcache checkstat trustctime fscache longpaths worktree sparsecheckout
			sparsecheckoutcone multipackindex commitgraph whitespace commentchar deltabasecachelimit packedgitlimit fsync
			splitindex excludesfile attributesfile`,
		"user":        "name email signingkey useconfigonly",
		"author":      "name email",
		"committer":   "name email",
		"pull":        "rebase ff",
		"push":        "default autosetupremote followtags gpgsign",
		"fetch":       "prune prunetags parallel fsckobjects writecommitgraph",
		"rebase":      "autostash autosquash updaterefs missingcommitscheck",
		"commit":      "gpgsign template verbose cleanup status",
		"tag":         "gpgsign sort",
		"gc":          "auto autopacklimit autodetach pruneexpire reflogexpire worktreepruneexpire",
		"status":      "*",
		"color":       "*",
		"column":      "*",
		"advice":      "*",
		"index":       "*",
		"pack":        "threads window depth windowmemory writebitmaps usesparse",
		"feature":     "*",
		"extensions":  "*",
		"rerere":      "enabled autoupdate",
		"init":        "defaultbranch",
		"checkout":    "defaultremote guess workers",
		"http":        "extraheader postbuffer version lowspeedlimit lowspeedtime sslverify",
		"credential":  "username usehttppath",
		"lfs":         "repositoryformatversion access locksverify",
		"maintenance": "auto strategy",
	}[s.section]
	switch s.section {
	case "core":
		if s.key == "fsmonitor" { // git's own, or a program
			return s.bare || slices.Contains([]string{"true", "false", ""}, strings.ToLower(s.value))
		}
	case "branch":
		ours := "remote merge rebase description pushremote"
		return slices.Contains(strings.Fields(ours), s.key) || strings.HasPrefix(s.key, "vscode-") || strings.HasPrefix(s.key, "gh-") || strings.HasPrefix(s.key, "github-")
	case "merge", "diff":
		ours := "ff conflictstyle renames log renormalize stat tool algorithm renamelimit colormoved mnemonicprefix noprefix context ignoresubmodules"
		return s.part == "" && slices.Contains(strings.Fields(ours), s.key)
	case "remote":
		if s.key == "url" || s.key == "pushurl" {
			return plainAddress(s.value)
		}
		ours := "fetch push mirror prune prunetags tagopt skipdefaultupdate skipfetchall promisor partialclonefilter followremotehead gh-resolved"
		return slices.Contains(strings.Fields(ours), s.key)
	case "submodule":
		if s.key == "url" {
			return plainAddress(s.value)
		}
		if s.key == "update" {
			return !strings.HasPrefix(s.value, "!")
		}
		return slices.Contains(strings.Fields("active branch ignore fetchrecursesubmodules shallow recurse"), s.key)
	case "url":
		return plainAddress(s.part) && (s.key == "insteadof" || s.key == "pushinsteadof")
	}
	return known && (keys == "*" || slices.Contains(strings.Fields(keys), s.key))
}

// plainAddress says that no program of its own is asked for an address: git runs
// git-remote-x for x::address, and for ext:: any command.
func plainAddress(address string) bool {
	return !strings.Contains(address, "::") && !strings.HasPrefix(address, "-")
}
