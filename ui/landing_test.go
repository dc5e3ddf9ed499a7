package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/terminal"
)

// landed is what was landed and sent back on a screen.
type landed struct {
	chosen  [][]changes.Chosen
	sent    []lifecycle.SessionID
	outcome changes.Outcome
	err     error
}

// toLand are the changes of a subagent's worktree: one is clean, one conflicts, one is left.
func toLand() *changed {
	c := fileChanges()
	files := c.listing.Groups[changes.ByFile][0].Files[:3]
	files[0].Hunks, files[1].Hunks = 2, 1
	files[1].Conflict, files[1].Places = "both sides changed line 8", []string{`line 8: in the folder "a", in the worktree "b"`}
	files[2].Left = "it is another repository: submodules are not landed"
	files[2].Uncovered, files[2].Landed = "", false
	c.listing = changes.Listing{Landable: true, Words: "worktree of audit refunds"}
	c.listing.Groups[changes.ByFile] = []changes.Group{{Title: "1 file to land, 1 file in conflict, 1 file left", Files: files}}
	return c
}

// landingDesk is a screen with them open.
func landingDesk(t testing.TB, width, height int, l *landed) *screen {
	c := toLand()
	s := newScreen(t, width, height, c.offer, func(o *Options, _ *terminal.Features) {
		o.Land = func(_ context.Context, agent lifecycle.SessionID, chosen []changes.Chosen) (changes.Outcome, error) {
			require.Equal(t, auditor, agent)
			l.chosen = append(l.chosen, chosen)
			return l.outcome, l.err
		}
		o.SendBack = func(_ context.Context, agent lifecycle.SessionID) (changes.Outcome, error) {
			l.sent = append(l.sent, agent)
			return l.outcome, l.err
		}
	})
	s.ask("Please audit the refunds.")
	s.delegate(string(auditor), true)
	s.end(auditor, "run "+lifecycle.RunID(auditor), lifecycle.Ended{
		State: lifecycle.StateCompleted, Result: "Done.", Worktree: &lifecycle.Worktree{Path: "/data/w", Branch: "pawl/audit", Kept: true, Files: 3},
	})
	s.toLine(auditor)
	s.keys("l")
	s.text()
	return s
}

var landingScenes = []scene{
	{"changes in conflict", func(s *screen) {
		toLand().offer(&s.options, nil)
		s.ask("go")
		s.sent("/changes")
		s.text()
		s.keys("down", "enter")
	}},
}

func TestWhatIsChosenLandsAtTheSecondPress(t *testing.T) {
	l := &landed{outcome: changes.Outcome{Words: "2 files landed in /src/shop; its worktree stays", Clean: true}}
	s := landingDesk(t, 110, 40, l)
	require.Contains(t, s.text(), "worktree of audit refunds")
	s.keys("l")
	require.Contains(t, s.text(), "l again lands 2 files in the folder")
	s.pass(3 * time.Second)
	s.keys("l")
	require.Empty(t, l.chosen, "the first press was too long ago")
	s.keys("l")
	seen := toLand().listing.Groups[changes.ByFile][0].Files
	require.Equal(t, [][]changes.Chosen{{
		{Path: seen[0].Path, Before: seen[0].Before, After: seen[0].After}, {Path: seen[1].Path, Before: seen[1].Before, After: seen[1].After},
	}}, l.chosen, "everything, as it was seen")
	require.Contains(t, s.text(), "2 files landed in /src/shop; its worktree stays")
}

func TestOnlyTheChosenFilesAndHunksLand(t *testing.T) {
	l := &landed{outcome: changes.Outcome{Words: "1 file landed", Clean: true}}
	s := landingDesk(t, 110, 40, l)
	s.keys("enter", "n", "space", "esc", "down", "space", "l", "l")
	require.Len(t, l.chosen, 1)
	require.Len(t, l.chosen[0], 1)
	require.Equal(t, "internal/ledger/of/all/years/ledger.go", l.chosen[0][0].Path)
	require.Equal(t, []int{0}, l.chosen[0][0].Hunks)
	s.keys("down", "space")
	require.Equal(t, changes.All, s.changes.Marks.File("shot.png"), "it is not landed, whatever is chosen")
	s.keys("up", "up", "space", "down", "space", "l")
	require.Contains(t, s.text(), "l again lands 2 files in the folder")
}

func TestNothingLandsWhereNothingIsChosen(t *testing.T) {
	l := &landed{}
	s := landingDesk(t, 110, 40, l)
	s.keys("space", "down", "space", "l", "l")
	require.Contains(t, s.text(), "nothing is chosen")
	require.Empty(t, l.chosen)
}

func TestConflictsAreNamedWithBothSidesAndSentBack(t *testing.T) {
	l := &landed{outcome: changes.Outcome{Words: "sent back: 1 file", Clean: true}}
	s := landingDesk(t, 110, 40, l)
	s.keys("down")
	for _, words := range []string{"in conflict", "both sides changed line 8", `line 8: in the folder "a", in the worktree "b"`, "b send back"} {
		require.Contains(t, s.text(), words)
	}
	s.keys("b")
	require.Equal(t, []lifecycle.SessionID{auditor}, l.sent)
	require.Contains(t, s.text(), "sent back: 1 file")
}

func TestWhyNothingWasLandedIsSaid(t *testing.T) {
	l := &landed{err: errors.New("the subagent is still at work in its worktree")}
	s := landingDesk(t, 110, 40, l)
	s.keys("l", "l")
	require.Contains(t, s.text(), "still at work in its worktree")
}
