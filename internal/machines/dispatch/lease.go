package dispatch

import (
	"strconv"
	"time"

	"pawl/internal/machines"
)

// watchLeases finds attempts whose worker is not heard of. Before it gives one up it sends itself a
// probe through the server: when that arrives over the connection that was there all along, every
// beat that the server had got has arrived before it.
func (d *Dispatcher) watchLeases() {
	tick := time.NewTicker(d.times.Lease / 20)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-d.ctx.Done():
			return
		}
		if d.link.Connected() && len(d.silent()) > 0 {
			d.mu.Lock()
			d.probe++
			body := strconv.FormatInt(d.probe, 10) + " " + strconv.FormatUint(d.link.Epoch(), 10)
			d.mu.Unlock()
			_ = d.link.Publish(machines.ToHost(d.root, machines.KindProbe), []byte(body)) // else at the next tick
		}
	}
}

// silent are the attempts whose lease is over.
func (d *Dispatcher) silent() (all []*attempt) {
	epoch := d.link.Epoch()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.attempts {
		if a.silent(d.times.Lease, epoch) {
			all = append(all, a)
		}
	}
	return all
}

// probed gives up what is silent even now, if the probe took the connection that there is.
func (d *Dispatcher) probed(body string) {
	d.mu.Lock()
	last := strconv.FormatInt(d.probe, 10) + " " + strconv.FormatUint(d.link.Epoch(), 10)
	d.mu.Unlock()
	if body != last {
		return
	}
	for _, a := range d.silent() {
		a.lose()
	}
}
