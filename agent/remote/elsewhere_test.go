package remote

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// hosted has a worker work for a host with more than the others have.
func hosted(t *testing.T, with func(h *Host), work func(p *Port) int) (lifecycle.Outcome, *scopedPort) {
	t.Helper()
	p := &scopedPort{port{run: lifecycle.Run{ID: "r", Session: "s", Spec: lifecycle.Spec{Folder: "/home/me/trees/t"}}}}
	h := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Start:   attached(t, work),
	}
	with(&h)
	return h.Work(t.Context(), p), p
}

func TestHooksAreRunWhereTheSessionIs(t *testing.T) {
	var heard []agent.HookInput
	var doing []string
	out, _ := hosted(t, func(h *Host) {
		h.Hooks = func(_ context.Context, o agent.HookInput) agent.HookResult {
			heard = append(heard, o)
			o.Report("runs a hook")
			return agent.HookResult{Decision: agent.HookDeny, Reason: "no", Context: "c", Warnings: []string{"w"}}
		}
	}, func(p *Port) int {
		p.WorkIn("/srv/run/tree")
		said := p.Hooks(p.Context(), agent.HookInput{
			Event: agent.HookPostToolUse, Run: p.Run(), Kind: "k", Text: "t", Again: true, Report: func(text string) { doing = append(doing, text) },
			Call:   agent.Call{ID: "c1", Name: "write", Input: json.RawMessage(`{"path":"/srv/run/tree/a","other":"/srv/run/trees"}`)},
			Result: &agent.Result{Text: "wrote", IsError: true, Images: []agent.Image{{Data: []byte("large")}}},
		})
		require.Equal(t, agent.HookResult{Decision: agent.HookDeny, Reason: "no", Context: "c", Warnings: []string{"w"}}, said)
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	require.NoError(t, out.Err)
	require.Len(t, heard, 1)
	got := heard[0]
	require.Equal(t, agent.Call{ID: "c1", Name: "write", Input: json.RawMessage(`{"path":"/home/me/trees/t/a","other":"/srv/run/trees"}`)}, got.Call, "paths are those of home")
	require.Equal(t, "/home/me/trees/t", got.Run.Folder)
	require.Equal(t, &agent.Result{Text: "wrote", IsError: true}, got.Result)
	require.Equal(t, []string{"runs a hook"}, doing)
}

func TestWithoutAnAnswerOfHooksNothingIsAllowed(t *testing.T) {
	out, _ := hosted(t, func(*Host) {}, func(p *Port) int {
		said := p.Hooks(p.Context(), agent.HookInput{Event: agent.HookPreToolUse})
		require.Equal(t, agent.HookDeny, said.Decision)
		require.Contains(t, said.Reason, "could not be asked: nobody here runs hooks")
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	require.NoError(t, out.Err)
}

func TestOfferedToolsOfServersAreCalledWhereTheSessionIs(t *testing.T) {
	server := agent.Tool{
		Spec: agent.ToolSpec{Name: "db__query", Description: "asks", Schema: json.RawMessage(`{"type":"object"}`)}, Server: "db",
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			if string(call.Input) == `{}` {
				return agent.Effect{}, errors.New("no query")
			}
			return agent.Effect{Kind: agent.EffectMCP, Subject: "db query " + string(call.Input)}, nil
		},
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			call.Report("half of it")
			return agent.Result{Text: "42", Images: []agent.Image{{MediaType: "image/png", Data: []byte{1, 0, 2}}}}
		},
	}
	offered := Offer([]agent.Tool{server})
	var doing []string
	out, _ := hosted(t, func(h *Host) { h.Tools = []agent.Tool{server} }, func(p *Port) int {
		tools := p.Tools(offered)
		require.Len(t, tools, 1)
		require.Equal(t, server.Spec, tools[0].Spec)
		require.Equal(t, "db", tools[0].Server)
		call := agent.Invocation{Call: "c", Input: json.RawMessage(`{"q":1}`), Progress: func(text string) { doing = append(doing, text) }}
		effect, err := tools[0].Effect(p.Context(), call)
		require.NoError(t, err)
		require.Equal(t, agent.Effect{Kind: agent.EffectMCP, Subject: `db query {"q":1}`}, effect)
		_, err = tools[0].Effect(p.Context(), agent.Invocation{Input: json.RawMessage(`{}`)})
		require.EqualError(t, err, "no query")
		result := tools[0].Run(p.Context(), call)
		require.Equal(t, "42", result.Text)
		require.Equal(t, []agent.Image{{MediaType: "image/png", Data: []byte{1, 0, 2}}}, result.Images)
		require.Contains(t, tools[0].Lost(call).Text, "Nobody knows whether it took effect")
		require.Equal(t, `{"q":1}`, tools[0].Label(call.Input))
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	require.NoError(t, out.Err)
	require.Equal(t, []string{"half of it"}, doing)
}

// The process elsewhere may be anybody's, and the server acts with the user's rights.
func TestToolsOfServersAreCalledOnlyAsTheRulesOfHomeAllow(t *testing.T) {
	var ran []string
	server := agent.Tool{
		Spec: agent.ToolSpec{Name: "db__query", Schema: json.RawMessage(`{"type":"object"}`)}, Server: "db",
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			return agent.Effect{Kind: agent.EffectMCP, Subject: string(call.Input)}, nil
		},
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			ran = append(ran, string(call.Input))
			return agent.Result{Text: "42"}
		},
	}
	decisions := map[string]agent.Decision{
		`"free"`: {Allow: true}, `"never"`: {Reason: "a rule denies it"}, `"asked"`: {Ask: true}, `"other"`: {Ask: true}, `"new"`: {Ask: true}, `"lied"`: {Ask: true},
	}
	person := &personPort{scopedPort: scopedPort{port{run: lifecycle.Run{ID: "r", Session: "s"}}}, yes: `"asked"`}
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Tools:   []agent.Tool{server},
		Permit:  func(effect agent.Effect) agent.Decision { return decisions[effect.Subject] },
		Start: attached(t, func(p *Port) int {
			call := func(id lifecycle.CallID, input string) string {
				return p.Tools(Offer([]agent.Tool{server}))[0].Run(p.Context(), agent.Invocation{Call: id, Input: json.RawMessage(input)}).Text
			}
			require.Equal(t, "42", call("c1", `"free"`))
			require.Contains(t, call("c2", `"never"`), "a rule denies it")
			answer, err := p.Ask(p.Context(), lifecycle.Question{Call: "c3", Tool: "db__query", Subject: `"asked"`, Input: json.RawMessage(`"asked"`)})
			require.NoError(t, err)
			require.True(t, answer.Allow)
			require.Equal(t, "42", call("c3", `"asked"`))
			require.Contains(t, call("c3", `"other"`), "Denied", "that is not what was agreed to")
			require.Contains(t, call("c4", `"new"`), "Denied")
			_, err = p.Ask(p.Context(), lifecycle.Question{Call: "c5", Tool: "db__query", Effect: "edit", Subject: `"asked"`, Input: json.RawMessage(`"lied"`)})
			require.NoError(t, err)
			require.Contains(t, call("c5", `"lied"`), "Denied", "what it is about is said here")
			return p.End(lifecycle.Outcome{Text: "done"})
		}),
	}.Work(t.Context(), person)
	require.NoError(t, out.Err)
	require.Equal(t, []string{`"free"`, `"asked"`}, ran)
	require.Equal(t, []string{`"asked"`, `"other"`, `"new"`, `"lied"`, `"lied"`}, person.asked, "what was not asked about there is asked about here")
}

// personPort says yes to one subject.
type personPort struct {
	scopedPort
	yes   string
	asked []string
}

func (p *personPort) Ask(_ context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
	p.asked = append(p.asked, q.Subject)
	return lifecycle.Answer{Allow: q.Subject == p.yes, By: "person"}, nil
}

func TestWhatIsRecordedNamesTheFolderOfHome(t *testing.T) {
	out, log := hosted(t, func(*Host) {}, func(p *Port) int {
		p.WorkIn("/srv/run/tree")
		require.Equal(t, "/srv/run/tree", p.Run().Folder)
		end := lifecycle.ToolEnded{Call: "c1", Tool: "write", Status: lifecycle.ToolOK, Wrote: "/srv/run/tree/a/b"}
		require.NoError(t, p.Answered(lifecycle.Entry{Session: "s", Run: "r"}, end, &lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/srv/run/tree"}, nil))
		require.NoError(t, p.Record(nil, lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/srv/run"}))
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	require.NoError(t, out.Err)
	told := strings.Join(log.told, "\n")
	require.Contains(t, told, `"wrote":"/home/me/trees/t/a/b"`)
	require.Contains(t, told, `"folder":"/home/me/trees/t"`)
	require.Contains(t, told, `"folder":"/srv/run"`, "what is not in the folder stays")
}

// A rewind would write into that folder what the other machine says stood there before.
func TestAProcessElsewhereRecordsChangesOfItsOwnFolderAlone(t *testing.T) {
	hook := []lifecycle.FileChange{{Path: ".git/hooks/pre-commit"}}
	foreign := lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/home/me/project", Files: hook}
	_, log := hosted(t, func(h *Host) {
		h.Number = func(port agent.Port, _ int64) agent.Port { return port }
	}, func(p *Port) int {
		require.ErrorContains(t, p.Record(nil, foreign), "which is not its folder /home/me/trees/t")
		end := lifecycle.ToolEnded{Call: "c1", Tool: "write", Status: lifecycle.ToolOK}
		require.ErrorContains(t, p.Answered(lifecycle.Entry{Session: "s", Run: "r"}, end, &foreign, nil), "which is not its folder")
		own := lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/home/me/trees/t"}
		require.NoError(t, p.Record(nil, own))
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	told := strings.Join(log.told, "\n")
	require.NotContains(t, told, "pre-commit")
	require.Contains(t, told, `"folder":"/home/me/trees/t"`)
	shell := newShell("shell")
	(&command{port: shell}).outcome(t.Context(), fromWorker{Events: wrapped([]lifecycle.Event{foreign})})
	require.Empty(t, shell.events)
}

// shellRun is a run of a command in the background, at home.
type shellRun struct {
	mu     sync.Mutex
	run    lifecycle.Run
	shown  chan string
	events []lifecycle.Event
}

func (s *shellRun) Run() lifecycle.Run            { return s.run }
func (s *shellRun) Report(now lifecycle.Progress) { s.shown <- now.Text }
func (s *shellRun) Record(_ []lifecycle.Entry, events ...lifecycle.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, events...)
	return nil
}

func newShell(id lifecycle.RunID) *shellRun {
	return &shellRun{run: lifecycle.Run{ID: id, Spec: lifecycle.Spec{Command: "make", Folder: "/home/me/trees/t"}}, shown: make(chan string, 10)}
}

func TestACommandInTheBackgroundWorksWhereItsRunDoes(t *testing.T) {
	var commands Commands
	shell, code := newShell("shell"), 3
	ended := make(chan lifecycle.Outcome, 1)
	require.ErrorContains(t, commands.Work(t.Context(), shell).Err, "is gone", "no process is connected")
	out, _ := hosted(t, func(h *Host) { h.Commands = &commands }, func(p *Port) int {
		p.WorkIn("/srv/run/tree")
		p.OnShell(func(_ context.Context, port CommandPort) lifecycle.Outcome {
			require.Equal(t, "/srv/run/tree", port.Run().Folder)
			require.Equal(t, "make", port.Run().Command)
			port.Report(lifecycle.Progress{Text: "building"})
			require.NoError(t, port.Record(nil, lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: "/srv/run/tree"}))
			return lifecycle.Outcome{Text: "built", ExitCode: &code, Err: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "exit code 3"}}
		})
		require.NoError(t, p.Record(nil, lifecycle.Nudged{})) // the host has its hello
		go func() { ended <- commands.Work(context.WithoutCancel(t.Context()), shell) }()
		require.Equal(t, "building", <-shell.shown)
		end := <-ended
		require.Equal(t, "built", end.Text)
		require.Equal(t, &code, end.ExitCode)
		require.EqualError(t, end.Err, "exit code 3")
		require.Equal(t, []lifecycle.Event{lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: "/home/me/trees/t"}}, shell.events)
		return p.End(lifecycle.Outcome{Text: "done"})
	})
	require.NoError(t, out.Err)
	require.ErrorContains(t, commands.Work(t.Context(), shell).Err, "is gone")
}

// untilStopped is the work of a command that ends when it is told to.
func untilStopped(ctx context.Context, port CommandPort) lifecycle.Outcome {
	port.Report(lifecycle.Progress{Text: "at work"})
	<-ctx.Done()
	return lifecycle.Outcome{Text: "so far", Err: context.Cause(ctx)}
}

func TestACommandInTheBackgroundIsStoppedThereAndEndsWithItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes while bytes are on their way: nothing is given up
		var commands Commands
		stopped, left := newShell("stopped"), newShell("left")
		runEnd := &lifecycle.Stopped{Cause: lifecycle.CauseRunEnd}
		ended := make(chan lifecycle.Outcome, 1)
		ctx, endLeft := context.WithCancelCause(t.Context())
		out, _ := hosted(t, func(h *Host) { h.Commands = &commands }, func(p *Port) int {
			p.OnShell(untilStopped)
			require.NoError(t, p.Record(nil, lifecycle.Nudged{}))
			one, stop := context.WithCancelCause(context.WithoutCancel(t.Context()))
			go func() { <-stopped.shown; stop(errors.New("by a key")) }()
			end := commands.Work(one, stopped)
			require.Equal(t, "so far", end.Text)
			require.Error(t, end.Err)
			go func() { ended <- commands.Work(ctx, left) }()
			<-left.shown
			return p.End(lifecycle.Outcome{Text: "done"})
		})
		require.NoError(t, out.Err)
		endLeft(runEnd) // as the supervisor does when the run has ended
		end := <-ended
		require.Equal(t, "so far", end.Text)
		require.Equal(t, error(runEnd), end.Err)
	})
}

func TestACommandWhoseProcessIsKilledKeepsWhatWasSeenOfIt(t *testing.T) {
	var commands Commands
	shell := newShell("shell")
	ended := make(chan lifecycle.Outcome, 1)
	ctx, end := context.WithCancelCause(t.Context())
	out, _ := hosted(t, func(h *Host) { h.Commands = &commands }, func(p *Port) int {
		p.OnShell(func(ctx context.Context, port CommandPort) lifecycle.Outcome {
			untilStopped(ctx, port)
			select {} // it is killed with its process
		})
		require.NoError(t, p.Record(nil, lifecycle.Nudged{}))
		go func() { ended <- commands.Work(ctx, shell) }()
		<-shell.shown
		return 137
	})
	requireFailure(t, lifecycle.FailProcess, "killed by SIGKILL", out)
	end(&lifecycle.Stopped{Cause: lifecycle.CauseRunEnd})
	require.Equal(t, lifecycle.Outcome{Text: "at work", Err: context.Cause(ctx)}, <-ended)
}

// A stop of one request leaves the others, and the host's answer to it is not waited for.
func TestLeavingARunLeavesItsProcessAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	asked := make(chan struct{})
	work := attached(t, func(p *Port) int {
		go func() { <-asked; cancel(lifecycle.ErrLeft) }()
		_, err := p.Ask(p.Context(), lifecycle.Question{})
		require.ErrorIs(t, err, ErrGone, "the question stays open")
		return 0
	})
	p := &askedPort{scopedPort: scopedPort{port{run: lifecycle.Run{ID: "r", Session: "s"}}}, asked: asked}
	left := make(chan error, 1)
	out := Host{
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) { return nil, nil },
		Config:  "a charge",
		Start: func(ctx context.Context, in, out *os.File) (Exit, error) {
			go func() { _, _ = work(ctx, in, out) }()
			<-ctx.Done()
			left <- context.Cause(ctx)
			return Exit{}, nil
		},
	}.Work(ctx, p)
	require.ErrorIs(t, out.Err, lifecycle.ErrLeft)
	require.ErrorIs(t, <-left, lifecycle.ErrLeft)
}

// askedPort tells when a question is put.
type askedPort struct {
	scopedPort
	asked chan struct{}
}

func (p *askedPort) Ask(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
	close(p.asked)
	return p.port.Ask(ctx, q)
}

func TestWhatAProcessKeptOfItsEndIsItsOutcome(t *testing.T) {
	file := t.TempDir() + "/end.json"
	out, _ := hosted(t, func(*Host) {}, func(p *Port) int {
		p.KeepEnd(file)
		return p.End(lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "no model"}})
	})
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	kept, err := Ending(text)
	require.NoError(t, err)
	require.Equal(t, out.Err, kept.Err)
	_, err = Ending([]byte(`{"act":"report"}`))
	require.ErrorContains(t, err, "cannot be read")
}
