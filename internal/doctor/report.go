package doctor

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/system"
)

// level is the severity of a finding.
type level string

const (
	levelOK      level = "ok"
	levelInfo    level = "info"    // neither good nor bad
	levelNote    level = "note"    // it works, but not as well as it could
	levelProblem level = "problem" // something that Pawl needs is broken
)

// Finding is one line of the report. Its texts may hold anything: they are cleaned on the way
// out.
type Finding struct {
	Name  string   `json:"name"`
	Level level    `json:"level"`
	Says  string   `json:"says"`
	Do    string   `json:"do,omitempty"`    // what a person can do about it
	Next  string   `json:"-"`               // the same where it stands alone: an act, and why
	More  []string `json:"more,omitempty"`  // lines below it
	Value any      `json:"value,omitempty"` // for programs: a path, a number, a list
}

// Section groups the findings about one subject.
type Section struct {
	Title    string    `json:"title"`
	Findings []Finding `json:"findings"`
}

// Report is what doctor --json prints.
type Report struct {
	OK       bool      `json:"ok"`
	Version  string    `json:"version"`
	Platform string    `json:"platform"`
	Problems []string  `json:"problems"` // one line each
	Next     string    `json:"next"`     // one sentence: the most important next act
	Sections []Section `json:"sections"`
}

// Report returns the findings, cleaned.
func (e *Examination) Report() Report {
	clean := make([]Section, len(e.sections))
	for i, s := range e.sections {
		clean[i].Title = s.Title
		for _, f := range s.Findings {
			clean[i].Findings = append(clean[i].Findings, e.cleaned(f))
		}
	}
	problems := e.Problems()
	return Report{
		OK: len(problems) == 0, Version: base.VersionText(), Platform: system.Platform(), Problems: problems, Next: e.next(), Sections: clean,
	}
}

// cleaned makes a finding fit to be shown: each text on one line, and without keys that a
// foreign text may have quoted.
func (e *Examination) cleaned(f Finding) Finding {
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

func (e *Examination) clean(text string) string {
	return e.Models.Hide().Text(sanitize.Line(sanitize.Ends(text)).String())
}

// Problems lists what is broken, one line each with what to do. It is never nil.
func (e *Examination) Problems() []string {
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

// next is the one sentence to act on: the first problem, for what stands above may be why others
// are there; else to come by a model, without which all the rest is of no use; else what a note asks for.
func (e *Examination) next() string {
	var problem, model, note string
	for _, s := range e.sections {
		for _, f := range s.Findings {
			switch {
			case f.Level == levelProblem:
				problem = cmp.Or(problem, f.Next, "mend "+strings.ToLower(s.Title)+", "+f.line())
			case s.Title == modelsTitle:
				model = cmp.Or(model, f.Next)
			default:
				note = cmp.Or(note, f.Next)
			}
		}
	}
	act := cmp.Or(problem, model, note)
	if act == "" {
		return "Nothing to do: start with pawl."
	}
	return "Next: " + strings.TrimSuffix(e.clean(act), ".") + "."
}

func (f Finding) line() string {
	if f.Do == "" {
		return f.Name + ": " + f.Says
	}
	return f.Name + ": " + f.Says + ": " + f.Do
}

// sign is the mark before a finding; all have the same width.
func sign(l base.Look, of level) string {
	signs, paint := map[level]string{levelOK: "✓", levelInfo: "·", levelNote: "!", levelProblem: "✗"}, ""
	if !l.UTF8 {
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
	if !l.Colour || paint == "" {
		return signs[of]
	}
	return paint + signs[of] + "\x1b[m"
}

// Print writes the report for people.
func (e *Examination) Print(out io.Writer, l base.Look) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Pawl %s\n%s\n", e.clean(base.VersionText()), e.clean(system.Platform()))
	for _, s := range e.sections {
		fmt.Fprintf(&b, "\n%s\n", s.Title)
		name := 0
		for _, f := range s.Findings {
			name = max(name, len(f.Name))
		}
		for _, f := range s.Findings {
			write(l, &b, name, e.cleaned(f))
		}
	}
	b.WriteString("\n")
	problems := e.Problems()
	switch len(problems) {
	case 0:
		b.WriteString("Everything Pawl needs is there.\n")
	case 1:
		b.WriteString("1 problem:\n")
	default:
		fmt.Fprintf(&b, "%d problems:\n", len(problems))
	}
	for _, problem := range problems {
		wrapped(l, &b, "  "+sign(l, levelProblem)+" ", 4, problem)
	}
	wrapped(l, &b, "", 0, e.next())
	text := b.String()
	if !l.UTF8 {
		text = strings.NewReplacer("×", "x", "…", "...", "·", "-").Replace(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// write writes a finding with its name padded to column.
func write(l base.Look, b *strings.Builder, column int, f Finding) {
	says := f.Says
	if f.Do != "" {
		says += ": " + f.Do
	}
	head := fmt.Sprintf("  %s %-*s  ", sign(l, f.Level), column, f.Name)
	wrapped(l, b, head, column+6, says)
	for _, line := range f.More {
		wrapped(l, b, strings.Repeat(" ", column+6)+"- ", column+8, line)
	}
}

// wrapped writes a text after head and indents its further lines.
func wrapped(l base.Look, b *strings.Builder, head string, indent int, text string) {
	room := l.Width - indent
	if room >= 20 {
		text = strings.ReplaceAll(ansi.Wrap(text, room, ""), "\n", "\n"+strings.Repeat(" ", indent))
	}
	b.WriteString(strings.TrimRight(head+text, " ") + "\n")
}
