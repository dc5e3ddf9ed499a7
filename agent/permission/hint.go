package permission

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// hinted says whether a line that plainly does not run what is meant names it where it
// may be taken for code: in the value of a variable, in a text with a substitution
// that something may expand, in the words of a program that is a language or has an
// option that runs others, or in what such a program is fed.
func (p commandPattern) hinted(line string, file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			found = found || node.Value != nil && p.named(line, node.Value)
		case *syntax.SglQuoted:
			found = found || substitutes(node.Value) && p.named(line, node)
		case *syntax.Lit:
			found = found || substitutes(node.Value) && p.named(line, node)
		case *syntax.CallExpr:
			switch c := commandOf(node); {
			case len(c) == 0 || !c[0].known:
			case c.readsItsProgram():
				found = found || p.named(line, file)
			case c.holdsCode():
				found = found || p.named(line, node)
			}
		}
		return !found
	})
	return found
}

func substitutes(text string) bool {
	return strings.Contains(text, "$(") || strings.Contains(text, "`")
}

// holdsCode says whether words of a command may be a program of their own.
func (c command) holdsCode() bool {
	name := programName(c[0].text)
	if languages[name] {
		return !scripts[name] || len(c) > 1 && strings.HasPrefix(c[1].text, "-")
	}
	for i := 1; i < len(c); i++ {
		if isRisky(c, i) && !slices.Contains(risky[name], anyWord) {
			return true
		}
	}
	return false
}

// readsItsProgram says whether a command is a language that runs what it is fed.
func (c command) readsItsProgram() bool {
	name := programName(c[0].text)
	return scripts[name] && !slices.ContainsFunc(c[1:], func(w word) bool {
		return !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "/dev/") || strings.HasPrefix(w.text, "-c") || strings.HasPrefix(w.text, "-e")
	}) || languages[name] && len(c) == 1
}

// named says whether every word of the pattern stands in the text of a node.
func (p commandPattern) named(line string, node syntax.Node) bool {
	from, to := node.Pos().Offset(), node.End().Offset()
	if from > to || int(to) > len(line) { // nothing that the parser gives
		return true
	}
	names := strings.FieldsFunc(line[from:to], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./*", r)
	})
	for _, pattern := range p.words {
		if !slices.ContainsFunc(names, func(name string) bool {
			return pattern.folded().matches(fold(name)) || pattern.folded().matches(fold(path.Base(name)))
		}) {
			return false
		}
	}
	return true
}

// garbled says whether a letter may end a word for one shell and not for another, or
// is none at all. A line that holds one may be any other line.
func garbled(r rune) bool {
	return r == unicode.ReplacementChar || r != '\n' && r != '\t' && (r < ' ' || r == 0x7f)
}
