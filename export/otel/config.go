package otel

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Config is what the variables of OpenTelemetry ask for. It holds secrets: to show the address
// use To.
type Config struct {
	// Endpoint is where spans are sent; nil if nowhere.
	Endpoint *url.URL
	// Off says, in a few words, why nothing is sent.
	Off string
	// Warnings are lines about invalid values that are ignored.
	Warnings []string
	// Content: prompts, texts and the inputs of tools are sent too.
	Content bool

	headers  []pair
	gzip     bool
	timeout  time.Duration // of one request
	tls      *tls.Config   // nil: the system's
	resource []pair
	sampler  sdk.Sampler
	parent   trace.SpanContext // the span that Pawl was started in, such as a CI job's
	batching batching
}

// batching is how spans are collected before they are sent: OTEL_BSP_….
type batching struct {
	delay   time.Duration // from the first span until they are sent
	timeout time.Duration // for one batch, all attempts included
	most    int           // spans in the queue
	batch   int           // the most spans in a request
}

// On reports whether spans are sent.
func (c Config) On() bool { return c.Endpoint != nil }

// To is the address that spans are sent to, without parts that could hold a password.
func (c Config) To() string {
	if !c.On() {
		return ""
	}
	return (&url.URL{Scheme: c.Endpoint.Scheme, Host: c.Endpoint.Host, Path: c.Endpoint.Path}).String()
}

// The defaults of OpenTelemetry's specification.
const (
	localCollector = "http://localhost:4318"
	requestLimit   = 10 * time.Second
	batchDelay     = 5 * time.Second
	batchLimit     = 30 * time.Second
	queueSize      = 2048
	batchSize      = 512
)

// Read reads the variables. An empty one counts as not set. The error is one line that names the
// variable and what it accepts, and then nothing is sent; values that can be ignored are in
// Config.Warnings.
func Read(env func(string) string) (Config, error) {
	r := reader{env: env}
	if off := r.off(); off != "" || r.err != nil {
		return Config{Off: off}, r.err
	}
	r.endpoint()
	r.protocol()
	r.certificates()
	if r.err != nil {
		return Config{}, r.err
	}
	r.transport()
	r.c.resource = r.resource()
	var warning string
	r.c.sampler, warning = readSampler(env("OTEL_TRACES_SAMPLER"), env("OTEL_TRACES_SAMPLER_ARG"))
	r.warn(warning)
	var ok bool
	if r.c.parent, ok = readParent(env("TRACEPARENT"), env("TRACESTATE")); !ok {
		r.warn("TRACEPARENT is not valid W3C Trace Context: a new trace begins here")
	}
	r.c.batching = batching{
		delay:   r.milliseconds("OTEL_BSP_SCHEDULE_DELAY", batchDelay),
		timeout: r.milliseconds("OTEL_BSP_EXPORT_TIMEOUT", batchLimit),
		most:    r.count("OTEL_BSP_MAX_QUEUE_SIZE", queueSize),
		batch:   r.count("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", batchSize),
	}
	r.c.batching.batch = min(r.c.batching.batch, r.c.batching.most)
	r.c.Content = r.truth("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")
	return r.c, nil
}

// off says why nothing is to be sent: nobody asked for it, or telemetry is turned off.
func (r *reader) off() string {
	if r.truth("OTEL_SDK_DISABLED") {
		return "OTEL_SDK_DISABLED is true"
	}
	for name := range strings.SplitSeq(r.env("OTEL_TRACES_EXPORTER"), ",") {
		switch strings.TrimSpace(name) {
		case "otlp":
			return ""
		case "none":
			return "OTEL_TRACES_EXPORTER is none"
		case "":
		default:
			r.err = fmt.Errorf("OTEL_TRACES_EXPORTER=%q: Pawl supports only otlp and none", name)
			return ""
		}
	}
	if r.env("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && r.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return "OTEL_EXPORTER_OTLP_ENDPOINT names no collector"
	}
	return ""
}

// endpoint reads the address. That of traces is used as it is; that of all signals gets the path
// for traces.
func (r *reader) endpoint() {
	name, path := "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""
	if r.env(name) == "" {
		name, path = "OTEL_EXPORTER_OTLP_ENDPOINT", "v1/traces"
	}
	value := r.env(name)
	if value == "" {
		value = localCollector
	}
	to, err := url.Parse(value)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Hostname() == "" {
		r.err = fmt.Errorf("%s is not the address of a collector: write it like %s", name, localCollector) // not the value: a password may be in it
		return
	}
	if to.Path == "" {
		to.Path = "/"
	}
	if path != "" {
		to = to.JoinPath(path)
	}
	if to.Port() == "4317" {
		r.warn(name + " has port 4317, where collectors speak gRPC: OTLP over HTTP is at 4318")
	}
	r.c.Endpoint = to
}

func (r *reader) protocol() {
	name, value := r.either("PROTOCOL")
	if value != "" && value != "http/protobuf" && r.err == nil {
		r.err = fmt.Errorf("%s=%q: Pawl supports only http/protobuf", name, value)
	}
}

func (r *reader) resource() []pair {
	pairs, ok := readPairs(r.env("OTEL_RESOURCE_ATTRIBUTES"))
	if !ok {
		r.warn("OTEL_RESOURCE_ATTRIBUTES is not a list like team=x,env=y: it is ignored")
	}
	if name := r.env("OTEL_SERVICE_NAME"); name != "" {
		pairs = append(pairs, pair{"service.name", name}) // the last one of a name counts
	}
	return pairs
}

// readParent reads TRACEPARENT and TRACESTATE. ok is false if they are invalid, and true if they
// are not set.
func readParent(traceparent, tracestate string) (parent trace.SpanContext, ok bool) {
	variables := propagation.MapCarrier{"traceparent": strings.TrimSpace(traceparent), "tracestate": strings.TrimSpace(tracestate)}
	parent = trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), variables))
	return parent, traceparent == "" || parent.IsValid()
}
