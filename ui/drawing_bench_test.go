package ui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// crowded is a screen with a conversation of so many tokens and five subagents at work.
func crowded(t testing.TB, tokens int) *screen {
	s := newScreen(t, 120, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
	history(s, tokens)
	for i := range 5 {
		name := fmt.Sprint("agent ", i)
		s.delegate(name, true)
		s.Update(lifecycle.Updates{Progress: []lifecycle.Progress{{
			Session: lifecycle.SessionID(name), Run: lifecycle.RunID("run " + name), Step: 1, Text: "Reading the ledger of last year", OutputTokens: 1250, At: s.now,
		}}})
	}
	s.View()
	return s
}

// BenchmarkCardLine is the lines of five cards, of which each tells what its run does.
func BenchmarkCardLine(b *testing.B) {
	s := crowded(b, 0)
	c, cards := s.canvas(), s.docked()
	cols := transcript.Columns{}.Grown(c, func(yield func(transcript.Card) bool) {
		for _, line := range cards {
			yield(line.Card)
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		for _, card := range cards {
			card.Line(c, cols)
		}
	}
}

// BenchmarkPage is a screen's height up and down again in a conversation that has been
// drawn before.
func BenchmarkPage(b *testing.B) {
	s := crowded(b, 20_000)
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range []string{"pgup", "pgdown"} {
			s.Update(key(name))
			s.View()
		}
	}
}

// BenchmarkResize is another width: what is seen of the conversation is drawn anew.
func BenchmarkResize(b *testing.B) {
	s := crowded(b, 20_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Update(tea.WindowSizeMsg{Width: 100 + i%2, Height: 40})
		s.View()
	}
}
