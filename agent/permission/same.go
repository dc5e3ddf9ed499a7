package permission

import (
	"path"
	"slices"
	"strings"
)

// matchAlias answers maybe for a command that is the rule's program under another name:
// nodejs is node, c++ is gcc.
func (p commandPattern) matchAlias(c command) answer {
	if !p.words[0].exact() {
		return no
	}
	named := programName(p.words[0][0])
	if fold(p.words[0][0]) != named && !listed(named) || programName(c[0].text) != named || p.matchArguments(c[1:]) == no {
		return no
	}
	return maybe
}

// matchDashed handles subcommands that are programs of their own: git-push is git push.
func (p commandPattern) matchDashed(c command) answer {
	if len(p.words) < 2 || !p.words[0].exact() {
		return no
	}
	part, ok := strings.CutPrefix(fold(path.Base(c[0].text)), fold(p.words[0][0])+"-")
	if !ok {
		return no
	}
	words := slices.Concat(command{{part, true}}, c[1:])
	return max(p.matchArguments(words), p.matchNested(words))
}

// matchNested answers maybe for a subcommand that does what the rule's does, or that is
// unknown and followed by it: git subtree push also pushes.
func (p commandPattern) matchNested(words command) answer {
	if len(p.words) < 2 {
		return no
	}
	part := slices.IndexFunc(words, func(w word) bool { return w.known && !strings.HasPrefix(w.text, "-") })
	if part < 0 {
		return no
	}
	name := programName(p.words[0][0])
	if sameSubcommands[name+" "+strings.Join(p.words[1], "*")].has(words[part].text) {
		return maybe
	}
	if knownSubcommands[name].has(words[part].text) || harmlessPrograms.has(name) {
		return no
	}
	for i := part + 1; i < len(words); i++ {
		if words[i].known && p.words[1].matches(words[i].text) && p.matchArguments(words[i:]) != no {
			return maybe
		}
	}
	return no
}

// sameSubcommands do what another subcommand does.
var sameSubcommands = map[string]*names{
	"git push": set(`http-push send-pack`), "git fetch": set(`fetch-pack http-fetch pull`), "git commit": set(`commit-tree`), "git merge": set(`pull`),
	"git rm": set(`update-index`), "git checkout": set(`checkout-index`), "npm install": set(`add ci i in ins`),
	"npm publish": set(`pub`), "npm run": set(`run-script`), "cargo run": set(`r`), "cargo build": set(`b`),
}

// knownSubcommands take no further subcommand that a rule could mean.
var knownSubcommands = map[string]*names{
	"git": set(`
		add am apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit
		config count-objects describe diff diff-index diff-tree fetch for-each-ref format-patch fsck gc grep help init log ls-files
		ls-remote ls-tree merge merge-base mv notes pull push range-diff rebase reflog remote replace reset restore rev-list rev-parse
		revert rm shortlog show show-branch show-ref sparse-checkout stash status switch symbolic-ref tag update-index update-ref
		version whatchanged worktree`),
	"go":    set(`build clean doc env fmt generate get install list mod run test tool version vet work`),
	"cargo": set(`add b bench build c check clippy doc fmt init new r run search t test tree update`),
	"npm":   set(`ci i install ls outdated run run-script search t test view`),
}

// onlyLooksUp reports whether a command only asks the shell what a name stands for.
func (c command) onlyLooksUp() bool {
	if len(c) < 2 || !c[0].known || !c[1].known || c[0].text != "command" {
		return false
	}
	option := strings.TrimPrefix(c[1].text, "-")
	return option != c[1].text && strings.Trim(option, "pvV") == "" && strings.ContainsAny(option, "vV")
}

// envSplits reports whether env splits an argument by rules of its own, in which \_ is a blank.
func (c command) envSplits() bool {
	return c[0].known && programName(c[0].text) == "env" && slices.ContainsFunc(c[1:], func(w word) bool {
		return strings.Contains(w.text, `\`) || strings.Contains(w.text, "${")
	})
}
