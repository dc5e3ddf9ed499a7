package permission

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
)

// Workdir tells Rules.Reads about the folder in which a command line runs.
type Workdir struct {
	// Locate gives the path of a file relative to the folder, with slashes and symbolic
	// links resolved; ok is false if it is outside. The file need not exist.
	Locate func(name string) (located string, ok bool)
	// Checkout reports whether the git directory that git would find is the checkout's
	// own, not one that a file in the folder makes up, and whether git shows nothing but
	// the checkout from there: no other repository, and no file that a link or a setting
	// leads to.
	Checkout func() bool
	// Foreign reports whether the program that a shell would find under this name comes
	// from outside the folder.
	Foreign func(name string) bool
}

// Reads reports whether an effect is a command line that only reads files of the folder,
// which file tools may do without a question: each command is in the table, has listed
// options only, and names no path outside. It is false if a deny or ask rule might match,
// or if the line might show a file that a deny rule protects. It holds only in a trusted
// folder and inside a sandbox, because git obeys the folder's settings.
func (r Rules) Reads(effect agent.Effect, g Workdir) bool {
	if effect.Kind != agent.EffectShell || effect.AlwaysAsk != "" {
		return false
	}
	mightMatch := func(rule Rule) bool { return rule.mightMatch(effect) != no }
	if slices.ContainsFunc(r.Deny, mightMatch) || slices.ContainsFunc(r.Ask, func(rule AskRule) bool { return mightMatch(rule.Rule) }) {
		return false
	}
	commands, plain := plainCommands(effect.Subject)
	return plain && !slices.ContainsFunc(commands, func(c command) bool { return !r.onlyReads(c, g) })
}

// onlyReads reports whether one command only reads.
func (r Rules) onlyReads(c command, g Workdir) bool {
	name := c[0].text
	c, reader, ok := findReadOnly(c)
	if !ok || !g.Foreign(name) || reader.git && !g.Checkout() {
		return false
	}
	if reader.showsAnyFile && r.HidesFiles() {
		return false // it may show any file
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

// readOnlyProgram is a program or git subcommand that only reads.
type readOnlyProgram struct {
	options      []string
	leadingTexts int  // how many of the first operands are not files but, say, a pattern
	maxWords     int  // how many operands it takes at most
	showsAnyFile bool // it shows content of files that no argument names
	git          bool
	listOptions  []string // options without which it takes no operands; nil: it always does
}

// findReadOnly looks a command up in the table and returns its arguments.
func findReadOnly(c command) (command, readOnlyProgram, bool) {
	name := c[0].text
	switch {
	case name == "sed": // only when it just prints lines
		ok := len(c) > 2 && c[1].text == "-n" && sedPrint().MatchString(c[2].text)
		return c[min(len(c), 3):], readOnlyProgram{maxWords: noLimit}, ok
	case name == "date": // any other operand sets the clock
		c = slices.DeleteFunc(slices.Clone(c), func(w word) bool { return strings.HasPrefix(w.text, "+") })
		return c[1:], readOnlyPrograms()[name], true
	case name == "strings": // @file holds more options
		return c[1:], readOnlyPrograms()[name], !slices.ContainsFunc(c, func(w word) bool { return strings.HasPrefix(w.text, "@") })
	case name == "jq": // a filter can name a file or read the environment
		ok := !slices.ContainsFunc(c, func(w word) bool { return jqReads().MatchString(w.text) })
		return c[1:], readOnlyPrograms()[name], ok
	case name != "git":
		found, ok := readOnlyPrograms()[name]
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
	switch { // the command without an argument is listed with a trailing blank
	case !slices.Contains([]string{"remote", "stash", "worktree", "reflog"}, c[0].text):
	case len(c) < 2, strings.HasPrefix(c[1].text, "-"):
		key += " "
	default:
		key, c = key+" "+c[1].text, c[1:]
	}
	found, ok := readOnlyPrograms()[key]
	found.git = true
	return c[1:], found, ok
}

// asksGPG matches formats for which git calls gpg.
var asksGPG = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ ]?G|%\(.*signature|^(--sort=)?[-*]*signature`) })

// operands are the arguments of a command that may be files; ok is false for an unlisted
// option or too many operands. Words with a dash must be listed even after --, because the
// option before it may have taken the -- for its value.
func (r readOnlyProgram) operands(c command) (all []string, ok bool) {
	texts, behind := r.leadingTexts, false
	for _, w := range c {
		dash := strings.HasPrefix(w.text, "-")
		switch {
		case !dash:
		case w.text == "--":
			behind = true
			continue
		case w.text == "-": // a file like any other; what follows it is the next operand
			dash = false
		case isNumber(w.text[1:]):
		case asksGPG().MatchString(w.text) || !r.allowsOption(w.text):
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
	if slices.ContainsFunc(all, asksGPG().MatchString) || len(all) > r.maxWords {
		return nil, false
	}
	return all[min(max(texts, 0), len(all)):], true
}

// onlyLists reports whether the operands are looked up rather than created. --format and
// --sort take the next word as their value, whatever it looks like.
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

// givesPattern reports whether an option holds the pattern, so that every operand is a file.
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

// jqReads matches what a jq filter can read other data with.
var jqReads = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`import|include|modulemeta|env|ENV|input`) })

// sedPrint matches sed scripts that only print lines.
var sedPrint = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+|\$)(,([0-9]+|\$))?p$`) })
