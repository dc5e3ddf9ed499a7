package doctor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/models"
)

func TestDoctorSaysWhereSpansGo(t *testing.T) {
	t.Parallel()
	look := func(variables ...string) Finding {
		e := Examination{env: models.Lookup(variables)}
		e.examineTelemetry()
		return e.sections[0].Findings[0]
	}
	require.Equal(t, Finding{Name: "spans", Level: levelInfo, Says: "go nowhere: OTEL_EXPORTER_OTLP_ENDPOINT names no collector", Value: ""}, look())
	require.Equal(t, "go nowhere: OTEL_SDK_DISABLED is true", look("OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_SDK_DISABLED=true").Says)
	on := look("OTEL_EXPORTER_OTLP_ENDPOINT=https://ada:pass@collector.example/otlp")
	require.Equal(t, Finding{
		Name: "spans", Level: levelOK, Says: "go to https://collector.example/otlp/v1/traces, without prompts and answers", Value: "https://collector.example/otlp/v1/traces",
	}, on)
	require.Contains(t, look("OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true").Says, "with prompts, answers")
	wrong := look("OTEL_EXPORTER_OTLP_ENDPOINT=collector:4318")
	require.Equal(t, levelNote, wrong.Level)
	require.Contains(t, wrong.Do, "OTEL_EXPORTER_OTLP_ENDPOINT is not the address of a collector")
	require.Contains(t, look("OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc").Do, "only http/protobuf")
	odd := look("OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_TRACES_SAMPLER=xray")
	require.Equal(t, levelNote, odd.Level)
	require.Contains(t, odd.More[0], "OTEL_TRACES_SAMPLER")
}
