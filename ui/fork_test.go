package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// forkable is a session that can be forked; it notes from before which record.
type forkable struct {
	before []lifecycle.Seq // 0: all of it
	err    error
}

func (f *forkable) offer(o *Options, _ *terminal.Features) {
	o.Commands.Prompts = func(context.Context) ([]Prompt, error) {
		return []Prompt{{Seq: 1, Text: "make it"}, {Seq: 9, Text: "now\nblue"}}, nil
	}
	o.Commands.Fork = func(_ context.Context, before *Prompt) (lifecycle.SessionID, error) {
		seq := lifecycle.Seq(0)
		if before != nil {
			seq = before.Seq
		}
		f.before = append(f.before, seq)
		return "the-fork", f.err
	}
}

func forking(t *testing.T, f *forkable) *screen {
	s := newScreen(t, 100, 30, f.offer)
	s.ask("make it")
	return s
}

func TestForkLeadsOnFromHereOrFromAPrompt(t *testing.T) {
	for _, row := range []struct {
		typed  string
		keys   []string
		before lifecycle.Seq
		draft  string
	}{
		{"/fork", []string{"enter"}, 0, ""},
		{"/fork", []string{"down", "enter"}, 9, "now\nblue"},
		{"/fork blue", []string{"enter"}, 9, "now\nblue"},
		{"/fork 9", nil, 9, "now\nblue"},
	} {
		f := &forkable{}
		s := forking(t, f)
		s.sent(row.typed)
		s.keys(row.keys...)
		require.True(t, s.quit, row.typed)
		require.Equal(t, []lifecycle.Seq{row.before}, f.before)
		require.Equal(t, Ending{Detach: true, Next: &Next{Session: "the-fork", Forked: true, Draft: row.draft}}, s.ending, "what works goes on")
	}
}

func TestWhatCannotBeForkedIsSaidOnTheScreen(t *testing.T) {
	f := &forkable{err: errors.New("the disk is full")}
	s := forking(t, f)
	s.sent("/fork 7")
	require.Contains(t, s.text(), "record 7 is no prompt: /fork lists them")
	s.keys("ctrl+u")
	s.sent("/fork 1")
	require.Contains(t, s.text(), "there is nothing before the first prompt: /new starts a session")
	require.Empty(t, f.before)
	s.keys("ctrl+u")
	s.sent("/fork 9")
	require.Contains(t, s.text(), "the disk is full")
	require.False(t, s.quit)

	s = newScreen(t, 100, 30, f.offer)
	s.sent("/fork")
	require.Contains(t, s.text(), "this session is still empty")
}

func TestAForkSaysOnItsFirstLineWhatItIsOf(t *testing.T) {
	s := newScreen(t, 100, 30, func(o *Options, _ *terminal.Features) {
		o.Forked = &Forked{Session: "the-original", Prompt: "now"}
	})
	s.ask("make it")
	require.Contains(t, s.text(), `forked from session the-original, before "now"`)
}

func TestAForkOffersNoChangesOfItsOriginalsWorktrees(t *testing.T) {
	for at, shown := range map[time.Time]bool{{}: true, time.Now().AddDate(100, 0, 0): false} {
		s := newScreen(t, 120, 30, func(o *Options, _ *terminal.Features) {
			o.Forked = &Forked{Session: "the-original", At: at}
		})
		s.ask("Please audit the refunds.")
		s.delegate(string(auditor), true)
		s.end(auditor, "run "+lifecycle.RunID(auditor), lifecycle.Ended{
			State: lifecycle.StateCompleted, Result: "Done.", Worktree: &lifecycle.Worktree{Path: "/data/w", Kept: true, Files: 3},
		})
		require.Equal(t, shown, strings.Contains(s.text(), "changes to land"))
	}
}
