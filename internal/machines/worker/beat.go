package worker

import (
	"context"
	"sync"
	"time"

	"pawl/internal/machines"
	"pawl/lifecycle"
)

// every calls act after each span, and when there is a connection again.
func (s *server) every(ctx context.Context, span time.Duration, act func()) {
	tick := time.NewTicker(span)
	defer tick.Stop()
	for {
		changed := s.link.Changed()
		act()
		select {
		case <-tick.C:
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// beatUntil tells each host which of its runs are here, and gives up those that may no longer be.
func (s *server) beatUntil(ctx context.Context) {
	var leases sync.WaitGroup
	defer leases.Wait()
	leases.Go(func() { s.every(ctx, s.times.Beat/4, s.checkLeases) })
	s.every(ctx, s.times.Beat, func() {
		of := map[lifecycle.SessionID][]*run{}
		for _, r := range s.all() {
			if r.isLost() == "" {
				of[r.run.Root] = append(of[r.run.Root], r)
			}
		}
		for root, runs := range of {
			go s.beat(ctx, root, runs)
		}
	})
}

func (s *server) beat(ctx context.Context, root lifecycle.SessionID, runs []*run) {
	beat := machines.Beat{Worker: s.id}
	for _, r := range runs {
		beat.Attempts = append(beat.Attempts, r.run.Attempt)
	}
	asked := elapsed()
	var reply machines.BeatReply
	if s.link.AskJSON(ctx, machines.ToHost(root, machines.KindBeat), beat, &reply) != nil {
		return
	}
	for _, r := range runs {
		r.heard(asked)
	}
	for _, key := range reply.Over {
		if r, _ := s.find(key); r != nil {
			r.over()
		}
	}
}

// heard notes that the host has answered a question that was asked at that time.
func (r *run) heard(asked time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.host = max(r.host, asked)
}

// confirm notes that the server has.
func (r *run) confirm(asked time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.confirmed = max(r.confirmed, asked)
}

// checkLeases gives up runs of which neither host nor server was heard for too long.
func (s *server) checkLeases() {
	for _, r := range s.all() {
		if why := r.expired(s.times); why != "" {
			r.lose(why, s.times.Lease)
		}
	}
}

// expired says why the run must be given up; empty if it need not be.
func (r *run) expired(times machines.Times) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := elapsed()
	server := now - max(r.host, r.confirmed)
	switch {
	case r.lost != "":
		return ""
	case r.run.Idempotent && r.gone == nil && server > times.Confirm:
		return "nobody can be reached, and another worker may begin it"
	case server > times.Server:
		return "no server can be reached"
	case now-r.host > times.Host:
		return "its host does not come back"
	}
	return ""
}

// keepUntil tells the server that the jobs are being worked at. One confirmation a queue says that
// it has heard all.
func (s *server) keepUntil(ctx context.Context) {
	s.every(ctx, s.times.Beat, func() {
		of := map[string][]*run{}
		for _, r := range s.all() {
			d := r.kept()
			of[d.Queue] = append(of[d.Queue], r)
		}
		for _, d := range s.claimed() {
			d.Keep()
		}
		for _, runs := range of {
			go s.keep(ctx, runs)
		}
	})
}

func (s *server) keep(ctx context.Context, runs []*run) {
	for _, r := range runs[1:] {
		r.kept().Keep()
	}
	asked := elapsed()
	if runs[0].kept().Confirm(ctx) != nil {
		return
	}
	for _, r := range runs {
		r.confirm(asked)
	}
}

func (s *server) claimed() (all []*machines.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.claims {
		all = append(all, d)
	}
	return all
}

// announceUntil keeps this worker in the list of workers.
func (s *server) announceUntil(ctx context.Context) {
	s.every(ctx, s.times.Info, func() {
		info := machines.WorkerInfo{
			ID: s.id, Name: s.o.Name, Machine: s.o.Machine, Version: s.o.Version, Protocol: s.o.Protocol,
			Slots: s.o.Slots, Busy: s.taken(), Labels: s.o.Labels, Load: -1, Since: s.since,
		}
		if s.o.Load != nil {
			info.Load = s.o.Load()
		}
		_ = s.link.Announce(ctx, info) // else the next time
	})
}
