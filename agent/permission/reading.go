package permission

import (
	"regexp"
	"slices"
	"strings"

	"pawl/agent"
)

// Workdir is what has to be known of the folder in which a command line runs.
type Workdir struct {
	// Locate gives the path of a file relative to the folder, with slashes, its links
	// followed; ok is false where it is not below the folder. It need not be there.
	Locate func(name string) (located string, ok bool)
	// Checkout says whether the git folder that git finds is that of the checkout, and
	// none that a file of the folder makes, and whether git looks into no other from there.
	Checkout func() bool
	// Foreign says whether the program of this name that a shell would find is none that
	// a file of the folder makes.
	Foreign func(name string) bool
}

// Reads says whether an effect is a command line that only reads files of the folder, as
// the file tools do without a question: each of its commands is in the table, with plain
// options alone, and no path leads outside. One that a deny or an ask rule may be about,
// or that may show what a deny rule keeps from being read, is none. The table holds in a
// folder that is trusted and inside a sandbox: git obeys its settings there.
func (r Rules) Reads(effect agent.Effect, g Workdir) bool {
	if effect.Kind != agent.EffectShell || effect.Delicate != "" {
		return false
	}
	held := func(rule Rule) bool { return rule.mightMatch(effect) != no }
	if slices.ContainsFunc(r.Deny, held) || slices.ContainsFunc(r.Ask, func(rule AskRule) bool { return held(rule.Rule) }) {
		return false
	}
	commands, plain := plainCommands(effect.Subject)
	return plain && !slices.ContainsFunc(commands, func(c command) bool { return !r.onlyReads(c, g) })
}

// onlyReads says whether one command only reads.
func (r Rules) onlyReads(c command, g Workdir) bool {
	name := c[0].text
	c, reader, ok := findReadOnly(c)
	if !ok || !g.Foreign(name) || reader.git && !g.Checkout() {
		return false
	}
	if reader.showsAnyFile && slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.kind == agent.EffectRead }) {
		return false // what it shows may be of any file
	}
	operands, ok := reader.operands(c)
	return ok && !slices.ContainsFunc(operands, func(name string) bool {
		if strings.Contains(name, "\n") {
			return true
		}
		located, inside := g.Locate(name)
		return !inside || r.Reading(located) != nil
	})
}

// readOnlyProgram is a program, or a part of git, that only reads.
type readOnlyProgram struct {
	options      []string
	leadingTexts int  // of its first words how many are no files: a pattern, a filter
	maxWords     int  // of words at most
	showsAnyFile bool // it shows what stands in files that no word names
	git          bool
	listOptions  []string // the options with which it takes words at all; nil: it always does
}

// findReadOnly finds a command in the table, without the words that name it.
func findReadOnly(c command) (command, readOnlyProgram, bool) {
	name := c[0].text
	switch {
	case name == "sed": // prints some lines, and does nothing else
		ok := len(c) > 2 && c[1].text == "-n" && sedPrint.MatchString(c[2].text)
		return c[min(len(c), 3):], readOnlyProgram{maxWords: noLimit}, ok
	case name == "date": // any other word sets the clock
		c = slices.DeleteFunc(slices.Clone(c), func(w word) bool { return strings.HasPrefix(w.text, "+") })
		return c[1:], readOnlyPrograms[name], true
	case name == "strings": // takes its options from a file
		return c[1:], readOnlyPrograms[name], !slices.ContainsFunc(c, func(w word) bool { return strings.HasPrefix(w.text, "@") })
	case name == "jq": // a filter can name a file, or tell of the environment
		ok := !slices.ContainsFunc(c, func(w word) bool { return jqReads.MatchString(w.text) })
		return c[1:], readOnlyPrograms[name], ok
	case name != "git":
		found, ok := readOnlyPrograms[name]
		return c[1:], found, ok
	}
	c = c[1:]
	if len(c) > 0 && (c[0].text == "--no-pager" || c[0].text == "-P") {
		c = c[1:]
	}
	if len(c) == 0 {
		return c, readOnlyProgram{}, false
	}
	key := "git " + c[0].text
	if twoWords[key] {
		if len(c) < 2 || strings.HasPrefix(c[1].text, "-") {
			key += " "
		} else {
			key, c = key+" "+c[1].text, c[1:]
		}
	}
	found, ok := readOnlyPrograms[key]
	found.git = true
	return c[1:], found, ok
}

// twoWords are parts of git whose own parts are named in the table; that without one, with
// a blank behind it.
var twoWords = map[string]bool{"git remote": true, "git stash": true, "git worktree": true, "git reflog": true}

// asksGPG asks gpg.
var asksGPG = regexp.MustCompile(`%[-+ ]?G|%\(.*signature|^(--sort=)?[-*]*signature`)

// operands are the words of a command that may be files; ok is false for an option that
// is not listed, or a word too many. What begins with a dash has to be listed behind --
// too: the option in front of it may have taken that for its value, and to find it means
// nothing.
func (r readOnlyProgram) operands(c command) (all []string, ok bool) {
	texts, behind := r.leadingTexts, false
	for _, w := range c {
		dash := strings.HasPrefix(w.text, "-")
		switch {
		case !dash:
		case w.text == "--":
			behind = true
			continue
		case w.text == "-": // a file as others are: what stands behind it is the next one
			dash = false
		case isNumber(w.text[1:]):
		case asksGPG.MatchString(w.text) || !r.allowsOption(w.text):
			return nil, false
		case texts == 1 && givesPattern(w.text):
			texts = 0
		}
		if behind || !dash {
			all = append(all, w.text)
		}
	}
	if r.listOptions != nil && len(all) > 0 && !r.onlyLists(c) {
		return nil, false
	}
	if slices.ContainsFunc(all, asksGPG.MatchString) || len(all) > r.maxWords {
		return nil, false
	}
	return all[min(max(texts, 0), len(all)):], true
}

// onlyLists says whether the words of a command are looked up, and nothing of their name
// is made. Behind --format and --sort stands their value, whatever it looks like.
func (r readOnlyProgram) onlyLists(c command) bool {
	found := false
	for _, w := range c {
		switch option, _, valued := strings.Cut(w.text, "="); {
		case option == "--":
			return found
		case !valued && (option == "--format" || option == "--sort"):
			return false
		case slices.Contains(r.listOptions, option):
			found = true
		}
	}
	return found
}

// givesPattern says whether an option holds what grep looks for, so that every word
// without a dash is a file.
func givesPattern(option string) bool {
	return strings.HasPrefix(option, "--regexp") || option == "--files" || !strings.HasPrefix(option, "--") && strings.Contains(option, "e")
}

func (r readOnlyProgram) allowsOption(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	if slices.Contains(r.options, name) || slices.Contains(r.options, anyOption) {
		return true
	}
	return !strings.HasPrefix(option, "--") && shortCovered(option[1:], r.options)
}

// jqReads is what a filter of jq's reads by.
var jqReads = regexp.MustCompile(`import|include|modulemeta|env|ENV|input`)

// sedPrint is what sed writes of a file and does nothing else.
var sedPrint = regexp.MustCompile(`^([0-9]+|\$)(,([0-9]+|\$))?p$`)
