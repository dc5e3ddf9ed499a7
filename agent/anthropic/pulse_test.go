package anthropic

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestPulseBeatsWhilePingsCome(t *testing.T) {
	now, beats := time.Now(), 0
	p := newPulse(func() time.Time { return now }, func() { beats++ })
	res, err := p.attach(nil, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(strings.Repeat("p", 1000)))}, nil
	})
	require.NoError(t, err)
	read := func(after time.Duration) int {
		now = now.Add(after)
		before := beats
		_, err := res.Body.Read(make([]byte, 1))
		require.NoError(t, err)
		return beats - before
	}
	require.Equal(t, 0, read(time.Second), "text comes fast enough by itself")
	require.Equal(t, 1, read(4*time.Second))
	require.Equal(t, 0, read(time.Second))
	require.Equal(t, 1, read(15*time.Second))
	require.Equal(t, 1, read(9*time.Minute), "pings alone are life for a while")
	require.Equal(t, 0, read(time.Minute), "and not for ever")
	p.event()
	require.Equal(t, 1, read(10*time.Second))
}

// Pings and the pieces of arguments reach whoever waits as empty pieces, in order
// with the others.
func TestSignsOfLife(t *testing.T) {
	events := strings.SplitAfter(recording(t, "tools"), "\n\n")
	acks := make(chan struct{}, 1)
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, event := range events {
			_, _ = io.WriteString(w, event)
			_ = http.NewResponseController(w).Flush()
			select { // one read each, as far as it shows
			case <-acks:
			case <-r.Context().Done():
				return
			}
		}
	})
	now := time.Now()
	p.now = func() time.Time { now = now.Add(6 * time.Second); return now }
	var calls, lives int
	_, err := p.Stream(t.Context(), hello(), func(d agent.Delta) {
		switch {
		case d.Call != "":
			calls++
		case d == (agent.Delta{}):
			lives++
			select {
			case acks <- struct{}{}:
			default: // an event that came in two reads
			}
		}
	})
	require.NoError(t, err)
	require.Equal(t, 4, calls)
	require.GreaterOrEqual(t, lives, len(events)-2)
}

func TestPulseLeavesErrorsAlone(t *testing.T) {
	now := time.Now()
	p := newPulse(func() time.Time { now = now.Add(time.Minute); return now }, func() { t.Error("no beat") })
	res, err := p.attach(nil, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 500, Body: io.NopCloser(strings.NewReader("busy"))}, nil
	})
	require.NoError(t, err)
	_, err = io.ReadAll(res.Body)
	require.NoError(t, err)
}
