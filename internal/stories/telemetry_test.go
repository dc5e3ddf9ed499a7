package stories

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/oteltest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// spansNamed are the spans of a name, each with the name of the one above it.
func spansNamed(c *oteltest.Collector, name string) (found []oteltest.Span, above []string) {
	all := c.Spans()
	for _, s := range all {
		if s.Name != name {
			continue
		}
		up := ""
		for _, o := range all {
			if o.ID == s.Parent && o.Trace == s.Trace {
				up = o.Name
			}
		}
		found, above = append(found, s), append(above, up)
	}
	return found, above
}

func TestACollectorIsToldOfADelegationAsItStood(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at it") && h.Answered("read"):
			return modeltest.Say("Found a zebra.")
		case h.Child("look at it"):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
		case len(h.Notices()) > 0:
			return modeltest.Say("It is a zebra.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a look", "look at it"))
	})
	c := oteltest.Listen(t)
	s.With("OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-key=very-secret-0815", "OTEL_SERVICE_NAME=mine")
	r, errs, code := s.Prompted(t, "-p", "what animal is it?")
	require.Equal(t, 0, code, errs)
	require.Empty(t, errs)

	calls, above := spansNamed(c, "execute_tool agent")
	require.Equal(t, []string{"invoke_agent general"}, above)
	runs, above := spansNamed(c, "invoke_agent general")
	for i, up := range above {
		require.Equal(t, "mine", runs[i].Resource["service.name"])
		require.Equal(t, r.Session, runs[i].Facts["gen_ai.conversation.id"])
		if runs[i].Facts["gen_ai.agent.id"] == r.Session {
			require.Empty(t, up, "each run of the parent begins a trace")
			continue
		}
		require.Equal(t, "execute_tool agent", up)
		require.Equal(t, calls[0].Trace, runs[i].Trace)
		require.Equal(t, r.Subagents[0].Agent, runs[i].Facts["gen_ai.agent.id"])
		require.Equal(t, int64(21+34), runs[i].Facts["gen_ai.usage.output_tokens"])
	}
	chats, above := spansNamed(c, "chat "+strings.TrimPrefix(s.Model, "openai-chat/"))
	at, err := url.Parse(s.Server.URL)
	require.NoError(t, err)
	port, err := strconv.ParseInt(at.Port(), 10, 64)
	require.NoError(t, err)
	links := 0
	for i, chat := range chats {
		require.Equal(t, "invoke_agent general", above[i])
		require.Equal(t, []any{"openai", at.Hostname(), port}, []any{chat.Facts["gen_ai.provider.name"], chat.Facts["server.address"], chat.Facts["server.port"]})
		for _, link := range chat.Links {
			if link.Facts["pawl.link"] == "told_of" {
				links++
			}
		}
	}
	require.Len(t, chats, len(s.Server.All(func(modeltest.Request) bool { return true })))
	require.Equal(t, 1, links, "the request that saw the notification")
	_, above = spansNamed(c, "execute_tool read")
	require.Equal(t, []string{"invoke_agent general"}, above)

	for _, request := range c.Requests() {
		require.Equal(t, "very-secret-0815", request.Header.Get("X-Key"))
	}
	encoded, err := json.Marshal(c.Spans())
	require.NoError(t, err)
	for _, content := range []string{"zebra", "animal", "look at it", "calc.go", "very-secret"} {
		require.NotContains(t, string(encoded), content, "what was said stays here")
	}
}

// It ends 2 s later than it might: the time that is left to a collector.
func TestACollectorThatIsSilentKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	c := oteltest.New(t)
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	c.Answer = func(int, http.ResponseWriter) bool { <-never; return true }
	c.Start()
	s.With("OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_EXPORTER_OTLP_TIMEOUT=0", "OTEL_BSP_EXPORT_TIMEOUT=0", "OTEL_BSP_SCHEDULE_DELAY=0")
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "are you there?")...) // which waits for ever, or as long as run does
	require.Equal(t, 0, code)
	require.Equal(t, "Here I am.\n", out)
	require.Empty(t, errs)
	require.Len(t, c.Requests(), 1)
	log, err := os.ReadFile(filepath.Join(s.Home, "state", "pawl.log"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(log), "spans cannot be sent"), string(log))
}

func TestTelemetryThatCannotWorkIsSaidInTheLogAlone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	c := oteltest.Listen(t)
	s.With("OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "are you there?")...)
	require.Equal(t, 0, code)
	require.Equal(t, "Here I am.\n", out)
	require.Empty(t, errs)
	require.Empty(t, c.Requests())
	log, err := os.ReadFile(filepath.Join(s.Home, "state", "pawl.log"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(log), "Pawl supports only http/protobuf"))
}

// OpenTelemetry's libraries read these variables too, and print the values on standard error,
// which would leave the file of a crash behind.
func TestVariablesThatMeanNothingAreSaidInTheLogAlone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	c := oteltest.Listen(t)
	odd := []string{"OTEL_EXPORTER_OTLP_TIMEOUT=10s", "OTEL_BSP_MAX_QUEUE_SIZE=many", "OTEL_EXPORTER_OTLP_HEADERS=very-secret-0815", "OTEL_TRACES_SAMPLER=xray"}
	s.With(append(odd, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL)...)
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "are you there?")...)
	require.Equal(t, 0, code)
	require.Equal(t, "Here I am.\n", out)
	require.Empty(t, errs)
	require.NotEmpty(t, c.Spans())
	log, err := os.ReadFile(filepath.Join(s.Home, "state", "pawl.log"))
	require.NoError(t, err)
	for _, variable := range odd {
		name, _, _ := strings.Cut(variable, "=")
		require.Equal(t, 1, strings.Count(string(log), name), name)
	}
	require.NotContains(t, string(log), "very-secret-0815")
	require.NoFileExists(t, filepath.Join(s.Home, "state", "crash.log"))
}

func TestARunThatACrashCutOffIsToldOfWhenItIsFound(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and now?") {
			return modeltest.Say("It was cut off.")
		}
		return modeltest.Say("I have just begun").Until(never)
	})
	c := oteltest.Listen(t)
	s.With("OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_BSP_SCHEDULE_DELAY=0")
	x := s.Open(t)
	x.Prompt("dig")
	x.See("I have just begun")
	require.NoError(t, syscall.Kill(x.Pawl(), syscall.SIGKILL))
	x.AwaitEnd()
	x.Drain()
	require.Empty(t, c.Spans())

	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--continue", "-p", "and now?")...)
	require.Equal(t, 0, code, errs)
	runs, _ := spansNamed(c, "invoke_agent general")
	require.Len(t, runs, 2)
	require.Equal(t, "interrupted", runs[0].Facts["error.type"])
	require.True(t, runs[0].Failed)
	require.False(t, runs[1].Failed)
	require.Equal(t, runs[0].ID, runs[1].Links[0].ID, "the run after it is linked to it")
}
