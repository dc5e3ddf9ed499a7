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

// Run is the run as of Pawl's last reply. Its folder is that on this machine.
func (p *Port) Run() lifecycle.Run {
	p.mu.Lock()
	defer p.mu.Unlock()
	run := p.run
	run.Folder = p.here(run.Folder)
	return run
}

// Spent is what the session had spent as of Pawl's last reply.
func (p *Port) Spent() lifecycle.Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// Scope is nil: a worker cannot delegate.
func (p *Port) Scope() *lifecycle.Scope { return nil }

// OpenRuns describes the run's own shells, which Pawl's process knows.
func (p *Port) OpenRuns() string {
	r, _ := p.request(p.ctx, fromWorker{Act: actRoster}) // without a reply the run is ending
	return r.Roster
}

// Step opens the next model request.
func (p *Port) Step() ([]lifecycle.Entry, error) {
	r, err := p.request(context.Background(), fromWorker{Act: actStep})
	return r.Entries, err
}

// Record records events and entries in one transaction.
func (p *Port) Record(entries []lifecycle.Entry, events ...lifecycle.Event) error {
	_, err := p.request(context.Background(), fromWorker{Act: actRecord, Entries: entries, Events: wrapped(p.eventsAtHome(events))})
	return err
}

// Answered records the end of a tool call with its result, and what it changed in files.
func (p *Port) Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, changed *lifecycle.FilesChanged, told []lifecycle.Told) error {
	events := []lifecycle.Event{end}
	if changed != nil {
		events = append(events, *changed)
	}
	_, err := p.request(context.Background(), fromWorker{
		Act: actAnswered, Entries: []lifecycle.Entry{entry}, Events: wrapped(p.eventsAtHome(events)), Told: told,
	})
	return err
}

// Ask puts a question to a person, through Pawl's process.
func (p *Port) Ask(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
	r, err := p.request(ctx, fromWorker{Act: actAsk, Question: &q, Input: p.textAtHome(q.Input)})
	return r.Answer, err
}

// Hold is Gate.Hold of the gate in Pawl's process. If that is gone, it does not hold,
// because the run is ending.
func (p *Port) Hold(provider string, pause time.Duration) time.Duration {
	r, err := p.request(p.ctx, fromWorker{Act: actHold, Provider: provider, Pause: pause})
	if err != nil {
		return 0
	}
	return r.Pause
}

// Key is Host.Key of Pawl's process.
func (p *Port) Key(ctx context.Context, provider, refused string) (string, error) {
	r, err := p.request(ctx, fromWorker{Act: actKey, Provider: provider, Refused: refused})
	return r.Key, err
}

// Mode is the current permission mode in Pawl's process; empty if that is gone.
func (p *Port) Mode() string {
	r, _ := p.request(p.ctx, fromWorker{Act: actMode}) // without a reply the run is ending
	return r.Mode
}

// Today is agent.Kit.Today of Pawl's process.
func (p *Port) Today(ctx context.Context) (lifecycle.DayCost, error) {
	r, err := p.request(ctx, fromWorker{Act: actToday})
	return r.Today, err
}

// Report replaces the progress. It is sent soon, at the latest with the next call.
func (p *Port) Report(progress lifecycle.Progress) {
	p.mu.Lock()
	p.progress, p.newest = &progress, &progress
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// sendProgress sends new progress, at most once in reportEvery.
func (p *Port) sendProgress() {
	pause := time.NewTimer(0)
	for {
		select {
		case <-p.wake:
		case <-p.ctx.Done():
			return // later calls still send it
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
