package otel

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// sender carries batches from the queue to the collector. It is one goroutine.
type sender struct {
	config  Config
	version string
	client  *http.Client
	queue   *queue
	done    chan struct{}

	quiet time.Time // the collector wants nothing before
	lost  int       // spans that could not be sent
	told  bool      // the log has the first of it
}

// The pause between two attempts: it doubles from the first on.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

func newSender(c Config, version string, q *queue) *sender {
	c.resource = orElse(c.resource,
		pair{"service.name", "pawl"}, pair{"service.version", version},
		pair{"telemetry.sdk.name", "pawl"}, pair{"telemetry.sdk.language", "go"}, pair{"telemetry.sdk.version", version})
	s := &sender{config: c, version: version, queue: q, done: make(chan struct{})}
	s.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the headers are for this collector alone
	}}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		transport := standard.Clone()
		transport.TLSClientConfig = c.tls
		s.client.Transport = transport
	}
	return s
}

// work sends what comes until the queue is closed and empty. When ctx ends nothing is sent
// any more.
func (s *sender) work(ctx context.Context) {
	defer close(s.done)
	defer s.client.CloseIdleConnections()
	for closing := false; !closing; {
		closing = s.queue.due()
		for n := s.queue.size(); n > 0; {
			batch := s.queue.take()
			n -= len(batch)
			s.deliver(ctx, batch)
		}
	}
	if lost := s.lost + s.queue.left(); lost > 0 {
		slog.Warn("telemetry: not all could be sent", "to", s.config.To(), "spans_lost", lost)
	}
}

// deliver posts a batch, again where the collector may take it later, and loses it where
// that would take too long.
func (s *sender) deliver(ctx context.Context, batch []span) {
	ctx, cancel := within(ctx, s.queue.timeout)
	defer cancel()
	body := s.pack(encode(s.config.resource, s.version, batch))
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier, pauses.MaxInterval = firstPause, 2, longestPause
	for {
		further := s.pause(ctx)
		f := s.post(ctx, body)
		if f == nil {
			return
		}
		s.quiet = time.Now().Add(max(f.after, pauses.NextBackOff()))
		if deadline, bounded := ctx.Deadline(); !further || !f.passing || bounded && s.quiet.After(deadline) {
			s.lose(len(batch), f.err)
			return
		}
	}
}

// pause waits until the collector may be asked, and says whether a further attempt may
// follow the next: once the queue is closed nothing is waited for, and the next is the last.
func (s *sender) pause(ctx context.Context) bool {
	timer := time.NewTimer(max(0, time.Until(s.quiet)))
	defer timer.Stop()
	select {
	case <-s.queue.closing:
		return false
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// lose counts spans that nobody will see. The log is told of the first.
func (s *sender) lose(spans int, err error) {
	s.lost += spans
	if !s.told {
		s.told = true
		slog.Warn("telemetry: spans cannot be sent", "to", s.config.To(), "error", err)
	}
}

// failure is why a request brought nothing.
type failure struct {
	err     error
	passing bool          // it may go better later
	after   time.Duration // not before
}

// post makes one request.
func (s *sender) post(ctx context.Context, body []byte) *failure {
	ctx, cancel := within(ctx, s.config.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.config.Endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return &failure{err: err}
	}
	request.Header.Set("User-Agent", "pawl/"+s.version)
	for _, h := range s.config.headers {
		request.Header.Set(h.key, h.value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	if s.config.gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := s.client.Do(request)
	if err != nil {
		var about *url.Error // it has the whole address, and there may be a key in that
		if errors.As(err, &about) {
			err = about.Err
		}
		return &failure{err: err, passing: true}
	}
	defer response.Body.Close()
	const enough = 64 << 10
	answer, _ := io.ReadAll(io.LimitReader(response.Body, enough)) // one that is cut says less
	if response.StatusCode/100 == 2 {
		if spans, why := refused(answer); spans > 0 {
			s.lose(int(spans), fmt.Errorf("the collector does not take %d of them: %s", spans, why))
		}
		return nil
	}
	f := &failure{err: fmt.Errorf("the collector answers %s", response.Status)}
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f.passing, f.after = true, retryAfter(response.Header.Get("Retry-After"))
	}
	return f
}

// pack compresses a body where that is wanted.
func (s *sender) pack(body []byte) []byte {
	if !s.config.gzip {
		return body
	}
	var packed bytes.Buffer // which takes everything
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(body)
	_ = w.Close()
	return packed.Bytes()
}

// retryAfter reads that header: seconds, or a date.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// within bounds a context; zero is no bound.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
