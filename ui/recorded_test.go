package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/replay"
	"pawl/ui/terminal"
)

// logged is all that a screen was shown of a log, in order.
func (s *screen) logged() []lifecycle.Record {
	var log []lifecycle.Record
	for session, talk := range s.talks {
		for _, rec := range talk.Records {
			if rec.Session == session {
				log = append(log, rec)
			}
		}
	}
	slices.SortFunc(log, func(a, b lifecycle.Record) int { return cmp.Compare(a.Seq, b.Seq) })
	return log
}

// cassette is a log as a recording of it says it.
type cassette []lifecycle.Record

func (c cassette) last() time.Time { return c[len(c)-1].Time }

func (c cassette) records(_ context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	return c[after:][:min(limit, len(c)-int(after))], nil
}

func (c cassette) tail(_ context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	of := slices.DeleteFunc(slices.Clone(c), func(rec lifecycle.Record) bool { return rec.Session != session || rec.Seq >= before })
	return of[max(0, len(of)-limit):], nil
}

// snapshot is the session as it stands at the end of the log.
func (c cassette) snapshot(t testing.TB) lifecycle.Snapshot {
	l := lifecycle.NewLedger(lifecycle.Snapshot{Root: root})
	for _, rec := range c {
		require.NoError(t, l.Apply(rec))
	}
	return l.Snapshot()
}

// opened is the screen of a recording that is only looked at.
func (c cassette) opened(t testing.TB, width, height int) *screen {
	s := newScreen(t, width, height, func(o *Options, _ *terminal.Features) {
		o.Route, o.Recorded = nil, &Recorded{Name: "pawl-01.json", At: c.last()}
		o.Snapshot, o.Older = c.snapshot(t), c.tail
		o.Tail, _ = c.tail(t.Context(), root, o.Snapshot.Seq+1, 40)
	})
	s.now = c.last()
	s.picture.ready = false
	return s
}

// playing is the screen of a recording that is played, and its player.
func (c cassette) playing(t testing.TB, width, height int) (*screen, *replay.Player) {
	p := replay.New(replay.Options{Records: c.records, Upto: lifecycle.Seq(len(c)), First: c[0].Time, Last: c.last()})
	s := newScreen(t, width, height, func(o *Options, _ *terminal.Features) {
		o.Route, o.Recorded = nil, &Recorded{Name: "pawl-01.json", Replay: p}
	})
	return s, p
}

// aRecording is the log of a session with all sorts of things in it.
func aRecording(t testing.TB) cassette {
	s := newScreen(t, 80, 24)
	for _, scene := range scenes {
		if scene.name == "worked" {
			scene.play(s)
		}
	}
	s.delegate("audit refunds", true)
	s.pass(20 * time.Second)
	s.log("audit refunds", "run audit refunds", lifecycle.Text{Text: "Looking at it."})
	s.pass(time.Hour)
	s.end("audit refunds", "run audit refunds", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Three places make refunds."})
	s.pass(10 * time.Second)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "That is all."})
	return s.logged()
}

// above is what stands above the line of a recording.
func above(s *screen) string {
	lines := strings.Split(s.text(), "\n")
	return strings.Join(lines[:len(lines)-3], "\n")
}

// untimely are the scenes that tell a parent of an end in the middle of a step: who opens
// such a log reads it where the step begins.
var untimely = []string{"states", "dashboard", "dashboard asks", "dashboard idle", "dashboard filtered", "dashboard marked", "dashboard zoomed", "unread"}

// What a replay has come to is what an opened recording shows, whatever the session was:
// the same conversation, the same cards, in each session's view.
func TestAReplayAtItsEndShowsWhatTheOpenedRecordingShows(t *testing.T) {
	for _, scene := range scenes {
		live := newScreen(t, 80, 24)
		scene.play(live)
		log := cassette(live.logged())
		if len(log) == 0 || slices.Contains(untimely, scene.name) {
			continue
		}
		t.Run(scene.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := log.opened(t, 80, 24)
				got, player := log.playing(t, 80, 24)
				ctx, cancel := context.WithCancel(t.Context())
				player.Do(replay.Step)
				player.Do(replay.NextEnd)
				player.Do(replay.StepBack)
				player.Do(replay.End)
				over := make(chan error, 1)
				go func() { over <- player.Run(ctx, func(f replay.Frame) { got.send(f) }) }()
				synctest.Wait()
				cancel()
				require.ErrorIs(t, <-over, context.Canceled)
				got.now = player.Now()
				got.picture.ready = false
				require.Empty(t, got.broken)
				require.Equal(t, want.now, got.now)
				for range len(got.runs.Sessions) + 1 {
					require.Equal(t, above(want), above(got))
					want.keys("tab")
					got.keys("tab")
				}
			})
		})
	}
}

// A recording is read: there is no key that would do anything to the session, and each
// that would elsewhere says why.
func TestNothingActsOnARecording(t *testing.T) {
	log := aRecording(t)
	for _, k := range []string{"a", "enter", "ctrl+x", "ctrl+b", "ctrl+g", "ctrl+r", "ctrl+y", "s"} {
		s := log.opened(t, 80, 24)
		s.keys(k)
		require.Contains(t, s.text(), "this is a recording", k)
		require.Empty(t, s.line().Text, k)
		require.False(t, s.quit, k)
	}
	s := log.opened(t, 80, 24)
	s.send(tea.PasteMsg{Content: "a text"})
	require.Contains(t, s.text(), "this is a recording")
	require.Empty(t, s.line().Text)
}

// Whoever gave a model of a recording a command to carry out gets the same line.
func TestACommandToARecordingGoesNowhere(t *testing.T) {
	s := aRecording(t).opened(t, 80, 24)
	require.Nil(t, s.do(lifecycle.StopAll{Root: root}))
	require.Contains(t, s.text(), "this is a recording")
}

func TestARecordingIsReadAndLeftWithoutAQuestion(t *testing.T) {
	log := aRecording(t)
	for _, k := range []string{"q", "ctrl+c", "esc"} {
		s := log.opened(t, 80, 24)
		s.keys("tab")
		require.Contains(t, s.text(), "Looking at it.")
		if k == "esc" {
			s.keys(k)
			require.False(t, s.quit, "it goes back first")
		}
		s.keys(k)
		require.True(t, s.quit, k)
		require.Equal(t, Ending{Cause: lifecycle.CauseQuit}, s.ending)
	}
	s := log.opened(t, 80, 24)
	for _, opens := range []struct{ key, see string }{
		{"?", "The recording"}, {"ctrl+t", "Dashboard"}, {"ctrl+p", "Do ›"}, {"/", "/cost"}, {"ctrl+f", "search the session"}, {"ctrl+up", "copy"},
	} {
		s.keys(opens.key)
		require.Contains(t, s.text(), opens.see, opens.key)
		s.keys("esc")
		require.Equal(t, atRecorded, s.at(), opens.key)
	}
	s.keys("/")
	s.typed("cost")
	s.keys("enter")
	require.Contains(t, s.text(), "$0.02")
	s.keys("esc")
	require.False(t, s.quit)
}

// Its help speaks of nothing that a recording has not.
func TestTheHelpOfARecordingKnowsNoComposer(t *testing.T) {
	for _, plays := range []bool{false, true} {
		for _, g := range recordedTable(plays) {
			for _, b := range g.bindings {
				for _, word := range []string{"composer", "send", "stop", "grant"} {
					require.NotContains(t, string(b.help), word, "%s: %s", g.title, b.shown())
				}
			}
		}
	}
}

func TestAQuestionOfLongAgoIsNotAsked(t *testing.T) {
	live := newScreen(t, 80, 24)
	live.ask("go")
	live.delegate("audit", false)
	live.comesUp()
	s := cassette(live.logged()).opened(t, 80, 24)
	require.Equal(t, atRecorded, s.at())
	require.Contains(t, s.text(), "rm -rf build", "what it waited for is seen")
	s.keys("y")
	require.Contains(t, s.text(), "this is a recording")
}

// What somebody looks at stays in front of them when the replay goes back, for as long as
// it is there.
func TestAViewStaysOpenWhenAReplayGoesBack(t *testing.T) {
	log := aRecording(t)
	s, _ := log.playing(t, 80, 24)
	all := replay.State{Seq: lifecycle.Seq(len(log)), Upto: lifecycle.Seq(len(log)), First: log[0].Time, Last: log.last(), Speed: 1}
	s.send(replay.Frame{Records: log, State: all})
	s.keys("tab")
	require.Equal(t, lifecycle.SessionID("audit refunds"), s.open)
	back := all
	back.Seq--
	s.send(replay.Frame{Again: true, State: replay.State{Leaping: true}})
	require.NotPanics(t, func() { s.text() })
	s.send(replay.Frame{Records: log[:len(log)-1], State: back})
	require.Equal(t, lifecycle.SessionID("audit refunds"), s.open)
	require.Contains(t, s.text(), "Looking at it.")
	s.send(replay.Frame{Again: true, Records: log[:2], State: replay.State{Seq: 2, Upto: all.Upto, First: all.First, Last: all.Last, Speed: 1}})
	require.Equal(t, root, s.open, "it has not begun yet")
}

// The dashboard of a replay knows no plan and no file of what is still to come, also when it has
// been there before.
func TestTheDashboardOfAReplayKnowsNothingOfWhatIsToCome(t *testing.T) {
	live := newScreen(t, 120, 40)
	manyRuns(live)
	log := cassette(live.logged())
	s, _ := log.playing(t, 120, 40)
	s.options.Records = func(_ context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return log[after:min(len(log), int(after)+limit)], nil
	}
	half := len(log) / 3
	at := func(n int) replay.State {
		return replay.State{Seq: lifecycle.Seq(n), Upto: lifecycle.Seq(len(log)), First: log[0].Time, Last: log.last(), Speed: 1}
	}
	const fix = "fix the ledgers of all years"
	s.send(replay.Frame{Records: log[:half], State: at(half)})
	s.keys("ctrl+t")
	require.Empty(t, s.history.Work(fix))
	s.send(replay.Frame{Records: log[half:], State: at(len(log))})
	require.Len(t, s.history.Work(fix).Files, 2)
	s.send(replay.Frame{Again: true, Records: log[:half], State: at(half)})
	require.Empty(t, s.history.Work(fix))
	s.send(replay.Frame{Records: log[half:], State: at(len(log))})
	require.Len(t, s.history.Work(fix).Files, 2)
	s.keys("/")
	s.typed("ledgers")
	require.Contains(t, s.text(), "1 of 1")
	s.keys("enter", "x")
	require.Contains(t, s.text(), "this is a recording")
}

// The clock of the screen stands as long as the recording does.
func TestTheClockRunsOnlyWhileAReplayDoes(t *testing.T) {
	log := aRecording(t)
	require.False(t, log.opened(t, 80, 24).moving())
	s, _ := log.playing(t, 80, 24)
	state := replay.State{Seq: 3, Upto: lifecycle.Seq(len(log)), First: log[0].Time, Last: log.last(), Speed: 4}
	s.send(replay.Frame{Records: log[:3], State: state})
	require.True(t, s.moving())
	state.Paused = true
	s.send(replay.Frame{State: state})
	require.False(t, s.moving())
	state.Paused, state.Seq = false, state.Upto
	s.send(replay.Frame{Records: log[3:], State: state})
	require.False(t, s.moving(), "at its end nothing does")
}

// onTape makes the screen that of a recording, opened or, with a state, as a replay of it
// stands there.
func (s *screen) onTape(state *replay.State) {
	s.worked()
	s.delegate("audit refunds", true)
	s.pass(20 * time.Second)
	if state == nil || state.Seq == 24 {
		s.end("audit refunds", "run audit refunds", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	}
	s.options.Recorded = &Recorded{Name: "pawl-01.json", At: s.now}
	s.options.Snapshot.Seq = s.seq
	if state != nil {
		s.options.Recorded.Replay = replay.New(replay.Options{})
		state.Upto, state.First, state.Last = 24, epoch, epoch.Add(time.Minute)
		if state.Over() {
			state.Last = s.now
		}
		s.replay = *state
	}
	s.model.keys = s.options.table()
	s.picture.ready = false
}
