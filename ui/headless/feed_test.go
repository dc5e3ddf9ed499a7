package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// logStage is a route over a log that a test writes, with as many watchers as there are.
type logStage struct {
	mu       sync.Mutex
	log      []lifecycle.Record
	progress []lifecycle.Progress // the newest
	written  chan struct{}        // closed and replaced
	done     []lifecycle.Command
	heed     func(lifecycle.Command) // what a command brings about; nil: nothing
}

func newLogStage() *logStage { return &logStage{written: make(chan struct{})} }

func (s *logStage) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	s.done = append(s.done, command)
	if s.heed != nil {
		s.heed(command)
	}
	return lifecycle.Reply{Runs: []lifecycle.Run{{Session: "root", ID: "p1", Seq: lifecycle.Seq(len(s.log)), State: lifecycle.StateRunning}}}, nil
}

func (s *logStage) Watch(ctx context.Context, _ lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	for {
		s.mu.Lock()
		written, u := s.written, lifecycle.Updates{Records: s.log[from:], Progress: s.progress}
		s.mu.Unlock()
		fn(u)
		from += lifecycle.Seq(len(u.Records))
		select {
		case <-written:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// happens writes the events of one run, and what it is doing beside them.
func (s *logStage) happens(session lifecycle.SessionID, run lifecycle.RunID, doing string, events ...lifecycle.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, event := range events {
		s.log = append(s.log, lifecycle.Record{Seq: lifecycle.Seq(len(s.log) + 1), Time: time.Now(), Root: "root", Session: session, Run: run, Event: event})
	}
	s.progress = nil
	if doing != "" {
		s.progress = []lifecycle.Progress{{Session: session, Run: run, Step: 1, Text: doing, At: time.Now()}}
	}
	close(s.written)
	s.written = make(chan struct{})
}

// begins is a parent that starts with its prompt.
func (s *logStage) begins(lifecycle.Command) {
	s.heed = nil
	s.happens("root", "p1", "", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
}

func (s *logStage) ends() {
	s.happens("root", "p1", "", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
}

// lineOf is a record's line without a mask.
func lineOf(rec lifecycle.Record) ([]byte, error) { return json.Marshal(rec) }

// streaming runs a stream and gives its exit code behind the channel.
func streaming(t *testing.T, s *logStage, out io.Writer, change func(*Options)) <-chan int {
	t.Helper()
	o := Options{Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Prompt: "go", Out: out, Errors: &bytes.Buffer{}, Stream: &Stream{Line: lineOf, Partial: true}}
	if change != nil {
		change(&o)
	}
	code := make(chan int, 1)
	go func() {
		got, err := Run(t.Context(), o)
		if err != nil {
			got = -1
		}
		code <- got
	}()
	return code
}

// kinds are the types and events of what was written, in order, but for replies, which
// may come before or after the records of what they answer.
func kinds(t *testing.T, written string) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(written) {
		require.True(t, strings.HasSuffix(line, "\n"), "half a line: %q", line)
		var one struct{ Type, Event, Text string }
		require.NoError(t, json.Unmarshal([]byte(line), &one), line)
		kind := one.Type
		if one.Type == typeRecord {
			kind = one.Event
		} else {
			require.Empty(t, one.Event, line)
		}
		if one.Type == typeReply {
			continue
		}
		if one.Type == typePartial {
			kind += "=" + one.Text
		}
		all = append(all, kind)
	}
	return strings.Join(all, " ")
}

func TestTheNewestPartialTextIsWrittenTenTimesASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &bytes.Buffer{}
		s.heed = s.begins
		code := streaming(t, s, out, nil)
		for _, text := range []string{"One", "One two", "One two three"} {
			synctest.Wait()
			s.happens("root", "p1", text)
		}
		synctest.Wait()
		<-time.After(partialEvery)
		synctest.Wait()
		s.happens("root", "p1", "One two three four")
		synctest.Wait()
		s.happens("root", "p1", "", lifecycle.Text{Text: "One two three four"})
		s.ends()
		require.Equal(t, ExitDone, <-code)
		require.Equal(t, "opening spawned started partial=One partial=One two three text ended result", kinds(t, out.String()),
			"a record says more than the partial text before it")
	})
}

func TestPartialTextHidesTheBeginningOfASecret(t *testing.T) {
	line := partialOf(lifecycle.Progress{Text: "the key is sk-ant-api03-abcdefghij"}, Options{}.Hide)
	require.NotContains(t, line.Text, "abcdefghij")
	require.Contains(t, line.Text, "the key is ")
}

// stuckReader takes nothing until it is let go.
type stuckReader struct {
	bytes.Buffer
	free chan struct{}
}

func (r *stuckReader) Write(b []byte) (int, error) {
	<-r.free
	return r.Buffer.Write(b)
}

func TestAReaderThatDoesNotReadHoldsBackNothingButItsLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &stuckReader{free: make(chan struct{})}
		s.heed = s.begins
		code := streaming(t, s, out, func(o *Options) { o.StopAgents = true })
		synctest.Wait()
		background := lifecycle.Spec{Root: "root", Parent: "root", Background: true}
		s.happens("child", "c1", "", lifecycle.Spawned{Spec: background}, lifecycle.Started{})
		s.ends()
		synctest.Wait()
		require.Equal(t, lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseAgentsStop}, s.done[1], "it is watched all the same")
		s.happens("child", "c1", "", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseAgentsStop})
		close(out.free)
		require.Equal(t, ExitSubagent, <-code)
		require.Equal(t, "opening spawned started spawned started ended ended result", kinds(t, out.String()))
	})
}

func TestASignalBoundsTheWaitForAReaderThatNeverReads(t *testing.T) {
	for name, early := range map[string]bool{"while it works": true, "when all is done": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, out := newLogStage(), &stuckReader{free: make(chan struct{})}
				s.heed = s.begins
				signals := make(chan int, 1)
				o := Options{Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Prompt: "go", Out: out, Errors: io.Discard, Stream: &Stream{Line: lineOf}, Signals: signals}
				var code int
				failed := make(chan error, 1)
				go func() {
					var err error
					code, err = Run(t.Context(), o)
					failed <- err
				}()
				synctest.Wait()
				began := time.Now()
				if early {
					signals <- ExitSIGTERM
					synctest.Wait()
				}
				s.ends()
				synctest.Wait()
				if !early {
					signals <- ExitSIGTERM
				}
				require.ErrorIs(t, <-failed, errUnread)
				require.Equal(t, ExitSIGTERM, code)
				require.Equal(t, stopPatience, time.Since(began))
				close(out.free)
			})
		})
	}
}

// closedReader is one that has gone away, or a disk that is full.
type closedReader struct{ err error }

func (r closedReader) Write([]byte) (int, error) { return 0, r.err }

func TestAClosedOutputStopsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLogStage()
		s.heed = s.begins
		code := streaming(t, s, closedReader{syscall.EPIPE}, nil)
		synctest.Wait()
		require.Equal(t, lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseProcessEnd}, s.done[1])
		s.happens("root", "p1", "", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
		require.Equal(t, ExitSIGPIPE, <-code)
	})
}

func TestAnOutputThatCannotBeWrittenIsAnErrorInEveryFormat(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"text": func(o *Options) { o.Stream = nil }, "json": func(o *Options) { o.Stream, o.JSON = nil, true }, "stream-json": func(*Options) {},
	} {
		synctest.Test(t, func(t *testing.T) {
			full := errors.New("no space left")
			to := func(err error) (int, error) {
				s := newLogStage()
				s.heed = func(c lifecycle.Command) {
					s.begins(c)
					s.ends()
				}
				o := Options{Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Prompt: "go", Out: closedReader{err}, Errors: io.Discard, Stream: &Stream{Line: lineOf}}
				change(&o)
				return Run(t.Context(), o)
			}
			code, err := to(full)
			require.ErrorIs(t, err, full, name)
			require.Equal(t, ExitFailed, code, name)
			code, err = to(syscall.EPIPE)
			require.NoError(t, err, name)
			require.Equal(t, ExitSIGPIPE, code, name)
			synctest.Wait()
		})
	}
}

func TestProgressIsOneLineASubagentAndOnATerminalAlone(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, out, errs := newLogStage(), &bytes.Buffer{}, &bytes.Buffer{}
			s.heed = s.begins
			code := streaming(t, s, out, func(o *Options) { o.Stream, o.Progress, o.Errors = nil, terminal, errs })
			synctest.Wait()
			background := lifecycle.Spec{Root: "root", Parent: "root", Background: true, Description: "a dig"}
			s.happens("child", "c1", "I dig", lifecycle.Spawned{Spec: background}, lifecycle.Started{}, lifecycle.Text{Text: "I dig"})
			s.happens("child", "c1", "", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "stone"})
			s.ends()
			require.Equal(t, ExitDone, <-code)
			require.Equal(t, "done\n", out.String())
			if terminal {
				require.Equal(t, "pawl: subagent \"a dig\" completed · 0s\n", errs.String())
			} else {
				require.Empty(t, errs.String())
			}
		})
	}
}
