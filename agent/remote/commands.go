package remote

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"pawl/lifecycle"
)

// Commands has the process of one run run commands in the background: each is a run of its own
// here, a shell, and works there, where the run's files are. The zero value works. Its methods
// may be called from any goroutine.
type Commands struct {
	mu     sync.Mutex
	conn   *workerConn // nil: no process is connected
	shells map[lifecycle.RunID]*command
}

// CommandPort is what the worker of a command needs of the port of its run.
type CommandPort interface {
	Run() lifecycle.Run
	Report(progress lifecycle.Progress)
	Record(entries []lifecycle.Entry, events ...lifecycle.Event) error
}

// command is one that the process has been given.
type command struct {
	port  CommandPort
	ended chan fromWorker // how it ended there; has room for that
	text  string          // the newest of its output
}

// How long the process may take to end a command, and how long the end of the run that started
// the command may take after that of the process.
const (
	commandGrace = 1500 * time.Millisecond
	runEndGrace  = 10 * time.Second
)

// Work has the process of the run that started a command work at it: it is the worker of the
// command's run.
func (c *Commands) Work(ctx context.Context, port CommandPort) lifecycle.Outcome {
	run := port.Run()
	conn, one := c.add(run.ID, port)
	if conn == nil {
		return failed(lifecycle.FailSetup, "the process of the run that started it is gone")
	}
	defer c.remove(run.ID)
	sent := run
	go conn.send(toWorker{Command: &sent})
	select {
	case end := <-one.ended:
		return one.outcome(ctx, end)
	case <-conn.over:
		return c.cut(ctx, one)
	case <-ctx.Done():
	}
	go conn.send(toWorker{EndShell: run.ID})
	select {
	case end := <-one.ended:
		return one.outcome(ctx, end)
	case <-conn.over:
	case <-time.After(commandGrace):
	}
	return c.cut(ctx, one)
}

// outcome is how a command ended. One that was ended with its run waits for that to be known here.
func (one *command) outcome(ctx context.Context, end fromWorker) lifecycle.Outcome {
	out := lifecycle.Outcome{Text: end.Text, Err: end.Error.err(), ExitCode: end.ExitCode}
	if events := unwrapped(end.Events); len(events) > 0 {
		err := ownFolder(one.port.Run(), events)
		if err == nil {
			err = one.port.Record(nil, events...)
		}
		if err != nil {
			slog.Error("what a command changed was not saved", "run", one.port.Run().ID, "error", err)
		}
	}
	if end.Cut {
		out.Err = causeSoon(ctx)
	}
	return out
}

// cut is the outcome of a command whose process is gone: it ends with the run that started it.
func (c *Commands) cut(ctx context.Context, one *command) lifecycle.Outcome {
	c.mu.Lock()
	text := one.text
	c.mu.Unlock()
	select {
	case end := <-one.ended: // it was told just before
		return one.outcome(ctx, end)
	default:
	}
	return lifecycle.Outcome{Text: text, Err: causeSoon(ctx)}
}

// causeSoon is the cause of a context that is about to end.
func causeSoon(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(runEndGrace):
		return &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "the process of the run that started it is gone"}
	}
}

// connect says which process there is; nil: none.
func (c *Commands) connect(conn *workerConn) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
}

func (c *Commands) add(run lifecycle.RunID, port CommandPort) (*workerConn, *command) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil, nil
	}
	if c.shells == nil {
		c.shells = map[lifecycle.RunID]*command{}
	}
	one := &command{port: port, ended: make(chan fromWorker, 1)}
	c.shells[run] = one
	return c.conn, one
}

func (c *Commands) remove(run lifecycle.RunID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.shells, run)
}

// heard takes in what a process says of a command. What is said of one that is not there is about
// one that has ended here.
func (c *Commands) heard(m fromWorker) {
	if c == nil {
		return
	}
	c.mu.Lock()
	one := c.shells[m.Shell]
	if one != nil && m.Progress != nil {
		one.text = m.Progress.Text
	}
	c.mu.Unlock()
	switch {
	case one == nil:
	case m.Act == actShellEnd:
		select {
		case one.ended <- m:
		default: // it has ended already
		}
	case m.Progress != nil:
		one.port.Report(*m.Progress)
	}
}
