package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// asked is a screen that asks about a folder, and what it was told of it.
func met(t testing.TB, width, height int, says ...string) (s *screen, told *[]bool) {
	told = &[]bool{}
	s = newScreen(t, width, height, func(o *Options, _ *terminal.Features) {
		o.TrustPrompt = &TrustPrompt{
			Title: ".mcp.json of this folder wants to start or reach 2 MCP servers, to give models their tools. Do you trust it?", Says: says,
			Decide: func(_ context.Context, trust bool) error {
				*told = append(*told, trust)
				return nil
			},
		}
	})
	return s, told
}

func theServers() []string {
	return []string{
		"disk: npx -y @example/server " + strings.Repeat("--a-long-argument ", 8) + "--last",
		"    is given DEBUG, TOKEN", "    reads from your environment: TOKEN",
		"web: https://mcp.example.com/mcp",
	}
}

func TestAStrangerIsAskedAboutBeforeAnythingElse(t *testing.T) {
	for key, want := range map[string][]bool{"x": {false}, "n": {}, "esc": {}, "enter": {}} {
		s, told := met(t, 80, 24, theServers()...)
		require.Contains(t, s.text(), "Do you trust it?")
		require.Contains(t, s.text(), "--last", "nothing of a command is left out")
		require.Contains(t, s.text(), "TOKEN")
		s.pass(settled)
		s.keys(key)
		require.Equal(t, want, *told, key)
		require.Nil(t, s.dialog)
		s.typed("hello")
		require.Equal(t, "hello", s.line().Text)
	}
}

// It is not told yes by the screen: all that the yes is about begins with the session.
func TestAYesToAStrangerOpensTheSessionAgain(t *testing.T) {
	s, told := met(t, 80, 24, theServers()...)
	require.NotContains(t, s.text(), "pgdn", "it is all there")
	s.pass(settled)
	s.keys("y")
	require.Equal(t, Ending{Cause: lifecycle.CauseQuit, Next: &Next{Trust: s.options.TrustPrompt}}, s.ending)
	require.Empty(t, *told)
}

func TestWhatWasTypedBeforeAStrangerStoodIsNoAnswer(t *testing.T) {
	s, told := met(t, 80, 24, theServers()...)
	s.keys("y", "x", "n", "enter")
	require.NotNil(t, s.dialog)
	require.Empty(t, *told)
	require.Contains(t, s.text(), "› yxn", "it is seen below")
	s.pass(settled)
	s.keys("up")
	s.typed("y")
	s.pass(settled)
	s.keys("enter") // the mark is back on: not now
	require.Equal(t, "yxny", s.line().Text)
	require.Nil(t, s.dialog)
	require.Empty(t, *told)
}

func TestAStrangerThatDoesNotFitIsScrolledThrough(t *testing.T) {
	s, _ := met(t, 40, 10, theServers()...)
	require.Contains(t, s.text(), "pgdn")
	require.NotContains(t, s.text(), "mcp.example.com")
	for range 10 {
		s.keys("pgdown")
	}
	require.Contains(t, s.text(), "mcp.example.com")
	require.NotContains(t, s.text(), "pgdn")
	require.Contains(t, s.text(), "not now")
}

// Neither the key nor Enter on the marked answer trusts what has not been on the screen.
func TestAYesToAStrangerIsForWhoHasSeenItsEnd(t *testing.T) {
	for _, yes := range [][]string{{"y"}, {"enter"}} {
		s, _ := met(t, 40, 10, theServers()...)
		s.pass(settled)
		if yes[0] == "enter" {
			s.keys("up")
		}
		presses := 0
		for ; strings.Contains(s.text(), "pgdn"); presses++ {
			s.keys(yes...)
			require.NotNil(t, s.dialog, "it shows what comes next")
			require.Nil(t, s.ending.Next)
			require.Less(t, presses, 50)
		}
		require.Positive(t, presses)
		require.Contains(t, s.text(), "mcp.example.com")
		s.keys(yes...)
		require.NotNil(t, s.ending.Next)
	}
}

func TestAnAnswerThatCannotBeKeptSaysSo(t *testing.T) {
	s, _ := met(t, 80, 24)
	s.send(decided{errors.New("disk full")})
	s.keys("esc")
	s.send(decided{errors.New("disk full")})
	require.Contains(t, s.text(), "could not be saved: disk full")
}

func TestTheStatusLineSaysWhatAilsOutside(t *testing.T) {
	s := newScreen(t, 80, 24)
	before := s.text()
	s.send(healthWarning("mcp: 1 of 3 down"))
	require.Contains(t, s.text(), "mcp: 1 of 3 down")
	s.send(healthWarning(""))
	require.Equal(t, before, s.text())
}

func TestAStrangersHostileTextIsInert(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := hostileText().Draw(r, "text")
		s := newScreen(t, rapid.IntRange(1, 130).Draw(r, "width"), rapid.IntRange(1, 50).Draw(r, "height"), func(o *Options, _ *terminal.Features) {
			o.TrustPrompt = &TrustPrompt{Title: x, Says: []string{x, x}}
		})
		s.send(healthWarning(x))
		s.look()
		s.send(decided{fmt.Errorf("%s", x)})
		s.keys("pgdown", "esc")
		s.look()
	})
}
