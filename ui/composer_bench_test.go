package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// What a key costs in a line of 10,000 pasted lines, with the picture: folded,
// opened with the cursor in the middle, and one line of 500,000 characters.
func BenchmarkKeyInALongLine(b *testing.B) {
	lines := strings.Repeat("a line of the log that somebody pasted, of fifty..\n", 10_000)
	for name, text := range map[string]string{"folded": lines, "opened": lines, "one": strings.Repeat("words, ", 70_000)} {
		b.Run(name, func(b *testing.B) {
			s := newScreen(b, 120, 40)
			s.send(tea.PasteMsg{Content: text})
			if name != "folded" {
				s.keys("ctrl+o")
				s.line().Move(len(text) / 2)
			}
			s.View()
			b.ReportAllocs()
			for b.Loop() {
				s.send(key("a"))
				s.View()
				s.send(key("backspace"))
				s.View()
			}
		})
	}
}

func BenchmarkPasteOf10000Lines(b *testing.B) {
	lines := tea.PasteMsg{Content: strings.Repeat("a line of the log that somebody pasted, of fifty..\n", 10_000)}
	s := newScreen(b, 120, 40)
	for b.Loop() {
		s.send(lines)
		s.View()
		s.keys("backspace")
	}
}
