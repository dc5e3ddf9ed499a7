package wiretest

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// years is a wait that no server means seriously.
const years = 10 * 365 * 24 * time.Hour

// Refusals plays the statuses, each with all kinds of bodies and of Retry-After.
func (b Bench) Refusals(t *testing.T) {
	t.Parallel()
	for _, status := range []int{408, 409, 425, 429, 500, 502, 503, 504, 529} {
		for _, body := range []string{"", "{}", "<html><h1>Sorry</h1></html>", "sorry\n", `{"error":{"message":"sorry"}}`, `{"error":`} {
			t.Run(fmt.Sprintf("%d %q", status, body), func(t *testing.T) {
				failed := b.refused(t, Reply{Status: status, Body: body})
				require.Equal(t, status, failed.Status)
				require.True(t, failed.Temporary)
				require.Zero(t, failed.RetryAfter)
				require.Equal(t, status == http.StatusTooManyRequests, failed.Kind == lifecycle.FailRateLimited)
				require.NotContains(t, failed.Message, "<")
			})
		}
	}
	t.Run("not to be asked again", b.retryForbidden)
	now := time.Now()
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": time.Second / 2, "0": 0, "-3": 0, "soon": 0, "": 0,
		now.Add(time.Minute).UTC().Format(http.TimeFormat):  time.Minute,
		now.Add(-time.Minute).UTC().Format(http.TimeFormat): 0,
		strconv.Itoa(int(years.Seconds())):                  years,
		now.Add(years).UTC().Format(http.TimeFormat):        years,
	} {
		t.Run("Retry-After "+value, func(t *testing.T) {
			failed := b.refused(t, Reply{Status: 429, Header: map[string]string{"Retry-After": value}})
			require.InDelta(t, want.Seconds(), failed.RetryAfter.Seconds(), 5, "a date has whole seconds, and this machine is slow")
		})
	}
}

// retryForbidden plays a refusal after which a server does not want retries.
func (b Bench) retryForbidden(t *testing.T) {
	failed := b.refused(t, Reply{Status: 429, Header: map[string]string{"X-Should-Retry": "false"}})
	require.False(t, failed.Temporary)
	require.Equal(t, lifecycle.FailRateLimited, failed.Kind)
}

func (b Bench) refused(t *testing.T, reply Reply) *agent.ProviderError {
	t.Helper()
	s := Serve(t, reply)
	_, err := b.ask(t.Context(), t, b.New(s.URL, s.Client))
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.Len(t, s.Bodies(), 1, "the loop retries, nobody else")
	return failed
}
