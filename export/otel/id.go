package otel

import (
	"crypto/sha256"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"pawl/lifecycle"
)

// Ids are hashes of what they identify. A run's own id would do as a trace id, except that
// samplers take the last eight bytes for random, and those of a UUID are not entirely.

func traceOf(run lifecycle.RunID) (id trace.TraceID) {
	copy(id[:], hashed("trace", string(run)))
	return id
}

func spanOfRun(run lifecycle.RunID) trace.SpanID { return spanOf("run", string(run)) }

// spanOfCall is the span of a tool call, the parent of what it starts.
func spanOfCall(run lifecycle.RunID, call lifecycle.CallID) trace.SpanID {
	return spanOf("call", string(run), string(call))
}

// spanOfStretch is the span of anything else that a run did, identified by its first record. Its
// time would not do: with a coarse clock two can begin at the same time.
func spanOfStretch(kind lifecycle.SpanKind, run lifecycle.RunID, from lifecycle.Seq) trace.SpanID {
	return spanOf(string(kind), string(run), strconv.FormatInt(int64(from), 10))
}

func spanOf(parts ...string) (id trace.SpanID) {
	copy(id[:], hashed(parts...))
	return id
}

func hashed(parts ...string) []byte {
	var all []byte
	for _, part := range parts {
		all = append(strconv.AppendInt(all, int64(len(part)), 10), ':')
		all = append(all, part...)
	}
	sum := sha256.Sum256(all)
	return sum[:]
}
