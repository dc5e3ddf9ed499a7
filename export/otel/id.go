package otel

import (
	"crypto/sha256"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"pawl/lifecycle"
)

// Ids are hashes of what they stand for. The bytes of a run's own id would do for a trace
// but for samplers, which take the last eight of them for random: those of a UUID are not,
// all of them.

func traceOf(run lifecycle.RunID) (id trace.TraceID) {
	copy(id[:], hashed("trace", string(run)))
	return id
}

func spanOfRun(run lifecycle.RunID) trace.SpanID { return spanOf("run", string(run)) }

// spanOfCall is the span of a tool call: what it starts stands below it.
func spanOfCall(run lifecycle.RunID, call lifecycle.CallID) trace.SpanID {
	return spanOf("call", string(run), string(call))
}

// spanOfStretch is the span of anything else that a run did, from this record on. Its time
// would not do: two that a coarse clock lets begin at once are not one.
func spanOfStretch(kind lifecycle.SpanKind, run lifecycle.RunID, from lifecycle.Seq) trace.SpanID {
	return spanOf(string(kind), string(run), strconv.FormatInt(int64(from), 10))
}

func spanOf(parts ...string) (id trace.SpanID) {
	copy(id[:], hashed(parts...))
	return id
}

// hashed is of all parts, none of which runs into the next.
func hashed(parts ...string) []byte {
	var all []byte
	for _, part := range parts {
		all = append(strconv.AppendInt(all, int64(len(part)), 10), ':')
		all = append(all, part...)
	}
	sum := sha256.Sum256(all)
	return sum[:]
}
