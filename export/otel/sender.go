package otel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// sender passes spans to OpenTelemetry's batch processor. It also sits on both sides of the
// exporter, for what that does not promise: a session's end waits for no retry, spans that do
// not arrive are counted, and nothing is printed.
//
//	add ─► sdk.SpanProcessor ─► ExportSpans ─► otlptrace.Exporter ─► RoundTrip ─► transport
//
// The processor calls ExportSpans, and that RoundTrip, on one goroutine.
type sender struct {
	config    Config
	batches   sdk.SpanProcessor
	exporter  *otlptrace.Exporter
	transport http.RoundTripper

	open    context.Context // done when the last span is in the queue
	life    context.Context // done when nothing more is to be sent
	closing context.CancelFunc
	giveUp  context.CancelFunc

	added int // spans that add was called with

	arrived int
	told    bool      // the first failure was logged
	quiet   time.Time // no requests before this time
	status  int       // status of the last answer; 0: none came
	again   context.CancelCauseFunc
	unwatch func() bool // stops waiting for the end of open
}

// The pause between two attempts grows from the first to the longest.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// shortestDelay is the minimum of OTEL_BSP_SCHEDULE_DELAY: at 0 the processor's timer would fire
// all the time.
const shortestDelay = 100 * time.Millisecond

func newSender(c Config, version string) *sender {
	// The libraries print to standard error, values of variables too, which may be secrets.
	// Invalid values are in Config.Warnings, and ExportSpans reports failures.
	otel.SetLogger(logr.Discard())
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("telemetry", "error", err) }))

	s := &sender{config: c, transport: newTransport(c), unwatch: func() bool { return true }}
	s.open, s.closing = context.WithCancel(context.Background())
	s.life, s.giveUp = context.WithCancel(context.Background())
	headers := map[string]string{"User-Agent": "pawl/" + version}
	for _, h := range c.headers {
		headers[http.CanonicalHeaderKey(h.key)] = h.value
	}
	compression := otlptracehttp.NoCompression
	if c.gzip {
		compression = otlptracehttp.GzipCompression
	}
	s.exporter = otlptracehttp.NewUnstarted( // Start would do nothing but measure the exporter itself
		otlptracehttp.WithEndpointURL(c.To()), otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf),
		otlptracehttp.WithHeaders(headers), otlptracehttp.WithCompression(compression),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: firstPause, MaxInterval: longestPause, MaxElapsedTime: c.batching.timeout,
		}),
		otlptracehttp.WithHTTPClient(&http.Client{
			Transport: s, Timeout: c.timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse // the headers are for this collector only
			},
		}))
	s.batches = sdk.NewBatchSpanProcessor(s,
		sdk.WithMaxQueueSize(c.batching.most), sdk.WithMaxExportBatchSize(c.batching.batch),
		sdk.WithBatchTimeout(max(c.batching.delay, shortestDelay)), sdk.WithExportTimeout(c.batching.timeout))
	return s
}

func newTransport(c Config) http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	transport := standard.Clone()
	transport.TLSClientConfig = c.tls
	return transport
}

// add queues a span or drops it: it never blocks.
func (s *sender) add(one span) {
	s.added++
	s.batches.OnEnd(one.Snapshot())
}

// close sends what is left, with one more attempt for each batch, until ctx ends. Afterwards
// nothing of the sender runs.
func (s *sender) close(ctx context.Context) {
	defer s.giveUp()
	s.closing()
	defer context.AfterFunc(ctx, s.giveUp)()
	if err := s.batches.Shutdown(context.Background()); err != nil {
		slog.Warn("telemetry: end", "error", err)
	}
	(&http.Client{Transport: s.transport}).CloseIdleConnections()
	if lost := s.lost(); lost > 0 {
		slog.Warn("telemetry: not all could be sent", "to", s.config.To(), "spans_lost", lost)
	}
}

// lost is how many spans did not arrive, valid after close.
func (s *sender) lost() int { return s.added - s.arrived }

// errAgain ends a pause between two attempts: there is time for one more attempt, but not for
// waiting.
var errAgain = errors.New("the session ends")

// ExportSpans sends a batch. It logs failures itself.
func (s *sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	s.pause(ctx)
	s.status = 0
	err := s.attempts(ctx, spans)
	if errors.Is(err, errAgain) {
		err = s.attempts(ctx, spans)
	}
	if s.status/100 == 2 {
		s.arrived += len(spans)
	}
	if err != nil && !s.told {
		s.told = true
		slog.Warn("telemetry: spans cannot be sent", "to", s.config.To(), "error", s.reason(err))
	}
	return nil
}

// Shutdown does nothing: the exporter was never started.
func (s *sender) Shutdown(context.Context) error { return nil }

// attempts sends a batch until it arrives, fails for good, or the session ends.
func (s *sender) attempts(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, again := context.WithCancelCause(ctx)
	defer again(nil)
	s.again = again
	defer func() { s.unwatch() }()
	err := s.exporter.ExportSpans(ctx, spans)
	if err != nil && errors.Is(context.Cause(ctx), errAgain) {
		return errAgain
	}
	return err
}

// pause waits until the collector accepts requests again, unless the session ends.
func (s *sender) pause(ctx context.Context) {
	timer := time.NewTimer(time.Until(s.quiet))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.open.Done():
	case <-ctx.Done():
	}
}

// RoundTrip makes one request of the exporter.
func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	s.unwatch()
	last := s.open.Err() != nil
	s.status = 0
	response, err := s.transport.RoundTrip(s.addressed(r))
	if err == nil {
		s.status = response.StatusCode
		s.quiet = time.Now().Add(retryAfter(response.Header.Get("Retry-After")))
	}
	switch {
	case s.status/100 == 2:
	case last:
		s.again(nil)
	default:
		again := s.again
		s.unwatch = context.AfterFunc(s.open, func() { again(errAgain) })
	}
	if err != nil {
		return nil, passing{err}
	}
	return response, nil
}

// addressed is a request to the whole endpoint: the exporter omits its query and user.
func (s *sender) addressed(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.URL = s.config.Endpoint
	if user := r.URL.User; user != nil && r.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		r.SetBasicAuth(user.Username(), password)
	}
	return r
}

// passing is a failure of the connection. The exporter retries only after errors that say that
// they are temporary, and those of a collector that is restarting do not.
type passing struct{ error }

// Temporary makes the exporter retry.
func (passing) Temporary() bool { return true }

func (p passing) Unwrap() error { return p.error }

// reason is why a batch did not arrive, without the address, which may hold a key.
func (s *sender) reason(err error) error {
	if s.status != 0 && s.status/100 != 2 {
		return fmt.Errorf("the collector answers %d %s", s.status, http.StatusText(s.status))
	}
	if about, is := errors.AsType[*url.Error](err); is {
		return about.Err
	}
	return err
}

func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
