package trace

import (
	"math"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// traceEvent is one event of the format, with the field names and order that readers expect.
type traceEvent struct {
	Name     string `json:"name,omitempty"`
	Category string `json:"cat,omitempty"`
	Phase    string `json:"ph"`
	At       int64  `json:"ts"`
	Process  int    `json:"pid"`
	Thread   int    `json:"tid"`
	Arrow    int    `json:"id,omitempty"` // of both ends of an arrow
	Bind     string `json:"bp,omitempty"`
	Scope    string `json:"s,omitempty"`
	Facts    facts  `json:"args,omitempty"`
}

// The phases used here. Slices are written as begins and ends, as they come: complete events
// would have to wait for the slice they are in, or be nested by guessing.
const (
	phaseBegin   = "B" // of a slice, inside the one that is open on its thread
	phaseEnd     = "E" // of the innermost open slice on its thread
	phaseInstant = "i"
	phaseCounter = "C"
	phaseFrom    = "s" // start of an arrow, at the innermost open slice
	phaseTo      = "f" // end of an arrow
	phaseName    = "M" // name of a process or a thread
)

// Fixed values of two fields.
const (
	bindEnclosing = "e" // an arrow ends at the open slice, not at the next one
	scopeThread   = "t" // an instant belongs to its thread
)

// facts are the details that a reader shows of an event. Texts in them are clean.
type facts map[string]any

func (f facts) withoutEmpty() facts {
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
	}.withoutEmpty()
}

// dollarsOnly rounds a sum of prices to a millionth: such sums are not exact.
func dollarsOnly(cost float64) float64 { return math.Round(cost*1e6) / 1e6 }

// line is foreign text on one line, cleaned, masked and cut.
func (t *tracer) line(s string) string { return words.CutLine(t.Readable(s), book.LongLine) }

func (t *tracer) label(parts ...string) string {
	return words.CutLine(t.Readable(book.Joined(parts...)), book.LongCell)
}

// put writes an event on a thread and returns its time. No two events of a thread get the same
// time: readers would reorder them, ends first.
func (t *tracer) put(on *thread, e traceEvent) int64 {
	on.at = max(on.at+1, t.at)
	e.At, e.Process, e.Thread = on.at, on.process, on.id
	t.out.Element(e)
	return on.at
}

// writeMetadata names a process or a thread, or says how it is sorted.
func (t *tracer) writeMetadata(on *thread, what string, says facts) {
	t.out.Element(traceEvent{Name: what, Phase: phaseName, Process: on.process, Thread: on.id, Facts: says})
}
