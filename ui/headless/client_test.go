package headless

import (
	"bytes"
	"context"
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

// served is a client whose lines a test writes.
type served struct {
	t     *testing.T
	to    *io.PipeWriter
	out   *bytes.Buffer
	ended chan error
}

// serve connects a client to a session.
func serve(t *testing.T, s *logStage, change func(*Client)) served {
	t.Helper()
	in, to := io.Pipe()
	c := served{t, to, &bytes.Buffer{}, make(chan error, 1)}
	o := Client{
		Route: s, Root: "root", Line: lineOf, In: in, Out: c.out, Snapshot: s.snapshot,
		Opening: func(next lifecycle.Seq) any { return map[string]any{"seq": next} },
		Status:  func(context.Context, bool, func(any)) error { return errors.New("nobody asked for it") },
	}
	if change != nil {
		change(&o)
	}
	go func() {
		err := Serve(t.Context(), o)
		in.Close() // as whoever serves it does
		c.ended <- err
	}()
	return c
}

func (s *logStage) snapshot() (lifecycle.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ledger := lifecycle.NewLedger(lifecycle.Snapshot{Root: "root"})
	for _, rec := range s.log {
		if err := ledger.Apply(rec); err != nil {
			return lifecycle.Snapshot{}, err
		}
	}
	return ledger.Snapshot(), nil
}

func (c served) say(line string) {
	c.t.Helper()
	_, err := io.WriteString(c.to, line+"\n")
	require.NoError(c.t, err)
	synctest.Wait()
}

func (c served) hangUp() {
	require.NoError(c.t, c.to.Close())
	synctest.Wait()
}

func (c served) requireOn(why string) {
	c.t.Helper()
	synctest.Wait()
	require.Empty(c.t, c.ended, why)
}

// begun is a session in which a run of the root works.
func begun() *logStage {
	s := newLogStage()
	s.begins(nil)
	return s
}

func asks(s *logStage, id lifecycle.QuestionID) {
	s.happens("root", "p1", "", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: id, Session: "root", Run: "p1", Tool: "shell"}})
}

func TestAClientThatDoesNotWatchGetsRepliesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begun()
		c := serve(t, s, nil)
		c.say(`{"type":"message","text":"go","id":"a"}`)
		c.say(`{"type":"mesage","text":"go"}`)
		s.happens("root", "p1", "", lifecycle.Text{Text: "hello"})
		c.hangUp()
		require.NoError(t, <-c.ended)
		require.Equal(t,
			`{"type":"reply","id":"a","line":1,"ok":true,"runs":[{"session":"root","run":"p1","state":"running"}]}`+"\n"+
				`{"type":"reply","line":2,"ok":false,"error":"unknown type \"mesage\"; did you mean \"message\"?"}`+"\n", c.out.String())
		require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: "root", Text: "go"}}, s.done)
	})
}

func TestAWatchBeginsBehindTheRecordThatItNames(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"watch"}`:                         `"seq":4 text ended idle result`,
		`{"type":"watch","from":0}`:                `"seq":1 spawned started text text ended idle result`,
		`{"type":"watch","from":2}`:                `"seq":3 text text ended idle result`,
		`{"type":"watch","from":3,"partial":true}`: `"seq":4 partial=hello and text ended idle result`,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := begun()
			s.happens("root", "p1", "hello and", lifecycle.Text{Text: "hello"})
			c := serve(t, s, nil)
			synctest.Wait()
			require.Empty(t, c.out.String(), "nothing is written before that")
			c.say(line)
			s.happens("root", "p1", "", lifecycle.Text{Text: " again"})
			synctest.Wait()
			s.ends()
			synctest.Wait()
			c.hangUp()
			require.NoError(t, <-c.ended)
			first, _, _ := strings.Cut(c.out.String(), "\n")
			seq, rest, _ := strings.Cut(want, " ")
			require.Contains(t, first, seq, line)
			require.Equal(t, "opening "+rest, kinds(t, c.out.String()), line)
		})
	}
}

func TestAWatchThatCannotBeIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, begun(), nil)
		for _, line := range []string{`{"type":"watch","from":3}`, `{"type":"watch","from":-1}`, `{"type":"watch","from":"x"}`, `{"type":"watch"}`, `{"type":"watch"}`} {
			c.say(line)
		}
		var replies []string
		for line := range strings.Lines(c.out.String()) {
			if strings.Contains(line, `"type":"reply"`) {
				replies = append(replies, line)
			}
		}
		for i, want := range []string{"0 to 2, not 3", "0 to 2, not -1", "a whole number", `"ok":true`, "watches already"} {
			require.Contains(t, replies[i], want)
		}
		require.NoError(t, c.to.CloseWithError(syscall.ECONNRESET))
		c.requireOn("the run is not over")
	})
}

func TestWhatAClientLeavesGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begun()
		s.happens("shell", "s1", "", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Kind: lifecycle.KindShell, Background: true}}, lifecycle.Started{})
		asks(s, "q1")
		c := serve(t, s, nil)
		c.say(`{"type":"watch"}`)
		c.hangUp()
		asks(s, "q2")
		c.requireOn("questions wait")
		require.Empty(t, s.done, "nothing is denied, nothing stopped")
		s.ends()
		require.NoError(t, <-c.ended)
		require.Empty(t, s.done, "a shell goes on")
		require.Equal(t, "opening permission_asked ended result", kinds(t, c.out.String()))
		require.Contains(t, c.out.String(), `"shells":[{"shell_id":"shell","description":"","command":"","status":"running"`)
	})
}

func TestAClientThatReadsNoMoreEndsItselfAlone(t *testing.T) {
	for _, failure := range []error{syscall.EPIPE, context.DeadlineExceeded} {
		synctest.Test(t, func(t *testing.T) {
			s := begun()
			c := serve(t, s, func(o *Client) { o.Out = closedReader{failure} })
			c.say(`{"type":"watch"}`)
			require.NoError(t, <-c.ended)
			require.Empty(t, s.done)
		})
	}
}

func TestAClientThatIsGoneIsLetGoOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		c := serve(t, begun(), func(o *Client) { o.Gone = func() { <-gone } })
		c.say(`{"type":"watch"}`)
		c.hangUp()
		c.requireOn("it may still read")
		close(gone)
		require.NoError(t, <-c.ended)
	})
}

func TestTheResultIsOfWhatTheUserAskedLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLogStage()
		subagent := func(session lifecycle.SessionID, run lifecycle.RunID, state lifecycle.State) {
			background := lifecycle.Spec{Root: "root", Parent: "root", Background: true, Trigger: lifecycle.TriggerAgent}
			s.happens(session, run, "", lifecycle.Spawned{Spec: background}, lifecycle.Started{}, lifecycle.Ended{State: state, Result: string(session)})
		}
		root := func(run lifecycle.RunID, trigger lifecycle.Trigger) {
			<-time.After(time.Second)
			s.happens("root", run, "", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Trigger: trigger}}, lifecycle.Started{})
		}
		end := func(run lifecycle.RunID) {
			s.happens("root", run, "", lifecycle.Ended{State: lifecycle.StateCompleted, Result: string(run)})
		}
		root("p1", lifecycle.TriggerUser)
		subagent("earlier", "c1", lifecycle.StateFailed)
		end("p1")
		root("p2", lifecycle.TriggerUser)
		subagent("counted", "c2", lifecycle.StateFailed)
		end("p2")
		root("p3", lifecycle.TriggerNotification)
		end("p3")
		c := serve(t, s, nil)
		c.say(`{"type":"watch"}`)
		c.hangUp()
		require.NoError(t, <-c.ended)
		require.Equal(t, "opening idle result", kinds(t, c.out.String()))
		require.Contains(t, c.out.String(), `"output":"p3","exit_code":3`)
		require.Contains(t, c.out.String(), `"output":"counted"`)
		require.NotContains(t, c.out.String(), "earlier")
	})
}

// A program that has its reply takes an idle line behind it for the end of what it asked.
func TestNoIdleLineOfBeforeStandsBehindAReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &stuckReader{free: make(chan struct{})}
		s.heed = s.begins
		c := serve(t, s, func(o *Client) { o.Out = out })
		c.say(`{"type":"mesage"}`) // its reply is stuck, and all that comes waits
		c.say(`{"type":"watch"}`)
		c.say(`{"type":"message","text":"go"}`)
		s.ends()
		synctest.Wait()
		close(out.free)
		synctest.Wait()
		c.hangUp()
		require.NoError(t, <-c.ended)
		require.Equal(t, "opening spawned started ended idle result", kinds(t, out.String()))
	})
}

func TestASessionWithoutARunHasNoResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, newLogStage(), nil)
		c.say(`{"type":"watch"}`)
		c.hangUp()
		require.NoError(t, <-c.ended)
		require.Equal(t, "opening idle", kinds(t, c.out.String()))
		require.Contains(t, c.out.String(), `{"type":"idle","seq":0}`)
	})
}

// wakingStage is a session whose parent is about to be woken.
type wakingStage struct {
	*logStage
	mu     sync.Mutex
	waking bool
}

func (s *wakingStage) Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	return s.logStage.Watch(ctx, root, from, func(u lifecycle.Updates) {
		s.mu.Lock()
		u.Waking = s.waking
		s.mu.Unlock()
		fn(u)
	})
}

func TestAResultWaitsForAParentThatIsAboutToBeWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &wakingStage{logStage: begun(), waking: true}
		s.ends()
		c := serve(t, s.logStage, func(o *Client) { o.Route = s })
		_, err := io.WriteString(c.to, `{"type":"watch"}`+"\n")
		require.NoError(t, err)
		c.hangUp()
		c.requireOn("more will follow")
		s.mu.Lock()
		s.waking = false
		s.mu.Unlock()
		s.happens("root", "p2", "", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "woken"})
		require.NoError(t, <-c.ended)
		require.Contains(t, c.out.String(), `"output":"woken"`)
	})
}

func TestTheStatusIsToldOnceOrAtEachChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := make(chan int)
		c := serve(t, begun(), func(o *Client) {
			o.Status = func(ctx context.Context, follow bool, send func(any)) error {
				send(map[string]any{"type": "status", "n": 0})
				for follow {
					select {
					case n := <-changes:
						send(map[string]any{"type": "status", "n": n})
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				return nil
			}
		})
		c.say(`{"type":"status","id":"a"}`)
		c.say(`{"type":"status","id":"b","follow":true}`)
		c.say(`{"type":"status","id":"c","follow":true}`)
		c.hangUp()
		c.requireOn("it follows")
		changes <- 1
		synctest.Wait()
		require.Equal(t, strings.Join([]string{
			`{"n":0,"type":"status"}`, `{"type":"reply","id":"a","line":1,"ok":true}`,
			`{"n":0,"type":"status"}`, `{"type":"reply","id":"b","line":2,"ok":true}`,
			`{"type":"reply","id":"c","line":3,"ok":false,"error":"status: this connection follows it already"}`,
			`{"n":1,"type":"status"}`, "",
		}, "\n"), c.out.String())
	})
}

func TestAStatusThatCannotBeToldIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, begun(), nil)
		c.say(`{"type":"status"}`)
		c.say(`{"type":"status","follow":true}`)
		c.hangUp()
		require.NoError(t, <-c.ended)
		require.Equal(t, 2, strings.Count(c.out.String(), `"ok":false,"error":"nobody asked for it"`))
	})
}

// Of the status only the newest is kept for a client that does not read.
func TestAFollowerThatDoesNotReadHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &stuckReader{free: make(chan struct{})}
		changes := make(chan int)
		c := serve(t, begun(), func(o *Client) {
			o.Out = out
			o.Status = func(ctx context.Context, _ bool, send func(any)) error {
				for n := range changes {
					send(map[string]any{"type": "status", "n": n})
				}
				<-ctx.Done()
				return ctx.Err()
			}
		})
		_, err := io.WriteString(c.to, `{"type":"status","follow":true}`+"\n")
		require.NoError(t, err)
		changes <- 0
		synctest.Wait()
		for n := range 100 {
			changes <- n
		}
		close(changes)
		synctest.Wait()
		close(out.free)
		synctest.Wait()
		require.Equal(t, 2, strings.Count(out.String(), `"type":"status"`))
		require.Contains(t, out.String(), `"n":99`)
	})
}

func TestASessionThatClosesTellsItsClientsTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, leaving := begun(), make(chan struct{})
		change := func(o *Client) { o.Leaving = leaving }
		watches, talks := serve(t, s, change), serve(t, s, change)
		watches.say(`{"type":"watch"}`)
		close(leaving)
		require.NoError(t, <-talks.ended)
		watches.requireOn("the run has not ended yet")
		s.happens("root", "p1", "", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
		require.NoError(t, <-watches.ended)
		require.Equal(t, "opening ended result", kinds(t, watches.out.String()))
	})
}
