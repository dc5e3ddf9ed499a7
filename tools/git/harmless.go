package git

import (
	"slices"
	"strings"
)

// harmless reports whether a setting starts no program, whatever its value.
func (s setting) harmless() bool {
	fits := func(keys string) bool { return keys == "*" || slices.Contains(strings.Fields(keys), s.key) }
	switch s.section {
	case "core":
		if s.key == "fsmonitor" { // git's own monitor, or a program
			return s.bare || slices.Contains([]string{"true", "false", ""}, strings.ToLower(s.value))
		}
	case "branch": // other programs store settings here
		return fits("remote merge rebase description pushremote autosetupmerge autosetuprebase sort") || strings.HasPrefix(s.key, "gk-") || strings.HasPrefix(s.key, "vscode-") || strings.HasPrefix(s.key, "gh-") || strings.HasPrefix(s.key, "github-")
	case "merge", "diff":
		return s.part == "" && fits("ff conflictstyle renames log renormalize stat tool algorithm renamelimit colormoved mnemonicprefix noprefix context ignoresubmodules")
	case "remote":
		if s.key == "url" || s.key == "pushurl" {
			return plainAddress(s.value)
		}
		return fits("fetch push mirror prune prunetags tagopt skipdefaultupdate skipfetchall promisor partialclonefilter followremotehead gh-resolved pushdefault")
	case "submodule":
		if s.key == "url" {
			return plainAddress(s.value)
		}
		if s.key == "update" {
			return !strings.HasPrefix(s.value, "!")
		}
		return fits("active branch ignore fetchrecursesubmodules shallow recurse")
	case "gpg": // gpg.program and gpg.ssh.defaultkeycommand are programs
		return fits("format allowedsignersfile revocationfile mintrustlevel")
	case "url":
		return plainAddress(s.part) && (s.key == "insteadof" || s.key == "pushinsteadof")
	}
	return fits(harmlessKeys()[s.section])
}

// harmlessKeys are the keys of sections in which the value does not matter; * means all.
func harmlessKeys() map[string]string {
	return map[string]string{
		"core": `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol
			safecrlf abbrev compression loosecompression bigfilethreshold quotepath sharedrepository hidedotfiles protecthfs
			protectntfs preloadindex untrackedcache checkstat trustctime fscache longpaths worktree sparsecheckout
			sparsecheckoutcone multipackindex commitgraph whitespace commentchar deltabasecachelimit packedgitlimit fsync
			splitindex excludesfile attributesfile`,
		"user":        "name email signingkey useconfigonly",
		"author":      "name email",
		"committer":   "name email",
		"pull":        "rebase ff",
		"push":        "default autosetupremote followtags gpgsign recursesubmodules",
		"blame":       "*",
		"i18n":        "*",
		"log":         "date decorate follow abbrevcommit",
		"receive":     "denycurrentbranch denynonfastforwards denydeletes",
		"worktree":    "guessremote userelativepaths",
		"fetch":       "recursesubmodules prune prunetags parallel fsckobjects writecommitgraph",
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
		"http":        "extraheader postbuffer version lowspeedlimit lowspeedtime sslverify proxy",
		"credential":  "username usehttppath",
		"lfs":         "repositoryformatversion access locksverify fetchinclude fetchexclude",
		"maintenance": "auto strategy",
	}
}

// plainAddress reports that an address starts no helper program: for x::address git runs
// git-remote-x, and for ext:: any command.
func plainAddress(address string) bool {
	return !strings.Contains(address, "::") && !strings.HasPrefix(address, "-")
}
