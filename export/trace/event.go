package trace

import (
	"math"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// traceEvent is one event of the format. Its fields have the names and the order that
// readers know.
type traceEvent struct {
	Name    string `json:"name,omitempty"`
	Sort    string `json:"cat,omitempty"`
	Phase   string `json:"ph"`
	At      int64  `json:"ts"`
	Process int    `json:"pid"`
	Thread  int    `json:"tid"`
	Arrow   int    `json:"id,omitempty"` // of the two ends of an arrow
	Bind    string `json:"bp,omitempty"`
	Scope   string `json:"s,omitempty"`
	Facts   facts  `json:"args,omitempty"`
}

// The phases of the format that a trace has. Slices are begins and ends, as they come:
// complete events would have to wait for what they stand in, or nest by guess.
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
		switch v := value.(type) {
		case facts:
			if len(v) == 0 {
				delete(f, name)
			}
		default:
			if v == "" || v == 0 || v == int64(0) || v == 0.0 || v == false {
				delete(f, name)
			}
		}
	}
	return f
}

// spending is a usage in the words of the JSON export.
func spending(u lifecycle.Usage) facts {
	return facts{
		"input_tokens": u.InputTokens, "output_tokens": u.OutputTokens, "cached_tokens": u.CachedTokens, "cache_write_tokens": u.CacheWriteTokens,
		"estimated_tokens": u.EstimatedTokens,
		"cost_usd":         dollarsOnly(u.Cost), "tool_calls": u.ToolCalls, "steps": u.Steps,
	}.some()
}

// dollarsOnly is a sum of prices, to a millionth: such sums are not exact.
func dollarsOnly(cost float64) float64 { return math.Round(cost*1e6) / 1e6 }

// line is a text of others on one line, cleaned, masked and cut.
func (t *tracer) line(s string) string { return words.CutLine(t.Readable(s), book.LongLine) }

// label is what a slice is called.
func (t *tracer) label(parts ...string) string {
	return words.CutLine(t.Readable(book.Joined(parts...)), book.LongCell)
}

// put writes an event that stands on a thread and returns its time. No two of a thread
// have the same: of those that do, readers take ends first, and others in orders of their
// own.
func (t *tracer) put(on *thread, e traceEvent) int64 {
	on.at = max(on.at+1, t.at)
	e.At, e.Process, e.Thread = on.at, on.process, on.id
	t.out.Element(e)
	return on.at
}

// entitle says what a process or a thread is called, or where it stands.
func (t *tracer) entitle(on *thread, what string, says facts) {
	t.out.Element(traceEvent{Name: what, Phase: phaseName, Process: on.process, Thread: on.id, Facts: says})
}
