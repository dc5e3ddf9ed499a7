package wiretest

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// years is a wait that no server means seriously.
const years = 10 * 365 * 24 * time.Hour

// Refusal is a server's refusal, and the error expected from it.
type Refusal struct {
	Reply Reply
	Want  agent.ProviderError // without Err; its message without the name of the server
}

// Refuses plays refusals in the words of one API, by their names.
func (b Bench) Refuses(t *testing.T, rows map[string]Refusal) {
	t.Helper()
	for name, row := range rows {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.Want, *b.Failure(t, row.Reply)) })
	}
}

var loopback = regexp.MustCompile(` at 127\.0\.0\.1:\d+`)

// Failure returns the error of one request with this reply, without the server's name.
func (b Bench) Failure(t *testing.T, reply Reply) *agent.ProviderError {
	t.Helper()
	failed := b.refused(t, reply)
	failed.Err = nil
	said := loopback.ReplaceAllString(failed.Message, "")
	require.Contains(t, said, b.Who, "whose error it is")
	require.NotContains(t, said, b.Secret)
	failed.Message = strings.TrimPrefix(said, b.Who+": ")
	return failed
}

// Refusals plays the statuses, each with all kinds of bodies and of Retry-After.
func (b Bench) Refusals(t *testing.T) {
	t.Parallel()
	for _, status := range []int{408, 409, 425, 429, 500, 502, 503, 504, 529} {
		for body, said := range map[string]string{
			"": http.StatusText(status), "{}": http.StatusText(status), "<html><h1>Sorry</h1></html>": http.StatusText(status),
			"sorry\n": "sorry", `{"error":{"message":"sorry"}}`: "sorry", `{"error":`: http.StatusText(status),
			"not\nyours\tat  all": "not yours at all", strings.Repeat("é", 400): strings.Repeat("é", 299) + "…",
		} {
			t.Run(fmt.Sprintf("%d %q", status, body), func(t *testing.T) {
				failed := b.Failure(t, Reply{Status: status, Body: body})
				require.Equal(t, status, failed.Status)
				require.True(t, failed.Temporary)
				require.Zero(t, failed.RetryAfter)
				require.Equal(t, status == http.StatusTooManyRequests, failed.Kind == lifecycle.FailRateLimited)
				require.Equal(t, cmp.Or(said, "an error without a message"), failed.Message)
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
	t.Run("Retry-After-Ms", func(t *testing.T) {
		failed := b.refused(t, Reply{Status: 429, Header: map[string]string{"Retry-After-Ms": "1500"}})
		require.Equal(t, 1500*time.Millisecond, failed.RetryAfter)
	})
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
