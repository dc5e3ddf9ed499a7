package store

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
	lc "pawl/lifecycle"
)

// patient is a supervisor over a store whose disk fails, and the person before it.
type patient struct {
	t    *testing.T
	s    *Store
	heal func()
	sup  *lc.Supervisor
	said []string // messages that were acknowledged
	lost bool     // something was told as not saved
}

const sick lc.SessionID = "root"

// work is a parent that starts two in the background, of which one has to wait,
// and waits for a third; and what these do.
func (p *patient) work(ctx context.Context, port *lc.Port) lc.Outcome {
	if _, err := port.Step(); err != nil {
		return lc.Outcome{Err: err}
	}
	run := port.Run()
	if run.Prompt != "go" {
		return lc.Outcome{Text: "found", Err: port.Record(nil, lc.Text{Text: "I look. "})}
	}
	var last lc.Run
	for _, name := range []string{"a", "b", "c"} {
		call := lc.CallID("call-" + name)
		if err := port.Record(nil, lc.ToolStarted{Call: call, Tool: "agent"}); err != nil {
			return lc.Outcome{Err: err}
		}
		var err error
		if last, err = port.Scope().Start(lc.Spec{Call: call, Type: "general", Prompt: name, Description: name, Background: name != "c"}, ""); err != nil {
			return lc.Outcome{Err: err}
		}
	}
	if _, err := port.Scope().Wait(ctx, last.ID); err != nil {
		return lc.Outcome{Err: err}
	}
	result := lc.Entry{Session: sick, Run: run.ID, Kind: lc.EntryToolResult, Call: last.Call, Body: []byte(`{"text":"found"}`)}
	err := port.Answered(result, lc.ToolEnded{Call: last.Call, Tool: "agent", Status: lc.ToolOK}, nil, []lc.Told{{Run: last.ID, By: lc.ByToolResult}})
	return lc.Outcome{Text: "ok", Err: err}
}

// say writes a message, a second time where the first was not saved.
func (p *patient) say(text string) {
	_, err := p.sup.Do(p.t.Context(), lc.Send{Session: sick, Text: text})
	if err != nil {
		require.ErrorContains(p.t, err, "not saved: ")
		require.NotContains(p.t, err.Error(), "\n")
		p.lost = true
		p.heal()
		_, err = p.sup.Do(p.t.Context(), lc.Send{Session: sick, Text: text})
	}
	require.NoError(p.t, err)
	p.said = append(p.said, text)
}

// settle watches until nothing runs or waits, and heals the disk once the fault
// was told.
func (p *patient) settle() {
	watching, settled := context.WithCancel(p.t.Context())
	defer settled()
	unsaved := map[lc.RunID]bool{}
	err := p.sup.Watch(watching, sick, 0, func(u lc.Updates) {
		if u.Fault != "" {
			p.lost = true
			p.heal()
		}
		for _, run := range u.Unsaved {
			require.Equal(p.t, lc.FailJournal, run.Error.Kind)
			unsaved[run.ID] = true
		}
		snap, err := p.sup.Snapshot(sick)
		require.NoError(p.t, err)
		for _, run := range snap.Runs {
			if !run.State.Terminal() && !unsaved[run.ID] {
				return
			}
		}
		if len(snap.Inbox) == 0 {
			settled()
		}
	})
	require.ErrorIs(p.t, err, context.Canceled)
}

// live plays a session on that store, from the first word to the last.
func (p *patient) live() {
	limits := lc.DefaultLimits()
	limits.Background = 1
	p.sup = lc.New(lc.Options{Journal: p.s, Work: p.work, Limits: limits, Attended: true})
	_, err := p.sup.Open(p.t.Context(), sick, lc.Spec{Type: "general", Model: "demo", Folder: "/src"})
	require.NoError(p.t, err)
	p.say("go")
	p.settle()
	p.say("and then?")
	p.settle()
	require.NoError(p.t, p.sup.Close(context.Background(), lc.CauseQuit))
	require.NoError(p.t, p.s.Close())
}

// revived opens the session as the next start does, on a well disk, and reads all
// of it.
func (p *patient) revived(path string) image {
	s := open(p.t, path)
	sup := lc.New(lc.Options{Journal: s, Work: p.work, Limits: lc.DefaultLimits()})
	_, err := sup.Open(p.t.Context(), sick, lc.Spec{})
	require.NoError(p.t, err)
	require.NoError(p.t, sup.Close(context.Background(), lc.CauseQuit))
	require.NoError(p.t, s.Close())
	found, ok := look(p.t, path)
	require.True(p.t, ok)
	return found
}

// sound holds what a database has against the design's invariants.
func (i image) sound(t *testing.T, said []string) {
	runs := map[lc.RunID]lc.Run{}
	for at, rec := range i.Records[sick] {
		require.Equal(t, lc.Seq(at+1), rec.Seq, "the numbering has no gap")
		run, err := runs[rec.Run].Apply(rec) // refuses a second end, and what may not follow it
		require.NoError(t, err)
		runs[rec.Run] = run
	}
	require.Len(t, i.Runs, len(runs))
	for id, run := range runs {
		require.Equal(t, written(run), i.Runs[id], "the index agrees with the log")
	}
	told := map[lc.RunID]int{}
	var heard []string
	for session, entries := range i.Entries {
		for _, e := range entries {
			if e.Kind == lc.EntryNotification {
				told[e.Source]++
			}
			if e.Kind == lc.EntryUser && session == sick {
				heard = append(heard, string(e.Body))
			}
		}
	}
	for id, run := range runs {
		require.True(t, run.State.Terminal(), "run %s is %s after the next start", id, run.State)
		notice := i.Notices[id]
		if run.Owes() {
			require.NotEmpty(t, notice, "run %s owes word of its end", id)
		}
		require.Equal(t, notice == "delivered", told[id] == 1, "run %s is %s, and told of %d times", id, notice, told[id])
		require.LessOrEqual(t, told[id], 1)
		require.False(t, run.Consumed != nil && run.Notification.Pending(), "run %s is read, and still owed", id)
	}
	for _, text := range said {
		require.Contains(t, fmt.Sprint(heard), fmt.Sprintf("%q", text), "what was acknowledged is there")
	}
}

// A session whose disk fails at any operation loses nothing it acknowledged, goes
// on when the disk is well, and is whole at the next start.
func TestASessionOutlivesItsDisk(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // each run that is given up says so
	t.Cleanup(func() { slog.SetDefault(before) })
	stride := 32
	if soaktest.Wanted() {
		stride = 1
	}
	for i, failure := range failures {
		t.Run(failure.name, func(t *testing.T) {
			t.Parallel()
			points, told := 0, 0
			for at := 1 + i; ; at += stride {
				path := filepath.Join(quick(t), "data", "pawl.db")
				d := newDisk(t, failure, 0)
				s, err := Open(t.Context(), path, onDisk(d))
				require.NoError(t, err)
				d.arm(at)
				p := &patient{t: t, s: s, heal: d.heal}
				p.live()
				p.revived(path).sound(t, p.said)
				if !d.hit() {
					break
				}
				points++
				if p.lost {
					told++
				}
			}
			soaktest.Tried(t, points, "I/O faults under a session that works")
			t.Logf("%-20s %4d points  %4d told as not saved", failure.name, points, told)
		})
	}
	t.Run("done and reported as failed", func(t *testing.T) {
		t.Parallel()
		for at := int64(1); ; at++ {
			path := filepath.Join(quick(t), "data", "pawl.db")
			require.NoError(t, open(t, path).Close())
			lies, left := lying(at)
			s, err := Open(t.Context(), path, Options{engine: lies})
			require.NoError(t, err)
			p := &patient{t: t, s: s, heal: func() {}}
			p.live()
			require.False(t, p.lost, "what is on disk is not told as lost")
			p.revived(path).sound(t, p.said)
			if left.Load() > 0 {
				soaktest.Tried(t, int(at), "writes that were done and reported as failed")
				return
			}
		}
	})
}
