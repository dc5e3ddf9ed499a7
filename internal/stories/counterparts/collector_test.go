//go:build unix

package counterparts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// span is one as the collector writes it, in OTLP's JSON.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	StartTimeUnixNano, EndTimeUnixNano  string
	DroppedAttributesCount              int
}

// collected are all spans in the file of a collector.
func collected(t *testing.T, path string) (spans []span) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var one struct {
			ResourceSpans []struct{ ScopeSpans []struct{ Spans []span } }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		for _, resource := range one.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				spans = append(spans, scope.Spans...)
			}
		}
	}
	return spans
}

// TestTheCollectorOfOpenTelemetryTakesWhatIsTold: its own receiver reads the spans of a delegation,
// packed or not, each once, with a parent that came too, and Pawl has nothing to complain about.
func TestTheCollectorOfOpenTelemetryTakesWhatIsTold(t *testing.T) {
	programFor(t, "go", "install Go")
	collector := filepath.Join(t.TempDir(), "collector")
	run(t, own+"/collector", "", "env", "CGO_ENABLED=0", "go", "build", "-trimpath", "-o", collector, ".")
	count := 0
	for _, variables := range [][]string{nil, {"OTEL_EXPORTER_OTLP_COMPRESSION=gzip"}, {"OTEL_BSP_SCHEDULE_DELAY=0", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE=1"}} {
		file := filepath.Join(t.TempDir(), "spans")
		s := harness.NewStage(t, modeltest.Anthropic(), looksAfterADelegation)
		s.With(append(variables, "OTEL_EXPORTER_OTLP_ENDPOINT="+serve(t, nil, collector, file))...)
		_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--permission-mode", "bypass", "-p", "have it looked at")...)
		require.Zero(t, code, errs)
		log, err := os.ReadFile(filepath.Join(s.Home, "state", "pawl.log"))
		require.NoError(t, err)
		require.NotContains(t, string(log), "spans cannot be sent")

		spans, ids, names := collected(t, file), map[string]bool{"": true}, map[string]int{}
		for _, one := range spans {
			require.False(t, ids[one.SpanID], "twice: %+v", one)
			ids[one.SpanID] = true
			names[one.Name]++
		}
		for _, one := range spans {
			require.True(t, ids[one.ParentSpanID], "without a parent: %+v", one)
			require.LessOrEqual(t, one.StartTimeUnixNano, one.EndTimeUnixNano)
			require.Zero(t, one.DroppedAttributesCount)
		}
		chat := "chat " + strings.TrimPrefix(s.Model, "anthropic/")
		require.Equal(t, map[string]int{"invoke_agent general": 2, "execute_tool agent": 1, "execute_tool read": 1, chat: 4}, names)
		count += len(spans)
	}
	soaktest.Counterpart(t, "go.opentelemetry.io/collector", receiverVersion(t), count)
}

func looksAfterADelegation(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("look at it") && h.Answered("read"):
		return modeltest.Say("Found a zebra.")
	case h.Child("look at it"):
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
	case h.Answered("agent"):
		return modeltest.Say("It is a zebra.")
	}
	return modeltest.Do(modeltest.Delegate("a look", "look at it"))
}

// receiverVersion is the version that go.mod of the collector asks for.
func receiverVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(own + "/collector/go.mod")
	require.NoError(t, err)
	words := strings.Fields(string(text))
	return words[slices.Index(words, "go.opentelemetry.io/collector/receiver/otlpreceiver")+1]
}
