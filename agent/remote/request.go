package remote

import (
	"context"
	"fmt"
)

// request sends a request and waits for its reply, or for ctx.
func (p *Port) request(ctx context.Context, m fromWorker) (reply, error) {
	return p.requestReporting(ctx, m, nil)
}

// requestReporting is request that passes on what the request is doing meanwhile.
func (p *Port) requestReporting(ctx context.Context, m fromWorker, activity func(text string)) (reply, error) {
	one := &asked{message: m, replied: make(chan reply, 1), activity: activity}
	id, err := p.ask(one)
	if err != nil {
		return reply{}, err
	}
	select {
	case r, ok := <-one.replied:
		if !ok {
			return reply{}, ErrGone
		}
		return r, r.Error.err()
	case <-ctx.Done():
		p.mu.Lock()
		delete(p.waiting, id) // no other host has to serve it
		p.mu.Unlock()
		return reply{}, context.Cause(ctx)
	}
}

// ask numbers a request and writes it. Requests are written in the order of their numbers: a host
// tells by the newest that it has recorded which it has served.
func (p *Port) ask(one *asked) (id int64, err error) {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	if err := p.flush(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrGone, err)
	}
	p.mu.Lock()
	if p.gone {
		p.mu.Unlock()
		return 0, ErrGone
	}
	p.last++
	one.message.ID = p.last
	if one.message.Act == actStep {
		one.message.Have = p.have
	}
	p.waiting[p.last] = one
	p.mu.Unlock()
	if err := p.out.write(one.message); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrGone, err)
	}
	return one.message.ID, nil
}

// send writes a message after any pending progress, so that both arrive in order.
func (p *Port) send(m fromWorker) error {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	if err := p.flush(); err != nil {
		return err
	}
	return p.out.write(m)
}

// flush writes pending progress. The caller holds the writer's lock.
func (p *Port) flush() error {
	p.mu.Lock()
	progress := p.progress
	p.progress = nil
	p.mu.Unlock()
	if progress == nil {
		return nil
	}
	return p.out.write(fromWorker{Act: actReport, Progress: progress})
}
