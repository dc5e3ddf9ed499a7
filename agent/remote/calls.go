package remote

import (
	"context"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

var (
	_ agent.Port             = (*Port)(nil)
	_ agent.OpenRunsReporter = (*Port)(nil)
)

// Run is the run as it stood when Pawl last answered.
func (p *Port) Run() lifecycle.Run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

// Spent is what the session had spent when Pawl last answered.
func (p *Port) Spent() lifecycle.Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// Scope is nil: from here nothing is delegated.
func (p *Port) Scope() *lifecycle.Scope { return nil }

// OpenRuns describes the run's own shells, which the other process knows.
func (p *Port) OpenRuns() string {
	r, _ := p.request(p.ctx, fromWorker{Act: actRoster}) // without an answer the run is ending
	return r.Roster
}

// Step opens the next model request.
func (p *Port) Step() ([]lifecycle.Entry, error) {
	r, err := p.request(context.Background(), fromWorker{Act: actStep})
	return r.Entries, err
}

// Record writes what was done, in one transaction.
func (p *Port) Record(entries []lifecycle.Entry, events ...lifecycle.Event) error {
	_, err := p.request(context.Background(), fromWorker{Act: actRecord, Entries: entries, Events: wrapped(events)})
	return err
}

// Answered writes the end of a tool call with its result.
func (p *Port) Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, told []lifecycle.Told) error {
	_, err := p.request(context.Background(), fromWorker{
		Act: actAnswered, Entries: []lifecycle.Entry{entry}, Events: []event{{end}}, Told: told,
	})
	return err
}

// Ask puts a question to a person, over there.
func (p *Port) Ask(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
	r, err := p.request(ctx, fromWorker{Act: actAsk, Question: &q, Input: q.Input})
	return r.Answer, err
}

// Hold is agent.Gate's, of the gate over there. Once that is gone nobody is held
// back: the run is ending.
func (p *Port) Hold(provider string, pause time.Duration) time.Duration {
	r, err := p.request(p.ctx, fromWorker{Act: actHold, Provider: provider, Pause: pause})
	if err != nil {
		return 0
	}
	return r.Pause
}

// Mode is the permission mode that holds over there; empty once that is gone.
func (p *Port) Mode() string {
	r, _ := p.request(p.ctx, fromWorker{Act: actMode}) // without an answer the run is ending
	return r.Mode
}

// Report makes progress the newest. It goes out soon, or with the next call.
func (p *Port) Report(progress lifecycle.Progress) {
	p.mu.Lock()
	p.progress = &progress
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// sendProgress sends progress as it comes, at its pace.
func (p *Port) sendProgress() {
	pause := time.NewTimer(0)
	for {
		select {
		case <-p.wake:
		case <-p.ctx.Done():
			return // the calls that still come take it along
		}
		p.out.mu.Lock()
		err := p.flush()
		p.out.mu.Unlock()
		if err != nil {
			return
		}
		pause.Reset(reportEvery)
		<-pause.C
	}
}

// The exit codes of a worker that came to its end.
const (
	exitCompleted = 0
	exitFailed    = 1
	exitStopped   = 130 // as after an interrupt
)

// End hands over how the run came out, the last that this process says, and
// gives the code to exit with.
func (p *Port) End(out lifecycle.Outcome) int {
	err := p.send(fromWorker{Act: actEnd, Text: out.Text, Error: wireErrorOf(out.Err)})
	switch {
	case err == nil && out.Err == nil && out.Text != "":
		return exitCompleted
	case p.ctx.Err() != nil:
		return exitStopped
	}
	return exitFailed
}
