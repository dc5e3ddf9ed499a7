package otel

import (
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// span is a span that is over, or that of a run in progress. The SDK's own spans get their ids
// and times from a tracer; its stub takes those of the records.
type span struct{ tracetest.SpanStub }

// mostEvents is how many events a span keeps: OpenTelemetry's default limit.
const mostEvents = 128

func (s *span) add(key string, value any) {
	if text, is := value.(string); is && text == "" {
		return
	}
	s.Attributes = append(s.Attributes, fact(key, value))
}

func (s *span) fail(kind, message string) {
	s.Status = sdk.Status{Code: codes.Error, Description: valid(message)}
	s.add(keyError, kind)
}

// below makes the span a child of another in its trace; an invalid id means none.
func (s *span) below(id trace.SpanID) {
	s.Parent = trace.SpanContext{}
	if id.IsValid() {
		s.Parent = s.SpanContext.WithSpanID(id)
	}
}

// fact is an attribute: a string, []string, int64, bool or float64.
func fact(key string, value any) attribute.KeyValue {
	switch v := value.(type) {
	case string:
		return attribute.String(key, valid(v))
	case []string:
		return attribute.StringSlice(key, v)
	case bool:
		return attribute.Bool(key, v)
	case int64:
		return attribute.Int64(key, v)
	case float64:
		return attribute.Float64(key, v)
	default:
		panic(fmt.Sprintf("otel: attribute %s is a %T", key, value))
	}
}

// valid is a text for protobuf: one byte that is not UTF-8 would lose the whole batch.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// longest limits a text in an attribute, in bytes. A queue of 2048 spans with whole prompts
// would take hundreds of megabytes.
const longest = 16 << 10
