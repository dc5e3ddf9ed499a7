package otel

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	service "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	collector "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"pawl/export/oteltest"
	"pawl/lifecycle"
)

// scripted answers one request after the other, the last answer for all that follow, and
// keeps when each came.
type scripted struct {
	answers []answer
	came    []time.Time
	spans   []int
}

type answer struct {
	status int // 0: the connection breaks
	after  string
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var all collector.TracesData
	if err := proto.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	now := s.answers[min(len(s.came), len(s.answers)-1)]
	s.came = append(s.came, time.Now())
	s.spans = append(s.spans, len(all.ResourceSpans[0].ScopeSpans[0].Spans))
	if now.status == 0 {
		return nil, errors.New("connection refused")
	}
	return &http.Response{
		StatusCode: now.status, Status: http.StatusText(now.status), Header: http.Header{"Retry-After": {now.after}}, Body: http.NoBody, Request: r,
	}, nil
}

// scriptedSender is one at work.
func scriptedSender(t *testing.T, by *scripted) *sender {
	t.Helper()
	logged(t)
	config, err := Read(environment(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector"}))
	require.NoError(t, err)
	s := newSender(config, "1")
	s.transport = by
	return s
}

// pass lets the bubble's time go by.
func pass(d time.Duration) { <-time.After(d) }

// sampled is a span that is to be sent.
func sampled(name string) span {
	id := traceOf(lifecycle.RunID(name))
	return span{tracetest.SpanStub{Name: name, SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: id, SpanID: spanOfRun(lifecycle.RunID(name)), TraceFlags: trace.FlagsSampled,
	})}}
}

func TestABatchIsSentAgainWhereThatHelps(t *testing.T) {
	backsOff := [2]time.Duration{500 * time.Millisecond, 1500 * time.Millisecond}
	for name, c := range map[string]struct {
		answers []answer
		waits   [][2]time.Duration // between two requests, at least and at most
		lost    int
	}{
		"taken":                  {[]answer{{200, ""}}, nil, 0},
		"not well formed":        {[]answer{{400, ""}}, nil, 1},
		"no such path":           {[]answer{{404, "1"}}, nil, 1},
		"an error of its own":    {[]answer{{500, ""}}, nil, 1},
		"a redirect":             {[]answer{{302, ""}}, nil, 1},
		"throttled":              {[]answer{{429, ""}, {200, ""}}, [][2]time.Duration{backsOff}, 0},
		"a bad gateway":          {[]answer{{502, ""}, {200, ""}}, [][2]time.Duration{backsOff}, 0},
		"unavailable":            {[]answer{{503, ""}, {200, ""}}, [][2]time.Duration{backsOff}, 0},
		"a gateway that waited":  {[]answer{{504, ""}, {200, ""}}, [][2]time.Duration{backsOff}, 0},
		"nobody there":           {[]answer{{0, ""}, {200, ""}}, [][2]time.Duration{backsOff}, 0},
		"asked to wait":          {[]answer{{503, "7"}, {429, "9"}, {200, ""}}, [][2]time.Duration{{7 * time.Second, 7 * time.Second}, {9 * time.Second, 9 * time.Second}}, 0},
		"asked to wait too long": {[]answer{{503, "60"}, {200, ""}}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				by := &scripted{answers: c.answers}
				s := scriptedSender(t, by)
				s.add(sampled("a"))
				pass(time.Minute)
				synctest.Wait()
				require.Len(t, by.came, len(c.waits)+1)
				for i, wait := range c.waits {
					took := by.came[i+1].Sub(by.came[i])
					require.GreaterOrEqual(t, took, wait[0])
					require.LessOrEqual(t, took, wait[1])
				}
				s.close(t.Context())
				require.Equal(t, c.lost, s.lost())
			})
		})
	}
}

func TestACollectorIsLeftAloneForAsLongAsItAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		by := &scripted{answers: []answer{{503, "40"}, {200, ""}}}
		s := scriptedSender(t, by)
		s.add(sampled("lost"))
		pass(20 * time.Second)
		s.add(sampled("later"))
		pass(time.Minute)
		synctest.Wait()
		require.Len(t, by.came, 2)
		require.Equal(t, 40*time.Second, by.came[1].Sub(by.came[0]))
		s.close(t.Context())
		require.Equal(t, 1, s.lost())
	})
}

func TestABatchThatNobodyTakesIsGivenUpInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		by := &scripted{answers: []answer{{0, ""}}}
		s := scriptedSender(t, by)
		s.add(sampled("a"))
		pass(batchDelay + batchLimit)
		synctest.Wait()
		tries := len(by.came)
		require.Greater(t, tries, 2)
		pass(time.Hour)
		s.close(t.Context())
		require.Len(t, by.came, tries)
		require.Equal(t, 1, s.lost())
	})
}

func TestSpansAreGatheredBeforeTheyAreSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		by := &scripted{answers: []answer{{200, ""}}}
		s := scriptedSender(t, by)
		began := time.Now()
		s.add(sampled("a"))
		pass(time.Second)
		s.add(sampled("b"))
		pass(time.Hour)
		for range batchSize + 1 {
			s.add(sampled("c"))
		}
		synctest.Wait()
		require.Equal(t, []int{2, batchSize}, by.spans)
		require.Equal(t, batchDelay, by.came[0].Sub(began))
		require.Equal(t, time.Hour+time.Second, by.came[1].Sub(began))
		pass(batchDelay)
		synctest.Wait()
		s.add(sampled("the last"))
		s.close(t.Context())
		require.Equal(t, []int{2, batchSize, 1, 1}, by.spans)
	})
}

// A collector that is being restarted gets what waits for it, once more and at once.
func TestTheEndOfASessionWaitsForNoRetry(t *testing.T) {
	for name, c := range map[string]struct {
		answers []answer
		lost    int
	}{
		"back again": {[]answer{{503, "25"}, {200, ""}}, 0}, "still away": {[]answer{{0, ""}}, 2}, "still busy": {[]answer{{503, "25"}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				by := &scripted{answers: c.answers}
				s := scriptedSender(t, by)
				s.add(sampled("a"))
				pass(batchDelay)
				synctest.Wait()
				s.add(sampled("b"))
				ends := time.Now()
				s.close(t.Context())
				require.Equal(t, ends, time.Now(), "nothing is waited for")
				require.Equal(t, []int{1, 1, 1}, by.spans)
				require.Equal(t, c.lost, s.lost())
			})
		})
	}
}

// logged gives what the log is told while a test runs.
func logged(t *testing.T) *bytes.Buffer {
	var text bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &text
}

func TestNobodyWaitsForACollectorThatIsSilent(t *testing.T) {
	text := logged(t)
	c := oteltest.New(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) }) // before the collector closes
	c.Answer = func(int, http.ResponseWriter) bool { <-release; return true }
	c.Start()
	const limit = 10 * time.Minute // of a request, which nobody waits for
	live := Start(optionsFor(t, c, map[string]string{"OTEL_BSP_SCHEDULE_DELAY": "0", "OTEL_EXPORTER_OTLP_TIMEOUT": "600000", "OTEL_BSP_EXPORT_TIMEOUT": "600000"}))
	s := &story{}
	for n := range queueSize { // two spans a run
		s.parentRun(runNumber(n)).add("root", runNumber(n), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "x"})
	}
	began := time.Now()
	live.Note(s.records) // it would never come back if it waited
	require.Less(t, time.Since(began), limit)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	live.Close(ctx)
	require.Less(t, time.Since(began), limit)
	require.Equal(t, 1, strings.Count(text.String(), "spans cannot be sent"), text)
	require.Contains(t, text.String(), "spans_lost=4096")
}

func TestACollectorThatIsNotThereDelaysNothing(t *testing.T) {
	text := logged(t)
	c := oteltest.Listen(t)
	o := optionsFor(t, c, nil)
	c.Close()
	began := time.Now()
	tell(t, o, delegation()) // which gives a minute
	require.Less(t, time.Since(began), 10*time.Second)
	require.Contains(t, text.String(), `connect: connection refused"`)
	require.NotContains(t, text.String(), "Post", "an address may have a key in it")
	require.Contains(t, text.String(), "spans_lost=12")
}

func TestWhatACollectorDoesNotTakeIsSaidAndNotSentAgain(t *testing.T) {
	text := logged(t)
	c := oteltest.New(t)
	c.Answer = func(_ int, w http.ResponseWriter) bool {
		partial, err := proto.Marshal(&service.ExportTraceServiceResponse{
			PartialSuccess: &service.ExportTracePartialSuccess{RejectedSpans: 3, ErrorMessage: "too old"},
		})
		w.Header().Set("Content-Type", "application/x-protobuf")
		_, wrong := w.Write(partial)
		return err == nil && wrong == nil
	}
	c.Start()
	tell(t, optionsFor(t, c, nil), delegation())
	require.Len(t, c.Requests(), 1)
	require.Contains(t, text.String(), "too old (3 spans rejected)")
}

func TestAnAnswerThatMeansNothingLosesNothing(t *testing.T) {
	for _, body := range []string{"", "{}", "<html>", "\x0a\xff\xff\xff\xff", "\x09\x01"} {
		text := logged(t)
		c := oteltest.New(t)
		c.Answer = func(_ int, w http.ResponseWriter) bool {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, err := w.Write([]byte(body))
			return err == nil
		}
		c.Start()
		tell(t, optionsFor(t, c, nil), delegation())
		require.Len(t, c.Requests(), 1, "%q", body)
		require.NotContains(t, text.String(), "spans_lost", "%q", body)
	}
}

// The exporter itself leaves out both.
func TestAnAddressIsAskedWithItsUserAndItsQuery(t *testing.T) {
	c := oteltest.Listen(t)
	own := strings.Replace(c.URL, "http://", "http://ada:pass@", 1) + "/x%2Fy?key=secret"
	tell(t, optionsFor(t, c, map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": own}), delegation())
	require.Len(t, c.Requests(), 1)
	r := c.Requests()[0]
	require.Equal(t, "/x%2Fy?key=secret", r.RequestURI)
	user, password, _ := r.BasicAuth()
	require.Equal(t, []string{"ada", "pass"}, []string{user, password})
}

func TestRequestsAreMadeAsTheVariablesSay(t *testing.T) {
	c := oteltest.New(t)
	c.StartTLS()
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate().Raw}), 0o600))
	tell(t, optionsFor(t, c, map[string]string{
		"OTEL_EXPORTER_OTLP_CERTIFICATE": file, "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20abc,x-team=x",
		"OTEL_SERVICE_NAME": "mine", "OTEL_RESOURCE_ATTRIBUTES": "env=y",
	}), delegation())
	require.Len(t, c.Requests(), 1)
	r := c.Requests()[0]
	require.Equal(t, "/v1/traces", r.URL.Path)
	require.Equal(t, "Basic abc", r.Header.Get("Authorization"))
	require.Equal(t, "x", r.Header.Get("X-Team"))
	require.Equal(t, "gzip", r.Header.Get("Content-Encoding"))
	require.Equal(t, "pawl/1.2.3", r.Header.Get("User-Agent"))
	require.Len(t, c.Spans(), 12)
	require.Equal(t, "mine", c.Spans()[0].Resource["service.name"])
	require.Equal(t, "y", c.Spans()[0].Resource["env"])
}

func TestNoHeaderFollowsARedirect(t *testing.T) {
	logged(t)
	other, c := oteltest.Listen(t), oteltest.New(t)
	c.Answer = func(_ int, w http.ResponseWriter) bool {
		w.Header().Set("Location", other.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	c.Start()
	tell(t, optionsFor(t, c, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "x-key=secret"}), delegation())
	require.Len(t, c.Requests(), 1)
	require.Empty(t, other.Requests())
}

// A byte that is no UTF-8 would cost a whole batch.
func TestTextsThatAreNoUnicodeArrive(t *testing.T) {
	s := (&story{}).parentRun("p1").add("root", "p1", asked(1, 1), lifecycle.ToolStarted{Call: "c\xff", Tool: "sh\xffell"},
		lifecycle.ToolEnded{Call: "c\xff", Tool: "sh\xffell", Status: lifecycle.ToolOK}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "x"})
	require.Equal(t, "sh\uFFFDell", named(t, told(t, nil, s), "execute_tool sh\uFFFDell").Facts[keyToolName])
}
