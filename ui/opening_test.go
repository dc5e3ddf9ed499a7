package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// a session of old: what its log holds, and its run.
func longAgo(t *testing.T) Opened {
	before := newScreen(t, 80, 24)
	before.ask("the last question")
	records := before.talk(root).Records
	return Opened{
		Snapshot: lifecycle.Snapshot{Root: root, Seq: before.seq, Reopened: true, Runs: []lifecycle.Run{before.runs.Latest(root)}},
		Tail:     records,
	}
}

// until opens a session when the test says so.
func until(whole Opened, say chan error) func(*Options) {
	return func(o *Options) {
		o.Tail = whole.Tail
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: whole.Snapshot.Seq, Reopened: true}
		o.Open = func(ctx context.Context) (Opened, error) {
			select {
			case err := <-say:
				return whole, err
			case <-ctx.Done():
				return Opened{}, context.Cause(ctx)
			}
		}
	}
}

func TestTheEndOfASessionIsShownBeforeItsRunsAreRead(t *testing.T) {
	whole := longAgo(t)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { until(whole, nil)(o) })
	require.Contains(t, s.text(), "the last question")
	s.typed("half a thought")
	require.Zero(t, s.runs.Latest(root))
	s.send(whole)
	require.Len(t, slices.Collect(s.runs.Runs()), 1)
	require.Contains(t, s.text(), "the last question")
	require.Contains(t, s.text(), "half a thought", "what was typed before stands")
	require.Equal(t, whole.Tail, s.talk(root).Records, "each record once")
}

// begun is the screen of an old session of which only the newest records are shown yet,
// and all of it.
func begun(t *testing.T, newest int) (*screen, Opened) {
	before := newScreen(t, 80, 24)
	before.worked()
	all := before.talk(root).Records
	whole := Opened{
		Snapshot: lifecycle.Snapshot{Root: root, Seq: before.seq, Reopened: true, Runs: []lifecycle.Run{before.runs.Latest(root)}},
		Tail:     all[len(all)-newest:],
	}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		until(whole, nil)(o)
		o.Older = func(_ context.Context, _ lifecycle.SessionID, upto lifecycle.Seq, most int) ([]lifecycle.Record, error) {
			older := slices.DeleteFunc(slices.Clone(all), func(rec lifecycle.Record) bool { return rec.Seq >= upto })
			return older[max(0, len(older)-most):], nil
		}
	})
	return s, whole
}

// What was sent before the session stood is in what was read of it then, and comes with
// the watch as well.
func TestAMessageSentBeforeTheSessionStandsIsShownOnce(t *testing.T) {
	whole := longAgo(t)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { until(whole, nil)(o) })
	sent := s.records(root, "r1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "and then?"}},
		lifecycle.StepStarted{Step: 2}, lifecycle.MessageTaken{Message: "m", Step: 2, From: lifecycle.FromUser, Text: "and then?"})
	whole.Tail = append(slices.Clone(whole.Tail), sent...)
	s.send(whole)
	s.send(lifecycle.Updates{Records: sent})
	require.Equal(t, 1, strings.Count(s.text(), "and then?"), s.text())
}

func TestWhatIsReadWhileTheSessionOpensStaysAsItIs(t *testing.T) {
	s, whole := begun(t, 12)
	s.keys("ctrl+up", "up", "up", "enter")
	require.Contains(t, s.text(), "FAIL")
	before := s.text()
	s.send(whole)
	require.Equal(t, atBlock, s.at(), "the next letter is a key, not typed")
	require.Contains(t, s.text(), "FAIL", "what was opened is open")
	s.keys("y")
	require.Contains(t, s.text(), "copied", before)

	s, whole = begun(t, 12)
	s.keys("ctrl+f")
	s.typed("fail")
	require.Contains(t, s.text(), "/ fail")
	found := s.search.at
	s.send(whole)
	require.Equal(t, atSearch, s.at())
	require.Equal(t, found, s.search.at)
	require.True(t, slices.Contains(s.talk(root).Blocks, s.search.places[found].block), "of the blocks that are there now")
}

func TestOlderRecordsThatWereReadWhileTheSessionOpensAreKept(t *testing.T) {
	s, whole := begun(t, 2)
	s.keys("ctrl+home")
	require.True(t, s.talk(root).Complete)
	s.remark("theme light, from now on")
	s.send(whole)
	require.Contains(t, s.text(), "Please audit the refunds.", "the oldest line is in sight, as it was")
	require.True(t, s.talk(root).Complete)
	s.keys("ctrl+end")
	require.Contains(t, s.text(), "theme light, from now on")
}

// The answer to a question that was asked twice, once by each screen, is not the end
// of the session.
func TestOlderRecordsThatComeTwiceDoNotEndTheSession(t *testing.T) {
	s, whole := begun(t, 2)
	older, _ := s.options.Older(t.Context(), root, whole.Tail[0].Seq, 1)
	talk := transcript.NewConversation(root, s.runs)
	for _, rec := range whole.Tail {
		talk.Fold(rec)
	}
	talk.Prepend(older)
	talk.Prepend(older)
	require.Len(t, talk.Records, 3)
	require.False(t, talk.Complete)
	talk.Prepend(nil)
	require.True(t, talk.Complete)
}

func TestASessionThatCannotBeOpenedEndsTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := typist(t)
		broken := errors.New("open session s1: the session log is inconsistent")
		say, options := make(chan error, 1), Options{
			Route: &route{}, In: in, Out: &sharedOutput{}, Env: []string{"TERM=xterm-256color"}, Width: 80, Height: 24,
		}
		until(longAgo(t), say)(&options)
		done := make(chan error, 1)
		go func() {
			_, err := Run(t.Context(), options)
			done <- err
		}()
		synctest.Wait()
		require.Empty(t, done)
		say <- broken
		require.Equal(t, broken, <-done)
	})
}

func TestWhoLeavesWhileASessionIsOpenedJustLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		options := Options{
			Route: &route{}, In: in, Out: &sharedOutput{}, Env: []string{"TERM=xterm-256color"}, Width: 80, Height: 24,
		}
		until(longAgo(t), nil)(&options)
		done := make(chan ended, 1)
		go func() {
			ending, err := Run(t.Context(), options)
			done <- ended{ending, err}
		}()
		synctest.Wait()
		press("\x03")
		press("\x03")
		require.Equal(t, ended{ending: Ending{Cause: lifecycle.CauseQuit}}, <-done)
	})
}

// later is a screen that comes to a session which another one shows: with the newest records of its
// main agent, so many, and all others to be read.
func later(t *testing.T, before *screen, newest int) *screen {
	all := map[lifecycle.SessionID][]lifecycle.Record{}
	for session, talk := range before.talks {
		for _, rec := range talk.Records {
			if rec.Session == session {
				all[session] = append(all[session], rec)
			}
		}
	}
	s := newScreen(t, before.width, before.height, func(o *Options, _ *terminal.Features) {
		o.Snapshot, o.Tail = before.runs.Snapshot(), all[root][len(all[root])-newest:]
		o.Older = func(_ context.Context, session lifecycle.SessionID, upto lifecycle.Seq, most int) ([]lifecycle.Record, error) {
			older := slices.DeleteFunc(slices.Clone(all[session]), func(rec lifecycle.Record) bool { return rec.Seq >= upto })
			return older[max(0, len(older)-most):], nil
		}
	})
	s.now = before.now
	s.picture.ready = false
	return s
}

func TestAScreenThatComesLaterBeginsWithWhatIsAskedAndDoneNow(t *testing.T) {
	before := newScreen(t, 120, 40)
	before.ask("an old tale")
	before.log(root, "r1", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "old", Session: root, Run: "r1", Tool: "shell", Subject: "ls old"}},
		lifecycle.PermissionGranted{Question: "old", By: lifecycle.DeciderPerson})
	before.delegate("audit", true)
	before.question("q1")
	for range 60 { // so many that a screen is full of them
		before.log(root, "r1", lifecycle.ToolStarted{Call: "ls", Tool: "list", Label: "list"}, lifecycle.ToolEnded{Call: "ls", Tool: "list", Status: lifecycle.ToolOK})
	}

	s := later(t, before, 100)
	require.Contains(t, s.text(), "ls")
	require.NotContains(t, s.text(), "ls old")
	require.Len(t, s.runs.Questions(), 1)
	require.Len(t, s.talk(root).Records, 100, "what came before is not held")
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{
		{Session: root, Run: "r1", Step: 1, Text: "and a new one"}, {Session: "audit", Run: "run audit", Step: 1, Text: "halfway through"},
	}})
	s.log("audit", "run audit", lifecycle.PermissionDenied{Question: "q1", Tool: "shell", By: lifecycle.DeciderPerson})
	require.Contains(t, s.text(), "and a new one", "though its step began before what is here of it")
	s.keys("tab")
	require.Contains(t, s.text(), "Please audit.")
	require.True(t, slices.ContainsFunc(s.talk("audit").Blocks, func(b *transcript.Block) bool { return b.Live == "halfway through" }), "its progress came before its records were read")
	s.keys("left")
	s.keys("ctrl+home")
	require.Contains(t, s.text(), "an old tale")
}

func TestAScreenThatComesLaterSaysWhatHasHappenedSinceTheSessionWasOpened(t *testing.T) {
	ended := func(reopened bool) *screen {
		before := newScreen(t, 120, 40)
		before.ask("go")
		before.delegate("audit", true)
		before.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
		before.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
		before.log("audit", "run audit", lifecycle.NotificationQueued{})
		before.pass(time.Minute)
		s := later(t, before, 1)
		if reopened {
			s.options.OpenedAt = s.runs.Seq()
			s.picture.ready = false
		}
		return s
	}
	require.NotContains(t, ended(false).text(), "reopened")
	require.Contains(t, ended(false).text(), "the main agent never continues on its own")
	require.Contains(t, ended(true).text(), "this session was reopened")

	told := ended(false)
	told.log("audit", "run audit", lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification})
	again := later(t, told, 1)
	require.True(t, again.anyDocked(), "it ended while nobody looked")
	again.options.OpenedAt = again.runs.Seq()
	require.False(t, again.anyDocked(), "it did long ago")
}
