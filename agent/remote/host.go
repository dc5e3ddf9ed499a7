package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// How long a worker may take to exit before it is killed: after it was told to stop, when
// its running tools must end first, and after its last message. A stop takes at most 2 s,
// including the kill.
const (
	stopGrace = 700 * time.Millisecond
	exitGrace = 500 * time.Millisecond
)

// drainLimit bounds how long the last messages of a dead worker are read, in case
// something else keeps its end of the pipe open.
const drainLimit = time.Second

// Exit is how a worker's process ended.
type Exit struct {
	Code int    // 128 + n for signal n; negative if unknown
	Said string // the end of its standard error; of a lost one, what is known of the loss
	// Lost says that whoever ran the process on another machine is gone, so that nobody knows
	// how it ended. The run then ends as interrupted, with cause worker_lost.
	Lost bool
}

// Host drives runs whose loop works in another process.
type Host struct {
	// Start starts the worker's program with these ends of the pipes as its standard input
	// and output, or connects them with a program on another machine: see "On another machine"
	// in the package's documentation. It returns when the program and everything that it started
	// are gone, at most 2 s after ctx ends. If the cause of that is lifecycle.ErrLeft it leaves
	// the program as it is, and returns at once. An error means that it did not start or did not
	// end.
	Start func(ctx context.Context, in, out *os.File) (Exit, error)
	// Resume says that Start connects to a process that an earlier Host began to drive: the run
	// goes on where it is, and nothing that was recorded is recorded again.
	Resume bool
	// Number returns the port through which a request's changes are recorded, so that each record
	// has the number of the request: (*lifecycle.Port).At. Nil: records have none, and a Host
	// cannot come back to the process.
	Number func(port agent.Port, request int64) agent.Port
	// Linger is how long Start may take to return after the worker's last message, for what it
	// still has to fetch, before its ctx ends; 0: half a second, for a process to exit.
	Linger time.Duration
	// Entries reads the stored transcript of a session.
	Entries func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error)
	// Config is what the worker needs besides its run and transcript, as JSON.
	Config any
	// Gate is this process's gate, which also holds back the worker's requests; nil gives
	// the run its own.
	Gate *agent.Gate
	// Mode is the current permission mode for the worker's calls; nil: none is sent.
	Mode func() string
	// Today is agent.Kit.Today for the worker's calls; nil: the worker must not ask.
	Today func(ctx context.Context) (lifecycle.DayCost, error)
	// Key is the key of a provider for the worker's requests, and another than the refused one,
	// if there is another; nil: the worker must not ask. It may take as long as a program takes.
	Key func(ctx context.Context, provider, refused string) (string, error)
	// Tools are the session's tools that run here when the worker calls them.
	Tools []agent.Tool
	// Permit is agent.Kit.Permit for the worker's calls of tools of MCP servers, which are asked about
	// here before they run; nil: the worker is believed.
	Permit func(effect agent.Effect) agent.Decision
	// Hooks runs the user's hooks here, for a worker that has none of their programs: see
	// agent.Kit.Hooks. Nil: the worker must not ask.
	Hooks func(ctx context.Context, o agent.HookInput) agent.HookResult
	// Commands are run by the worker while the run works; nil: none are.
	Commands *Commands
}

// Work runs a session for a lifecycle.Worker in a process of its own, and returns when
// that process is gone, or at once if ctx ends with lifecycle.ErrLeft, which leaves the process
// to another Host.
func (h Host) Work(ctx context.Context, port agent.Port) lifecycle.Outcome {
	first, err := h.first(ctx, port)
	if err != nil {
		return failed(lifecycle.FailSetup, err.Error())
	}
	p, err := newPipes()
	if err != nil {
		return failed(lifecycle.FailSetup, "its process could not be started: "+err.Error())
	}
	defer p.close()
	if h.Gate == nil {
		h.Gate = new(agent.Gate)
	}
	c := newWorkerConn(ctx, h, port, p)
	c.open(first)
	go c.listen()
	exit, err := h.runProcess(ctx, c, p)
	if left(ctx) {
		c.leave()
		return lifecycle.Outcome{Err: context.Cause(ctx)}
	}
	c.finish()
	return c.outcomeOf(exit, err)
}

// first is the first message to the worker.
func (h Host) first(ctx context.Context, port agent.Port) (toWorker, error) {
	if h.Resume {
		return toWorker{Resume: true}, nil
	}
	opening, err := h.hello(ctx, port)
	return toWorker{Hello: opening}, err
}

// left reports that the context of a run has ended because this process leaves the run to its
// worker.
func left(ctx context.Context) bool { return errors.Is(context.Cause(ctx), lifecycle.ErrLeft) }

// outcomeOf is the outcome of a run whose process is gone.
func (c *workerConn) outcomeOf(exit Exit, err error) lifecycle.Outcome {
	var other *versionError
	var setup *setupError
	switch {
	case exit.Lost && c.run.Err() == nil: // even if it had ended its work: what it changed is lost
		c.keepRest()
		return lifecycle.Outcome{Err: &lifecycle.Stopped{Cause: lifecycle.CauseWorkerLost, Reason: exit.Said}}
	case c.outcome != nil:
		c.outcome.ExitCode = exitCode(exit, err)
		return *c.outcome
	case c.run.Err() != nil:
		c.keepRest()
		return lifecycle.Outcome{Err: context.Cause(c.run), ExitCode: exitCode(exit, err)}
	case errors.As(c.broken, &setup):
		return failed(lifecycle.FailSetup, setup.Error())
	case err != nil && !c.heard && c.broken == nil:
		return failed(lifecycle.FailSetup, "its process could not be started: "+err.Error())
	case errors.As(c.broken, &other):
		return failed(lifecycle.FailSetup, other.Error())
	}
	c.keepRest()
	if err != nil {
		message := "its process was lost: " + err.Error()
		if c.broken != nil {
			message += "; " + c.broken.Error()
		}
		out := failed(lifecycle.FailProcess, message)
		code := killed
		out.ExitCode = &code
		return out
	}
	out := failed(lifecycle.FailProcess, deathMessage(exit, c.broken))
	out.ExitCode = exitCode(exit, nil)
	return out
}

// killed is the exit code of a process whose launcher died, which kills the process: what
// a shell returns for SIGKILL.
const killed = 128 + 9

func failed(kind lifecycle.FailureKind, message string) lifecycle.Outcome {
	return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: kind, Message: message}}
}

func exitCode(exit Exit, err error) *int {
	if err != nil || exit.Code < 0 {
		return nil
	}
	return &exit.Code
}

func (h Host) hello(ctx context.Context, port agent.Port) (*hello, error) {
	run := port.Run()
	entries, err := h.Entries(ctx, run.Session)
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(h.Config)
	if err != nil {
		return nil, fmt.Errorf("encode the worker's configuration: %w", err)
	}
	return &hello{Protocol: Protocol, Run: run, Spent: port.Spent(), Entries: entries, Config: config}, nil
}

// runProcess starts the process and waits for its end. It asks it to stop when ctx ends,
// and kills it if it does not exit.
func (h Host) runProcess(ctx context.Context, c *workerConn, p *pipes) (exit Exit, err error) {
	life, kill := context.WithCancelCause(context.WithoutCancel(ctx))
	defer kill(nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		exit, err = h.Start(life, p.childIn, p.childOut)
		p.childIn.Close()
		p.childOut.Close()
	}()
	stopped, over := ctx.Done(), c.over
	var tooLong <-chan time.Time
	for {
		select {
		case <-ended:
			if exit.Said != "" && !exit.Lost {
				slog.Warn("a worker's standard error", "run", c.port.Run().ID, "said", exit.Said)
			}
			return exit, err
		case <-stopped:
			if stopped = nil; left(ctx) {
				kill(context.Cause(ctx))
				continue
			}
			tooLong = time.After(stopGrace)
			go c.stop()
		case <-over:
			over = nil
			if left(ctx) {
				continue
			}
			p.toChild.Close() // the worker waits for it, to end
			switch {
			case c.broken != nil:
				kill(nil)
			case tooLong == nil:
				tooLong = time.After(cmp.Or(h.Linger, exitGrace))
			}
		case <-tooLong:
			kill(nil)
		}
	}
}
