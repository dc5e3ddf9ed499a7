// Package oteltest is a collector of traces on loopback, for tests. It reads what it gets
// with OpenTelemetry's own definition of it, not with Pawl's.
package oteltest

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector keeps the spans that it is sent, until the test ends.
type Collector struct {
	*httptest.Server
	// Answer answers instead, and says so; nil never does. n counts requests from 1 on.
	Answer func(n int, w http.ResponseWriter) bool

	mu       sync.Mutex
	requests []*http.Request
	spans    []Span
	faults   []string
}

// New is a collector that has not started yet.
func New(t testing.TB) *Collector {
	c := &Collector{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(c.serve))
	t.Cleanup(func() {
		c.CloseClientConnections()
		c.Close()
		for _, fault := range c.faults {
			t.Error("collector: " + fault)
		}
	})
	return c
}

// Listen is one that has.
func Listen(t testing.TB) *Collector {
	c := New(t)
	c.Start()
	return c
}

func (c *Collector) serve(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.requests = append(c.requests, r)
	n := len(c.requests)
	c.mu.Unlock()
	spans, fault := read(r)
	if c.Answer != nil && c.Answer(n, w) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if fault != "" {
		c.faults = append(c.faults, fault)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.spans = append(c.spans, spans...)
}

// Spans are those that came, in order.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Span(nil), c.spans...)
}

// Requests are those that came, whatever the answer.
func (c *Collector) Requests() []*http.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*http.Request(nil), c.requests...)
}

func read(r *http.Request) (spans []Span, fault string) {
	body := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, err.Error()
		}
		body = unpacked
	}
	text, err := io.ReadAll(body)
	var all trace.TracesData // has the fields of a request to a collector
	if err == nil {
		err = proto.Unmarshal(text, &all)
	}
	switch {
	case err != nil:
		return nil, err.Error()
	case r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-protobuf":
		return nil, r.Method + " of " + r.Header.Get("Content-Type")
	}
	for _, of := range all.ResourceSpans {
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				one := spanOf(s, facts(of.Resource.Attributes))
				one.Schema = scope.SchemaUrl
				spans = append(spans, one)
			}
		}
	}
	return spans, ""
}

// Span is one as a collector sees it.
type Span struct {
	Trace, ID, Parent, State string
	Name                     string
	Kind                     string
	From, To                 time.Time
	Facts, Resource          map[string]any
	Schema                   string
	Events                   []Event
	Forgotten                int
	Links                    []Link
	Failed                   bool
	Message                  string
}

// Event is a moment on a span.
type Event struct {
	Name  string
	Time  time.Time
	Facts map[string]any
}

// Link leads to another span.
type Link struct {
	Trace, ID string
	Facts     map[string]any
}

func spanOf(s *trace.Span, resource map[string]any) Span {
	one := Span{
		Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId), Parent: hex.EncodeToString(s.ParentSpanId), State: s.TraceState,
		Name: s.Name, Kind: s.Kind.String(), From: when(s.StartTimeUnixNano), To: when(s.EndTimeUnixNano),
		Facts: facts(s.Attributes), Resource: resource, Forgotten: int(s.DroppedEventsCount),
		Failed: s.Status.GetCode() == trace.Status_STATUS_CODE_ERROR, Message: s.Status.GetMessage(),
	}
	for _, e := range s.Events {
		one.Events = append(one.Events, Event{e.Name, when(e.TimeUnixNano), facts(e.Attributes)})
	}
	for _, l := range s.Links {
		one.Links = append(one.Links, Link{hex.EncodeToString(l.TraceId), hex.EncodeToString(l.SpanId), facts(l.Attributes)})
	}
	return one
}

func when(nano uint64) time.Time { return time.Unix(0, int64(nano)).UTC() }

func facts(list []*common.KeyValue) map[string]any {
	all := map[string]any{}
	for _, a := range list {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			all[a.Key] = v.StringValue
		case *common.AnyValue_BoolValue:
			all[a.Key] = v.BoolValue
		case *common.AnyValue_IntValue:
			all[a.Key] = v.IntValue
		case *common.AnyValue_DoubleValue:
			all[a.Key] = v.DoubleValue
		case *common.AnyValue_ArrayValue: // of texts
			var texts []string
			for _, one := range v.ArrayValue.Values {
				texts = append(texts, one.GetStringValue())
			}
			all[a.Key] = texts
		}
	}
	return all
}
