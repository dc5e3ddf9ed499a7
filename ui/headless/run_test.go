package headless

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// stage is a route whose log a test writes, and that heeds no command but a Send.
type stage struct {
	log  chan lifecycle.Updates
	done []lifecycle.Command
	seq  lifecycle.Seq

	waking bool // the parent is about to be woken
}

func newStage() *stage { return &stage{log: make(chan lifecycle.Updates, 10)} }

func (s *stage) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	s.done = append(s.done, command)
	return lifecycle.Reply{}, nil
}

func (s *stage) Watch(ctx context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, fn func(lifecycle.Updates)) error {
	for {
		select {
		case u := <-s.log:
			fn(u)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// happens writes the events of one run.
func (s *stage) happens(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) {
	u := lifecycle.Updates{Waking: s.waking}
	for _, event := range events {
		s.seq++
		u.Records = append(u.Records, lifecycle.Record{Seq: s.seq, Time: time.Now(), Root: "root", Session: session, Run: run, Event: event})
	}
	s.log <- u
}

// begun has a parent that has answered and a subagent that works on.
func (s *stage) begun() {
	s.happens("root", "p1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
	s.happens("child", "c1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Background: true, Description: "a dig"}}, lifecycle.Started{})
	s.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "under way"})
}

func (s *stage) options(out *bytes.Buffer) Options {
	return Options{Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Prompt: "go", Out: out, Errors: &bytes.Buffer{}}
}

func TestWhatNeverEndsIsLeftBehindAndReported(t *testing.T) {
	interrupted := func(o *Options) {
		signals := make(chan int, 1)
		signals <- ExitSIGTERM
		o.Signals = signals
	}
	for name, row := range map[string]struct {
		change func(*Options)
		code   int
		stop   lifecycle.Command
		took   time.Duration
	}{
		"after a time limit": {
			func(o *Options) { o.DrainTimeout = time.Minute }, ExitSubagent,
			lifecycle.Stop{Session: "child", Cause: lifecycle.CauseDrainTimeout},
			time.Minute + stopPatience,
		},
		"after --agents stop": {
			func(o *Options) { o.StopAgents = true }, ExitSubagent,
			lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseAgentsStop},
			stopPatience,
		},
		"after a signal": {
			interrupted, ExitSIGTERM,
			lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseProcessEnd},
			stopPatience,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, out := newStage(), &bytes.Buffer{}
				s.begun()
				options := s.options(out)
				row.change(&options)
				began := time.Now()
				code, err := Run(t.Context(), options)
				require.NoError(t, err)
				require.Equal(t, row.code, code)
				require.Equal(t, row.stop, s.done[len(s.done)-1])
				require.Equal(t, row.took, time.Since(began))
				synctest.Wait()
			})
		})
	}
}

// reading is a route that reads what a message names until its context ends.
type reading struct{ *stage }

func (r reading) Do(ctx context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	if _, send := command.(lifecycle.Send); send {
		<-ctx.Done()
		return lifecycle.Reply{}, ctx.Err()
	}
	return r.stage.Do(ctx, command)
}

func TestASignalEndsTheReadingOfWhatAPromptNames(t *testing.T) {
	for name, stream := range map[string]*Stream{
		"of the command line": nil,
		"of a line of input":  {Line: lineOf, Input: strings.NewReader(`{"type":"message","text":"/slow"}` + "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out, signals := &bytes.Buffer{}, make(chan int, 1)
				options := newStage().options(out)
				options.Route, options.Signals, options.Stream = reading{newStage()}, signals, stream
				if stream != nil {
					options.Prompt = ""
				}
				go func() {
					synctest.Wait()
					signals <- ExitSIGINT
				}()
				began := time.Now()
				code, err := Run(t.Context(), options)
				require.Equal(t, ExitSIGINT, code)
				require.Zero(t, time.Since(began))
				if stream == nil {
					require.ErrorIs(t, err, errSignal)
				} else {
					require.NoError(t, err)
					require.Contains(t, out.String(), `"line":1,"ok":false,"error":"`+errSignal.Error())
				}
				synctest.Wait()
			})
		})
	}
}

func TestWhatWorksOnAnotherMachineIsNotWaitedForAtTheEndOfPawl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newStage(), &bytes.Buffer{}
		spec := lifecycle.Spec{Root: "root", Parent: "root", Background: true, Description: "a dig", Isolation: lifecycle.IsolationRemote}
		s.happens("root", "p1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
		s.happens("child", "c1", lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.Placed{Worker: "w", Machine: "build1", Attempt: 1})
		s.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "under way"})
		options, errs, signals := s.options(out), &bytes.Buffer{}, make(chan int)
		options.Errors, options.Signals = errs, signals
		go func() {
			synctest.Wait()
			signals <- ExitSIGTERM
		}()
		began := time.Now()
		code, err := Run(t.Context(), options)
		require.NoError(t, err)
		require.Equal(t, ExitSIGTERM, code)
		require.Zero(t, time.Since(began))
		require.Contains(t, errs.String(), `subagent "a dig" is still running on build1: reopen the session to get its result`)
		synctest.Wait()
	})
}

func TestAParentThatWasWokenInTheMomentOfTheStopHasAnsweredBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newStage(), &bytes.Buffer{}
		s.begun()
		s.happens("child", "c1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "found"})
		s.happens("root", "p2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{},
			lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseAgentsStop})
		options := s.options(out)
		options.StopAgents = true
		code, err := Run(t.Context(), options)
		require.NoError(t, err)
		require.Equal(t, ExitDone, code)
		require.Equal(t, "under way\n", out.String())
	})
}

func TestNoBackgroundRunIsStoppedForTakingLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newStage(), &bytes.Buffer{}
		s.begun()
		go func() {
			<-time.After(72 * time.Hour)
			s.happens("child", "c1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "found"})
		}()
		code, err := Run(t.Context(), s.options(out))
		require.NoError(t, err)
		require.Equal(t, ExitDone, code)
		require.Len(t, s.done, 1, "nothing but the prompt")
	})
}

func TestADemoSaysInEveryFormatThatItIsOne(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"text":        func(*Options) {},
		"json":        func(o *Options) { o.JSON = true },
		"stream-json": func(o *Options) { o.Stream = &Stream{Line: lineOf} },
	} {
		for _, demo := range []bool{true, false} {
			s, out, errs := newLogStage(), &bytes.Buffer{}, &bytes.Buffer{}
			s.heed = func(c lifecycle.Command) { s.begins(c); s.ends() }
			o := Options{Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Prompt: "go", Out: out, Errors: errs, Demo: demo}
			change(&o)
			code, err := Run(t.Context(), o)
			require.NoError(t, err)
			require.Equal(t, ExitDone, code)
			says := strings.Count(out.String(), `"demo"`) + strings.Count(errs.String(), "DEMO")
			require.Equal(t, demo, says > 0, "%s: %s%s", name, out, errs)
		}
	}
}
