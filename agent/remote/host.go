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

// How long a worker may take to end by itself before it is killed: once it was
// told to stop, where the tools it has under way must go first, and once it has
// said its last. A stop is done within 2 s in all, the kill included.
const (
	stopGrace = 700 * time.Millisecond
	exitGrace = 500 * time.Millisecond
)

// drainLimit bounds how long the last messages of a dead worker are read, where
// something else holds its end of the pipe.
const drainLimit = time.Second

// Exit is how a worker's process ended.
type Exit struct {
	Code int    // 128 + n for signal n; negative where nobody knows
	Said string // the last of what it wrote to standard error
}

// Host drives runs whose loop works in another process. Its fields are its world.
type Host struct {
	// Start starts the worker's program with these ends of the pipe as its
	// standard input and output, and returns when it and all that it started are
	// gone, at most 2 s after ctx ended. An error means that it did not start or
	// did not end.
	Start func(ctx context.Context, in, out *os.File) (Exit, error)
	// Entries reads the transcript of a session as it is stored.
	Entries func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error)
	// Charge is what the worker needs beside its run and its transcript.
	Config any
	// Gate is the gate of this process, which the worker's requests pass too; nil
	// is one of the run's own.
	Gate *agent.Gate
	// Mode is the permission mode of a call of the worker's; nil: there is none to tell.
	Mode func() string
	// Tools are those of the session, whose calls the worker has run here.
	Tools []agent.Tool
}

// Work is the work of a lifecycle.Worker: the run's own process does it, and this
// returns when nothing of that process is left.
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
	v := newWorkerConn(ctx, h, port, p)
	go v.send(toWorker{Hello: opening})
	go v.listen()
	exit, err := h.runProcess(ctx, v, p)
	v.finish()
	var other *versionError
	switch {
	case v.outcome != nil:
		v.outcome.ExitCode = exitCode(exit, err)
		return *v.outcome
	case ctx.Err() != nil:
		v.keepRest()
		return lifecycle.Outcome{Err: context.Cause(ctx), ExitCode: exitCode(exit, err)}
	case err != nil && !v.heard:
		return failed(lifecycle.FailSetup, "its process could not be started: "+err.Error())
	case errors.As(v.broken, &other):
		return failed(lifecycle.FailSetup, other.Error())
	}
	v.keepRest()
	if err != nil {
		out := failed(lifecycle.FailProcess, "its process was lost: "+err.Error())
		code := killed
		out.ExitCode = &code
		return out
	}
	out := failed(lifecycle.FailProcess, deathMessage(exit, v.broken))
	out.ExitCode = exitCode(exit, nil)
	return out
}

// killed is the exit code of a process whose launcher died: what was there of it then was
// killed, and that is how a shell gives SIGKILL.
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
	charge, err := json.Marshal(h.Config)
	if err != nil {
		return nil, fmt.Errorf("write the charge: %w", err)
	}
	return &hello{Protocol: protocol, Run: run, Spent: port.Spent(), Entries: entries, Config: charge}, nil
}

// runProcess starts the process and waits for its end. It tells it to stop when ctx
// ends, and kills it when it does not go.
func (h Host) runProcess(ctx context.Context, v *workerConn, p *pipes) (exit Exit, err error) {
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		exit, err = h.Start(life, p.childIn, p.childOut)
		p.childIn.Close()
		p.childOut.Close()
	}()
	stopped, over := ctx.Done(), v.over
	var tooLong <-chan time.Time
	for {
		select {
		case <-ended:
			if exit.Said != "" {
				slog.Warn("a worker's standard error", "run", v.port.Run().ID, "said", exit.Said)
			}
			return exit, err
		case <-stopped:
			stopped, tooLong = nil, time.After(stopGrace)
			go v.stop()
		case <-over:
			over = nil
			switch {
			case v.broken != nil:
				kill()
			case tooLong == nil:
				tooLong = time.After(exitGrace)
			}
		case <-tooLong:
			kill()
		}
	}
}
