package host

import (
	"context"
	"time"

	"pawl/agent/remote"
	"pawl/internal/base"
	"pawl/internal/machines"
	view "pawl/ui/fleet"
)

// workerList is the workers that take runs of others, as the server of the settings lists them.
type workerList struct{ *base.Base }

// The list is asked for so often, and a server that cannot be reached is tried again as often.
const (
	workersEvery = 5 * time.Second
	workersLimit = 5 * time.Second
)

// seenWorkers is what is known of them at one moment.
type seenWorkers struct {
	all     []view.Worker
	trouble string // why they are not known; empty: they are
}

// beside follows sessions, and adds the workers to each picture of them. Both change by themselves.
func (l workerList) beside(ctx context.Context, follow func(context.Context, func(view.Picture)) error, show func(view.Picture)) error {
	if !l.Settings.Remote.On() {
		return follow(ctx, show)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pictures, workers, ended := make(chan view.Picture), make(chan seenWorkers), make(chan error, 1)
	go func() {
		ended <- follow(ctx, func(p view.Picture) { give(ctx, pictures, p) })
	}()
	go l.follow(ctx, workers)
	var picture *view.Picture
	var seen seenWorkers
	for {
		select {
		case p := <-pictures:
			picture = &p
		case seen = <-workers:
		case err := <-ended:
			return err
		}
		if picture == nil {
			continue
		}
		p := *picture
		p.Workers = seen.all
		if seen.trouble != "" {
			p.Trouble = append(append([]string{}, p.Trouble...), seen.trouble)
		}
		show(p)
	}
}

// give sends a value unless ctx ends first.
func give[T any](ctx context.Context, to chan<- T, value T) {
	select {
	case to <- value:
	case <-ctx.Done():
	}
}

// follow tells what it sees of the workers, now and every few seconds, until ctx ends.
func (l workerList) follow(ctx context.Context, to chan<- seenWorkers) {
	var link *machines.Link
	defer func() {
		if link != nil {
			link.Close()
		}
	}()
	next := time.NewTicker(workersEvery)
	defer next.Stop()
	for ctx.Err() == nil {
		var err error
		if link == nil {
			link, err = DialMachines(ctx, l.Base, "pawl fleet")
		}
		var seen seenWorkers
		if err == nil {
			seen.all, err = listWorkers(ctx, link)
		}
		if err != nil {
			seen.trouble = "workers: " + base.OneLine(err.Error())
		}
		give(ctx, to, seen)
		select {
		case <-next.C:
		case <-ctx.Done():
		}
	}
}

// DialMachines connects with the server of other machines that the settings name.
func DialMachines(ctx context.Context, b *base.Base, name string) (*machines.Link, error) {
	ctx, cancel := context.WithTimeout(ctx, workersLimit)
	defer cancel()
	own := b.Settings.Remote
	return machines.Dial(ctx, machines.Options{URL: own.NATS, Creds: own.CredsFile(b.Folders), CA: own.CAFile(), Name: name})
}

func listWorkers(ctx context.Context, link *machines.Link) (all []view.Worker, err error) {
	infos, err := link.Workers(ctx)
	for _, w := range infos {
		all = append(all, view.Worker{
			Name: w.Name, Version: w.Version, Fits: w.Protocol == remote.Protocol, Busy: w.Busy, Slots: w.Slots, Load: w.Load, Labels: w.Labels,
		})
	}
	return all, err
}
