package trace

import "pawl/lifecycle"

// count updates the counters that a record changes: how many runs wait and how many work, and
// what the session has spent.
func (t *tracer) count(rec lifecycle.Record) {
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		t.queued++
		t.alive[rec.Run] = lifecycle.StateQueued
		t.countRuns()
	case lifecycle.Started:
		t.gone(rec.Run)
		t.running++
		t.alive[rec.Run] = lifecycle.StateRunning
		t.countRuns()
	case lifecycle.Ended:
		t.gone(rec.Run)
		t.countRuns()
	case lifecycle.UsageReported:
		t.spent = t.spent.Add(e.Usage)
		t.setCounter("tokens", facts{"in": t.spent.InputTokens, "out": t.spent.OutputTokens})
		if e.Cost != 0 {
			t.setCounter("cost", facts{"usd": dollarsOnly(t.spent.Cost)})
		}
	default:
	}
}

func (t *tracer) gone(id lifecycle.RunID) {
	switch t.alive[id] {
	case lifecycle.StateQueued:
		t.queued--
	case lifecycle.StateRunning:
		t.running--
	default: // it has ended already
	}
	delete(t.alive, id)
}

func (t *tracer) countRuns() { t.setCounter("runs", facts{"running": t.running, "queued": t.queued}) }

// setCounter sets the values of a counter. All counters belong to the parent: they are about the
// whole session.
func (t *tracer) setCounter(name string, values facts) {
	on := t.tracks[t.Runs[0].ID].threads[0]
	t.out.Element(traceEvent{Name: name, Phase: phaseCounter, At: t.now, Process: on.process, Thread: on.id, Facts: values})
}
