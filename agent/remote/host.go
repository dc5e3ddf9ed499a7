package remote

import (
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
	Said string // the end of its standard error
}

// Host drives runs whose loop works in another process.
type Host struct {
	// Start starts the worker's program with these ends of the pipes as its standard input
	// and output. It returns when the program and everything that it started are gone, at
	// most 2 s after ctx ends. An error means that it did not start or did not end.
	Start func(ctx context.Context, in, out *os.File) (Exit, error)
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
	// Tools are the session's tools that run here when the worker calls them.
	Tools []agent.Tool
}

// Work runs a session for a lifecycle.Worker in a process of its own, and returns when
// that process is gone.
func (h Host) Work(ctx context.Context, port agent.Port) lifecycle.Outcome {
	opening, err := h.hello(ctx, port)
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
	go c.send(toWorker{Hello: opening})
	go c.listen()
	exit, err := h.runProcess(ctx, c, p)
	c.finish()
	var other *versionError
	switch {
	case c.outcome != nil:
		c.outcome.ExitCode = exitCode(exit, err)
		return *c.outcome
	case ctx.Err() != nil:
		c.keepRest()
		return lifecycle.Outcome{Err: context.Cause(ctx), ExitCode: exitCode(exit, err)}
	case err != nil && !c.heard:
		return failed(lifecycle.FailSetup, "its process could not be started: "+err.Error())
	case errors.As(c.broken, &other):
		return failed(lifecycle.FailSetup, other.Error())
	}
	c.keepRest()
	if err != nil {
		out := failed(lifecycle.FailProcess, "its process was lost: "+err.Error())
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
	return &hello{Protocol: protocol, Run: run, Spent: port.Spent(), Entries: entries, Config: config}, nil
}

// runProcess starts the process and waits for its end. It asks it to stop when ctx ends,
// and kills it if it does not exit.
func (h Host) runProcess(ctx context.Context, c *workerConn, p *pipes) (exit Exit, err error) {
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
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
			if exit.Said != "" {
				slog.Warn("a worker's standard error", "run", c.port.Run().ID, "said", exit.Said)
			}
			return exit, err
		case <-stopped:
			stopped, tooLong = nil, time.After(stopGrace)
			go c.stop()
		case <-over:
			over = nil
			switch {
			case c.broken != nil:
				kill()
			case tooLong == nil:
				tooLong = time.After(exitGrace)
			}
		case <-tooLong:
			kill()
		}
	}
}
