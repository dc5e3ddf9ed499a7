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

// span is one that is over, or that of a run under way. The SDK's own spans take their ids
// and times from a tracer; its stub takes those of the records.
type span struct{ tracetest.SpanStub }

// mostEvents is how many events a span keeps: the default of OpenTelemetry's own limit.
const mostEvents = 128

func (s *span) add(key string, value any) {
	if text, is := value.(string); is && text == "" {
		return
	}
	s.Attributes = append(s.Attributes, fact(key, value))
}

// fail marks the span as failed.
func (s *span) fail(kind, message string) {
	s.Status = sdk.Status{Code: codes.Error, Description: valid(message)}
	s.add(keyError, kind)
}

// below puts the span below another of its trace; an id of zero is none.
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

// valid is a text as protobuf takes it: a byte that is not UTF-8 would cost the whole batch.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// longest is how long a text in an attribute may be, in bytes. A queue of 2048 spans of
// whole prompts would be hundreds of megabytes.
const longest = 16 << 10
