package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// names is a set of words that is made when something first looks for one: most processes of Pawl never do.
type names struct{ all func() map[string]bool }

func set(list string) *names {
	return &names{all: sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for name := range strings.FieldsSeq(list) {
			all[name] = true
		}
		return all
	})}
}

// has reports whether a word is in the set; in none, nil, there is no word.
func (n *names) has(name string) bool { return n != nil && n.all()[name] }

// prefix reports whether a word of the set begins so.
func (n *names) prefix(text string) bool {
	for name := range n.all() {
		if strings.HasPrefix(name, text) {
			return true
		}
	}
	return false
}

// listed reports whether a table has a program under this name.
func listed(name string) bool {
	return runners.has(name) || languages.has(name) || shells.has(name) || riskyOptions[name] != nil || riskySubcommands[name] != nil || options()[name] != nil || inputDriven.has(name)
}

// runsOthers reports whether a program may run another one that is named in its arguments.
func runsOthers(name word) bool { return !name.known || runners.has(programName(name.text)) }

func feedsArguments(name word) bool { return name.known && argumentFeeders.has(programName(name.text)) }

// changesLater reports whether a command changes what later commands do.
func (c command) changesLater() bool {
	name := c[0].text
	return stateBuiltins.has(name) || name == "printf" && len(c) > 1 && isOption(c[1].text, "v")
}

// starsCover reports whether everything that the pattern's stars stand for is harmless.
// The pattern's literal words are trusted: the user wrote them.
func (p commandPattern) starsCover(c command) bool {
	if p.plain() {
		return true
	}
	if p.runs(c[0].text) != nil {
		return false
	}
	for i, w := range c {
		written := i < len(p.words)
		if written && p.words[i].exact() {
			continue
		}
		if i == 0 && len(p.words) > 0 || !p.harmless(c, i) || written && p.words[i].climbsOut(w.text) {
			return false
		}
	}
	return true
}

// harmless reports whether a star can stand for the word at a position. If the pattern
// names a launched program, the word is checked as an argument of that one.
func (p commandPattern) harmless(c command, at int) bool {
	if isRisky(c, at) {
		return false
	}
	if len(c) > 2 && at > 2 && runSubcommands[programName(c[0].text)].has(c[1].text) && p.names(2) {
		return p.harmless(c[2:], at-2)
	}
	return at == 0 || c.covered(at)
}

// plain reports whether the pattern has no star.
func (p commandPattern) plain() bool {
	return !p.rest && !slices.ContainsFunc(p.words, func(w wordPattern) bool { return !w.exact() })
}

// runs explains why no star is allowed after a program, or returns nil.
func (p commandPattern) runs(program string) error {
	switch name := programName(program); {
	case multiPurpose.has(name) && !p.names(1):
		return fmt.Errorf("%s can run anything: name what it is to do before the *", name)
	case p.names(1) && runSubcommands[name].has(p.words[1][0]) && !p.names(2):
		return fmt.Errorf("%s %s can run anything: name what it is to run before the *", name, p.words[1][0])
	case multiPurpose.has(name):
		return nil
	case runners.has(name) && riskyOptions[name] == nil, languages.has(name) && !scripts.has(name):
		return fmt.Errorf("%s runs what its words say: write the whole command, without *", name)
	case stateBuiltins.has(name):
		return fmt.Errorf("%s changes what comes after it: write the whole command, without *", name)
	case scripts.has(name) && !p.names(1):
		return fmt.Errorf("%s runs what its words say: name the script before the *", name)
	}
	return nil
}

// names reports whether the pattern has a literal word that is not an option at a
// position: the subcommand, or the program to run.
func (p commandPattern) names(at int) bool {
	return len(p.words) > at && p.words[at].exact() && !strings.HasPrefix(p.words[at][0], "-")
}

// scripts are the languages whose first argument is a script and whose further ones are
// the script's.
var scripts = set(`bun deno node nodejs lua luajit perl php python python2 python3 ruby rscript tclsh ts-node tsx`)

func (p commandPattern) neverAllows() error {
	switch {
	case p.plain(), len(p.words) == 0: // the latter is any program, as long as its arguments are harmless
		return nil
	case !p.words[0].exact():
		return errors.New("name the program without *")
	}
	return p.runs(p.words[0][0])
}

// climbsOut reports whether what a star stands for leads above a folder that the pattern
// names: build/* matches nothing outside build.
func (p wordPattern) climbsOut(text string) bool {
	up := func(text string) int {
		return len(slices.DeleteFunc(strings.Split(text, "/"), func(part string) bool { return part != ".." }))
	}
	return strings.Contains(p[0], "/") && up(text) > up(strings.Join(p, "*"))
}

// isRisky reports whether a word that no rule spells out could do harm at its position.
func isRisky(c command, at int) bool {
	name, text := programName(c[0].text), c[at].text
	part := ""
	if at > 1 {
		part = name + " " + c[1].text
	}
	switch {
	case at == 1 && (c.runsSubcommand() || strings.HasPrefix(text, "-") && (riskySubcommands[name] != nil || onlySubcommands[name] != nil)),
		riskyWords[part].has(text), part == "git push" && c.operand(2) == at && !ownRemotes.has(text),
		name == "gh" && text == "--", // what follows is for git, or for an extension
		at == 2 && readOnlyWords[part] != nil && !readOnlyWords[part].has(text),
		name == "make" && strings.Contains(text, "="): // it sets a variable, which may be the shell that make uses
		return true
	case at == 1 && name == "tar" && !strings.HasPrefix(text, "-"):
		text = "-" + text // tar takes short options from its first argument even without a dash: tar xf
	}
	option, _, _ := strings.Cut(text, "=")
	return slices.ContainsFunc(slices.Concat(riskyOptions[name], riskyOptions[part]), func(bad string) bool { return bad == anyWord || isOption(option, bad) })
}

// runsSubcommand reports whether the subcommand, or what its program takes for one, runs what it is told.
func (c command) runsSubcommand() bool {
	if len(c) < 2 {
		return false
	}
	name, text := programName(c[0].text), fold(c[1].text)
	switch only := onlySubcommands[name]; {
	case only != nil:
		return !only.has(text)
	case name == "npm": // it completes what is abbreviated
		return text != "" && riskySubcommands[name].prefix(text)
	case name == "git" && (strings.HasPrefix(text, "credential") || strings.Contains(text, "--")): // its helpers
		return true
	}
	return riskySubcommands[name].has(text)
}

// operand is the position of the first word from at on that is no option; len(c) if there is none.
func (c command) operand(at int) int {
	for at < len(c) && strings.HasPrefix(c[at].text, "-") {
		at++
	}
	return at
}

// isOption reports whether a word may be the option bad. Short options can be grouped and
// have their value attached; long ones can be abbreviated.
func isOption(word, bad string) bool {
	switch {
	case bad == "+":
		return strings.HasPrefix(word, bad)
	case !strings.HasPrefix(word, "-"):
		return false
	case !strings.HasPrefix(bad, "-"):
		return !strings.HasPrefix(word, "--") && strings.Contains(word, bad)
	case strings.HasPrefix(bad, "--"):
		return len(word) > 2 && strings.HasPrefix(bad, word)
	}
	name := strings.TrimPrefix(strings.TrimLeft(word, "-"), "test.") // go test accepts both names
	return name == strings.TrimLeft(bad, "-")
}
