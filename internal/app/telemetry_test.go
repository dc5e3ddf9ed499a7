package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
)

func TestNobodyIsToldWithoutAWish(t *testing.T) {
	t.Parallel()
	for _, environ := range [][]string{
		nil,
		{"OTEL_EXPORTER_OTLP_ENDPOINT="},
		{"OTEL_SERVICE_NAME=mine", "TRACEPARENT=x", "OTEL_EXPORTER_OTLP_HEADERS=a=b"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_SDK_DISABLED=true"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_TRACES_EXPORTER=none"},
	} {
		h := &Session{Base: &base.Base{World: base.World{Environ: environ}}}
		h.startTelemetry()
		require.Nil(t, h.telemetry.cancel, "nothing follows the session: %v", environ)
		h.stopTelemetry()
	}
}
