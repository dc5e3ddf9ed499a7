package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/export/formats"
	"pawl/ui/draw"
)

// The words behind a format.
const (
	wordBrief     = "brief"
	wordNoContent = "no-content"
)

// wordsOf are options as they are typed.
func wordsOf(as formats.Options) string {
	words := []string{string(as.Format)}
	if as.Brief {
		words = append(words, wordBrief)
	}
	if as.NoContent {
		words = append(words, wordNoContent)
	}
	return strings.Join(words, " ")
}

// exportWay is a way to export with what it is good for.
type exportWay struct {
	as    formats.Options
	means string
}

// exportWays are all there are: the formats, those that can be brief, and all of these
// without content.
func (m *model) exportWays() []exportWay {
	var ways, brief []exportWay
	for _, f := range m.options.Commands.Formats {
		ways = append(ways, exportWay{formats.Options{Format: f}, f.Purpose()})
		if f.ForPeople() {
			brief = append(brief, exportWay{formats.Options{Format: f, Brief: true}, "one page: who did what and how it ended"})
		}
	}
	ways = append(ways, brief...)
	for _, way := range slices.Clone(ways) {
		way.as.NoContent = true
		ways = append(ways, exportWay{way.as, "structure only, safe to share"})
	}
	return ways
}

// exportWords are what /export takes.
func (m *model) exportWords() []string {
	var words []string
	for _, way := range m.exportWays() {
		words = append(words, wordsOf(way.as))
	}
	return words
}

// exportTyped writes the session as the words say and, where they end in one, to a file;
// without words it lists how it can.
func (m *model) exportTyped(words string) tea.Cmd {
	ways := m.exportWays()
	if words == "" && len(ways) > 1 {
		p := &picker{Title: "Export as"}
		for _, way := range ways {
			p.Rows = append(p.Rows, entry{
				Name: sanitize.Line(wordsOf(way.as)), More: []sanitize.Text{sanitize.Line(way.means)},
				Do: func(m *model) tea.Cmd { return m.exportAs(way.as, "", retype{}) },
			})
		}
		return m.offer(p)
	}
	var as formats.Options
	file, names := "", m.formatNames()
	for rest := words; rest != "" && file == ""; {
		word, behind, _ := strings.Cut(rest, " ")
		switch {
		case word == wordBrief:
			as.Brief = true
		case word == wordNoContent:
			as.NoContent = true
		case as.Format == "" && slices.Contains(names, word):
			as.Format = formats.Format(word)
		case slices.Contains(names, word):
			m.say(draw.Failure, draw.Sprintf("%s and %s are two formats: export one, then the other", as.Format, word))
			return nil
		case strings.ContainsAny(rest, "./~"):
			file = rest
		default:
			m.say(draw.Failure, draw.Sprintf("%s is not an export format%s", word, m.didYouMean(word, append(names, wordBrief, wordNoContent))))
			return nil
		}
		rest = strings.TrimSpace(behind)
	}
	return m.exportAs(as, file, retype{m.open, joinTyped("/export", words)})
}

func (m *model) formatNames() []string {
	var names []string
	for _, f := range m.options.Commands.Formats {
		names = append(names, string(f))
	}
	return names
}

// export is the key's.
func (m *model) export() tea.Cmd {
	return m.exportAs(formats.Options{}, "", retype{})
}

// exportAs writes the session to a file as it was typed; empty: into the folder of exports.
func (m *model) exportAs(as formats.Options, file string, typed retype) tea.Cmd {
	if m.options.Export == nil {
		return m.unavailable("export with")
	}
	m.say(draw.Quiet, exportingWords)
	ctx, write, steps := m.ctx, m.options.Export, make(chan exportStep, exportSteps+1)
	return tea.Batch(func() tea.Msg {
		defer close(steps)
		path, err := write(ctx, as, file, reporter(steps))
		return exported{path, typed, err}
	}, next(steps))
}

// exportStep is how far an export of a long session is; it is told at most exportSteps times.
type exportStep struct {
	share float64
	steps <-chan exportStep // for what comes next
}

const exportSteps = 100

// longExport is how many records an export reads that takes long enough for a bar, about a tenth
// of a second.
const longExport = 2_000

// reporter sends how far an export is, and never waits for the screen.
func reporter(steps chan<- exportStep) func(done, total int64) {
	told := int64(0)
	return func(done, total int64) {
		if total < longExport {
			return
		}
		if step := exportSteps * done / total; step > told {
			told = step
			steps <- exportStep{share: float64(done) / float64(total)}
		}
	}
}

// next waits for the next step of an export; after the last it tells nothing.
func next(steps <-chan exportStep) tea.Cmd {
	return func() tea.Msg {
		step, more := <-steps
		if !more {
			return nil
		}
		step.steps = steps
		return step
	}
}

// learnOfExport shows how far an export is, as long as the line says that it goes on, or what
// became of it.
func (m *model) learnOfExport(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case exported:
		return m.exported(msg)
	case exportStep:
		if m.notice.Text == exportingWords {
			m.notice.Share = msg.share
		}
		return next(msg.steps)
	}
	return nil
}

const exportingWords = "exporting"

// exported is what became of an export.
type exported struct {
	path  string
	typed retype
	err   error
}

// exported says where the file is, all of the path, and keeps that to be copied.
func (m *model) exported(e exported) tea.Cmd {
	if e.err != nil {
		back := m.giveLineBack(e.typed)
		m.say(draw.Failure, draw.Sprintf("not exported: %s", sanitize.Line(e.err.Error())))
		return back
	}
	m.written = e.path
	m.say(draw.Quiet, draw.Sprintf("exported to %s", e.path))
	m.notice.File = e.path
	return nil
}

// copyTyped copies the path of the newest export.
func (m *model) copyTyped(string) tea.Cmd {
	if m.written == "" {
		m.say(draw.Quiet, "nothing exported yet: ctrl+s exports")
		return nil
	}
	copied := m.copyText(m.written, "")
	m.say(draw.Quiet, draw.Sprintf("copied %s", m.written))
	return copied
}
