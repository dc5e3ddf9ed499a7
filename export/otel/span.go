package otel

import (
	"strings"
	"time"
)

type (
	traceID [16]byte
	spanID  [8]byte
)

// at is a span's place: what links and children point to.
type at struct {
	trace traceID
	span  spanID
}

// span is one that is over. It is never changed once it is in the queue.
type span struct {
	at
	parent     spanID // zero: it begins the trace
	state      string // the tracestate of who began the trace
	name       string
	kind       kind
	from, to   time.Time
	attributes []attribute
	events     []event
	forgotten  int // events beyond mostEvents
	links      []link
	failed     string // the error.type; empty: it did not fail
	message    string // of the failure
}

// kind is OTLP's number for who a span is about.
type kind uint64

const (
	kindInternal kind = 1
	kindClient   kind = 3 // it asks another process
)

// attribute is a fact: a string, int64, bool or float64.
type attribute struct {
	key   string
	value any
}

type event struct {
	name       string
	time       time.Time
	attributes []attribute
}

type link struct {
	at
	attributes []attribute
}

// mostEvents is how many events a span keeps: the default of OpenTelemetry's own limit.
const mostEvents = 128

func (s *span) add(key string, value any) {
	if text, is := value.(string); is && text == "" {
		return
	}
	s.attributes = append(s.attributes, attribute{key, value})
}

// fail marks the span as failed.
func (s *span) fail(kind, message string) {
	s.failed, s.message = kind, message
	s.add(keyError, kind)
}

// longest is how long a text in an attribute may be, in bytes. A queue of 2048 spans of
// whole prompts would be hundreds of megabytes.
const longest = 16 << 10

func bounded(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}
