package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// port stands for a lifecycle.Port: it keeps what it is told.
type port struct {
	sync.Mutex
	run      lifecycle.Run
	told     []string
	progress []lifecycle.Progress
}

func (p *port) Run() lifecycle.Run            { p.Lock(); defer p.Unlock(); return p.run }
func (p *port) Scope() *lifecycle.Scope       { panic("nobody delegates here") }
func (p *port) Spent() lifecycle.Usage        { return p.Run().Usage }
func (p *port) Report(now lifecycle.Progress) { p.progress = append(p.progress, now) }

func (p *port) Step() ([]lifecycle.Entry, error) {
	p.Lock()
	defer p.Unlock()
	p.run.Step, p.run.Seq = p.run.Step+1, p.run.Seq+1
	return []lifecycle.Entry{{Session: "s", Run: "r", Kind: lifecycle.EntryUser, Body: []byte(`{"text":"<go> & é"}`)}}, nil
}

func (p *port) Record(entries []lifecycle.Entry, events ...lifecycle.Event) error {
	p.Lock()
	defer p.Unlock()
	for _, e := range events {
		if e == (lifecycle.Text{Text: "full"}) {
			return &lifecycle.Failure{Kind: lifecycle.FailJournal, Message: "the disk is full"}
		}
		p.told = append(p.told, fmt.Sprintf("%s %s %d", lifecycle.Name(e), lifecycle.EncodeEvent(e), len(entries)))
	}
	return nil
}

func (p *port) Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, changed *lifecycle.FilesChanged, _ []lifecycle.Told) error {
	if changed == nil {
		return p.Record([]lifecycle.Entry{entry}, end)
	}
	return p.Record([]lifecycle.Entry{entry}, end, *changed)
}

func (p *port) Ask(ctx context.Context, _ lifecycle.Question) (lifecycle.Answer, error) {
	<-ctx.Done()
	return lifecycle.Answer{}, context.Cause(ctx)
}

// visited lets a function be the worker's whole process.
func visited(t *testing.T, ctx context.Context, worker func(ctx context.Context, in, out *os.File) (Exit, error)) (lifecycle.Outcome, *port) {
	t.Helper()
	p := &port{run: lifecycle.Run{ID: "r", Session: "s", Spec: lifecycle.Spec{Prompt: "dig"}}}
	out := Host{
		Start:   worker,
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
	}.Work(ctx, p)
	return out, p
}

// attached is a worker that gets as far as its port.
func attached(t *testing.T, work func(p *Port) (code int)) func(context.Context, *os.File, *os.File) (Exit, error) {
	return func(_ context.Context, in, out *os.File) (Exit, error) {
		var charge string
		p, err := Attach(in, out, &charge)
		if err != nil {
			return Exit{}, err
		}
		require.Equal(t, "a charge", charge)
		return Exit{Code: work(p)}, nil
	}
}

// lostAfter is a worker whose machine is lost when it has done its work.
func lostAfter(work func(context.Context, *os.File, *os.File) (Exit, error)) func(context.Context, *os.File, *os.File) (Exit, error) {
	return func(ctx context.Context, in, out *os.File) (Exit, error) {
		_, err := work(ctx, in, out)
		return Exit{Lost: true, Said: "no word for 10 s"}, err
	}
}

func requireFailure(t *testing.T, kind lifecycle.FailureKind, message string, out lifecycle.Outcome) {
	t.Helper()
	var failure *lifecycle.Failure
	require.ErrorAs(t, out.Err, &failure)
	require.Equal(t, kind, failure.Kind)
	require.Contains(t, failure.Message, message)
}

func TestCallsAreAnsweredAndProgressKeepsItsPlace(t *testing.T) {
	out, p := visited(t, t.Context(), attached(t, func(p *Port) int {
		entries, err := p.Step()
		require.NoError(t, err)
		require.Equal(t, `{"text":"<go> & é"}`, string(entries[0].Body))
		require.Equal(t, 1, p.Run().Step)
		for i := range 100 {
			p.Report(lifecycle.Progress{Step: 1, Text: fmt.Sprint(i)})
		}
		require.NoError(t, p.Record([]lifecycle.Entry{{Session: "s", Run: "r"}}, lifecycle.Text{Text: "99"}, lifecycle.Nudged{}))
		require.Error(t, p.Record([]lifecycle.Entry{{Session: "s", Run: "another"}}, lifecycle.Text{Text: "forged"}))
		err = p.Record(nil, lifecycle.Text{Text: "full"})
		var failure *lifecycle.Failure
		require.ErrorAs(t, err, &failure)
		require.Equal(t, lifecycle.FailJournal, failure.Kind)
		return p.End(lifecycle.Outcome{Text: "done"})
	}))
	require.NoError(t, out.Err)
	require.Equal(t, "done", out.Text)
	require.Equal(t, 0, *out.ExitCode)
	require.Equal(t, []string{`text {"text":"99"} 1`, "nudged {} 1"}, p.told)
	require.Less(t, len(p.progress), 100, "not one message a token")
	require.Equal(t, "99", p.progress[len(p.progress)-1].Text)
}

func TestWhatACallChangedInFilesCrossesThePipeWithItsEnd(t *testing.T) {
	entry := lifecycle.Entry{Session: "s", Run: "r"}
	out, p := visited(t, t.Context(), attached(t, func(p *Port) int {
		end := lifecycle.ToolEnded{Call: "c1", Tool: "write", Status: lifecycle.ToolOK}
		require.NoError(t, p.Answered(entry, end, nil, nil))
		require.NoError(t, p.Answered(entry, end, &lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/src"}, nil))
		_, err := p.request(t.Context(), fromWorker{Act: actAnswered, Entries: []lifecycle.Entry{entry}, Events: []event{{end}, {end}}})
		require.ErrorContains(t, err, "not what a call changed in files")
		_, err = p.request(t.Context(), fromWorker{Act: actAnswered, Entries: []lifecycle.Entry{entry}, Events: []event{{end}, {end}, {end}}})
		require.ErrorContains(t, err, "at most what it changed")
		return p.End(lifecycle.Outcome{Text: "done"})
	}))
	require.NoError(t, out.Err)
	require.Equal(t, []string{
		`tool_ended {"call":"c1","tool":"write","status":"ok"} 1`,
		`tool_ended {"call":"c1","tool":"write","status":"ok"} 1`,
		`files_changed {"by":"tool","folder":"/src"} 1`,
	}, p.told)
}

func TestWorkerThatDiesKeepsItsLastTextAndLeavesNoQuestionWaiting(t *testing.T) {
	out, p := visited(t, t.Context(), attached(t, func(p *Port) int {
		_, err := p.Step()
		require.NoError(t, err)
		go p.Ask(p.Context(), lifecycle.Question{})
		p.Report(lifecycle.Progress{Step: 1, Text: "halfway"})
		require.NoError(t, p.Record(nil, lifecycle.Nudged{})) // takes the progress along
		return 7
	}))
	requireFailure(t, lifecycle.FailProcess, "with exit code 7", out)
	require.Equal(t, 7, *out.ExitCode)
	require.Equal(t, `text {"text":"halfway"} 0`, p.told[len(p.told)-1])
}

func TestAWorkerWhoseLauncherDiesHasTheExitCodeOfWhatWasKilled(t *testing.T) {
	work := attached(t, func(p *Port) int {
		_, err := p.Step()
		require.NoError(t, err)
		return 0
	})
	out, _ := visited(t, t.Context(), func(ctx context.Context, in, p *os.File) (Exit, error) {
		_, err := work(ctx, in, p)
		require.NoError(t, err)
		return Exit{Code: -1}, errors.New("its helper ended before it")
	})
	requireFailure(t, lifecycle.FailProcess, "its process was lost: its helper ended", out)
	require.Equal(t, 137, *out.ExitCode)
}

func TestWorkerThatTalksNonsenseIsKilled(t *testing.T) {
	for said, message := range map[string]string{
		"hello\n":                            "an invalid message",
		helloLine + `{"act":"dance"}` + "\n": `unknown request "dance"`,
		helloLine + helloLine:                "a second hello",
	} {
		out, _ := visited(t, t.Context(), func(ctx context.Context, _, out *os.File) (Exit, error) {
			_, _ = io.WriteString(out, said)
			<-ctx.Done()
			return Exit{Code: 143}, nil
		})
		requireFailure(t, lifecycle.FailProcess, message, out)
	}
}

func TestAWorkerThatTalksNonsenseAndDoesNotEndHasBegun(t *testing.T) {
	out, _ := visited(t, t.Context(), func(ctx context.Context, _, out *os.File) (Exit, error) {
		_, _ = io.WriteString(out, "hello\n")
		<-ctx.Done()
		return Exit{Code: -1}, errors.New("some of it was still running")
	})
	requireFailure(t, lifecycle.FailProcess, "its process was lost: some of it was still running", out)
}

func TestWorkerThatNeverBeganIsAFailureOfSetup(t *testing.T) {
	out, _ := visited(t, t.Context(), func(context.Context, *os.File, *os.File) (Exit, error) {
		return Exit{}, errors.New("fork: no memory")
	})
	requireFailure(t, lifecycle.FailSetup, "could not be started: fork: no memory", out)
	require.Nil(t, out.ExitCode)
}

func TestWorkerThatDoesNotGoAfterItsEndIsKilledAndItsResultStands(t *testing.T) {
	out, _ := visited(t, t.Context(), func(ctx context.Context, in, out *os.File) (Exit, error) {
		exit, err := attached(t, func(p *Port) int { return p.End(lifecycle.Outcome{Text: "done"}) })(ctx, in, out)
		require.Equal(t, 0, exit.Code)
		<-ctx.Done()
		return Exit{Code: 137}, err
	})
	require.NoError(t, out.Err)
	require.Equal(t, "done", out.Text)
	require.Equal(t, 137, *out.ExitCode)
}

func TestWorkerIsToldToStopAndMayStillRecord(t *testing.T) {
	stopped := errors.New("stopped by a key")
	ctx, cancel := context.WithCancelCause(t.Context())
	out, p := visited(t, ctx, attached(t, func(p *Port) int {
		cancel(stopped)
		<-p.Context().Done()
		require.EqualError(t, context.Cause(p.Context()), stopped.Error())
		require.NoError(t, p.Record(nil, lifecycle.Text{Text: "what there was"}))
		return p.End(lifecycle.Outcome{Err: context.Cause(p.Context())})
	}))
	require.EqualError(t, out.Err, stopped.Error())
	require.Equal(t, exitStopped, *out.ExitCode)
	require.Len(t, p.told, 1)
}

func TestWorkerWhosePipeEndsHasNobodyToWorkFor(t *testing.T) {
	in, hello := io.Pipe()
	back, out := io.Pipe()
	go func() { _, _ = io.Copy(io.Discard, back) }()
	go func() {
		_, _ = fmt.Fprintf(hello, `{"hello":{"protocol":%d,"charge":"x"}}`+"\n", Protocol)
		hello.Close()
	}()
	var charge string
	p, err := Attach(in, out, &charge)
	require.NoError(t, err)
	<-p.Context().Done()
	require.ErrorIs(t, context.Cause(p.Context()), ErrGone)
	_, err = p.Step()
	require.ErrorIs(t, err, ErrGone)
	back.Close()
}

// A person who goes back to a stricter mode means those that work already, too.
func TestAWorkersCallsAreBoundByTheModeOfNow(t *testing.T) {
	mode := "bypass"
	p := &port{run: lifecycle.Run{ID: "r", Session: "s"}}
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Mode:    func() string { return mode },
		Start: attached(t, func(p *Port) int {
			require.Equal(t, "bypass", p.Mode())
			mode = "plan"
			require.Equal(t, "plan", p.Mode())
			return p.End(lifecycle.Outcome{Text: "done"})
		}),
	}.Work(t.Context(), p)
	require.NoError(t, out.Err)
}

// What the day has cost is asked anew each time: other sessions spend meanwhile.
func TestAWorkerLearnsWhatTheDayHasCostByNow(t *testing.T) {
	today := lifecycle.DayCost{Day: "2026-03-01", Cost: 1.5, Sessions: 2}
	var lost error
	p := &port{run: lifecycle.Run{ID: "r", Session: "s"}}
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Today:   func(context.Context) (lifecycle.DayCost, error) { return today, lost },
		Start: attached(t, func(p *Port) int {
			got, err := p.Today(t.Context())
			require.NoError(t, err)
			require.Equal(t, today, got)
			today.Cost = 2
			got, err = p.Today(t.Context())
			require.NoError(t, err)
			require.Equal(t, today, got)
			lost = errors.New("the disk is gone")
			_, err = p.Today(t.Context())
			require.EqualError(t, err, "the disk is gone")
			return p.End(lifecycle.Outcome{Text: "done"})
		}),
	}.Work(t.Context(), p)
	require.NoError(t, out.Err)
}

// A pause that one process was asked for holds back the requests of the others.
func TestAPauseHoldsOnBothSidesOfThePipe(t *testing.T) {
	var gate agent.Gate
	gate.Hold("busy", time.Minute)
	p := &port{run: lifecycle.Run{ID: "r", Session: "s"}}
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Gate:    &gate,
		Start: attached(t, func(p *Port) int {
			there := agent.Gate{Parent: p.Hold}
			require.InDelta(t, time.Minute, there.Hold("busy", 0), float64(10*time.Second))
			require.Zero(t, there.Hold("free", 0))
			require.InDelta(t, 2*time.Minute, there.Hold("free", 2*time.Minute), float64(10*time.Second))
			return p.End(lifecycle.Outcome{Text: "done"})
		}),
	}.Work(t.Context(), p)
	require.NoError(t, out.Err)
	require.InDelta(t, 2*time.Minute, gate.Hold("free", 0), float64(10*time.Second))
}
