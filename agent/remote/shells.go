package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"pawl/lifecycle"
)

// Why a command in the background is ended here.
var (
	errStopped  = errors.New("it was stopped")
	errRunEnded = errors.New("the run that started it has ended")
	errHostLeft = errors.New("the Pawl that kept it has ended")
)

// shellGrace is how long the commands of a run that ends may take to end.
const shellGrace = 700 * time.Millisecond

// ShellWork works at a command in the background, as a lifecycle.Worker does.
type ShellWork func(ctx context.Context, port CommandPort) lifecycle.Outcome

// shells are the commands that this process runs in the background. The zero value works.
type shells struct {
	mu      sync.Mutex
	work    ShellWork
	ends    map[lifecycle.RunID]context.CancelCauseFunc
	over    bool // no more are begun
	running sync.WaitGroup
}

// OnShell sets what works at the commands that the run has started in the background. Each is a
// run at home. It is called before the loop begins.
func (p *Port) OnShell(work ShellWork) {
	p.shells.mu.Lock()
	defer p.shells.mu.Unlock()
	p.shells.work = work
}

// begin works at a command on a goroutine of its own.
func (p *Port) begin(run lifecycle.Run) {
	p.mu.Lock()
	run.Folder = p.here(run.Folder)
	p.mu.Unlock()
	s := &p.shells
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.work == nil || s.over {
		no := &wireError{lifecycle.FailSetup, "the process of the run that started it runs no commands any more"}
		go p.tellShell(fromWorker{Act: actShellEnd, Shell: run.ID, Error: no, Cut: s.over})
		return
	}
	ctx, end := context.WithCancelCause(p.ctx)
	if s.ends == nil {
		s.ends = map[lifecycle.RunID]context.CancelCauseFunc{}
	}
	s.ends[run.ID] = end
	work := s.work
	s.running.Go(func() {
		defer end(nil)
		p.runShell(ctx, run, work)
	})
}

// runShell works at a command, and tells how it ended unless nobody is left who would know it.
func (p *Port) runShell(ctx context.Context, run lifecycle.Run, work ShellWork) {
	port := &shellPort{p: p, run: run}
	out := func() (out lifecycle.Outcome) {
		defer func() {
			if broken := recover(); broken != nil {
				slog.Error("a command's worker panicked", "panic", broken, "stack", string(debug.Stack()))
				out.Err = &lifecycle.Failure{Kind: lifecycle.FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", broken)}
			}
		}()
		return work(ctx, port)
	}()
	why := context.Cause(ctx)
	p.shells.mu.Lock()
	delete(p.shells.ends, run.ID)
	p.shells.mu.Unlock()
	if errors.Is(why, errHostLeft) {
		return
	}
	p.tellShell(fromWorker{
		Act: actShellEnd, Shell: run.ID, Events: wrapped(p.eventsAtHome(port.recorded())),
		Text: out.Text, Error: wireErrorOf(out.Err), ExitCode: out.ExitCode, Cut: errors.Is(why, errRunEnded) || p.ctx.Err() != nil,
	})
}

// tellShell sends what no reply is expected for. If that fails the pipe has ended.
func (p *Port) tellShell(m fromWorker) { _ = p.send(m) }

// end ends a command.
func (s *shells) end(run lifecycle.RunID, why error) {
	s.mu.Lock()
	end := s.ends[run]
	s.mu.Unlock()
	if end != nil {
		end(why)
	}
}

func (s *shells) endAll(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, end := range s.ends {
		end(why)
	}
}

// finish ends all commands, because the run ends, and waits for them a little.
func (s *shells) finish() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.endAll(errRunEnded)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.running.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(shellGrace):
	}
}

// shellPort is what a command's worker has of its run, which is at home.
type shellPort struct {
	p   *Port
	run lifecycle.Run

	mu     sync.Mutex
	events []lifecycle.Event
	told   time.Time
}

// Run implements CommandPort.
func (s *shellPort) Run() lifecycle.Run { return s.run }

// Report implements CommandPort.
func (s *shellPort) Report(progress lifecycle.Progress) {
	s.mu.Lock()
	soon := time.Since(s.told) < reportEvery
	if !soon {
		s.told = time.Now()
	}
	s.mu.Unlock()
	if !soon { // its end tells the rest
		s.p.tellShell(fromWorker{Act: actShellNews, Shell: s.run.ID, Progress: &progress})
	}
}

// Record implements CommandPort. The events are recorded with the end of the command.
func (s *shellPort) Record(entries []lifecycle.Entry, events ...lifecycle.Event) error {
	if len(entries) > 0 {
		return errors.New("a command has no transcript")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, events...)
	return nil
}

func (s *shellPort) recorded() []lifecycle.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events
}
