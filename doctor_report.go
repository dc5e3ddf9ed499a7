package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/host"
	tty "pawl/ui/terminal"
)

// level says how a finding stands.
type level string

const (
	levelOK      level = "ok"
	levelInfo    level = "info"    // neither good nor bad
	levelNote    level = "note"    // it works, but less well than it could
	levelProblem level = "problem" // something that Pawl needs is broken
)

// finding is one line of the report. Its texts may hold anything: they are cleaned
// when they leave.
type finding struct {
	Name  string   `json:"name"`
	Level level    `json:"level"`
	Says  string   `json:"says"`
	Do    string   `json:"do,omitempty"`    // what a person can do about it
	More  []string `json:"more,omitempty"`  // lines below it
	Value any      `json:"value,omitempty"` // for programs: a path, a number, a list
}

type section struct {
	Title    string    `json:"title"`
	Findings []finding `json:"findings"`
}

// diagnosis is what --json gives.
type diagnosis struct {
	OK       bool      `json:"ok"`
	Version  string    `json:"version"`
	Platform string    `json:"platform"`
	Problems []string  `json:"problems"` // a line each
	Sections []section `json:"sections"`
}

func (e *examination) diagnosis() diagnosis {
	clean := make([]section, len(e.sections))
	for i, s := range e.sections {
		clean[i].Title = s.Title
		for _, f := range s.Findings {
			clean[i].Findings = append(clean[i].Findings, e.cleaned(f))
		}
	}
	problems := e.problems()
	return diagnosis{
		OK: len(problems) == 0, Version: base.VersionText(), Platform: host.Platform(), Problems: problems, Sections: clean,
	}
}

// cleaned is a finding that can be shown: one line a text, without a key that a
// text of others may have quoted.
func (e *examination) cleaned(f finding) finding {
	f.Name, f.Says, f.Do = e.clean(f.Name), e.clean(f.Says), e.clean(f.Do)
	more := make([]string, 0, len(f.More))
	for _, line := range f.More {
		more = append(more, e.clean(line))
	}
	f.More = more
	if text, ok := f.Value.(string); ok {
		f.Value = e.clean(text)
	}
	return f
}

func (e *examination) clean(text string) string {
	return e.models.Hide().Text(sanitize.Line(sanitize.Ends(text)).String())
}

// problems lists what is broken, a line each with what to do. It is never nil.
func (e *examination) problems() []string {
	list := []string{}
	for _, s := range e.sections {
		for _, f := range s.Findings {
			if f.Level == levelProblem {
				list = append(list, e.clean(strings.ToLower(s.Title)+", "+f.line()))
			}
		}
	}
	return list
}

func (f finding) line() string {
	if f.Do == "" {
		return f.Name + ": " + f.Says
	}
	return f.Name + ": " + f.Says + ": " + f.Do
}

// look is how the report is drawn: its signs, its colours, and how wide. Without a
// terminal a finding is one line, for grep.
type look struct {
	utf8, colour bool
	colours      string
	width        int
	own          tty.Look
}

// widest is how wide a line of the report grows.
const widest = 110

func lookOf(w base.World) look {
	of := tty.LookOf(w.Out, w.Environ)
	l := look{utf8: of.UTF8, colours: of.Colours, own: of}
	file, isFile := w.Out.(interface{ Fd() uintptr })
	if isFile && term.IsTerminal(file.Fd()) {
		l.colour = of.Colours != "none"
		if width, _, err := term.GetSize(file.Fd()); err == nil && width > 0 {
			l.width = min(width, widest)
		}
	}
	return l
}

// sign is the mark in front of a finding, the same width for all.
func (l look) sign(of level) string {
	signs, paint := map[level]string{levelOK: "✓", levelInfo: "·", levelNote: "!", levelProblem: "✗"}, ""
	if !l.utf8 {
		signs = map[level]string{levelOK: "+", levelInfo: "-", levelNote: "!", levelProblem: "x"}
	}
	switch of {
	case levelOK:
		paint = "\x1b[32m"
	case levelNote:
		paint = "\x1b[33m"
	case levelProblem:
		paint = "\x1b[31m"
	case levelInfo:
	}
	if !l.colour || paint == "" {
		return signs[of]
	}
	return paint + signs[of] + "\x1b[m"
}

// print writes the report for people.
func (e *examination) print(out io.Writer, l look) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Pawl %s\n%s\n", e.clean(base.VersionText()), e.clean(host.Platform()))
	for _, s := range e.sections {
		fmt.Fprintf(&b, "\n%s\n", s.Title)
		name := 0
		for _, f := range s.Findings {
			name = max(name, len(f.Name))
		}
		for _, f := range s.Findings {
			l.write(&b, name, e.cleaned(f))
		}
	}
	b.WriteString("\n")
	problems := e.problems()
	switch len(problems) {
	case 0:
		b.WriteString("Everything Pawl needs is there.\n")
	case 1:
		b.WriteString("1 problem:\n")
	default:
		fmt.Fprintf(&b, "%d problems:\n", len(problems))
	}
	for _, problem := range problems {
		l.wrapped(&b, "  "+l.sign(levelProblem)+" ", 4, problem)
	}
	text := b.String()
	if !l.utf8 {
		text = strings.NewReplacer("×", "x", "…", "...", "·", "-").Replace(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// write draws a finding, its name padded to a column.
func (l look) write(b *strings.Builder, column int, f finding) {
	says := f.Says
	if f.Do != "" {
		says += ": " + f.Do
	}
	head := fmt.Sprintf("  %s %-*s  ", l.sign(f.Level), column, f.Name)
	l.wrapped(b, head, column+6, says)
	for _, line := range f.More {
		l.wrapped(b, strings.Repeat(" ", column+6)+"- ", column+8, line)
	}
}

// wrapped writes a text behind a head, its further lines under its first.
func (l look) wrapped(b *strings.Builder, head string, indent int, text string) {
	room := l.width - indent
	if room >= 20 {
		text = strings.ReplaceAll(ansi.Wrap(text, room, ""), "\n", "\n"+strings.Repeat(" ", indent))
	}
	b.WriteString(strings.TrimRight(head+text, " ") + "\n")
}
