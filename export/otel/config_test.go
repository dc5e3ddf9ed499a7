package otel

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func TestSpansGoWhereTheVariablesSay(t *testing.T) {
	const all, own = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	for name, c := range map[string]struct {
		variables map[string]string
		to        string // empty: nowhere
	}{
		"nothing":              {nil, ""},
		"empty":                {map[string]string{all: ""}, ""},
		"of all signals":       {map[string]string{all: "http://collector:4318"}, "http://collector:4318/v1/traces"},
		"with a slash":         {map[string]string{all: "https://collector/otlp/"}, "https://collector/otlp/v1/traces"},
		"of traces":            {map[string]string{all: "http://other", own: "https://collector/api/traces"}, "https://collector/api/traces"},
		"of traces, no path":   {map[string]string{own: "https://collector"}, "https://collector/"},
		"a password":           {map[string]string{own: "https://ada:pass@collector/x?key=secret"}, "https://collector/x"},
		"only the exporter":    {map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, "http://localhost:4318/v1/traces"},
		"no exporter":          {map[string]string{"OTEL_TRACES_EXPORTER": "none", all: "http://collector"}, ""},
		"disabled":             {map[string]string{"OTEL_SDK_DISABLED": "True", all: "http://collector"}, ""},
		"disabled by nonsense": {map[string]string{"OTEL_SDK_DISABLED": "1", all: "http://collector"}, "http://collector/v1/traces"},
		"by protobuf":          {map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", all: "http://collector"}, "http://collector/v1/traces"},
	} {
		t.Run(name, func(t *testing.T) {
			config, err := Read(environment(c.variables))
			require.NoError(t, err)
			require.Equal(t, c.to, config.To())
			require.Equal(t, c.to != "", config.On())
			require.Equal(t, c.to == "", config.Off != "", "why not")
		})
	}
}

func TestWhatCannotWorkNamesItsVariable(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for want, variables := range map[string]map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT is not the address of a collector: write it like http://localhost:4318":        {"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"},
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not the address of a collector: write it like http://localhost:4318": {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "ftp://ada:pass@collector"},
		`OTEL_EXPORTER_OTLP_PROTOCOL="grpc": Pawl supports only http/protobuf`:                                      {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
		`OTEL_EXPORTER_OTLP_TRACES_PROTOCOL="http/json": Pawl supports only http/protobuf`:                          {"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"},
		`OTEL_TRACES_EXPORTER="console": Pawl supports only otlp and none`:                                          {"OTEL_TRACES_EXPORTER": "console"},
		"OTEL_EXPORTER_OTLP_CERTIFICATE cannot be used: no certificate is in " + empty:                              {"OTEL_EXPORTER_OTLP_CERTIFICATE": empty},
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE cannot be used: open : no such file or directory":                    {"OTEL_EXPORTER_OTLP_CLIENT_KEY": "/key.pem"},
	} {
		if _, named := variables["OTEL_EXPORTER_OTLP_ENDPOINT"]; !named {
			variables["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://collector"
		}
		config, err := Read(environment(variables))
		require.EqualError(t, err, want)
		require.False(t, config.On())
	}
}

func TestWhatMeansNothingIsPassedOverWithALine(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_HEADERS": "no pair", "OTEL_EXPORTER_OTLP_COMPRESSION": "zstd", "OTEL_EXPORTER_OTLP_TIMEOUT": "10s",
		"OTEL_RESOURCE_ATTRIBUTES": "a=%zz", "OTEL_TRACES_SAMPLER": "jaeger_remote", "OTEL_BSP_SCHEDULE_DELAY": "-1", "OTEL_BSP_EXPORT_TIMEOUT": "x",
		"OTEL_BSP_MAX_QUEUE_SIZE": "0", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "2000000000", "OTEL_SDK_DISABLED": "1", "TRACEPARENT": "00-1-2-3",
		"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "span_only", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4317",
	} {
		config, err := Read(environment(map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", name: value}))
		require.NoError(t, err, name)
		require.Len(t, config.Warnings, 1, name)
		require.Contains(t, config.Warnings[0], name)
		require.NotContains(t, config.Warnings[0], "no pair", "a header is a secret")
		require.Equal(t, batching{batchDelay, batchLimit, queueSize, batchSize}, config.batching, name)
		require.Equal(t, requestLimit, config.timeout, name)
		require.Equal(t, sdk.ParentBased(sdk.AlwaysSample()).Description(), config.sampler.Description(), name)
		require.False(t, config.parent.IsValid(), name)
		require.False(t, config.Content, name)
	}
}

func TestTheVariablesOfTracesGoBeforeThoseOfAll(t *testing.T) {
	config, err := Read(environment(map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_EXPORTER_OTLP_HEADERS": "key=of-all", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "authorization=Bearer%20x, team = a=b,",
		"OTEL_EXPORTER_OTLP_TIMEOUT": "1000", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "2000", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
		"OTEL_BSP_SCHEDULE_DELAY": "10", "OTEL_BSP_EXPORT_TIMEOUT": "20", "OTEL_BSP_MAX_QUEUE_SIZE": "30", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "40",
		"OTEL_RESOURCE_ATTRIBUTES": "service.name=passed-over,env=a%2Cb", "OTEL_SERVICE_NAME": "mine",
	}))
	require.NoError(t, err)
	require.Empty(t, config.Warnings)
	require.Equal(t, []pair{{"authorization", "Bearer x"}, {"team", "a=b"}}, config.headers)
	require.Equal(t, 2*time.Second, config.timeout)
	require.True(t, config.gzip)
	require.Equal(t, batching{10 * time.Millisecond, 20 * time.Millisecond, 30, 30}, config.batching)
	require.Equal(t, []pair{{"service.name", "passed-over"}, {"env", "a,b"}, {"service.name", "mine"}}, config.resource, "the last of a name counts")
	require.Equal(t, []string{"Bearer x", "x", "a=b"}, Secrets("authorization=Bearer%20x, team = a=b,"))
}

func TestSamplersTakeTheShareThatTheyAreGiven(t *testing.T) {
	for _, c := range []struct {
		name, arg string
		least     int
		most      int // of 1000 traces
	}{
		{"", "", 1000, 1000},
		{"always_on", "", 1000, 1000},
		{"always_off", "", 0, 0},
		{"parentbased_always_off", "", 0, 0},
		{"traceidratio", "0.25", 200, 300},
		{"parentbased_traceidratio", "0.25", 200, 300},
		{"traceidratio", "1", 1000, 1000},
		{"traceidratio", "0", 0, 0},
		{"traceidratio", "", 1000, 1000},
	} {
		s, warning := readSampler(c.name, c.arg)
		require.Empty(t, warning)
		kept := 0
		for n := range 1000 {
			if flags(s, traceOf(runNumber(n)), trace.SpanContext{}).IsSampled() {
				kept++
			}
		}
		require.GreaterOrEqual(t, kept, c.least, c)
		require.LessOrEqual(t, kept, c.most, c)
	}
	for _, wrong := range []string{"2", "-0.1", "NaN", "half"} {
		_, warning := readSampler("traceidratio", wrong)
		require.Contains(t, warning, "OTEL_TRACES_SAMPLER_ARG", wrong)
	}
}

func TestATraceparentIsReadByItsRules(t *testing.T) {
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for text, want := range map[string]bool{
		"": true, good: true, "01" + good[2:] + "-further": true,
		"ff" + good[2:]: false, good + "-more": false, good[:54]: false, "00-" + "00000000000000000000000000000000" + good[35:]: false,
		"00-0AF7651916CD43DD8448EB211C80319C" + good[35:]: false, good[:36] + "0000000000000000-01": false, "nonsense": false,
	} {
		p, ok := readParent(text, "")
		require.Equal(t, want, ok, text)
		require.Equal(t, want && text != "", p.IsValid(), text)
	}
}
