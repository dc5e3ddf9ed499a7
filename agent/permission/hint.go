package permission

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// hinted reports whether a line in which the command was not found names it where it may be
// taken for code: in the value of a variable, in text with a substitution that something may
// expand, or in the arguments of a language or of a program with a risky option.
func (p commandPattern) hinted(line string, file *syntax.File) bool {
	return anyNode(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			return node.Value != nil && p.named(line, node.Value)
		case *syntax.SglQuoted:
			return substitutes(node.Value) && p.named(line, node)
		case *syntax.Lit:
			return substitutes(node.Value) && p.named(line, node)
		case *syntax.CallExpr:
			switch c := commandOf(node); {
			case len(c) == 0 || !c[0].known:
			case !harmlessPrograms.has(c[0].text) && slices.ContainsFunc(node.Args, dollarQuoted), slices.ContainsFunc(c.tails(), command.inlineUnknown):
				return true
			case slices.ContainsFunc(c.tails(), command.holdsCode), len(node.Assigns) > 0:
				return p.named(line, node)
			}
		}
		return false
	})
}

func substitutes(text string) bool {
	return strings.Contains(text, "$(") || strings.Contains(text, "`")
}

// holdsCode reports whether arguments of a command may be a program.
func (c command) holdsCode() bool {
	name := programName(c[0].text)
	if languages.has(name) {
		return !scripts.has(name) || len(c) > 1 && (strings.HasPrefix(c[1].text, "-") || scriptRunners.has(c[1].text))
	}
	for i := 1; i < len(c); i++ {
		if isRisky(c, i) && !slices.Contains(riskyOptions[name], anyWord) {
			return true
		}
	}
	return false
}

// scriptRunners are subcommands of bun and deno that run what follows.
var scriptRunners = set(`eval exec run task x`)

// tails are the command itself and, if it is a wrapper, the commands that may begin at
// each argument.
func (c command) tails() []command {
	all := []command{c}
	if runsOthers(c[0]) && len(c) <= maxRunWords {
		for i := range c[1:] {
			if c[1+i].known && (c[1+i].text != "." || c[0].text == "command" || c[0].text == "builtin") { // else a folder
				all = append(all, c[1+i:])
			}
		}
	}
	return all
}

// inlineUnknown reports whether a language has an inline program and an argument that is
// not known.
func (c command) inlineUnknown() bool {
	return !c.known() && (c.hasInlineProgram() || c.inlineRunsOthers())
}

// inlineRunsOthers reports whether an inline program of a language may run others.
func (c command) inlineRunsOthers() bool {
	return c[0].known && (c.hasInlineProgram() || filters.has(programName(c[0].text))) &&
		slices.ContainsFunc(c[1:], func(w word) bool { return runCalls().MatchString(w.text) })
}

// runCalls matches what languages use to run programs.
var runCalls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)system|exec|popen|spawn|process|eval|import|require|qx|%x|open|getline|`|[^|][|][^|]")
})

// hasInlineProgram reports whether a command is a language with a program in an option.
func (c command) hasInlineProgram() bool {
	return c[0].known && scripts.has(programName(c[0].text)) && slices.ContainsFunc(c[1:], func(w word) bool {
		return strings.HasPrefix(w.text, "-") && holdsProgram(w.text) && !strings.HasPrefix(w.text, "-m") && !infoOptions.has(w.text)
	})
}

var infoOptions = set(`--help --version -V -h -v`)

// named reports whether every word of the pattern occurs in the text of a node.
func (p commandPattern) named(line string, node syntax.Node) bool {
	return p.namedIn(source(line, node))
}

// namedIn reports whether every word of the pattern occurs in a text, quoted or not; also
// between slashes, which delimit what sed runs.
func (p commandPattern) namedIn(text string) bool {
	return p.namedAmong(namesIn(text)) || p.namedAmong(namesIn(unquoting.Replace(text))) || p.namedAmong(namesIn(strings.ReplaceAll(text, "/", " ")))
}

var unquoting = strings.NewReplacer(`"`, "", `'`, "", `\`, "")

func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./*", r)
	})
}

func (p commandPattern) namedAmong(names []string) bool {
	return !slices.ContainsFunc(p.words, func(pattern wordPattern) bool {
		return !slices.ContainsFunc(names, pattern.matchesProgram)
	})
}

// ambiguous reports whether a character may end a word in one shell and not in another, or
// is not a valid one. A line with such a character might mean anything.
func ambiguous(r rune) bool {
	return r == unicode.ReplacementChar || r != '\n' && r != '\t' && (r < ' ' || r == 0x7f)
}
