package fleet

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// check holds the picture as it stands against what every screen is held to.
func (s *screen) check(t require.TestingT) {
	content := s.View().Content
	picturetest.RequireInert(t, content)
	picturetest.RequireInert(t, s.View().WindowTitle)
	picturetest.RequireNarrow(t, content, s.width, s.height)
}

func TestHostileTextIsInert(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := picturetest.HostileText().Draw(r, "text")
		bad := errors.New(x)
		s := newScreen(rapid.IntRange(1, 210).Draw(r, "width"), rapid.IntRange(1, 50).Draw(r, "height"), func(o *Options, term *terminal.Features) {
			o.Folder, o.Drafts = x, map[lifecycle.SessionID]string{"a": x}
			term.Colour, term.Links = rapid.Bool().Draw(r, "colour"), rapid.Bool().Draw(r, "links")
		})
		one := Session{ID: "a", Title: x, Folder: x, Workspace: x, Need: NeedsYou, Activity: x, State: lifecycle.State(x), Since: epoch, Hosted: true}
		one.Question = &lifecycle.Question{ID: "q", Tool: x, Subject: x, Who: x, Why: x, Because: x, AlwaysAsk: x, View: agent.EncodeView(agent.DiffView{Diff: "+" + x})}
		two := Session{ID: lifecycle.SessionID(x), Title: x, Need: Need(rapid.IntRange(-1, 9).Draw(r, "need")), Activity: x, State: lifecycle.StateFailed, Subagents: -1, Running: 9, Queued: 2, Denied: 1}
		s.send(Picture{Sessions: []Session{one, two}, Trouble: []string{x, x, x}, DayCost: 3, DayLimit: 1})
		s.check(t)
		for _, key := range []string{"space", "down", "x", "x", "m", "up", "m"} {
			s.keys(key)
			s.check(t)
		}
		s.send(tea.PasteMsg{Content: x})
		s.check(t)
		s.keys("enter", "/")
		s.send(tea.PasteMsg{Content: x})
		s.check(t)
		s.keys("enter", "esc", "+")
		s.send(completed{typed: s.folderText(), found: []string{x, x + "a"}})
		s.check(t)
		s.send(placed{typed: s.folderText(), err: bad})
		s.check(t)
		s.send(peeked{session: s.board.selected, err: bad})
		s.check(t)
		s.send(done{s: one, err: bad})
		s.send(terminal.WatchEnded{Err: bad})
		s.check(t)
	})
}

func (s *screen) folderText() string {
	if s.input == nil {
		return ""
	}
	return s.input.Text
}

// Each scene is drawn in a fifth of the sizes, the next one in the next fifth.
func TestEverySizeHolds(t *testing.T) {
	for turn, scene := range scenes {
		s := newScreen(80, 24, func(_ *Options, term *terminal.Features) { term.Colour = true })
		scene.play(s)
		for _, width := range []int{1, 2, 3, 4, 7, 10, 19, 39, 40, 59, 61, 79, 111, 149, 150, 200, 300} {
			for _, height := range []int{1, 2, 3, 4, 5, 6, 8, 10, 15, 16, 18, 30, 60} {
				if turn++; turn%5 != 0 {
					continue
				}
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
				s.check(t)
				require.False(t, s.crash.Happened(), "%s in %dx%d", scene.name, width, height)
			}
		}
	}
}

// Columns give way by rank, and no list is wider than it may be, or than the eye can follow.
func TestNoListIsWiderThanItMayBe(t *testing.T) {
	w := widths{title: 60, folder: 30, subagents: 12, slots: 9, denied: 9, tokens: 8, cost: 7, age: 4}
	for width := 1; width <= 250; width++ {
		title, activity, of := fitting(width, &w)
		all := 4 + title
		if activity > 0 {
			all += 2 + activity
		}
		for _, column := range of {
			if column > 0 {
				all += column + 2
			}
		}
		require.LessOrEqual(t, all, max(5, min(width, 140)), "%d columns", width)
		require.Positive(t, title)
	}
}

func TestAPanicOfTheScreenIsOneLine(t *testing.T) {
	for name, breakIt := range map[string]func(*screen) tea.Cmd{
		"in a message": func(s *screen) tea.Cmd {
			s.written = nil
			_, _ = s.Update(key("m"))
			_, cmd := s.Update(heldDue{s.holds})
			return cmd
		},
		"in drawing": func(s *screen) tea.Cmd {
			s.board.kept = []int{99}
			s.changed()
			_ = s.View()
			_, cmd := s.Update(tea.ResumeMsg{})
			return cmd
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(80, 24)
			s.send(twelve(epoch))
			require.NotNil(t, breakIt(s))
			require.True(t, s.crash.Happened(), "the program ends in order")
			require.NotContains(t, s.crash.Error(), "\n")
			require.Contains(t, s.crash.Error(), "pawl ps")
		})
	}
}
