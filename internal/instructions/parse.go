package instructions

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// mostImports is how many includes of one file are looked at.
const mostImports = 50

// parse reads instructions as Claude Code does: comments of HTML that begin a line are left out of
// what is shown to a model, and @path includes a file, except in code.
func parse(text string) (shown string, imports []string) {
	var p parser
	for line := range strings.Lines(text) {
		p.line(line)
	}
	if p.comment { // it never ends, so it is none
		p.shown.WriteString(p.held.String())
	}
	p.endParagraph()
	return p.shown.String(), p.imports
}

type parser struct {
	shown     strings.Builder
	paragraph strings.Builder // the lines of prose since the last blank line or fence
	imports   []string
	fence     string          // that opened the code which the lines are in
	comment   bool            // the lines are in a comment
	held      strings.Builder // of which this was left out so far
}

func (p *parser) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case p.comment:
		p.held.WriteString(line)
		p.leaveComment(line)
	case p.fence != "":
		p.shown.WriteString(line)
		if fence := fenceOf(trimmed); strings.HasPrefix(fence, p.fence) && fence == trimmed {
			p.fence = ""
		}
	case strings.HasPrefix(trimmed, "<!--"):
		p.endParagraph()
		p.comment = true
		p.held.WriteString(line)
		p.leaveComment(line)
	default:
		p.shown.WriteString(line)
		if p.fence = openedFence(trimmed); p.fence != "" || trimmed == "" {
			p.endParagraph()
			return
		}
		p.paragraph.WriteString(line)
	}
}

// leaveComment takes what follows the end of a comment on its line as a line of its own.
func (p *parser) leaveComment(line string) {
	_, rest, ended := strings.Cut(line, "-->")
	if !ended {
		return
	}
	p.comment = false
	p.held.Reset()
	if strings.TrimSpace(rest) != "" {
		p.line(rest)
	}
}

// fenceOf is the row of backticks or tildes, three at least, at the start of a line; empty if there
// is none.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// openedFence is the fence of a line that opens code.
func openedFence(line string) string {
	fence := fenceOf(line)
	if strings.HasPrefix(fence, "`") && strings.Contains(line[len(fence):], "`") {
		return "" // a span of code
	}
	return fence
}

// mention is an @ at the start of a word. A blank in a path is written with a backslash.
var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)@((?:[^\s\\]|\\.)+)`) })

func (p *parser) endParagraph() {
	prose := p.paragraph.String()
	p.paragraph.Reset()
	if !strings.Contains(prose, "@") {
		return
	}
	prose = withoutSpans(prose)
	for _, found := range mention().FindAllStringSubmatch(prose, -1) {
		target := strings.ReplaceAll(found[1], `\ `, " ")
		if first := target[0]; first == '@' || first == '#' || first == '"' || first == '(' {
			continue
		}
		if len(p.imports) < mostImports && !slices.Contains(p.imports, target) {
			p.imports = append(p.imports, target)
		}
	}
}

// withoutSpans takes the spans of code out of a paragraph: from a row of backticks to the next one
// of the same length.
func withoutSpans(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '`')
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		text = text[at:]
		n := len(text) - len(strings.TrimLeft(text, "`"))
		end := closing(text[n:], n)
		if end < 0 { // it opens nothing
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		b.WriteByte('`') // so that no word begins where the span was
		text = text[n+end+n:]
	}
}

// closing is where a row of exactly n backticks begins; -1 if there is none.
func closing(text string, n int) int {
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		row := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if row == n {
			return at
		}
		at += row
	}
	return -1
}

// spellings are what a path may be: as it is written, and without the end of a sentence or a
// fragment behind it.
func spellings(target string) []string {
	all := []string{target}
	if whole, _, is := strings.Cut(target, "#"); is && whole != "" {
		all = append(all, whole)
	}
	if short := strings.TrimRight(all[len(all)-1], ".,;:!?)]}>*_'\""); short != "" && short != all[len(all)-1] {
		all = append(all, short)
	}
	return all
}
