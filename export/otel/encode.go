package otel

import (
	"fmt"
	"math"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages of OTLP 1.3 (opentelemetry-proto, trace/v1/trace.proto and what it needs), as
// far as Pawl fills them. Numbers beside fields are theirs.

// encode is an ExportTraceServiceRequest: these spans of one resource.
func encode(resource []pair, version string, spans []span) []byte {
	var who []byte
	for _, p := range resource {
		who = message(who, 1, encodeAttribute(attribute{p.key, p.value}))
	}
	scope := text(text(nil, 1, "pawl"), 2, version)
	inner := message(nil, 1, scope)
	for _, s := range spans {
		inner = message(inner, 2, encodeSpan(s))
	}
	inner = text(inner, 3, schemaURL)
	return message(nil, 1, text(message(message(nil, 1, who), 2, inner), 3, schemaURL)) // resource_spans, its resource and scope_spans
}

func encodeSpan(s span) []byte {
	b := message(nil, 1, s.trace[:])
	b = message(b, 2, s.span[:])
	b = text(b, 3, s.state)
	if s.parent != (spanID{}) {
		b = message(b, 4, s.parent[:])
	}
	b = text(b, 5, s.name)
	b = number(b, 6, uint64(s.kind))
	b = moment(b, 7, s.from)
	b = moment(b, 8, s.to)
	for _, a := range s.attributes {
		b = message(b, 9, encodeAttribute(a))
	}
	for _, e := range s.events {
		b = message(b, 11, encodeEvent(e))
	}
	b = number(b, 12, uint64(s.forgotten))
	for _, l := range s.links {
		b = message(b, 13, encodeLink(l))
	}
	if s.failed != "" {
		const statusError = 2
		b = message(b, 15, number(text(nil, 2, s.message), 3, statusError))
	}
	return b
}

func encodeEvent(e event) []byte {
	b := text(moment(nil, 1, e.time), 2, e.name)
	for _, a := range e.attributes {
		b = message(b, 3, encodeAttribute(a))
	}
	return b
}

func encodeLink(l link) []byte {
	b := message(message(nil, 1, l.trace[:]), 2, l.span[:])
	for _, a := range l.attributes {
		b = message(b, 4, encodeAttribute(a))
	}
	return b
}

// encodeAttribute is a KeyValue with its AnyValue, where an empty value is one too.
func encodeAttribute(a attribute) []byte {
	var value []byte
	switch v := a.value.(type) {
	case string:
		value = protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), valid(v))
	case bool:
		value = protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), protowire.EncodeBool(v))
	case int64:
		value = protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), uint64(v))
	case []string:
		var values []byte
		for _, one := range v {
			values = message(values, 1, protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), valid(one)))
		}
		value = message(nil, 5, values)
	case float64:
		value = protowire.AppendFixed64(protowire.AppendTag(nil, 4, protowire.Fixed64Type), math.Float64bits(v))
	default:
		panic(fmt.Sprintf("otel: attribute %s is a %T", a.key, a.value))
	}
	return message(text(nil, 1, a.key), 2, value)
}

// message appends a field that is a message, or bytes.
func message(b []byte, field protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), body)
}

// text appends a string, unless it is empty.
func text(b []byte, field protowire.Number, value string) []byte {
	if value == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), valid(value))
}

// valid is a text as protobuf takes it: a byte that is no UTF-8 would cost the whole batch.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// number appends a number, unless it is zero.
func number(b []byte, field protowire.Number, value uint64) []byte {
	if value == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), value)
}

// moment appends a time in nanoseconds since 1970.
func moment(b []byte, field protowire.Number, at time.Time) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), uint64(at.UnixNano()))
}
