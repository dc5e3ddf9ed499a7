package trace

import (
	"cmp"
	"fmt"
	"slices"

	"pawl/export/book"
	"pawl/lifecycle"
)

// track is a run in a trace. Its first thread shows all that it does one after the other; tools
// that run in parallel, and would overlap there, get more threads.
type track struct {
	run     lifecycle.Run // as the book has it
	order   int           // among the runs
	threads []*thread
}

// thread is a line of nested slices. Thread ids are unique in the whole trace: readers identify
// a thread by its id alone.
type thread struct {
	process, id int
	at          int64   // time of its newest event
	open        []slice // outermost first
}

// slice is an open slice.
type slice struct {
	kind  lifecycle.SpanKind
	key   string // the call of a tool, the id of a question
	event traceEvent
}

// sliceRun is the kind of a run's own slice.
const sliceRun lifecycle.SpanKind = "run"

// nameTracks names the processes and threads: each session and each run. Processes get the first ids
// and threads those after them: if both are the same, readers take the thread for the main one
// of the process.
func (t *tracer) nameTracks() {
	process := map[lifecycle.SessionID]int{}
	for i, s := range t.Sessions {
		process[s.ID] = i + 1
	}
	t.newest = len(t.Sessions)
	for i, run := range t.Runs {
		home, known := process[run.Session]
		if !known { // a shell belongs to the session that started it
			home = max(1, process[run.Parent])
		}
		one := &track{run: run, order: i}
		t.tracks[run.ID] = one
		t.thread(one, home)
	}
	for i, s := range t.Sessions {
		if len(s.Runs) > 0 {
			t.process(s, i)
		}
	}
	for _, run := range t.Runs {
		t.nameThread(t.tracks[run.ID], 0)
	}
}

func (t *tracer) process(s book.Conversation, place int) {
	on := t.tracks[s.Runs[0].ID].threads[0]
	what, label := t.Source.Session.Title, "parent"
	if s.Parent != "" {
		what, label = s.Runs[0].Description, s.Runs[0].Type
	}
	t.writeMetadata(on, "process_name", facts{"name": t.label(s.Name, what)})
	t.writeMetadata(on, "process_labels", facts{"labels": t.line(book.Joined(label, string(s.ID)))})
	t.writeMetadata(on, "process_sort_index", facts{"sort_index": place})
}

func (t *tracer) thread(of *track, process int) *thread {
	t.newest++
	on := &thread{process: process, id: t.newest}
	of.threads = append(of.threads, on)
	return on
}

func (t *tracer) nameThread(of *track, n int) {
	const apart = 100 // between two runs, for their further threads
	name := t.title(of.run)
	if n > 0 {
		name = t.label(fmt.Sprintf("%s, tool %d", t.Name(of.run.ID), n+1))
	}
	t.writeMetadata(of.threads[n], "thread_name", facts{"name": name})
	t.writeMetadata(of.threads[n], "thread_sort_index", facts{"sort_index": of.order*apart + min(n, apart-1)})
}

// title is the name of a run: its short name and what it is about.
func (t *tracer) title(run lifecycle.Run) string {
	what := run.Description
	if !run.Child() {
		what = run.Prompt
	}
	if what == "" {
		what = "by " + string(run.Trigger)
	}
	return t.label(t.Name(run.ID), what)
}

// place is the thread for a new slice. What a run does itself is on its first thread. A tool is
// there too unless another tool is running there; a question is inside the tool that asks.
func (t *tracer) place(of *track, kind lifecycle.SpanKind, call lifecycle.CallID) *thread {
	if kind != lifecycle.SpanTool && kind != lifecycle.SpanQuestion {
		return of.threads[0]
	}
	if asks, at := of.find(lifecycle.SpanTool, string(call)); kind == lifecycle.SpanQuestion && asks != nil && at == len(asks.open)-1 {
		return asks
	}
	for _, on := range of.threads {
		if !on.busy() {
			return on
		}
	}
	on := t.thread(of, of.threads[0].process)
	t.nameThread(of, len(of.threads)-1)
	return on
}

// busy reports whether a tool, a request or a question is open on the thread.
func (on *thread) busy() bool {
	if len(on.open) == 0 {
		return false
	}
	kind := on.open[len(on.open)-1].kind
	return kind != sliceRun && kind != lifecycle.SpanStep
}

// find finds an open slice of a run: its thread and its place there.
func (of *track) find(kind lifecycle.SpanKind, key string) (*thread, int) {
	for _, on := range of.threads {
		for i, s := range on.open {
			if s.kind == kind && s.key == key {
				return on, i
			}
		}
	}
	return nil, 0
}

func (t *tracer) push(on *thread, s slice) {
	s.event.Phase, s.event.Category = phaseBegin, string(s.kind)
	s.event.Name = cmp.Or(s.event.Name, string(s.kind)) // models also call tools with an empty name
	t.put(on, s.event)
	on.open = append(on.open, s)
}

func (t *tracer) pop(on *thread, says facts) {
	last := len(on.open) - 1
	on.open[last] = slice{} // free its details
	on.open = on.open[:last]
	t.put(on, traceEvent{Phase: phaseEnd, Facts: says})
}

// endSlice ends the slice at a place of a thread. Slices inside it go on: as slices nest, those are
// ended too and begun again outside.
func (t *tracer) endSlice(on *thread, at int, says facts) {
	rest := slices.Clone(on.open[at+1:])
	for range rest {
		t.pop(on, facts{"continued": true})
	}
	t.pop(on, says)
	for _, s := range rest {
		t.push(on, s)
	}
}
