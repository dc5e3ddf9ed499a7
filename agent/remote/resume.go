package remote

import (
	"maps"
	"slices"
)

// resume answers a host that goes on in place of another: with all that the other may have left
// unanswered, in one piece. Commands in the background are ended, because the runs that they are
// at home have ended with the other host.
func (p *Port) resume() error {
	p.shells.endAll(errHostLeft)
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	p.mu.Lock()
	progress, ended := p.newest, p.ended
	var requests []fromWorker
	for _, id := range slices.Sorted(maps.Keys(p.waiting)) {
		m := p.waiting[id].message
		m.Again = true
		requests = append(requests, m)
	}
	p.progress = nil
	p.mu.Unlock()
	if err := p.out.write(ownHello()); err != nil {
		return err
	}
	if progress != nil { // before requests, which may be about later text
		if err := p.out.write(fromWorker{Act: actReport, Progress: progress}); err != nil {
			return err
		}
	}
	for _, m := range requests {
		if err := p.out.write(m); err != nil {
			return err
		}
	}
	if ended != nil {
		return p.out.write(*ended)
	}
	return nil
}
