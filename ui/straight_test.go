package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// straight fails where a picture has not one line a row, or a line that a terminal
// would draw wider than the screen. Terminals disagree on some characters; the
// emulator, which is far wider than the screen, is one that reads them as Pawl
// measures them.
func straight(t require.TestingT, emulator *vt.Emulator, content string, width, height int) {
	lines := strings.Split(content, "\n")
	require.Len(t, lines, height)
	for i, line := range lines {
		_, err := emulator.WriteString("\x1b[H\x1b[2K" + line)
		require.NoError(t, err)
		require.LessOrEqualf(t, emulator.CursorPosition().X, width, "line %d: %q", i, line)
	}
	narrow(t, content, width, height)
}

// manyScripts draws text that is hard to measure.
func manyScripts() *rapid.Generator[string] {
	pieces := []string{
		"漢字かな交じり文", "한국어", "👨\u200d👩\u200d👧\u200d👦", "👍🏽", "🇩🇪🇯🇵", "❤\ufe0f", "☺\ufe0e", "1\ufe0f\u20e3", "e\u0301\u0302", "z\u0351\u036b\u0343",
		"שלום עולם", "مرحبا بالعالم", "\u202eevil\u202c", "\u2067iso\u2069", "हिन्दी", "ไทย", "ﷺ", "…", "\u00ad", "plain words", strings.Repeat("長", 90),
		strings.Repeat("👩\u200d💻", 30), "\n", "\n\n", "\t", "```go\n", "```\n", "| 表 | 👍🏽 |\n|---|---|\n| שלום | 值 |\n", "- ", "> ", "# ", "https://例え.jp/漢字 ",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 10).Draw(t, "pieces"), "")
	})
}

func TestNoScriptBreaksALineAtAnyWidth(t *testing.T) {
	emulator := vt.NewEmulator(500, 1)
	rapid.Check(t, func(r *rapid.T) {
		x := manyScripts().Draw(r, "text")
		width, height := rapid.IntRange(1, 200).Draw(r, "width"), rapid.IntRange(1, 50).Draw(r, "height")
		s := newScreen(t, width, height, withLinks, func(_ *Options, term *terminal.Features) { term.ASCII = rapid.Bool().Draw(r, "ascii") })
		s.ask(x)
		s.log(root, "r1", lifecycle.Text{Text: x})
		s.tool("1", "shell", x, lifecycle.ToolError, agent.CommandView{Command: x, Output: x, ExitCode: 1, Note: x})
		s.tool("2", "edit", x, lifecycle.ToolOK, agent.DiffView{Path: x, Diff: "@@ -1 +1 @@\n-" + x + "a\n+" + x + "b"})
		s.delegate(x, true)
		s.send(progress(1, x))
		straight(t, emulator, s.View().Content, width, height)
		s.keys("ctrl+up", "up", "enter", "/")
		s.send(tea.PasteMsg{Content: x})
		straight(t, emulator, s.View().Content, width, height)
		require.NotContains(t, s.View().Content, "\u202e", "a direction override")
		s.keys("esc", "esc")
		s.send(tea.PasteMsg{Content: x})
		straight(t, emulator, s.View().Content, width, height)
	})
}

// The window may have any size at any moment.
func TestAWindowMayChangeItsSizeAtAnyMoment(t *testing.T) {
	keys := []string{
		"up", "down", "pgup", "pgdown", "ctrl+up", "ctrl+f", "ctrl+o", "enter", "space", "esc", "tab", "left", "?", "ctrl+home", "ctrl+end", "n", "/", "x", "ctrl+x", "y",
	}
	emulator := vt.NewEmulator(500, 1)
	rapid.Check(t, func(r *rapid.T) {
		scene := rapid.SampledFrom(scenes).Draw(r, "scene")
		if scene.name == "stranger" { // nobody takes its answer
			return
		}
		s := newScreen(t, 80, 24)
		scene.play(s)
		for range rapid.IntRange(1, 8).Draw(r, "moments") {
			switch rapid.IntRange(0, 3).Draw(r, "what") {
			case 0, 1:
				s.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 200).Draw(r, "width"), Height: rapid.IntRange(1, 60).Draw(r, "height")})
			case 2:
				s.keys(rapid.SampledFrom(keys).Draw(r, "key"))
			case 3:
				s.send(tea.MouseClickMsg{X: rapid.IntRange(0, s.width).Draw(r, "x"), Y: rapid.IntRange(0, s.height).Draw(r, "y"), Button: tea.MouseLeft})
			}
			straight(t, emulator, s.View().Content, s.width, s.height)
			require.False(t, s.crash.Happened())
		}
	})
}
