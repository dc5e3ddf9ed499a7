package export

// traceEvent is one event of the format. Its fields have the names and the order that
// readers know.
type traceEvent struct {
	Name    string `json:"name,omitempty"`
	Sort    string `json:"cat,omitempty"`
	Phase   string `json:"ph"`
	At      int64  `json:"ts"` // microseconds since the first record
	Process int    `json:"pid"`
	Thread  int    `json:"tid"`
	Arrow   int    `json:"id,omitempty"` // of the two ends of an arrow
	Bind    string `json:"bp,omitempty"`
	Scope   string `json:"s,omitempty"`
	Facts   facts  `json:"args,omitempty"`
}

// The phases of the format that a trace has. A slice is a begin and an end and never one
// complete event: Perfetto takes complete events that begin with another event before
// that one, whatever their order in the file, and events of the other phases as they
// stand. So what begins and ends within one microsecond nests as it happened.
const (
	phaseBegin   = "B" // of a slice, in the one that is open on its thread
	phaseEnd     = "E" // of the innermost slice that is open on its thread
	phaseInstant = "i"
	phaseCounter = "C"
	phaseFrom    = "s" // where an arrow begins: at the innermost slice that is open
	phaseTo      = "f" // where it ends
	phaseName    = "M" // of a process or a thread
)

// The values that two fields have in a trace.
const (
	bindEnclosing = "e" // an arrow ends at the slice that is open, not at the next one
	scopeThread   = "t" // an instant is one of its thread
)

// facts are what a reader shows of an event beside its name. Texts in them are clean.
type facts map[string]any

// some leaves out what says nothing.
func (f facts) some() facts {
	for name, value := range f {
		switch value {
		case "", 0, int64(0), false, nil:
			delete(f, name)
		}
	}
	return f
}

// line is a text of others on one line, cleaned, masked and cut.
func (t *tracer) line(s string) string { return oneLine(t.readable(s), longLine) }

// label is what a slice is called.
func (t *tracer) label(words ...string) string {
	return oneLine(t.readable(listed(words...)), longCell)
}

// put writes an event that stands on a thread. Time on a thread never goes back.
func (t *tracer) put(on *thread, e traceEvent) {
	on.at = max(on.at, t.at)
	e.At, e.Process, e.Thread = on.at, on.process, on.id
	t.out.element(e)
}

// entitle says what a process or a thread is called, or where it stands.
func (t *tracer) entitle(on *thread, what string, says facts) {
	t.out.element(traceEvent{Name: what, Phase: phaseName, Process: on.process, Thread: on.id, Facts: says})
}
