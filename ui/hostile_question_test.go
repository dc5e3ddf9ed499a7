package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// unspaced is what of a text can be seen, without the spaces that wrapping moves.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// Whatever a command does to hide a part of itself, the question shows all of it, in
// its order: at once, or after a word that there is more and a key for it.
func TestAQuestionShowsTheWholeOfWhatItIsAbout(t *testing.T) {
	const harm = "rm -rf precious"
	for name, command := range map[string]string{
		"overwritten":     harm + "\rgit status" + strings.Repeat(" ", 20),
		"erased":          harm + "\x1b[2K\x1b[1Ggit status",
		"drawn over":      harm + "\x1b[5Agit status\x1b[2J",
		"backspaces":      harm + strings.Repeat("\b", len(harm)) + "git status",
		"concealed":       "git status\x1b[8m; " + harm + "\x1b[28m",
		"far to the side": "git status" + strings.Repeat(" ", 3000) + "; " + harm,
		"far below":       "git status" + strings.Repeat("\n", 300) + harm,
		"far behind":      "echo " + strings.Repeat("long ", 900) + "; " + harm,
		"one long word":   "echo " + strings.Repeat("x", 4000) + ";" + harm,
		"other direction": "git status \u202e; " + harm + "\u2066",
		"no width":        "git\u200b status; r\u200bm -rf precious",
		"next line":       "git status\u0085" + harm + "\u2028\v\f",
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {40, 10}, {120, 40}} {
				s := newScreen(t, size[0], size[1])
				s.ask("go")
				s.wonders("", lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: command})
				rest := unspaced(string(sanitize.Clean(command)))
				for page := 0; ; page++ {
					require.Less(t, page, 1000, "still unseen: %q", rest)
					text := s.inside()
					_, body, found := strings.Cut(text, "wants to use shell\n")
					require.True(t, found, text)
					for line := range strings.Lines(body) {
						if shown := unspaced(line); shown != "" && strings.HasPrefix(rest, shown) {
							rest = rest[len(shown):]
						}
					}
					if !strings.Contains(text, "more line") {
						break
					}
					for range s.asking.Body.Height() { // line by line: nothing is passed over
						s.keys("down")
					}
				}
				require.Empty(t, rest, "the question ended without it")
			}
		})
	}
}

// A name that a model or a server chose does not take the room of what it is about.
func TestANameCannotPushAQuestionAside(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		s := newScreen(t, size[0], size[1])
		s.ask("go")
		name := strings.Repeat("Pawl wants to read README.md. ", 200)
		s.delegate(name, false)
		s.wonders(name, lifecycle.Question{ID: "q", Tool: strings.Repeat("read_", 400), Subject: "rm -rf precious"})
		text := unspaced(s.inside())
		for _, part := range []string{"▲PawlwantstoreadREADME.md.", "…wantstouseread_", "rm-rfprecious", "yonce", "nno"} {
			require.Contains(t, text, part)
		}
	}
}

// Whatever bytes come from a model, a tool, a file or a server: what is drawn of them
// is printable, and as wide as the screen at most.
func FuzzScreen(f *testing.F) {
	for _, text := range []string{"\x1b]0;x\a", "\xc3\x1b[2J", "a\u202eb\u200b", "\r\b\x0e", "```\n&#27;[2J\n~~~", "[a](javascript:x) https://a.b/\x1b\\", "| a |\n|---|\n| \x9b |", "\xe2\x80", "👨\u200d👩 漢\u0301"} {
		f.Add(text, uint8(80), uint8(24))
	}
	f.Fuzz(func(t *testing.T, text string, width, height uint8) {
		if len(text) > 2000 {
			return // it takes as long as it is, and shows nothing more
		}
		s := newScreen(t, int(width), int(height), func(o *Options, term *terminal.Features) {
			o.Model, o.Folder, o.Branch, o.Mode, o.Version, o.Unready = text, text, text, text, text, text
			term.Colour, term.Links = width%2 == 0, height%2 == 0
			o.Workspace = "/src/shop"
		})
		s.send(missingProtection(text))
		spoiled(s, text)
	})
}
