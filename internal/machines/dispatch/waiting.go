package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/internal/machines"
	"pawl/internal/words"
)

// watchWorkers looks which workers there are, while an attempt waits for one.
func (d *Dispatcher) watchWorkers() {
	for {
		select {
		case <-d.someWaits:
		case <-d.ctx.Done():
			return
		}
		workers, err := d.link.Workers(d.ctx)
		d.mu.Lock()
		if err == nil {
			d.workers = workers
		}
		close(d.looked)
		d.looked = make(chan struct{})
		d.mu.Unlock()
		select {
		case <-time.After(d.times.Beat):
		case <-d.ctx.Done():
			return
		}
	}
}

func (d *Dispatcher) nextLook() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.looked
}

// why says why no worker has taken an attempt.
func (d *Dispatcher) why(a *attempt) string {
	if !d.link.Connected() {
		return "waits for the NATS server at " + d.link.Address()
	}
	d.mu.Lock()
	workers := slices.Clone(d.workers)
	d.mu.Unlock()
	why := whyNot(workers, d.o.Protocol, a.order.Labels)
	if a.worker() != "" {
		why = "waits for its worker, which is out of reach"
	}
	if refused := a.refused(); refused != "" {
		why += "; refused " + refused
	}
	return why
}

// whyNot says which of these workers could take an attempt, and why none does.
func whyNot(workers []machines.WorkerInfo, protocol int, labels []string) string {
	var others []string // versions that do not speak the protocol
	same, able, free := 0, 0, 0
	for _, w := range workers {
		if w.Protocol != protocol {
			others = append(others, plain(w.Version))
			continue
		}
		same++
		if !contains(w.Labels, labels) {
			continue
		}
		able++
		if w.Busy < w.Slots {
			free++
		}
	}
	what := "a worker"
	if len(labels) > 0 {
		what += " with " + words.List(labels)
	}
	var why []string
	switch {
	case free > 0:
		return "waits for " + what + " to take it"
	case able > 0:
		return fmt.Sprintf("waits for %s: %s, all slots are taken", what, there(able))
	case same > 0:
		why = append(why, there(same)+", "+none(same)+" "+them(labels))
	case len(others) == 0:
		why = append(why, "none is there")
	}
	if len(others) > 0 {
		slices.Sort(others)
		why = append(why, fmt.Sprintf("%s another version (%s)", speak(len(others)), strings.Join(slices.Compact(others), ", ")))
	}
	return "waits for " + what + "; " + strings.Join(why, "; ")
}

// plain is the number of a version, for a line that models read: anybody may write into the list of workers.
func plain(version string) string {
	version, _, _ = strings.Cut(version, " ")
	const most, marks = 40, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-"
	if len(version) > most || strings.Trim(version, marks) != "" {
		return "unknown"
	}
	return version
}

func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

func there(n int) string {
	if n == 1 {
		return "1 is there"
	}
	return fmt.Sprintf("%d are there", n)
}

func none(n int) string {
	if n == 1 {
		return "without"
	}
	return "none has"
}

func them(labels []string) string {
	if len(labels) == 1 {
		return "it"
	}
	return "them"
}

func speak(n int) string {
	if n == 1 {
		return "1 worker speaks"
	}
	return fmt.Sprintf("%d workers speak", n)
}
