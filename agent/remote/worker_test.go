package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// helloLine is the first message of a worker of this version.
var helloLine = fmt.Sprintf(`{"act":"hello","protocol":%d}`, Protocol) + "\n"

// saying is a worker that says this, reads on, and ends when it is killed.
func saying(said ...string) func(context.Context, *os.File, *os.File) (Exit, error) {
	return func(ctx context.Context, in, out *os.File) (Exit, error) {
		go func() { _, _ = io.Copy(io.Discard, in) }()
		context.AfterFunc(ctx, func() { _ = out.SetWriteDeadline(time.Now()) }) // as a kill ends a write
		for _, one := range said {
			_, _ = io.WriteString(out, one) // one that is not listened to is killed
		}
		<-ctx.Done()
		return Exit{Code: 143}, nil
	}
}

func TestWorkerOfAnotherVersionIsNotStarted(t *testing.T) {
	for said, message := range map[string]string{
		`{"act":"hello","protocol":1}` + "\n":                      fmt.Sprintf("it speaks protocol 1, this one %d", Protocol),
		`{"act":"step","id":1}` + "\n":                             "it names no protocol",
		`{"act":"hello","protocol":99,"what":["is","new"]}` + "\n": "it speaks protocol 99",
	} {
		out, p := visited(t, t.Context(), saying(said))
		requireFailure(t, lifecycle.FailSetup, message, out)
		require.Empty(t, p.told)
	}
	for _, theirs := range []int{0, Protocol + 1} {
		var charge string
		_, err := Attach(strings.NewReader(fmt.Sprintf(`{"hello":{"protocol":%d,"charge":"x"}}`, theirs)+"\n"), io.Discard, &charge)
		var other *versionError
		require.ErrorAs(t, err, &other)
	}
}

func TestHalfALineIsNoMoreThanTheEndOfAWorker(t *testing.T) {
	out, _ := visited(t, t.Context(), func(_ context.Context, _, out *os.File) (Exit, error) {
		_, _ = io.WriteString(out, helloLine+`{"act":"record","ev`)
		return Exit{Code: 137}, nil
	})
	requireFailure(t, lifecycle.FailProcess, "its process was killed by SIGKILL (exit code 137)", out)
	require.Equal(t, 137, *out.ExitCode)
}

func TestLineWithoutEndIsCutOff(t *testing.T) {
	endless := make([]string, 1000) // a line of a gigabyte
	for i := range endless {
		endless[i] = strings.Repeat("x", 1<<20)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, _ := visited(t, t.Context(), saying(endless...))
	runtime.ReadMemStats(&after)
	requireFailure(t, lifecycle.FailProcess, "a message of more than 64 MB", out)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(800<<20), "the line is not taken in")
}

// A worker that does not wait for its answers waits in its pipe.
func TestRequestsWithoutEndAreServedOneByOne(t *testing.T) {
	const many = 10_000
	served, most := 0, 0
	out, _ := visited(t, t.Context(), func(_ context.Context, in, out *os.File) (Exit, error) {
		go func() {
			lines := bufio.NewWriter(out)
			_, _ = lines.WriteString(helloLine)
			for range many {
				_, _ = lines.WriteString(`{"act":"record","events":[{"event":"nudged","data":{}}]}` + "\n")
			}
			lines.Flush()
		}()
		replies := bufio.NewScanner(in)
		for replies.Buffer(nil, 1<<20); served <= many && replies.Scan(); served++ { // the hello too
			most = max(most, runtime.NumGoroutine())
		}
		return Exit{Code: 0}, replies.Err()
	})
	requireFailure(t, lifecycle.FailProcess, "with exit code 0", out)
	require.Equal(t, many+1, served)
	require.Less(t, most, 50)
}

func TestMoreQuestionsAtOnceThanAnAnswerHasAreNotTakenIn(t *testing.T) {
	ask := `{"act":"ask","question":{}}` + "\n"
	out, _ := visited(t, t.Context(), saying(helloLine+strings.Repeat(ask, maxWaiting+1)))
	requireFailure(t, lifecycle.FailProcess, "more than 256 requests at once", out)
}

// Whatever a worker still says when it was told to stop, it says one thing, and that
// is over in time.
func TestAnswerThatComesAfterTheStopIsTakenAsAnAnswer(t *testing.T) {
	stopped := errors.New("stopped by a key")
	ctx, cancel := context.WithCancelCause(t.Context())
	out, _ := visited(t, ctx, attached(t, func(p *Port) int {
		cancel(stopped)
		<-p.Context().Done()
		code := p.End(lifecycle.Outcome{Text: "done in spite of it"})
		p.End(lifecycle.Outcome{Text: "and once more"})
		return code
	}))
	require.NoError(t, out.Err)
	require.Equal(t, "done in spite of it", out.Text)
}

func TestToolOfTheSessionWorksWhereTheSessionIs(t *testing.T) {
	var heard []string
	tool := func(name string, lost func(agent.Invocation) agent.Result) agent.Tool {
		return agent.Tool{
			Spec: agent.ToolSpec{Name: name},
			Run: func(_ context.Context, call agent.Invocation) agent.Result {
				heard = append(heard, fmt.Sprint(call.Call, " ", string(call.Input)))
				return agent.Result{
					Text: "done", View: agent.ListingView{Title: "all", Items: []string{"é"}, Total: 1},
					Consumes: []lifecycle.Told{{Run: "shell", By: lifecycle.ByShellOutput}},
				}
			},
			Lost: lost,
		}
	}
	p := &scopedPort{port{run: lifecycle.Run{ID: "r", Session: "s"}}}
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Tools: []agent.Tool{
			tool("one", func(agent.Invocation) agent.Result { return agent.ErrorResult("it was cut off") }), tool("two", nil),
		},
		Start: attached(t, func(p *Port) int {
			call := agent.Invocation{Call: "c1", Input: json.RawMessage(`{"a":1}`)}
			got := p.Perform(p.Context(), "one", call)
			require.Equal(t, agent.Result{
				Text: "done", View: agent.ListingView{Title: "all", Items: []string{"é"}, Total: 1},
				Consumes: []lifecycle.Told{{Run: "shell", By: lifecycle.ByShellOutput}},
			}, got)
			require.Equal(t, agent.ErrorResult("it was cut off"), p.Lost("one", call))
			require.Contains(t, p.Lost("two", call).Text, "cut off")
			none := p.Perform(p.Context(), "agent", call)
			require.True(t, none.IsError)
			require.Contains(t, none.Text, `no tool "agent" of the session`)
			return p.End(lifecycle.Outcome{Text: "done"})
		}),
	}.Work(t.Context(), p)
	require.NoError(t, out.Err)
	require.Equal(t, []string{`c1 {"a":1}`}, heard)
}

// scopedPort is one whose run may have children.
type scopedPort struct{ port }

func (p *scopedPort) Scope() *lifecycle.Scope { return &lifecycle.Scope{} }
